//! The setup of a benchmark: shape, populations, algorithms, and how much time.

use std::time::Duration;

use super::{TimedSearch, read};
use crate::error::Error;
use crate::fitness::Score;
use crate::fitness::backends::Unit;
use crate::fitness::verify::ScoredCandidates;
use crate::machine::MemoryLimit;
use crate::population::LANES;
use crate::population::rng::{Key, Stream, Words, bounded};
use crate::population::sample::{CandidateKind, candidate};
use crate::search::{ALGORITHMS, Algorithm, Variant};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

/// The setup of a benchmark.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The shape of all candidates.
    pub shape: Shape,
    /// Candidates in a batch and individuals in an epoch, each once and ascending.
    populations: Vec<usize>,
    /// The algorithms whose epochs are timed, each once, with default parameters but for the population.
    algorithms: Vec<&'static Algorithm>,
    /// The time that samples are taken for, all in all. Warming up and checking come on top.
    pub time: Duration,
    /// The seed of candidates, puzzle and searches.
    pub seed: u64,
}

impl Setup {
    /// The populations of a sweep from where a GPU is idle to where it is busy.
    pub const POPULATIONS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

    /// The algorithms whose epochs are timed where none are named.
    pub const ALGORITHMS: [&str; 2] = ["anneal", "swarm"];

    /// The distinct candidates behind every batch: they come again and again, so that all scores can be checked.
    const DISTINCT: usize = 1 << 14;

    /// A setup of these populations, in any order, and the algorithms of these names.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no population or no algorithm, or one that no search can have.
    pub fn new(shape: Shape, populations: &[usize], names: &[&str], time: Duration, seed: u64) -> Result<Setup, Error> {
        let mut populations = populations.to_vec();
        populations.sort_unstable();
        populations.dedup();
        if populations.is_empty() {
            let expected = "at least one number";
            return Err(Error::Parameter { name: "populations", found: "an empty list".into(), expected });
        }
        let algorithms = algorithms(names)?;
        let setup = Setup { shape, populations, algorithms, time, seed };
        for population in &setup.populations {
            setup.searches(*population)?;
        }
        Ok(setup)
    }

    /// The populations, ascending.
    pub fn populations(&self) -> &[usize] {
        &self.populations
    }

    /// The algorithms whose epochs are timed.
    pub(super) fn algorithms(&self) -> &[&'static Algorithm] {
        &self.algorithms
    }

    /// The largest population.
    pub fn largest(&self) -> usize {
        self.populations.last().copied().unwrap_or_default()
    }

    /// The searches whose epochs are timed at a population.
    ///
    /// # Errors
    /// [`Error::Setting`] for a population that no search can have.
    pub fn searches(&self, population: usize) -> Result<Vec<Variant>, Error> {
        let of_population = |algorithm: &&'static Algorithm| {
            let mut variant = algorithm.variant();
            variant.set_value("population", &population.into())?;
            variant.validate().map(|()| variant)
        };
        self.algorithms.iter().map(of_population).collect()
    }

    /// Those searches, for people.
    pub(super) fn timed_searches(&self) -> Vec<TimedSearch> {
        let names = self.algorithms.iter().map(|algorithm| algorithm.name);
        let timed = |algorithm| TimedSearch { algorithm, description: format!("{algorithm} with default parameters") };
        names.map(timed).collect()
    }

    /// Refuses populations that the memory cannot hold: a batch with expected and found scores, then a search, beside the
    /// memory that is read and the buffers of all units.
    ///
    /// # Errors
    /// [`Error::Memory`] with what is needed and what there is.
    pub fn check_memory(&self, units: &[Unit]) -> Result<(), Error> {
        self.check_memory_of(units, MemoryLimit::here())
    }

    fn check_memory_of(&self, units: &[Unit], limit: MemoryLimit) -> Result<(), Error> {
        let cells = self.shape.cells();
        let searches = self.algorithms.iter().map(|algorithm| algorithm.bytes_per_slot(cells, cells));
        let batch = (cells + 2 * size_of::<Score>()) as u64;
        let slot = searches.fold(batch, u64::max);
        let buffers = units.iter().map(|unit| unit.bytes(self.shape, self.largest()));
        let needed = buffers.fold(read::BYTES_HELD as u64, u64::saturating_add);
        let needed = needed.saturating_add(slot.saturating_mul(self.largest() as u64));
        let what = || format!("a benchmark of populations up to {}", self.largest());
        limit.check(needed, what, "leave out the largest populations")
    }

    /// The puzzle that searches work on: a third of a solution's cells are given. Whether it has other solutions changes nothing,
    /// since no epoch is the last.
    pub fn puzzle(&self) -> Puzzle {
        let mut words = Words::new(Key::new(self.seed, 0, Stream::Sample), CandidateKind::ALL.len() as u32, 0);
        let solution = candidate(self.shape, CandidateKind::Solved, self.seed, 0);
        let mut givens = Grid::empty(self.shape);
        for (cell, digit) in solution.cells().iter().enumerate() {
            if bounded(&mut words.next_word(), 3) == 0 {
                givens.set(cell, *digit);
            }
        }
        Puzzle::new(givens).expect("a part of a solution has no conflict")
    }

    /// Candidates of every kind, with the scores that the oracle gives them.
    pub(super) fn distinct(&self) -> ScoredCandidates {
        ScoredCandidates::new(self.shape, self.seed, 0, Self::DISTINCT.min(self.largest().next_multiple_of(LANES)))
    }

    /// Bytes that a candidate's scoring must read: its cells.
    pub fn bytes_per_candidate(&self) -> usize {
        self.shape.cells()
    }

    /// Bytes that a candidate's scoring moves to and from a device: its cells and its score.
    pub fn bytes_over_link(&self) -> usize {
        self.shape.cells() + size_of::<Score>()
    }
}

/// The algorithms of these names, each once.
///
/// # Errors
/// [`Error::Setting`] with those there are.
fn algorithms(names: &[&str]) -> Result<Vec<&'static Algorithm>, Error> {
    let mut algorithms: Vec<&'static Algorithm> = Vec::new();
    for name in names {
        let algorithm =
            Algorithm::named(name).ok().filter(|algorithm| algorithm.scores()).ok_or_else(|| refuse(name))?;
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    if algorithms.is_empty() { Err(refuse("an empty list")) } else { Ok(algorithms) }
}

fn refuse(found: &str) -> Error {
    let scoring = ALGORITHMS.iter().filter(|algorithm| algorithm.scores()).map(|algorithm| algorithm.name);
    let expected = scoring.collect::<Vec<_>>().join(", ");
    Error::Setting { name: "algorithm", problem: format!("is {found}, but must be one or several of {expected}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(populations: &[usize]) -> Result<Setup, Error> {
        Setup::new(Shape::NINE, populations, &Setup::ALGORITHMS, Duration::from_secs(1), 1)
    }

    #[test]
    fn populations_are_taken_once_and_in_order() {
        assert_eq!(setup(&[500, 32, 500]).unwrap().populations(), [32, 500]);
        for (populations, part) in [(&[][..], "at least one number"), (&[0, 5], "population")] {
            let message = setup(populations).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn algorithms_are_taken_once_and_by_name() {
        let of = |names: &[&str]| Setup::new(Shape::NINE, &[32], names, Duration::ZERO, 1);
        let names = |setup: Setup| setup.searches(32).unwrap().iter().map(Variant::name).collect::<Vec<_>>();
        assert_eq!(names(of(&["genetic", "swarm", "genetic"]).unwrap()), ["genetic", "swarm"]);
        for (wrong, part) in [(&["tabu"][..], "algorithm is tabu"), (&[], "an empty list")] {
            let message = of(wrong).unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("anneal, swarm"), "{message}");
        }
    }

    #[test]
    fn more_than_the_memory_holds_is_refused_with_what_it_needs() {
        let limit = MemoryLimit { bytes: 600 << 20, source: "a limit" };
        let unit = Unit::on_host("cpu", |shape| Box::new(crate::fitness::Cpu::new(shape)));
        assert!(setup(&[100_000]).unwrap().check_memory_of(std::slice::from_ref(&unit), limit).is_ok());
        let message = setup(&[10_000_000]).unwrap().check_memory_of(&[unit], limit).unwrap_err().to_string();
        assert!(message.contains("up to 10000000 needs 2247 MiB") && message.contains("may use 600 MiB"), "{message}");
    }

    #[test]
    fn every_shape_has_a_puzzle_with_something_left_to_do() {
        for shape in Shape::all().filter(|shape| shape.side() >= 4) {
            let puzzle = Setup::new(shape, &[32], &["swarm"], Duration::ZERO, 1).unwrap().puzzle();
            let givens = puzzle.givens().cells().iter().filter(|digit| **digit != 0).count();
            assert!((1..=shape.cells() / 2).contains(&givens), "{shape}: {givens}");
        }
    }
}
