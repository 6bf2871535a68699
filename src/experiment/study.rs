//! What an experiment's folder holds, as the program writes it and as its reports read it.
//!
//! ```text
//! manifest.json   one Manifest: the resolved plan and where it ran
//! runs.jsonl      one Record per run, appended as the run ends, in any order
//! traces.jsonl    one TraceLine per run
//! ```
//!
//! A *variant* is an algorithm with one setting of its parameters, a *cell* a variant on a puzzle, a *run* one seed of a
//! cell. Variants and puzzles have names, unique in a plan; a run is known by (variant, name, run).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plan::{cell_seeds, hexadecimal};
use crate::error::Error;
use crate::population::rng::{Key, Stream};
use crate::search::Algorithm;

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
    /// `scalar`, `cpu` or `gpu`; several with commas between them where the plan names them.
    pub backend: String,
    /// The instruction set or the adapter, of each backend.
    pub adapter: String,
    /// When it was begun, as RFC 3339 in UTC.
    pub started: String,
    /// Wall time in seconds of the processes that worked here and ended by themselves, together; none before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// The same for the runs of each backend; none for a folder of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s_by_backend: Option<BTreeMap<String, f64>>,
}

/// One of `count` parts of all runs, counted from 1.
///
/// The runs of each cell are dealt to the parts in turn, from one that the cell's seed draws: parts differ by one run per
/// cell at most, and no run moves when a plan grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, `1..=count`.
    pub index: u32,
    /// Parts in all.
    pub count: u32,
    /// How the runs are cut into parts.
    #[serde(default, skip_serializing_if = "Cut::is_drawn")]
    pub cut: Cut,
}

/// How runs are cut into parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// Each run draws its part: that of folders which do not name their cut.
    #[default]
    Drawn,
    /// The runs of a cell are dealt to the parts in turn.
    Dealt,
}

impl Cut {
    fn is_drawn(&self) -> bool {
        *self == Cut::Drawn
    }
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
    pub variants: Vec<PlannedVariant>,
}

impl ResolvedPlan {
    /// The runs of each cell of a variant: one where nothing is random.
    pub fn runs_of(&self, variant: &PlannedVariant) -> u32 {
        if variant.is_exact() { self.runs.min(1) } else { self.runs }
    }

    /// SHA-256 of the plan's JSON, in hexadecimal.
    ///
    /// # Errors
    /// [`Error::Internal`] if the plan has no JSON form.
    pub fn hash(&self) -> Result<String, Error> {
        let json = serde_json::to_string(self).map_err(|error| Error::Internal(format!("a plan as JSON: {error}")))?;
        Ok(hexadecimal(&Sha256::digest(json)))
    }

    /// The seed of a run; variant and puzzle by their places in the plan.
    pub fn seed(&self, variant: usize, puzzle: usize, run: u32) -> u64 {
        run_seed(cell_seeds(self)[variant * self.puzzles.len() + puzzle], run)
    }

    /// By variant, the first one that differs in its name and backend alone, or itself. Their runs have the same seeds, and so the
    /// same results, unless wall time ended one of them.
    pub fn counterparts(&self) -> Vec<usize> {
        let first = |variant| self.variants.iter().position(|other| other.is_counterpart(variant));
        self.variants.iter().zip(0..).map(|(variant, place)| first(variant).unwrap_or(place)).collect()
    }

    /// The runs of all cells.
    pub fn total_runs(&self) -> u64 {
        let of_variants: u64 = self.variants.iter().map(|variant| u64::from(self.runs_of(variant))).sum();
        of_variants * self.puzzles.len() as u64
    }
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
pub struct PlannedVariant {
    /// Unique in the plan: the label of the plan, and the swept values that tell it from others.
    pub name: String,
    /// The algorithm's name.
    pub algorithm: String,
    /// Its parameters: those on which all puzzles of the plan agree.
    pub parameters: Value,
    /// The parameters on each puzzle, in the plan's order, where defaults make them differ; none where all agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_puzzle: Option<Vec<Value>>,
    /// The stops that are its own, by the names of the plan; none if it has those of the plan alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Value>,
    /// The backend that the plan names for it; none if it is chosen when it runs. It has no part in a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
}

impl PlannedVariant {
    fn is_counterpart(&self, other: &PlannedVariant) -> bool {
        (self.name == other.name || self.backend != other.backend)
            && (&self.algorithm, &self.parameters) == (&other.algorithm, &other.parameters)
            && (&self.by_puzzle, &self.budget) == (&other.by_puzzle, &other.budget)
    }

    /// True if its algorithm has this stop, by the name of the plan; an algorithm that is not known may have any.
    pub(crate) fn has_stop(&self, key: &str) -> bool {
        let option = if key == "seconds" { "timeout" } else { key };
        Algorithm::named(&self.algorithm).map_or(true, |algorithm| algorithm.stop(option).is_ok())
    }

    /// True for a search without a population, whose cost is in nodes: it makes one run per puzzle.
    pub fn is_exact(&self) -> bool {
        Algorithm::named(&self.algorithm).is_ok_and(Algorithm::is_deterministic)
    }

    /// The values of all parameters on a puzzle, by its place in the plan.
    pub fn parameters_on(&self, puzzle: usize) -> &Value {
        self.by_puzzle.as_ref().and_then(|values| values.get(puzzle)).unwrap_or(&self.parameters)
    }
}

/// The seed of a run of an experiment, counted from 0 in what `seed` stands for. It is below 2^53, so that every JSON
/// reader keeps it whole.
pub fn run_seed(seed: u64, run: u32) -> u64 {
    let [low, high, ..] = Key::new(seed, 0, Stream::Run).words(run, 0, 0);
    (u64::from(high) << 32 | u64::from(low)) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_stability_of_the_seeds_of_runs() {
        let seeds = [(1, 0), (1, 1), (2, 0), (u64::MAX, u32::MAX)].map(|(seed, run)| run_seed(seed, run));
        assert_eq!(seeds, [7_347_725_833_827_068, 6_002_184_185_948_929, 1_364_908_911_327_887, 8_999_461_141_993_531]);
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    }
}
