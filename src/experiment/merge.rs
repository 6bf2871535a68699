//! Folders of parts, or of anything else that was made of one plan, joined into one.
//!
//! Joining again changes nothing: the files hold a line a run, in the plan's order. A run that stands in several folders is kept once if its result is the same everywhere; one with
//! conflicting results is left out and told, for something is wrong then, and the joined folder can make it anew. So are
//! runs of the same seed on different backends of the plan, if their results differ.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Record;
use super::TraceEntry;
use super::check::{Check, RunEnd};
use super::folder::{
    Folder, Paths, RecordLine, find_manifest, read_checked_manifest, read_lines, replace, write_manifest,
};
use super::study::{Manifest, ResolvedPlan};
use crate::error::Error;
use crate::search::Stop;

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The plan's name.
    pub name: String,
    /// Runs of the plan.
    pub runs: u64,
    /// Runs that are in the folder now.
    pub present: u64,
    /// Copies of them that were left out.
    pub folded: u64,
    /// Runs with conflicting results, which are left out.
    pub conflicts: Vec<Conflict>,
    /// By cell, the runs that no folder has.
    pub missing: Vec<Missing>,
}

/// A run with conflicting results: the same seed gives the same run on every backend, so one of them is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The variant's name; two names where the same run differs on two backends of the plan.
    pub variants: Vec<String>,
    /// The puzzle's name.
    pub puzzle: String,
    /// The run's number.
    pub run: u32,
    /// Two files that differ, each with the run's line in it, from 1.
    pub places: [(PathBuf, usize); 2],
}

/// Runs of a cell that no folder has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The variant's name.
    pub variant: String,
    /// The puzzle's name.
    pub puzzle: String,
    /// Their numbers, ascending.
    pub runs: Vec<u32>,
}

/// Joins folders into `output`, which may hold some of the runs already.
///
/// # Errors
/// [`Error::Folder`] for a folder with another plan's experiment, [`Error::Busy`] if a process is working in `output`,
/// [`Error::Damaged`] for a folder without an experiment and for a line that is no run of the plan, [`Error::Read`] and
/// [`Error::Write`].
pub fn merge(folders: &[PathBuf], output: &Path) -> Result<Merged, Error> {
    let (mut manifests, mut checks) = (Vec::new(), Vec::new());
    for folder in folders {
        let (manifest, check) = read_checked_manifest(&Paths::of(folder).manifest)?;
        manifests.push((folder.clone(), manifest));
        checks.push((folder.clone(), check));
    }
    check(output, None, &manifests)?;
    let locked = Folder::lock(output)?;
    let old = find_manifest(&locked.paths.manifest)?;
    let first = check(output, old.as_ref(), &manifests)?;
    let mut collected = Collected::default();
    if old.is_some() {
        let (_, check) = read_checked_manifest(&locked.paths.manifest)?;
        checks.insert(0, (output.to_path_buf(), check));
    }
    for (folder, check) in &checks {
        collected.add(&Paths::of(folder), check, u64::from(first.plan.runs))?;
    }
    let conflicts = collected.leave_conflicts_out(&first.plan);
    let (runs, traces) = collected.in_order();
    let joined = Manifest { shard: None, wall_s: None, wall_s_by_backend: None, ..first.clone() };
    write_manifest(&locked.paths.manifest, &joined)?;
    copy(&locked.paths.traces, &collected.files, &traces)?;
    copy(&locked.paths.runs, &collected.files, &runs)?;
    Ok(Merged {
        name: first.plan.name.clone(),
        runs: first.plan.total_runs(),
        present: runs.len() as u64,
        folded: collected.folded,
        conflicts: conflicts.into_iter().map(|conflict| conflict.named(&first.plan)).collect(),
        missing: missing(&first.plan, &collected.runs),
    })
}

fn refuse(folder: &Path, message: String) -> Error {
    Error::Folder { folder: folder.into(), message }
}

/// The manifest of what was begun first, once it is sure that all are of one plan.
fn check<'a>(
    output: &Path,
    old: Option<&'a Manifest>,
    manifests: &'a [(PathBuf, Manifest)],
) -> Result<&'a Manifest, Error> {
    let all = old.map(|manifest| (output, manifest)).into_iter();
    let all: Vec<_> = all.chain(manifests.iter().map(|(folder, manifest)| (folder.as_path(), manifest))).collect();
    let earliest = all.iter().min_by_key(|(_, manifest)| (&manifest.started, &manifest.host));
    let (first_folder, first) =
        *earliest.ok_or_else(|| refuse(output, "no folder was named to join into it".into()))?;
    for (folder, manifest) in all {
        if manifest.plan_hash != first.plan_hash {
            let (name, hash) = (&manifest.plan.name, &manifest.plan_hash);
            let message =
                format!("its plan `{name}` ({hash}) is not that of {} ({})", first_folder.display(), first.plan_hash);
            return Err(refuse(folder, format!("{message}; join folders of one plan")));
        }
        if manifest.timing != first.timing {
            let message = format!("it and {} differ in --timing; join folders that do not", first_folder.display());
            return Err(refuse(folder, message));
        }
    }
    Ok(first)
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct At {
    file: usize,
    line: usize,
    start: u64,
    length: usize,
}

/// A trace's line and its last improvement.
struct Trace {
    at: At,
    last: Option<TraceEntry>,
}

/// A run's line and result.
struct RunResult {
    at: At,
    result: [u8; 32],
    timed_out: bool,
    /// A line with another result, if there is one.
    differs: Option<At>,
}

impl RunResult {
    fn new(at: At, record: &Record) -> Result<RunResult, Error> {
        let timed_out = record.stop == Stop::Timeout;
        Ok(RunResult { at, result: record.result_digest()?, timed_out, differs: None })
    }

    /// True if the same run on two backends has two results, and not because of its time.
    fn conflicts_with(&self, other: &RunResult) -> bool {
        self.result != other.result && !self.timed_out && !other.timed_out
    }
}

/// Runs of one seed, by how the plan counts them, with two lines that differ.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FoundConflict {
    runs: Vec<u64>,
    places: [(PathBuf, usize); 2],
}

impl FoundConflict {
    fn named(self, plan: &ResolvedPlan) -> Conflict {
        let names = |index: &u64| names_of(plan, index / u64::from(plan.runs));
        let (variants, mut puzzles): (Vec<String>, Vec<String>) = self.runs.iter().map(names).unzip();
        let run = (self.runs[0] % u64::from(plan.runs)) as u32;
        Conflict { variants, puzzle: puzzles.swap_remove(0), run, places: self.places }
    }
}

/// The run with the same seed of the first variant that differs in its backend alone.
fn counterpart(plan: &ResolvedPlan, counterparts: &[usize], index: u64) -> u64 {
    let of_variant = plan.puzzles.len() as u64 * u64::from(plan.runs);
    counterparts[(index / of_variant) as usize] as u64 * of_variant + index % of_variant
}

/// The lines of all folders, by how the plan counts their runs.
#[derive(Default)]
struct Collected {
    files: Vec<PathBuf>,
    runs: HashMap<u64, RunResult>,
    /// By run and folder, so that a run keeps its own trace.
    traces: HashMap<(u64, usize), Trace>,
    folded: u64,
}

impl Collected {
    /// Adds the lines of a folder. A torn last line is left out: its process has not ended well, or not yet.
    fn add(&mut self, paths: &Paths, check: &Check, runs_of_cell: u64) -> Result<(), Error> {
        let (runs, traces) = (self.files.len(), self.files.len() + 1);
        self.files.extend([paths.runs.clone(), paths.traces.clone()]);
        read_lines(&paths.traces, |line| {
            let (trace, _) = check.trace(line.bytes)?;
            let index = check.names().index(&trace.variant, &trace.name, trace.run)?;
            self.traces.insert((index, runs), Trace { at: at(traces, line), last: trace.trace.last().copied() });
            Ok(())
        })?;
        read_lines(&paths.runs, |line| {
            let (record, cell) = check.record(line.bytes)?;
            let index = cell as u64 * runs_of_cell + u64::from(record.run.unwrap_or_default());
            if let Some(Trace { last, .. }) = self.traces.get(&(index, runs)) {
                RunEnd::of(&record).check(last.as_slice())?;
                self.add_run(index, RunResult::new(at(runs, line), &record)?);
            }
            Ok(())
        })?;
        Ok(())
    }

    fn add_run(&mut self, index: u64, found: RunResult) {
        match self.runs.get_mut(&index) {
            None => {
                self.runs.insert(index, found);
            }
            Some(first) if first.result == found.result => self.folded += 1,
            Some(first) => first.differs = first.differs.or(Some(found.at)),
        }
    }

    /// Takes the runs with conflicting results out, and tells where they stand.
    fn leave_conflicts_out(&mut self, plan: &ResolvedPlan) -> Vec<FoundConflict> {
        let counterparts = plan.counterparts();
        let mut conflicts: Vec<FoundConflict> = Vec::new();
        for (index, found) in &self.runs {
            let counterpart = counterpart(plan, &counterparts, *index);
            conflicts.extend(found.differs.map(|differs| self.conflict(vec![*index], found.at, differs)));
            if let Some(first) = self.runs.get(&counterpart).filter(|first| first.conflicts_with(found)) {
                conflicts.push(self.conflict(vec![counterpart, *index], first.at, found.at));
            }
        }
        conflicts.sort_unstable();
        conflicts.iter().flat_map(|conflict| &conflict.runs).for_each(|index| {
            self.runs.remove(index);
        });
        conflicts
    }

    fn conflict(&self, runs: Vec<u64>, first: At, second: At) -> FoundConflict {
        FoundConflict { runs, places: [first, second].map(|at| (self.files[at.file].clone(), at.line)) }
    }

    /// The lines of runs and of traces in the plan's order.
    fn in_order(&self) -> (Vec<At>, Vec<At>) {
        let mut found: Vec<(&u64, &RunResult)> = self.runs.iter().collect();
        found.sort_unstable_by_key(|(index, _)| **index);
        let traces = found.iter().map(|(index, found)| self.traces[&(**index, found.at.file)].at).collect();
        (found.iter().map(|(_, found)| found.at).collect(), traces)
    }
}

fn at(file: usize, line: &RecordLine<'_>) -> At {
    At { file, line: line.number, start: line.start, length: line.bytes.len() }
}

/// Writes these lines of these files into a new one, which may take the place of one of them.
fn copy(path: &Path, files: &[PathBuf], lines: &[At]) -> Result<(), Error> {
    let mut open: HashMap<usize, File> = HashMap::new();
    let mut bytes = Vec::new();
    for file in lines.iter().map(|at| at.file) {
        if let std::collections::hash_map::Entry::Vacant(entry) = open.entry(file) {
            let source = File::open(&files[file]);
            entry.insert(source.map_err(|source| Error::Read { path: files[file].clone(), source })?);
        }
    }
    let mut copy_line = |output: &mut dyn Write, At { file, start, length, .. }: &At| -> io::Result<()> {
        let source = open.get_mut(file).expect("opened above");
        bytes.resize(*length, 0);
        source.seek(SeekFrom::Start(*start))?;
        source.read_exact(&mut bytes)?;
        output.write_all(&bytes)?;
        output.write_all(b"\n")
    };
    replace(path, |output| lines.iter().try_for_each(|line| copy_line(output, line)))
}

fn missing(plan: &ResolvedPlan, present: &HashMap<u64, RunResult>) -> Vec<Missing> {
    let runs = u64::from(plan.runs);
    let of_cell = |cell: u64| {
        let of_variant = plan.runs_of(&plan.variants[(cell / plan.puzzles.len() as u64) as usize]);
        let absent = (0..of_variant).filter(|run| !present.contains_key(&(cell * runs + u64::from(*run))));
        let (variant, puzzle) = names_of(plan, cell);
        Missing { variant, puzzle, runs: absent.collect() }
    };
    (0..(plan.variants.len() * plan.puzzles.len()) as u64)
        .map(of_cell)
        .filter(|missing| !missing.runs.is_empty())
        .collect()
}

fn names_of(plan: &ResolvedPlan, cell: u64) -> (String, String) {
    let puzzles = plan.puzzles.len() as u64;
    (plan.variants[(cell / puzzles) as usize].name.clone(), plan.puzzles[(cell % puzzles) as usize].name.clone())
}
