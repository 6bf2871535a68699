//! The genetic algorithm on columns: every column of a candidate is a permutation of the digits.
//!
//! Source: the second approach of the notebook "Solving Sudokus with a Genetic Algorithm". A child keeps all columns but
//! one of a random survivor, and in that one at most two digits are shuffled; so at least half of the children are their
//! parents. The notebook names the eight columns kept of nine; [`GaColumnsParameters::shuffled_columns`] names the
//! others, which are as many in every shape.
//!
//! The notebook's code lets a child change its parent as well, by accident: all children of a survivor are then one
//! array. Here a child is a copy, as the text says. The count of unchanged generations begins anew after a restart, and
//! a restart counts as a generation, as in `ga-naive`. Draws: see `parts::reshuffle`.

use std::fmt;

use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, configure};
use super::parameter::Parameter;
use super::parts;
use super::parts::generations::{Generations, bytes_per_slot};
use super::parts::reshuffle::Reshuffle;
use super::stops;
use crate::population::moves::FreeUnits;
use crate::sudoku::Puzzle;

/// What defines a genetic algorithm on columns beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct GaColumnsParameters {
    /// Individuals of a generation.
    pub population: usize,
    /// The best of a generation, from which the next one is bred.
    pub survivors: usize,
    /// Columns of a child in which cells are shuffled, at most as many as there are; the others are copied.
    pub shuffled_columns: u32,
    /// Cells shuffled in each of them, at most as many as are free.
    pub shuffled_cells: u32,
    /// Generations without change of the best total after which all are filled anew.
    pub restart_after: u32,
}

impl GaColumnsParameters {
    /// The notebook's parameters.
    pub const SEED: GaColumnsParameters = GaColumnsParameters {
        population: 50,
        survivors: 10,
        shuffled_columns: 1,
        shuffled_cells: 2,
        restart_after: 100,
    };
}

/// Genetic algorithm whose columns are permutations.
pub(super) static GA_COLUMNS: Algorithm = Algorithm {
    name: "ga-columns",
    aliases: &[],
    help: "Genetic algorithm whose columns are permutations",
    note: "",
    parameters: &[
        parts::POPULATION,
        parts::SURVIVORS,
        Parameter::count(
            "shuffled-columns",
            "N",
            parts::POSITIVE,
            "Columns of a child in which cells are shuffled; the others are copied",
        ),
        Parameter::count("shuffled-cells", "N", (2, u32::MAX as u64), "Cells shuffled in each of these columns"),
        parts::RESTART_AFTER,
    ],
    rules: &[NamedRule {
        name: "seed",
        defaults: |_| Defaults::of(&GaColumnsParameters::SEED),
        budget: stops::epochs_and_restarts(1000, 20),
    }],
    presets: &[],
    stops: stops::OF_POPULATIONS,
    fixed: &[],
    slot_bytes: bytes_per_slot,
    configure: configure::<GaColumnsParameters>,
};

impl Parameters for GaColumnsParameters {
    type Search = Generations<Reshuffle>;

    fn algorithm(&self) -> &'static Algorithm {
        &GA_COLUMNS
    }

    fn population(&self) -> usize {
        self.population
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> Generations<Reshuffle> {
        let variation = Reshuffle {
            survivors: self.survivors,
            shuffled_units: self.shuffled_columns as usize,
            shuffled_cells: self.shuffled_cells as usize,
        };
        Generations::new(FreeUnits::columns(puzzle), self.population, self.restart_after, variation, seed)
    }
}

/// `50 individuals, 10 survivors, up to 2 cells shuffled in 1 column(s)`
impl fmt::Display for GaColumnsParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GaColumnsParameters { population, survivors, shuffled_columns, shuffled_cells, .. } = self;
        write!(f, "{population} individuals, {survivors} survivors, ")?;
        write!(f, "up to {shuffled_cells} cells shuffled in {shuffled_columns} column(s)")
    }
}
