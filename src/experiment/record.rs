//! One run as one JSON object a line, with field names that stay.

use serde::{Deserialize, Serialize};

use crate::fitness::{Backend, Score};
use crate::search::{Outcome, Stop};
use crate::sudoku::Grid;

/// What defines a run: with it, anyone gets the same record again, times aside.
#[derive(Clone, Debug, Serialize)]
pub struct Setting {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Its parameters and budget, by the names of the command line.
    pub parameters: serde_json::Value,
    /// Who computed.
    pub backend: Backend,
    /// What computed: the adapter's name, or the instruction set.
    pub adapter: String,
    /// Why this backend was taken.
    pub backend_reason: String,
    /// The seed, below 2^53 unless the user gave a larger one.
    pub seed: u64,
}

/// A run that was made, or refused before it began.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The puzzle's name, where its source gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The givens in one line, `.` for a free cell.
    pub puzzle: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// Algorithm, parameters, backend, adapter and seed.
    #[serde(flatten)]
    pub setting: Setting,
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
    /// Why it stopped.
    pub stop: Stop,
    /// Wall time in seconds.
    pub wall_s: f64,
    /// Candidates scored a second of wall time; null if none was.
    pub evaluations_per_s: Option<f64>,
    /// The fingerprint of the run, 16 hexadecimal digits; null if nothing ran.
    pub trajectory: Option<String>,
    /// The solution in one line; null if none was found.
    pub solution: Option<String>,
    /// The best grid reached in one line; null if nothing was scored.
    pub best: Option<String>,
    /// This program's version.
    pub version: &'static str,
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
    /// The record of a run that was made.
    pub fn new(name: Option<String>, givens: &Grid, setting: Setting, outcome: &Outcome) -> Record {
        Record {
            solved: outcome.solved(),
            score: Some(outcome.score.into()),
            evaluations: outcome.evaluations,
            epochs: outcome.epochs,
            restarts: outcome.restarts,
            wall_s: outcome.wall.as_secs_f64(),
            evaluations_per_s: outcome.evaluations_per_second(),
            trajectory: Some(format!("{:016x}", outcome.trajectory)),
            solution: outcome.solved().then(|| outcome.grid.to_string()),
            best: Some(outcome.grid.to_string()),
            ..Record::blank(name, givens, setting, outcome.stop)
        }
    }

    /// The record of a puzzle that was shown to have no solution.
    pub fn unsolvable(name: Option<String>, givens: &Grid, setting: Setting) -> Record {
        Record::blank(name, givens, setting, Stop::Unsolvable)
    }

    fn blank(name: Option<String>, givens: &Grid, setting: Setting, stop: Stop) -> Record {
        Record {
            name,
            puzzle: givens.to_string(),
            shape: givens.shape().to_string(),
            setting,
            solved: false,
            score: None,
            evaluations: 0,
            epochs: 0,
            restarts: 0,
            stop,
            wall_s: 0.0,
            evaluations_per_s: None,
            trajectory: None,
            solution: None,
            best: None,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
