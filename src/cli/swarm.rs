//! From raw options to a swarm's parameters and budget.

use std::time::Duration;

use clap::{Args, ValueEnum};
use swarmdoku::Error;
use swarmdoku::search::{Acceptance, Budget, SwarmParameters};

use super::count;

/// The swarm's options; what is left out comes from the preset, and then from the rule.
#[derive(Args)]
#[command(next_help_heading = "Swarm")]
pub struct SwarmArgs {
    /// Where defaults come from: `tuned` is what solves best, `seed` the published rule (strict acceptance) in
    /// one-dispatch form
    #[arg(long, value_name = "RULE", default_value = "tuned")]
    rule: Rule,

    /// Sizes: conservative 200 x 2000 epochs x 5 restarts, standard 200 x 3000 x 10, aggressive 300 x 5000 x 20
    #[arg(long, value_name = "PRESET")]
    preset: Option<Preset>,

    /// Candidates an epoch: workers first, then explorers
    #[arg(long, value_name = "N", value_parser = count)]
    population: Option<u64>,

    /// The part of the population that are workers, 0 to 1
    #[arg(long, value_name = "RATIO")]
    worker_ratio: Option<f64>,

    /// Epochs without a better score after which a worker starts anew
    #[arg(long, value_name = "EPOCHS")]
    max_age: Option<u32>,

    /// Probability that a worker takes its neighbour whatever its score, 0 to 1
    #[arg(long, value_name = "P")]
    mutation_rate: Option<f64>,

    /// What a worker accepts: `strict` a better score, `plateau` an equal one too, `metropolis` a worse one by d with
    /// probability exp(-d / temperature)
    #[arg(long, value_name = "RULE")]
    acceptance: Option<AcceptanceName>,

    /// Temperature of `--acceptance metropolis`, in units of the score
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
}

/// What ends a run that does not solve its puzzle.
#[derive(Args)]
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

    /// Seconds of wall time a puzzle; the one limit whose results cannot be repeated
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
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
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AcceptanceName {
    Strict,
    Plateau,
    Metropolis,
}

/// What will run: parameters and budget, checked.
pub struct SwarmPlan {
    pub parameters: SwarmParameters,
    pub budget: Budget,
}

impl SwarmPlan {
    /// # Errors
    /// [`Error::Parameter`] for a value out of its range, and for a temperature that nothing uses.
    pub fn new(swarm: &SwarmArgs, budget: &BudgetArgs) -> Result<SwarmPlan, Error> {
        let (rule_parameters, rule_budget) = swarm.rule.defaults();
        let (population, preset_budget) = match swarm.preset {
            None => (rule_parameters.population, rule_budget),
            Some(preset) => preset.sizes(),
        };
        let parameters = SwarmParameters {
            population: swarm.population.map_or(population, |n| usize::try_from(n).unwrap_or(usize::MAX)),
            worker_ratio: swarm.worker_ratio.unwrap_or(rule_parameters.worker_ratio),
            max_age: swarm.max_age.unwrap_or(rule_parameters.max_age),
            mutation_rate: swarm.mutation_rate.unwrap_or(rule_parameters.mutation_rate),
            acceptance: acceptance(swarm, rule_parameters.acceptance)?,
        };
        let budget = Budget {
            epochs: budget.epochs.or(preset_budget.epochs),
            restarts: budget.restarts.or(preset_budget.restarts),
            evaluations: budget.evaluations.or(preset_budget.evaluations),
            time: budget.timeout,
        };
        parameters.validate()?;
        budget.validate(parameters.population)?;
        Ok(SwarmPlan { parameters, budget })
    }

    /// Parameters and budget as one JSON object, by the names of the options.
    pub fn to_json(&self) -> serde_json::Value {
        let SwarmPlan { parameters, budget } = self;
        let (acceptance, temperature) = names(parameters.acceptance);
        serde_json::json!({
            "population": parameters.population,
            "worker_ratio": parameters.worker_ratio,
            "max_age": parameters.max_age,
            "mutation_rate": parameters.mutation_rate,
            "acceptance": acceptance,
            "temperature": temperature,
            "epochs": budget.epochs,
            "restarts": budget.restarts,
            "evaluations": budget.evaluations,
            "timeout": budget.time.map(|time| time.as_secs_f64()),
        })
    }

    /// What was picked, in one line for people.
    pub fn describe(&self) -> String {
        let parameters = &self.parameters;
        let (acceptance, temperature) = names(parameters.acceptance);
        let temperature = temperature.map(|t| format!(" at temperature {t}")).unwrap_or_default();
        let explorers = parameters.population - parameters.workers();
        format!(
            "swarm with {acceptance} acceptance{temperature}, {} workers and {explorers} explorers",
            parameters.workers()
        )
    }
}

impl Rule {
    fn defaults(self) -> (SwarmParameters, Budget) {
        match self {
            Rule::Tuned => (SwarmParameters::TUNED, Budget { evaluations: Some(1_000_000_000), ..Budget::default() }),
            Rule::Seed => (SwarmParameters::SEED, epochs_and_restarts(5000, 20)),
        }
    }
}

impl Preset {
    fn sizes(self) -> (usize, Budget) {
        match self {
            Preset::Conservative => (200, epochs_and_restarts(2000, 5)),
            Preset::Standard => (200, epochs_and_restarts(3000, 10)),
            Preset::Aggressive => (300, epochs_and_restarts(5000, 20)),
        }
    }
}

fn epochs_and_restarts(epochs: u32, restarts: u32) -> Budget {
    Budget { epochs: Some(epochs), restarts: Some(restarts), ..Budget::default() }
}

fn acceptance(args: &SwarmArgs, default: Acceptance) -> Result<Acceptance, Error> {
    let temperature = match default {
        Acceptance::Metropolis { temperature } => temperature,
        _ => SwarmParameters::TUNED_TEMPERATURE,
    };
    let metropolis = Acceptance::Metropolis { temperature: args.temperature.unwrap_or(temperature) };
    let chosen = match args.acceptance {
        Some(AcceptanceName::Strict) => Acceptance::Strict,
        Some(AcceptanceName::Plateau) => Acceptance::Plateau,
        Some(AcceptanceName::Metropolis) => metropolis,
        None if matches!(default, Acceptance::Metropolis { .. }) => metropolis,
        None => default,
    };
    match (args.temperature, chosen) {
        (Some(temperature), Acceptance::Strict | Acceptance::Plateau) => Err(Error::Parameter {
            name: "temperature",
            found: temperature.to_string(),
            expected: "left out, or used by --acceptance metropolis",
        }),
        _ => Ok(chosen),
    }
}

fn names(acceptance: Acceptance) -> (&'static str, Option<f64>) {
    match acceptance {
        Acceptance::Strict => ("strict", None),
        Acceptance::Plateau => ("plateau", None),
        Acceptance::Metropolis { temperature } => ("metropolis", Some(temperature)),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` was found, but seconds are needed, like 10 or 0.5"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        swarm: SwarmArgs,
        #[command(flatten)]
        budget: BudgetArgs,
    }

    fn plan(options: &[&str]) -> Result<SwarmPlan, Error> {
        let options = Options::parse_from(["solve"].iter().chain(options));
        SwarmPlan::new(&options.swarm, &options.budget)
    }

    #[test]
    fn the_seed_rule_is_the_published_one_and_a_preset_sets_its_sizes_alone() {
        let seed = plan(&["--rule", "seed"]).unwrap();
        assert_eq!(seed.parameters, SwarmParameters::SEED);
        assert_eq!((seed.budget.epochs, seed.budget.restarts, seed.budget.evaluations), (Some(5000), Some(20), None));
        let sized = plan(&["--rule", "seed", "--preset", "aggressive", "--restarts", "2"]).unwrap();
        assert_eq!(sized.parameters, SwarmParameters { population: 300, ..SwarmParameters::SEED });
        assert_eq!((sized.budget.epochs, sized.budget.restarts), (Some(5000), Some(2)));
    }

    #[test]
    fn single_options_change_one_thing() {
        let options = ["--rule", "seed", "--acceptance", "metropolis", "--temperature", "0.5", "--max-age", "7"];
        let expected = SwarmParameters {
            max_age: 7,
            acceptance: Acceptance::Metropolis { temperature: 0.5 },
            ..SwarmParameters::SEED
        };
        assert_eq!(plan(&options).unwrap().parameters, expected);
        assert_eq!(
            plan(&["--temperature", "0.2"]).unwrap().parameters.acceptance,
            Acceptance::Metropolis { temperature: 0.2 }
        );
    }

    #[test]
    fn unused_and_impossible_values_are_refused_by_name() {
        for (options, part) in [
            (&["--acceptance", "plateau", "--temperature", "1"][..], "temperature is 1"),
            (&["--temperature", "0"], "temperature is 0"),
            (&["--temperature", "NaN"], "temperature is NaN"),
            (&["--worker-ratio", "1.1"], "worker-ratio is 1.1"),
            (&["--mutation-rate", "NaN"], "mutation-rate is NaN"),
            (&["--population", "0"], "population is 0"),
            (&["--population", "1e18"], "population is 1000000000000000000"),
            (&["--evaluations", "10"], "evaluations is 10"),
        ] {
            let message = plan(options).err().expect(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
