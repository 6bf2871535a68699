//! What is to be measured, and with how much time.

use std::time::Duration;

use super::{Machine, read};
use crate::error::Error;
use crate::fitness::Score;
use crate::fitness::verify::Batch;
use crate::population::LANES;
use crate::population::rng::{Key, Stream, Words, bounded};
use crate::population::sample::{Kind, candidate};
use crate::search::{Parameters, SwarmParameters};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

/// What is to be measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The shape of all candidates.
    pub shape: Shape,
    /// Candidates in a batch and individuals in an epoch, each once and ascending.
    populations: Vec<usize>,
    /// The time that samples are taken for, all in all. Warming up and checking come on top.
    pub time: Duration,
    /// The seed of candidates, puzzle and swarm.
    pub seed: u64,
}

impl Plan {
    /// The populations of a sweep from where a GPU is idle to where it is busy.
    pub const POPULATIONS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

    /// The distinct candidates behind every batch: they come again and again, so that all scores can be checked.
    const DISTINCT: usize = 1 << 14;

    /// A plan of these populations, in any order.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no population, or one that no swarm can have.
    pub fn new(shape: Shape, populations: &[usize], time: Duration, seed: u64) -> Result<Plan, Error> {
        let mut populations = populations.to_vec();
        populations.sort_unstable();
        populations.dedup();
        if populations.is_empty() {
            let expected = "at least one number";
            return Err(Error::Parameter { name: "populations", found: "an empty list".into(), expected });
        }
        let plan = Plan { shape, populations, time, seed };
        plan.populations.iter().try_for_each(|population| plan.swarm(*population).validate())?;
        Ok(plan)
    }

    /// The populations, ascending.
    pub fn populations(&self) -> &[usize] {
        &self.populations
    }

    /// The largest population.
    pub fn largest(&self) -> usize {
        self.populations.last().copied().unwrap_or_default()
    }

    /// Refuses populations that this machine's memory cannot hold beside what it holds already.
    ///
    /// # Errors
    /// [`Error::Parameter`] with what is needed.
    pub fn refuse_past_memory(&self, machine: &Machine) -> Result<(), Error> {
        /// A batch with expected and found scores, then a swarm with scores, ages, moves and what a GPU's host side holds.
        const COPIES: usize = 3;
        const BESIDE_CELLS: usize = 32;
        let populations = self.largest().saturating_mul(COPIES * (self.shape.cells() + BESIDE_CELLS));
        let needed = populations.saturating_add(read::BYTES) as u64;
        if needed <= machine.memory_available {
            return Ok(());
        }
        Err(Error::Parameter {
            name: "populations",
            found: format!(
                "{}, which needs {} MiB where {} MiB are free",
                self.largest(),
                needed >> 20,
                machine.memory_available >> 20
            ),
            expected: "small enough for this machine's memory",
        })
    }

    /// The swarm whose epochs are timed: workers only, as `solve -a swarm` has them.
    pub fn swarm(&self, population: usize) -> SwarmParameters {
        SwarmParameters { population, ..SwarmParameters::TUNED }
    }

    /// That swarm, for people.
    pub(super) fn swarm_in_words(&self) -> String {
        format!("workers only, metropolis acceptance at temperature {}", SwarmParameters::TUNED_TEMPERATURE)
    }

    /// The puzzle it works on: a third of a solution's cells are given. Whether it has other solutions changes nothing,
    /// since no epoch is the last.
    pub fn puzzle(&self) -> Puzzle {
        let mut words = Words::new(Key::new(self.seed, 0, Stream::Sample), Kind::ALL.len() as u32, 0);
        let solution = candidate(self.shape, Kind::Solved, self.seed, 0);
        let mut givens = Grid::empty(self.shape);
        for (cell, digit) in solution.cells().iter().enumerate() {
            if bounded(&mut words.next_word(), 3) == 0 {
                givens.set(cell, *digit);
            }
        }
        Puzzle::new(givens).expect("a part of a solution has no conflict")
    }

    /// Candidates of every kind, with the scores that the oracle gives them.
    pub(super) fn distinct(&self) -> Batch {
        Batch::new(self.shape, self.seed, 0, Self::DISTINCT.min(self.largest().next_multiple_of(LANES)))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(populations: &[usize]) -> Result<Plan, Error> {
        Plan::new(Shape::NINE, populations, Duration::from_secs(1), 1)
    }

    #[test]
    fn populations_are_taken_once_and_in_order() {
        assert_eq!(plan(&[500, 32, 500]).unwrap().populations(), [32, 500]);
        for (populations, part) in [(&[][..], "at least one number"), (&[0, 5], "population")] {
            let message = plan(populations).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn more_than_the_memory_holds_is_refused_with_what_it_needs() {
        let mut machine = Machine::here();
        machine.memory_available = 300 << 20;
        assert!(plan(&[100_000]).unwrap().refuse_past_memory(&machine).is_ok());
        let message = plan(&[10_000_000]).unwrap().refuse_past_memory(&machine).unwrap_err().to_string();
        assert!(message.contains("10000000, which needs 3488 MiB where 300 MiB are free"), "{message}");
    }

    #[test]
    fn every_shape_has_a_puzzle_with_something_left_to_do() {
        for shape in Shape::all().filter(|shape| shape.side() >= 4) {
            let puzzle = Plan::new(shape, &[32], Duration::ZERO, 1).unwrap().puzzle();
            let givens = puzzle.givens().cells().iter().filter(|digit| **digit != 0).count();
            assert!((1..=shape.cells() / 2).contains(&givens), "{shape}: {givens}");
        }
    }
}
