//! The record of a search without a population: the same fields, and its nodes.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::exact::{Found, Limits, Method, Stop};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;

/// A run of plain backtracking or of the exact solver, in the fields of [`super::Record`]. Those that tell of a
/// population, of scoring or of randomness are 0 or null.
#[derive(Clone, Debug, Serialize)]
pub struct ExactRecord {
    /// The puzzle's name, where its source gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The givens in one line, `.` for a free cell.
    pub puzzle: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// The method's name.
    pub algorithm: &'static str,
    /// Its limits, by the names of the command line.
    pub parameters: serde_json::Value,
    backend: Option<&'static str>,
    adapter: Option<&'static str>,
    backend_reason: Option<&'static str>,
    seed: Option<u64>,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    score: Option<u32>,
    evaluations: u64,
    epochs: u32,
    restarts: u32,
    /// Nodes visited: the puzzle itself, and every option tried after it.
    pub nodes: u64,
    /// Why it stopped.
    #[serde(serialize_with = "by_name")]
    pub stop: Stop,
    /// Wall time in seconds.
    pub wall_s: f64,
    evaluations_per_s: Option<f64>,
    trajectory: Option<String>,
    /// The solution in one line; null if none was found.
    pub solution: Option<String>,
    /// The solution as a grid.
    #[serde(skip)]
    pub grid: Option<Grid>,
    best: Option<String>,
    /// This program's version.
    pub version: &'static str,
}

impl ExactRecord {
    /// Why it stopped, in the words of results.
    pub fn stop_name(&self) -> &'static str {
        outcome(self.stop)
    }

    /// The record of a search for one solution.
    pub fn new(
        name: Option<String>,
        puzzle: &Puzzle,
        method: Method,
        limits: Limits,
        found: &Found,
        wall: Duration,
    ) -> ExactRecord {
        let grid = found.solutions.first().filter(|grid| puzzle.accepts(grid)).cloned();
        let timeout = limits.time.map(|time| time.as_secs_f64());
        ExactRecord {
            name,
            puzzle: puzzle.givens().to_string(),
            shape: puzzle.shape().to_string(),
            algorithm: method.name(),
            parameters: serde_json::json!({ "nodes": limits.nodes, "timeout": timeout }),
            backend: None,
            adapter: None,
            backend_reason: None,
            seed: None,
            solved: grid.is_some(),
            score: None,
            evaluations: 0,
            epochs: 0,
            restarts: 0,
            nodes: found.nodes,
            stop: found.stop,
            wall_s: wall.as_secs_f64(),
            evaluations_per_s: None,
            trajectory: None,
            solution: grid.as_ref().map(Grid::to_string),
            grid,
            best: None,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

fn by_name<S: Serializer>(stop: &Stop, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome(*stop))
}

/// The words of [`crate::search::Stop`] for a search that ends at its first solution.
fn outcome(stop: Stop) -> &'static str {
    match stop {
        Stop::SolutionLimit => "solved",
        Stop::Exhausted => "unsolvable",
        Stop::NodeLimit => "nodes",
        Stop::TimeLimit => "timeout",
        Stop::Interrupted => "interrupted",
    }
}
