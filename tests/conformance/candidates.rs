//! Candidates to score, of every kind of grid that a backend may score wrong.

use swarmdoku::{Grid, LANES, Population, Shape};

/// Reproducible numbers (SplitMix64), good enough to vary grids.
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// One of `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn shuffle(&mut self, digits: &mut [u8]) {
        for last in (1..digits.len()).rev() {
            digits.swap(last, self.below(last + 1));
        }
    }

    /// The digits `1..=n` in any order.
    fn permutation(&mut self, shape: Shape) -> Vec<u8> {
        let mut digits: Vec<u8> = (1..=shape.side() as u8).collect();
        self.shuffle(&mut digits);
        digits
    }
}

/// A kind of candidate, as a function of shape and numbers.
pub type CandidateKind = fn(Shape, &mut Numbers) -> Grid;

pub const KINDS: [CandidateKind; 10] =
    [random, block_valid, solved, one_wrong, partial, sparse, constant, last_digit_only, cyclic, empty];

/// Any digit anywhere.
pub fn random(shape: Shape, numbers: &mut Numbers) -> Grid {
    from_cells(shape, |_| 1 + numbers.below(shape.side()) as u8)
}

/// Each block holds each digit once: what the searches propose.
pub fn block_valid(shape: Shape, numbers: &mut Numbers) -> Grid {
    let mut grid = Grid::empty(shape);
    for block in 0..shape.side() {
        for (cell, digit) in shape.block_cells(block).zip(numbers.permutation(shape)) {
            grid.set(cell, digit);
        }
    }
    grid
}

/// A solution: each row the one above, shifted by a block's width, and by one more from band to band; digits renamed.
pub fn solved(shape: Shape, numbers: &mut Numbers) -> Grid {
    let names = numbers.permutation(shape);
    from_cells(shape, |cell| {
        let (row, column) = (shape.row(cell), shape.column(cell));
        let shift = row % shape.block_rows() * shape.block_columns() + row / shape.block_rows();
        names[(column + shift) % shape.side()]
    })
}

/// A solution but for one cell.
pub fn one_wrong(shape: Shape, numbers: &mut Numbers) -> Grid {
    let mut grid = solved(shape, numbers);
    let cell = numbers.below(shape.cells());
    grid.set(cell, grid.get(cell) % shape.side() as u8 + 1);
    grid
}

/// Half of a random grid.
pub fn partial(shape: Shape, numbers: &mut Numbers) -> Grid {
    from_cells(shape, |_| (numbers.below(2) * (1 + numbers.below(shape.side()))) as u8)
}

/// One filled cell.
pub fn sparse(shape: Shape, numbers: &mut Numbers) -> Grid {
    let mut grid = Grid::empty(shape);
    grid.set(numbers.below(shape.cells()), 1 + numbers.below(shape.side()) as u8);
    grid
}

/// One digit everywhere.
pub fn constant(shape: Shape, numbers: &mut Numbers) -> Grid {
    let digit = 1 + numbers.below(shape.side()) as u8;
    from_cells(shape, |_| digit)
}

/// The last digit, with the highest bit, everywhere but in a few empty cells.
pub fn last_digit_only(shape: Shape, numbers: &mut Numbers) -> Grid {
    from_cells(shape, |_| if numbers.below(5) == 0 { 0 } else { shape.side() as u8 })
}

/// The digits in turn through all cells: every row right, every column constant.
pub fn cyclic(shape: Shape, numbers: &mut Numbers) -> Grid {
    let start = numbers.below(shape.side());
    from_cells(shape, |cell| ((start + cell) % shape.side()) as u8 + 1)
}

/// Nothing.
pub fn empty(shape: Shape, _: &mut Numbers) -> Grid {
    Grid::empty(shape)
}

/// `len` candidates of all kinds in turn.
pub fn mixed(shape: Shape, len: usize, seed: u64) -> Population {
    let mut numbers = Numbers(seed);
    let mut population = Population::new(shape, len);
    for slot in 0..len {
        let kind = KINDS[(slot + seed as usize) % KINDS.len()];
        population.set(slot, &kind(shape, &mut numbers));
    }
    population
}

/// `len` candidates that repeat those of `pattern`: many, at the price of few.
pub fn repeated(pattern: &Population, len: usize) -> Population {
    let mut population = Population::new(pattern.shape(), len);
    let cells = pattern.shape().cells();
    for (tile, lanes) in population.lanes_mut().chunks_exact_mut(cells).enumerate() {
        for (lane, slot) in (tile * LANES..len).take(LANES).enumerate() {
            let from = slot % pattern.len();
            let source = &pattern.lanes()[from / LANES * cells..][..cells];
            for (to, from_lanes) in lanes.iter_mut().zip(source) {
                to.0[lane] = from_lanes.0[from % LANES];
            }
        }
    }
    population
}

fn from_cells(shape: Shape, digit: impl FnMut(usize) -> u8) -> Grid {
    let cells: Vec<u8> = (0..shape.cells()).map(digit).collect();
    Grid::new(shape, cells).expect("the digits are those of the shape")
}
