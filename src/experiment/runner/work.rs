//! What all threads of an experiment share: the runs to be made, where their records go, and when to stop.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::line::Lines;
use super::queue::Queue;
use super::standing::Counts;
use super::{Computer, Experiment, Standing};
use crate::error::Error;
use crate::experiment::folder::{Checkpoint, Journal, Paths, Recovered, damaged_checkpoint};
use crate::experiment::plan::Plan;
use crate::search::{Outcome, Stepped};

/// The runs of an experiment, as the threads see them.
pub struct Work<'a> {
    pub plan: &'a Plan,
    lines: Lines<'a>,
    journal: Journal,
    checkpoint: Checkpoint,
    checkpoint_path: PathBuf,
    queues: Mutex<Vec<Queue<'a>>>,
    counts: Mutex<Counts<'a>>,
    left: AtomicU64,
    /// Goes up when every thread is to hand in the states of its runs.
    round: AtomicU32,
    stopping: AtomicBool,
    pub timing: bool,
}

impl<'a> Work<'a> {
    /// What is left to do in a folder.
    ///
    /// # Errors
    /// What opening the folder's files reports.
    pub fn new(experiment: &Experiment<'a>, paths: &Paths, recovered: &'a Recovered) -> Result<Work<'a>, Error> {
        let Experiment { plan, shard, timing, .. } = *experiment;
        let checkpoint = Checkpoint::load(&paths.checkpoint, plan, &recovered.done)?;
        let queues = Queue::each_shape(plan, shard, &recovered.done, &checkpoint.runs());
        let counts = Counts::new(plan, shard, recovered);
        Ok(Work {
            plan,
            lines: Lines::new(experiment)?,
            journal: Journal::open(&paths.runs, &paths.traces)?,
            checkpoint,
            checkpoint_path: paths.checkpoint.clone(),
            queues: Mutex::new(queues),
            left: AtomicU64::new(counts.left()),
            counts: Mutex::new(counts),
            round: AtomicU32::new(0),
            stopping: AtomicBool::new(false),
            timing,
        })
    }

    /// The next run to be made, of any shape.
    pub fn next(&self) -> Option<u64> {
        if self.is_stopping() {
            return None;
        }
        self.queues.lock().expect("no thread panics while it takes a run").iter_mut().find_map(Iterator::next)
    }

    /// The runs to be made, by shape, for a thread that makes all of them.
    pub fn take_queues(&self) -> Vec<Queue<'a>> {
        std::mem::take(&mut *self.queues.lock().expect("no thread panics while it takes a run"))
    }

    /// A run from its beginning, or from where it was put away.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a state that is not the run's, and what starting a run reports.
    pub fn start(&self, index: u64) -> Result<Box<dyn Stepped>, Error> {
        let id = self.plan.run(index);
        let (algorithm, puzzle) = (&self.plan.algorithms()[id.variant], &self.plan.puzzles()[id.puzzle]);
        let (seed, budget) = (self.plan.seed(id), self.plan.budget());
        match self.checkpoint.state(index) {
            None => algorithm.start(puzzle, seed, budget),
            Some(state) => algorithm.resume(puzzle, seed, budget, &state).map_err(|error| match error {
                Error::State(found) => damaged_checkpoint(&self.checkpoint_path, &found),
                other => other,
            }),
        }
    }

    /// Takes in the state of a run that goes on.
    pub fn put_away(&self, index: u64, run: &dyn Stepped) {
        self.checkpoint.put(index, run.save());
    }

    /// Records a run that is over.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub fn end(&self, index: u64, outcome: &Outcome, computer: &Computer) -> Result<(), Error> {
        let id = self.plan.run(index);
        let record = self.lines.of(id, outcome, computer);
        self.journal.append(&record)?;
        self.checkpoint.remove(index);
        self.counts().add(id, outcome);
        self.left.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }

    /// Runs that have not ended.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// The number of times that states were asked for: a thread hands its own in when it has gone up.
    pub fn round(&self) -> u32 {
        self.round.load(Ordering::Relaxed)
    }

    /// Asks every thread for the states of its runs.
    pub fn ask_for_states(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// True once every thread is to put its runs away after their current epoch.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// From now on no run is begun, and those that were are put away.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Puts all records on the disk.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub fn sync(&self) -> Result<(), Error> {
        self.journal.sync()
    }

    /// True if a state was handed in after the last time that states were put on the disk.
    pub fn has_new_states(&self) -> bool {
        self.checkpoint.is_unwritten()
    }

    /// Puts all records and the states handed in on the disk, in this order: a run that has ended needs no state.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub fn save(&self) -> Result<(), Error> {
        self.journal.sync()?;
        self.checkpoint.write(&self.checkpoint_path, self.plan)
    }

    /// Where the experiment stands.
    pub fn standing(&self) -> Standing {
        self.counts().standing()
    }

    fn counts(&self) -> MutexGuard<'_, Counts<'a>> {
        self.counts.lock().expect("no thread panics while it counts")
    }
}
