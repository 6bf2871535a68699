//! The table of algorithms: everything that is said of one, in one row, which stands in the algorithm's own file.
//!
//! A new algorithm is a file with its typed parameters, its [`Algorithm`] row and its search, and one line in
//! [`ALGORITHMS`]. Command line, plans, records, refusals and the list of `swarmdoku algorithms` are made from the rows.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::parameter::Parameter;
use super::state::Resumable;
use super::{ActiveRun, Budget, Run, SearchRun, Variant};
use crate::error::Error;
use crate::exact::Method;
use crate::sudoku::Puzzle;

/// All algorithms, in the order of lists.
pub static ALGORITHMS: &[&Algorithm] = &[
    &super::anneal::ANNEAL,
    &super::swarm::SWARM,
    &super::swarm::HYBRID,
    &super::random_key::RANDOM_KEY,
    &super::ga_naive::GA_NAIVE,
    &super::ga_columns::GA_COLUMNS,
    &super::genetic::GENETIC,
    &super::exact::BACKTRACKING,
    &super::exact::EXACT,
];

/// An algorithm: its names, its parameters, and how a run of it is made.
pub struct Algorithm {
    /// The name on the command line, in plans and in records.
    pub name: &'static str,
    /// Other names, on the command line and in plans.
    pub aliases: &'static [&'static str],
    /// One line of help.
    pub help: &'static str,
    /// A remark for the list; may be empty.
    pub note: &'static str,
    /// Its parameters, in the order of lists.
    pub parameters: &'static [Parameter],
    /// Where defaults come from; the first is taken unless another is named.
    pub rules: &'static [NamedRule],
    /// Sizes with a name.
    pub presets: &'static [Preset],
    /// The stops that it has, see [`stops`](super::stops).
    pub stops: &'static [Parameter],
    /// Values that its parameters have beside those of the table, by which records tell it from another algorithm.
    pub(super) fixed: &'static [(&'static str, bool)],
    /// Bytes that its search keeps for an individual, by the number of cells and of free cells: the candidate and all beside
    /// it.
    pub(super) slot_bytes: fn(usize, usize) -> usize,
    /// Makes the typed parameters of values that were checked.
    pub(super) configure: Configure,
}

/// Makes the typed parameters of values that were checked.
pub(super) type Configure = fn(Map<String, Value>) -> Result<Box<dyn Configured>, Error>;

/// Where the defaults of an algorithm come from.
pub struct NamedRule {
    /// `tuned` or `seed`.
    pub name: &'static str,
    /// The defaults of all parameters on a puzzle: they may depend on its shape and its givens.
    pub(super) defaults: fn(&Puzzle) -> Defaults,
    /// The budget of `solve` where no stop is set.
    pub budget: Budget,
}

/// Sizes with a name: a population, and the epochs and restarts that belong to it.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The default population.
    pub population: u64,
    /// The budget of `solve` where no stop is set.
    pub budget: Budget,
}

/// The values of parameters by their keys in JSON, taken from typed constants.
#[derive(Clone, Default, Debug)]
pub struct Defaults(pub(super) Map<String, Value>);

impl Defaults {
    /// The values of a typed constant.
    pub fn of(typed: &impl Serialize) -> Defaults {
        Defaults::default().and(typed)
    }

    /// These values, and those of another constant, which wins.
    pub fn and(mut self, typed: &impl Serialize) -> Defaults {
        if let Ok(Value::Object(values)) = serde_json::to_value(typed) {
            self.0.extend(values);
        }
        self
    }
}

impl Algorithm {
    /// The algorithm of this name or alias.
    ///
    /// # Errors
    /// [`Error::Setting`] if there is none, with those that there are.
    pub fn named(name: &str) -> Result<&'static Algorithm, Error> {
        let is = |algorithm: &&&'static Algorithm| algorithm.name == name || algorithm.aliases.contains(&name);
        ALGORITHMS.iter().find(is).copied().ok_or_else(|| {
            let names: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
            let problem = format!("is {name}, but must be one of {}", names.join(", "));
            Error::Setting { name: "algorithm", problem }
        })
    }

    /// The parameter of this name.
    ///
    /// # Errors
    /// [`Error::Setting`] if the algorithm has none, with those algorithms that do.
    pub fn parameter(&self, name: &str) -> Result<&'static Parameter, Error> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| self.unused(name))
    }

    /// The stop of this name.
    ///
    /// # Errors
    /// [`Error::Setting`] if the algorithm has none, with those algorithms that do.
    pub fn stop(&self, name: &str) -> Result<&'static Parameter, Error> {
        self.stops.iter().find(|stop| stop.name == name).ok_or_else(|| self.unused(name))
    }

    /// The rule of this name.
    ///
    /// # Errors
    /// [`Error::Setting`] if the algorithm has none.
    pub fn rule(&self, name: &str) -> Result<&'static NamedRule, Error> {
        let found = self.rules.iter().find(|rule| rule.name == name);
        found.ok_or_else(|| {
            let names = self.rules.iter().map(|rule| rule.name).collect();
            self.no_such("rule", name, names, |other| other.rules.iter().any(|rule| rule.name == name))
        })
    }

    /// The preset of this name.
    ///
    /// # Errors
    /// [`Error::Setting`] if the algorithm has none.
    pub fn preset(&self, name: &str) -> Result<&'static Preset, Error> {
        let found = self.presets.iter().find(|preset| preset.name == name);
        found.ok_or_else(|| {
            let names = self.presets.iter().map(|preset| preset.name).collect();
            self.no_such("preset", name, names, |other| other.presets.iter().any(|preset| preset.name == name))
        })
    }

    /// True if it scores the candidates of a population; the exact methods do not, and need neither seed nor backend.
    pub fn scores(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == "population")
    }

    /// True if two runs on one puzzle are the same whatever their seeds.
    pub fn is_deterministic(&self) -> bool {
        !self.scores()
    }

    /// How it is run: nothing for an exact method, which no engine drives.
    pub fn engines(&self) -> &'static [&'static str] {
        if self.scores() { &["batch"] } else { &[] }
    }

    /// The exact method that it is, if it scores nothing.
    pub fn exact_method(&self) -> Option<Method> {
        super::exact::method(self)
    }

    /// The default of a parameter under a rule on this puzzle.
    pub fn default_of(&self, parameter: &Parameter, rule: &NamedRule, puzzle: &Puzzle) -> Value {
        let defaults = (rule.defaults)(puzzle);
        defaults.0.get(&parameter.key()).cloned().unwrap_or(false.into())
    }

    /// Bytes that its search keeps for an individual on grids of so many cells, of which so many are free.
    pub fn bytes_per_slot(&self, cells: usize, free_cells: usize) -> u64 {
        (self.slot_bytes)(cells, free_cells) as u64
    }

    /// The algorithm with the default value of every parameter.
    pub fn variant(&'static self) -> Variant {
        Variant::new(self)
    }

    /// The error of an option that this algorithm does not use.
    pub fn unused(&self, name: &str) -> Error {
        let has = |parameters: &'static [Parameter]| parameters.iter().find(|parameter| parameter.name == name);
        let find = |other: &&'static Algorithm| has(other.parameters).or_else(|| has(other.stops));
        let users: Vec<&str> =
            ALGORITHMS.iter().filter(|other| find(other).is_some()).map(|other| other.name).collect();
        match ALGORITHMS.iter().find_map(find) {
            None => Error::Setting { name: "parameter", problem: format!("{name} is none of any algorithm") },
            Some(known) => {
                let problem = format!("is set, but {} does not use it; {}", self.name, does(&users));
                Error::Setting { name: known.name, problem }
            }
        }
    }

    fn no_such(&self, kind: &'static str, name: &str, own: Vec<&str>, has: impl Fn(&Algorithm) -> bool) -> Error {
        let expected = if own.is_empty() { "left out".to_owned() } else { own.join(" or ") };
        let users: Vec<&str> = ALGORITHMS.iter().filter(|other| has(other)).map(|other| other.name).collect();
        let users = if users.is_empty() { String::new() } else { format!("; {} of {}", name, listed(&users)) };
        Error::Setting { name: kind, problem: format!("is {name}, but must be {expected} with {}{users}", self.name) }
    }
}

/// `swarm and hybrid do`
fn does(users: &[&str]) -> String {
    format!("{} {}", listed(users), if users.len() == 1 { "does" } else { "do" })
}

/// `a, b and c`
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Algorithm) -> bool {
        self.name == other.name
    }
}

/// The typed parameters of an algorithm that scores a population: what its search is built from.
pub trait Parameters: fmt::Display + Serialize + DeserializeOwned + Copy + Send + Sync + 'static {
    /// The search.
    type Search: Resumable + Send + 'static;

    /// The algorithm whose parameters they are.
    fn algorithm(&self) -> &'static Algorithm;

    /// The number of candidates in an epoch's batch.
    fn population(&self) -> usize;

    /// The search on `puzzle`, begun at restart 0, of values that were checked: others may panic.
    fn build(&self, puzzle: &Puzzle, seed: u64) -> Self::Search;

    /// The search on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`Parameters::validate`] refuses.
    fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Self::Search, Error> {
        self.validate()?;
        Ok(self.build(puzzle, seed))
    }

    /// The algorithm and its main parameters, for people.
    fn describe(&self) -> String {
        format!("{} with {self}", self.algorithm().name)
    }

    /// Holds all values against the algorithm's table.
    ///
    /// # Errors
    /// [`Error::Setting`] for the first that no run can have.
    fn validate(&self) -> Result<(), Error> {
        Variant::of(self).map(drop)
    }
}

/// An algorithm with a value for each of its parameters, ready to run.
pub(super) trait Configured: Send + Sync {
    /// The algorithm and its main parameters, for people.
    fn describe(&self) -> String;

    /// The values by their keys in JSON.
    fn to_json(&self) -> Result<Value, Error>;

    /// The number of candidates in an epoch's batch; 0 if none is scored.
    fn population(&self) -> usize;

    /// The search of this seed, as a run that has not begun; none for an algorithm without epochs.
    fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Option<Box<dyn Run>>, Error>;

    /// The run of this seed from its beginning or from a saved state, ready for the loop.
    fn start(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: Option<&[u8]>,
    ) -> Result<ActiveRun<'static>, Error>;
}

impl<P: Parameters> Configured for P {
    fn describe(&self) -> String {
        Parameters::describe(self)
    }

    fn to_json(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(|error| Error::Internal(format!("parameters as JSON: {error}")))
    }

    fn population(&self) -> usize {
        Parameters::population(self)
    }

    fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Option<Box<dyn Run>>, Error> {
        Ok(Some(SearchRun::boxed(self.build(puzzle, seed))))
    }

    fn start(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: Option<&[u8]>,
    ) -> Result<ActiveRun<'static>, Error> {
        let run = SearchRun::boxed(self.build(puzzle, seed));
        match state {
            None => ActiveRun::start(run, puzzle, budget),
            Some(state) => ActiveRun::resume(run, puzzle, budget, state),
        }
    }
}

/// The typed parameters of these values.
pub(super) fn configure<P: Parameters>(values: Map<String, Value>) -> Result<Box<dyn Configured>, Error> {
    let typed: P = serde_json::from_value(values.into())
        .map_err(|error| Error::Internal(format!("checked parameters that are none: {error}")))?;
    Ok(Box::new(typed))
}
