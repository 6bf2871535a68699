//! A plan of an experiment: from a file of TOML to every run that it means.
//!
//! ```toml
//! name = "acceptance rules"
//! seed = 1                     # every run's seed derives from it
//! runs = 20                    # of each cell
//!
//! [budget]                     # of each run, whichever is met first
//! evaluations = 1e6            # also: epochs, restarts, patience, threshold, nodes, seconds
//!
//! [[puzzles]]
//! file = "hard.txt"            # beside the plan; or `puzzle = "4.....8.5..."`, or `generate = { seed = 1, count = 3 }`
//!
//! [[algorithm]]
//! algorithm = "swarm"          # its parameters by the names of the command line's options
//! population = [64, 256, 1024] # an array is swept; all arrays of an algorithm form the grid
//!                              # also: rule, preset, backend, and stops that are this algorithm's own
//! ```
//!
//! The runs of a plan are counted cell by cell, and no run depends on another: its seed is a function of the master seed,
//! the puzzle, the algorithm with its parameters, and its number in the cell.
//!
//! Reading order: `table` (one table of the file), `algorithms`, `puzzles`, `budget`, this file, `estimate`.

mod algorithms;
mod budget;
mod estimate;
mod puzzles;
mod table;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use toml::de::DeTable;

pub use estimate::Estimate;

use super::study::{self, Cut, PlannedPuzzle, ResolvedPlan, Shard};
use crate::error::Error;
use crate::fitness::Backend;
use crate::search::parameter::Settings;
use crate::search::{Budget, Variant, sample_puzzle};
use crate::sudoku::{Puzzle, Shape};
use algorithms::Planned;
use puzzles::NamedPuzzle;
use table::{Chosen, PlanFile, PlanTable};

/// Variants that one `[[algorithm]]` may spread into: a grid that is larger is a slip of the pen.
const MOST_VARIANTS: usize = 100_000;

/// A plan with nothing left to be chosen, ready to run.
pub struct Plan {
    resolved: ResolvedPlan,
    hash: String,
    puzzles: Vec<Arc<Puzzle>>,
    variants: Vec<Planned>,
    /// By variant and puzzle: all parameters.
    parameters: Vec<Value>,
    /// By variant and puzzle: what the seeds of the cell's runs derive from.
    cell_seeds: Vec<u64>,
}

/// A run of a plan: which variant on which puzzle, and its number in that cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunId {
    /// The variant, counted from 0.
    pub variant: usize,
    /// The puzzle, counted from 0.
    pub puzzle: usize,
    /// The number in the cell, from 0.
    pub run: u32,
}

/// The shape and the backend of some runs of a plan: they share an evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The shape of their puzzles.
    pub shape: Shape,
    /// The backend that the plan names for them; none if any.
    pub backend: Option<Backend>,
}

impl Plan {
    /// Reads a plan's file; paths in it are taken from where it lies.
    ///
    /// # Errors
    /// [`Error::Read`] for a file that cannot be read, [`Error::Plan`] with the place of what cannot be planned, and what
    /// reading the puzzles reports.
    pub fn read(path: &Path) -> Result<Plan, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.into(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Plan::parse(&path.display().to_string(), &text, folder)
    }

    /// A plan from its text; `file` is its name in errors, and paths in it are taken from `folder`.
    ///
    /// # Errors
    /// As [`Plan::read`].
    pub fn parse(file: &str, text: &str, folder: &Path) -> Result<Plan, Error> {
        let source = PlanFile { file, text };
        let document = DeTable::parse(text)
            .map_err(|error| source.error(&error.span().unwrap_or(0..0), error.message().trim_end().to_owned()))?;
        let mut table = PlanTable::new(source, "the plan", document.span(), document.get_ref());
        let name: String = table.need("name")?;
        let seed: u64 = table.need("seed")?;
        if seed >= 1 << 53 {
            return Err(table.refuse("seed", "below 2^53, so that every reader of JSON keeps it whole"));
        }
        let runs: u32 = table.need("runs")?;
        if runs == 0 {
            return Err(table.refuse("runs", "at least 1"));
        }
        let mut budget = table.child("budget", "[budget]")?;
        let puzzles = table.children("puzzles", "[[puzzles]]")?;
        let algorithms = table.children("algorithm", "[[algorithm]]")?;
        table.finish()?;
        let budget = budget::read(&mut budget)?;
        let variants = variants(algorithms, &budget)?;
        let puzzles = puzzles::read(puzzles, folder)?;
        Plan::resolve(name, (seed, runs), &budget, puzzles, variants)
    }

    fn resolve(
        name: String,
        (seed, runs): (u64, u32),
        budget: &Settings,
        puzzles: Vec<NamedPuzzle>,
        variants: Vec<Planned>,
    ) -> Result<Plan, Error> {
        let cells = variants.iter().flat_map(|planned| puzzles.iter().map(move |named| (planned, named)));
        let resolve = |(planned, named): (&Planned, &NamedPuzzle)| planned.variant.resolve(&named.puzzle);
        let parameters: Vec<Value> = cells.map(resolve).collect::<Result<_, Error>>()?;
        let resolved = ResolvedPlan {
            name,
            seed,
            runs,
            budget: budget::to_json(budget),
            puzzles: puzzles.iter().map(NamedPuzzle::planned).collect(),
            variants: variants.iter().zip(parameters.chunks(puzzles.len())).map(manifest_variant).collect(),
        };
        let hash = resolved.hash()?;
        let cell_seeds = cell_seeds(&resolved);
        let puzzles = puzzles.into_iter().map(|named| named.puzzle).collect();
        Ok(Plan { resolved, hash, puzzles, variants, parameters, cell_seeds })
    }

    /// The plan as the manifest holds it.
    pub fn resolved(&self) -> &ResolvedPlan {
        &self.resolved
    }

    /// SHA-256 of the resolved plan's JSON, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The stops of a run.
    pub fn budget(&self, id: RunId) -> &Budget {
        &self.variants[id.variant].budget
    }

    /// The puzzles, in the plan's order.
    pub fn puzzles(&self) -> &[Arc<Puzzle>] {
        &self.puzzles
    }

    /// The number of variants.
    pub fn variants(&self) -> usize {
        self.variants.len()
    }

    /// The variant of a run.
    pub fn variant(&self, id: RunId) -> &Variant {
        &self.variants[id.variant].variant
    }

    /// The backend that a run must have; none if any.
    pub fn backend(&self, id: RunId) -> Option<Backend> {
        self.variants[id.variant].backend
    }

    /// The backends that the plan names, and none for variants that name none, in the order of their first variants.
    pub fn backends(&self) -> Vec<Option<Backend>> {
        let mut backends = Vec::new();
        for Planned { backend, .. } in &self.variants {
            if !backends.contains(backend) {
                backends.push(*backend);
            }
        }
        backends
    }

    /// The shape and the backend of a run.
    pub fn target(&self, id: RunId) -> Target {
        Target { shape: self.puzzle(id).shape(), backend: self.backend(id) }
    }

    /// The targets with this backend, the shape met first one first.
    pub fn targets(&self, backend: Option<Backend>) -> Vec<Target> {
        let mut targets = Vec::new();
        for target in self.puzzles.iter().map(|puzzle| Target { shape: puzzle.shape(), backend }) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        targets
    }

    /// The puzzle of a run.
    pub fn puzzle(&self, id: RunId) -> &Arc<Puzzle> {
        &self.puzzles[id.puzzle]
    }

    /// All parameters and stops of a run, as its record holds them.
    ///
    /// # Errors
    /// What [`Variant::record`] reports.
    pub fn parameters(&self, id: RunId) -> Result<Value, Error> {
        self.variant(id).record(self.puzzle(id), self.budget(id))
    }

    /// Candidates of an epoch of a run; 0 if it scores none.
    pub fn population(&self, id: RunId) -> usize {
        let population = self.parameters[self.cell(id)].get("population").and_then(Value::as_u64);
        population.and_then(|population| usize::try_from(population).ok()).unwrap_or_default()
    }

    /// Candidates of the largest epoch of any run with this backend.
    pub fn largest_population(&self, backend: Option<Backend>) -> usize {
        let of_backend = self.cell_ids().filter(|id| self.backend(*id) == backend);
        of_backend.map(|id| self.population(id)).max().unwrap_or_default()
    }

    /// The first run of each cell.
    fn cell_ids(&self) -> impl Iterator<Item = RunId> {
        (0..self.cells() as u64).map(|cell| self.run(cell * u64::from(self.resolved.runs)))
    }

    /// Cells: variants times puzzles.
    pub fn cells(&self) -> usize {
        self.cell_seeds.len()
    }

    /// Runs in all, as they are counted: those of a deterministic variant past its first are never made.
    pub fn runs(&self) -> u64 {
        self.cells() as u64 * u64::from(self.resolved.runs)
    }

    /// The run that is counted so, cell by cell, a variant's puzzles one after another.
    ///
    /// # Panics
    /// If there is no such run.
    pub fn run(&self, index: u64) -> RunId {
        assert!(index < self.runs(), "run {index} of {}", self.runs());
        let runs = u64::from(self.resolved.runs);
        let cell = (index / runs) as usize;
        RunId { variant: cell / self.puzzles.len(), puzzle: cell % self.puzzles.len(), run: (index % runs) as u32 }
    }

    /// How a run is counted.
    pub fn index(&self, id: RunId) -> u64 {
        self.cell(id) as u64 * u64::from(self.resolved.runs) + u64::from(id.run)
    }

    /// The cell of a run, counted from 0.
    pub fn cell(&self, id: RunId) -> usize {
        id.variant * self.puzzles.len() + id.puzzle
    }

    /// The seed of a run, below 2^53: of the master seed, the puzzle, the algorithm with its parameters and the run's
    /// number, and of nothing else in the plan.
    pub fn seed(&self, id: RunId) -> u64 {
        super::run_seed(self.cell_seeds[self.cell(id)], id.run)
    }

    /// The seed in the record of a run; none if nothing is random.
    pub fn recorded_seed(&self, id: RunId) -> Option<u64> {
        (!self.variant(id).algorithm().is_deterministic()).then(|| self.seed(id))
    }

    /// The part, of `count` parts counted from 1, that a run falls in: by the same four things as its seed.
    pub fn part(&self, id: RunId, count: u32) -> u32 {
        Cut::Dealt.part(self.cell_seeds[self.cell(id)], id.run, count)
    }

    /// True if a folder for this part, or for all runs, is to hold the run: a deterministic variant makes one per puzzle.
    pub fn is_in(&self, id: RunId, shard: Option<Shard>) -> bool {
        let is_made = id.run == 0 || !self.variant(id).algorithm().is_deterministic();
        is_made && shard.is_none_or(|shard| shard.has(self.cell_seeds[self.cell(id)], id.run))
    }

    /// The names of a run's variant and puzzle.
    pub fn names(&self, id: RunId) -> (&str, &str) {
        (&self.resolved.variants[id.variant].name, &self.resolved.puzzles[id.puzzle].name)
    }
}

/// Every combination of every table, each under its name.
fn variants(tables: Vec<PlanTable<'_>>, budget: &Settings) -> Result<Vec<Planned>, Error> {
    let sample = &sample_puzzle();
    let mut variants: Vec<Planned> = Vec::new();
    let (mut names, mut settings) = (HashMap::new(), HashMap::new());
    for table in tables {
        for (one, chosen) in table.spread(MOST_VARIANTS)? {
            let planned = algorithms::read(one.clone(), budget, sample)?;
            let name = variant_name(&planned.name, &chosen);
            if names.insert(name.clone(), ()).is_some() {
                return Err(one.error(format!("a second variant is called `{name}`; give this table a `label`")));
            }
            let own = budget::own_to_json(&planned.own);
            let backend = planned.backend.map(Backend::name);
            let setting = json!([planned.variant.name(), planned.variant.resolve(sample)?, own, backend]).to_string();
            if let Some(first) = settings.insert(setting, name.clone()) {
                let message = format!("`{name}` is the same algorithm with the same parameters as `{first}`");
                return Err(one.error(format!("{message}; leave one of them out")));
            }
            variants.push(Planned { name, ..planned });
        }
    }
    Ok(variants)
}

/// A variant as the manifest holds it: with the values on which all puzzles agree.
fn manifest_variant((planned, cells): (&Planned, &[Value])) -> study::PlannedVariant {
    let agree = |key: &String, value: &Value| cells.iter().all(|cell| cell.get(key) == Some(value));
    let all_agree = cells.iter().all(|cell| Some(cell) == cells.first());
    let first = cells.first().and_then(Value::as_object);
    let parameters: Map<String, Value> = first
        .into_iter()
        .flatten()
        .filter(|(key, value)| agree(key, value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    study::PlannedVariant {
        name: planned.name.clone(),
        algorithm: planned.variant.name().to_owned(),
        parameters: parameters.into(),
        by_puzzle: (!all_agree).then(|| cells.to_vec()),
        budget: budget::own_to_json(&planned.own),
        backend: planned.backend.map(|backend| backend.name().to_owned()),
    }
}

/// `swarm population=64 temperature=0.3`
fn variant_name(label: &str, chosen: &[Chosen<'_>]) -> String {
    let mut name = label.to_owned();
    for Chosen { key, value } in chosen.iter().filter(|chosen| !["algorithm", "label"].contains(&chosen.key)) {
        let _ = write!(name, " {key}={value}");
    }
    name
}

/// By variant and puzzle, the first 64 bits of a SHA-256 over the master seed, the puzzle and the algorithm with its
/// parameters. Names, the budget and the other cells have no part in it.
pub(crate) fn cell_seeds(plan: &ResolvedPlan) -> Vec<u64> {
    let seed = |variant: &study::PlannedVariant, (place, puzzle): (usize, &PlannedPuzzle)| {
        let parameters = variant.parameters_on(place);
        let identity = json!([plan.seed, puzzle.shape, puzzle.puzzle, variant.algorithm, parameters]);
        let digest = Sha256::digest(identity.to_string());
        u64::from_le_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
    };
    let puzzles = || plan.puzzles.iter().enumerate();
    plan.variants
        .iter()
        .flat_map(|variant| puzzles().map(move |puzzle| (variant, puzzle)))
        .map(|(v, p)| seed(v, p))
        .collect()
}

/// Bytes in hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
