//! Runs of a plan, many at once, in a folder that survives whatever ends the process.
//!
//! ```text
//!  queue ──▶ workers (one run per thread, tile by tile in cache)      ──▶ journal: runs.jsonl, traces.jsonl
//!            or one worker (an epoch of many runs in one dispatch)    ──▶ checkpoint, now and then
//!                          ▲
//!            coordinator: puts files on the disk, asks the observer whether to go on
//! ```
//!
//! Which of the two it is depends on the evaluator alone: one that scores single tiles where they lie, or one that wants
//! batches. A run has the same result either way. Where a plan names backends, the runs of one backend follow those of
//! another, so that each has the machine for itself. With `timing` one run at a time has all threads, and its seconds count.
//!
//! Reading order: this file, `shared` (the state that all threads share), `queue` (the workers), `line`, `forecast`.

mod forecast;
mod queue;
mod records;
mod shared;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

pub use forecast::{Forecast, forecast};
pub use shared::{CellStatus, Status};

use super::folder::{Folder, StartMode, recover};
use super::plan::{Plan, Target};
use super::provenance;
use super::study::{FORMAT, Manifest, Shard};
use crate::error::Error;
use crate::fitness::Backend;
use crate::fitness::backends::OpenBackend;
use queue::{Spread, work};
use shared::Shared;

/// How often the observer is asked.
const TICK: Duration = Duration::from_millis(50);

/// How often records are put on the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Opens a backend for a target and batches of so many candidates.
pub type Open<'a> = dyn Fn(Target, usize) -> Result<OpenBackend, Error> + Sync + 'a;

/// Opens a backend, which must be the one that the plan names.
///
/// # Errors
/// [`Error::Setting`] for another one, and what opening reports.
fn open_target(open: &Open<'_>, target: Target, slots: usize) -> Result<OpenBackend, Error> {
    let opened = open(target, slots)?;
    match target.backend.filter(|named| *named != opened.backend()) {
        None => Ok(opened),
        Some(named) => {
            let problem =
                format!("is {} in this plan, but {} was opened for it", named.name(), opened.backend().name());
            Err(Error::Setting { name: "backend", problem })
        }
    }
}

/// The runs of a plan on one backend, opened for the plan's first shape.
struct Stage {
    backend: Option<Backend>,
    opened: OpenBackend,
}

/// The backend that scored a run, as records hold it.
struct ScoredBy {
    backend: Backend,
    adapter: String,
    reason: String,
}

impl ScoredBy {
    fn new(opened: &OpenBackend) -> ScoredBy {
        let OpenBackend { evaluator, reason } = opened;
        ScoredBy { backend: evaluator.backend(), adapter: evaluator.describe(), reason: reason.clone() }
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
    pub entry: StartMode,
    /// The part of the runs to be made; none for all.
    pub shard: Option<Shard>,
    /// True if runs are timed one at a time, and their seconds kept.
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
    /// says no; then unfinished runs are saved after their current epoch.
    ///
    /// # Errors
    /// [`Error::Write`] for a file that cannot be written, [`Error::Busy`] and [`Error::Folder`] for a folder that is not
    /// to be written, [`Error::Damaged`] for one that holds something else, and what making evaluators and runs reports.
    /// What had ended before is in the folder; the folder can be resumed.
    pub fn run(&self, open: &Open<'_>, observe: &mut dyn FnMut(&Status) -> ControlFlow<()>) -> Result<Status, Error> {
        let folder = Folder::lock(&self.folder)?;
        let this = &Experiment { shard: folder.cut_as_begun(self.shard)?, ..self.clone() };
        let stages = this.plan.backends().into_iter().map(|backend| this.stage(backend, open));
        let stages = stages.collect::<Result<Vec<Stage>, Error>>()?;
        folder.enter(this.entry, &this.manifest(&stages))?;
        let recovered = recover(&folder.paths, this.plan, this.shard)?;
        let shared = Shared::new(this, &folder.paths, &recovered)?;
        let (started, mut seconds) = (Instant::now(), Vec::new());
        let driven = stages.into_iter().try_for_each(|stage| {
            let (name, begun) = (stage.opened.backend().name(), Instant::now());
            let driven = this.drive(&shared, stage, open, observe);
            seconds.push((name, begun.elapsed()));
            driven
        });
        let saved = shared.save();
        folder.add_seconds(started.elapsed(), &seconds)?;
        driven?;
        saved?;
        Ok(shared.status())
    }

    /// Candidates of the largest batch.
    fn batch_slots(&self, backend: Option<Backend>) -> usize {
        slots_in_flight(self.plan, backend, self.timing)
    }

    fn stage(&self, backend: Option<Backend>, open: &Open<'_>) -> Result<Stage, Error> {
        let first = Target { shape: self.plan.puzzles()[0].shape(), backend };
        Ok(Stage { backend, opened: open_target(open, first, self.batch_slots(backend))? })
    }

    fn manifest(&self, stages: &[Stage]) -> Manifest {
        let list = |texts: Vec<String>| {
            let mut listed: Vec<String> = Vec::new();
            texts.into_iter().for_each(|text| {
                if !listed.contains(&text) {
                    listed.push(text)
                }
            });
            listed.join(", ")
        };
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
            backend: list(stages.iter().map(|stage| stage.opened.backend().name().into()).collect()),
            adapter: list(stages.iter().map(|stage| stage.opened.description()).collect()),
            started: provenance::now(),
            wall_s: None,
            wall_s_by_backend: None,
        }
    }

    /// Starts the threads that make runs, and looks after the folder until all of them have ended.
    fn drive(
        &self,
        shared: &Shared<'_>,
        Stage { backend, opened }: Stage,
        open: &Open<'_>,
        observe: &mut dyn FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let on_host = opened.evaluator.tile_scorer().is_some() || self.timing;
        std::thread::scope(|scope| {
            let (ended, ends) = mpsc::channel();
            let workers = if self.timing { 1 } else { self.threads.max(1) };
            let (spread, workers) = match on_host {
                true => (Spread::Workers(workers), workers),
                false => (Spread::Batch(self.batch_slots(backend)), 1),
            };
            let mut first = Some(opened);
            for _ in 0..workers {
                let (ended, first) = (ended.clone(), first.take());
                scope.spawn(move || ended.send(work(shared, spread, backend, first, open)));
            }
            drop(ended);
            self.maintain(shared, &ends, observe)
        })
    }

    /// Until all threads have ended. The first error stops all of them, and is the one that is told.
    fn maintain(
        &self,
        shared: &Shared<'_>,
        ends: &mpsc::Receiver<Result<(), Error>>,
        observe: &mut dyn FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut outcome = Ok(());
        let mut maintenance = Maintenance::new(self.checkpoint_every);
        loop {
            let maintained = match ends.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return outcome,
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Ok(ended) => ended,
            };
            let maintained = maintained.and_then(|()| maintenance.tick(shared));
            if observe(&shared.status()).is_break() || maintained.is_err() {
                shared.stop();
            }
            outcome = outcome.and(maintained);
        }
    }
}

/// Individuals that share a dispatch where an adapter scores: those of as many runs with this backend as there are and as
/// fit, or, with `timing`, of the largest one.
pub fn slots_in_flight(plan: &Plan, backend: Option<Backend>, timing: bool) -> usize {
    let largest = queue::slots(plan.largest_population(backend));
    let all = largest.saturating_mul(usize::try_from(plan.runs()).unwrap_or(usize::MAX));
    if timing { largest } else { all.min(queue::BATCH_SLOTS).max(largest) }
}

/// When files were put on the disk last.
struct Maintenance {
    checkpoint_every: Duration,
    synced: Instant,
    asked: Instant,
    saved: Instant,
}

impl Maintenance {
    fn new(checkpoint_every: Duration) -> Maintenance {
        let now = Instant::now();
        Maintenance { checkpoint_every, synced: now, asked: now, saved: now }
    }

    /// Does what is due. States are written soon after they were asked for, and those that came later once more.
    fn tick(&mut self, shared: &Shared<'_>) -> Result<(), Error> {
        if self.synced.elapsed() >= SYNC_EVERY {
            shared.sync()?;
            self.synced = Instant::now();
        }
        if shared.has_new_states() && self.saved.elapsed() >= SYNC_EVERY.min(self.checkpoint_every) {
            shared.save()?;
            self.saved = Instant::now();
        }
        if self.asked.elapsed() >= self.checkpoint_every {
            shared.ask_for_states();
            self.asked = Instant::now();
        }
        Ok(())
    }
}
