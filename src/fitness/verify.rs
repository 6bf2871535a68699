//! Every backend compared with the oracle, candidate by candidate.

use std::fmt;

use rayon::prelude::*;

use crate::error::Error;
use crate::fitness::{Evaluator, Score, oracle};
use crate::population::sample::{self, CandidateKind};
use crate::population::{Candidates, LANES, Population, tiles_for};
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// Candidates of all kinds with the scores that the oracle gives them.
pub struct ScoredCandidates {
    population: Population,
    seed: u64,
    first: u32,
    /// Candidates after which the sequence begins again.
    period: usize,
    /// One per slot, as [`Evaluator::score`] writes them.
    expected: Vec<Score>,
}

/// A candidate whose score differs from the oracle's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The kind of candidate.
    pub kind: CandidateKind,
    /// Its place in the sequence that the seed starts, from 0.
    pub index: u32,
    /// The candidate.
    pub grid: Grid,
    /// The oracle's score.
    pub expected: Score,
    /// The evaluator's score.
    pub found: Score,
}

/// `candidate 7 (Random, 9x9)`, the grid, and both scores, a line each.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { kind, index, grid, expected, found } = self;
        let shape = grid.shape();
        write!(f, "candidate {index} ({kind:?}, {shape}):\n  {grid}\n  oracle {expected}\n  found  {found}")
    }
}

impl ScoredCandidates {
    /// Candidates `first..first + len` of the sequence that `seed` starts; the kinds take turns.
    pub fn new(shape: Shape, seed: u64, first: u32, len: usize) -> ScoredCandidates {
        let grids: Vec<Grid> = (0..len as u32)
            .into_par_iter()
            .map(|offset| sample::candidate(shape, kind(first + offset), seed, first + offset))
            .collect();
        let population = Population::from_grids(shape, &grids).expect("all have this shape");
        let empty = oracle::score(&Grid::empty(shape));
        let mut expected: Vec<Score> = grids.par_iter().map(oracle::score).collect();
        expected.resize(population.slots(), empty);
        ScoredCandidates { population, seed, first, period: len, expected }
    }

    /// A batch of `len` candidates that repeats these: a large batch for a benchmark, made quickly.
    ///
    /// # Panics
    /// If this batch does not fill its last tile, or holds nothing.
    pub fn repeated(&self, len: usize) -> ScoredCandidates {
        assert!(!self.is_empty() && self.len().is_multiple_of(LANES), "{} candidates fill no whole tiles", self.len());
        let shape = self.population.shape();
        let tiles = tiles_for(len);
        let mut lanes: Vec<_> = self.population.lanes().iter().copied().cycle().take(tiles * shape.cells()).collect();
        let mut expected: Vec<Score> = self.expected.iter().copied().cycle().take(tiles * LANES).collect();
        let (last_tile, padding) = (lanes.len().saturating_sub(shape.cells()), tiles * LANES - len);
        lanes[last_tile..].iter_mut().for_each(|lanes| lanes.0[LANES - padding..].fill(0));
        expected[len..].fill(oracle::score(&Grid::empty(shape)));
        let population = Population::from_lanes(shape, len, lanes);
        ScoredCandidates { population, seed: self.seed, first: self.first, period: self.len(), expected }
    }

    /// The candidates.
    pub fn candidates(&self) -> Candidates<'_> {
        self.population.candidates()
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
    /// Those of [`Evaluator::score`].
    pub fn check(&self, evaluator: &mut dyn Evaluator) -> Result<Option<Mismatch>, Error> {
        let mut found = self.unwritten();
        evaluator.score(self.population.candidates(), &mut found)?;
        Ok(self.compare(&found))
    }

    /// A score for each slot that no candidate can have, so that an unwritten slot differs.
    pub fn unwritten(&self) -> Vec<Score> {
        vec![Score::from_bits(u32::MAX); self.expected.len()]
    }

    /// The first candidate whose score in `found` differs from the oracle's, if one does.
    ///
    /// # Panics
    /// If there is not one score per slot.
    pub fn compare(&self, found: &[Score]) -> Option<Mismatch> {
        first_difference(&self.expected, found).map(|slot| self.mismatch(slot, found[slot]))
    }

    fn mismatch(&self, slot: usize, found: Score) -> Mismatch {
        let index = self.first + (slot % self.period) as u32;
        let grid = if slot < self.len() {
            sample::candidate(self.population.shape(), kind(index), self.seed, index)
        } else {
            Grid::empty(self.population.shape())
        };
        Mismatch { kind: kind(index), index, grid, expected: self.expected[slot], found }
    }
}

fn kind(index: u32) -> CandidateKind {
    CandidateKind::ALL[index as usize % CandidateKind::ALL.len()]
}

fn first_difference(expected: &[Score], found: &[Score]) -> Option<usize> {
    assert_eq!(expected.len(), found.len(), "as many scores as expected");
    expected.iter().zip(found).position(|(expected, found)| expected != found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{Backend, Scalar};

    /// The oracle as an evaluator, but wrong by one digit in one slot.
    struct WrongAt(usize);

    impl Evaluator for WrongAt {
        fn shape(&self) -> Shape {
            Shape::NINE
        }

        fn backend(&self) -> Backend {
            Backend::SCALAR
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
        let batch = ScoredCandidates::new(Shape::NINE, 1, 600, 70);
        assert_eq!(batch.check(&mut WrongAt(usize::MAX)).unwrap(), None);
        for slot in [0, 1, 31, 32, 69] {
            let mismatch = batch.check(&mut WrongAt(slot)).unwrap().unwrap();
            assert_eq!((mismatch.index, mismatch.kind), (600 + slot as u32, CandidateKind::ALL[slot % 6]));
            assert_eq!(mismatch.grid, batch.population.get(slot));
            assert_eq!(mismatch.found.bits(), mismatch.expected.bits() ^ 1);
        }
        assert_eq!(batch.check(&mut WrongAt(95)).unwrap().unwrap().grid, Grid::empty(Shape::NINE));
    }

    #[test]
    fn a_repeated_batch_is_checked_to_its_last_slot() {
        let batch = ScoredCandidates::new(Shape::NINE, 1, 600, 64);
        for len in [0, 1, 64, 70, 150, 160] {
            let repeated = batch.repeated(len);
            assert_eq!((repeated.len(), repeated.candidates().len()), (len, len));
            assert_eq!(repeated.check(&mut WrongAt(usize::MAX)).unwrap(), None, "{len}");
            assert_eq!(repeated.check(&mut Scalar::new(Shape::NINE)).unwrap(), None, "{len}: what pads it is empty");
        }
        let repeated = batch.repeated(150);
        let mismatch = repeated.check(&mut WrongAt(130)).unwrap().unwrap();
        assert_eq!((mismatch.index, &mismatch.grid), (602, &batch.population.get(2)));
        assert_eq!(repeated.compare(&repeated.unwritten()).unwrap().index, 600);
    }
}
