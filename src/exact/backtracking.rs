//! Plain backtracking, as tutorials teach it.
//!
//! A baseline for cleverer searches, and simple enough to check them. The first empty cell, row by
//! row, takes the lowest digit that its row, column and block leave free; a cell without such a digit sends the search
//! back to the cell before it, which takes its next digit. Nothing is propagated and no cell is preferred, so time
//! grows exponentially on puzzles that begin with empty rows. Taught with recursion, it runs here on the grid itself:
//! the filled cells are the stack.
//!
//! Source: S. W. Golomb, L. D. Baumert, "Backtrack programming", Journal of the ACM 12, 1965.

use super::{SearchEnd, Solutions, Watch};
use crate::sudoku::Grid;
use crate::sudoku::Shape;

pub(super) struct Backtracking {
    grid: Grid,
    /// The cells without a given, row by row.
    free: Vec<usize>,
    /// How many of them are filled.
    filled: usize,
    /// The highest digit tried in the first empty cell, 0 for none.
    tried: u8,
    taken: Taken,
    entered: bool,
}

impl Backtracking {
    pub(super) fn new(givens: &Grid) -> Backtracking {
        let grid = givens.clone();
        let mut taken = Taken::none(grid.shape());
        for (cell, digit) in grid.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            taken.toggle(cell, *digit);
        }
        let free = (0..grid.shape().cells()).filter(|cell| grid.get(*cell) == 0).collect();
        Backtracking { grid, free, filled: 0, tried: 0, taken, entered: false }
    }

    /// The next digit to try in the first empty cell; none if there is no such digit or no such cell.
    fn next_digit(&self) -> Option<u8> {
        let cell = *self.free.get(self.filled)?;
        let untried = !0 << self.tried;
        let left = self.taken.left(cell) & untried;
        (left != 0).then(|| left.trailing_zeros() as u8 + 1)
    }

    fn fill(&mut self, digit: u8) {
        let cell = self.free[self.filled];
        self.grid.set(cell, digit);
        self.taken.toggle(cell, digit);
        self.filled += 1;
        self.tried = 0;
    }

    /// Empties the cell filled last, for its next digit; false if none is filled.
    fn backtrack(&mut self) -> bool {
        if self.filled == 0 {
            return false;
        }
        self.filled -= 1;
        let cell = self.free[self.filled];
        self.tried = self.grid.get(cell);
        self.taken.toggle(cell, self.tried);
        self.grid.set(cell, 0);
        true
    }
}

impl Solutions for Backtracking {
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, SearchEnd> {
        if !self.entered {
            watch.visit()?;
            self.entered = true;
            if self.free.is_empty() {
                return Ok(Some(self.grid.clone()));
            }
        }
        loop {
            match self.next_digit() {
                Some(digit) => {
                    watch.visit()?;
                    self.fill(digit);
                    if self.filled == self.free.len() {
                        return Ok(Some(self.grid.clone()));
                    }
                }
                None if self.backtrack() => {}
                None => return Ok(None),
            }
        }
    }
}

/// The digits that stand in each unit: a mask for each row, then each column, then each block.
struct Taken {
    shape: Shape,
    masks: Vec<u32>,
}

impl Taken {
    fn none(shape: Shape) -> Taken {
        Taken { shape, masks: vec![0; 3 * shape.side()] }
    }

    fn units(&self, cell: usize) -> [usize; 3] {
        let n = self.shape.side();
        [self.shape.row(cell), n + self.shape.column(cell), 2 * n + self.shape.block(cell)]
    }

    /// Puts a digit into a cell's units, or takes it out again.
    fn toggle(&mut self, cell: usize, digit: u8) {
        for unit in self.units(cell) {
            self.masks[unit] ^= 1 << (digit - 1);
        }
    }

    /// The digits that no unit of the cell holds.
    fn left(&self, cell: usize) -> u32 {
        let [row, column, block] = self.units(cell).map(|unit| self.masks[unit]);
        !(row | column | block) & ((1 << self.shape.side()) - 1)
    }
}
