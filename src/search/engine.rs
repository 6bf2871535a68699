//! How an epoch's work is cut and where it is done.
//!
//! A backend that computes on the host lends its tile scorer, and each tile is proposed, scored and accepted while it
//! lies in cache, chunks of tiles on all cores. Any other backend scores the whole population as one batch between a
//! propose and an accept sweep. Chunks are halved until they are small enough; no result depends on where.

use std::time::Instant;

use rayon::join;

use super::trajectory::Sums;
use super::{Best, Chunk, EpochTimes, Search, Tally};
use crate::error::Error;
use crate::fitness::{Backend, Evaluator, Score, TileScorer};
use crate::population::{LANES, tiles_for};

/// Tiles below which handing work to another thread costs more than it brings.
const CHUNK_TILES: usize = 64;

/// An evaluator with the scratch space and the cutting of epochs.
pub struct Engine {
    evaluator: Box<dyn Evaluator>,
    scores: Vec<Score>,
    chunk_tiles: usize,
    times: Option<EpochTimes>,
}

impl Engine {
    /// An engine that scores by this evaluator: the scalar one on the calling thread, others on the current rayon pool.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Engine {
        let chunk_tiles = if evaluator.backend() == Backend::Scalar { usize::MAX } else { CHUNK_TILES };
        Engine { evaluator, scores: Vec::new(), chunk_tiles, times: None }
    }

    /// The same, with chunks of at most this many tiles (at least one). Results do not depend on it.
    pub fn with_chunk_tiles(self, chunk_tiles: usize) -> Engine {
        Engine { chunk_tiles: chunk_tiles.max(1), ..self }
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
        let (len, chunk_tiles) = (search.population().len(), self.chunk_tiles);
        if let Some(scorer) = self.evaluator.tile_scorer() {
            return Ok(cut(search.chunk(), 0, len, chunk_tiles, &|chunk, first, len| sweep(chunk, first, len, scorer)));
        }
        let begun = Instant::now();
        cut(search.chunk(), 0, len, chunk_tiles, &|mut chunk: S::Chunk<'_>, _, _| {
            (0..chunk.tiles()).for_each(|tile| chunk.propose(tile));
        });
        let propose = begun.elapsed();
        let mut scores = std::mem::take(&mut self.scores);
        scores.resize(tiles_for(len) * LANES, Score::default());
        self.evaluator.score(search.proposals().candidates(), &mut scores)?;
        let scored = Instant::now();
        let summary = cut(search.chunk(), 0, len, chunk_tiles, &|chunk, first, len| {
            accept_all(chunk, first, len, &scores[first..])
        });
        self.scores = scores;
        let batch = self.evaluator.last_batch_times().unwrap_or_default();
        self.times = Some(EpochTimes {
            propose,
            upload: batch.upload,
            device: batch.device,
            kernel: batch.kernel,
            readback: batch.readback,
            accept: scored.elapsed(),
            ..EpochTimes::default()
        });
        Ok(summary)
    }

    /// Lets a search conclude its epoch.
    pub(super) fn conclude<S: Search>(&mut self, search: &mut S, tally: S::Tally) -> Best {
        let begun = Instant::now();
        let best = search.conclude(tally);
        if let Some(times) = &mut self.times {
            times.conclude = begun.elapsed();
        }
        best
    }
}

/// Halves a chunk until its parts are small, works on all parts in parallel, and merges what they add up to.
fn cut<C: Chunk, T: Tally>(
    chunk: C,
    first: usize,
    len: usize,
    chunk_tiles: usize,
    work: &(impl Fn(C, usize, usize) -> T + Sync),
) -> T {
    if chunk.tiles() <= chunk_tiles {
        return work(chunk, first, len);
    }
    let tiles = chunk.tiles() / 2;
    let middle = first + tiles * LANES;
    let (front, back) = chunk.split_at(tiles);
    let (front, back) =
        join(|| cut(front, first, len, chunk_tiles, work), || cut(back, middle, len, chunk_tiles, work));
    front.merge(back)
}

/// Work that adds up to nothing.
impl Tally for () {
    fn merge(self, (): ()) {}
}

/// What an epoch, or a part of it, adds up to.
#[derive(Default)]
pub(super) struct EpochSummary<T> {
    pub sums: Sums,
    pub tally: T,
}

impl<T: Tally> Tally for EpochSummary<T> {
    fn merge(self, other: Self) -> Self {
        EpochSummary { sums: self.sums.merge(other.sums), tally: self.tally.merge(other.tally) }
    }
}

/// Proposes, scores and accepts tile by tile; `first` is the chunk's first slot, `len` the whole population's length.
fn sweep<C: Chunk>(mut chunk: C, first: usize, len: usize, scorer: &dyn TileScorer) -> EpochSummary<C::Tally> {
    let mut summary = EpochSummary::<C::Tally>::default();
    let mut scores = [Score::default(); LANES];
    for tile in 0..chunk.tiles() {
        chunk.propose(tile);
        scorer.score_tile(chunk.lanes(tile), &mut scores);
        accept_tile(&mut chunk, tile, first + tile * LANES, len, &scores, &mut summary);
    }
    summary
}

/// Accepts tile by tile what a batch has scored.
fn accept_all<C: Chunk>(mut chunk: C, first: usize, len: usize, scores: &[Score]) -> EpochSummary<C::Tally> {
    let mut summary = EpochSummary::<C::Tally>::default();
    for (tile, scores) in scores.as_chunks::<LANES>().0.iter().enumerate().take(chunk.tiles()) {
        accept_tile(&mut chunk, tile, first + tile * LANES, len, scores, &mut summary);
    }
    summary
}

#[inline(always)]
fn accept_tile<C: Chunk>(
    chunk: &mut C,
    tile: usize,
    slot: usize,
    len: usize,
    scores: &[Score; LANES],
    summary: &mut EpochSummary<C::Tally>,
) {
    summary.sums.add_scores(slot as u32, &scores[..LANES.min(len - slot)]);
    chunk.accept(tile, scores, &mut summary.tally);
}
