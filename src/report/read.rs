//! Reading a folder: the numbers of each run that figures need, and its trace folded into what curves and tables need.
//!
//! A record is read and checked, and 64 bytes of it are kept. Traces are folded into counts of their cell while they are read.
//! So memory grows with the number of cells, not with the length of runs, and hundreds of thousands of runs are read in one
//! pass over `runs.jsonl` and one over `traces.jsonl`.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::experiment::check::{Check, RunEnd};
use crate::experiment::folder::{Ending, Paths, RecordError, RecordLine, error_at, read_checked_manifest, read_lines};
use crate::experiment::study::Manifest;
use crate::experiment::{Record, TraceEntry, TraceLine};
use crate::report::statistics::{Attempt, Frequencies, TotalCost};
use crate::search::Stop;

/// The targets that are looked for in traces; a run itself says whether it reached 0.
pub(crate) const TARGETS: [u32; 5] = [2, 4, 8, 16, 32];

/// An experiment's folder.
pub struct Study {
    /// Its path.
    pub folder: PathBuf,
    /// The plan and the machine.
    pub manifest: Manifest,
    /// The checks of its lines.
    check: Check,
    /// One per variant and puzzle, in the plan's order, variant by variant.
    pub cells: Vec<Cell>,
    /// Numbers of evaluations at which totals were counted.
    pub budgets: Vec<u64>,
    /// The machines and programs that made the runs, with the number of runs of each.
    pub provenance: Vec<(Provenance, u64)>,
    /// The state of the files.
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
    pub totals: Vec<Frequencies>,
    /// The cost to reach each of [`TARGETS`], of the runs with a trace.
    pub targets: [TotalCost; TARGETS.len()],
}

/// The numbers of a run that figures need: hundreds of thousands are in memory at once.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct RunResult {
    /// Its line in `runs.jsonl`, from 1.
    pub line: u32,
    /// Its number in the cell.
    pub run: u32,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    /// True if its trace was read.
    pub traced: bool,
    /// Candidates scored.
    pub evaluations: u64,
    /// Nodes visited; none for a search with a population.
    pub nodes: Option<u64>,
    /// The best total reached; none if nothing was scored.
    pub total: Option<u32>,
    /// Wall time in seconds, where it was taken.
    pub wall_s: Option<f64>,
    /// True if the wall time ended it.
    pub timed_out: bool,
    /// A digest of its result, the trajectory included, without times and backend.
    pub result: u64,
}

impl RunResult {
    fn new(line: usize, record: &Record) -> Result<RunResult, Error> {
        let digest = record.result_digest()?;
        Ok(RunResult {
            line: line as u32,
            run: record.run.unwrap_or_default(),
            solved: record.solved,
            traced: false,
            evaluations: record.evaluations,
            nodes: record.nodes,
            total: record.total(),
            wall_s: record.wall_s,
            timed_out: record.stop == Stop::Timeout,
            result: u64::from_le_bytes(*digest.first_chunk().expect("a digest has 32 bytes")),
        })
    }

    /// True if this is the same run with the same result; times and backends may differ.
    fn repeats(&self, other: &RunResult) -> bool {
        (self.run, self.result) == (other.run, other.result)
    }

    /// True if the same run on two backends has two results, and not because of its time.
    fn conflicts_with(&self, other: &RunResult) -> bool {
        self.result != other.result && !self.timed_out && !other.timed_out
    }

    fn end(&self) -> RunEnd {
        RunEnd { solved: self.solved, evaluations: self.evaluations, total: self.total }
    }

    /// The run as an attempt whose cost are its evaluations.
    pub fn attempt(&self) -> Attempt {
        Attempt { cost: self.evaluations as f64, success: self.solved }
    }
}

/// The machine and the program that made a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// The machine's name.
    pub host: Option<String>,
    /// `scalar`, `cpu` or `gpu`.
    pub backend: Option<String>,
    /// The instruction set or the adapter.
    pub adapter: Option<String>,
    /// The program's version.
    pub version: String,
    /// The commit it was built from.
    pub git_revision: Option<String>,
}

impl Provenance {
    fn is_of(&self, record: &Record) -> bool {
        self.host == record.host
            && self.backend == record.backend
            && self.adapter == record.adapter
            && self.version == record.version
            && self.git_revision == record.git_revision
    }

    fn of(record: &Record) -> Provenance {
        Provenance {
            host: record.host.clone(),
            backend: record.backend.clone(),
            adapter: record.adapter.clone(),
            version: record.version.clone(),
            git_revision: record.git_revision.clone(),
        }
    }
}

/// The state of the files.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    /// Files whose last line is incomplete.
    pub torn: Vec<&'static str>,
    /// Lines of `runs.jsonl` that repeat an earlier one.
    pub repeated: u64,
    /// Runs whose trace is missing.
    pub untraced: u64,
    /// Traces without a run.
    pub stray_traces: u64,
    /// Runs made before the plan was extended.
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
        let (manifest, check) = read_checked_manifest(&Paths::of(folder).manifest)?;
        let cells = manifest.plan.variants.len() * manifest.plan.puzzles.len();
        let mut study = Study {
            folder: folder.into(),
            check,
            cells: (0..cells).map(|_| Cell::default()).collect(),
            manifest,
            budgets: Vec::new(),
            provenance: Vec::new(),
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
        self.manifest.plan.total_runs()
    }

    /// The cell of a variant on a puzzle.
    pub fn cell(&self, variant: usize, puzzle: usize) -> &Cell {
        &self.cells[variant * self.manifest.plan.puzzles.len() + puzzle]
    }

    /// Passes every trace to `take`, with the place of its cell and the run's number.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a line that does not belong to the plan, [`Error::Read`], and what `take` reports.
    pub fn for_each_trace(
        &self,
        mut take: impl FnMut(usize, u32, &[TraceEntry]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        read_traces(&self.folder, &self.check, |cell, run, trace| Ok(take(cell, run, trace)?)).map(drop)
    }

    fn read_runs(&mut self) -> Result<(), Error> {
        let path = Paths::of(&self.folder).runs;
        let ending = read_lines(&path, |line| self.take_run(line))?;
        self.note(ending, "runs.jsonl");
        for cell in &mut self.cells {
            cell.runs.sort_by_key(|run| run.run);
            let before = cell.runs.len();
            cell.runs.dedup_by(|second, first| second.repeats(first));
            self.state.repeated += (before - cell.runs.len()) as u64;
        }
        self.refuse_contradictions(&path)?;
        self.refuse_other_results_on_other_backends(&path)
    }

    fn take_run(&mut self, line: &RecordLine<'_>) -> Result<(), RecordError> {
        let (record, cell) = self.check.record(line.bytes)?;
        self.state.earlier_plan += u64::from(record.plan.as_ref() != Some(&self.manifest.plan_hash));
        self.state.timeouts += u64::from(record.stop == Stop::Timeout);
        self.count_provenance(&record);
        self.cells[cell].runs.push(RunResult::new(line.number, &record)?);
        Ok(())
    }

    fn count_provenance(&mut self, record: &Record) {
        match self.provenance.iter_mut().find(|(provenance, _)| provenance.is_of(record)) {
            Some((_, runs)) => *runs += 1,
            None => self.provenance.push((Provenance::of(record), 1)),
        }
    }

    /// Refuses two lines of one run with different results; equal lines were removed before.
    fn refuse_contradictions(&self, path: &Path) -> Result<(), Error> {
        let plan = &self.manifest.plan;
        for (place, cell) in self.cells.iter().enumerate() {
            let Some((first, second)) =
                cell.runs.iter().zip(cell.runs.iter().skip(1)).find(|(first, second)| first.run == second.run)
            else {
                continue;
            };
            let (variant, puzzle) = (place / plan.puzzles.len(), place % plan.puzzles.len());
            return Err(self.contradiction(path, (variant, puzzle), (first, variant), second));
        }
        Ok(())
    }

    /// Runs of the same seed are equal on all backends that the plan names.
    fn refuse_other_results_on_other_backends(&self, path: &Path) -> Result<(), Error> {
        let plan = &self.manifest.plan;
        for (variant, counterpart) in plan.counterparts().into_iter().enumerate() {
            for puzzle in 0..plan.puzzles.len() {
                let (runs, others) = (&self.cell(variant, puzzle).runs, &self.cell(counterpart, puzzle).runs);
                let other = |run: &RunResult| others.binary_search_by_key(&run.run, |other| other.run).ok();
                let mut pairs = runs.iter().filter_map(|run| Some((run, &others[other(run)?])));
                if let Some((run, first)) = pairs.find(|(run, first)| run.conflicts_with(first)) {
                    return Err(self.contradiction(path, (variant, puzzle), (first, counterpart), run));
                }
            }
        }
        Ok(())
    }

    /// The error of a run of a cell that has another result than the first line with its seed.
    fn contradiction(
        &self,
        path: &Path,
        (variant, puzzle): (usize, usize),
        (first, first_variant): (&RunResult, usize),
        second: &RunResult,
    ) -> Error {
        let plan = &self.manifest.plan;
        let name = |variant: usize| &plan.variants[variant].name;
        let of = if variant == first_variant { String::new() } else { format!(" as `{}`", name(first_variant)) };
        let found = format!(
            "run {} of `{}` on `{}` has another result{of} in line {}; the same seed gives the same run on every backend, so one \
             of them was changed or made by another program: remove the wrong one",
            second.run,
            name(variant),
            plan.puzzles[puzzle].name,
            first.line
        );
        error_at(path, &[second.line as usize], found)
    }

    fn read_traces(&mut self) -> Result<(), Error> {
        let last = self.cells.iter().flat_map(|cell| &cell.runs).map(|run| run.evaluations).max();
        self.budgets = places(last.unwrap_or(1));
        let mut cells = std::mem::take(&mut self.cells);
        let ending = read_traces(&self.folder, &self.check, |cell, run, trace| {
            let cell = &mut cells[cell];
            match cell.runs.binary_search_by_key(&run, |run| run.run) {
                Ok(place) => {
                    cell.runs[place].end().check(trace)?;
                    cell.take_trace(place, trace, &self.budgets);
                }
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

/// Passes every trace of a folder to `take`, with the place of its cell and the run's number.
fn read_traces(
    folder: &Path,
    check: &Check,
    mut take: impl FnMut(usize, u32, &[TraceEntry]) -> Result<(), RecordError>,
) -> Result<Ending, Error> {
    read_lines(&Paths::of(folder).traces, |line| {
        let (TraceLine { run, trace, .. }, cell) = check.trace(line.bytes)?;
        take(cell, run, &trace)
    })
}

impl Cell {
    /// The runs of searches with a population.
    pub fn scored_runs(&self) -> impl Iterator<Item = &RunResult> {
        self.runs.iter().filter(|run| run.nodes.is_none())
    }

    /// Counts the trace of the run at this place, unless one of it was counted before. A run keeps its best total to the end
    /// of all budgets, so one that has solved stays at 0.
    fn take_trace(&mut self, place: usize, trace: &[TraceEntry], budgets: &[u64]) {
        let run = &mut self.runs[place];
        if run.traced || trace.is_empty() {
            return;
        }
        run.traced = true;
        self.traced += 1;
        self.totals.resize(budgets.len(), Frequencies::default());
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

/// Places in each decade of a curve.
const PER_DECADE: u32 = 20;

/// Ascending numbers of evaluations from 1 to `last`, both included: twenty per decade, evenly spaced by their logarithm, with
/// every power of ten among them. The same for all searches, so that many runs need no more memory than one.
pub(crate) fn places(last: u64) -> Vec<u64> {
    let last = last.max(1);
    let place = |step: u32| {
        let decade = 10_f64.powi((step / PER_DECADE) as i32);
        (decade * 10_f64.powf(f64::from(step % PER_DECADE) / f64::from(PER_DECADE))).round() as u64
    };
    let mut places: Vec<u64> =
        (0..20 * PER_DECADE).map(place).take_while(|place| *place < last).chain([last]).collect();
    places.dedup();
    places
}

/// The budgets of the fixed-budget tables: the powers of ten from 1,000, and the last place.
pub(crate) fn is_budget(evaluations: u64, last: u64) -> bool {
    evaluations == last || (evaluations >= 1000 && 10_u64.pow(evaluations.ilog10()) == evaluations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_ascend_from_1_to_the_last_over_the_powers_of_ten() {
        for last in [0, 1, 2, 999, 1000, 123_456_789, u64::MAX] {
            let places = places(last);
            assert_eq!((places[0], *places.last().unwrap()), (1, last.max(1)));
            assert!(places.is_sorted_by(|a, b| a < b), "{last}");
            let mut powers = (0..20).map(|power| 10_u64.pow(power)).take_while(|power| *power <= last);
            assert!(powers.all(|power| places.binary_search(&power).is_ok()), "{last}");
        }
        assert_eq!(places(1000).len(), 50);
    }

    #[test]
    fn budgets_are_powers_of_ten_and_the_last_place() {
        let budgets: Vec<u64> = places(2_500_000).into_iter().filter(|place| is_budget(*place, 2_500_000)).collect();
        assert_eq!(budgets, [1000, 10_000, 100_000, 1_000_000, 2_500_000]);
        assert!(is_budget(7, 7));
    }
}
