//! An algorithm with the settings that were chosen for it; what was not chosen stays open until a puzzle is there.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::algorithm::{Algorithm, Configured, NamedRule, Parameters, Preset};
use super::parameter::{Needs, Parameter, Settings, in_words, key_of};
use super::{ActiveRun, Advance, Budget, Outcome, Progress, Run, run_one, stops};
use crate::error::Error;
use crate::fitness::backends::{SearchKind, Workload};
use crate::machine::MemoryLimit;
use crate::population::LANES;
use crate::sudoku::{Grid, Puzzle, Shape};

/// An algorithm with a rule, a preset and the values that were set.
#[derive(Clone)]
pub struct Variant {
    algorithm: &'static Algorithm,
    rule: &'static NamedRule,
    preset: Option<&'static Preset>,
    set: Settings,
}

/// A variant with its parameters on one puzzle, checked.
pub struct OnPuzzle {
    configured: Box<dyn Configured>,
    puzzle: Arc<Puzzle>,
}

impl OnPuzzle {
    /// As [`Variant::start`].
    ///
    /// # Errors
    /// What [`Budget::validate`] reports.
    pub fn start(&self, seed: u64, budget: &Budget) -> Result<ActiveRun<'static>, Error> {
        self.configured.start(&self.puzzle, seed, budget, None)
    }

    /// As [`Variant::resume`].
    ///
    /// # Errors
    /// [`Error::State`] if it was another run, and what [`OnPuzzle::start`] reports.
    pub fn resume(&self, seed: u64, budget: &Budget, state: &[u8]) -> Result<ActiveRun<'static>, Error> {
        self.configured.start(&self.puzzle, seed, budget, Some(state))
    }
}

impl Variant {
    /// The algorithm with its first rule and nothing set.
    pub(super) fn new(algorithm: &'static Algorithm) -> Variant {
        Variant { algorithm, rule: &algorithm.rules[0], preset: None, set: Settings::default() }
    }

    /// The variant that typed parameters make.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value that no run can have.
    pub fn of(parameters: &impl Parameters) -> Result<Variant, Error> {
        let algorithm = parameters.algorithm();
        let json = serde_json::to_value(parameters)
            .map_err(|error| Error::Internal(format!("parameters as JSON: {error}")))?;
        Variant::from_record(algorithm.name, &json)
    }

    /// The variant of a record or of a plan's manifest: on every puzzle it has these parameters. Stops among them are
    /// left out, as they are no part of a variant.
    ///
    /// # Errors
    /// [`Error::Setting`] for an unknown algorithm, a key that it does not have, and a value that it cannot have.
    pub fn from_record(algorithm: &str, parameters: &Value) -> Result<Variant, Error> {
        let algorithm = Algorithm::named(algorithm)?;
        let nothing = Map::new();
        let recorded = parameters.as_object().unwrap_or(&nothing);
        let parameters: Map<String, Value> =
            recorded.iter().filter(|(key, _)| !is_stop(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        let mut error = None;
        for rule in algorithm.rules {
            match Variant::of_rule(algorithm, rule, &parameters) {
                Ok(variant) => return Ok(variant),
                Err(refused) => error = error.or(Some(refused)),
            }
        }
        Err(error.unwrap_or_else(|| Error::Internal(format!("{} has no rule", algorithm.name))))
    }

    /// The variant of this rule, if it has these parameters.
    fn of_rule(
        algorithm: &'static Algorithm,
        rule: &'static NamedRule,
        parameters: &Map<String, Value>,
    ) -> Result<Variant, Error> {
        let mut variant = Variant { rule, ..Variant::new(algorithm) };
        for (key, value) in parameters {
            if algorithm.fixed.iter().any(|(fixed, _)| fixed == key) {
                continue;
            }
            let parameter = algorithm.parameter(&key.replace('_', "-"))?;
            if !is_set_elsewhere(parameter, parameters) {
                variant.set.set(parameter, parameter.read_value(value)?);
            }
        }
        let resolved = variant.resolve(&sample_puzzle())?;
        match resolved.as_object().and_then(|resolved| differing(parameters, resolved)) {
            None => Ok(variant),
            Some(key) => Err(variant.cannot_have(&key, parameters.get(&key))),
        }
    }

    fn cannot_have(&self, key: &str, value: Option<&Value>) -> Error {
        let found = value.map_or("left out".into(), in_words);
        let problem = format!("has no {} of {found} beside these other values", key.replace('_', "-"));
        Error::Setting { name: self.algorithm.name, problem }
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// The algorithm's name.
    pub fn name(&self) -> &'static str {
        self.algorithm.name
    }

    /// The rule that gives the defaults, by its name.
    pub fn rule(&self) -> &'static str {
        self.rule.name
    }

    /// What was set, beside rule and preset.
    pub fn settings(&self) -> &Settings {
        &self.set
    }

    /// Takes the defaults from another rule.
    ///
    /// # Errors
    /// [`Error::Setting`] for a rule that the algorithm does not have.
    pub fn set_rule(&mut self, name: &str) -> Result<(), Error> {
        self.rule = self.algorithm.rule(name)?;
        Ok(())
    }

    /// Takes the default sizes from a preset.
    ///
    /// # Errors
    /// [`Error::Setting`] for a preset that the algorithm does not have.
    pub fn set_preset(&mut self, name: &str) -> Result<(), Error> {
        self.preset = Some(self.algorithm.preset(name)?);
        Ok(())
    }

    /// Sets a parameter to what a text of the command line means.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter or a value that the algorithm does not have.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let parameter = self.algorithm.parameter(name)?;
        self.set.set(parameter, parameter.read_text(text)?);
        Ok(())
    }

    /// Sets a parameter to a typed value.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter or a value that the algorithm does not have.
    pub fn set_value(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let parameter = self.algorithm.parameter(name)?;
        self.set.set(parameter, parameter.read_value(value)?);
        Ok(())
    }

    /// The budget of `solve`: what was set, and for the rest that of the preset or the rule.
    pub fn default_budget(&self) -> &'static Budget {
        self.preset.map_or(&self.rule.budget, |preset| &preset.budget)
    }

    /// The stops that come with the preset; none without one.
    pub fn preset_budget(&self) -> Option<&'static Budget> {
        self.preset.map(|preset| &preset.budget)
    }

    /// Checks values and dependences as far as that can be done without the puzzle.
    ///
    /// # Errors
    /// [`Error::Setting`] for the first that no run can have.
    pub fn validate(&self) -> Result<(), Error> {
        self.configured(&sample_puzzle()).map(drop)
    }

    /// The values of all parameters on this puzzle, as records, seeds and hashes have them.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value that no run on this puzzle can have.
    pub fn resolve(&self, puzzle: &Puzzle) -> Result<Value, Error> {
        self.configured(puzzle)?.to_json()
    }

    /// The values of all parameters and the stops, as records have them.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn record(&self, puzzle: &Puzzle, budget: &Budget) -> Result<Value, Error> {
        let mut all = match self.resolve(puzzle)? {
            Value::Object(all) => all,
            _ => Map::new(),
        };
        all.extend(stops::to_json(budget, self.algorithm.stops));
        Ok(all.into())
    }

    /// The number of candidates in an epoch's batch; 0 for an algorithm that scores none.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn population(&self, puzzle: &Puzzle) -> Result<usize, Error> {
        Ok(self.configured(puzzle)?.population())
    }

    /// Bytes of a run's population and of what its search keeps beside it.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn bytes(&self, puzzle: &Puzzle) -> Result<u64, Error> {
        Ok(self.bytes_of(self.population(puzzle)?, puzzle))
    }

    fn bytes_of(&self, population: usize, puzzle: &Puzzle) -> u64 {
        let slots = population.div_ceil(LANES).saturating_mul(LANES) as u64;
        let (cells, free_cells) = (puzzle.shape().cells(), puzzle.free_cells().len());
        slots.saturating_mul(self.algorithm.bytes_per_slot(cells, free_cells))
    }

    /// The algorithm as crossovers are kept for it: measured with default parameters but for the population.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn kind(&self, puzzle: &Puzzle) -> Result<SearchKind, Error> {
        let without_population = |variant: &Variant| {
            let mut values = variant.resolve(puzzle)?;
            values.as_object_mut().map(|values| values.remove("population"));
            Ok::<Value, Error>(values)
        };
        let has_default_parameters = without_population(self)? == without_population(&self.algorithm.variant())?;
        Ok(SearchKind { algorithm: self.name(), has_default_parameters })
    }

    /// The work of one run at a time on puzzles of this one's shape, with any number of givens.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn workload(&self, puzzle: &Puzzle) -> Result<Workload, Error> {
        let (shape, cells) = (puzzle.shape(), puzzle.shape().cells());
        Ok(Workload {
            searches: vec![self.kind(puzzle)?],
            bytes_per_slot: self.algorithm.bytes_per_slot(cells, cells),
            ..Workload::scoring(shape, self.population(puzzle)?)
        })
    }

    /// The algorithm and its main parameters on this puzzle, for people.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn describe(&self, puzzle: &Puzzle) -> Result<String, Error> {
        Ok(self.configured(puzzle)?.describe())
    }

    /// Checks that the budget bounds a run and allows one epoch.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it does not.
    pub fn check_budget(&self, puzzle: &Puzzle, budget: &Budget) -> Result<(), Error> {
        let population = self.population(puzzle)?;
        if self.algorithm.scores() {
            return budget.validate(population);
        }
        match budget.nodes.is_some() || budget.time.is_some() {
            true => Ok(()),
            false => Err(Error::Parameter {
                name: "budget",
                found: "unlimited".into(),
                expected: "bounded by nodes or by time",
            }),
        }
    }

    /// Starts a run and drives it to its end; `observe`, called after each epoch, may end it there.
    ///
    /// # Errors
    /// What [`Variant::start`] and [`run_one`] report.
    pub fn run(
        &self,
        puzzle: &Puzzle,
        seed: u64,
        engine: &mut dyn Advance,
        budget: &Budget,
        observe: impl FnMut(&Progress) -> ControlFlow<()> + Send,
    ) -> Result<Outcome, Error> {
        run_one(self.start(&Arc::new(puzzle.clone()), seed, budget)?.observed(observe), engine)
    }

    /// The search of this seed, as a run that has not begun, for an engine to wrap; none for an algorithm without epochs.
    ///
    /// # Errors
    /// As [`Variant::resolve`].
    pub fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Option<Box<dyn Run>>, Error> {
        self.configured(puzzle)?.search(puzzle, seed)
    }

    /// The run of this seed, ready for the loop; it comes to what [`Variant::run`] comes to.
    ///
    /// # Errors
    /// What [`Variant::on`] and [`Budget::validate`] report.
    pub fn start(&self, puzzle: &Arc<Puzzle>, seed: u64, budget: &Budget) -> Result<ActiveRun<'static>, Error> {
        self.on(puzzle)?.start(seed, budget)
    }

    /// The run whose state was saved, made with the same puzzle, seed and budget.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run, and what [`Variant::start`] reports.
    pub fn resume(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: &[u8],
    ) -> Result<ActiveRun<'static>, Error> {
        self.on(puzzle)?.resume(seed, budget, state)
    }

    /// The variant on a puzzle, to start many runs there.
    ///
    /// # Errors
    /// What [`Variant::resolve`] reports, and [`Error::Memory`] for a population that the memory cannot hold.
    pub fn on(&self, puzzle: &Arc<Puzzle>) -> Result<OnPuzzle, Error> {
        let configured = self.configured(puzzle)?;
        let population = configured.population();
        let what = || format!("a population of {population} of {}", self.name());
        let bytes = self.bytes_of(population, puzzle);
        MemoryLimit::here().check(bytes, what, "take a smaller population, or more memory")?;
        Ok(OnPuzzle { configured, puzzle: puzzle.clone() })
    }

    /// The typed parameters on this puzzle: defaults of the rule, then of the preset, then what was set.
    fn configured(&self, puzzle: &Puzzle) -> Result<Box<dyn Configured>, Error> {
        let mut values = (self.rule.defaults)(puzzle).0;
        if let Some(preset) = self.preset {
            values.insert("population".into(), preset.population.into());
        }
        values.extend(self.set.iter().map(|(name, value)| (key_of(name), value.clone())));
        values.extend(self.algorithm.fixed.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())));
        let absent: Vec<String> = self
            .algorithm
            .parameters
            .iter()
            .filter(|parameter| !parameter.exists(&values, &self.set))
            .map(Parameter::key)
            .collect();
        self.algorithm.parameters.iter().try_for_each(|parameter| {
            if parameter.exists(&values, &self.set) || self.set.get(parameter.name).is_some() {
                parameter.check(&values, &self.set)?;
            }
            Ok::<(), Error>(())
        })?;
        absent.iter().for_each(|key| {
            values.remove(key);
        });
        (self.algorithm.configure)(values)
    }
}

/// The algorithm, and what was set: `anneal with rule tuned, population 64`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with rule {}", self.name(), self.rule())?;
        self.set.iter().try_for_each(|(name, value)| write!(f, ", {name} {}", in_words(value)))
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The puzzle on which parameters are checked before there is one: 9x9 without givens.
pub fn sample_puzzle() -> Puzzle {
    Puzzle::new(Grid::empty(Shape::NINE)).expect("no given conflicts with another")
}

fn is_stop(key: &str) -> bool {
    stops::ALL.iter().any(|stop| stop.key() == key)
}

/// True if the value of a parameter is that of the rule, because a flag excludes that it is set.
fn is_set_elsewhere(parameter: &Parameter, values: &Map<String, Value>) -> bool {
    matches!(parameter.needs, Needs::Without(flag) if values.get(&key_of(flag)) == Some(&true.into()))
}

/// The first key whose values differ.
fn differing(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<String> {
    let same = |key: &String| match (one.get(key), other.get(key)) {
        (Some(Value::Number(one)), Some(Value::Number(other))) => one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    };
    one.keys().chain(other.keys()).find(|key| !same(key)).cloned()
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;
    use crate::search::algorithm::{Defaults, NamedRule, configure};
    use crate::search::{ALGORITHMS, AnnealParameters, SwarmParameters, stops};

    /// An algorithm whose defaults depend on shape and givens.
    pub(crate) static SHAPED: Algorithm = Algorithm {
        name: "anneal",
        aliases: &[],
        help: "",
        note: "",
        parameters: crate::search::anneal::ANNEAL.parameters,
        rules: &[NamedRule {
            name: "tuned",
            defaults: |puzzle| {
                let (population, cooling_epochs) = (puzzle.shape().side(), 1 + puzzle.free_cells().len() as u32);
                Defaults::of(&AnnealParameters { population, cooling_epochs, ..AnnealParameters::TUNED })
            },
            budget: stops::evaluations(1000),
        }],
        presets: &[],
        stops: stops::OF_POPULATIONS,
        fixed: &[],
        slot_bytes: |cells, _| cells + 12,
        configure: configure::<AnnealParameters>,
    };

    fn empty(side: usize) -> Puzzle {
        Puzzle::new(Grid::empty(Shape::of_side(side).unwrap())).unwrap()
    }

    #[test]
    fn defaults_stay_open_until_the_puzzle_is_there_and_what_was_set_does_not() {
        let mut variant = SHAPED.variant();
        variant.set_text("temperature", "0.5").unwrap();
        let of = |side| variant.resolve(&empty(side)).unwrap();
        assert_eq!((of(4)["population"].clone(), of(4)["cooling_epochs"].clone()), (4.into(), 17.into()));
        assert_eq!((of(16)["population"].clone(), of(16)["cooling_epochs"].clone()), (16.into(), 257.into()));
        assert_eq!((of(4)["temperature"].clone(), of(16)["temperature"].clone()), (json!(0.5), json!(0.5)));
        assert_eq!(variant.population(&empty(16)).unwrap(), 16);
        let mut large = variant.clone();
        large.set_value("population", &70.into()).unwrap();
        assert_eq!(large.resolve(&empty(4)).unwrap()["population"], 70);
    }

    #[test]
    fn a_record_becomes_the_variant_that_makes_it_again() {
        let adaptive = SwarmParameters { adaptive: true, ..SwarmParameters::SEED };
        let variant = Variant::of(&adaptive).unwrap();
        assert_eq!((variant.rule(), variant.settings().get("worker-ratio")), ("seed", None));
        assert_eq!(variant.resolve(&empty(9)).unwrap(), serde_json::to_value(adaptive).unwrap());
        for algorithm in ALGORITHMS {
            let record = algorithm.variant().record(&empty(9), algorithm.variant().default_budget()).unwrap();
            let again = Variant::from_record(algorithm.name, &record).unwrap();
            assert_eq!(again.record(&empty(9), algorithm.variant().default_budget()).unwrap(), record);
        }
    }

    #[test]
    fn a_record_that_no_variant_makes_is_refused() {
        let swarm = || serde_json::to_value(SwarmParameters::TUNED).unwrap();
        let with = |key: &str, value: Value| {
            let mut record = swarm();
            record[key] = value;
            Variant::from_record("swarm", &record).unwrap_err().to_string()
        };
        assert!(with("speed", 3.into()).contains("speed"));
        assert!(with("local_search", true.into()).contains("local-search"));
        assert!(with("worker_ratio", json!(1.5)).contains("worker-ratio is 1.5"));
        assert!(Variant::from_record("newton", &swarm()).unwrap_err().to_string().contains("algorithm is newton"));
    }

    /// Numbers of the notebooks: sizes, epochs or generations, restarts, rates.
    #[test]
    fn rules_and_presets_have_the_numbers_of_their_sources() {
        let row = |name: &str| Algorithm::named(name).unwrap();
        let sizes = |name: &str| {
            let size = |preset: &Preset| (preset.name, preset.population, preset.budget.epochs, preset.budget.restarts);
            row(name).presets.iter().map(size).collect::<Vec<_>>()
        };
        let three = [
            ("conservative", 100, Some(2000), Some(5)),
            ("standard", 200, Some(3000), Some(10)),
            ("aggressive", 300, Some(5000), Some(20)),
        ];
        assert_eq!(sizes("swarm"), three);
        assert_eq!(sizes("hybrid"), three);
        assert_eq!(sizes("random-key"), [("mealpy", 60, Some(300), Some(1))]);
        let seed = |name: &str| {
            let rule = row(name).rule("seed").unwrap();
            ((rule.defaults)(&empty(9)).0, rule.budget.epochs, rule.budget.restarts)
        };
        for (name, expected, epochs) in [
            (
                "swarm",
                json!({ "population": 200, "worker_ratio": 0.9, "max_age": 1000, "mutation_rate": 0.001, "acceptance": "strict" }),
                5000,
            ),
            ("hybrid", json!({ "stagnation_limit": 500 }), 5000),
            ("random-key", json!({ "population": 60, "inertia": 0.4, "cognitive": 2.05, "social": 2.05 }), 300),
            ("ga-naive", json!({ "population": 500, "survivors": 10, "keep_percent": 95, "restart_after": 10 }), 1000),
            (
                "ga-columns",
                json!({ "population": 50, "survivors": 10, "shuffled_columns": 9 - 8, "shuffled_cells": 2, "restart_after": 100 }),
                1000,
            ),
        ] {
            let (defaults, found, _) = seed(name);
            assert_eq!(found, Some(epochs), "{name}");
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(defaults.get(key), Some(value), "{name} {key}");
            }
        }
        assert_eq!(seed("swarm").2, Some(20));
    }
}
