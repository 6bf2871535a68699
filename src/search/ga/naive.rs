//! The naive genetic algorithm: a candidate is any order of the digits missing from the whole grid.
//!
//! Source: the first approach of the notebook "Solving Sudokus with a Genetic Algorithm". A child keeps 95 % of a random
//! survivor's free cells and shuffles the digits of the others among them; nobody survives unchanged but by chance. When
//! the best error has been the same for ten generations, the whole population is filled anew.
//!
//! The notebook's code keeps comparing with the errors from before such a restart, so that a fresh population whose best
//! happens to equal them is thrown away at once; its text goes "back to step 1", which is what is done here. It does not
//! count the restart as an iteration; here it is a generation like any other. Draws: see [`super::reshuffle`].

use std::fmt;

use super::Generations;
use super::reshuffle::Reshuffle;
use crate::error::Error;
use crate::population::moves::FreeUnits;
use crate::search::range;
use crate::sudoku::Puzzle;

/// What defines a naive genetic algorithm beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
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

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, survivors that are none or more than that, a
    /// percentage past 100, a restart after 0 generations.
    pub fn validate(&self) -> Result<(), Error> {
        range::population(self.population)?;
        range::survivors(self.survivors, self.population)?;
        range::require(self.keep_percent <= 100, "keep-percent", self.keep_percent, "0 to 100")?;
        range::at_least_one("restart-after", self.restart_after)
    }

    /// The search on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`GaNaiveParameters::validate`] refuses.
    pub fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Generations<Reshuffle>, Error> {
        self.validate()?;
        let units = FreeUnits::grid(puzzle);
        let free = units.genome_len();
        let kept = free * self.keep_percent as usize / 100;
        let breed = Reshuffle { survivors: self.survivors, shuffled_units: 1, shuffled_cells: free - kept };
        Ok(Generations::new(units, self.population, self.restart_after, breed, seed))
    }
}

/// `500 individuals, 10 survivors, 95 % of the free cells kept`
impl fmt::Display for GaNaiveParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GaNaiveParameters { population, survivors, keep_percent, .. } = self;
        write!(f, "{population} individuals, {survivors} survivors, {keep_percent} % of the free cells kept")
    }
}
