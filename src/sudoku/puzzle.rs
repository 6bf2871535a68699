//! A puzzle: givens that never change, and the free cells between them.

use crate::error::Error;
use crate::sudoku::grid::Grid;
use crate::sudoku::shape::Shape;

/// Givens without conflicts, and the cells left free.
///
/// A puzzle may still have no solution or several; `exact` tells. It may have no free cell: then it is its own solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    givens: Grid,
    free: Vec<u16>,
}

impl Puzzle {
    /// A puzzle with these givens.
    ///
    /// # Errors
    /// [`Error::Conflict`] if two equal givens share a row, a column or a block.
    pub fn new(givens: Grid) -> Result<Puzzle, Error> {
        if let Some(conflict) = first_conflict(&givens) {
            return Err(conflict);
        }
        let free = (0..givens.shape().cells() as u16).filter(|cell| givens.get(usize::from(*cell)) == 0).collect();
        Ok(Puzzle { givens, free })
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.givens.shape()
    }

    /// The givens as a partial grid.
    pub fn givens(&self) -> &Grid {
        &self.givens
    }

    /// The cells without a given, ascending.
    pub fn free_cells(&self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.free.iter().map(|cell| usize::from(*cell))
    }

    /// The number of givens.
    pub fn given_count(&self) -> usize {
        self.shape().cells() - self.free.len()
    }

    /// True if `grid` solves this puzzle: every unit holds each digit once and every given stands.
    ///
    /// This is the check that no search may skip. It is written by its own definition, apart from every scorer.
    pub fn accepts(&self, grid: &Grid) -> bool {
        grid.shape() == self.shape()
            && grid.is_complete()
            && first_conflict(grid).is_none()
            && self.givens.cells().iter().zip(grid.cells()).all(|(given, digit)| *given == 0 || given == digit)
    }
}

/// The first pair of equal digits in one unit: rows first, then columns, then blocks.
fn first_conflict(grid: &Grid) -> Option<Error> {
    let shape = grid.shape();
    let n = shape.side();
    (0..n)
        .find_map(|row| conflict_in(grid, "row", row, shape.row_cells(row)))
        .or_else(|| (0..n).find_map(|column| conflict_in(grid, "column", column, shape.column_cells(column))))
        .or_else(|| (0..n).find_map(|block| conflict_in(grid, "block", block, shape.block_cells(block))))
}

fn conflict_in(grid: &Grid, kind: &str, index: usize, cells: impl Iterator<Item = usize>) -> Option<Error> {
    let shape = grid.shape();
    let place = |cell| (shape.row(cell) + 1, shape.column(cell) + 1);
    let mut first_at = vec![None; shape.side() + 1];
    for cell in cells {
        let digit = grid.get(cell);
        if digit == 0 {
            continue;
        }
        if let Some(first) = first_at[usize::from(digit)].replace(cell) {
            let unit = format!("{kind} {}", index + 1);
            return Some(Error::Conflict { digit, unit, first: place(first), second: place(cell) });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four(cells: [u8; 16]) -> Grid {
        Grid::new(Shape::of_side(4).unwrap(), cells).unwrap()
    }

    const SOLVED: [u8; 16] = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];

    #[test]
    fn equal_givens_in_a_row_a_column_or_a_block_are_refused_with_their_places() {
        for (cells, message) in [
            ([(0, 1), (3, 1)], "1 stands twice in row 1, at row 1, column 1 and at row 1, column 4"),
            ([(1, 2), (13, 2)], "2 stands twice in column 2, at row 1, column 2 and at row 4, column 2"),
            ([(10, 4), (15, 4)], "4 stands twice in block 4, at row 3, column 3 and at row 4, column 4"),
        ] {
            let mut givens = [0; 16];
            cells.iter().for_each(|(cell, digit)| givens[*cell] = *digit);
            let error = Puzzle::new(four(givens)).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_puzzle_accepts_its_solution_and_nothing_else() {
        let mut givens = [0; 16];
        givens[0] = 1;
        let puzzle = Puzzle::new(four(givens)).unwrap();
        assert_eq!((puzzle.given_count(), puzzle.free_cells().len()), (1, 15));
        assert!(puzzle.accepts(&four(SOLVED)));
        let mut partial = SOLVED;
        partial[5] = 0;
        assert!(!puzzle.accepts(&four(partial)));
        let mut conflicting = SOLVED;
        conflicting.swap(4, 5);
        assert!(!puzzle.accepts(&four(conflicting)));
        let other_given = SOLVED.map(|digit| digit % 4 + 1);
        assert!(Puzzle::new(Grid::empty(puzzle.shape())).unwrap().accepts(&four(other_given)));
        assert!(!puzzle.accepts(&four(other_given)));
    }
}
