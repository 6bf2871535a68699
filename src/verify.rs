//! Every backend against the oracle, candidate by candidate.

use rayon::prelude::*;

use crate::error::Error;
use crate::fitness::{Evaluator, Score, oracle};
use crate::grid::Grid;
use crate::population::Population;
use crate::sample::{self, Kind};
use crate::shape::Shape;

/// Candidates of all kinds with the scores that the oracle gives them.
pub struct Batch {
    population: Population,
    seed: u64,
    first: u32,
    /// One a slot, as [`Evaluator::score`] writes them.
    expected: Vec<Score>,
}

/// A candidate whose score differs from the oracle's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What kind of candidate it is.
    pub kind: Kind,
    /// Its place in the sequence that the seed starts, from 0.
    pub index: u32,
    /// The candidate.
    pub grid: Grid,
    /// The oracle's score.
    pub expected: Score,
    /// The evaluator's score.
    pub found: Score,
}

impl Batch {
    /// Candidates `first..first + len` of the sequence that `seed` starts; the kinds take turns.
    pub fn new(shape: Shape, seed: u64, first: u32, len: usize) -> Batch {
        let grids: Vec<Grid> = (0..len as u32)
            .into_par_iter()
            .map(|offset| sample::candidate(shape, kind(first + offset), seed, first + offset))
            .collect();
        let population = Population::from_grids(shape, &grids).expect("all have this shape");
        let empty = oracle::score(&Grid::empty(shape));
        let mut expected: Vec<Score> = grids.par_iter().map(oracle::score).collect();
        expected.resize(population.slots(), empty);
        Batch { population, seed, first, expected }
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.population.len()
    }

    /// True if there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.population.is_empty()
    }

    /// Scores all candidates and gives the first whose score differs from the oracle's, if one does. The slots that pad
    /// the last tile are compared too.
    ///
    /// # Errors
    /// What [`Evaluator::score`] reports.
    pub fn check(&self, evaluator: &mut dyn Evaluator) -> Result<Option<Mismatch>, Error> {
        // A score that no candidate can have: a slot left unwritten differs.
        let mut found = vec![Score::from_bits(u32::MAX); self.expected.len()];
        evaluator.score(self.population.candidates(), &mut found)?;
        Ok(first_difference(&self.expected, &found).map(|slot| self.mismatch(slot, found[slot])))
    }

    fn mismatch(&self, slot: usize, found: Score) -> Mismatch {
        let index = self.first + slot as u32;
        let grid = if slot < self.len() {
            sample::candidate(self.population.shape(), kind(index), self.seed, index)
        } else {
            Grid::empty(self.population.shape())
        };
        Mismatch { kind: kind(index), index, grid, expected: self.expected[slot], found }
    }
}

fn kind(index: u32) -> Kind {
    Kind::ALL[index as usize % Kind::ALL.len()]
}

fn first_difference(expected: &[Score], found: &[Score]) -> Option<usize> {
    assert_eq!(expected.len(), found.len(), "as many scores as expected");
    expected.iter().zip(found).position(|(expected, found)| expected != found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Backend;
    use crate::population::Candidates;

    /// The oracle as an evaluator, but wrong by one digit in one slot.
    struct WrongAt(usize);

    impl Evaluator for WrongAt {
        fn shape(&self) -> Shape {
            Shape::NINE
        }

        fn backend(&self) -> Backend {
            Backend::Scalar
        }

        fn describe(&self) -> String {
            format!("wrong in slot {}", self.0)
        }

        fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
            scores.fill(oracle::score(&Grid::empty(Shape::NINE)));
            for (slot, score) in scores[..candidates.len()].iter_mut().enumerate() {
                *score = oracle::score(&candidates.get(slot));
            }
            if let Some(score) = scores.get_mut(self.0) {
                *score = Score::from_bits(score.bits() ^ 1);
            }
            Ok(())
        }
    }

    #[test]
    fn one_wrong_score_is_found_wherever_it_is() {
        let batch = Batch::new(Shape::NINE, 1, 600, 70);
        assert_eq!(batch.check(&mut WrongAt(usize::MAX)).unwrap(), None);
        for slot in [0, 1, 31, 32, 69] {
            let mismatch = batch.check(&mut WrongAt(slot)).unwrap().unwrap();
            assert_eq!((mismatch.index, mismatch.kind), (600 + slot as u32, Kind::ALL[slot % 6]));
            assert_eq!(mismatch.grid, batch.population.get(slot));
            assert_eq!(mismatch.found.bits(), mismatch.expected.bits() ^ 1);
        }
        assert_eq!(batch.check(&mut WrongAt(95)).unwrap().unwrap().grid, Grid::empty(Shape::NINE));
    }
}
