//! One grid, complete or partial. A [`Grid`] may hold anything, conflicts included; a [`crate::Puzzle`] may not.

use std::fmt;

use crate::error::Error;
use crate::sudoku::shape::Shape;

/// One grid: a digit `1..=n` or 0 (empty) for each cell, row by row.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    shape: Shape,
    cells: Box<[u8]>,
}

impl Grid {
    /// A grid of these cells, row by row; 0 is empty.
    ///
    /// # Errors
    /// [`Error::CellCount`] if there are not `shape.cells()` of them, [`Error::Digit`] if one is past the side.
    pub fn new(shape: Shape, cells: impl Into<Box<[u8]>>) -> Result<Grid, Error> {
        let cells = cells.into();
        if cells.len() != shape.cells() {
            return Err(Error::CellCount { found: cells.len(), expected: shape.cells(), shape: shape.to_string() });
        }
        if let Some(cell) = cells.iter().position(|digit| usize::from(*digit) > shape.side()) {
            let (row, column) = (shape.row(cell) + 1, shape.column(cell) + 1);
            return Err(Error::Digit { row, column, digit: cells[cell], side: shape.side(), shape: shape.to_string() });
        }
        Ok(Grid { shape, cells })
    }

    /// A grid without a digit.
    pub fn empty(shape: Shape) -> Grid {
        Grid { shape, cells: vec![0; shape.cells()].into() }
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells, row by row: a digit `1..=n`, or 0 where empty.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The digit in a cell, 0 if it is empty.
    ///
    /// # Panics
    /// If `cell` is not below `shape().cells()`.
    pub fn get(&self, cell: usize) -> u8 {
        self.cells[cell]
    }

    /// Puts a digit, or 0 for none, into a cell.
    ///
    /// # Panics
    /// If `cell` is not below `shape().cells()` or `digit` is past the side.
    pub fn set(&mut self, cell: usize, digit: u8) {
        assert!(usize::from(digit) <= self.shape.side(), "digit {digit} in a {} grid", self.shape);
        self.cells[cell] = digit;
    }

    /// True if no cell is empty.
    pub fn is_complete(&self) -> bool {
        !self.cells.contains(&0)
    }
}

/// One line of digits, `.` for empty; digits past 9 are letters from `A`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.cells.iter().map(|digit| sign(*digit)).collect::<String>())
    }
}

/// The sign of a digit, 0 for an empty cell.
pub(super) fn sign(digit: u8) -> char {
    match digit {
        0 => '.',
        1..=9 => char::from(b'0' + digit),
        _ => char::from(b'A' + digit - 10),
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({}, {self})", self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_refuses_wrong_lengths_and_digits_past_the_side() {
        let four = Shape::of_side(4).unwrap();
        assert!(matches!(Grid::new(four, vec![0; 15]), Err(Error::CellCount { found: 15, .. })));
        let mut cells = vec![0; 16];
        cells[7] = 5;
        assert!(matches!(Grid::new(four, cells), Err(Error::Digit { row: 2, column: 4, digit: 5, .. })));
    }

    #[test]
    fn complete_means_no_empty_cell() {
        let four = Shape::of_side(4).unwrap();
        let mut grid = Grid::new(four, vec![1; 16]).unwrap();
        assert!(grid.is_complete());
        grid.set(15, 0);
        assert!(!grid.is_complete());
    }
}
