//! Local search inside a generation: the neighbours of the best, scored with everybody else.
//!
//! A neighbour is the best with two free cells of one unit exchanged. In each generation some slots hold neighbours
//! instead of children, the next ones in the order of all pairs, until all have been tried or a better individual turns
//! up, whose neighbours are tried from the first. So the best of a population goes down by the best exchange in each
//! share of its neighbourhood until it has no better neighbour, and every neighbour is an evaluation like any other, on
//! any backend.

use std::ops::Range;

use crate::error::Error;
use crate::population::moves::FreeUnits;

/// Which neighbours of the best a generation tries.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    /// All pairs of places of a genome inside one unit: unit after unit, by the first and then by the second.
    pairs: Vec<(u16, u16)>,
    /// The pairs that the coming generation tries.
    trying: Range<usize>,
    /// The most it may try.
    room: usize,
}

impl Descent {
    /// All pairs of these units, `room` of them a generation.
    pub(crate) fn new(units: &FreeUnits, room: usize) -> Descent {
        let in_unit = |unit| {
            let Range { start, end } = units.range(unit);
            (start..end).flat_map(move |first| (first + 1..end).map(move |second| (first as u16, second as u16)))
        };
        Descent { pairs: (0..units.units()).flat_map(in_unit).collect(), trying: 0..0, room }
    }

    /// The `index`th pair that this generation tries.
    pub(crate) fn pair(&self, index: usize) -> Option<(usize, usize)> {
        let (first, second) = self.pairs[self.trying.clone()].get(index)?;
        Some((usize::from(*first), usize::from(*second)))
    }

    /// Moves on to the next pairs, or to the first ones if the population has a new best.
    pub(crate) fn conclude(&mut self, new_best: bool) {
        let start = if new_best { 0 } else { self.trying.end };
        self.trying = start..(start + self.room).min(self.pairs.len());
    }

    /// The numbers of the pairs that the coming generation tries.
    pub(crate) fn trying(&self) -> &Range<usize> {
        &self.trying
    }

    /// Lets the coming generation try these pairs.
    ///
    /// # Errors
    /// [`Error::State`] if there are not as many pairs.
    pub(crate) fn try_again(&mut self, trying: Range<usize>) -> Result<(), Error> {
        if trying.start > trying.end || trying.end > self.pairs.len() {
            return Err(Error::State(format!("pairs {trying:?} of {}", self.pairs.len())));
        }
        self.trying = trying;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;
    use crate::sudoku::Shape;

    fn tried(descent: &Descent) -> Vec<(usize, usize)> {
        (0..).map_while(|index| descent.pair(index)).collect()
    }

    #[test]
    fn all_pairs_are_tried_once_in_shares_and_again_for_a_new_best() {
        let units = FreeUnits::rows(&Puzzle::new(Grid::empty(Shape::of_side(4).unwrap())).unwrap());
        let mut descent = Descent::new(&units, 10);
        assert_eq!(tried(&descent), []);
        let shares: Vec<Vec<(usize, usize)>> = [true, false, false, false, true]
            .map(|new_best| {
                descent.conclude(new_best);
                tried(&descent)
            })
            .into();
        assert_eq!(shares.iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 4, 0, 10]);
        assert_eq!(shares[4], shares[0]);
        let mut all = shares[..3].concat();
        assert!(all.iter().all(|(first, second)| first < second && first / 4 == second / 4));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 4 * 6);
    }
}
