//! The result of a run: one type for terminal, JSON, `runs.jsonl`, CSV and reports, with field names that stay.
//!
//! A field is null where it has no meaning: a search without a population scores nothing, a search with one counts no
//! nodes. Fields are only ever added, and every added one may be missing when a record is read.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::provenance::VERSION;
use crate::error::Error;
use crate::fitness::{Backend, Score};
use crate::search::{Outcome, Stop, TracePoint};
use crate::sudoku::Grid;

/// The engine that keeps the population on the host and scores it in one batch per epoch.
pub(super) const BATCH: &str = "batch";

/// The parameters of a run, where it was computed, and its seed: with them, anyone gets the same record again, times
/// aside.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Setting {
    /// The algorithm's name.
    pub algorithm: String,
    /// Its parameters and budget, by the names of the command line.
    pub parameters: Value,
    /// `scalar`, `cpu` or `gpu`; none if nothing is scored.
    pub backend: Option<String>,
    /// The adapter's name, or the instruction set.
    pub adapter: Option<String>,
    /// The reason why this backend was chosen.
    pub backend_reason: Option<String>,
    /// `batch` or `resident`; none if there is no population.
    pub engine: Option<String>,
    /// The seed, below 2^53 unless the user gave a larger one; none if nothing is random.
    pub seed: Option<u64>,
}

impl Setting {
    /// A run that neither scores nor draws anything.
    pub fn new(algorithm: &str, parameters: Value) -> Setting {
        Setting {
            algorithm: algorithm.into(),
            parameters,
            backend: None,
            adapter: None,
            backend_reason: None,
            engine: None,
            seed: None,
        }
    }

    /// The same, scored on this backend by the batch engine.
    pub fn on(self, backend: Backend, adapter: String, reason: String) -> Setting {
        let backend = Some(backend.name().into());
        Setting { backend, adapter: Some(adapter), backend_reason: Some(reason), engine: Some(BATCH.into()), ..self }
    }

    /// The same with this seed.
    pub fn seeded(self, seed: u64) -> Setting {
        Setting { seed: Some(seed), ..self }
    }
}

/// The result of a run, or of a puzzle that was refused before a run began.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// In an experiment, the hash of the plan under which it ran; the manifest has another one once the plan was extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// In an experiment, the variant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The puzzle's name, where its source gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// In an experiment, the run's number in its cell, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// The givens in one line, `.` for a free cell.
    pub puzzle: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its parameters and budget, by the names of the command line.
    pub parameters: Value,
    /// `scalar`, `cpu` or `gpu`; null if nothing is scored.
    pub backend: Option<String>,
    /// The adapter's name, or the instruction set.
    pub adapter: Option<String>,
    /// The reason why this backend was chosen.
    pub backend_reason: Option<String>,
    /// `batch` or `resident`; null if there is no population.
    pub engine: Option<String>,
    /// The run's seed; null if nothing is random.
    pub seed: Option<u64>,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    /// The best score reached; null if nothing was scored.
    pub score: Option<ScoreRecord>,
    /// Candidates scored.
    pub evaluations: u64,
    /// The last epoch of the last restart.
    pub epochs: u32,
    /// Restarts begun, the first attempt included.
    pub restarts: u32,
    /// Nodes visited: the puzzle itself, and every option tried after it; null for a search with a population.
    pub nodes: Option<u64>,
    /// Individuals that were drawn anew because of their age; null if they were not counted.
    pub resets: Option<u64>,
    /// Cells fixed by propagation before the search; null without propagation.
    pub propagated: Option<u32>,
    /// The reason why it stopped.
    pub stop: Stop,
    /// Wall time in seconds; null where runs shared the machine or a dispatch.
    pub wall_s: Option<f64>,
    /// Candidates scored per second of wall time; null if there were none or no time was taken.
    pub evaluations_per_s: Option<f64>,
    /// The fingerprint of the run, 16 hexadecimal digits; null if nothing was scored.
    pub trajectory: Option<String>,
    /// The solution in one line; null if none was found.
    pub solution: Option<String>,
    /// The best grid reached in one line; null if nothing was scored.
    pub best: Option<String>,
    /// This program's version.
    pub version: String,
    /// The commit that this program was built from, where it was built in a repository.
    pub git_revision: Option<String>,
    /// In an experiment, the machine's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Each improvement of the best score. A file of its own holds them.
    #[serde(skip)]
    pub trace: Vec<TracePoint>,
}

/// The parts of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScoreRecord {
    /// Digits missing from rows.
    pub rows: u32,
    /// Digits missing from columns.
    pub columns: u32,
    /// Digits missing from blocks.
    pub blocks: u32,
    /// Their sum.
    pub total: u32,
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> ScoreRecord {
        let (rows, columns, blocks) = (score.rows(), score.columns(), score.blocks());
        ScoreRecord { rows, columns, blocks, total: score.total() }
    }
}

impl Record {
    /// The record of a run. One that scores no candidates has nodes, and neither score nor trajectory.
    pub fn new(name: Option<String>, givens: &Grid, setting: Setting, outcome: &Outcome) -> Record {
        let scores = outcome.nodes.is_none();
        Record {
            solved: outcome.solved(),
            score: scores.then(|| outcome.score.into()),
            nodes: outcome.nodes,
            evaluations: outcome.evaluations,
            epochs: outcome.epochs,
            restarts: outcome.restarts,
            wall_s: outcome.seconds(),
            evaluations_per_s: outcome.evaluations_per_second(),
            trajectory: scores.then(|| format!("{:016x}", outcome.trajectory)),
            solution: outcome.solved().then(|| outcome.grid.to_string()),
            best: scores.then(|| outcome.grid.to_string()),
            trace: outcome.trace.clone(),
            ..Record::blank(name, givens, setting, outcome.stop)
        }
    }

    /// The record of a puzzle that was shown to have no solution before it was searched.
    pub fn unsolvable(name: Option<String>, givens: &Grid, setting: Setting) -> Record {
        Record::blank(name, givens, setting, Stop::Unsolvable)
    }

    fn blank(name: Option<String>, givens: &Grid, setting: Setting, stop: Stop) -> Record {
        let Setting { algorithm, parameters, backend, adapter, backend_reason, engine, seed } = setting;
        Record {
            plan: None,
            variant: None,
            name,
            run: None,
            puzzle: givens.to_string(),
            shape: givens.shape().to_string(),
            algorithm,
            parameters,
            backend,
            adapter,
            backend_reason,
            engine,
            seed,
            solved: false,
            score: None,
            evaluations: 0,
            epochs: 0,
            restarts: 0,
            nodes: None,
            resets: None,
            propagated: None,
            stop,
            wall_s: Some(0.0),
            evaluations_per_s: None,
            trajectory: None,
            solution: None,
            best: None,
            version: VERSION.into(),
            git_revision: None,
            host: None,
            trace: Vec::new(),
        }
    }

    /// The names of variant and puzzle and the run's number, which every record of an experiment has.
    ///
    /// # Errors
    /// A message that names the missing field.
    pub fn id(&self) -> Result<(&str, &str, u32), String> {
        let missing = |field: &str| format!("missing field `{field}`; a run of an experiment has it");
        Ok((
            self.variant.as_deref().ok_or_else(|| missing("variant"))?,
            self.name.as_deref().ok_or_else(|| missing("name"))?,
            self.run.ok_or_else(|| missing("run"))?,
        ))
    }

    /// The best total reached; none if nothing was scored.
    pub fn total(&self) -> Option<u32> {
        self.score.map(|score| score.total)
    }

    /// A digest of the result, without the machine, the time and the backend.
    pub(crate) fn result_digest(&self) -> Result<[u8; 32], Error> {
        let Record { seed, solved, score, evaluations, epochs, restarts, nodes, .. } = self;
        let Record { stop, trajectory, solution, best, .. } = self;
        let result = (seed, solved, score, evaluations, epochs, restarts, nodes, stop, trajectory, solution, best);
        let bytes = serde_json::to_vec(&result).map_err(|error| Error::Internal(format!("a record: {error}")))?;
        Ok(Sha256::digest(bytes).into())
    }

    /// The record without times, for runs that shared the machine or a dispatch.
    pub fn untimed(self) -> Record {
        Record { wall_s: None, evaluations_per_s: None, ..self }
    }

    /// The improvements as a line of `traces.jsonl`.
    ///
    /// # Errors
    /// As [`Record::id`].
    pub fn trace_line(&self) -> Result<TraceLine, String> {
        let (variant, name, run) = self.id()?;
        let entry = |point: &TracePoint| TraceEntry(point.restart, point.epoch, point.evaluations, point.score.total());
        let trace = self.trace.iter().map(entry).collect();
        Ok(TraceLine { variant: variant.into(), name: name.into(), run, seed: self.seed, trace })
    }
}

/// The improvements of a run's best score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceLine {
    /// The variant's name.
    pub variant: String,
    /// The puzzle's name.
    pub name: String,
    /// The run's number in its cell, from 0.
    pub run: u32,
    /// The run's seed; none in files of older versions, and where nothing is random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Each improvement.
    pub trace: Vec<TraceEntry>,
}

/// An improvement, written as `[restart, epoch, evaluations, total]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceEntry(pub u32, pub u32, pub u64, pub u32);

/// Writes the improvements of a run as CSV: a header, then a row per improvement, with the columns restart and epoch
/// (both from 0), evaluations so far, and the best score from then on: rows, columns, blocks, total.
///
/// # Errors
/// The error of `output`.
pub fn write_trace(trace: &[TracePoint], output: impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(output);
    table.write_record(["restart", "epoch", "evaluations", "rows", "columns", "blocks", "total"])?;
    for TracePoint { restart, epoch, evaluations, score } in trace {
        let ScoreRecord { rows, columns, blocks, total } = (*score).into();
        table.serialize((restart, epoch, evaluations, rows, columns, blocks, total))?;
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::exact::Method;
    use crate::search::Budget;
    use crate::search::exact::search_one;
    use crate::sudoku::{Puzzle, Shape};

    fn givens() -> Grid {
        Grid::empty(Shape::new(2, 2).unwrap())
    }

    fn record() -> Record {
        let outcome = Outcome {
            stop: Stop::Evaluations,
            grid: givens(),
            score: Score::new(1, 2, 0),
            evaluations: 300,
            epochs: 7,
            restarts: 1,
            trajectory: 0xAB,
            trace: vec![TracePoint { restart: 0, epoch: 7, evaluations: 300, score: Score::new(1, 2, 0) }],
            wall: Duration::from_millis(500),
            nodes: None,
            shared: false,
        };
        let setting = Setting::new("anneal", json!({ "population": 32 }));
        Record::new(None, &givens(), setting.on(Backend::CPU, "AVX2".into(), "asked for".into()).seeded(1), &outcome)
    }

    #[test]
    fn fields_have_their_names_and_their_order() {
        let expected = r#"{"puzzle":"................","shape":"4x4","algorithm":"anneal","parameters":{"population":32},"backend":"cpu","adapter":"AVX2","backend_reason":"asked for","engine":"batch","seed":1,"solved":false,"score":{"rows":1,"columns":2,"blocks":0,"total":3},"evaluations":300,"epochs":7,"restarts":1,"nodes":null,"resets":null,"propagated":null,"stop":"evaluations","wall_s":0.5,"evaluations_per_s":600.0,"trajectory":"00000000000000ab","solution":null,"best":"................","version":"VERSION","git_revision":null}"#;
        assert_eq!(serde_json::to_string(&record()).unwrap(), expected.replace("VERSION", VERSION));
    }

    #[test]
    fn a_record_of_an_experiment_is_read_as_it_was_written_but_for_its_trace() {
        let of_experiment = Record {
            plan: Some("c0ffee".into()),
            variant: Some("v".into()),
            name: Some("first".into()),
            run: Some(3),
            host: Some("bench-1".into()),
            ..record()
        };
        let text = serde_json::to_string(&of_experiment).unwrap();
        let read: Record = serde_json::from_str(&text).unwrap();
        assert_eq!(read, Record { trace: Vec::new(), ..of_experiment.clone() });
        assert_eq!(read.id(), Ok(("v", "first", 3)));
        assert_eq!(of_experiment.trace_line().unwrap().trace, [TraceEntry(0, 7, 300, 3)]);
        assert!(record().id().unwrap_err().contains("`variant`"));
    }

    #[test]
    fn a_record_without_the_fields_that_were_added_later_is_read() {
        let mut old = serde_json::to_value(record()).unwrap();
        for added in ["engine", "nodes", "resets", "propagated", "git_revision"] {
            old.as_object_mut().unwrap().remove(added).unwrap();
        }
        let read: Record = serde_json::from_value(old).unwrap();
        assert_eq!(read, Record { trace: Vec::new(), engine: None, ..record() });
    }

    #[test]
    fn a_search_without_a_population_has_nodes_and_null_for_what_it_lacks() {
        let puzzle = Puzzle::new(givens()).unwrap();
        let record = |nodes| {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let outcome = search_one(Method::Exact, &puzzle, &budget, &mut |_| ControlFlow::Continue(()));
            Record::new(None, puzzle.givens(), Setting::new("exact", json!({})), &outcome)
        };
        let solved = record(1_000);
        assert_eq!((solved.solved, solved.stop), (true, Stop::Solved));
        assert!(solved.nodes > Some(0) && solved.solution.is_some());
        assert_eq!((solved.score, solved.seed, solved.backend, solved.trajectory), (None, None, None, None));
        let limited = record(1);
        assert_eq!((limited.solved, limited.stop.name(), limited.solution), (false, "nodes", None));
    }

    #[test]
    fn a_trace_is_a_row_per_improvement_under_a_header() {
        let point = |restart, epoch, evaluations, score| TracePoint { restart, epoch, evaluations, score };
        let trace = [point(0, 0, 200, Score::new(11, 12, 0)), point(1, 7, 9000, Score::new(0, 2, 1))];
        let mut written = Vec::new();
        write_trace(&trace, &mut written).unwrap();
        let expected = "restart,epoch,evaluations,rows,columns,blocks,total\n0,0,200,11,12,0,23\n1,7,9000,0,2,1,3\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
