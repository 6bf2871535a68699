//! Annealing's options.

use swarmdoku::Error;
use swarmdoku::search::{Algorithm, AnnealParameters, Budget};

use super::{AlgorithmArgs, size};

/// The options that annealing uses.
pub const OPTIONS: &[&str] =
    &["population", "temperature", "end-temperature", "cooling-epochs", "reheat", "neighbours"];

/// Parameters and default budget: what is not given is what solves most.
pub fn plan(args: &AlgorithmArgs) -> Result<(Algorithm, Budget), Error> {
    let tuned = AnnealParameters::TUNED;
    let parameters = AnnealParameters {
        population: args.population.map_or(tuned.population, size),
        temperature: args.temperature.unwrap_or(tuned.temperature),
        end_temperature: args.end_temperature.unwrap_or(tuned.end_temperature),
        cooling_epochs: args.cooling_epochs.unwrap_or(tuned.cooling_epochs),
        reheat: args.reheat.map_or(tuned.reheat, Into::into),
        neighbours: args.neighbours.map_or(tuned.neighbours, Into::into),
    };
    Ok((Algorithm::Anneal(parameters), Budget { evaluations: Some(1_000_000_000), ..Budget::default() }))
}

#[cfg(test)]
mod tests {
    use swarmdoku::search::{Neighbours, Reheat};

    use super::*;
    use crate::cli::algorithm::tests::plan;

    #[test]
    fn what_is_not_given_is_tuned_and_single_options_change_one_thing() {
        let tuned = plan(&["-a", "anneal"]).unwrap();
        assert_eq!(tuned.algorithm, Algorithm::Anneal(AnnealParameters::TUNED));
        assert_eq!(tuned.budget.evaluations, Some(1_000_000_000));
        let options = ["-a", "anneal", "--population", "7", "--temperature", "0.6", "--end-temperature", "0.1"];
        let more = ["--cooling-epochs", "500", "--reheat", "fresh", "--neighbours", "any"];
        let expected = AnnealParameters {
            population: 7,
            temperature: 0.6,
            end_temperature: 0.1,
            cooling_epochs: 500,
            reheat: Reheat::Fresh,
            neighbours: Neighbours::Any,
        };
        assert_eq!(plan(&[&options[..], &more].concat()).unwrap().algorithm, Algorithm::Anneal(expected));
    }

    #[test]
    fn unused_and_impossible_values_are_refused_by_name() {
        for (options, part) in [
            (&["--temperature", "0"][..], "temperature is 0"),
            (&["--temperature", "inf"], "temperature is inf"),
            (&["--end-temperature", "NaN"], "end-temperature is NaN"),
            (&["--temperature", "0.2", "--end-temperature", "0.3"], "end-temperature is 0.3"),
            (&["--cooling-epochs", "0"], "cooling-epochs is 0"),
            (&["--population", "0"], "population is 0"),
            (&["--worker-ratio", "0.9"], "worker-ratio is given"),
            (&["--refine", "100"], "refine is given"),
        ] {
            let message = plan(&[&["-a", "anneal"], options].concat()).expect_err(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
