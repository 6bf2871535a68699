//! The usual 9x9 Sudoku on whole bands at a time.
//!
//! Generation, grading and tests solve 9x9 puzzles by the million, so this shape has a search of its own. A digit's
//! places are three *bands* of 27 bits, one for each cell:
//!
//! ```text
//!            stack 0   stack 1   stack 2
//!  row 0     0  1  2 | 3  4  5 | 6  7  8       bits of a band, one band a word;
//!  row 1     9 10 11 |12 13 14 |15 16 17       three cells of a row and a block
//!  row 2    18 19 20 |21 22 23 |24 25 26       are a mini-row
//! ```
//!
//! In a band, a digit stands in three mini-rows, no two of one row or of one block: a permutation. Of the nine
//! mini-rows, those that are in no permutation of the open ones fall; that one table look-up is hidden singles and both
//! kinds of locked candidates for the whole band, and a band without a permutation is a dead end. With mini-columns the
//! same table serves the stacks. A row with one place left holds its digit there, which the other digits then lose;
//! naked singles come from counting the digits of all cells at once, one bit a cell.
//!
//! The use of band words and mini-row tables goes back to the solvers of the New Sudoku Players' Forum (zhouyundong,
//! "ZSolver"; "JCZSolve") and is told in T. Dillon's notes on tdoku (2019); the permutation table for both
//! directions, the binary branches and this code are our own.

use super::watch::Watch;
use super::{Excluded, Solutions, Stop};
use crate::grid::Grid;
use crate::shape::Shape;

/// One bit a cell; the fourth word is unused, and makes a set of cells one vector register.
type Cells = [u32; 4];

const BAND: u32 = (1 << 27) - 1;
const ROW: u32 = (1 << 9) - 1;
const ALL_CELLS: Cells = [BAND, BAND, BAND, 0];
const NO_CELLS: Cells = [0; 4];
const ALL_DIGITS: u32 = (1 << 9) - 1;
/// A bit of a row, in each of the three rows of a band.
const EACH_ROW: u32 = 1 | 1 << 9 | 1 << 18;

/// A cell's place: its band, and its bit there.
const fn place(cell: usize) -> (usize, u32) {
    (cell / 27, 1 << (cell % 27))
}

fn map2(a: Cells, b: Cells, f: impl Fn(u32, u32) -> u32) -> Cells {
    std::array::from_fn(|word| f(a[word], b[word]))
}

fn and(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a & b)
}

fn without(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a & !b)
}

fn is_empty(cells: Cells) -> bool {
    cells[0] | cells[1] | cells[2] == 0
}

/// The first cell of a set that is not empty.
fn first(cells: Cells) -> usize {
    let band = cells.iter().position(|word| *word != 0).unwrap_or(0);
    band * 27 + cells[band].trailing_zeros() as usize
}

/// For nine mini-rows (bit `3 * row + block`) or mini-columns: those that are in a permutation of them.
const PERMUTED: [u16; 512] = {
    const PERMUTATIONS: [u16; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let mut k = 0;
        while k < 6 {
            if open as u16 & PERMUTATIONS[k] == PERMUTATIONS[k] {
                table[open] |= PERMUTATIONS[k];
            }
            k += 1;
        }
        open += 1;
    }
    table
};

/// For nine mini-rows: the cells of a band that are in a permutation of them; 0 if there is none.
const PERMUTED_CELLS: [u32; 512] = {
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let mut mini_row = 0;
        while mini_row < 9 {
            if PERMUTED[open] >> mini_row & 1 == 1 {
                table[open] |= 0b111 << (3 * mini_row);
            }
            mini_row += 1;
        }
        open += 1;
    }
    table
};

/// For the nine cells of a row: the mini-rows that are not empty.
const MINI_ROWS: [u8; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut block = 0;
        while block < 3 {
            if cells >> (3 * block) & 0b111 != 0 {
                table[cells] |= 1 << block;
            }
            block += 1;
        }
        cells += 1;
    }
    table
};

/// For each cell: the cells that may still hold a digit once this one does, itself included.
const KEPT: [Cells; 81] = {
    let mut table = [ALL_CELLS; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            let row = cell / 9 == other / 9;
            let column = cell % 9 == other % 9;
            let block = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (row || column || block) {
                let (band, bit) = place(other);
                table[cell][band] &= !bit;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// A dead end: a cell without a digit, or a digit without a place.
struct DeadEnd;

/// A position: the places left to each digit.
#[derive(Clone)]
struct Position {
    places: [Cells; 9],
    /// Cells whose digit is known and has been taken from their peers and the other digits.
    settled: Cells,
    /// Digits whose places changed since they were looked at, a bit each.
    changed: u32,
}

impl Position {
    fn new(givens: &Grid) -> Position {
        let mut position = Position { places: [ALL_CELLS; 9], settled: NO_CELLS, changed: ALL_DIGITS };
        for (cell, digit) in givens.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            position.place(cell, usize::from(*digit) - 1);
        }
        position
    }

    /// Puts a digit into a cell.
    fn place(&mut self, cell: usize, digit: usize) {
        let mut only = NO_CELLS;
        let (band, bit) = place(cell);
        only[band] = bit;
        self.places[digit] = and(self.places[digit], KEPT[cell]);
        self.changed |= 1 << digit;
        self.settle_cells(only, digit);
    }

    /// Takes cells that hold a digit from the other digits.
    fn settle_cells(&mut self, cells: Cells, digit: usize) {
        for other in 0..9 {
            if other != digit && !is_empty(and(self.places[other], cells)) {
                self.places[other] = without(self.places[other], cells);
                self.changed |= 1 << other;
            }
        }
        self.settled = map2(self.settled, cells, |a, b| a | b);
    }

    /// Draws every conclusion from permutations and singles. On success, it tells the cells that are still open.
    fn conclude(&mut self) -> Result<Open, DeadEnd> {
        loop {
            while self.changed != 0 {
                let digit = self.changed.trailing_zeros() as usize;
                self.changed &= self.changed - 1;
                self.permute(digit)?;
            }
            let open = self.count()?;
            let naked = without(without(ALL_CELLS, open.cells), self.settled);
            if is_empty(naked) {
                return Ok(open);
            }
            self.place_naked(naked);
        }
    }

    /// Drops the places of a digit that are in no permutation, by bands and by stacks until both agree, and settles the
    /// cells that are the last of their row.
    fn permute(&mut self, digit: usize) -> Result<(), DeadEnd> {
        let mut places = self.places[digit];
        loop {
            let by_rows = permute_bands(places)?;
            let by_both = and(by_rows, permute_stacks(by_rows)?);
            if by_both == by_rows {
                places = by_rows;
                break;
            }
            places = by_both;
        }
        self.places[digit] = places;
        let found = without(last_of_row(places), self.settled);
        if !is_empty(found) {
            self.settle_cells(found, digit);
        }
        Ok(())
    }

    /// Counts the digits of all cells at once.
    fn count(&self) -> Result<Open, DeadEnd> {
        let [mut one, mut two, mut three] = [NO_CELLS; 3];
        for places in self.places {
            three = map2(three, and(two, places), |a, b| a | b);
            two = map2(two, and(one, places), |a, b| a | b);
            one = map2(one, places, |a, b| a | b);
        }
        if one != ALL_CELLS {
            return Err(DeadEnd);
        }
        Ok(Open { cells: two, pairs: without(two, three) })
    }

    fn place_naked(&mut self, naked: Cells) {
        for digit in 0..9 {
            let mut here = and(naked, self.places[digit]);
            while !is_empty(here) {
                let cell = first(here);
                let (band, bit) = place(cell);
                here[band] &= !bit;
                self.places[digit] = and(self.places[digit], KEPT[cell]);
                self.changed |= 1 << digit;
            }
        }
        self.settled = map2(self.settled, naked, |a, b| a | b);
    }

    fn digits(&self, cell: usize) -> u32 {
        let (band, bit) = place(cell);
        (0..9).filter(|digit| self.places[*digit][band] & bit != 0).fold(0, |mask, digit| mask | 1 << digit)
    }

    /// The cell with the fewest digits of a set that is not empty.
    fn tightest(&self, mut cells: Cells) -> usize {
        let mut tightest = (u32::MAX, 0);
        while !is_empty(cells) {
            let cell = first(cells);
            let (band, bit) = place(cell);
            cells[band] &= !bit;
            tightest = tightest.min((self.digits(cell).count_ones(), cell));
        }
        tightest.1
    }

    fn drop_candidate(&mut self, cell: usize, digit: usize) {
        let (band, bit) = place(cell);
        self.places[digit][band] &= !bit;
        self.changed |= 1 << digit;
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::empty(Shape::NINE);
        for cell in 0..81 {
            grid.set(cell, self.digits(cell).trailing_zeros() as u8 + 1);
        }
        grid
    }
}

/// Cells with several digits left.
struct Open {
    /// All of them.
    cells: Cells,
    /// Those with exactly two.
    pairs: Cells,
}

fn permute_bands(places: Cells) -> Result<Cells, DeadEnd> {
    let mut kept = NO_CELLS;
    for band in 0..3 {
        let word = places[band];
        let mini_rows = |row: u32| usize::from(MINI_ROWS[(word >> (9 * row) & ROW) as usize]) << (3 * row);
        kept[band] = word & PERMUTED_CELLS[mini_rows(0) | mini_rows(1) | mini_rows(2)];
        if kept[band] == 0 {
            return Err(DeadEnd);
        }
    }
    Ok(kept)
}

fn permute_stacks(places: Cells) -> Result<Cells, DeadEnd> {
    let columns = |word: u32| (word | word >> 9 | word >> 18) & ROW;
    let [a, b, c] = [columns(places[0]), columns(places[1]), columns(places[2])];
    let mut kept = NO_CELLS;
    for stack in [0, 3, 6] {
        let open = (a >> stack & 7) | (b >> stack & 7) << 3 | (c >> stack & 7) << 6;
        let permuted = u32::from(PERMUTED[open as usize]);
        if permuted == 0 {
            return Err(DeadEnd);
        }
        kept[0] |= (permuted & 7) << stack;
        kept[1] |= (permuted >> 3 & 7) << stack;
        kept[2] |= (permuted >> 6) << stack;
    }
    Ok(kept.map(|columns| columns * EACH_ROW))
}

/// The places of a digit that are the only ones in their row.
fn last_of_row(places: Cells) -> Cells {
    let mut last = NO_CELLS;
    for band in 0..3 {
        for row in [0, 9, 18] {
            let cells = places[band] & ROW << row;
            if cells & cells.wrapping_sub(1) == 0 {
                last[band] |= cells;
            }
        }
    }
    last
}

/// Depth-first search with its own stack. A branch tries a digit in a cell and leaves behind the same position without
/// it, so the stack is never higher than there are cells.
pub(super) struct NineWalk {
    stack: Vec<Position>,
}

impl NineWalk {
    pub fn new(givens: &Grid, excluded: Option<Excluded>) -> NineWalk {
        let mut position = Position::new(givens);
        if let Some((cell, digit)) = excluded {
            position.drop_candidate(cell, usize::from(digit) - 1);
        }
        NineWalk { stack: vec![position] }
    }
}

impl Solutions for NineWalk {
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, Stop> {
        while !self.stack.is_empty() {
            watch.visit()?;
            let Some(position) = self.stack.last_mut() else { break };
            match position.conclude() {
                Err(DeadEnd) => drop(self.stack.pop()),
                Ok(open) if is_empty(open.cells) => {
                    let grid = position.grid();
                    self.stack.pop();
                    return Ok(Some(grid));
                }
                Ok(open) => self.branch(open),
            }
        }
        Ok(None)
    }
}

impl NineWalk {
    /// Leaves the position on the stack without a candidate, and puts the position with it on top.
    fn branch(&mut self, open: Open) {
        let Some(position) = self.stack.last_mut() else { return };
        let cell = if is_empty(open.pairs) { position.tightest(open.cells) } else { first(open.pairs) };
        let digit = position.digits(cell).trailing_zeros() as usize;
        let mut with = position.clone();
        position.drop_candidate(cell, digit);
        with.place(cell, digit);
        self.stack.push(with);
    }
}
