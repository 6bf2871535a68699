//! The shape of a grid: how many rows and columns a block has, and everything that follows from it.
//!
//! A Sudoku of block shape `R x C` has side `n = R * C`, `n * n` cells and `3 * n` units (rows, columns and
//! blocks), each holding the digits `1..=n` once. Cells are numbered row by row from 0, blocks likewise.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// The largest side: digits `1..=25` fit the bits of one `u32` mask.
pub const MAX_SIDE: usize = 25;

/// The largest number of cells, that of a 25x25 grid.
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// Block rows x block columns, with `2 <= side <= 25`.
///
/// ```
/// use swarmdoku::Shape;
///
/// let six: Shape = "6x6".parse()?;
/// assert_eq!((six.block_rows(), six.block_columns(), six.cells()), (2, 3, 36));
/// assert_eq!(six.block(35), 5);
/// # Ok::<(), swarmdoku::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    block_rows: u8,
    block_columns: u8,
}

impl Shape {
    /// The usual Sudoku: 9x9 with blocks of 3x3.
    pub const NINE: Shape = Shape { block_rows: 3, block_columns: 3 };

    /// A shape with blocks of `block_rows` x `block_columns`.
    ///
    /// # Errors
    /// [`Error::Shape`] if the side, their product, is not within `2..=25`.
    pub fn new(block_rows: usize, block_columns: usize) -> Result<Shape, Error> {
        match block_rows.checked_mul(block_columns) {
            Some(2..=MAX_SIDE) => Ok(Shape { block_rows: block_rows as u8, block_columns: block_columns as u8 }),
            _ => Err(Error::Shape(format!(
                "blocks of {block_rows}x{block_columns} were asked for, but rows times columns must be 2 to {MAX_SIDE}"
            ))),
        }
    }

    /// The shape that a grid of this side has unless another is named: the squarest blocks of at least 2x2,
    /// wide rather than tall (6x6 has blocks of 2 rows x 3 columns).
    ///
    /// # Errors
    /// [`Error::Shape`] if the side is not within `2..=25` or has no blocks of at least 2x2 (a prime).
    pub fn of_side(side: usize) -> Result<Shape, Error> {
        if !(2..=MAX_SIDE).contains(&side) {
            return Err(Error::Shape(format!("a side of {side} was found, but sides are 2 to {MAX_SIDE}")));
        }
        let block_rows = (2..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows)).ok_or_else(|| {
            Error::Shape(format!(
                "a side of {side} has no blocks of at least 2x2; name the blocks, as in --shape {side}x{side}:1x{side}"
            ))
        })?;
        Shape::new(block_rows, side / block_rows)
    }

    /// Every shape there is, by side and then from flat blocks to tall ones.
    pub fn all() -> impl Iterator<Item = Shape> {
        (2..=MAX_SIDE).flat_map(|side| {
            (1..=side)
                .filter(move |rows| side.is_multiple_of(*rows))
                .map(move |rows| Shape { block_rows: rows as u8, block_columns: (side / rows) as u8 })
        })
    }

    /// Rows of cells in a block.
    #[inline]
    pub const fn block_rows(self) -> usize {
        self.block_rows as usize
    }

    /// Columns of cells in a block.
    #[inline]
    pub const fn block_columns(self) -> usize {
        self.block_columns as usize
    }

    /// Bands: horizontal strips of blocks, each [`Shape::block_rows`] rows high.
    #[inline]
    pub const fn bands(self) -> usize {
        self.block_columns()
    }

    /// Stacks: vertical strips of blocks, each [`Shape::block_columns`] columns wide.
    #[inline]
    pub const fn stacks(self) -> usize {
        self.block_rows()
    }

    /// The side `n`: the number of digits, of rows, of columns, of blocks, and of cells in each unit.
    #[inline]
    pub const fn side(self) -> usize {
        self.block_rows() * self.block_columns()
    }

    /// The number of cells, `side * side`.
    #[inline]
    pub const fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The row of a cell.
    #[inline]
    pub const fn row(self, cell: usize) -> usize {
        cell / self.side()
    }

    /// The column of a cell.
    #[inline]
    pub const fn column(self, cell: usize) -> usize {
        cell % self.side()
    }

    /// The block of a cell.
    #[inline]
    pub const fn block(self, cell: usize) -> usize {
        self.row(cell) / self.block_rows() * self.stacks() + self.column(cell) / self.block_columns()
    }

    /// The cells of a row, left to right.
    pub fn row_cells(self, row: usize) -> impl Iterator<Item = usize> + Clone {
        let n = self.side();
        (0..n).map(move |k| row * n + k)
    }

    /// The cells of a column, top to bottom.
    pub fn column_cells(self, column: usize) -> impl Iterator<Item = usize> + Clone {
        let n = self.side();
        (0..n).map(move |k| k * n + column)
    }

    /// The cells of a block, row by row.
    pub fn block_cells(self, block: usize) -> impl Iterator<Item = usize> + Clone {
        let (rows, columns) = (self.block_rows(), self.block_columns());
        let corner = block / self.stacks() * rows * self.side() + block % self.stacks() * columns;
        (0..self.side()).map(move |k| corner + k / columns * self.side() + k % columns)
    }

    /// True for the shape that [`Shape::of_side`] gives, whose blocks need not be named.
    pub fn is_default(self) -> bool {
        Shape::of_side(self.side()).is_ok_and(|default| default == self)
    }
}

/// `9x9`, or `6x6:3x2` where the blocks are not the side's usual ones.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.side();
        if self.is_default() {
            f.pad(&format!("{n}x{n}"))
        } else {
            f.pad(&format!("{n}x{n}:{}x{}", self.block_rows, self.block_columns))
        }
    }
}

/// Reads `9x9` or `9` (a grid with its side's usual blocks), `6x6:3x2` (blocks named, rows x columns), and `2x3`
/// (blocks alone: two different numbers cannot be a grid).
impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        let unreadable = || {
            Error::Shape(format!(
                "`{text}` was found, but a shape is a grid like `9x9`, with its blocks if they are unusual: `6x6:3x2`"
            ))
        };
        let pair = |text: &str| -> Option<(usize, usize)> {
            let (a, b) = text.split_once(['x', 'X', '×'])?;
            Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
        };
        if let Some((grid, blocks)) = text.split_once(':') {
            let (rows, columns) = pair(blocks).ok_or_else(unreadable)?;
            let shape = Shape::new(rows, columns)?;
            let n = shape.side();
            let sides = pair(grid).or_else(|| grid.trim().parse().ok().map(|side| (side, side)));
            return match sides.ok_or_else(unreadable)? {
                (a, b) if a == n && b == n => Ok(shape),
                _ => Err(Error::Shape(format!(
                    "`{text}` was found, but blocks of {rows}x{columns} make a grid of {n}x{n}"
                ))),
            };
        }
        if let Ok(side) = text.trim().parse() {
            return Shape::of_side(side);
        }
        match pair(text).ok_or_else(unreadable)? {
            (side, same) if side == same => Shape::of_side(side).map_err(|error| blocks_meant(side, error)),
            (rows, columns) => Shape::new(rows, columns),
        }
    }
}

/// `3x3` names a grid that has no blocks of 2x2; the writer may have meant the blocks of a 9x9.
fn blocks_meant(side: usize, error: Error) -> Error {
    match error {
        Error::Shape(message) if side * side <= MAX_SIDE => {
            let grid = side * side;
            Error::Shape(format!("{message}; for blocks of {side}x{side} write {grid}x{grid}"))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_blocks_are_the_squarest_and_wide() {
        for (side, rows, columns) in
            [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (24, 4, 6), (25, 5, 5)]
        {
            let shape = Shape::of_side(side).unwrap();
            assert_eq!((shape.block_rows(), shape.block_columns()), (rows, columns), "side {side}");
        }
        for prime in [2, 3, 5, 7, 11, 13, 17, 19, 23] {
            assert!(Shape::of_side(prime).is_err(), "side {prime}");
        }
        for out_of_range in [0, 1, 26, usize::MAX] {
            assert!(Shape::of_side(out_of_range).is_err(), "side {out_of_range}");
        }
    }

    #[test]
    fn every_unit_of_every_shape_holds_side_cells_and_every_cell_lies_in_its_units() {
        assert_eq!(Shape::all().count(), 86);
        for shape in Shape::all() {
            let n = shape.side();
            let mut seen = vec![[0; 3]; shape.cells()];
            for unit in 0..n {
                for cell in shape.row_cells(unit) {
                    assert_eq!(shape.row(cell), unit);
                    seen[cell][0] += 1;
                }
                for cell in shape.column_cells(unit) {
                    assert_eq!(shape.column(cell), unit);
                    seen[cell][1] += 1;
                }
                for cell in shape.block_cells(unit) {
                    assert_eq!(shape.block(cell), unit);
                    seen[cell][2] += 1;
                }
            }
            assert!(seen.iter().all(|counts| *counts == [1, 1, 1]), "{shape}");
        }
    }

    #[test]
    fn a_shape_reads_back_what_it_prints() {
        for shape in Shape::all() {
            assert_eq!(shape.to_string().parse::<Shape>().unwrap(), shape);
        }
        assert_eq!("9".parse::<Shape>().unwrap(), Shape::NINE);
        assert_eq!("2x3".parse::<Shape>().unwrap().to_string(), "6x6");
        assert_eq!("3x2".parse::<Shape>().unwrap().to_string(), "6x6:3x2");
    }

    #[test]
    fn unreadable_shapes_are_errors_that_say_what_to_write() {
        for (text, part) in [
            ("", "like `9x9`"),
            ("9y9", "like `9x9`"),
            ("3x3", "for blocks of 3x3 write 9x9"),
            ("7x7", "--shape 7x7:1x7"),
            ("9x9:2x3", "make a grid of 6x6"),
            ("6x7", "2 to 25"),
            ("99999999999999999999x2", "like `9x9`"),
            ("0x0:0x0", "2 to 25"),
        ] {
            let message = text.parse::<Shape>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
