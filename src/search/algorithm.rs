//! Every algorithm with its parameters, as one value that can be named, checked and run.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{
    ActiveRun, Advance, Anneal, AnnealParameters, Budget, GaColumnsParameters, GaNaiveParameters, GeneticParameters,
    Outcome, Progress, RandomKey, RandomKeyParameters, Run, SearchRun, Swarm, SwarmParameters, run_one,
};
use crate::error::Error;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

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

    /// The run of this seed, ready for the loop; it comes to what [`Algorithm::run`] comes to.
    ///
    /// # Errors
    /// What [`Algorithm::validate`] and [`Budget::validate`] report, and [`Error::Parameter`] for a population that this
    /// machine's memory cannot hold.
    pub fn start(&self, puzzle: &Arc<Puzzle>, seed: u64, budget: &Budget) -> Result<ActiveRun<'static>, Error> {
        ActiveRun::start(self.search(puzzle, seed)?, puzzle, budget)
    }

    /// The run whose state was saved, made with the same puzzle, seed and budget.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run, and what [`Algorithm::start`] reports.
    pub fn resume(
        &self,
        puzzle: &Arc<Puzzle>,
        seed: u64,
        budget: &Budget,
        state: &[u8],
    ) -> Result<ActiveRun<'static>, Error> {
        ActiveRun::resume(self.search(puzzle, seed)?, puzzle, budget, state)
    }

    /// Starts a run and drives it to its end.
    ///
    /// # Errors
    /// What [`Algorithm::start`] and [`run_one`] report.
    pub fn run(
        &self,
        puzzle: &Puzzle,
        seed: u64,
        engine: &mut dyn Advance,
        budget: &Budget,
        observe: impl FnMut(&Progress) -> ControlFlow<()> + Send,
    ) -> Result<Outcome, Error> {
        let run = ActiveRun::start(self.search(puzzle, seed)?, &Arc::new(puzzle.clone()), budget)?;
        run_one(run.observed(observe), engine)
    }

    /// The search of this seed, as a run that has not begun.
    fn search(&self, puzzle: &Puzzle, seed: u64) -> Result<Box<dyn Run>, Error> {
        refuse_past_memory(self.population(), puzzle.shape())?;
        Ok(match self {
            Algorithm::Swarm(parameters) => SearchRun::boxed(Swarm::new(puzzle, parameters, seed)?),
            Algorithm::Anneal(parameters) => SearchRun::boxed(Anneal::new(puzzle, parameters, seed)?),
            Algorithm::RandomKey(parameters) => SearchRun::boxed(RandomKey::new(puzzle, parameters, seed)?),
            Algorithm::GaNaive(parameters) => SearchRun::boxed(parameters.search(puzzle, seed)?),
            Algorithm::GaColumns(parameters) => SearchRun::boxed(parameters.search(puzzle, seed)?),
            Algorithm::Genetic(parameters) => SearchRun::boxed(parameters.search(puzzle, seed)?),
        })
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
            Algorithm::Swarm(parameters) => write!(f, "{} with {parameters}", self.name()),
            Algorithm::Anneal(parameters) => write!(f, "annealing of {parameters}"),
            Algorithm::RandomKey(parameters) => write!(f, "random-key with {parameters}"),
            Algorithm::GaNaive(parameters) => write!(f, "ga-naive with {parameters}"),
            Algorithm::GaColumns(parameters) => write!(f, "ga-columns with {parameters}"),
            Algorithm::Genetic(parameters) => write!(f, "genetic with {parameters}"),
        }
    }
}
