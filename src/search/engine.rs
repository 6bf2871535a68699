//! Where an epoch's work is done.
//!
//! A backend that computes on the host lends its tile scorer, and each tile is proposed, scored and accepted while it
//! lies in cache. A backend with a memory of its own scores batches: proposals go there as they are made, and an accept
//! sweep follows when the scores are back. Such an epoch has two halves, [`Engine::begin`] and [`Engine::end`], between
//! which the host is free, for instance to begin the epoch of another search.

use std::time::{Duration, Instant};

use super::sweeps::{self, CHUNK_TILES, EpochSummary, Spent};
use super::{EpochTimes, Search, Tally};
use crate::error::Error;
use crate::fitness::{Backend, Evaluator, Score, Ticket};
use crate::population::{LANES, tiles_for};

/// An evaluator with the scratch space and the cutting of epochs.
pub struct Engine {
    evaluator: Box<dyn Evaluator>,
    scores: Vec<Score>,
    chunk_tiles: usize,
    times: Option<EpochTimes>,
}

/// An epoch of a search that [`Engine::begin`] has begun.
#[must_use = "an epoch that was begun is to be ended"]
pub(super) enum Begun<T> {
    /// Every slot has proposed, was scored and has accepted.
    Done(EpochSummary<T>),
    /// Every slot has proposed, and the batch is under way.
    Submitted { ticket: Ticket, propose: Duration },
    /// Every slot has proposed.
    Proposed { propose: Duration },
}

impl Engine {
    /// An engine that scores by this evaluator: the scalar one on the calling thread, others on the current rayon pool.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Engine {
        let chunk_tiles = if evaluator.backend() == Backend::SCALAR { usize::MAX } else { CHUNK_TILES };
        Engine { evaluator, scores: Vec::new(), chunk_tiles, times: None }
    }

    /// The same, with chunks of at most this many tiles (at least one). Results do not depend on it.
    pub fn with_chunk_tiles(self, chunk_tiles: usize) -> Engine {
        Engine { chunk_tiles: chunk_tiles.max(1), ..self }
    }

    /// Keeps epochs on the calling thread, or lets the pool share them again. Results do not depend on it.
    pub fn confine(&mut self, confined: bool) {
        let spreads = !confined && self.evaluator.backend() != Backend::SCALAR;
        self.chunk_tiles = if spreads { CHUNK_TILES } else { usize::MAX };
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluator {
        &*self.evaluator
    }

    /// The evaluator, to score what no search proposed.
    pub fn evaluator_mut(&mut self) -> &mut dyn Evaluator {
        &mut *self.evaluator
    }

    /// Where the time of the last epoch went, for an evaluator that scores batches: one that scores tile by tile leaves
    /// nothing to tell apart.
    pub fn last_epoch_times(&self) -> Option<EpochTimes> {
        self.times
    }

    /// Proposes, scores and accepts once for every slot.
    ///
    /// # Errors
    /// What [`Evaluator::score`] reports.
    pub(super) fn epoch<S: Search>(&mut self, search: &mut S) -> Result<EpochSummary<S::Tally>, Error> {
        let begun = self.begin(search)?;
        self.end(search, begun)
    }

    /// Proposes for every slot and has the proposals scored, without waiting for it.
    ///
    /// # Errors
    /// As [`Engine::epoch`].
    pub(super) fn begin<S: Search>(&mut self, search: &mut S) -> Result<Begun<S::Tally>, Error> {
        let chunk_tiles = self.chunk_tiles;
        if let Some(scorer) = self.evaluator.tile_scorer() {
            return Ok(Begun::Done(sweeps::sweep(search, chunk_tiles, scorer)));
        }
        let Some(scorer) = self.evaluator.batch_scorer() else {
            let begun = Instant::now();
            sweeps::propose(search, chunk_tiles);
            return Ok(Begun::Proposed { propose: begun.elapsed() });
        };
        let (mut first, mut wall, mut spent) = (0, Duration::ZERO, Spent::default());
        let ticket = scorer.submit(search.population().tiles(), &mut |staged| {
            let (tiles, begun) = (staged.tiles(), Instant::now());
            spent = spent.merge(sweeps::propose_into(search, first, staged, chunk_tiles));
            wall += begun.elapsed();
            first += tiles;
        })?;
        Ok(Begun::Submitted { ticket, propose: spent.proposing_of(wall) })
    }

    /// Waits for the scores of an epoch of this search that was begun, and accepts.
    ///
    /// # Errors
    /// As [`Engine::epoch`].
    pub(super) fn end<S: Search>(
        &mut self,
        search: &mut S,
        begun: Begun<S::Tally>,
    ) -> Result<EpochSummary<S::Tally>, Error> {
        self.scores.resize(tiles_for(search.population().len()) * LANES, Score::default());
        let propose = match begun {
            Begun::Done(summary) => {
                self.times = None;
                return Ok(summary);
            }
            Begun::Submitted { ticket, propose } => {
                self.collect(search, ticket)?;
                propose
            }
            Begun::Proposed { propose } => {
                self.evaluator.score(search.proposals().candidates(), &mut self.scores)?;
                propose
            }
        };
        let scored = Instant::now();
        let summary = sweeps::accept(search, self.chunk_tiles, &self.scores);
        self.note(propose, scored.elapsed());
        Ok(summary)
    }

    /// Takes the scores of a batch that was submitted.
    fn collect<S: Search>(&mut self, search: &S, ticket: Ticket) -> Result<(), Error> {
        let mut first = 0;
        let scorer = self.evaluator.batch_scorer().expect("a ticket comes from a batch scorer");
        scorer.finish(
            ticket,
            &mut |staged| {
                let tiles = staged.tiles();
                sweeps::stage(search, first, staged);
                first += tiles;
            },
            &mut self.scores,
        )
    }

    /// Notes where the time of an epoch went whose batch was the last to be scored.
    fn note(&mut self, propose: Duration, accept: Duration) {
        let batch = self.evaluator.last_batch_times().unwrap_or_default();
        self.times = Some(EpochTimes {
            propose,
            upload: batch.upload.saturating_sub(propose),
            device: batch.device,
            kernel: batch.kernel,
            readback: batch.readback,
            accept,
            conclude: Duration::ZERO,
        });
    }

    /// Notes what the search's conclusion of the last epoch took.
    pub(super) fn note_conclusion(&mut self, time: Duration) {
        if let Some(times) = &mut self.times {
            times.conclude = time;
        }
    }
}
