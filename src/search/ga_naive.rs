//! The naive genetic algorithm: a candidate is any order of the digits missing from the whole grid.
//!
//! Source: the first approach of the notebook "Solving Sudokus with a Genetic Algorithm". A child keeps 95 % of a random
//! survivor's free cells and shuffles the digits of the others among them; nobody survives unchanged but by chance. When
//! the best error has been the same for ten generations, the whole population is filled anew.
//!
//! The notebook's code keeps comparing with the errors from before such a restart, so that a fresh population whose best
//! happens to equal them is thrown away at once; its text goes "back to step 1", which is what is done here. It does not
//! count the restart as an iteration; here it is a generation like any other. Draws: see [`super::parts::reshuffle`].

use std::fmt;

use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, configure};
use super::parameter::Parameter;
use super::parts;
use super::parts::generations::{Generations, bytes_per_slot};
use super::parts::reshuffle::Reshuffle;
use super::stops;
use crate::population::moves::FreeUnits;
use crate::sudoku::Puzzle;

/// What defines a naive genetic algorithm beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct GaNaiveParameters {
    /// Individuals of a generation.
    pub population: usize,
    /// The best of a generation, from which the next one is bred.
    pub survivors: usize,
    /// How many in a hundred free cells a child copies from its parent, rounded down to whole cells.
    pub keep_percent: u32,
    /// Generations without change of the best total after which all are filled anew.
    pub restart_after: u32,
}

impl GaNaiveParameters {
    /// The notebook's parameters.
    pub const SEED: GaNaiveParameters =
        GaNaiveParameters { population: 500, survivors: 10, keep_percent: 95, restart_after: 10 };
}

/// Genetic algorithm on any order of the digits missing from the grid.
pub(super) static GA_NAIVE: Algorithm = Algorithm {
    name: "ga-naive",
    aliases: &[],
    help: "Genetic algorithm on any order of the digits missing from the grid",
    note: "",
    parameters: &[
        parts::POPULATION,
        parts::SURVIVORS,
        Parameter::count(
            "keep-percent",
            "PERCENT",
            (0, 100),
            "Free cells in a hundred that a child copies from its parent",
        ),
        parts::RESTART_AFTER,
    ],
    rules: &[NamedRule {
        name: "seed",
        defaults: |_| Defaults::of(&GaNaiveParameters::SEED),
        budget: stops::epochs_and_restarts(1000, 20),
    }],
    presets: &[],
    stops: stops::OF_POPULATIONS,
    fixed: &[],
    slot_bytes: bytes_per_slot,
    configure: configure::<GaNaiveParameters>,
};

impl Parameters for GaNaiveParameters {
    type Search = Generations<Reshuffle>;

    fn algorithm(&self) -> &'static Algorithm {
        &GA_NAIVE
    }

    fn population(&self) -> usize {
        self.population
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> Generations<Reshuffle> {
        let units = FreeUnits::grid(puzzle);
        let free = units.genome_len();
        let kept = free * self.keep_percent as usize / 100;
        let variation = Reshuffle { survivors: self.survivors, shuffled_units: 1, shuffled_cells: free - kept };
        Generations::new(units, self.population, self.restart_after, variation, seed)
    }
}

/// `500 individuals, 10 survivors, 95 % of the free cells kept`
impl fmt::Display for GaNaiveParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GaNaiveParameters { population, survivors, keep_percent, .. } = self;
        write!(f, "{population} individuals, {survivors} survivors, {keep_percent} % of the free cells kept")
    }
}
