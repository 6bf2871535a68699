//! What a folder holds of its runs when a process starts on it, after whatever ended the last one.
//!
//! A run is done if both its record and its trace are there. Torn last lines, and a line whose other half never reached
//! the disk, are dropped; what the plan does not have is refused.

use std::fs::OpenOptions;
use std::path::Path;

use super::lines::{self, Key, Line, Names, Tail};
use super::{Done, Paths, replace};
use crate::error::Error;
use crate::experiment::plan::Plan;
use crate::experiment::study::Shard;

/// The runs that are done, and how many of each cell solved their puzzle.
pub struct Recovered {
    /// The runs that are done.
    pub done: Done,
    /// The runs that are done and solved their puzzle.
    pub solved: Done,
}

/// Reads both files and leaves in them the lines of runs that are done, and no others.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`], and [`Error::Damaged`] for a line that is no run of the plan or of the part.
pub fn recover(paths: &Paths, plan: &Plan, shard: Option<Shard>) -> Result<Recovered, Error> {
    let names = Names::new(plan.resolved());
    let (mut runs, mut traces) = (Done::none(plan.runs()), Done::none(plan.runs()));
    let mut solved = Done::none(plan.runs());
    let runs_tail = each_run(&paths.runs, &names, |line, index, key| {
        let id = plan.run(index);
        if key.seed != Some(plan.seed(id)) {
            let found = format!("this run's seed should be {}", plan.seed(id));
            return Err(lines::damaged(&paths.runs, line.number, found));
        }
        if !plan.is_in(id, shard) {
            return Err(lines::damaged(&paths.runs, line.number, "this run is in another part"));
        }
        if key.solved == Some(true) {
            solved.add(index);
        }
        add(&mut runs, index, &paths.runs, line)
    })?;
    let traces_tail = each_run(&paths.traces, &names, |line, index, _| add(&mut traces, index, &paths.traces, line))?;
    let done = runs.and(&traces);
    keep(&paths.runs, &names, runs_tail, &done, runs.count())?;
    keep(&paths.traces, &names, traces_tail, &done, traces.count())?;
    Ok(Recovered { solved: solved.and(&done), done })
}

fn add(set: &mut Done, index: u64, path: &Path, line: &Line<'_>) -> Result<(), Error> {
    match set.add(index) {
        true => Ok(()),
        false => Err(lines::damaged(path, line.number, "this run stands here a second time")),
    }
}

fn each_run(
    path: &Path,
    names: &Names<'_>,
    mut take: impl FnMut(&Line<'_>, u64, &Key<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    lines::read(path, |line| {
        let Ok(key) = serde_json::from_slice::<Key<'_>>(line.bytes) else { return Ok(false) };
        let Some(index) = names.index(&key.variant, &key.name, key.run) else {
            let run = format!("run {} of `{}` on `{}` is not in the plan", key.run, key.variant, key.name);
            return Err(lines::damaged(path, line.number, run));
        };
        take(line, index, &key)?;
        Ok(true)
    })
}

/// Drops what is torn, and the lines of runs that are not done.
fn keep(path: &Path, names: &Names<'_>, tail: Tail, done: &Done, lines: u64) -> Result<(), Error> {
    if tail.torn {
        log::warn!("{}: the last line was not written whole; it is dropped and its run made anew", path.display());
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(tail.whole));
        cut.map_err(|source| Error::Write { path: path.into(), source })?;
    }
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
        kept.map(|_| ()).map_err(std::io::Error::other)
    })
}
