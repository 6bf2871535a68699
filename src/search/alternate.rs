//! Several runs on one engine in turn: while the device scores the proposals of one, the host proposes for the next.
//!
//! ```text
//! host     propose A | propose B | accept A, propose A | accept B, propose B | ...
//! device              | score A            | score B             | score A ...
//! ```

use std::ops::ControlFlow;

use super::course::Course;
use super::engine::Begun;
use super::{Budget, Engine, Outcome, Progress, Search};
use crate::error::Error;
use crate::sudoku::Puzzle;

/// Runs searches on their puzzles, an epoch of each in turn, until each is solved or has spent the budget; `observe` is
/// told which of them has made an epoch, and may break it off. Each comes to what [`run`](super::run()) brings it to
/// alone, but for its wall time, which is that of all of them.
///
/// It takes the time of propose and accept or that of the device, whichever is more, instead of both, if the evaluator
/// has a memory of its own and there are at least two searches.
///
/// # Errors
/// As [`run`](super::run()); the first that fails ends all.
pub fn run_alternately<S: Search>(
    runs: &mut [(S, &Puzzle)],
    engine: &mut Engine,
    budget: &Budget,
    mut observe: impl FnMut(usize, &Progress) -> ControlFlow<()>,
) -> Result<Vec<Outcome>, Error> {
    for (search, _) in runs.iter() {
        budget.validate(search.population().len())?;
    }
    let mut entrants: Vec<_> = runs.iter_mut().map(|(search, puzzle)| Entrant::new(search, puzzle)).collect();
    let mut open = entrants.len();
    while open > 0 {
        open = 0;
        for (index, entrant) in entrants.iter_mut().enumerate() {
            entrant.end(engine, budget, |progress| observe(index, progress))?;
            open += usize::from(entrant.begin(engine, budget)?);
        }
    }
    Ok(entrants.into_iter().map(|entrant| entrant.course.finish(entrant.search)).collect())
}

/// A run and its epoch under way.
struct Entrant<'a, S: Search> {
    search: &'a mut S,
    puzzle: &'a Puzzle,
    course: Course,
    begun: Option<Begun<S::Tally>>,
}

impl<'a, S: Search> Entrant<'a, S> {
    fn new(search: &'a mut S, puzzle: &'a Puzzle) -> Entrant<'a, S> {
        Entrant { search, puzzle, course: Course::new(puzzle), begun: None }
    }

    /// Begins the next epoch; false if the run is over.
    fn begin(&mut self, engine: &mut Engine, budget: &Budget) -> Result<bool, Error> {
        if self.course.begin_epoch(self.search, budget) {
            self.begun = Some(engine.begin(self.search)?);
        }
        Ok(self.begun.is_some())
    }

    /// Ends the epoch under way, if there is one.
    fn end(
        &mut self,
        engine: &mut Engine,
        budget: &Budget,
        mut observe: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let Some(begun) = self.begun.take() else { return Ok(()) };
        let summary = engine.end(self.search, begun)?;
        self.course.end_epoch(self.search, summary, self.puzzle, budget, &mut observe)
    }
}
