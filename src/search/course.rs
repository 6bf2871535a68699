//! What a run knows beside its search: where it stands, the best so far, its fingerprint, and when it is over.
//!
//! Every driver makes the same calls, whether one run has the machine for itself or shares a batch with many: begin an
//! epoch, have it proposed, scored and accepted, end it; and again until `begin_epoch` says no.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::state::{Resumable, StateReader, StateWriter};
use super::sweeps::EpochSummary;
use super::trajectory::Trajectory;
use super::{Best, Budget, Improvements, Leeway, Outcome, Progress, Search, Stop, TracePoint};
use crate::error::Error;
use crate::fitness::Score;
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;

/// A run so far. Its search is beside it, so that one that is lent can be driven too.
pub(super) struct Course {
    started: Instant,
    /// Wall time of the processes that made the run before this one.
    before: Duration,
    stop: Option<Stop>,
    grid: Grid,
    best: Option<Score>,
    evaluations: u64,
    /// The epoch begun last, and the restart it belongs to; none before the first.
    place: Option<(u32, u32)>,
    trajectory: Trajectory,
    trace: Vec<TracePoint>,
    improvements: Improvements,
    /// What the search's conclusion of the last epoch took.
    conclusion: Duration,
}

impl Course {
    /// A run of which nothing is done; without a free cell it is over.
    pub fn new(puzzle: &Puzzle) -> Course {
        let solved = puzzle.accepts(puzzle.givens());
        Course {
            started: Instant::now(),
            before: Duration::ZERO,
            stop: solved.then_some(Stop::Solved),
            grid: puzzle.givens().clone(),
            best: solved.then(Score::default),
            evaluations: 0,
            place: None,
            trajectory: Trajectory::default(),
            trace: Vec::new(),
            improvements: Improvements::default(),
            conclusion: Duration::ZERO,
        }
    }

    /// Moves to the next epoch, in a new restart where the old one has had its epochs. False if the run is over, at the
    /// budget if not before.
    pub fn begin_epoch<S: Search>(&mut self, search: &mut S, budget: &Budget) -> bool {
        if self.stop.is_some() {
            return false;
        }
        let last_epoch = budget.epochs.unwrap_or(u32::MAX - 1);
        let (restart, epoch) = match self.place {
            None => (0, 0),
            Some((restart, epoch)) if epoch < last_epoch => (restart, epoch + 1),
            Some((restart, _)) => (restart + 1, 0),
        };
        if budget.restarts.is_some_and(|restarts| restart >= restarts) {
            self.stop = Some(if restart == 1 { Stop::Epochs } else { Stop::Restarts });
            return false;
        }
        let evaluations = self.evaluations + search.population().len() as u64;
        if budget.evaluations.is_some_and(|budget| evaluations > budget) {
            self.stop = Some(Stop::Evaluations);
            return false;
        }
        if epoch == 0 {
            search.begin(restart);
        }
        self.place = Some((restart, epoch));
        true
    }

    /// What the search's conclusion of the last epoch took.
    pub fn conclusion(&self) -> Duration {
        self.conclusion
    }

    /// Concludes the epoch begun last, whose proposals were scored and accepted.
    pub fn end_epoch<S: Search>(
        &mut self,
        search: &mut S,
        summary: EpochSummary<S::Tally>,
        puzzle: &Puzzle,
        budget: &Budget,
        observe: &mut impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.conclude(search, summary, puzzle)?;
        self.improve(search, puzzle, budget)?;
        self.decide(budget, observe);
        Ok(())
    }

    fn conclude<S: Search>(
        &mut self,
        search: &mut S,
        summary: EpochSummary<S::Tally>,
        puzzle: &Puzzle,
    ) -> Result<(), Error> {
        let (restart, epoch) = self.place.expect("an epoch was begun");
        self.evaluations += search.population().len() as u64;
        self.trajectory.chain_epoch(restart, epoch, summary.sums);
        let begun = Instant::now();
        let Best { score, slot } = search.conclude(summary.tally);
        self.conclusion = begun.elapsed();
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

    /// Whether the run goes on.
    fn decide(&mut self, budget: &Budget, observe: &mut impl FnMut(&Progress) -> ControlFlow<()>) {
        let (restart, epoch) = self.place.expect("an epoch was begun");
        let progress = Progress { restart, epoch, evaluations: self.evaluations, best: self.best.unwrap_or_default() };
        self.improvements.add_epoch(progress.best.total());
        let interrupted = observe(&progress).is_break();
        if self.stop.is_none() {
            if interrupted {
                self.stop = Some(Stop::Interrupted);
            } else if budget.convergence.is_some_and(|convergence| self.improvements.has_converged(convergence)) {
                self.stop = Some(Stop::Converged);
            } else if budget.time.is_some_and(|time| self.wall() >= time) {
                self.stop = Some(Stop::Timeout);
            }
        }
    }

    fn wall(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// True if it is known why the run stops.
    pub fn is_over(&self) -> bool {
        self.stop.is_some()
    }

    /// Candidates scored.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// What the run came to.
    ///
    /// # Panics
    /// If it is not over.
    pub fn finish<S: Search>(self, search: &S) -> Outcome {
        let wall = self.wall();
        let (epochs, restarts) = self.place.map_or((0, 0), |(restart, epoch)| (epoch, restart + 1));
        Outcome {
            nodes: None,
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

    /// Writes everything that a run between two epochs knows beside its search, and then the search.
    ///
    /// # Panics
    /// If the run is over: it has an outcome then.
    pub fn save<S: Resumable>(&self, search: &S, state: &mut StateWriter) {
        assert!(self.stop.is_none(), "a run that is over is not saved");
        state.put(&self.wall());
        state.put_bytes(self.grid.cells());
        state.put(&(self.best.map(Score::bits), self.evaluations, self.place, self.trajectory));
        let point = |TracePoint { restart, epoch, evaluations, score }: &TracePoint| {
            (*restart, *epoch, *evaluations, score.bits())
        };
        state.put(&self.trace.iter().map(point).collect::<Vec<_>>());
        state.put(&self.improvements);
        search.save(state);
    }

    /// Takes up a run that was saved, and its search.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run.
    pub fn restore<S: Resumable>(puzzle: &Puzzle, search: &mut S, bytes: &[u8]) -> Result<Course, Error> {
        let mut state = StateReader::new(bytes);
        let mut course = Course::new(puzzle);
        course.before = state.get()?;
        let mut cells = vec![0; puzzle.shape().cells()];
        state.fill_bytes(&mut cells)?;
        course.grid = Grid::new(puzzle.shape(), cells)?;
        let best: Option<u32>;
        (best, course.evaluations, course.place, course.trajectory) = state.get()?;
        course.best = best.map(Score::from_bits);
        let trace: Vec<(u32, u32, u64, u32)> = state.get()?;
        let point = |(restart, epoch, evaluations, bits)| TracePoint {
            restart,
            epoch,
            evaluations,
            score: Score::from_bits(bits),
        };
        course.trace = trace.into_iter().map(point).collect();
        course.improvements = state.get()?;
        if let Some((restart, _)) = course.place {
            search.restore(restart, &mut state)?;
            state.finish()?;
        }
        Ok(course)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Shape;

    #[test]
    fn an_improvement_leaves_room_for_the_next_epoch_unless_there_is_none() {
        let mut course = Course::new(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        course.evaluations = 700;
        course.place = Some((0, 6));
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
            assert_eq!(course.leeway(100, &budget), Leeway { evaluations, last_epoch }, "{budget:?}");
        }
    }
}
