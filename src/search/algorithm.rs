//! Every algorithm with its parameters, as one value that can be named, checked and run.

use std::fmt;
use std::ops::ControlFlow;

use super::{
    Anneal, AnnealParameters, Budget, Engine, GaColumnsParameters, GaNaiveParameters, GeneticParameters, Outcome,
    Progress, RandomKey, RandomKeyParameters, Swarm, SwarmParameters, run,
};
use crate::error::Error;
use crate::sudoku::Puzzle;

/// An algorithm and its parameters. Serialized, it is the parameters by the names of the command line's options.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Algorithm {
    /// The worker/explorer swarm, a hybrid one included.
    Swarm(SwarmParameters),
    /// Independent annealing chains.
    Anneal(AnnealParameters),
    /// Particle swarm optimisation over random keys.
    RandomKey(RandomKeyParameters),
    /// The naive genetic algorithm, on the whole grid.
    GaNaive(GaNaiveParameters),
    /// The genetic algorithm on columns.
    GaColumns(GaColumnsParameters),
    /// The general genetic algorithm.
    Genetic(GeneticParameters),
}

impl Algorithm {
    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::Swarm(parameters) if parameters.is_hybrid() => "hybrid",
            Algorithm::Swarm(_) => "swarm",
            Algorithm::Anneal(_) => "anneal",
            Algorithm::RandomKey(_) => "random-key",
            Algorithm::GaNaive(_) => "ga-naive",
            Algorithm::GaColumns(_) => "ga-columns",
            Algorithm::Genetic(_) => "genetic",
        }
    }

    /// The number of candidates in an epoch's batch.
    pub fn population(&self) -> usize {
        match self {
            Algorithm::Swarm(parameters) => parameters.population,
            Algorithm::Anneal(parameters) => parameters.population,
            Algorithm::RandomKey(parameters) => parameters.population,
            Algorithm::GaNaive(parameters) => parameters.population,
            Algorithm::GaColumns(parameters) => parameters.population,
            Algorithm::Genetic(parameters) => parameters.population,
        }
    }

    /// Checks the parameters before anything runs.
    ///
    /// # Errors
    /// [`Error::Parameter`] for the first that no run can have.
    pub fn validate(&self) -> Result<(), Error> {
        match self {
            Algorithm::Swarm(parameters) => parameters.validate(),
            Algorithm::Anneal(parameters) => parameters.validate(),
            Algorithm::RandomKey(parameters) => parameters.validate(),
            Algorithm::GaNaive(parameters) => parameters.validate(),
            Algorithm::GaColumns(parameters) => parameters.validate(),
            Algorithm::Genetic(parameters) => parameters.validate(),
        }
    }

    /// Makes the search for one puzzle and seed and runs it, as [`run`] does.
    ///
    /// # Errors
    /// What [`Algorithm::validate`] and [`run`] report, and [`Error::Memory`] for a population that the memory
    /// cannot hold.
    pub fn run(
        &self,
        puzzle: &Puzzle,
        seed: u64,
        engine: &mut Engine,
        budget: &Budget,
        observe: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        self.check_memory(puzzle)?;
        match self {
            Algorithm::Swarm(parameters) => {
                run(&mut Swarm::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::Anneal(parameters) => {
                run(&mut Anneal::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::RandomKey(parameters) => {
                run(&mut RandomKey::new(puzzle, parameters, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::GaNaive(parameters) => {
                run(&mut parameters.search(puzzle, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::GaColumns(parameters) => {
                run(&mut parameters.search(puzzle, seed)?, engine, puzzle, budget, observe)
            }
            Algorithm::Genetic(parameters) => {
                run(&mut parameters.search(puzzle, seed)?, engine, puzzle, budget, observe)
            }
        }
    }
}

/// The algorithm and its main parameters, for people.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Swarm(parameters) => write!(f, "{} with {parameters}", self.name()),
            Algorithm::Anneal(parameters) => write!(f, "annealing of {parameters}"),
            Algorithm::RandomKey(parameters) => write!(f, "random-key with {parameters}"),
            Algorithm::GaNaive(parameters) => write!(f, "ga-naive with {parameters}"),
            Algorithm::GaColumns(parameters) => write!(f, "ga-columns with {parameters}"),
            Algorithm::Genetic(parameters) => write!(f, "genetic with {parameters}"),
        }
    }
}
