//! The options of the genetic algorithms.

use clap::{Args, ValueEnum};
use swarmdoku::Error;
use swarmdoku::search::{
    Algorithm, Budget, Crossover, Encoding, GaColumnsParameters, GaNaiveParameters, GeneticParameters, Selection,
};

use super::{AlgorithmArgs, epochs_and_restarts, size};
use crate::cli::count;

/// Options of the genetic algorithms alone.
#[derive(Args, Default)]
pub struct GaArgs {
    /// The best of a generation, from which the next is bred (in `genetic` with `--selection truncation`)
    #[arg(long, value_name = "N", value_parser = count)]
    survivors: Option<u64>,

    /// Generations without change of the best score after which the whole population starts anew
    #[arg(long, value_name = "GENERATIONS")]
    restart_after: Option<u32>,

    /// How many in a hundred free cells a child of `ga-naive` copies from its parent
    #[arg(long, value_name = "PERCENT")]
    keep_percent: Option<u32>,

    /// Columns of a child of `ga-columns` in which cells are shuffled; the others are copied
    #[arg(long, value_name = "N")]
    shuffled_columns: Option<u32>,

    /// Cells shuffled in each of these columns
    #[arg(long, value_name = "N")]
    shuffled_cells: Option<u32>,

    /// The units that are permutations in every individual of `genetic`
    #[arg(long, value_name = "UNITS")]
    encoding: Option<EncodingName>,

    /// How parents are selected: the best of a few drawn from all, or any of the best
    #[arg(long, value_name = "RULE")]
    selection: Option<SelectionName>,

    /// Individuals in a tournament
    #[arg(long, value_name = "N")]
    tournament: Option<u32>,

    /// Which units a child has from its second parent: each with probability 1/2, or all from a random one on
    #[arg(long, value_name = "RULE")]
    crossover: Option<CrossoverName>,

    /// Probability that a child has two parents, 0 to 1
    #[arg(long, value_name = "P")]
    crossover_rate: Option<f64>,

    /// Exchanges of two cells in a mutated child
    #[arg(long, value_name = "N")]
    swaps: Option<u32>,

    /// The best that stay as they are
    #[arg(long, value_name = "N", value_parser = count)]
    elites: Option<u64>,

    /// Try all exchanges of two free cells in a unit of the best, until none is better
    #[arg(long)]
    local_search: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingName {
    Blocks,
    Rows,
    Columns,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SelectionName {
    Tournament,
    Truncation,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CrossoverName {
    Uniform,
    OnePoint,
}

impl GaArgs {
    /// Each option, and whether it was given.
    pub fn given(&self) -> [(&'static str, bool); 13] {
        [
            ("survivors", self.survivors.is_some()),
            ("restart-after", self.restart_after.is_some()),
            ("keep-percent", self.keep_percent.is_some()),
            ("shuffled-columns", self.shuffled_columns.is_some()),
            ("shuffled-cells", self.shuffled_cells.is_some()),
            ("encoding", self.encoding.is_some()),
            ("selection", self.selection.is_some()),
            ("tournament", self.tournament.is_some()),
            ("crossover", self.crossover.is_some()),
            ("crossover-rate", self.crossover_rate.is_some()),
            ("swaps", self.swaps.is_some()),
            ("elites", self.elites.is_some()),
            ("local-search", self.local_search),
        ]
    }
}

/// The options that `ga-naive` uses.
pub const NAIVE_OPTIONS: &[&str] = &["population", "survivors", "restart-after", "keep-percent"];

/// The options that `ga-columns` uses.
pub const COLUMNS_OPTIONS: &[&str] =
    &["population", "survivors", "restart-after", "shuffled-columns", "shuffled-cells"];

/// The options that `genetic` uses.
pub const GENETIC_OPTIONS: &[&str] = &[
    "population",
    "encoding",
    "selection",
    "tournament",
    "survivors",
    "crossover",
    "crossover-rate",
    "mutation-rate",
    "swaps",
    "elites",
    "restart-after",
    "local-search",
];

/// Parameters and default budget of `ga-naive`: the notebook's, 1000 generations, and those up to twenty times.
pub fn naive(args: &AlgorithmArgs) -> (Algorithm, Budget) {
    let (ga, seed) = (&args.ga, GaNaiveParameters::SEED);
    let parameters = GaNaiveParameters {
        population: args.population.map_or(seed.population, size),
        survivors: ga.survivors.map_or(seed.survivors, size),
        keep_percent: ga.keep_percent.unwrap_or(seed.keep_percent),
        restart_after: ga.restart_after.unwrap_or(seed.restart_after),
    };
    (Algorithm::GaNaive(parameters), epochs_and_restarts(1000, 20))
}

/// Parameters and default budget of `ga-columns`: the notebook's, 1000 generations, and those up to twenty times.
pub fn columns(args: &AlgorithmArgs) -> (Algorithm, Budget) {
    let (ga, seed) = (&args.ga, GaColumnsParameters::SEED);
    let parameters = GaColumnsParameters {
        population: args.population.map_or(seed.population, size),
        survivors: ga.survivors.map_or(seed.survivors, size),
        shuffled_columns: ga.shuffled_columns.unwrap_or(seed.shuffled_columns),
        shuffled_cells: ga.shuffled_cells.unwrap_or(seed.shuffled_cells),
        restart_after: ga.restart_after.unwrap_or(seed.restart_after),
    };
    (Algorithm::GaColumns(parameters), epochs_and_restarts(1000, 20))
}

/// Parameters and default budget of `genetic`.
///
/// # Errors
/// [`Error::Parameter`] for an option of the selection that was not chosen.
pub fn genetic(args: &AlgorithmArgs) -> Result<(Algorithm, Budget), Error> {
    let (ga, tuned) = (&args.ga, GeneticParameters::TUNED);
    let parameters = GeneticParameters {
        population: args.population.map_or(tuned.population, size),
        encoding: ga.encoding.map_or(tuned.encoding, Encoding::from),
        selection: selection(ga, tuned.selection)?,
        crossover: ga.crossover.map_or(tuned.crossover, Crossover::from),
        crossover_rate: ga.crossover_rate.unwrap_or(tuned.crossover_rate),
        mutation_rate: args.mutation_rate.unwrap_or(tuned.mutation_rate),
        swaps: ga.swaps.unwrap_or(tuned.swaps),
        elites: ga.elites.map_or(tuned.elites, size),
        restart_after: ga.restart_after.unwrap_or(tuned.restart_after),
        local_search: ga.local_search,
    };
    let budget = Budget { evaluations: Some(1_000_000_000), ..Budget::default() };
    Ok((Algorithm::Genetic(parameters), budget))
}

fn selection(ga: &GaArgs, default: Selection) -> Result<Selection, Error> {
    let mut chosen = match ga.selection {
        None => default,
        Some(SelectionName::Tournament) => Selection::Tournament { tournament: GeneticParameters::TOURNAMENT },
        Some(SelectionName::Truncation) => Selection::Truncation { survivors: GeneticParameters::SURVIVORS },
    };
    let unused = |name, found: String, expected| Err(Error::Parameter { name, found, expected });
    match &mut chosen {
        Selection::Tournament { tournament } => {
            if let Some(survivors) = ga.survivors {
                return unused("survivors", survivors.to_string(), "left out, or used with --selection truncation");
            }
            *tournament = ga.tournament.unwrap_or(*tournament);
        }
        Selection::Truncation { survivors } => {
            if let Some(tournament) = ga.tournament {
                return unused("tournament", tournament.to_string(), "left out, or used with --selection tournament");
            }
            *survivors = ga.survivors.map_or(*survivors, size);
        }
    }
    Ok(chosen)
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Encoding {
        match name {
            EncodingName::Blocks => Encoding::Blocks,
            EncodingName::Rows => Encoding::Rows,
            EncodingName::Columns => Encoding::Columns,
        }
    }
}

impl From<CrossoverName> for Crossover {
    fn from(name: CrossoverName) -> Crossover {
        match name {
            CrossoverName::Uniform => Crossover::Uniform,
            CrossoverName::OnePoint => Crossover::OnePoint,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::algorithm::tests::plan;

    #[test]
    fn the_notebooks_algorithms_have_its_parameters_and_its_thousand_generations() {
        for (name, expected) in [
            ("ga-naive", Algorithm::GaNaive(GaNaiveParameters::SEED)),
            ("ga-columns", Algorithm::GaColumns(GaColumnsParameters::SEED)),
        ] {
            let plan = plan(&["-a", name]).unwrap();
            assert_eq!((plan.algorithm, plan.algorithm.name()), (expected, name));
            assert_eq!((plan.budget.epochs, plan.budget.restarts), (Some(1000), Some(20)));
        }
        assert_eq!(plan(&["-a", "genetic"]).unwrap().algorithm, Algorithm::Genetic(GeneticParameters::TUNED));
    }

    #[test]
    fn parameters_stand_in_json_by_the_names_of_the_options() {
        let columns = plan(&["-a", "ga-columns", "--shuffled-cells", "3", "--survivors", "7"]).unwrap();
        let expected = serde_json::json!({
            "population": 50, "survivors": 7, "shuffled_columns": 1, "shuffled_cells": 3, "restart_after": 100,
            "epochs": 1000, "restarts": 20, "evaluations": null, "timeout": null,
        });
        assert_eq!(columns.to_json().unwrap(), expected);
        let options = ["-a", "genetic", "--encoding", "rows", "--selection", "tournament", "--tournament", "4"];
        let more = ["--crossover", "one-point", "--crossover-rate", "0.25", "--mutation-rate", "0.5", "--swaps", "2"];
        let last = ["--elites", "3", "--restart-after", "9", "--local-search", "--population", "80"];
        let expected = serde_json::json!({
            "population": 80, "encoding": "rows", "selection": "tournament", "tournament": 4,
            "crossover": "one-point", "crossover_rate": 0.25, "mutation_rate": 0.5, "swaps": 2, "elites": 3,
            "restart_after": 9, "local_search": true,
            "epochs": null, "restarts": null, "evaluations": 1_000_000_000, "timeout": null,
        });
        assert_eq!(plan(&[&options[..], &more, &last].concat()).unwrap().to_json().unwrap(), expected);
    }

    #[test]
    fn options_of_another_algorithm_or_selection_are_refused_by_name() {
        for (options, part) in [
            (&["-a", "ga-naive", "--shuffled-cells", "2"][..], "shuffled-cells is given"),
            (&["-a", "ga-naive", "--mutation-rate", "0.5"], "mutation-rate is given"),
            (&["-a", "ga-columns", "--keep-percent", "90"], "keep-percent is given"),
            (&["-a", "ga-columns", "--max-age", "9"], "max-age is given"),
            (&["-a", "genetic", "--temperature", "1"], "temperature is given"),
            (&["--local-search"], "local-search is given"),
            (&["--survivors", "5"], "survivors is given"),
            (&["-a", "genetic", "--selection", "truncation", "--tournament", "3"], "tournament is 3"),
            (&["-a", "genetic", "--selection", "tournament", "--survivors", "3"], "survivors is 3"),
            (&["-a", "genetic", "--elites", "0", "--local-search"], "at least 1 with --local-search"),
            (&["-a", "ga-naive", "--keep-percent", "101"], "keep-percent is 101"),
        ] {
            let message = plan(options).expect_err(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
