//! The folder of an experiment: who may write it, whether it fits the plan, what of the plan it holds already.
//!
//! ```text
//! manifest.json    what was planned, and on what it was begun
//! runs.jsonl       a line a run, as it ends
//! traces.jsonl     a line a run, before its line in runs.jsonl
//! checkpoint       the runs that have not ended, now and then
//! lock             held by the one process that writes here
//! ```
//!
//! `run`, `merge` and `report` all read it through `manifest` and `lines`.
//!
//! Reading order: this file, `manifest`, `lines`, `journal`, `checkpoint`.

mod checkpoint;
mod journal;
mod lines;
mod manifest;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use checkpoint::{Checkpoint, damaged as damaged_checkpoint};
pub(crate) use journal::{Journal, Recovered, RunBits, recover};
pub(crate) use lines::{Ending, RecordError, RecordLine, error_at, read as read_lines, replace};
pub(crate) use manifest::{
    Names, find as find_manifest, read as read_manifest, read_checked as read_checked_manifest, write as write_manifest,
};
use manifest::{changes, changes_beside_additions};

use super::study::{Manifest, Shard};
use crate::error::Error;

/// How an experiment's folder is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartMode {
    /// A folder that holds no experiment yet.
    New,
    /// One that was begun with the same plan, or not at all: what is done stays done.
    Resume,
    /// One that was begun with a part of the plan: runs, puzzles and algorithms may have come to it.
    Extend,
}

/// The files of a folder.
pub(crate) struct Paths {
    pub folder: PathBuf,
    pub manifest: PathBuf,
    pub runs: PathBuf,
    pub traces: PathBuf,
    pub checkpoint: PathBuf,
}

impl Paths {
    pub(crate) fn of(folder: &Path) -> Paths {
        Paths {
            folder: folder.into(),
            manifest: folder.join("manifest.json"),
            runs: folder.join("runs.jsonl"),
            traces: folder.join("traces.jsonl"),
            checkpoint: folder.join("checkpoint"),
        }
    }
}

/// A folder that this process alone writes, as long as it lives.
pub(super) struct Folder {
    pub paths: Paths,
    _lock: File,
}

impl Folder {
    /// Makes the folder if it is not there, and takes its lock, which shows that it can be written.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says, [`Error::Busy`] if another process has the lock.
    pub(super) fn lock(path: &Path) -> Result<Folder, Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = path.join("lock");
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&lock).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Folder { paths: Paths::of(path), _lock: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy { folder: path.into() }),
            Err(TryLockError::Error(source)) => Err(Error::Write { path: lock, source }),
        }
    }

    /// Begins the experiment, or checks that it is the one that was begun.
    ///
    /// # Errors
    /// [`Error::Folder`] if it is not: with the keys that changed, or the remedy.
    pub(super) fn enter(&self, entry: StartMode, manifest: &Manifest) -> Result<(), Error> {
        let Some(begun) = find_manifest(&self.paths.manifest)? else {
            return self.begin(manifest);
        };
        if entry == StartMode::New {
            let name = &begun.plan.name;
            let message = format!("it holds the experiment `{name}`; go on with --resume, or name another folder");
            return Err(self.refusal(message));
        }
        self.check_cut(&begun, manifest)?;
        if begun.plan_hash == manifest.plan_hash {
            return Ok(());
        }
        self.check_plan(entry, &begun, manifest)?;
        let extended = Manifest { plan: manifest.plan.clone(), plan_hash: manifest.plan_hash.clone(), ..begun };
        write_manifest(&self.paths.manifest, &extended)
    }

    /// The part as this folder was begun for it, where it names the same one: its runs keep their cut.
    ///
    /// # Errors
    /// What reading the manifest reports.
    pub(super) fn cut_as_begun(&self, shard: Option<Shard>) -> Result<Option<Shard>, Error> {
        let begun = find_manifest(&self.paths.manifest)?.and_then(|manifest| manifest.shard);
        Ok(match (shard, begun) {
            (Some(shard), Some(begun)) => Some(Shard { cut: begun.cut, ..shard }),
            _ => shard,
        })
    }

    /// Adds the wall time of a process to that of the folder, and to that of each backend if there are several.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(super) fn add_seconds(&self, wall: Duration, by_backend: &[(&str, Duration)]) -> Result<(), Error> {
        let mut manifest = read_manifest(&self.paths.manifest)?;
        *manifest.wall_s.get_or_insert_default() += wall.as_secs_f64();
        if by_backend.len() > 1 || manifest.wall_s_by_backend.is_some() {
            let seconds = manifest.wall_s_by_backend.get_or_insert_default();
            for (backend, wall) in by_backend {
                *seconds.entry((*backend).to_owned()).or_default() += wall.as_secs_f64();
            }
        }
        write_manifest(&self.paths.manifest, &manifest)
    }

    fn refusal(&self, message: String) -> Error {
        Error::Folder { folder: self.paths.folder.clone(), message }
    }

    /// Which runs the folder is for, and whether they are timed, stays as it was.
    fn check_cut(&self, begun: &Manifest, manifest: &Manifest) -> Result<(), Error> {
        if begun.shard != manifest.shard {
            let part = |manifest: &Manifest| {
                manifest.shard.map_or("all runs".into(), |shard| format!("part {}/{}", shard.index, shard.count))
            };
            let (was, is) = (part(begun), part(manifest));
            return Err(
                self.refusal(format!("this folder was started for {was}, not for {is}; use one folder per part"))
            );
        }
        if begun.timing != manifest.timing {
            let remedy = if begun.timing { "with --timing; say it again" } else { "without --timing; leave it out" };
            return Err(self.refusal(format!("it was begun {remedy}, or name another folder")));
        }
        Ok(())
    }

    /// Another plan is one that has more, and only where more is asked for.
    fn check_plan(&self, entry: StartMode, begun: &Manifest, manifest: &Manifest) -> Result<(), Error> {
        let extends = entry == StartMode::Extend;
        let compare = if extends { changes_beside_additions } else { changes };
        let changed = compare(&begun.plan, &manifest.plan)?;
        if extends && changed.is_empty() {
            return Ok(());
        }
        let remedy = match extends {
            true => "--extend adds runs, puzzles and algorithms, and changes nothing else",
            false => "name another folder, or add --extend if runs, puzzles or algorithms were added",
        };
        Err(self.refusal(format!("its plan was another:{}\n{remedy}", changed_keys(&changed))))
    }

    fn begin(&self, manifest: &Manifest) -> Result<(), Error> {
        if self.paths.runs.exists() || self.paths.traces.exists() {
            return Err(self.refusal("it holds runs without a manifest.json; name another folder".into()));
        }
        write_manifest(&self.paths.manifest, manifest)
    }
}

/// A line a change, the first few of many.
fn changed_keys(changes: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text: String = changes.iter().take(SHOWN).map(|change| format!("\n  {change}")).collect();
    match changes.len() {
        0 => text.push_str("\n  the order of its puzzles or algorithms"),
        count if count > SHOWN => text.push_str(&format!("\n  and {} more", count - SHOWN)),
        _ => {}
    }
    text
}
