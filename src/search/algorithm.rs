//! Every algorithm with its parameters, as one value that can be named, checked and run.

use std::fmt;
use std::ops::ControlFlow;

use super::{Budget, Engine, Outcome, Progress, RandomKey, RandomKeyParameters, Swarm, SwarmParameters, run};
use crate::error::Error;
use crate::puzzle::Puzzle;

/// An algorithm and its parameters. Serialized, it is the parameters by the names of the command line's options.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Algorithm {
    /// The worker/explorer swarm.
    Swarm(SwarmParameters),
    /// Particle swarm optimisation over random keys.
    RandomKey(RandomKeyParameters),
}

impl Algorithm {
    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::Swarm(_) => "swarm",
            Algorithm::RandomKey(_) => "random-key",
        }
    }

    /// The number of candidates in an epoch's batch.
    pub fn population(&self) -> usize {
        match self {
            Algorithm::Swarm(parameters) => parameters.population,
            Algorithm::RandomKey(parameters) => parameters.population,
        }
    }

    /// Checks the parameters before anything runs.
    ///
    /// # Errors
    /// [`Error::Parameter`] for the first that no run can have.
    pub fn validate(&self) -> Result<(), Error> {
        match self {
            Algorithm::Swarm(parameters) => parameters.validate(),
            Algorithm::RandomKey(parameters) => parameters.validate(),
        }
    }

    /// Makes the search for one puzzle and seed and runs it, as [`run`] does.
    ///
    /// # Errors
    /// What [`Algorithm::validate`] and [`run`] report.
    pub fn run(
        &self,
        puzzle: &Puzzle,
        seed: u64,
        engine: &mut Engine,
        budget: &Budget,
        observe: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        match self {
            Algorithm::Swarm(parameters) => {
                run(&mut Swarm::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::RandomKey(parameters) => {
                run(&mut RandomKey::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
        }
    }
}

/// The algorithm and its main parameters, for people.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Swarm(parameters) => write!(f, "swarm with {parameters}"),
            Algorithm::RandomKey(parameters) => write!(f, "random-key with {parameters}"),
        }
    }
}
