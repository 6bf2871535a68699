//! The runs in the format of IOHprofiler, for IOHanalyzer: the field's own tool for tables, tests and charts.
//!
//! ```text
//! FOLDER/1-anneal/IOHprofiler_f3.json                    a variant on a puzzle: what it is, and each run's end
//! FOLDER/1-anneal/data_f3/IOHprofiler_f3_DIM81.dat       the same runs in the same order, improvement by improvement
//! ```
//!
//! The format is that of IOHexperimenter 0.4.2 (its class `Analyzer`; J. de Nobel, F. Ye, D. Vermetten, H. Wang, C. Doerr and
//! T. Bäck, "IOHexperimenter: benchmarking platform for iterative optimization heuristics", Evolutionary Computation 32(3),
//! 2024), which IOHanalyzer and `iohinspector` read. A puzzle is a function whose dimension is its number of
//! cells, a variant an algorithm; the function's value is the total, to be minimised, with the target 0.
//!
//! Readers take a row with evaluation 1 for the begin of a run. A population is scored whole, so nothing is known before its
//! last individual: until then the value is the highest total that a grid of the shape can have. The last row has all
//! evaluations of the run, solved or not, so that those of censored runs count.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Exported, Exporter};
use crate::error::Error;
use crate::experiment::TraceEntry;
use crate::experiment::study::PlannedVariant;
use crate::report::figures::assignments;
use crate::report::read::{Cell, RunResult, Study};

/// The runs.
pub(super) const IOHANALYZER: Exporter = Exporter {
    option: "iohanalyzer",
    letter: None,
    value: "FOLDER",
    help: "Write every run in the format of IOHexperimenter 0.4.2 into this folder, for IOHanalyzer",
    name: "IOHanalyzer",
    form: Exported::Folder(|report, folder| write_iohanalyzer(&report.study, folder)),
};

/// The version of IOHexperimenter whose format this is.
const VERSION: &str = "0.4.2";

/// Bytes of a data file that are kept before they are written: traces come in any order, and there are many files.
const KEPT: usize = 1 << 16;

/// Writes all runs to a folder, which is created if it does not exist. Files of an earlier export are replaced.
///
/// # Errors
/// [`Error::Write`] with the file and the reason, and those of reading the traces again.
fn write_iohanalyzer(study: &Study, folder: &Path) -> Result<(), Error> {
    let mut files: Vec<DataFile> = (0..study.cells.len()).map(|place| DataFile::new(study, place, folder)).collect();
    for (file, cell) in files.iter().zip(&study.cells) {
        if !cell.runs.is_empty() {
            file.create()?;
        }
    }
    study.for_each_trace(|place, run, trace| {
        let cell = &study.cells[place];
        match cell.runs.binary_search_by_key(&run, |run| run.run) {
            Ok(run) => files[place].take(run, &cell.runs[run], trace),
            Err(_) => Ok(()),
        }
    })?;
    for (place, (file, cell)) in files.iter_mut().zip(&study.cells).enumerate() {
        for (run, result) in cell.runs.iter().enumerate() {
            file.take(run, result, &[])?;
        }
        if !cell.runs.is_empty() {
            file.flush()?;
            file.describe(study, place, cell)?;
        }
    }
    Ok(())
}

/// The data of a cell.
struct DataFile {
    /// The variant's folder.
    folder: PathBuf,
    /// The puzzle's number, from 1.
    function: usize,
    cells: usize,
    worst: u32,
    kept: String,
    /// The runs in the order in which they were written, by their place in the cell.
    order: Vec<usize>,
    is_written: Vec<bool>,
}

impl DataFile {
    fn new(study: &Study, place: usize, folder: &Path) -> DataFile {
        let plan = &study.manifest.plan;
        let (variant, puzzle) = (place / plan.puzzles.len(), place % plan.puzzles.len());
        let cells = plan.puzzles[puzzle].puzzle.chars().count();
        let side = cells.isqrt() as u32;
        DataFile {
            folder: folder.join(format!("{}-{}", variant + 1, file_name(&plan.variants[variant].name))),
            function: puzzle + 1,
            cells,
            worst: 3 * side * side.saturating_sub(1),
            kept: String::new(),
            order: Vec::new(),
            is_written: vec![false; study.cells[place].runs.len()],
        }
    }

    /// The data file, from the variant's folder.
    fn name(&self) -> String {
        format!("data_f{0}/IOHprofiler_f{0}_DIM{1}.dat", self.function, self.cells)
    }

    fn create(&self) -> Result<(), Error> {
        let path = self.folder.join(self.name());
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create(&path));
        made.map(drop).map_err(|source| Error::Write { path, source })
    }

    /// Adds a run, unless it was added before.
    fn take(&mut self, place: usize, run: &RunResult, trace: &[TraceEntry]) -> Result<(), Error> {
        if std::mem::replace(&mut self.is_written[place], true) {
            return Ok(());
        }
        self.order.push(place);
        self.kept.push_str("evaluations raw_y\n");
        for (evaluations, total) in self.rows(run, trace) {
            self.kept.push_str(&format!("{evaluations} {total}\n"));
        }
        if self.kept.len() < KEPT { Ok(()) } else { self.flush() }
    }

    /// From evaluation 1 to the last, each improvement.
    fn rows(&self, run: &RunResult, trace: &[TraceEntry]) -> Vec<(u64, u32)> {
        let mut rows: Vec<(u64, u32)> = trace.iter().map(|TraceEntry(_, _, at, total)| (*at, *total)).collect();
        if rows.first().is_none_or(|(evaluations, _)| *evaluations > 1) && run.evaluations > 1 {
            rows.insert(0, (1, self.worst));
        }
        if rows.last().is_none_or(|(evaluations, _)| *evaluations < run.evaluations) || rows.is_empty() {
            rows.push((run.evaluations.max(1), run.total.unwrap_or(self.worst)));
        }
        rows
    }

    fn flush(&mut self) -> Result<(), Error> {
        let path = self.folder.join(self.name());
        let file = File::options().append(true).open(&path);
        file.and_then(|mut file| file.write_all(self.kept.as_bytes()))
            .map_err(|source| Error::Write { path, source })?;
        self.kept.clear();
        Ok(())
    }

    fn describe(&self, study: &Study, place: usize, cell: &Cell) -> Result<(), Error> {
        let plan = &study.manifest.plan;
        let (variant, puzzle) = (place / plan.puzzles.len(), place % plan.puzzles.len());
        let PlannedVariant { name, algorithm, parameters, .. } = &plan.variants[variant];
        let runs: Vec<Value> = self.order.iter().map(|place| self.run(&cell.runs[*place])).collect();
        let about = json!({
            "version": VERSION,
            "suite": "sudoku",
            "function_id": self.function,
            "function_name": plan.puzzles[puzzle].name,
            "maximization": false,
            "algorithm": { "name": name, "info": format!("{algorithm}: {}", assignments(parameters)) },
            "attributes": ["evaluations", "raw_y"],
            "scenarios": [{ "dimension": self.cells, "path": self.name(), "runs": runs }],
        });
        let path = self.folder.join(format!("IOHprofiler_f{}.json", self.function));
        let text = format!("{about:#}\n");
        fs::write(&path, text).map_err(|source| Error::Write { path, source })
    }

    /// How a run ended. IOHexperimenter tells its best positions too; ours are in `runs.jsonl`.
    fn run(&self, run: &RunResult) -> Value {
        let (evaluations, total) = (run.evaluations.max(1), run.total.unwrap_or(self.worst));
        json!({ "instance": 1, "evals": evaluations, "best": { "evals": evaluations, "y": total, "x": [] } })
    }
}

/// A name as part of a file's: letters and digits of ASCII, `-`, `.` and `_`; a number before it keeps it unique.
fn file_name(name: &str) -> String {
    let plain = |sign: char| if sign.is_ascii_alphanumeric() || "-._".contains(sign) { sign } else { '-' };
    name.chars().map(plain).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> DataFile {
        DataFile {
            folder: PathBuf::new(),
            function: 3,
            cells: 81,
            worst: 216,
            kept: String::new(),
            order: Vec::new(),
            is_written: vec![false; 2],
        }
    }

    fn run(evaluations: u64, total: Option<u32>) -> RunResult {
        RunResult { run: 0, solved: total == Some(0), traced: true, evaluations, total, ..RunResult::default() }
    }

    #[test]
    fn a_run_begins_at_evaluation_1_and_ends_with_all_it_spent() {
        let trace = [TraceEntry(0, 0, 200, 23), TraceEntry(0, 4, 1000, 2)];
        assert_eq!(file().rows(&run(5000, Some(2)), &trace), [(1, 216), (200, 23), (1000, 2), (5000, 2)]);
        assert_eq!(file().rows(&run(1000, Some(2)), &trace), [(1, 216), (200, 23), (1000, 2)]);
        assert_eq!(file().rows(&run(700, Some(9)), &[]), [(1, 216), (700, 9)]);
        assert_eq!(file().rows(&run(1, Some(9)), &[TraceEntry(0, 0, 1, 9)]), [(1, 9)]);
        assert_eq!(file().rows(&run(0, Some(0)), &[]), [(1, 0)]);
        assert_eq!(file().rows(&run(0, None), &[]), [(1, 216)]);
    }

    #[test]
    fn a_run_is_written_once() {
        let mut file = file();
        file.take(1, &run(700, Some(9)), &[TraceEntry(0, 0, 700, 9)]).unwrap();
        file.take(1, &run(700, Some(9)), &[]).unwrap();
        assert_eq!((file.order.as_slice(), file.kept.as_str()), (&[1][..], "evaluations raw_y\n1 216\n700 9\n"));
    }

    #[test]
    fn names_become_parts_of_paths() {
        assert_eq!(file_name("swarm <&> T=0.3/größe"), "swarm-----T-0.3-gr--e");
    }
}
