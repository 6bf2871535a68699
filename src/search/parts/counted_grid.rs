//! One grid that is walked on the host, every swap scored by what it changes.
//!
//! A swap inside a block touches two rows and two columns at most, so counts of each digit in each row and column give
//! its score in a handful of steps. The score is the one that every backend would give, to the integer; a scored swap
//! is an evaluation like any other and is counted where it is asked for.

use crate::fitness::Score;
use crate::population::moves::Swap;
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// A complete grid whose blocks hold each digit once, with the count of each digit in each row and column.
#[derive(Clone, Debug)]
pub(crate) struct CountedGrid {
    grid: Grid,
    rows: UnitCounts,
    columns: UnitCounts,
}

impl CountedGrid {
    /// The grid with its counts.
    pub(crate) fn new(grid: Grid) -> CountedGrid {
        let shape = grid.shape();
        let mut counted = CountedGrid { rows: UnitCounts::new(shape), columns: UnitCounts::new(shape), grid };
        for cell in 0..shape.cells() {
            let digit = counted.grid.get(cell);
            counted.rows.add(shape.row(cell), digit);
            counted.columns.add(shape.column(cell), digit);
        }
        counted
    }

    /// The grid.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Its score.
    pub(crate) fn score(&self) -> Score {
        Score::new(self.rows.missing, self.columns.missing, 0)
    }

    /// Exchanges the digits of two cells of one block. Twice is as never.
    pub(crate) fn swap(&mut self, swap: Swap) {
        let shape = self.grid.shape();
        let (first, second) = (usize::from(swap.first), usize::from(swap.second));
        let digits = (self.grid.get(first), self.grid.get(second));
        self.rows.exchange(shape.row(first), shape.row(second), digits);
        self.columns.exchange(shape.column(first), shape.column(second), digits);
        self.grid.set(first, digits.1);
        self.grid.set(second, digits.0);
    }

    /// The score that the grid would have after a swap: one evaluation.
    pub(crate) fn score_after(&mut self, swap: Swap) -> Score {
        self.swap(swap);
        let score = self.score();
        self.swap(swap);
        score
    }
}

/// How often each digit stands in each unit of one family, and how many digits are missing from them.
#[derive(Clone, Debug)]
struct UnitCounts {
    side: usize,
    counts: Vec<u8>,
    missing: u32,
}

impl UnitCounts {
    fn new(shape: Shape) -> UnitCounts {
        let side = shape.side();
        UnitCounts { side, counts: vec![0; side * side], missing: (side * side) as u32 }
    }

    fn count(&mut self, unit: usize, digit: u8) -> &mut u8 {
        &mut self.counts[unit * self.side + usize::from(digit) - 1]
    }

    fn add(&mut self, unit: usize, digit: u8) {
        let count = self.count(unit, digit);
        *count += 1;
        self.missing -= u32::from(*count == 1);
    }

    fn remove(&mut self, unit: usize, digit: u8) {
        let count = self.count(unit, digit);
        *count -= 1;
        self.missing += u32::from(*count == 0);
    }

    /// A digit goes from the first unit to the second, and another the other way.
    fn exchange(&mut self, first: usize, second: usize, digits: (u8, u8)) {
        if first != second {
            self.remove(first, digits.0);
            self.remove(second, digits.1);
            self.add(first, digits.1);
            self.add(second, digits.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::oracle;
    use crate::population::moves::FreeUnits;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::sudoku::Puzzle;

    #[test]
    fn every_score_on_a_walk_equals_the_oracle_in_every_shape() {
        for shape in Shape::all().filter(|shape| shape.side() >= 4) {
            let blocks = FreeUnits::blocks(&Puzzle::new(Grid::empty(shape)).unwrap());
            let mut counted = CountedGrid::new(candidate(shape, CandidateKind::BlockValid, 5, 0));
            for word in (0..60u32).map(|k| k.wrapping_mul(0x9E37_79B9)) {
                let swap = blocks.pick_swap(word);
                let foreseen = counted.score_after(swap);
                counted.swap(swap);
                assert_eq!(counted.score(), oracle::score(counted.grid()), "{shape}");
                assert_eq!(foreseen, counted.score(), "{shape}");
            }
        }
    }
}
