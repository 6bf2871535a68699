//! The state that all threads of an experiment share: the runs to be made, their records, their number, and when to stop.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use super::queue::Queue;
use super::records::RunRecords;
use super::{Experiment, ScoredBy};
use crate::error::Error;
use crate::experiment::folder::{Checkpoint, Journal, Paths, Recovered, damaged_checkpoint};
use crate::experiment::plan::{Plan, RunId, Target};
use crate::experiment::study::Shard;
use crate::fitness::Backend;
use crate::search::{ActiveRun, OnPuzzle, Outcome};

/// The runs of an experiment, as the threads see them.
pub(super) struct Shared<'a> {
    pub plan: &'a Plan,
    records: RunRecords<'a>,
    /// By cell, once a run of it was started.
    variants: Vec<OnceLock<OnPuzzle>>,
    journal: Journal,
    checkpoint: Checkpoint,
    checkpoint_path: PathBuf,
    queues: Mutex<Vec<Queue<'a>>>,
    counts: Mutex<RunCounts<'a>>,
    /// By backend, runs that have not ended.
    left: Vec<(Option<Backend>, AtomicU64)>,
    /// Goes up when every thread is to hand in the states of its runs.
    round: AtomicU32,
    stopping: AtomicBool,
    pub timing: bool,
}

impl<'a> Shared<'a> {
    /// The runs that a folder does not hold yet.
    ///
    /// # Errors
    /// What opening the folder's files reports.
    pub(super) fn new(
        experiment: &Experiment<'a>,
        paths: &Paths,
        recovered: &'a Recovered,
    ) -> Result<Shared<'a>, Error> {
        let Experiment { plan, shard, timing, .. } = *experiment;
        let checkpoint = Checkpoint::load(&paths.checkpoint, plan, &recovered.done)?;
        let queues = Queue::each_target(plan, shard, &recovered.done, &checkpoint.runs());
        Ok(Shared {
            plan,
            records: RunRecords::new(experiment)?,
            variants: (0..plan.cells()).map(|_| OnceLock::new()).collect(),
            journal: Journal::open(&paths.runs, &paths.traces)?,
            checkpoint,
            checkpoint_path: paths.checkpoint.clone(),
            queues: Mutex::new(queues),
            left: left(plan, shard, recovered),
            counts: Mutex::new(RunCounts::new(plan, shard, recovered)),
            round: AtomicU32::new(0),
            stopping: AtomicBool::new(false),
            timing,
        })
    }

    /// The next run to be made of a target, unless the experiment is to stop.
    pub(super) fn next(&self, target: Target) -> Option<u64> {
        if self.is_stopping() {
            return None;
        }
        self.queues().iter_mut().find(|queue| queue.target() == target).and_then(Iterator::next)
    }

    fn queues(&self) -> MutexGuard<'_, Vec<Queue<'a>>> {
        self.queues.lock().expect("no thread panics while it takes a run")
    }

    /// Candidates that each epoch of a run scores.
    pub(super) fn population(&self, index: u64) -> usize {
        self.plan.population(self.plan.run(index))
    }

    /// A run from its beginning, or from its saved state.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a state that is not the run's, and what starting a run reports.
    pub(super) fn start(&self, index: u64) -> Result<ActiveRun<'static>, Error> {
        let id = self.plan.run(index);
        let (variant, seed, budget) = (self.variant(id)?, self.plan.seed(id), self.plan.budget(id));
        match self.checkpoint.state(index) {
            None => variant.start(seed, budget),
            Some(state) => variant.resume(seed, budget, &state).map_err(|error| match error {
                Error::State(found) => damaged_checkpoint(&self.checkpoint_path, &found),
                other => other,
            }),
        }
    }

    /// The variant of a run on its puzzle.
    fn variant(&self, id: RunId) -> Result<&OnPuzzle, Error> {
        let cell = &self.variants[self.plan.cell(id)];
        match cell.get() {
            Some(variant) => Ok(variant),
            None => {
                let variant = self.plan.variant(id).on(self.plan.puzzle(id))?;
                Ok(cell.get_or_init(|| variant))
            }
        }
    }

    /// Takes the state of a run that goes on.
    pub(super) fn put_state(&self, index: u64, state: Vec<u8>) {
        self.checkpoint.put(index, state);
    }

    /// Records a run that is over.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(super) fn end(&self, index: u64, outcome: &Outcome, scored_by: &ScoredBy) -> Result<(), Error> {
        let id = self.plan.run(index);
        self.journal.append(&self.records.of(id, outcome, scored_by))?;
        self.checkpoint.remove(index);
        self.counts().add(id, outcome);
        if let Some(left) = self.left_on(self.plan.backend(id)) {
            left.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Runs on this backend that have not ended.
    pub(super) fn left(&self, backend: Option<Backend>) -> u64 {
        self.left_on(backend).map_or(0, |left| left.load(Ordering::Relaxed))
    }

    fn left_on(&self, backend: Option<Backend>) -> Option<&AtomicU64> {
        self.left.iter().find(|(of, _)| *of == backend).map(|(_, left)| left)
    }

    /// The number of times that states were asked for: a thread hands its own in when it has gone up.
    pub(super) fn round(&self) -> u32 {
        self.round.load(Ordering::Relaxed)
    }

    /// Asks every thread for the states of its runs.
    pub(super) fn ask_for_states(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// True once every thread is to save its runs after their current epoch.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// From now on no run is begun, and those that were are saved.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Puts all records on the disk.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(super) fn sync(&self) -> Result<(), Error> {
        self.journal.sync()
    }

    /// True if a state was handed in after the last time that states were put on the disk.
    pub(super) fn has_new_states(&self) -> bool {
        self.checkpoint.is_unwritten()
    }

    /// Puts all records and the states handed in on the disk, in this order: a run that has ended needs no state.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(super) fn save(&self) -> Result<(), Error> {
        self.journal.sync()?;
        self.checkpoint.write(&self.checkpoint_path, self.plan)
    }

    /// The status of the experiment.
    pub(super) fn status(&self) -> Status {
        self.counts().status()
    }

    fn counts(&self) -> MutexGuard<'_, RunCounts<'a>> {
        self.counts.lock().expect("no thread panics while it counts")
    }
}

/// By backend, the runs of this part that have not ended.
fn left(plan: &Plan, shard: Option<Shard>, recovered: &Recovered) -> Vec<(Option<Backend>, AtomicU64)> {
    let is_left = |index: &u64| plan.is_in(plan.run(*index), shard) && !recovered.done.has(*index);
    let on =
        |backend| (0..plan.runs()).filter(is_left).filter(|index| plan.backend(plan.run(*index)) == backend).count();
    plan.backends().into_iter().map(|backend| (backend, AtomicU64::new(on(backend) as u64))).collect()
}

/// The status of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// Runs that this folder is for.
    pub runs: u64,
    /// How many of them have ended, in earlier processes too.
    pub ended: u64,
    /// How many of these had ended before this process began.
    pub ended_before: u64,
    /// Candidates that the runs which this process ended have scored.
    pub evaluations: u64,
    /// The cell in which a run ended last.
    pub cell: Option<CellStatus>,
}

/// The status of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellStatus {
    /// The variant's name.
    pub variant: String,
    /// The puzzle's name.
    pub puzzle: String,
    /// Runs that this folder is for.
    pub runs: u32,
    /// How many of them have ended.
    pub ended: u32,
    /// How many of these solved the puzzle.
    pub solved: u32,
}

/// Counts runs as they end.
pub(super) struct RunCounts<'a> {
    plan: &'a Plan,
    runs: u64,
    ended: u64,
    ended_before: u64,
    evaluations: u64,
    last: Option<RunId>,
    cells: Vec<CellCount>,
}

#[derive(Clone, Copy, Default)]
struct CellCount {
    runs: u32,
    ended: u32,
    solved: u32,
}

impl<'a> RunCounts<'a> {
    /// The counts of a folder for this part of the plan.
    pub(super) fn new(plan: &'a Plan, shard: Option<Shard>, recovered: &Recovered) -> RunCounts<'a> {
        let mut cells = vec![CellCount::default(); plan.cells()];
        for index in 0..plan.runs() {
            let id = plan.run(index);
            let cell = &mut cells[plan.cell(id)];
            cell.runs += u32::from(plan.is_in(id, shard));
            cell.ended += u32::from(recovered.done.has(index));
            cell.solved += u32::from(recovered.solved.has(index));
        }
        let runs = cells.iter().map(|cell| u64::from(cell.runs)).sum();
        let ended = recovered.done.count();
        RunCounts { plan, runs, ended, ended_before: ended, evaluations: 0, last: None, cells }
    }

    /// A run has ended.
    pub(super) fn add(&mut self, id: RunId, outcome: &Outcome) {
        self.ended += 1;
        self.evaluations += outcome.evaluations;
        self.last = Some(id);
        let cell = &mut self.cells[self.plan.cell(id)];
        cell.ended += 1;
        cell.solved += u32::from(outcome.solved());
    }

    /// The status now.
    pub(super) fn status(&self) -> Status {
        let cell = self.last.map(|id| {
            let (variant, puzzle) = self.plan.names(id);
            let CellCount { runs, ended, solved } = self.cells[self.plan.cell(id)];
            CellStatus { variant: variant.into(), puzzle: puzzle.into(), runs, ended, solved }
        });
        let RunCounts { runs, ended, ended_before, evaluations, .. } = *self;
        Status { runs, ended, ended_before, evaluations, cell }
    }
}
