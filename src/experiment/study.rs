//! What an experiment's folder holds, as the program writes it and as its reports read it.
//!
//! ```text
//! manifest.json   one Manifest: the resolved plan and where it ran
//! runs.jsonl      one RunLine a run, appended as the run ends, in any order
//! traces.jsonl    one TraceLine a run
//! ```
//!
//! A *variant* is an algorithm with one setting of its parameters, a *cell* a variant on a puzzle, a *run* one seed of a
//! cell. Variants and puzzles have names, unique in a plan; a run is known by (variant, name, run).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ScoreRecord;
use crate::search::{Algorithm, Stop};

/// The version of the folder's format.
pub const FORMAT: u32 = 1;

/// What was planned, and on what it ran.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`]
    pub format: u32,
    /// The plan with all arrays spread out and all defaults filled in.
    pub plan: ResolvedPlan,
    /// SHA-256 of the resolved plan's JSON, in hexadecimal.
    pub plan_hash: String,
    /// The part of the runs that this folder is for; none if for all.
    pub shard: Option<Shard>,
    /// True if each run had the machine for itself, so that its seconds mean something.
    pub timing: bool,
    /// This program's version.
    pub version: String,
    /// The commit that this program was built from, where it was built in a repository.
    pub git_revision: Option<String>,
    /// The machine's name.
    pub host: String,
    /// The processor's name.
    pub processor: String,
    /// Processor cores that were used.
    pub threads: usize,
    /// `scalar`, `cpu` or `gpu`.
    pub backend: String,
    /// The instruction set or the adapter.
    pub adapter: String,
    /// When it was begun, as RFC 3339 in UTC.
    pub started: String,
}

/// One of `count` parts of all runs, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, `1..=count`.
    pub index: u32,
    /// Parts in all.
    pub count: u32,
}

/// A plan with nothing left to be chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResolvedPlan {
    /// What the experiment is called.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// Runs of each cell.
    pub runs: u32,
    /// The budget of each run by the names of the plan: `evaluations`, `epochs`, `restarts`, `seconds`.
    pub budget: Value,
    /// The puzzles, in the plan's order.
    pub puzzles: Vec<PlannedPuzzle>,
    /// The variants, in the plan's order.
    pub variants: Vec<Variant>,
}

/// A puzzle under the name that its runs bear.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlannedPuzzle {
    /// Unique in the plan.
    pub name: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// The givens in one line, `.` for a free cell.
    pub puzzle: String,
}

/// An algorithm with one setting of its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Variant {
    /// Unique in the plan: the label of the plan, and the swept values that tell it from others.
    pub name: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its parameters: those on which all puzzles of the plan agree.
    pub parameters: Value,
    /// The stops that are its own, by the names of the plan; none if it has those of the plan alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Value>,
    /// The backend that the plan names for it; none if it is chosen when it runs. It has no part in a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
}

impl Variant {
    /// True if it makes one run per puzzle, whatever the plan's number of runs.
    pub fn is_deterministic(&self) -> bool {
        Algorithm::named(&self.algorithm).is_ok_and(Algorithm::is_deterministic)
    }
}

/// A run that ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunLine {
    /// The hash of the plan under which it ran; once more was added to that, the manifest's is another.
    pub plan: String,
    /// The variant's name.
    pub variant: String,
    /// The puzzle's name.
    pub name: String,
    /// The run's number in its cell, from 0.
    pub run: u32,
    /// The givens in one line, `.` for a free cell.
    pub puzzle: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its parameters and the budget, by the names of the command line.
    pub parameters: Value,
    /// `scalar`, `cpu` or `gpu`.
    pub backend: String,
    /// The instruction set or the adapter.
    pub adapter: String,
    /// Why this backend was taken.
    pub backend_reason: String,
    /// The run's own seed.
    pub seed: u64,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    /// The best score reached; null if nothing was scored.
    pub score: Option<ScoreRecord>,
    /// Candidates scored.
    pub evaluations: u64,
    /// Nodes visited by an exact method; left out for a search that scores candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The last epoch of the last restart.
    pub epochs: u32,
    /// Restarts begun, the first attempt included.
    pub restarts: u32,
    /// Why it stopped.
    pub stop: Stop,
    /// Wall time in seconds; null unless the run had the machine for itself.
    pub wall_s: Option<f64>,
    /// Candidates scored a second; null unless the run had the machine for itself.
    pub evaluations_per_s: Option<f64>,
    /// The fingerprint of the run, 16 hexadecimal digits; null if nothing ran.
    pub trajectory: Option<String>,
    /// The solution in one line; null if none was found.
    pub solution: Option<String>,
    /// The best grid reached in one line; null if nothing was scored.
    pub best: Option<String>,
    /// This program's version.
    pub version: String,
    /// The commit that this program was built from, where it was built in a repository.
    pub git_revision: Option<String>,
    /// The machine's name.
    pub host: String,
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
    /// Each improvement.
    pub trace: Vec<TraceEntry>,
}

/// An improvement, written as `[restart, epoch, evaluations, total]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceEntry(pub u32, pub u32, pub u64, pub u32);
