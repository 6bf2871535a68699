//! The options of particle swarm optimisation over random keys.

use swarmdoku::Error;
use swarmdoku::search::{Algorithm, Budget, Decoding, Movement, RandomKeyParameters};

use super::{AlgorithmArgs, DecodingName, MovementName, Preset, Rule, epochs_and_restarts, size};

/// The options that it uses.
pub const OPTIONS: &[&str] =
    &["rule", "preset", "population", "inertia", "cognitive", "social", "movement", "decoding"];

/// Parameters and default budget: what is not given comes from the rule. The one preset has the default sizes.
pub fn plan(args: &AlgorithmArgs) -> Result<(Algorithm, Budget), Error> {
    if let Some(preset) = args.preset
        && preset != Preset::Mealpy
    {
        return Err(Error::Parameter {
            name: "preset",
            found: "one of another algorithm".into(),
            expected: "mealpy with this algorithm",
        });
    }
    let default = match args.rule.unwrap_or(Rule::Tuned) {
        Rule::Tuned => RandomKeyParameters::CANONICAL,
        Rule::Seed => RandomKeyParameters::MEALPY,
    };
    let parameters = RandomKeyParameters {
        population: args.population.map_or(default.population, size),
        inertia: args.inertia.unwrap_or(default.inertia),
        cognitive: args.cognitive.unwrap_or(default.cognitive),
        social: args.social.unwrap_or(default.social),
        movement: match args.movement {
            Some(MovementName::Always) => Movement::Always,
            Some(MovementName::Better) => Movement::Better,
            None => default.movement,
        },
        decoding: match args.decoding {
            Some(DecodingName::Rows) => Decoding::Rows,
            Some(DecodingName::Blocks) => Decoding::Blocks,
            None => default.decoding,
        },
    };
    Ok((Algorithm::RandomKey(parameters), epochs_and_restarts(300, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::algorithm::tests::plan;

    #[test]
    fn the_preset_mealpy_is_the_default() {
        for options in [&["-a", "random-key"][..], &["-a", "random-key", "--preset", "mealpy"]] {
            let plan = plan(options).unwrap();
            assert_eq!(plan.algorithm, Algorithm::RandomKey(RandomKeyParameters::CANONICAL));
            assert_eq!((plan.budget.epochs, plan.budget.restarts, plan.budget.evaluations), (Some(300), Some(1), None));
        }
    }

    #[test]
    fn the_seed_rule_moves_as_mealpy_does() {
        let seed = plan(&["-a", "random-key", "--rule", "seed"]).unwrap();
        assert_eq!(seed.algorithm, Algorithm::RandomKey(RandomKeyParameters::MEALPY));
        assert_ne!(RandomKeyParameters::MEALPY, RandomKeyParameters::CANONICAL);
    }

    #[test]
    fn single_options_change_one_thing_and_are_named_as_parameters_are() {
        let options = "-a random-key --population 7 --inertia 0.7 --cognitive 1.5 --social 1 --movement better";
        let options: Vec<&str> = options.split(' ').chain(["--decoding", "blocks", "--epochs", "9"]).collect();
        let expected = serde_json::json!({
            "population": 7, "inertia": 0.7, "cognitive": 1.5, "social": 1.0, "movement": "better", "decoding": "blocks",
            "epochs": 9, "restarts": 1, "evaluations": null, "timeout": null,
        });
        assert_eq!(plan(&options).unwrap().to_json().unwrap(), expected);
    }

    #[test]
    fn unused_and_impossible_values_are_refused_by_name() {
        for (options, part) in [
            (&["--temperature", "1"][..], "temperature is given"),
            (&["--preset", "standard"], "preset is one of another algorithm, but must be mealpy"),
            (&["--inertia", "2"], "inertia is 2"),
            (&["--social", "NaN"], "social is NaN"),
            (&["--population", "0"], "population is 0"),
        ] {
            let message = plan(&[&["-a", "random-key"], options].concat()).expect_err(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
