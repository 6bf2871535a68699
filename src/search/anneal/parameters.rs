//! What defines an annealing beside its puzzle and seed.

use std::fmt;

use crate::error::Error;
use crate::search::{cooling, range};

/// From what a new cycle of cooling starts. To keep the grids solves more: fresh fills have to come down again first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reheat {
    /// From the grids as they are.
    Keep,
    /// From fresh fills, which take an epoch.
    Fresh,
}

/// Which swaps a chain proposes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Neighbours {
    /// Any two free cells of a block: see [`FreeUnits::pick_swap`](crate::population::moves::FreeUnits::pick_swap).
    Any,
    /// A free cell whose digit stands twice in its row or column, with any other free cell of its block. A grid without
    /// such a cell is a solution.
    Conflicts,
}

/// What defines an annealing beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct AnnealParameters {
    /// Chains.
    pub population: usize,
    /// Where cooling starts, in units of the score.
    pub temperature: f64,
    /// Where it ends.
    pub end_temperature: f64,
    /// Steps of each chain from the one to the other.
    pub cooling_epochs: u32,
    /// From what the next cycle starts.
    pub reheat: Reheat,
    /// Which swaps are proposed.
    pub neighbours: Neighbours,
}

impl AnnealParameters {
    /// What solves most puzzles.
    pub const TUNED: AnnealParameters = AnnealParameters {
        population: 32,
        temperature: 0.6,
        end_temperature: 0.3,
        cooling_epochs: 1000,
        reheat: Reheat::Keep,
        neighbours: Neighbours::Conflicts,
    };

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, a temperature that is not positive, an end hotter than
    /// the start, a cooling without an epoch.
    pub fn validate(&self) -> Result<(), Error> {
        range::population(self.population)?;
        range::at_least_one("cooling-epochs", self.cooling_epochs)?;
        cooling::validate(self.temperature, self.end_temperature)
    }
}

/// `32 chains cooling from 0.4 to 0.25 over 30000 epochs, again and again from fresh fills`
impl fmt::Display for AnnealParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnnealParameters { population, temperature, end_temperature, cooling_epochs, reheat, neighbours } = self;
        write!(
            f,
            "{population} chains cooling from {temperature} to {end_temperature} over {cooling_epochs} epochs, "
        )?;
        f.write_str(match reheat {
            Reheat::Keep => "reheated as they are",
            Reheat::Fresh => "again and again from fresh fills",
        })?;
        f.write_str(match neighbours {
            Neighbours::Any => ", any swaps",
            Neighbours::Conflicts => ", swaps at conflicts",
        })
    }
}
