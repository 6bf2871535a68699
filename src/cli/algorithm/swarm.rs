//! The swarm's options, and the hybrid's, which is a swarm with local search.

use swarmdoku::Error;
use swarmdoku::search::{Acceptance, Algorithm, Budget, OnStagnation, SwarmParameters};

use super::{AcceptanceName, AlgorithmArgs, Preset, Rule, epochs_and_restarts, size};

/// The options that the swarm uses.
pub const OPTIONS: &[&str] = &[
    "rule",
    "preset",
    "population",
    "worker-ratio",
    "max-age",
    "mutation-rate",
    "acceptance",
    "temperature",
    "adaptive",
    "stagnation-limit",
    "stagnation-boost",
    "refine",
];

/// Parameters and default budget: what is not given comes from the preset, and then from the rule.
pub fn plan(args: &AlgorithmArgs, hybrid: bool) -> Result<(Algorithm, Budget), Error> {
    let (rule, rule_budget) = match args.rule.unwrap_or(Rule::Tuned) {
        Rule::Tuned => (SwarmParameters::TUNED, Budget { evaluations: Some(1_000_000_000), ..Budget::default() }),
        Rule::Seed => (SwarmParameters::SEED, epochs_and_restarts(5000, 20)),
    };
    let (population, budget) = match args.preset {
        None => (rule.population, rule_budget),
        Some(Preset::Conservative) => (200, epochs_and_restarts(2000, 5)),
        Some(Preset::Standard) => (200, epochs_and_restarts(3000, 10)),
        Some(Preset::Aggressive) => (300, epochs_and_restarts(5000, 20)),
        Some(Preset::Mealpy) => {
            return Err(Error::Parameter {
                name: "preset",
                found: "mealpy".into(),
                expected: "conservative, standard or aggressive with this algorithm",
            });
        }
    };
    let parameters = SwarmParameters {
        population: args.population.map_or(population, size),
        worker_ratio: args.worker_ratio.unwrap_or(rule.worker_ratio),
        max_age: args.max_age.unwrap_or(rule.max_age),
        mutation_rate: args.mutation_rate.unwrap_or(rule.mutation_rate),
        acceptance: acceptance(args, rule.acceptance)?,
        adaptive: adaptive(args)?,
        on_stagnation: on_stagnation(args, hybrid)?,
    };
    Ok((Algorithm::Swarm(parameters), budget))
}

fn adaptive(args: &AlgorithmArgs) -> Result<bool, Error> {
    match args.worker_ratio {
        Some(ratio) if args.adaptive => Err(Error::Parameter {
            name: "worker-ratio",
            found: ratio.to_string(),
            expected: "left out: --adaptive sets it",
        }),
        _ => Ok(args.adaptive),
    }
}

fn on_stagnation(args: &AlgorithmArgs, hybrid: bool) -> Result<Option<OnStagnation>, Error> {
    let nothing = OnStagnation::NOTHING;
    let on = OnStagnation {
        stagnation_limit: args.stagnation_limit.unwrap_or(nothing.stagnation_limit),
        stagnation_boost: args.stagnation_boost.unwrap_or(nothing.stagnation_boost),
        local_search: hybrid,
        refine: args.refine.unwrap_or(nothing.refine),
    };
    let acts = hybrid || args.stagnation_boost.is_some() || args.refine.is_some();
    match args.stagnation_limit {
        Some(limit) if !acts => Err(Error::Parameter {
            name: "stagnation-limit",
            found: limit.to_string(),
            expected: "left out, or used with -a hybrid, --refine or --stagnation-boost",
        }),
        _ => Ok(acts.then_some(on)),
    }
}

fn acceptance(args: &AlgorithmArgs, default: Acceptance) -> Result<Acceptance, Error> {
    let metropolis = Acceptance::Metropolis { temperature: SwarmParameters::TUNED_TEMPERATURE };
    let chosen = match args.acceptance {
        Some(AcceptanceName::Strict) => Acceptance::Strict,
        Some(AcceptanceName::Plateau) => Acceptance::Plateau,
        Some(AcceptanceName::Metropolis) => metropolis,
        None => default,
    };
    match (chosen, args.temperature) {
        (_, None) => Ok(chosen),
        (Acceptance::Metropolis { .. }, Some(temperature)) => Ok(Acceptance::Metropolis { temperature }),
        (Acceptance::Strict | Acceptance::Plateau, Some(temperature)) => Err(Error::Parameter {
            name: "temperature",
            found: temperature.to_string(),
            expected: "left out, or used with --acceptance metropolis",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::algorithm::tests::plan;

    fn parameters(options: &[&str]) -> SwarmParameters {
        match plan(options).unwrap().algorithm {
            Algorithm::Swarm(parameters) => parameters,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn the_seed_rule_is_the_published_one_and_a_preset_sets_its_sizes_alone() {
        let seed = plan(&["--rule", "seed"]).unwrap();
        assert_eq!(seed.algorithm, Algorithm::Swarm(SwarmParameters::SEED));
        assert_eq!((seed.budget.epochs, seed.budget.restarts, seed.budget.evaluations), (Some(5000), Some(20), None));
        let sized = plan(&["--rule", "seed", "--preset", "aggressive", "--restarts", "2"]).unwrap();
        assert_eq!(sized.algorithm, Algorithm::Swarm(SwarmParameters { population: 300, ..SwarmParameters::SEED }));
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
        assert_eq!(parameters(&options), expected);
        assert_eq!(
            parameters(&["-a", "swarm", "--temperature", "0.2"]).acceptance,
            Acceptance::Metropolis { temperature: 0.2 }
        );
    }

    #[test]
    fn a_hybrid_is_a_swarm_with_local_search() {
        let hybrid = plan(&["-a", "hybrid", "--rule", "seed", "--stagnation-limit", "300"]).unwrap().algorithm;
        let on = OnStagnation { stagnation_limit: 300, local_search: true, ..OnStagnation::NOTHING };
        let expected = SwarmParameters { on_stagnation: Some(on), ..SwarmParameters::SEED };
        assert_eq!((hybrid, hybrid.name()), (Algorithm::Swarm(expected), "hybrid"));
        let boosted = OnStagnation { stagnation_boost: 0.05, refine: 0, ..OnStagnation::NOTHING };
        assert_eq!(parameters(&["--stagnation-boost", "0.05"]).on_stagnation, Some(boosted));
        assert!(parameters(&["--adaptive"]).adaptive && parameters(&["--adaptive"]).on_stagnation.is_none());
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
            (&["--adaptive", "--worker-ratio", "0.8"], "worker-ratio is 0.8"),
            (&["--stagnation-limit", "9"], "stagnation-limit is 9"),
            (&["--stagnation-limit", "0", "--refine", "9"], "stagnation-limit is 0"),
            (&["--stagnation-boost", "2"], "stagnation-boost is 2"),
            (&["--cooling-epochs", "2"], "cooling-epochs is given"),
            (&["--population", "1e18"], "population is 1000000000000000000"),
            (&["--evaluations", "10"], "evaluations is 10"),
            (&["--preset", "mealpy"], "preset is mealpy"),
            (&["--inertia", "0.5"], "inertia is given"),
        ] {
            let message = plan(&[&["-a", "swarm"], options].concat()).expect_err(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
