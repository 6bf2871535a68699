//! Runs of a plan, many at once, in a folder that survives whatever ends the process.
//!
//! ```text
//!  queue ──▶ workers (one run a thread, tile by tile in cache)        ──▶ journal: runs.jsonl, traces.jsonl
//!            or one driver (an epoch of many runs in one dispatch)    ──▶ checkpoint, now and then
//!                          ▲
//!            coordinator: puts files on the disk, asks the observer whether to go on
//! ```
//!
//! Which of the two it is depends on the evaluator alone: one that scores single tiles where they lie, or one that wants
//! batches. A run comes to the same either way. With `timing` one run at a time has all threads, and its seconds count.
//!
//! Reading order: this file, `work` (what all threads share), `cores`, `shared`, then `queue`, `line`, `standing`.

mod cores;
mod line;
mod queue;
mod rate;
mod shared;
mod standing;
mod work;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

pub use rate::{Foresight, foresee};
pub use standing::{CellStanding, Standing};

use super::folder::{Entry, Folder, recover};
use super::plan::Plan;
use super::provenance;
use super::study::{FORMAT, Manifest, Shard};
use crate::error::Error;
use crate::fitness::{Backend, Evaluator};
use crate::sudoku::Shape;
use work::Work;

/// How often the observer is asked.
const TICK: Duration = Duration::from_millis(50);

/// How often records are put on the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// An evaluator, and why it was taken.
pub struct Backing {
    /// Who scores.
    pub evaluator: Box<dyn Evaluator>,
    /// Why.
    pub reason: String,
}

/// Makes the evaluator for a shape and batches of so many candidates.
pub type MakeBacking<'a> = dyn Fn(Shape, usize) -> Result<Backing, Error> + Sync + 'a;

/// Who scored, as records say it.
struct Computer {
    backend: Backend,
    adapter: String,
    reason: String,
}

impl Computer {
    fn of(backing: &Backing) -> Computer {
        let Backing { evaluator, reason } = backing;
        Computer { backend: evaluator.backend(), adapter: evaluator.describe(), reason: reason.clone() }
    }
}

/// The runs of a plan, or of a part of it, and the folder that they are for.
#[derive(Clone)]
pub struct Experiment<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The folder.
    pub folder: PathBuf,
    /// How the folder is entered.
    pub entry: Entry,
    /// The part of the runs to be made; none for all.
    pub shard: Option<Shard>,
    /// Whether each run has the machine for itself, and its seconds are kept.
    pub timing: bool,
    /// Runs made side by side on the host, at most: one a thread.
    pub threads: usize,
    /// How often runs that have not ended are put on the disk.
    pub checkpoint_every: Duration,
    /// The commit that the program was built from, where it was built in a repository.
    pub git_revision: Option<&'a str>,
}

impl Experiment<'_> {
    /// Makes the runs that the folder does not hold yet, until all are there or `observe`, asked some times a second,
    /// says no; then unfinished runs are put away after their current epoch.
    ///
    /// # Errors
    /// [`Error::Write`] for a file that cannot be written, [`Error::Busy`] and [`Error::Folder`] for a folder that is not
    /// to be written, [`Error::Damaged`] for one that holds something else, and what making evaluators and runs reports.
    /// What had ended before is in the folder; the folder can be resumed.
    pub fn run(
        &self,
        make: &MakeBacking<'_>,
        observe: &mut dyn FnMut(&Standing) -> ControlFlow<()>,
    ) -> Result<Standing, Error> {
        let folder = Folder::lock(&self.folder)?;
        let this = &Experiment { shard: folder.cut_as_begun(self.shard)?, ..self.clone() };
        let first = make(this.plan.puzzles()[0].shape(), this.batch_slots())?;
        folder.enter(this.entry, &this.manifest(&first))?;
        let recovered = recover(&folder.paths, this.plan, this.shard)?;
        let work = Work::new(this, &folder.paths, &recovered)?;
        let started = Instant::now();
        let driven = this.drive(&work, first, make, observe);
        let saved = work.save();
        folder.add_seconds(started.elapsed())?;
        driven?;
        saved?;
        Ok(work.standing())
    }

    /// Candidates of the largest batch: as many runs as there are and as fit.
    fn batch_slots(&self) -> usize {
        let largest = self.plan.algorithms().iter().map(shared::slots).max().unwrap_or_default();
        let all = largest.saturating_mul(usize::try_from(self.plan.runs()).unwrap_or(usize::MAX));
        if self.timing { largest } else { all.min(shared::BATCH_SLOTS).max(largest) }
    }

    fn manifest(&self, first: &Backing) -> Manifest {
        Manifest {
            format: FORMAT,
            plan: self.plan.resolved().clone(),
            plan_hash: self.plan.hash().into(),
            shard: self.shard,
            timing: self.timing,
            version: provenance::VERSION.into(),
            git_revision: self.git_revision.map(str::to_owned),
            host: provenance::host(),
            processor: provenance::processor(),
            threads: self.threads,
            backend: first.evaluator.backend().name().into(),
            adapter: first.evaluator.describe(),
            started: provenance::now(),
            wall_s: None,
        }
    }

    /// Starts the threads that make runs, and looks after the folder until all of them have ended.
    fn drive(
        &self,
        work: &Work<'_>,
        first: Backing,
        make: &MakeBacking<'_>,
        observe: &mut dyn FnMut(&Standing) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let on_host = first.evaluator.tile_scorer().is_some() || self.timing;
        std::thread::scope(|scope| {
            let (ended, ends) = mpsc::channel();
            if on_host {
                let workers = if self.timing { 1 } else { self.threads.max(1) };
                let mut first = Some(first);
                for _ in 0..workers {
                    let (ended, first) = (ended.clone(), first.take());
                    scope.spawn(move || ended.send(cores::work(work, workers, first, make)));
                }
            } else {
                let (ended, capacity) = (ended.clone(), self.batch_slots());
                scope.spawn(move || ended.send(shared::work(work, first, capacity, make)));
            }
            drop(ended);
            self.look_after(work, &ends, observe)
        })
    }

    /// Until all threads have ended. The first error stops all of them, and is the one that is told.
    fn look_after(
        &self,
        work: &Work<'_>,
        ends: &mpsc::Receiver<Result<(), Error>>,
        observe: &mut dyn FnMut(&Standing) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut outcome = Ok(());
        let mut care = Care::new(self.checkpoint_every);
        loop {
            let looked_after = match ends.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return outcome,
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Ok(ended) => ended,
            };
            let looked_after = looked_after.and_then(|()| care.tick(work));
            if observe(&work.standing()).is_break() || looked_after.is_err() {
                work.stop();
            }
            outcome = outcome.and(looked_after);
        }
    }
}

/// When files were put on the disk last.
struct Care {
    checkpoint_every: Duration,
    synced: Instant,
    asked: Instant,
    saved: Instant,
}

impl Care {
    fn new(checkpoint_every: Duration) -> Care {
        let now = Instant::now();
        Care { checkpoint_every, synced: now, asked: now, saved: now }
    }

    /// Does what is due. States are written soon after they were asked for, and those that came later once more.
    fn tick(&mut self, work: &Work<'_>) -> Result<(), Error> {
        if self.synced.elapsed() >= SYNC_EVERY {
            work.sync()?;
            self.synced = Instant::now();
        }
        if work.has_new_states() && self.saved.elapsed() >= SYNC_EVERY.min(self.checkpoint_every) {
            work.save()?;
            self.saved = Instant::now();
        }
        if self.asked.elapsed() >= self.checkpoint_every {
            work.ask_for_states();
            self.asked = Instant::now();
        }
        Ok(())
    }
}
