//! The records of runs that ended: appended at once, a line with one write, and put on the disk once a second at most.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::error::Error;
use crate::experiment::study::{RunLine, TraceLine};

/// `runs.jsonl` and `traces.jsonl`, to be appended to by any thread.
pub struct Journal {
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
    pub fn open(runs: &Path, traces: &Path) -> Result<Journal, Error> {
        let (runs, traces) = (Appended::open(runs)?, Appended::open(traces)?);
        let on_disk = [traces.again()?, runs.again()?];
        Ok(Journal { files: Mutex::new(Files { traces, runs }), on_disk, unsynced: AtomicBool::new(false) })
    }

    /// Appends what a run came to. Its trace goes first: a run counts as done only once both lines are there.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says; nothing of the run is left in the files then.
    pub fn append(&self, run: &RunLine, trace: &TraceLine) -> Result<(), Error> {
        let (run, trace) = (line(run)?, line(trace)?);
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
    pub fn sync(&self) -> Result<(), Error> {
        if self.unsynced.swap(false, Ordering::AcqRel) {
            for (path, file) in &self.on_disk {
                file.sync_data().map_err(|source| Error::Write { path: path.clone(), source })?;
            }
        }
        Ok(())
    }
}

/// A value as a line of JSON.
fn line(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(value).map_err(|error| Error::Internal(format!("a record: {error}")))?;
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
