//! The loop that drives any search on any evaluator, within a budget.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::trajectory::Trajectory;
use super::{Best, Budget, Engine, Improvements, Leeway, Search, Stop};
use crate::error::Error;
use crate::fitness::Score;
use crate::grid::Grid;
use crate::puzzle::Puzzle;

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
    let mut record = Record::new(puzzle);
    while record.stop.is_none() {
        record.begin_epoch(search, budget);
        if record.stop.is_none() {
            record.epoch(search, engine, puzzle)?;
            record.improve(search, puzzle, budget)?;
            record.end_epoch(budget, &mut observe);
        }
    }
    Ok(record.finish(search))
}

/// A run so far.
struct Record {
    started: Instant,
    stop: Option<Stop>,
    grid: Grid,
    best: Option<Score>,
    evaluations: u64,
    /// The epoch begun last, and the restart it belongs to; none before the first.
    place: Option<(u32, u32)>,
    trajectory: Trajectory,
    trace: Vec<TracePoint>,
    improvements: Improvements,
}

impl Record {
    fn new(puzzle: &Puzzle) -> Record {
        let solved = puzzle.accepts(puzzle.givens());
        Record {
            started: Instant::now(),
            stop: solved.then_some(Stop::Solved),
            grid: puzzle.givens().clone(),
            best: solved.then(Score::default),
            evaluations: 0,
            place: None,
            trajectory: Trajectory::default(),
            trace: Vec::new(),
            improvements: Improvements::default(),
        }
    }

    /// Moves to the next epoch, in a new restart where the old one has had its epochs, or stops at the budget.
    fn begin_epoch<S: Search>(&mut self, search: &mut S, budget: &Budget) {
        let last_epoch = budget.epochs.unwrap_or(u32::MAX - 1);
        let (restart, epoch) = match self.place {
            None => (0, 0),
            Some((restart, epoch)) if epoch < last_epoch => (restart, epoch + 1),
            Some((restart, _)) => (restart + 1, 0),
        };
        if budget.restarts.is_some_and(|restarts| restart >= restarts) {
            self.stop = Some(if restart == 1 { Stop::Epochs } else { Stop::Restarts });
            return;
        }
        let evaluations = self.evaluations + search.population().len() as u64;
        if budget.evaluations.is_some_and(|budget| evaluations > budget) {
            self.stop = Some(Stop::Evaluations);
            return;
        }
        if epoch == 0 {
            search.begin(restart);
        }
        self.place = Some((restart, epoch));
    }

    fn epoch<S: Search>(&mut self, search: &mut S, engine: &mut Engine, puzzle: &Puzzle) -> Result<(), Error> {
        let (restart, epoch) = self.place.expect("an epoch was begun");
        let summary = engine.epoch(search)?;
        self.evaluations += search.population().len() as u64;
        self.trajectory.chain_epoch(restart, epoch, summary.sums);
        let Best { score, slot } = engine.conclude(search, summary.tally);
        self.take(score, puzzle, &format_args!("slot {slot}"), || search.population().get(slot))
    }

    /// Lets the search work on the host if the epoch did not solve the puzzle.
    fn improve<S: Search>(&mut self, search: &mut S, puzzle: &Puzzle, budget: &Budget) -> Result<(), Error> {
        if self.stop.is_some() {
            return Ok(());
        }
        let Some(improvement) = search.improve(&self.leeway(search.population().len() as u64, budget)) else {
            return Ok(());
        };
        self.evaluations += improvement.evaluations;
        self.trajectory.chain_improvement(improvement.evaluations, improvement.score);
        self.take(improvement.score, puzzle, &"an improvement", || improvement.grid)
    }

    /// What is left of the budget beside the next epoch of this restart, if one can follow.
    fn leeway(&self, population: u64, budget: &Budget) -> Leeway {
        let (_, epoch) = self.place.expect("an epoch was begun");
        let left = budget.evaluations.map_or(u64::MAX, |evaluations| evaluations - self.evaluations);
        let last_epoch = budget.epochs == Some(epoch) || left < population;
        Leeway { evaluations: if last_epoch { left } else { left - population }, last_epoch }
    }

    /// Keeps what is better than all before; a total of 0 ends the run once the puzzle has accepted the grid.
    fn take(
        &mut self,
        score: Score,
        puzzle: &Puzzle,
        who: &dyn std::fmt::Display,
        grid: impl FnOnce() -> Grid,
    ) -> Result<(), Error> {
        let (restart, epoch) = self.place.expect("an epoch was begun");
        if self.best.is_none_or(|best| score.total() < best.total()) {
            self.best = Some(score);
            self.grid = grid();
            self.trace.push(TracePoint { restart, epoch, evaluations: self.evaluations, score });
        }
        if score.total() == 0 {
            if !puzzle.accepts(&self.grid) {
                return Err(Error::Internal(format!("{who} scored 0 but holds no solution: {}", self.grid)));
            }
            self.stop = Some(Stop::Solved);
        }
        Ok(())
    }

    fn end_epoch(&mut self, budget: &Budget, observe: &mut impl FnMut(&Progress) -> ControlFlow<()>) {
        let (restart, epoch) = self.place.expect("an epoch was begun");
        let progress = Progress { restart, epoch, evaluations: self.evaluations, best: self.best.unwrap_or_default() };
        self.improvements.add_epoch(progress.best.total());
        let interrupted = observe(&progress).is_break();
        if self.stop.is_none() {
            if interrupted {
                self.stop = Some(Stop::Interrupted);
            } else if budget.convergence.is_some_and(|convergence| self.improvements.has_converged(convergence)) {
                self.stop = Some(Stop::Converged);
            } else if budget.time.is_some_and(|time| self.started.elapsed() >= time) {
                self.stop = Some(Stop::Timeout);
            }
        }
    }

    fn finish<S: Search>(self, search: &S) -> Outcome {
        let wall = self.started.elapsed();
        let (epochs, restarts) = self.place.map_or((0, 0), |(restart, epoch)| (epoch, restart + 1));
        Outcome {
            stop: self.stop.expect("a run ends with a reason"),
            grid: self.grid,
            score: self.best.unwrap_or_default(),
            evaluations: self.evaluations,
            epochs,
            restarts,
            trajectory: self.trajectory.finish(search.population()),
            trace: self.trace,
            wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn an_improvement_leaves_room_for_the_next_epoch_unless_there_is_none() {
        let mut record = Record::new(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        record.evaluations = 700;
        record.place = Some((0, 6));
        let of = |evaluations, epochs| Budget { evaluations, epochs, ..Budget::default() };
        for (budget, evaluations, last_epoch) in [
            (of(Some(1000), None), 200, false),
            (of(Some(1000), Some(7)), 200, false),
            (of(Some(1000), Some(6)), 300, true),
            (of(Some(800), None), 0, false),
            (of(Some(799), None), 99, true),
            (of(None, Some(6)), u64::MAX, true),
            (of(None, None), u64::MAX - 100, false),
        ] {
            assert_eq!(record.leeway(100, &budget), Leeway { evaluations, last_epoch }, "{budget:?}");
        }
    }
}
