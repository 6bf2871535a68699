//! What a folder holds of its runs when a process starts on it, after whatever ended the last one.
//!
//! A run is done if both its record and its trace are there. Torn last lines, and a line whose other half never reached
//! the disk, are dropped; what the plan does not have is refused.

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use serde::Deserialize;

use super::{Done, Ending, Flaw, Line, Names, Paths, read_lines, replace};
use crate::error::Error;
use crate::experiment::plan::Plan;
use crate::experiment::study::Shard;

/// The run that a line is about: what `runs.jsonl` and `traces.jsonl` have in common.
#[derive(Deserialize)]
struct Key<'a> {
    #[serde(borrow)]
    variant: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    run: u32,
    /// In `runs.jsonl`.
    seed: Option<u64>,
    /// In `runs.jsonl`.
    solved: Option<bool>,
}

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
    let runs_ending = each_run(&paths.runs, &names, |_, index, key| {
        let id = plan.run(index);
        if key.seed != Some(plan.seed(id)) {
            return Err(Flaw::Foreign(format!("this run's seed should be {}", plan.seed(id))));
        }
        if !plan.is_in(id, shard) {
            return Err(Flaw::Foreign("this run is in another part".into()));
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

fn add(set: &mut Done, index: u64) -> Result<(), Flaw> {
    match set.add(index) {
        true => Ok(()),
        false => Err(Flaw::Foreign("this run stands here a second time".into())),
    }
}

fn each_run(
    path: &Path,
    names: &Names,
    mut take: impl FnMut(&Line<'_>, u64, &Key<'_>) -> Result<(), Flaw>,
) -> Result<Ending, Error> {
    read_lines(path, |line| {
        let key: Key<'_> = serde_json::from_slice(line.bytes)?;
        take(line, names.index(&key.variant, &key.name, key.run)?, &key)
    })
}

/// Leaves whole lines, so that what is appended starts one, and drops those of runs that are not done.
fn keep(path: &Path, names: &Names, ending: Ending, done: &Done, lines: u64) -> Result<(), Error> {
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
