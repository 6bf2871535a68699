//! Every algorithm with its parameters, as one value that can be named, checked and run.

use std::fmt;
use std::ops::ControlFlow;

use super::{Budget, Engine, Outcome, Progress, Swarm, SwarmParameters, run};
use crate::error::Error;
use crate::puzzle::Puzzle;
use crate::shape::Shape;

/// An algorithm and its parameters. Serialized, it is the parameters by the names of the command line's options.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Algorithm {
    /// The worker/explorer swarm.
    Swarm(SwarmParameters),
}

impl Algorithm {
    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::Swarm(_) => "swarm",
        }
    }

    /// The number of candidates in an epoch's batch.
    pub fn population(&self) -> usize {
        match self {
            Algorithm::Swarm(parameters) => parameters.population,
        }
    }

    /// Checks the parameters before anything runs.
    ///
    /// # Errors
    /// [`Error::Parameter`] for the first that no run can have.
    pub fn validate(&self) -> Result<(), Error> {
        match self {
            Algorithm::Swarm(parameters) => parameters.validate(),
        }
    }

    /// Makes the search for one puzzle and seed and runs it, as [`run`] does.
    ///
    /// # Errors
    /// What [`Algorithm::validate`] and [`run`] report, and [`Error::Parameter`] for a population that this machine's
    /// memory cannot hold.
    pub fn run(
        &self,
        puzzle: &Puzzle,
        seed: u64,
        engine: &mut Engine,
        budget: &Budget,
        observe: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        refuse_past_memory(self.population(), puzzle.shape())?;
        match self {
            Algorithm::Swarm(parameters) => {
                run(&mut Swarm::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
        }
    }
}

/// Asks for the memory of a population and gives it back, so that too large a one is an error and not the end of the
/// process.
fn refuse_past_memory(population: usize, shape: Shape) -> Result<(), Error> {
    /// What a slot needs beside its cells, with room to spare: scores, ages, moves.
    const BESIDE_CELLS: usize = 64;
    let bytes = population.saturating_mul(shape.cells() + BESIDE_CELLS);
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| Error::Parameter {
        name: "population",
        found: format!("{population}, which needs {} MiB", bytes >> 20),
        expected: "small enough for this machine's memory",
    })
}

/// The algorithm and its main parameters, for people.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Swarm(parameters) => write!(f, "swarm with {parameters}"),
        }
    }
}
