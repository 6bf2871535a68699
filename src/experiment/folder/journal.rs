//! The records of runs that ended: appended at once, each line with one write, put on the disk once a second at most, and
//! found again when a process starts on the folder, after whatever ended the last one.
//!
//! A run is done if both its record and its trace are there. Torn last lines, and a line whose other half never reached
//! the disk, are dropped; a line that is not of the plan is refused.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::lines::{Ending, RecordError, RecordLine, read as read_lines, replace, seal};
use super::{Names, Paths};
use crate::error::Error;
use crate::experiment::Record;
use crate::experiment::check::{check_backend, wrong_seed};
use crate::experiment::plan::Plan;
use crate::experiment::study::Shard;
use crate::fitness::Backend;

/// `runs.jsonl` and `traces.jsonl`, to be appended to by any thread.
pub(crate) struct Journal {
    files: Mutex<Files>,
    /// The same files once more, so that one thread can wait for the disk while others append.
    on_disk: [(PathBuf, File); 2],
    unsynced: AtomicBool,
}

struct Files {
    traces: Appended,
    runs: Appended,
}

impl Journal {
    /// Opens both files behind what they hold, or makes them.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(crate) fn open(runs: &Path, traces: &Path) -> Result<Journal, Error> {
        let (runs, traces) = (Appended::open(runs)?, Appended::open(traces)?);
        let on_disk = [traces.again()?, runs.again()?];
        Ok(Journal { files: Mutex::new(Files { traces, runs }), on_disk, unsynced: AtomicBool::new(false) })
    }

    /// Appends the record of a run. Its trace goes first: a run counts as done only once both lines are there.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says; nothing of the run is left in the files then.
    pub(crate) fn append(&self, record: &Record) -> Result<(), Error> {
        let (run, trace) = (line(record)?, line(&record.trace_line().map_err(Error::Internal)?)?);
        let mut files = self.files.lock().expect("no thread panics while it appends");
        let Files { traces, runs } = &mut *files;
        let before = traces.length;
        traces.append(&trace)?;
        let appended = runs.append(&run);
        if appended.is_err() {
            traces.cut(before);
        }
        self.unsynced.store(true, Ordering::Release);
        appended
    }

    /// Waits until all that was appended is on the disk.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        if self.unsynced.swap(false, Ordering::AcqRel) {
            for (path, file) in &self.on_disk {
                file.sync_data().map_err(|source| Error::Write { path: path.clone(), source })?;
            }
        }
        Ok(())
    }
}

/// A value as a line of JSON with a digest.
fn line(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(value).map_err(|error| Error::Internal(format!("a record: {error}")))?;
    seal(&mut line);
    line.push(b'\n');
    Ok(line)
}

/// A file that grows by whole lines.
struct Appended {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Appended {
    fn open(path: &Path) -> Result<Appended, Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Appended { path: path.into(), file, length })
    }

    fn again(&self) -> Result<(PathBuf, File), Error> {
        match self.file.try_clone() {
            Ok(file) => Ok((self.path.clone(), file)),
            Err(source) => Err(Error::Write { path: self.path.clone(), source }),
        }
    }

    /// Appends a line whole, or not at all.
    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        if let Err(source) = self.file.write_all(line) {
            self.cut(self.length);
            return Err(Error::Write { path: self.path.clone(), source });
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Takes back what was appended past a length; if that fails too, a torn line is left, which the next start drops.
    fn cut(&mut self, length: u64) {
        match self.file.set_len(length) {
            Ok(()) => self.length = length,
            Err(error) => log::warn!("{}: a torn line could not be taken back: {error}", self.path.display()),
        }
    }
}

/// The run that a line is about: what `runs.jsonl` and `traces.jsonl` have in common.
#[derive(Deserialize)]
struct RunKey<'a> {
    #[serde(borrow)]
    variant: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    run: u32,
    /// In `runs.jsonl`.
    seed: Option<u64>,
    /// In `runs.jsonl`.
    #[serde(borrow)]
    backend: Option<Cow<'a, str>>,
    /// In `runs.jsonl`.
    solved: Option<bool>,
}

/// The runs that are done, and how many of each cell solved their puzzle.
pub(crate) struct Recovered {
    /// The runs that are done.
    pub done: RunBits,
    /// The runs that are done and solved their puzzle.
    pub solved: RunBits,
}

/// Reads both files and leaves in them the lines of runs that are done, and no others.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], and [`Error::Damaged`] for a line that is no run of the plan or of the part.
pub(crate) fn recover(paths: &Paths, plan: &Plan, shard: Option<Shard>) -> Result<Recovered, Error> {
    let names = Names::new(plan.resolved());
    let (mut runs, mut traces) = (RunBits::empty(plan.runs()), RunBits::empty(plan.runs()));
    let mut solved = RunBits::empty(plan.runs());
    let runs_ending = each_run(&paths.runs, &names, |_, index, key| {
        let id = plan.run(index);
        if key.seed != plan.recorded_seed(id) {
            return Err(RecordError::Foreign(wrong_seed(plan.recorded_seed(id))));
        }
        check_backend(key.backend.as_deref(), plan.backend(id).map(Backend::name))?;
        if !plan.is_in(id, shard) {
            return Err(RecordError::Foreign("this run is in another part".into()));
        }
        if key.solved == Some(true) {
            solved.add(index);
        }
        add(&mut runs, index)
    })?;
    let traces_ending = each_run(&paths.traces, &names, |_, index, _| add(&mut traces, index))?;
    let done = runs.and(&traces);
    keep(&paths.runs, &names, runs_ending, &done, runs.count())?;
    keep(&paths.traces, &names, traces_ending, &done, traces.count())?;
    Ok(Recovered { solved: solved.and(&done), done })
}

fn add(set: &mut RunBits, index: u64) -> Result<(), RecordError> {
    match set.add(index) {
        true => Ok(()),
        false => Err(RecordError::Foreign("this run stands here a second time".into())),
    }
}

fn each_run(
    path: &Path,
    names: &Names,
    mut take: impl FnMut(&RecordLine<'_>, u64, &RunKey<'_>) -> Result<(), RecordError>,
) -> Result<Ending, Error> {
    read_lines(path, |line| {
        let key: RunKey<'_> = serde_json::from_slice(line.bytes)?;
        take(line, names.index(&key.variant, &key.name, key.run)?, &key)
    })
}

/// Leaves whole lines, so that what is appended starts one, and drops those of runs that are not done.
fn keep(path: &Path, names: &Names, ending: Ending, done: &RunBits, lines: u64) -> Result<(), Error> {
    end_with_whole_line(path, ending).map_err(|source| Error::Write { path: path.into(), source })?;
    if lines == done.count() {
        return Ok(());
    }
    replace(path, |output| {
        let kept = each_run(path, names, |line, index, _| {
            if done.has(index) {
                let written = output.write_all(line.bytes).and_then(|()| output.write_all(b"\n"));
                written.map_err(|source| Error::Write { path: path.into(), source })?;
            }
            Ok(())
        });
        kept.map(|_| ()).map_err(io::Error::other)
    })
}

/// Drops what is torn, and ends a record that lacks only its newline.
fn end_with_whole_line(path: &Path, ending: Ending) -> io::Result<()> {
    match ending {
        Ending::Whole => Ok(()),
        Ending::Open => OpenOptions::new().append(true).open(path)?.write_all(b"\n"),
        Ending::Torn { from } => {
            log::warn!("{}: the last line was not written whole; it is dropped and its run made anew", path.display());
            OpenOptions::new().write(true).open(path)?.set_len(from)
        }
    }
}

/// A set of runs, by how a plan counts them: a bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunBits {
    words: Vec<u64>,
    count: u64,
}

impl RunBits {
    /// No run of so many.
    pub(crate) fn empty(runs: u64) -> RunBits {
        RunBits { words: vec![0; runs.div_ceil(64) as usize], count: 0 }
    }

    /// How many runs are in the set.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// True if a run is in the set.
    pub(crate) fn has(&self, index: u64) -> bool {
        self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Adds a run; false if it was there.
    pub(crate) fn add(&mut self, index: u64) -> bool {
        let added = !self.has(index);
        self.words[(index / 64) as usize] |= 1 << (index % 64);
        self.count += u64::from(added);
        added
    }

    /// The runs that are in both sets.
    pub(crate) fn and(&self, other: &RunBits) -> RunBits {
        let words: Vec<u64> = self.words.iter().zip(&other.words).map(|(ours, theirs)| ours & theirs).collect();
        let count = words.iter().map(|word| u64::from(word.count_ones())).sum();
        RunBits { words, count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_added_once_and_counted() {
        let (mut some, mut others) = (RunBits::empty(130), RunBits::empty(130));
        assert!([0, 63, 64, 129].iter().all(|run| some.add(*run)));
        assert!(!some.add(64) && some.has(129) && !some.has(1));
        assert!([1, 64, 129].iter().all(|run| others.add(*run)));
        let both = some.and(&others);
        assert_eq!((some.count(), both.count()), (4, 2));
        assert!(both.has(64) && both.has(129) && !both.has(0));
    }
}
