//! A folder, read: every run's few numbers, and of its trace what curves and tables need.
//!
//! What is kept of a run takes 40 bytes. Traces are folded into counts for each cell as they are read, so memory grows with
//! the cells, not with the length of runs, and hundreds of thousands of runs are read in one pass each over `runs.jsonl` and
//! `traces.jsonl`.

use std::path::{Path, PathBuf};

use super::budgets;
pub use super::parts::Origin;
use super::parts::{RunPart, TracePart};
use crate::error::Error;
use crate::experiment::folder::{Ending, Flaw, Names, Paths, read_lines, read_manifest};
use crate::experiment::study::{Manifest, TraceEntry};
use crate::report::statistics::{Attempt, Counts, Spent};
use crate::search::Stop;

/// Totals whose first meeting is looked for in traces; 0, which solves, is the runs' own.
pub const TARGETS: [u32; 5] = [2, 4, 8, 16, 32];

/// An experiment's folder.
pub struct Study {
    /// Where it lies.
    pub folder: PathBuf,
    /// What was planned, and on what it ran.
    pub manifest: Manifest,
    /// Where its cells stand.
    names: Names,
    /// One a variant and puzzle, those of a variant together, in the plan's order.
    pub cells: Vec<Cell>,
    /// Numbers of evaluations at which totals were counted.
    pub budgets: Vec<u64>,
    /// Who computed, and how many runs each.
    pub origins: Vec<(Origin, u64)>,
    /// What readers should know of the state of the files.
    pub state: State,
}

/// The runs of a variant on a puzzle.
#[derive(Default)]
pub struct Cell {
    /// By ascending number.
    pub runs: Vec<RunResult>,
    /// Runs with a trace.
    pub traced: u64,
    /// At each budget the best totals so far of the runs with a trace; empty if there is none.
    pub totals: Vec<Counts>,
    /// What it took to meet each of [`TARGETS`], of the runs with a trace.
    pub targets: [Spent; TARGETS.len()],
}

/// What is kept of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunResult {
    /// Its number in the cell.
    pub run: u32,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    /// True if its trace was read.
    pub traced: bool,
    /// Candidates scored.
    pub evaluations: u64,
    /// The best total reached; none if nothing was scored.
    pub total: Option<u32>,
    /// Wall time in seconds, where it had the machine for itself.
    pub wall_s: Option<f64>,
}

impl RunResult {
    /// True if this is the same run with the same result; times differ from machine to machine.
    fn repeats(&self, other: &RunResult) -> bool {
        let result = |run: &RunResult| (run.run, run.solved, run.evaluations, run.total);
        result(self) == result(other)
    }

    /// The run as far as its evaluations go.
    pub fn attempt(&self) -> Attempt {
        Attempt { cost: self.evaluations as f64, success: self.solved }
    }
}

/// The state of the files.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    /// Files whose last line breaks off.
    pub torn: Vec<&'static str>,
    /// Lines of `runs.jsonl` that repeat an earlier one.
    pub repeated: u64,
    /// Runs whose trace is missing.
    pub untraced: u64,
    /// Traces of runs that are not there.
    pub stray_traces: u64,
    /// Runs made under another form of the plan.
    pub earlier_plan: u64,
    /// Runs that the wall time ended.
    pub timeouts: u64,
}

impl Study {
    /// Reads a folder that `run` or `merge` has written, finished or not.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it holds no experiment of this format, or a line that does not belong to it;
    /// [`Error::Read`] if a file cannot be read.
    pub fn read(folder: &Path) -> Result<Study, Error> {
        let manifest = read_manifest(&Paths::of(folder).manifest)?;
        let cells = manifest.plan.variants.len() * manifest.plan.puzzles.len();
        let mut study = Study {
            folder: folder.into(),
            names: Names::new(&manifest.plan),
            cells: (0..cells).map(|_| Cell::default()).collect(),
            manifest,
            budgets: Vec::new(),
            origins: Vec::new(),
            state: State::default(),
        };
        study.read_runs()?;
        study.read_traces()?;
        Ok(study)
    }

    /// The runs of all cells.
    pub fn runs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.runs.len() as u64).sum()
    }

    /// The runs that the whole plan has.
    pub fn planned(&self) -> u64 {
        self.cells.len() as u64 * u64::from(self.manifest.plan.runs)
    }

    /// The cell of a variant on a puzzle.
    pub fn cell(&self, variant: usize, puzzle: usize) -> &Cell {
        &self.cells[variant * self.manifest.plan.puzzles.len() + puzzle]
    }

    /// Hands every trace to `take`, with the place of its cell and the run's number.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a line that does not belong to the plan, [`Error::Read`], and what `take` reports.
    pub fn for_each_trace(
        &self,
        take: impl FnMut(usize, u32, &[TraceEntry]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        read_traces(&self.folder, &self.names, take).map(drop)
    }

    fn read_runs(&mut self) -> Result<(), Error> {
        let path = Paths::of(&self.folder).runs;
        let ending = read_lines(&path, |line| self.take_run(serde_json::from_slice(line.bytes)?))?;
        self.note(ending, "runs.jsonl");
        for cell in &mut self.cells {
            cell.runs.sort_by_key(|run| run.run);
            let before = cell.runs.len();
            cell.runs.dedup_by(|second, first| second.repeats(first));
            self.state.repeated += (before - cell.runs.len()) as u64;
        }
        self.refuse_contradictions(&path)
    }

    fn take_run(&mut self, part: RunPart) -> Result<(), Flaw> {
        let index = self.names.index(&part.variant, &part.name, part.run)?;
        let cell = (index / u64::from(self.manifest.plan.runs)) as usize;
        self.state.earlier_plan += u64::from(part.plan != self.manifest.plan_hash);
        self.state.timeouts += u64::from(part.stop == Stop::Timeout);
        self.count_origin(&part);
        self.cells[cell].runs.push(RunResult {
            run: part.run,
            solved: part.solved,
            traced: false,
            evaluations: part.evaluations,
            total: part.score.map(|score| score.total),
            wall_s: part.wall_s,
        });
        Ok(())
    }

    fn count_origin(&mut self, part: &RunPart) {
        match self.origins.iter_mut().find(|(origin, _)| origin.is_of(part)) {
            Some((_, runs)) => *runs += 1,
            None => self.origins.push((Origin::of(part), 1)),
        }
    }

    /// Runs that are there twice after equal lines were folded differ from each other.
    fn refuse_contradictions(&self, path: &Path) -> Result<(), Error> {
        let plan = &self.manifest.plan;
        for (cell, place) in self.cells.iter().zip(0..) {
            let Some(twice) = cell.runs.windows(2).find(|pair| pair[0].run == pair[1].run) else { continue };
            let (variant, puzzle) = (place / plan.puzzles.len(), place % plan.puzzles.len());
            return Err(Error::Damaged {
                path: path.into(),
                message: format!(
                    "run {} of `{}` on `{}` stands there twice with different results; the same seed must give the same run, so \
                     one of them was changed or made by another program: remove the wrong one",
                    twice[0].run, plan.variants[variant].name, plan.puzzles[puzzle].name
                ),
            });
        }
        Ok(())
    }

    fn read_traces(&mut self) -> Result<(), Error> {
        let last = self.cells.iter().flat_map(|cell| &cell.runs).map(|run| run.evaluations).max();
        self.budgets = budgets::places(last.unwrap_or(1));
        let mut cells = std::mem::take(&mut self.cells);
        let ending = read_traces(&self.folder, &self.names, |cell, run, trace| {
            let cell = &mut cells[cell];
            match cell.runs.binary_search_by_key(&run, |run| run.run) {
                Ok(place) => cell.take_trace(place, trace, &self.budgets),
                Err(_) => self.state.stray_traces += 1,
            }
            Ok(())
        })?;
        self.cells = cells;
        self.note(ending, "traces.jsonl");
        let scored_without_trace = |run: &&RunResult| !run.traced && run.total.is_some();
        self.state.untraced = self.cells.iter().flat_map(|cell| &cell.runs).filter(scored_without_trace).count() as u64;
        Ok(())
    }

    fn note(&mut self, ending: Ending, file: &'static str) {
        self.state.torn.extend(matches!(ending, Ending::Torn { .. }).then_some(file));
    }
}

/// Hands every trace of a folder to `take`, with the place of its cell and the run's number.
fn read_traces(
    folder: &Path,
    names: &Names,
    mut take: impl FnMut(usize, u32, &[TraceEntry]) -> Result<(), Error>,
) -> Result<Ending, Error> {
    read_lines(&Paths::of(folder).traces, |line| {
        let TracePart { variant, name, run, trace } = serde_json::from_slice(line.bytes)?;
        Ok(take(names.cell(&variant, &name)?, run, &trace)?)
    })
}

impl Cell {
    /// Counts the trace of the run at this place, unless one of it was counted before. A run keeps its best total to the end
    /// of all budgets, so one that has solved stays at 0.
    fn take_trace(&mut self, place: usize, trace: &[TraceEntry], budgets: &[u64]) {
        let run = &mut self.runs[place];
        if run.traced || trace.is_empty() {
            return;
        }
        run.traced = true;
        self.traced += 1;
        self.totals.resize(budgets.len(), Counts::default());
        let mut improvements = trace.iter().peekable();
        let mut best = None;
        for (budget, totals) in budgets.iter().zip(&mut self.totals) {
            while let Some(TraceEntry(.., total)) = improvements.next_if(|entry| entry.2 <= *budget) {
                best = Some(*total);
            }
            best.into_iter().for_each(|total| totals.add(total));
        }
        for (target, spent) in TARGETS.iter().zip(&mut self.targets) {
            let met = trace.iter().find(|TraceEntry(.., total)| total <= target);
            let cost = met.map_or(run.evaluations, |TraceEntry(_, _, evaluations, _)| *evaluations);
            spent.add(Attempt { cost: cost as f64, success: met.is_some() });
        }
    }
}
