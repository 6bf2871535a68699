//! The loop that drives any search on any evaluator, within a budget.

use std::ops::ControlFlow;
use std::time::Duration;

use super::course::Course;
use super::{Budget, Engine, Search, Stop};
use crate::error::Error;
use crate::fitness::Score;
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;

/// What a run came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Why it stopped.
    pub stop: Stop,
    /// The best candidate ever accepted: the solution if `stop` is [`Stop::Solved`]. The puzzle has accepted it then.
    pub grid: Grid,
    /// Its score.
    pub score: Score,
    /// Candidates scored.
    pub evaluations: u64,
    /// Nodes visited by an exact method; none for a search that scores candidates.
    pub nodes: Option<u64>,
    /// The last epoch of the last restart; the first fill is epoch 0.
    pub epochs: u32,
    /// Restarts begun, the first attempt included.
    pub restarts: u32,
    /// The fingerprint of all that was proposed and of the final population, equal on every backend.
    pub trajectory: u64,
    /// Each improvement of the best score.
    pub trace: Vec<TracePoint>,
    /// Wall time of the run, without the making of the search and the engine.
    pub wall: Duration,
}

impl Outcome {
    /// True if a solution was found and the puzzle accepted it.
    pub fn solved(&self) -> bool {
        self.stop == Stop::Solved
    }

    /// Candidates scored a second of wall time, or `None` if none was or no time passed.
    pub fn evaluations_per_second(&self) -> Option<f64> {
        let seconds = self.wall.as_secs_f64();
        (self.evaluations > 0 && seconds > 0.0).then(|| self.evaluations as f64 / seconds)
    }
}

/// An improvement of the best score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TracePoint {
    /// The restart, from 0.
    pub restart: u32,
    /// The epoch in that restart.
    pub epoch: u32,
    /// Candidates scored up to the end of that epoch.
    pub evaluations: u64,
    /// The best score from then on.
    pub score: Score,
}

/// Where a run stands after an epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The restart, from 0.
    pub restart: u32,
    /// The epoch in that restart.
    pub epoch: u32,
    /// Candidates scored so far.
    pub evaluations: u64,
    /// The best score so far.
    pub best: Score,
}

/// Runs a search on a puzzle until it is solved, the budget is spent, or `observe`, called after each epoch, breaks off.
/// A puzzle without a free cell is solved with no evaluation.
///
/// # Errors
/// [`Error::Parameter`] for a budget that bounds nothing, [`Error::Device`] if scoring fails, [`Error::Internal`] if a
/// score of 0 is not a solution.
pub fn run<S: Search>(
    search: &mut S,
    engine: &mut Engine,
    puzzle: &Puzzle,
    budget: &Budget,
    mut observe: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome, Error> {
    budget.validate(search.population().len())?;
    let mut course = Course::new(puzzle);
    while course.begin_epoch(search, budget) {
        let summary = engine.epoch(search)?;
        course.end_epoch(search, summary, puzzle, budget, &mut observe)?;
        engine.note_conclusion(course.conclusion());
    }
    Ok(course.finish(search))
}
