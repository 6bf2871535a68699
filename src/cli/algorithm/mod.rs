//! From raw options to an algorithm with its parameters and a budget, checked before anything runs.
//!
//! All algorithms share one set of options, so that the same word means the same thing everywhere. Each names those it
//! uses; another one that is given is an error, never ignored.

mod anneal;
mod exact;
mod ga;
mod random_key;
mod swarm;

use std::time::Duration;

use clap::{Args, ValueEnum};
use swarmdoku::Error;
use swarmdoku::experiment::parameters_json;
use swarmdoku::search::{Algorithm, Budget, Convergence, Neighbours, Reheat};

use super::{count, seconds};

pub use exact::{ExactPlan, refuse};

/// The algorithm and its options; what is left out comes from the preset, and then from the rule.
#[derive(Args, Default)]
#[command(next_help_heading = "Algorithm")]
pub struct AlgorithmArgs {
    /// The search [default: anneal, which solves most; swarm where one of the options is the swarm's and not anneal's]
    #[arg(short, long, value_name = "ALGORITHM")]
    algorithm: Option<AlgorithmName>,

    /// Where defaults come from: `tuned` is what solves most (the default), `seed` the published rule in one-dispatch form
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,

    /// Sizes. For `swarm`: conservative 200 x 2000 epochs x 5 restarts, standard 200 x 3000 x 10, aggressive 300 x 5000
    /// x 20. For `random-key`: mealpy 60 x 300 x 1
    #[arg(long, value_name = "PRESET")]
    preset: Option<Preset>,

    /// Candidates an epoch
    #[arg(long, value_name = "N", value_parser = count)]
    population: Option<u64>,

    /// The part of the population that are workers, 0 to 1
    #[arg(long, value_name = "RATIO")]
    worker_ratio: Option<f64>,

    /// Epochs without a better score after which a worker starts anew
    #[arg(long, value_name = "EPOCHS")]
    max_age: Option<u32>,

    /// Probability of a mutation, 0 to 1: that a worker takes its neighbour whatever its score, that a child is changed
    #[arg(long, value_name = "P")]
    mutation_rate: Option<f64>,

    /// What a worker accepts: `strict` a better score, `plateau` an equal one too, `metropolis` a worse one by d with
    /// probability exp(-d / temperature)
    #[arg(long, value_name = "RULE")]
    acceptance: Option<AcceptanceName>,

    /// Temperature of `--acceptance metropolis`, or where annealing starts, in units of the score
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,

    /// Temperature where annealing ends
    #[arg(long, value_name = "T")]
    end_temperature: Option<f64>,

    /// Epochs of annealing from the one temperature to the other
    #[arg(long, value_name = "EPOCHS")]
    cooling_epochs: Option<u32>,

    /// What annealing goes on with at the start temperature: the grids as they are, or fresh fills
    #[arg(long, value_name = "FROM")]
    reheat: Option<ReheatName>,

    /// Which swaps annealing proposes: any two free cells of a block, or one in conflict with any other of its block
    #[arg(long, value_name = "WHICH")]
    neighbours: Option<NeighboursName>,

    /// Let the part of workers follow the best score: 0.70 at its first value, 0.95 at 0
    #[arg(long)]
    adaptive: bool,

    /// Epochs without a better best score after which the hybrid's local search, `--refine` or `--stagnation-boost` act,
    /// and act again [default: 500]
    #[arg(long, value_name = "EPOCHS")]
    stagnation_limit: Option<u32>,

    /// What the worker ratio loses on each stagnation until the best score improves, down to 0.70
    #[arg(long, value_name = "RATIO")]
    stagnation_boost: Option<f64>,

    /// Anneal the best grid for so many evaluations on stagnation and at the end of each restart
    #[arg(long, value_name = "EVALUATIONS")]
    refine: Option<u32>,
    /// The part of a particle's velocity that is kept, 0 to 1
    #[arg(long, value_name = "W")]
    inertia: Option<f64>,

    /// Pull towards a particle's own best position, 0 to 5
    #[arg(long, value_name = "C1")]
    cognitive: Option<f64>,

    /// Pull towards the swarm's best position, 0 to 5
    #[arg(long, value_name = "C2")]
    social: Option<f64>,

    /// Where a particle's step starts: `always` from where it is, `better` from its own best position (a step that does
    /// not improve is taken back)
    #[arg(long, value_name = "RULE")]
    movement: Option<MovementName>,

    /// Whose free cells share out their missing digits by keys
    #[arg(long, value_name = "UNITS")]
    decoding: Option<DecodingName>,
    #[command(flatten)]
    ga: ga::GaArgs,
}

/// What ends a run that does not solve its puzzle.
#[derive(Args, Default)]
#[command(next_help_heading = "Budget (whichever is met first)")]
pub struct BudgetArgs {
    /// Epochs of each restart after its first fill
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Restarts, the first attempt included
    #[arg(long, value_name = "N")]
    restarts: Option<u32>,

    /// Candidates scored in all
    #[arg(long, value_name = "N", value_parser = count)]
    evaluations: Option<u64>,

    /// Epochs, counted through all restarts, in which the best score must improve for a run to go on
    #[arg(long, value_name = "EPOCHS")]
    patience: Option<u32>,

    /// An improvement within `--patience` by no more than this counts as none [default: 0]
    #[arg(long, value_name = "SCORE", requires = "patience")]
    threshold: Option<u32>,
    /// Nodes that `backtracking` or `exact` may visit [default: 1e9 and 1e7]
    #[arg(long, value_name = "N", value_parser = count)]
    nodes: Option<u64>,

    /// Seconds of wall time a puzzle; the one limit whose results cannot be repeated
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

/// The algorithms by their names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    Swarm,
    /// The swarm with local search on stagnation
    Hybrid,
    Anneal,
    RandomKey,
    GaNaive,
    GaColumns,
    Genetic,
    Backtracking,
    Exact,
}

impl AlgorithmName {
    /// The algorithms that score a population.
    pub fn with_population() -> impl Iterator<Item = AlgorithmName> {
        let exact = [AlgorithmName::Backtracking, AlgorithmName::Exact];
        AlgorithmName::value_variants().iter().copied().filter(move |name| !exact.contains(name))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rule {
    Tuned,
    Seed,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Preset {
    Conservative,
    Standard,
    Aggressive,
    Mealpy,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AcceptanceName {
    Strict,
    Plateau,
    Metropolis,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReheatName {
    Keep,
    Fresh,
}

impl From<ReheatName> for Reheat {
    fn from(name: ReheatName) -> Reheat {
        match name {
            ReheatName::Keep => Reheat::Keep,
            ReheatName::Fresh => Reheat::Fresh,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MovementName {
    Always,
    Better,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DecodingName {
    Rows,
    Blocks,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NeighboursName {
    Any,
    Conflicts,
}

impl From<NeighboursName> for Neighbours {
    fn from(name: NeighboursName) -> Neighbours {
        match name {
            NeighboursName::Any => Neighbours::Any,
            NeighboursName::Conflicts => Neighbours::Conflicts,
        }
    }
}

/// What will run, checked.
#[derive(Debug)]
pub struct Plan {
    pub algorithm: Algorithm,
    pub budget: Budget,
}

impl Plan {
    /// # Errors
    /// [`Error::Parameter`] for a value out of its range, and for an option that the algorithm does not use.
    pub fn new(args: &AlgorithmArgs, budget: &BudgetArgs) -> Result<Plan, Error> {
        let (used, plan) = match args.name() {
            AlgorithmName::Swarm => (swarm::OPTIONS, swarm::plan(args, false)?),
            AlgorithmName::Hybrid => (swarm::OPTIONS, swarm::plan(args, true)?),
            AlgorithmName::Anneal => (anneal::OPTIONS, anneal::plan(args)?),
            AlgorithmName::RandomKey => (random_key::OPTIONS, random_key::plan(args)?),
            AlgorithmName::GaNaive => (ga::NAIVE_OPTIONS, ga::naive(args)),
            AlgorithmName::GaColumns => (ga::COLUMNS_OPTIONS, ga::columns(args)),
            AlgorithmName::Genetic => (ga::GENETIC_OPTIONS, ga::genetic(args)?),
            AlgorithmName::Backtracking | AlgorithmName::Exact => return Err(exact::no_population()),
        };
        args.refuse_unused(used)?;
        exact::refuse_nodes(budget)?;
        let (algorithm, default) = plan;
        let budget = Budget {
            epochs: budget.epochs.or(default.epochs),
            restarts: budget.restarts.or(default.restarts),
            evaluations: budget.evaluations.or(default.evaluations),
            convergence: budget
                .patience
                .map(|patience| Convergence { patience, threshold: budget.threshold.unwrap_or(0) }),
            time: budget.timeout,
        };
        algorithm.validate()?;
        budget.validate(algorithm.population())?;
        Ok(Plan { algorithm, budget })
    }

    /// An algorithm with its default parameters, which has these evaluations and nothing else to stop it: where it has
    /// epochs, it restarts after them without limit.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer evaluations than one epoch takes.
    pub fn of_evaluations(algorithm: AlgorithmName, evaluations: u64) -> Result<Plan, Error> {
        let args = AlgorithmArgs { algorithm: Some(algorithm), ..AlgorithmArgs::default() };
        let budget = BudgetArgs { evaluations: Some(evaluations), ..BudgetArgs::default() };
        let plan = Plan::new(&args, &budget)?;
        Ok(Plan { budget: Budget { restarts: None, ..plan.budget }, ..plan })
    }

    /// Parameters and budget as one JSON object, by the names of the options.
    ///
    /// # Errors
    /// [`Error::Internal`] if a parameter has no JSON form.
    pub fn to_json(&self) -> Result<serde_json::Value, Error> {
        parameters_json(&self.algorithm, &self.budget)
    }
}

impl AlgorithmArgs {
    /// The algorithm named, or the one that the options given mean.
    fn name(&self) -> AlgorithmName {
        let means_swarm = self.given().any(|name| swarm::OPTIONS.contains(&name) && !anneal::OPTIONS.contains(&name));
        self.algorithm.unwrap_or(if means_swarm { AlgorithmName::Swarm } else { AlgorithmName::Anneal })
    }

    /// The options that were given.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("rule", self.rule.is_some()),
            ("preset", self.preset.is_some()),
            ("population", self.population.is_some()),
            ("worker-ratio", self.worker_ratio.is_some()),
            ("max-age", self.max_age.is_some()),
            ("mutation-rate", self.mutation_rate.is_some()),
            ("acceptance", self.acceptance.is_some()),
            ("temperature", self.temperature.is_some()),
            ("end-temperature", self.end_temperature.is_some()),
            ("cooling-epochs", self.cooling_epochs.is_some()),
            ("reheat", self.reheat.is_some()),
            ("neighbours", self.neighbours.is_some()),
            ("adaptive", self.adaptive),
            ("stagnation-limit", self.stagnation_limit.is_some()),
            ("stagnation-boost", self.stagnation_boost.is_some()),
            ("refine", self.refine.is_some()),
            ("inertia", self.inertia.is_some()),
            ("cognitive", self.cognitive.is_some()),
            ("social", self.social.is_some()),
            ("movement", self.movement.is_some()),
            ("decoding", self.decoding.is_some()),
        ]
        .into_iter()
        .chain(self.ga.given())
        .filter_map(|(name, given)| given.then_some(name))
    }

    fn refuse_unused(&self, used: &[&str]) -> Result<(), Error> {
        match self.given().find(|name| !used.contains(name)) {
            None => Ok(()),
            Some(name) => refuse(name, true),
        }
    }
}

fn epochs_and_restarts(epochs: u32, restarts: u32) -> Budget {
    Budget { epochs: Some(epochs), restarts: Some(restarts), ..Budget::default() }
}

/// A count of things in memory; what no memory can hold is left to the range checks.
fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        algorithm: AlgorithmArgs,
        #[command(flatten)]
        budget: BudgetArgs,
    }

    /// The plan that these options make.
    pub fn plan(options: &[&str]) -> Result<Plan, Error> {
        let options = Options::parse_from(["solve"].iter().chain(options));
        Plan::new(&options.algorithm, &options.budget)
    }

    #[test]
    fn the_default_is_annealing_and_options_of_the_swarm_alone_mean_the_swarm() {
        let name = |options: &[&str]| plan(options).unwrap().algorithm.name();
        assert_eq!(
            (name(&[]), name(&["--temperature", "0.7"]), name(&["--population", "64"])),
            ("anneal", "anneal", "anneal")
        );
        assert_eq!(
            (name(&["--rule", "seed"]), name(&["--preset", "standard"]), name(&["--max-age", "9"])),
            ("swarm", "swarm", "swarm")
        );
        assert_eq!(name(&["-a", "hybrid", "--rule", "seed"]), "hybrid");
        assert!(plan(&["-a", "anneal", "--rule", "seed"]).unwrap_err().to_string().contains("rule is given"));
    }

    #[test]
    fn parameters_and_budget_are_one_object_by_the_names_of_the_options() {
        let json = plan(&["--rule", "seed", "--timeout", "1.5"]).unwrap().to_json().unwrap();
        let expected = serde_json::json!({
            "population": 200, "worker_ratio": 0.9, "max_age": 1000, "mutation_rate": 0.001, "acceptance": "strict",
            "epochs": 5000, "restarts": 20, "evaluations": null, "timeout": 1.5,
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn patience_is_a_budget_of_its_own() {
        let json = plan(&["-a", "hybrid", "--patience", "70", "--refine", "9"]).unwrap().to_json().unwrap();
        for (name, value) in
            [("patience", 70), ("threshold", 0), ("refine", 9), ("stagnation_limit", 500), ("stagnation_boost", 0)]
        {
            assert_eq!(json[name].as_f64(), Some(f64::from(value)), "{name}");
        }
        assert_eq!(json["local_search"], true);
        assert!(plan(&["--patience", "0"]).unwrap_err().to_string().contains("patience is 0"));
    }

    #[test]
    fn an_option_that_the_algorithm_does_not_use_is_refused_by_name() {
        let args = Options::parse_from(["solve", "--max-age", "7"]).algorithm;
        assert!(args.refuse_unused(&["max-age"]).is_ok());
        assert!(args.refuse_unused(&["population"]).unwrap_err().to_string().contains("max-age is given"));
    }

    #[test]
    fn a_plan_of_evaluations_keeps_the_epochs_and_restarts_without_limit() {
        for algorithm in AlgorithmName::with_population() {
            let plan = Plan::of_evaluations(algorithm, 123_456).unwrap();
            assert_eq!((plan.budget.evaluations, plan.budget.restarts), (Some(123_456), None));
            assert_eq!(algorithm.to_possible_value().unwrap().get_name(), plan.algorithm.name());
            assert!(Plan::of_evaluations(algorithm, 0).unwrap_err().to_string().contains("evaluations is 0"));
        }
        let epochs = |algorithm| Plan::of_evaluations(algorithm, 123_456).unwrap().budget.epochs;
        assert_eq!((epochs(AlgorithmName::Swarm), epochs(AlgorithmName::RandomKey)), (None, Some(300)));
    }
}
