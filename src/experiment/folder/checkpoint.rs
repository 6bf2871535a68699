//! Runs that have not ended, as they were after one of their last epochs.
//!
//! All of them stand in one file, which is replaced whole; each state is of its run alone, so they need not be of one
//! moment, and each stands under its run's name, since another plan may count it otherwise. A digest tells a damaged file from a whole one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::{Names, RunBits, replace};
use crate::error::Error;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::VERSION;

/// What the file begins with; another number for another form.
const MAGIC: &[u8; 8] = b"swdk-cp1";

/// The states of a folder's unfinished runs, by how the plan counts them.
pub(crate) struct Checkpoint {
    states: Mutex<BTreeMap<u64, Arc<Vec<u8>>>>,
    /// True if a state came in after the last write.
    unwritten: AtomicBool,
}

impl Checkpoint {
    /// The states in a file, without those of runs that are done meanwhile; none if there is no file.
    ///
    /// # Errors
    /// [`Error::Read`] with what the system says; [`Error::Damaged`] for a file that this program did not write, or that
    /// another version of it wrote.
    pub(crate) fn load(path: &Path, plan: &Plan, done: &RunBits) -> Result<Checkpoint, Error> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes.map_err(|source| Error::Read { path: path.into(), source })?,
        };
        let names = Names::new(plan.resolved());
        let saved =
            if bytes.is_empty() { Vec::new() } else { decode(&bytes).map_err(|found| damaged(path, &found))? };
        let mut states = BTreeMap::new();
        for SavedRun { variant, puzzle, run, state } in saved {
            let index = names.index(&variant, &puzzle, run).map_err(|found| damaged(path, &found))?;
            if !done.has(index) {
                states.insert(index, Arc::new(state));
            }
        }
        Ok(Checkpoint { states: Mutex::new(states), unwritten: AtomicBool::new(false) })
    }

    /// The runs that are to go on from a state.
    pub(crate) fn runs(&self) -> Vec<u64> {
        self.lock().keys().copied().collect()
    }

    /// The state of a run, if there is one.
    pub(crate) fn state(&self, index: u64) -> Option<Arc<Vec<u8>>> {
        self.lock().get(&index).cloned()
    }

    /// Takes in a run's state, in the stead of an older one.
    pub(crate) fn put(&self, index: u64, state: Vec<u8>) {
        self.lock().insert(index, Arc::new(state));
        self.unwritten.store(true, Ordering::Release);
    }

    /// True if a state came in after the last write.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.unwritten.load(Ordering::Acquire)
    }

    /// Forgets a run that has ended.
    pub(crate) fn remove(&self, index: u64) {
        self.lock().remove(&index);
    }

    /// Puts all states on the disk; without any, no file is left.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system says; the file is then as it was.
    pub(crate) fn write(&self, path: &Path, plan: &Plan) -> Result<(), Error> {
        self.unwritten.store(false, Ordering::Release);
        let states = self.lock().clone();
        if states.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(Error::Write { path: path.into(), source: error })
                }
                _ => Ok(()),
            };
        }
        replace(path, |output| encode(&states, plan, output))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<Vec<u8>>>> {
        self.states.lock().expect("no thread panics while it holds the states")
    }
}

/// Writes the version, and behind each run's name its state, and last a digest of all that.
fn encode(states: &BTreeMap<u64, Arc<Vec<u8>>>, plan: &Plan, output: &mut dyn Write) -> io::Result<()> {
    let mut output = Digested { output, digest: Sha256::new() };
    output.write_all(MAGIC)?;
    output.put(&(VERSION, states.len() as u64))?;
    for (index, state) in states {
        let id = plan.run(*index);
        output.put(&(plan.names(id), id.run, state.len() as u64))?;
        output.write_all(state)?;
    }
    let Digested { output, digest } = output;
    output.write_all(&digest.finalize())
}

/// A writer that keeps account of what is written.
struct Digested<'a> {
    output: &'a mut dyn Write,
    digest: Sha256,
}

impl Digested<'_> {
    fn put(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.write_all(&postcard::to_allocvec(value).map_err(io::Error::other)?)
    }
}

impl Write for Digested<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// A run's name and its state.
struct SavedRun {
    variant: String,
    puzzle: String,
    run: u32,
    state: Vec<u8>,
}

fn decode(bytes: &[u8]) -> Result<Vec<SavedRun>, String> {
    let foreign = "it is no checkpoint of this program";
    let (body, digest) = bytes.split_last_chunk::<32>().ok_or(foreign)?;
    let rest = body.strip_prefix(MAGIC).ok_or(foreign)?;
    if Sha256::digest(body)[..] != digest[..] {
        return Err("its digest does not fit it".into());
    }
    let ((version, count), mut rest): ((String, u64), _) = take(rest)?;
    if version != VERSION {
        return Err(format!("version {version} of this program wrote it, and this is {VERSION}"));
    }
    let mut saved = Vec::new();
    for _ in 0..count {
        let (((variant, puzzle), run, length), behind): (((String, String), u32, u64), _) = take(rest)?;
        let (state, behind) = behind.split_at_checked(length as usize).ok_or("it is cut off")?;
        saved.push(SavedRun { variant, puzzle, run, state: state.to_vec() });
        rest = behind;
    }
    Ok(saved)
}

fn take<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), String> {
    postcard::take_from_bytes(bytes).map_err(|error| error.to_string())
}

/// The error of a checkpoint from which nothing can go on.
pub(crate) fn damaged(path: &Path, found: &str) -> Error {
    let message = format!("{found}; remove the file, and the runs that had not ended are made anew");
    Error::Damaged { path: path.into(), message }
}
