//! Pencil marks: the digits that each open cell may still hold.

use crate::exact::layout::PerShape;
use crate::sudoku::{Grid, Shape};

/// The units of a shape: rows first, then columns, then blocks.
pub(super) struct Units {
    /// The cells of each unit; where a cell stands in its list is its *position*.
    pub cells: Vec<Vec<usize>>,
    /// The row, the column and the block of each cell.
    pub of: Vec<[usize; 3]>,
}

impl Units {
    pub(super) fn of_shape(shape: Shape) -> &'static Units {
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
    pub(super) fn see_each_other(&self, a: usize, b: usize) -> bool {
        a != b && self.of[a].iter().zip(self.of[b]).any(|(a, b)| *a == b)
    }
}

#[derive(Clone)]
pub(super) struct Marks {
    units: &'static Units,
    n: usize,
    /// The digits of each open cell, a bit each from digit 1; 0 for a cell that is filled.
    open: Vec<u32>,
    /// The digits standing in each unit.
    filled: Vec<u32>,
    open_cells: usize,
    dead: bool,
}

impl Marks {
    /// Every digit that no unit of its cell holds.
    pub(super) fn new(givens: &Grid) -> Marks {
        let shape = givens.shape();
        let (n, cells) = (shape.side(), shape.cells());
        let mut marks = Marks {
            units: Units::of_shape(shape),
            n,
            open: vec![(1 << n) - 1; cells],
            filled: vec![0; 3 * n],
            open_cells: cells,
            dead: false,
        };
        for (cell, digit) in givens.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            marks.fill(cell, usize::from(*digit) - 1);
        }
        marks
    }

    pub(super) fn units(&self) -> &'static Units {
        self.units
    }

    /// The number of digits.
    pub(super) fn side(&self) -> usize {
        self.n
    }

    /// The digits of an open cell, 0 for a filled one.
    pub(super) fn of(&self, cell: usize) -> u32 {
        self.open[cell]
    }

    /// The digits of a unit's open cells, by position.
    pub(super) fn of_unit(&self, unit: usize) -> Vec<u32> {
        self.units.cells[unit].iter().map(|cell| self.open[*cell]).collect()
    }

    /// The open positions of each digit in a unit; 0 for a digit that stands there.
    pub(super) fn places(&self, unit: usize) -> Vec<u32> {
        let mut places = vec![0; self.n];
        for (position, cell) in self.units.cells[unit].iter().enumerate() {
            for digit in bits(self.open[*cell]) {
                places[digit] |= 1 << position;
            }
        }
        places
    }

    /// Fills a cell and takes its digit off the cells that see it.
    pub(super) fn fill(&mut self, cell: usize, digit: usize) {
        let bit = 1 << digit;
        self.open[cell] = 0;
        self.open_cells -= 1;
        for unit in self.units.of[cell] {
            self.filled[unit] |= bit;
            for peer in &self.units.cells[unit] {
                self.remove(*peer, bit);
            }
        }
    }

    /// Takes digits off a cell; true if one of them was there.
    pub(super) fn remove(&mut self, cell: usize, digits: u32) -> bool {
        let gone = self.open[cell] & digits;
        self.open[cell] ^= gone;
        self.dead |= gone != 0 && self.open[cell] == 0;
        gone != 0
    }

    pub(super) fn is_solved(&self) -> bool {
        self.open_cells == 0 && !self.dead
    }

    /// True if the marks show that there is no solution: an open cell without a digit, or a digit without a place.
    pub(super) fn is_dead(&self) -> bool {
        self.dead || (0..self.filled.len()).any(|unit| self.filled[unit] | self.union(unit) != (1 << self.n) - 1)
    }

    /// The digits that some open cell of a unit may hold.
    fn union(&self, unit: usize) -> u32 {
        self.units.cells[unit].iter().fold(0, |union, cell| union | self.open[*cell])
    }
}

/// The numbers of the bits of a mask, ascending.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
