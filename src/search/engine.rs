//! The engine that keeps populations on the host and scores them by an evaluator.
//!
//! A backend that computes on the host lends its tile scorer, and each tile is proposed, scored and accepted while it
//! lies in cache. A backend with a memory of its own scores batches: proposals go there as they are made, and an accept
//! sweep follows when the scores are back. Several runs make one batch, or two if each is large enough to overlap host and
//! device:
//!
//! ```text
//! host     propose A | propose B | accept A | accept B
//! device              | score A     | score B
//! ```

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Tally;
use super::host::HostRun;
use super::run::{Advance, Run, Turn};
use super::sweeps::{CHUNK_TILES, Spent, both};
use crate::error::Error;
use crate::fitness::{BatchScorer, Evaluator, Score, Staged, Ticket, TileScorer};
use crate::population::LANES;

/// Tiles of a batch below which overlap brings less than a second submission costs.
const HALF_TILES: usize = 256;

/// An evaluator with the scratch space and the cutting of epochs. It advances runs by one epoch at a time, or by several where
/// the search has a form for that and the evaluator computes on the host.
pub struct Engine {
    evaluator: Box<dyn Evaluator>,
    scores: Vec<Score>,
    /// Tiles that a thread takes at a time where threads share an epoch.
    shared_tiles: usize,
    parallel: bool,
    times: Option<EpochTimes>,
}

impl Engine {
    /// Individuals of an epoch that a thread takes at a time: a population of so many keeps one thread at work.
    pub const CHUNK: usize = CHUNK_TILES * LANES;

    /// An engine that scores by this evaluator: the scalar one on the calling thread, others on the current rayon pool.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Engine {
        let parallel = evaluator.backend().is_on_all_threads();
        Engine { evaluator, scores: Vec::new(), shared_tiles: CHUNK_TILES, parallel, times: None }
    }

    /// The same, with chunks of at most this many tiles (at least one). Results do not depend on it.
    pub fn with_chunk_tiles(self, chunk_tiles: usize) -> Engine {
        Engine { shared_tiles: chunk_tiles.max(1), ..self }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluator {
        &*self.evaluator
    }

    /// The evaluator, to score what no search proposed.
    pub fn evaluator_mut(&mut self) -> &mut dyn Evaluator {
        &mut *self.evaluator
    }

    /// Tiles of an epoch that a thread takes at a time now.
    fn chunk_tiles(&self) -> usize {
        if self.parallel { self.shared_tiles } else { usize::MAX }
    }

    /// The stages of the last epoch, for an evaluator that scores batches: one that scores tile by tile has none.
    pub fn last_epoch_times(&self) -> Option<EpochTimes> {
        self.times
    }
}

impl Advance for Engine {
    fn advance(&mut self, turns: &mut [Turn<'_>]) -> Result<(), Error> {
        if turns.iter_mut().any(|turn| turn.run.host().is_none()) {
            return Err(Error::Internal(
                "a run whose population is not on the host came to an engine of the host".into(),
            ));
        }
        self.times = None;
        if let Some(scorer) = self.evaluator.tile_scorer() {
            sweep_each(turns, scorer, self.chunk_tiles());
            return Ok(());
        }
        match self.evaluator.batch_scorer() {
            Some(_) => self.score_staged(turns),
            None => turns.iter_mut().try_for_each(|turn| self.score_alone(turn)),
        }
    }

    fn set_parallel(&mut self, parallel: bool) {
        self.parallel = parallel && self.evaluator.backend().is_on_all_threads();
    }

    fn is_parallel(&self) -> bool {
        self.parallel
    }
}

/// A batch under way, and what it took so far.
struct Submitted {
    ticket: Ticket,
    tiles: usize,
    propose: Duration,
}

impl Engine {
    /// Has all runs scored in one batch, or in two while the host works on the other.
    fn score_staged(&mut self, turns: &mut [Turn<'_>]) -> Result<(), Error> {
        let (front, back) = halves(turns);
        let first = self.submit(front)?;
        let second = if back.is_empty() { None } else { Some(self.submit(back)?) };
        self.finish(front, first)?;
        second.map_or(Ok(()), |second| self.finish(back, second))
    }

    /// Proposes for every slot of these runs, straight into staging memory, and has the proposals scored.
    fn submit(&mut self, turns: &mut [Turn<'_>]) -> Result<Submitted, Error> {
        let (chunk_tiles, tiles) = (self.chunk_tiles(), tiles_of(turns));
        let (mut first, mut wall, mut spent) = (0, Duration::ZERO, Spent::default());
        let ticket = batch_scorer(&mut *self.evaluator)?.submit(tiles, &mut |staged| {
            let (piece, begun) = (staged.tiles(), Instant::now());
            spent = spent.merge(stage_runs(turns, first, staged, chunk_tiles, &|run, first, staged| {
                run.propose_into(first, staged, chunk_tiles)
            }));
            wall += begun.elapsed();
            first += piece;
        })?;
        Ok(Submitted { ticket, tiles, propose: spent.proposing_of(wall) })
    }

    /// Waits for the scores of a batch of these runs, and accepts.
    fn finish(&mut self, turns: &mut [Turn<'_>], submitted: Submitted) -> Result<(), Error> {
        let Submitted { ticket, tiles, propose } = submitted;
        let (chunk_tiles, mut first) = (self.chunk_tiles(), 0);
        self.scores.resize(tiles * LANES, Score::default());
        let mut rewrite = |staged: Staged<'_>| {
            let piece = staged.tiles();
            stage_runs(turns, first, staged, chunk_tiles, &|run, first, staged| run.stage(first, staged));
            first += piece;
        };
        batch_scorer(&mut *self.evaluator)?.finish(ticket, &mut rewrite, &mut self.scores)?;
        self.accept(turns, propose);
        Ok(())
    }

    /// An epoch of one run by an evaluator that neither scores single tiles nor stages batches.
    fn score_alone(&mut self, turn: &mut Turn<'_>) -> Result<(), Error> {
        let begun = Instant::now();
        let run = host(turn);
        run.propose(self.chunk_tiles());
        let propose = begun.elapsed();
        self.scores.resize(run.tiles() * LANES, Score::default());
        self.evaluator.score(run.proposals(), &mut self.scores)?;
        self.accept(std::slice::from_mut(turn), propose);
        Ok(())
    }

    /// Accepts in all runs of a batch by its scores, and adds what its stages took.
    fn accept(&mut self, turns: &mut [Turn<'_>], propose: Duration) {
        let begun = Instant::now();
        let conclude = accept_each(turns, &self.scores, self.chunk_tiles());
        let accept = begun.elapsed().saturating_sub(conclude);
        let batch = self.evaluator.last_batch_times().unwrap_or_default();
        let times = EpochTimes {
            propose,
            upload: batch.upload.saturating_sub(propose),
            device: batch.device,
            kernel: batch.kernel,
            readback: batch.readback,
            accept,
            conclude,
        };
        self.times = Some(self.times.map_or(times, |before| before.plus(times)));
    }
}

fn batch_scorer(evaluator: &mut dyn Evaluator) -> Result<&mut dyn BatchScorer, Error> {
    evaluator.batch_scorer().ok_or_else(|| Error::Internal("an evaluator scores batches no more".into()))
}

fn host<'t>(turn: &'t mut Turn<'_>) -> &'t mut dyn HostRun {
    host_of(&mut *turn.run)
}

fn host_of<'t>(run: &'t mut (dyn Run + '_)) -> &'t mut dyn HostRun {
    run.host().expect("an advance begins with a look at every run")
}

fn tiles_of(turns: &mut [Turn<'_>]) -> usize {
    turns.iter_mut().map(|turn| host(turn).tiles()).sum()
}

/// Cuts runs in two sets of about equal work; the second is empty if half the work is too little for a batch.
fn halves<'t, 'a>(turns: &'t mut [Turn<'a>]) -> (&'t mut [Turn<'a>], &'t mut [Turn<'a>]) {
    let all = tiles_of(turns);
    let (mut runs, mut tiles) = (0, 0);
    while 2 * tiles < all {
        tiles += host(&mut turns[runs]).tiles();
        runs += 1;
    }
    let enough = tiles.min(all - tiles) >= HALF_TILES;
    let at = if enough { runs } else { turns.len() };
    turns.split_at_mut(at)
}

/// A stride of each run that can do one, and an epoch of each other, tile by tile; of several runs at once if threads share
/// the work.
fn sweep_each(turns: &mut [Turn<'_>], scorer: &dyn TileScorer, chunk_tiles: usize) {
    let sweep = |turn: &mut Turn<'_>| {
        let (details, epochs) = (turn.details, turn.epochs);
        let Turn { run, summaries, .. } = turn;
        let run = host_of(&mut **run);
        let advanced =
            scorer.allows_strides() && !details && run.stride(scorer.instructions(), epochs, chunk_tiles, summaries);
        if !advanced {
            summaries.push(run.sweep(scorer, chunk_tiles, details));
        }
    };
    if turns.len() > 1 && chunk_tiles < usize::MAX {
        turns.par_iter_mut().for_each(sweep);
    } else if tiles_of(turns) > chunk_tiles {
        // On a thread of the pool from the first cut to the last: each way into it from outside takes some 50 microseconds.
        rayon::scope(|_| turns.iter_mut().for_each(sweep));
    } else {
        turns.iter_mut().for_each(sweep);
    }
}

/// Works on a piece of a batch's staging memory, which begins with tile `first` of these runs, run by run and on all cores.
fn stage_runs<T: Tally>(
    turns: &mut [Turn<'_>],
    first: usize,
    piece: Staged<'_>,
    chunk_tiles: usize,
    work: &(impl Fn(&mut dyn HostRun, usize, Staged<'_>) -> T + Sync),
) -> T {
    if piece.tiles() == 0 {
        return T::default();
    }
    if let [turn] = turns {
        return work(host(turn), first, piece);
    }
    let (front, back) = turns.split_at_mut(turns.len() / 2);
    let front_tiles = tiles_of(front);
    if first >= front_tiles {
        return stage_runs(back, first - front_tiles, piece, chunk_tiles, work);
    }
    let all = piece.tiles();
    let (front_piece, back_piece) = piece.split_at(all.min(front_tiles - first));
    let in_front = || stage_runs(front, first, front_piece, chunk_tiles, work);
    let in_back = || stage_runs(back, 0, back_piece, chunk_tiles, work);
    let (one, other) = both(all > chunk_tiles, in_front, in_back);
    one.merge(other)
}

/// Accepts in each run by its own part of the scores, on all cores. Gives the time of all conclusions.
fn accept_each(turns: &mut [Turn<'_>], scores: &[Score], chunk_tiles: usize) -> Duration {
    if let [turn] = turns {
        let details = turn.details;
        let (summary, conclusion) = host(turn).accept(scores, chunk_tiles, details);
        turn.push(summary);
        return conclusion;
    }
    let (front, back) = turns.split_at_mut(turns.len() / 2);
    let (front_scores, back_scores) = scores.split_at(tiles_of(front) * LANES);
    let in_front = || accept_each(front, front_scores, chunk_tiles);
    let in_back = || accept_each(back, back_scores, chunk_tiles);
    let parallel = scores.len() / LANES > chunk_tiles;
    let (one, other) = both(parallel, in_front, in_back);
    one + other
}

/// The stages of one epoch on an evaluator that scores batches. All but `kernel` follow each other and add up to the
/// epoch, save what the search does on single grids after it ([`super::Search::improve`]). Where runs share an epoch, its
/// stages are those of all batches together, and `conclude` is the time of all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EpochTimes {
    /// Proposals made, on all cores. Where the same sweep copies them into staging memory, this is its threads' share of
    /// the sweep's wall time.
    pub propose: Duration,
    /// Proposals copied into staging memory, tile by tile as they were made, and commands recorded.
    pub upload: Duration,
    /// From submission until the host saw the scores lie ready: the copies over the link, the kernel, and all waiting for
    /// them. Where the host did something else meanwhile, that is in it.
    pub device: Duration,
    /// The kernel alone by the device's clock, part of `device`; `None` where the adapter has no timestamps.
    pub kernel: Option<Duration>,
    /// The scores copied out of staging memory.
    pub readback: Duration,
    /// Proposals accepted or undone, on all cores.
    pub accept: Duration,
    /// The search's own summary of the epoch.
    pub conclude: Duration,
}

impl EpochTimes {
    /// The whole epoch.
    pub fn total(&self) -> Duration {
        self.propose + self.upload + self.device + self.readback + self.accept + self.conclude
    }

    fn plus(self, other: EpochTimes) -> EpochTimes {
        EpochTimes {
            propose: self.propose + other.propose,
            upload: self.upload + other.upload,
            device: self.device + other.device,
            kernel: self.kernel.zip(other.kernel).map(|(one, other)| one + other),
            readback: self.readback + other.readback,
            accept: self.accept + other.accept,
            conclude: self.conclude + other.conclude,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Anneal, AnnealParameters, SearchRun};
    use crate::sudoku::{Grid, Puzzle, Shape};

    #[test]
    fn chunks_are_those_that_were_asked_for_whenever_threads_share_an_epoch() {
        let mut engine = Engine::new(Box::new(crate::fitness::Cpu::new(Shape::NINE))).with_chunk_tiles(3);
        let of = |engine: &mut Engine, parallel| {
            engine.set_parallel(parallel);
            engine.chunk_tiles()
        };
        assert_eq!([true, false, true].map(|parallel| of(&mut engine, parallel)), [3, usize::MAX, 3]);
    }

    #[test]
    fn runs_are_cut_in_two_where_both_halves_are_worth_a_batch() {
        let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).unwrap();
        let turn = |tiles: usize| {
            let parameters = AnnealParameters { population: tiles * LANES, ..AnnealParameters::TUNED };
            Turn::new(SearchRun::boxed(Anneal::new(&puzzle, &parameters, 1).unwrap()))
        };
        for (tiles, expected) in [
            (&[2 * HALF_TILES][..], 1),
            (&[HALF_TILES, HALF_TILES], 1),
            (&[HALF_TILES, HALF_TILES - 1], 2),
            (&[1, HALF_TILES, HALF_TILES], 2),
            (&[HALF_TILES, 1, HALF_TILES], 2),
            (&[3 * HALF_TILES, 1], 2),
        ] {
            let mut turns: Vec<_> = tiles.iter().map(|tiles| turn(*tiles)).collect();
            assert_eq!(halves(&mut turns).0.len(), expected, "{tiles:?}");
        }
    }
}
