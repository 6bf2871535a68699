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

fn or(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a | b)
}

fn without(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a & !b)
}

fn is_empty(cells: Cells) -> bool {
    cells[0] | cells[1] | cells[2] == 0
}

/// Takes the first cell out of a set that is not empty.
fn take_first(cells: &mut Cells) -> usize {
    let band = if cells[0] != 0 { 0 } else { 1 + usize::from(cells[1] == 0) };
    let bit = cells[band].trailing_zeros();
    cells[band] &= cells[band].wrapping_sub(1);
    band * 27 + bit as usize
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

/// For nine mini-columns (bit `3 * band + column`): those that are in a permutation of them, with the columns of each
/// band at the start of a row of nine bits.
const PERMUTED_COLUMNS: [u32; 512] = {
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let permuted = PERMUTED[open] as u32;
        table[open] = permuted & 7 | (permuted >> 3 & 7) << 9 | (permuted >> 6) << 18;
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
        let mut places = [ALL_CELLS; 9];
        let mut held = [NO_CELLS; 9];
        let mut settled = NO_CELLS;
        for (cell, digit) in givens.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            let digit = usize::from(*digit) - 1;
            let (band, bit) = place(cell);
            places[digit] = and(places[digit], KEPT[cell]);
            held[digit][band] |= bit;
            settled[band] |= bit;
        }
        for (places, held) in places.iter_mut().zip(held) {
            *places = without(*places, without(settled, held));
        }
        Position { places, settled, changed: ALL_DIGITS }
    }

    /// Puts a digit into a cell.
    fn place(&mut self, cell: usize, digit: usize) {
        let mut only = NO_CELLS;
        let (band, bit) = place(cell);
        only[band] = bit;
        self.places[digit] = and(self.places[digit], KEPT[cell]);
        self.changed |= 1 << digit;
        self.settled = or(self.settled, only);
        for other in (0..9).filter(|other| *other != digit) {
            self.take(other, only);
        }
    }

    /// Draws every conclusion from permutations and singles. On success, it tells the cells that are still open.
    fn conclude(&mut self) -> Result<Open, DeadEnd> {
        loop {
            self.permute_changed()?;
            if self.changed != 0 {
                continue;
            }
            let open = self.count()?;
            let naked = without(without(ALL_CELLS, open.cells), self.settled);
            if is_empty(naked) {
                return Ok(open);
            }
            self.place_naked(naked);
        }
    }

    /// Permutes every digit that changed, and takes the cells that are the last of a row from the other digits.
    fn permute_changed(&mut self) -> Result<(), DeadEnd> {
        let mut found = [NO_CELLS; 9];
        let mut all_found = NO_CELLS;
        while self.changed != 0 {
            let digit = self.changed.trailing_zeros() as usize;
            self.changed &= self.changed - 1;
            self.places[digit] = permute(self.places[digit])?;
            found[digit] = without(last_of_row(self.places[digit]), self.settled);
            if !is_empty(and(all_found, found[digit])) {
                return Err(DeadEnd);
            }
            all_found = or(all_found, found[digit]);
        }
        if !is_empty(all_found) {
            self.settled = or(self.settled, all_found);
            for (digit, found) in found.into_iter().enumerate() {
                self.take(digit, without(all_found, found));
            }
        }
        Ok(())
    }

    /// Takes cells from a digit.
    fn take(&mut self, digit: usize, cells: Cells) {
        let left = without(self.places[digit], cells);
        if left != self.places[digit] {
            self.places[digit] = left;
            self.changed |= 1 << digit;
        }
    }

    /// Counts the digits of all cells at once.
    fn count(&self) -> Result<Open, DeadEnd> {
        let [mut one, mut two, mut three, mut four] = [NO_CELLS; 4];
        for places in self.places {
            four = or(four, and(three, places));
            three = or(three, and(two, places));
            two = or(two, and(one, places));
            one = or(one, places);
        }
        if one != ALL_CELLS {
            return Err(DeadEnd);
        }
        let fewest = [without(two, three), without(three, four), four].into_iter().find(|cells| !is_empty(*cells));
        Ok(Open { cells: two, fewest: fewest.unwrap_or(NO_CELLS) })
    }

    fn place_naked(&mut self, naked: Cells) {
        for digit in 0..9 {
            let mut here = and(naked, self.places[digit]);
            while !is_empty(here) {
                let cell = take_first(&mut here);
                self.places[digit] = and(self.places[digit], KEPT[cell]);
                self.changed |= 1 << digit;
            }
        }
        self.settled = or(self.settled, naked);
    }

    fn digits(&self, cell: usize) -> u32 {
        let (band, bit) = place(cell);
        (0..9).filter(|digit| self.places[*digit][band] & bit != 0).fold(0, |mask, digit| mask | 1 << digit)
    }

    fn drop_candidate(&mut self, cell: usize, digit: usize) {
        let (band, bit) = place(cell);
        self.places[digit][band] &= !bit;
        self.changed |= 1 << digit;
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::empty(Shape::NINE);
        for (digit, mut places) in self.places.into_iter().enumerate() {
            while !is_empty(places) {
                let cell = take_first(&mut places);
                grid.set(cell, digit as u8 + 1);
            }
        }
        grid
    }
}

/// Cells with several digits left.
struct Open {
    /// All of them.
    cells: Cells,
    /// Those with exactly two; if there are none, those with three, and then all.
    fewest: Cells,
}

/// Drops the places of a digit that are in no permutation, by bands and by stacks until both agree.
fn permute(mut places: Cells) -> Result<Cells, DeadEnd> {
    loop {
        let by_rows = permute_bands(places)?;
        places = and(by_rows, permute_stacks(by_rows)?);
        if places == by_rows {
            return Ok(places);
        }
    }
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
    let permuted = |stack: u32| {
        let open = (a >> stack & 7) | (b >> stack & 7) << 3 | (c >> stack & 7) << 6;
        PERMUTED_COLUMNS[open as usize]
    };
    let stacks = [permuted(0), permuted(3), permuted(6)];
    if stacks.contains(&0) {
        return Err(DeadEnd);
    }
    let kept = stacks[0] | stacks[1] << 3 | stacks[2] << 6;
    Ok([kept & ROW, kept >> 9 & ROW, kept >> 18, 0].map(|columns| columns * EACH_ROW))
}

/// The places of a digit that are the only ones in their row, if no row is without a place.
fn last_of_row(places: Cells) -> Cells {
    places.map(|word| {
        // Each row without its lowest place; nothing is borrowed across rows, since none is empty.
        let more = word & word.wrapping_sub(EACH_ROW);
        let pairs = more | more >> 1;
        let fours = pairs | pairs >> 2;
        let rows_with_more = (fours | fours >> 4 | more >> 8) & EACH_ROW;
        word & !(rows_with_more * ROW)
    })
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
        let cell = busiest(open.fewest);
        let digit = position.digits(cell).trailing_zeros() as usize;
        let mut with = position.clone();
        position.drop_candidate(cell, digit);
        with.place(cell, digit);
        self.stack.push(with);
    }
}

/// The cell of a set that sees most others of the set.
fn busiest(cells: Cells) -> usize {
    let mut busiest = (0, 0);
    let mut left = cells;
    while !is_empty(left) {
        let cell = take_first(&mut left);
        let seen = without(cells, KEPT[cell]);
        busiest = busiest.max((seen[0].count_ones() + seen[1].count_ones() + seen[2].count_ones(), 81 - cell));
    }
    81 - busiest.1
}
