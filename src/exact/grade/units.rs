//! Rows, columns and blocks as lists of cells.

use super::super::per_shape::PerShape;
use crate::sudoku::Shape;

/// The units of a shape: rows first, then columns, then blocks.
pub(super) struct Units {
    /// The cells of each unit; where a cell stands in its list is its *position*.
    pub cells: Vec<Vec<usize>>,
    /// The row, the column and the block of each cell.
    pub of: Vec<[usize; 3]>,
}

impl Units {
    pub fn of_shape(shape: Shape) -> &'static Units {
        static UNITS: PerShape<Units> = PerShape::new();
        UNITS.get(shape, Units::new)
    }

    fn new(shape: Shape) -> Units {
        let n = shape.side();
        let rows = (0..n).map(|row| shape.row_cells(row).collect());
        let columns = (0..n).map(|column| shape.column_cells(column).collect());
        let blocks = (0..n).map(|block| shape.block_cells(block).collect());
        let of = |cell| [shape.row(cell), n + shape.column(cell), 2 * n + shape.block(cell)];
        Units { cells: rows.chain(columns).chain(blocks).collect(), of: (0..shape.cells()).map(of).collect() }
    }

    /// True if two different cells share a unit.
    pub fn see_each_other(&self, a: usize, b: usize) -> bool {
        a != b && self.of[a].iter().zip(self.of[b]).any(|(a, b)| *a == b)
    }
}
