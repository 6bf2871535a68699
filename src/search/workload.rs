//! The facts about an algorithm by which a backend is chosen and memory is counted.

use super::{
    Algorithm, Anneal, AnnealParameters, GaColumnsParameters, GaNaiveParameters, GeneticParameters, RandomKey,
    RandomKeyParameters, Swarm, SwarmParameters, ga,
};
use crate::error::Error;
use crate::fitness::backends::{SearchKind, Workload};
use crate::machine::MemoryLimit;
use crate::population::LANES;
use crate::sudoku::{Puzzle, Shape};

impl Algorithm {
    /// The algorithm of this name with default parameters; none for an unknown one, and for the hybrid, whose epochs are the
    /// swarm's.
    pub fn with_defaults(name: &str) -> Option<Algorithm> {
        Some(match name {
            "swarm" => Algorithm::Swarm(SwarmParameters::TUNED),
            "anneal" => Algorithm::Anneal(AnnealParameters::TUNED),
            "random-key" => Algorithm::RandomKey(RandomKeyParameters::CANONICAL),
            "ga-naive" => Algorithm::GaNaive(GaNaiveParameters::SEED),
            "ga-columns" => Algorithm::GaColumns(GaColumnsParameters::SEED),
            "genetic" => Algorithm::Genetic(GeneticParameters::TUNED),
            _ => return None,
        })
    }

    /// The same with another population.
    pub fn with_population(mut self, individuals: usize) -> Algorithm {
        *match &mut self {
            Algorithm::Swarm(parameters) => &mut parameters.population,
            Algorithm::Anneal(parameters) => &mut parameters.population,
            Algorithm::RandomKey(parameters) => &mut parameters.population,
            Algorithm::GaNaive(parameters) => &mut parameters.population,
            Algorithm::GaColumns(parameters) => &mut parameters.population,
            Algorithm::Genetic(parameters) => &mut parameters.population,
        } = individuals;
        self
    }

    /// Bytes that the search keeps for an individual: its candidate and all beside it.
    pub fn bytes_per_slot(&self, cells: usize, free_cells: usize) -> u64 {
        let bytes = match self {
            Algorithm::Swarm(_) => Swarm::bytes_per_slot(cells),
            Algorithm::Anneal(_) => Anneal::bytes_per_slot(cells),
            Algorithm::RandomKey(_) => RandomKey::bytes_per_slot(cells, free_cells),
            Algorithm::GaNaive(_) | Algorithm::GaColumns(_) | Algorithm::Genetic(_) => {
                ga::bytes_per_slot(cells, free_cells)
            }
        };
        bytes as u64
    }

    /// Bytes that the search keeps for a whole run on a puzzle.
    pub fn bytes(&self, puzzle: &Puzzle) -> u64 {
        let slots = self.population().div_ceil(LANES).saturating_mul(LANES) as u64;
        slots.saturating_mul(self.bytes_per_slot(puzzle.shape().cells(), puzzle.free_cells().len()))
    }

    /// The algorithm as crossovers are kept for it.
    pub fn kind(&self) -> SearchKind {
        let defaults = Algorithm::with_defaults(self.name());
        let has_default_parameters =
            defaults.is_some_and(|defaults| defaults.with_population(self.population()) == *self);
        SearchKind { algorithm: self.name(), has_default_parameters }
    }

    /// One run at a time, on puzzles of a shape with any number of givens.
    pub fn workload(&self, shape: Shape) -> Workload {
        Workload {
            searches: vec![self.kind()],
            bytes_per_slot: self.bytes_per_slot(shape.cells(), shape.cells()),
            ..Workload::scoring(shape, self.population())
        }
    }

    /// Refuses a population that the memory cannot hold, before any of it is allocated.
    ///
    /// # Errors
    /// [`Error::Memory`] with what is needed and what there is.
    pub(super) fn check_memory(&self, puzzle: &Puzzle) -> Result<(), Error> {
        let what = || format!("a population of {} of {}", self.population(), self.name());
        MemoryLimit::here().check(self.bytes(puzzle), what, "take a smaller population, or more memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Grid;

    const NAMES: [&str; 6] = ["swarm", "anneal", "random-key", "ga-naive", "ga-columns", "genetic"];

    #[test]
    fn each_algorithm_has_defaults_under_its_own_name_whatever_its_population() {
        for name in NAMES {
            let algorithm = Algorithm::with_defaults(name).unwrap().with_population(4_711);
            assert_eq!((algorithm.name(), algorithm.population()), (name, 4_711));
            assert_eq!(algorithm.kind(), SearchKind { algorithm: name, has_default_parameters: true });
        }
        assert_eq!(Algorithm::with_defaults("hybrid"), None);
        let other = Algorithm::Swarm(SwarmParameters { max_age: 7, ..SwarmParameters::TUNED });
        assert!(!other.kind().has_default_parameters);
    }

    #[test]
    fn the_bytes_of_an_individual_are_those_measured() {
        // `/usr/bin/time` at 10,000,000 individuals, with the four bytes of the engine's score, 9x9 and some 60 free cells.
        for (name, measured) in [("swarm", 99), ("anneal", 95), ("genetic", 213)] {
            let bytes = 4 + Algorithm::with_defaults(name).unwrap().bytes_per_slot(81, 60);
            assert!(bytes.abs_diff(measured) <= 6, "{name}: {bytes}, {measured} measured");
        }
    }

    #[test]
    fn a_population_past_all_memory_is_refused_and_no_number_wraps() {
        let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).unwrap();
        for name in NAMES {
            let algorithm = Algorithm::with_defaults(name).unwrap().with_population(usize::MAX / 200);
            let refused = algorithm.check_memory(&puzzle).unwrap_err();
            assert!(matches!(refused, Error::Memory { .. }), "{refused}");
        }
    }
}
