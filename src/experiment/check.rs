//! Checks of the lines of a folder: each is held against the plan, its budget, and the puzzle that it claims to solve, so
//! that figures are not made from what a run cannot have done.

use serde_json::Value;

use super::folder::{Names, RecordError};
use super::plan::cell_seeds;
use super::study::{Manifest, PlannedPuzzle, PlannedVariant, ResolvedPlan, Shard, run_seed};
use super::{Record, TraceEntry, TraceLine};
use crate::fitness::oracle;
use crate::search::Stop;
use crate::sudoku::{Grid, Puzzle, Shape};

/// The lines of one folder, to be checked.
pub(crate) struct Check {
    plan: ResolvedPlan,
    puzzles: Vec<Puzzle>,
    names: Names,
    cell_seeds: Vec<u64>,
    shard: Option<Shard>,
    timing: bool,
}

/// The end of a run, as its trace must tell it too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunEnd {
    /// True if it solved.
    pub solved: bool,
    /// Candidates scored.
    pub evaluations: u64,
    /// The best total; none if nothing was scored.
    pub total: Option<u32>,
}

impl RunEnd {
    /// The end of the run of a record.
    pub(crate) fn of(record: &Record) -> RunEnd {
        RunEnd { solved: record.solved, evaluations: record.evaluations, total: record.total() }
    }

    /// The last improvement of a trace is that to the record's total.
    ///
    /// # Errors
    /// A message with what does not fit.
    pub(crate) fn check(self, trace: &[TraceEntry]) -> Result<(), String> {
        let Some(TraceEntry(.., at, total)) = trace.last() else { return Ok(()) };
        if Some(*total) != self.total {
            let said = self.total.map_or("none".into(), |total| total.to_string());
            return Err(format!("this trace ends with the total {total}, its run in runs.jsonl with {said}"));
        }
        let spent = self.evaluations;
        if *at > spent || (self.solved && *at != spent) {
            return Err(format!("this trace ends at {at} evaluations, its run in runs.jsonl at {spent}"));
        }
        Ok(())
    }
}

impl TraceLine {
    /// Evaluations rise and totals fall from improvement to improvement.
    ///
    /// # Errors
    /// A message, if they do not.
    pub(crate) fn check_falls(&self) -> Result<(), String> {
        let falls = |pair: &[TraceEntry]| pair[0].2 <= pair[1].2 && pair[0].3 > pair[1].3;
        match self.trace.windows(2).all(falls) {
            true => Ok(()),
            false => Err("the totals of this trace do not fall from improvement to improvement".into()),
        }
    }
}

impl Check {
    /// The checks of a folder with this manifest.
    ///
    /// # Errors
    /// A message, if a puzzle of the plan is none.
    pub(crate) fn new(manifest: &Manifest) -> Result<Check, String> {
        let plan = manifest.plan.clone();
        let puzzle = |planned: &PlannedPuzzle| {
            let refuse = |error: &dyn std::fmt::Display| format!("the puzzle `{}` is none: {error}", planned.name);
            let shape: Shape = planned.shape.parse().map_err(|error: crate::Error| refuse(&error))?;
            let givens = grid(&planned.puzzle, shape).map_err(|error| refuse(&error))?;
            Puzzle::new(givens).map_err(|error| refuse(&error))
        };
        Ok(Check {
            puzzles: plan.puzzles.iter().map(puzzle).collect::<Result<_, _>>()?,
            names: Names::new(&plan),
            cell_seeds: cell_seeds(&plan),
            shard: manifest.shard,
            timing: manifest.timing,
            plan,
        })
    }

    /// How the plan counts cells and runs.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The record of a line of `runs.jsonl`, and its cell.
    ///
    /// # Errors
    /// What the line cannot be.
    pub(crate) fn record(&self, line: &[u8]) -> Result<(Record, usize), RecordError> {
        let record: Record = serde_json::from_slice(line)?;
        let cell = {
            let (variant, name, run) = record.id()?;
            self.names.cell_of_run(variant, name, run)?
        };
        self.check_plan(&record, cell)?;
        self.check_counts(&record, &self.plan.variants[cell / self.puzzles.len()])?;
        self.check_times(&record)?;
        check_result(&record, &self.puzzles[cell % self.puzzles.len()])?;
        Ok((record, cell))
    }

    /// The trace of a line of `traces.jsonl`, and its cell.
    ///
    /// # Errors
    /// What the line cannot be.
    pub(crate) fn trace(&self, line: &[u8]) -> Result<(TraceLine, usize), RecordError> {
        let trace: TraceLine = serde_json::from_slice(line)?;
        let cell = self.names.cell(&trace.variant, &trace.name)?;
        trace.check_falls()?;
        let seed = run_seed(self.cell_seeds[cell], trace.run);
        match trace.seed.is_none_or(|found| found == seed) {
            true => Ok((trace, cell)),
            false => Err(format!("the seed of this trace's run should be {seed}").into()),
        }
    }

    /// Puzzle, algorithm, seed and part are those of the plan.
    fn check_plan(&self, record: &Record, cell: usize) -> Result<(), String> {
        let variant = &self.plan.variants[cell / self.puzzles.len()];
        let puzzle = &self.plan.puzzles[cell % self.puzzles.len()];
        let run = record.run.unwrap_or_default();
        equal("puzzle", &record.puzzle, &puzzle.puzzle)?;
        equal("shape", &record.shape, &puzzle.shape)?;
        equal("algorithm", &record.algorithm, &variant.algorithm)?;
        let is_exact = variant.is_exact();
        if record.nodes.is_some() != is_exact {
            let expected = if is_exact { "have nodes" } else { "have none" };
            return Err(format!("nodes is {:?}, but runs of `{}` {expected}", record.nodes, variant.algorithm));
        }
        let seed = (!is_exact).then(|| run_seed(self.cell_seeds[cell], run));
        if record.seed != seed {
            return Err(wrong_seed(seed));
        }
        check_backend(record.backend.as_deref(), variant.backend.as_deref())?;
        match self.shard {
            Some(shard) if !shard.has(self.cell_seeds[cell], run) => Err("this run is in another part".into()),
            _ => Ok(()),
        }
    }

    /// Counts are within the budget, and the run stopped for a reason that there was.
    fn check_counts(&self, record: &Record, variant: &PlannedVariant) -> Result<(), String> {
        let limit = |key: &str| {
            let own = variant.budget.as_ref().and_then(|own| own.get(key));
            own.or_else(|| self.plan.budget.get(key)).and_then(Value::as_f64)
        };
        for (key, count) in [
            ("evaluations", record.evaluations as f64),
            ("epochs", f64::from(record.epochs)),
            ("restarts", f64::from(record.restarts)),
            ("nodes", record.nodes.unwrap_or_default() as f64),
        ] {
            if let Some(most) = limit(key).filter(|most| count > *most) {
                return Err(format!("{key} is {count}, but the budget of a run is {most}"));
            }
        }
        let needed = match record.stop {
            Stop::Evaluations => "evaluations",
            Stop::Epochs => "epochs",
            Stop::Restarts => "restarts",
            Stop::Timeout => "seconds",
            Stop::Nodes => "nodes",
            Stop::Converged => "patience",
            _ => return Ok(()),
        };
        match limit(needed).filter(|_| variant.has_stop(needed)) {
            Some(_) => Ok(()),
            None => Err(format!("stop is `{}`, but the budget has no {needed}", record.stop.name())),
        }
    }

    /// Times are there with `--timing` alone, and the rate is that of evaluations and time.
    fn check_times(&self, record: &Record) -> Result<(), String> {
        if record.wall_s.is_some() != self.timing {
            let expected = if self.timing { "seconds" } else { "null" };
            return Err(format!("wall_s is {:?}, but runs of this folder have {expected}", record.wall_s));
        }
        let Some(wall) = record.wall_s else { return Ok(()) };
        let rate = (record.evaluations > 0 && wall > 0.0).then(|| record.evaluations as f64 / wall);
        let fits = match (record.evaluations_per_s, rate) {
            (Some(said), Some(rate)) => (said / rate - 1.0).abs() < 1e-9,
            (said, _) => said.is_none(),
        };
        match wall.is_finite() && wall >= 0.0 && fits {
            true => Ok(()),
            false => Err(format!("{wall} s and {} evaluations do not give evaluations_per_s", record.evaluations)),
        }
    }
}

/// The message of a run whose seed is another one.
pub(crate) fn wrong_seed(expected: Option<u64>) -> String {
    format!("this run's seed should be {}", expected.map_or("null".into(), |seed| seed.to_string()))
}

/// A run was scored on the backend that the plan names.
///
/// # Errors
/// A message with both backends.
pub(crate) fn check_backend(found: Option<&str>, named: Option<&str>) -> Result<(), String> {
    match named {
        Some(named) => equal("backend", found.unwrap_or("null"), named),
        None => Ok(()),
    }
}

fn equal(field: &str, found: &str, expected: &str) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{field} is `{found}`, but the plan in manifest.json has `{expected}` for this run")),
    }
}

/// A solution solves the puzzle, and the score is that of the best grid.
fn check_result(record: &Record, puzzle: &Puzzle) -> Result<(), String> {
    let Record { solved, score, stop, solution, best, .. } = record;
    if *solved != (*stop == Stop::Solved) || *solved != solution.is_some() {
        return Err(format!("solved is {solved}, which does not fit its stop or its solution"));
    }
    if let Some(text) = solution
        && !puzzle.accepts(&grid(text, puzzle.shape())?)
    {
        return Err("solution does not solve the puzzle".into());
    }
    let Some(score) = score else {
        return match record.evaluations {
            0 => Ok(()),
            scored => Err(format!("score is null, but {scored} candidates were scored")),
        };
    };
    if score.rows.checked_add(score.columns).and_then(|sum| sum.checked_add(score.blocks)) != Some(score.total) {
        return Err("score.total is not the sum of rows, columns and blocks".into());
    }
    if *solved != (score.total == 0) {
        return Err(format!("solved is {solved}, but the total is {}", score.total));
    }
    let Some(best) = best else { return Ok(()) };
    let best_grid = grid(best, puzzle.shape())?;
    if super::ScoreRecord::from(oracle::score(&best_grid)) != *score {
        return Err("score is not that of the grid in best".into());
    }
    let givens = puzzle.givens().cells().iter().zip(best_grid.cells());
    match givens.into_iter().all(|(given, digit)| *given == 0 || given == digit) {
        true if *solved && solution.as_ref() != Some(best) => Err("best is not the solution".into()),
        true => Ok(()),
        false => Err("best has other givens than the puzzle".into()),
    }
}

/// A grid in one line, as records hold it: `.` for an empty cell, letters from A for digits past 9.
fn grid(text: &str, shape: Shape) -> Result<Grid, String> {
    let digit = |sign: char| match sign {
        '.' => Some(0),
        '0' => None,
        sign => sign.to_digit(36).map(|digit| digit as u8),
    };
    let cells: Option<Vec<u8>> = text.chars().map(digit).collect();
    let cells = cells.ok_or_else(|| format!("`{text}` is not a grid in one line"))?;
    Grid::new(shape, cells).map_err(|error| error.to_string())
}
