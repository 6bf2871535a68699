//! The state of a run between two epochs: what the loop knows of it, and the bytes in which it is saved.
//!
//! Saved states are written where a run is interrupted and read where it goes on. A search writes what its next epoch
//! reads and what its puzzle, parameters and seed do not give again: cells, scores, ages, counters; never keys, tables or
//! scratch space. The bytes are postcard's, the same on every system.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::drive::Observer;
use super::run::{Run, Summary, Turn, no_epoch};
use super::trajectory::Trajectory;
use super::{Best, Budget, ImprovementLimits, Improvements, Outcome, Progress, Search, Stop, TracePoint};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::Population;
use crate::sudoku::{Grid, Puzzle};

/// A run so far, without its search: its progress, the best so far, its fingerprint, and whether it is over.
pub(super) struct RunState {
    puzzle: Arc<Puzzle>,
    budget: Budget,
    started: Instant,
    /// Wall time of the processes that made the run before this one.
    before: Duration,
    stop: Option<Stop>,
    grid: Grid,
    best: Option<Score>,
    /// The epoch of the last advance, and the slot, that holds the best grid, until it is read.
    unread: Option<(u32, usize)>,
    evaluations: u64,
    /// The restart and the epoch in it that ended last; none before the first.
    place: Option<(u32, u32)>,
    trajectory: Trajectory,
    trace: Vec<TracePoint>,
    improvements: Improvements,
    shared: bool,
}

impl RunState {
    /// A run without any epoch; without a free cell it is over.
    pub(super) fn new(puzzle: &Arc<Puzzle>, budget: &Budget) -> RunState {
        let solved = puzzle.accepts(puzzle.givens());
        RunState {
            puzzle: Arc::clone(puzzle),
            budget: *budget,
            started: Instant::now(),
            before: Duration::ZERO,
            stop: solved.then_some(Stop::Solved),
            grid: puzzle.givens().clone(),
            best: solved.then(Score::default),
            unread: None,
            evaluations: 0,
            place: None,
            trajectory: Trajectory::default(),
            trace: Vec::new(),
            improvements: Improvements::default(),
            shared: false,
        }
    }

    /// True if it is known why the run stops.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some()
    }

    /// Notes that other runs have shared a dispatch with it.
    pub(super) fn share(&mut self) {
        self.shared = true;
    }

    /// The most epochs of the next dispatch, which begins a restart where the old one has had its epochs; 0 if the run is
    /// over, at the budget if not before.
    pub(super) fn begin_dispatch(&mut self, run: &mut dyn Run) -> Result<u32, Error> {
        let ((restart, epoch), cost) = (self.next_place(), run.epoch_evaluations());
        if self.stop.is_none() {
            self.stop = self.limit_before(restart, cost);
        }
        if self.stop.is_some() {
            return Ok(0);
        }
        if epoch == 0 {
            run.begin(restart)?;
        }
        Ok(self.epochs_left(epoch, cost).min(run.epochs_ahead()).max(1))
    }

    /// The restart and the epoch that come next.
    fn next_place(&self) -> (u32, u32) {
        match self.place {
            None => (0, 0),
            Some((restart, epoch)) if epoch < self.last_epoch() => (restart, epoch + 1),
            Some((restart, _)) => (restart + 1, 0),
        }
    }

    fn last_epoch(&self) -> u32 {
        self.budget.epochs.unwrap_or(u32::MAX).min(u32::MAX - 1)
    }

    /// The limit that the next epoch would exceed.
    fn limit_before(&self, restart: u32, cost: u64) -> Option<Stop> {
        let Budget { restarts, evaluations, .. } = self.budget;
        if restarts.is_some_and(|restarts| restart >= restarts) {
            return Some(if restart == 1 { Stop::Epochs } else { Stop::Restarts });
        }
        evaluations.is_some_and(|limit| self.evaluations + cost > limit).then_some(Stop::Evaluations)
    }

    /// Epochs from this one on that the restart and the evaluations allow.
    fn epochs_left(&self, epoch: u32, cost: u64) -> u32 {
        let by_evaluations = self.evaluations_left() / cost.max(1);
        (self.last_epoch() - epoch + 1).min(u32::try_from(by_evaluations).unwrap_or(u32::MAX))
    }

    fn evaluations_left(&self) -> u64 {
        self.budget.evaluations.map_or(u64::MAX, |limit| limit - self.evaluations)
    }

    /// Takes the summaries of an advance one by one. A run that is over before the last of them goes back to its end.
    pub(super) fn take_summaries(
        &mut self,
        turn: &mut Turn<'_>,
        mut observer: Option<&mut Observer<'_>>,
    ) -> Result<(), Error> {
        let Turn { run, epochs, summaries, .. } = turn;
        let made = summaries.len() as u32;
        if !(1..=*epochs).contains(&made) {
            return Err(no_epoch());
        }
        for (epoch, summary) in (1..).zip(summaries.drain(..)) {
            self.add_epoch(&mut **run, epoch, &summary)?;
            if epoch == made && self.stop.is_none() {
                self.read_best(&mut **run)?;
                self.improve(&mut **run)?;
            }
            self.decide(summary, epoch == made, observer.as_deref_mut());
            if self.stop.is_some() && epoch < made {
                self.read_best(&mut **run)?;
                return run.settle(epoch);
            }
        }
        self.read_best(&mut **run)
    }

    fn add_epoch(&mut self, run: &mut dyn Run, epoch: u32, summary: &Summary) -> Result<(), Error> {
        let place = self.next_place();
        self.place = Some(place);
        self.evaluations += summary.evaluations;
        self.trajectory.chain_epoch(place.0, place.1, summary.sums);
        let best = summary.best;
        if self.note_best(best.score) {
            self.unread = Some((epoch, best.slot));
        }
        match best.score.total() {
            0 => self.read_best(run).and_then(|()| self.end_solved(&format_args!("slot {}", best.slot))),
            _ => Ok(()),
        }
    }

    /// Lets the search work on the host after an epoch that did not solve the puzzle.
    fn improve(&mut self, run: &mut dyn Run) -> Result<(), Error> {
        let limits = self.improvement_limits(run.epoch_evaluations());
        let Some(improvement) = run.improve(&limits)? else { return Ok(()) };
        self.evaluations += improvement.evaluations;
        self.trajectory.chain_improvement(improvement.evaluations, improvement.score);
        if self.note_best(improvement.score) {
            (self.grid, self.unread) = (improvement.grid, None);
        }
        if improvement.score.total() == 0 { self.end_solved(&"an improvement") } else { Ok(()) }
    }

    /// What is left of the budget beside the next epoch of this restart, if one can follow.
    fn improvement_limits(&self, cost: u64) -> ImprovementLimits {
        let left = self.evaluations_left();
        let last_epoch = self.place.is_some_and(|(_, epoch)| self.budget.epochs == Some(epoch)) || left < cost;
        ImprovementLimits { evaluations: if last_epoch { left } else { left - cost }, last_epoch }
    }

    /// True if this score is better than all before, which the trace then holds.
    fn note_best(&mut self, score: Score) -> bool {
        let improves = self.best.is_none_or(|best| score.total() < best.total());
        if improves {
            let (restart, epoch) = self.place.unwrap_or_default();
            self.best = Some(score);
            self.trace.push(TracePoint { restart, epoch, evaluations: self.evaluations, score });
        }
        improves
    }

    fn read_best(&mut self, run: &mut dyn Run) -> Result<(), Error> {
        if let Some((epoch, slot)) = self.unread.take() {
            self.grid = run.grid(epoch, slot)?;
        }
        Ok(())
    }

    /// Ends the run once the puzzle has accepted the grid of total 0.
    fn end_solved(&mut self, source: &dyn std::fmt::Display) -> Result<(), Error> {
        if !self.puzzle.accepts(&self.grid) {
            return Err(Error::Internal(format!("{source} scored 0 but holds no solution: {}", self.grid)));
        }
        self.stop = Some(Stop::Solved);
        Ok(())
    }

    /// Decides if the run goes on.
    fn decide(&mut self, summary: Summary, ends_dispatch: bool, observer: Option<&mut Observer<'_>>) {
        let best = self.best.unwrap_or_default();
        self.improvements.add_epoch(best.total());
        let interrupted = observer.is_some_and(|observe| {
            let (restart, epoch) = self.place.unwrap_or_default();
            let Summary { best: Best { score: epoch_best, .. }, details, .. } = summary;
            let evaluations = self.evaluations;
            observe(&Progress { restart, epoch, evaluations, best, epoch_best, ends_dispatch, details }).is_break()
        });
        if self.stop.is_none() {
            self.stop = self.limit_after(interrupted, ends_dispatch);
        }
    }

    /// The limit that is met after an epoch.
    fn limit_after(&self, interrupted: bool, ends_dispatch: bool) -> Option<Stop> {
        let Budget { convergence, time, .. } = self.budget;
        if interrupted {
            return Some(Stop::Interrupted);
        }
        if convergence.is_some_and(|convergence| self.improvements.has_converged(convergence)) {
            return Some(Stop::Converged);
        }
        (ends_dispatch && time.is_some_and(|time| self.wall() >= time)).then_some(Stop::Timeout)
    }

    fn wall(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// The outcome of a run that is over.
    pub(super) fn finish(self, run: &mut dyn Run) -> Result<Outcome, Error> {
        let wall = self.wall();
        let (epochs, restarts) = self.place.map_or((0, 0), |(restart, epoch)| (epoch, restart + 1));
        let stop = self.stop.ok_or_else(|| Error::Internal("a run that goes on was finished".into()))?;
        Ok(Outcome {
            stop,
            grid: self.grid,
            score: self.best.unwrap_or_default(),
            evaluations: self.evaluations,
            nodes: None,
            epochs,
            restarts,
            trajectory: run.finish(self.trajectory)?,
            trace: self.trace,
            wall,
            shared: self.shared,
        })
    }

    /// Everything that a run between two epochs knows, its search's state included.
    pub(super) fn save(&self, run: &mut dyn Run) -> Result<Vec<u8>, Error> {
        let mut state = StateWriter::default();
        state.put(&self.wall());
        state.put_bytes(self.grid.cells());
        state.put(&(self.best.map(Score::bits), self.evaluations, self.place, self.trajectory));
        let point = |TracePoint { restart, epoch, evaluations, score }: &TracePoint| {
            (*restart, *epoch, *evaluations, score.bits())
        };
        state.put(&self.trace.iter().map(point).collect::<Vec<_>>());
        state.put(&self.improvements);
        run.save(&mut state)?;
        Ok(state.into_bytes())
    }

    /// Takes over what [`RunState::save`] wrote, and restores the run.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run.
    pub(super) fn restore(&mut self, run: &mut dyn Run, bytes: &[u8]) -> Result<(), Error> {
        let mut state = StateReader::new(bytes);
        self.before = state.get()?;
        let mut cells = vec![0; self.puzzle.shape().cells()];
        state.fill_bytes(&mut cells)?;
        self.grid = Grid::new(self.puzzle.shape(), cells)?;
        let best: Option<u32>;
        (best, self.evaluations, self.place, self.trajectory) = state.get()?;
        self.best = best.map(Score::from_bits);
        let trace: Vec<(u32, u32, u64, u32)> = state.get()?;
        let point = |(restart, epoch, evaluations, bits)| TracePoint {
            restart,
            epoch,
            evaluations,
            score: Score::from_bits(bits),
        };
        self.trace = trace.into_iter().map(point).collect();
        self.improvements = state.get()?;
        if let Some((restart, _)) = self.place {
            run.restore(restart, &mut state)?;
            state.finish()?;
        }
        Ok(())
    }
}

/// A search that can be saved between two epochs and restored, by another process too.
pub trait Resumable: Search {
    /// Writes what the next epoch needs.
    fn save(&self, state: &mut StateWriter);

    /// Becomes the search that was saved in this restart; made from the same puzzle, parameters and seed, it goes on as
    /// that one would have.
    ///
    /// # Errors
    /// [`Error::State`] if the bytes are those of another search.
    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error>;
}

/// Collects a state.
#[derive(Default)]
pub struct StateWriter(Vec<u8>);

impl StateWriter {
    /// Adds a value.
    ///
    /// # Panics
    /// If the value has no such form; those of this crate have.
    pub fn put(&mut self, value: &(impl Serialize + ?Sized)) {
        let bytes = std::mem::take(&mut self.0);
        self.0 = postcard::to_extend(value, bytes).expect("states are plain values, and memory grows");
    }

    /// Adds the cells of all individuals.
    pub fn put_cells(&mut self, population: &Population) {
        self.put_bytes(bytemuck::cast_slice(population.lanes()));
    }

    /// Adds scores.
    pub fn put_scores(&mut self, scores: &[Score]) {
        self.put(bytemuck::cast_slice::<Score, u32>(scores));
    }

    /// Adds bytes as they are.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.put(&(bytes.len() as u64));
        self.0.extend_from_slice(bytes);
    }

    /// All that was added.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads a state in the order in which it was written.
pub struct StateReader<'a>(&'a [u8]);

impl<'a> StateReader<'a> {
    /// A reader of what a [`StateWriter`] gave.
    pub fn new(bytes: &'a [u8]) -> StateReader<'a> {
        StateReader(bytes)
    }

    /// The next value.
    ///
    /// # Errors
    /// [`Error::State`] if no such value is next.
    pub fn get<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        let (value, rest) = postcard::take_from_bytes(self.0).map_err(|error| Error::State(error.to_string()))?;
        self.0 = rest;
        Ok(value)
    }

    /// Fills `values` with the next ones, which must be as many.
    ///
    /// # Errors
    /// [`Error::State`] if they are not.
    pub fn fill<T: DeserializeOwned + Copy>(&mut self, values: &mut [T]) -> Result<(), Error> {
        let found: Vec<T> = self.get()?;
        check_length(found.len(), values.len())?;
        values.copy_from_slice(&found);
        Ok(())
    }

    /// Fills a population with the next cells.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_cells(&mut self, population: &mut Population) -> Result<(), Error> {
        self.fill_bytes(bytemuck::cast_slice_mut(population.lanes_mut()))
    }

    /// Fills `scores` with the next ones.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_scores(&mut self, scores: &mut [Score]) -> Result<(), Error> {
        self.fill(bytemuck::cast_slice_mut::<Score, u32>(scores))
    }

    /// Fills `bytes` with the next ones.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let length: u64 = self.get()?;
        check_length(usize::try_from(length).unwrap_or(usize::MAX), bytes.len())?;
        let (found, rest) = self.0.split_at_checked(bytes.len()).ok_or_else(|| Error::State("it is cut off".into()))?;
        bytes.copy_from_slice(found);
        self.0 = rest;
        Ok(())
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`Error::State`] if something is.
    pub fn finish(self) -> Result<(), Error> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(Error::State(format!("{left} bytes are left over"))),
        }
    }
}

fn check_length(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::State(format!("{found} values were found where {expected} are needed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_improvement_leaves_evaluations_for_the_next_epoch_unless_there_is_none() {
        let puzzle = Arc::new(Puzzle::new(Grid::empty(crate::Shape::NINE)).unwrap());
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
            let mut state = RunState::new(&puzzle, &budget);
            (state.evaluations, state.place) = (700, Some((0, 6)));
            assert_eq!(state.improvement_limits(100), ImprovementLimits { evaluations, last_epoch }, "{budget:?}");
        }
    }

    #[test]
    fn a_dispatch_never_passes_the_epochs_of_a_restart_or_the_evaluations() {
        let puzzle = Arc::new(Puzzle::new(Grid::empty(crate::Shape::NINE)).unwrap());
        for (epochs, evaluations, place, expected) in [
            (Some(9), None, None, 10),
            (Some(9), None, Some((0, 4)), 5),
            (Some(9), None, Some((0, 9)), 10),
            (None, None, Some((0, 4)), u32::MAX - 5),
            (None, Some(1000), None, 10),
            (None, Some(1099), None, 10),
            (Some(4), Some(1000), None, 5),
            (Some(u32::MAX), None, None, u32::MAX),
        ] {
            let mut state = RunState::new(&puzzle, &Budget { epochs, evaluations, ..Budget::default() });
            state.place = place;
            let (_, epoch) = state.next_place();
            assert_eq!(state.epochs_left(epoch, 100), expected, "{epochs:?} {evaluations:?} {place:?}");
        }
    }

    #[test]
    fn what_was_written_is_read_in_its_order_and_anything_else_is_an_error() {
        let mut writer = StateWriter::default();
        writer.put(&(7u32, Some(-3i64)));
        writer.put(&[1.5f32, f32::NAN][..]);
        writer.put_bytes(&[9, 8, 7]);
        let bytes = writer.into_bytes();
        let mut reader = StateReader::new(&bytes);
        assert_eq!(reader.get::<(u32, Option<i64>)>().unwrap(), (7, Some(-3)));
        let mut floats = [0.0f32; 2];
        reader.fill(&mut floats).unwrap();
        assert_eq!((floats[0], floats[1].to_bits()), (1.5, f32::NAN.to_bits()));
        let mut few = [0; 2];
        assert!(reader.fill_bytes(&mut few).unwrap_err().to_string().contains("3 values were found where 2"));
        let mut reader = StateReader::new(&bytes[..bytes.len() - 1]);
        reader.get::<(u32, Option<i64>)>().unwrap();
        reader.get::<Vec<f32>>().unwrap();
        assert!(reader.fill_bytes(&mut [0; 3]).unwrap_err().to_string().contains("cut off"));
        assert!(StateReader::new(&bytes).finish().unwrap_err().to_string().contains("left over"));
    }
}
