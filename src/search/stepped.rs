//! Runs that are made an epoch at a time, whatever their search: many side by side, each put away and taken up again.
//!
//! An evaluator does not care whose candidates it scores, so an epoch of many runs can be one batch: each run's proposals
//! stand in whole tiles of it, and each run accepts by its own slots' scores. What a run comes to does not depend on its
//! company.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::course::Course;
use super::state::{Resumable, StateWriter};
use super::sweeps::{self, CHUNK_TILES, EpochSummary};
use super::{Algorithm, Anneal, Budget, Engine, Outcome, RandomKey, Swarm};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::Candidates;
use crate::sudoku::Puzzle;

/// A run between two epochs. [`Stepped::begin_epoch`] first, and if it says yes, either [`Stepped::epoch`] or
/// [`Stepped::propose`] and [`Stepped::accept`]; if it says no, [`Stepped::finish`].
pub trait Stepped: Send + Sync {
    /// Moves to the next epoch; false if the run is over.
    fn begin_epoch(&mut self) -> bool;

    /// Proposes, scores and accepts on this engine.
    ///
    /// # Errors
    /// What [`run`](super::run) reports.
    fn epoch(&mut self, engine: &mut Engine) -> Result<(), Error>;

    /// Makes a proposal for every slot.
    fn propose(&mut self);

    /// The proposals, to be scored.
    fn proposals(&self) -> Candidates<'_>;

    /// Accepts by the scores of all slots.
    ///
    /// # Errors
    /// [`Error::Internal`] if a score of 0 is not a solution.
    fn accept(&mut self, scores: &[Score]) -> Result<(), Error>;

    /// Candidates scored so far.
    fn evaluations(&self) -> u64;

    /// True if the last epoch solved the puzzle or met a limit. It may still be [`Stepped::begin_epoch`] that ends the run.
    fn is_over(&self) -> bool;

    /// The run as bytes, from which [`Algorithm::resume`] goes on; between two epochs only.
    ///
    /// # Panics
    /// If the run is over.
    fn save(&self) -> Vec<u8>;

    /// What the run came to.
    ///
    /// # Panics
    /// If it is not over.
    fn finish(self: Box<Self>) -> Outcome;
}

struct SteppedRun<S> {
    search: S,
    puzzle: Arc<Puzzle>,
    budget: Budget,
    course: Course,
}

impl<S: Resumable + Send + Sync> Stepped for SteppedRun<S> {
    fn begin_epoch(&mut self) -> bool {
        self.course.begin_epoch(&mut self.search, &self.budget)
    }

    fn epoch(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let summary = engine.epoch(&mut self.search)?;
        self.end_epoch(summary)?;
        engine.note_conclusion(self.course.conclusion());
        Ok(())
    }

    fn propose(&mut self) {
        sweeps::propose(&mut self.search, CHUNK_TILES);
    }

    fn proposals(&self) -> Candidates<'_> {
        self.search.proposals().candidates()
    }

    fn accept(&mut self, scores: &[Score]) -> Result<(), Error> {
        let summary = sweeps::accept(&mut self.search, CHUNK_TILES, scores);
        self.end_epoch(summary)
    }

    fn evaluations(&self) -> u64 {
        self.course.evaluations()
    }

    fn is_over(&self) -> bool {
        self.course.is_over()
    }

    fn save(&self) -> Vec<u8> {
        let mut state = StateWriter::default();
        self.course.save(&self.search, &mut state);
        state.into_bytes()
    }

    fn finish(self: Box<Self>) -> Outcome {
        self.course.finish(&self.search)
    }
}

impl<S: Resumable> SteppedRun<S> {
    fn end_epoch(&mut self, summary: EpochSummary<S::Tally>) -> Result<(), Error> {
        let SteppedRun { search, puzzle, budget, course } = self;
        course.end_epoch(search, summary, puzzle, budget, &mut |_| ControlFlow::Continue(()))
    }
}

impl Algorithm {
    /// The run of this seed, to be made an epoch at a time; it comes to what [`Algorithm::run`] comes to.
    ///
    /// # Errors
    /// What [`Algorithm::validate`] and [`Budget::validate`] report.
    pub fn start(&self, puzzle: &Arc<Puzzle>, seed: u64, budget: &Budget) -> Result<Box<dyn Stepped>, Error> {
        self.stepped(puzzle, seed, budget, None)
    }

    /// The run that [`Stepped::save`] put away, made with the same puzzle, seed and budget.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run, and what [`Algorithm::start`] reports.
    pub fn resume(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: &[u8],
    ) -> Result<Box<dyn Stepped>, Error> {
        self.stepped(puzzle, seed, budget, Some(state))
    }

    fn stepped(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: Option<&[u8]>,
    ) -> Result<Box<dyn Stepped>, Error> {
        budget.validate(self.population())?;
        self.check_memory(puzzle)?;
        match self {
            Algorithm::Swarm(parameters) => boxed(Swarm::new(puzzle, parameters, seed)?, puzzle, budget, state),
            Algorithm::Anneal(parameters) => boxed(Anneal::new(puzzle, parameters, seed)?, puzzle, budget, state),
            Algorithm::RandomKey(parameters) => boxed(RandomKey::new(puzzle, parameters, seed)?, puzzle, budget, state),
            Algorithm::GaNaive(parameters) => boxed(parameters.search(puzzle, seed)?, puzzle, budget, state),
            Algorithm::GaColumns(parameters) => boxed(parameters.search(puzzle, seed)?, puzzle, budget, state),
            Algorithm::Genetic(parameters) => boxed(parameters.search(puzzle, seed)?, puzzle, budget, state),
        }
    }
}

fn boxed<S: Resumable + Send + Sync + 'static>(
    mut search: S,
    puzzle: &Arc<Puzzle>,
    budget: &Budget,
    state: Option<&[u8]>,
) -> Result<Box<dyn Stepped>, Error> {
    let course = match state {
        None => Course::new(puzzle),
        Some(bytes) => Course::restore(puzzle, &mut search, bytes)?,
    };
    Ok(Box::new(SteppedRun { search, puzzle: Arc::clone(puzzle), budget: *budget, course }))
}
