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
//! Reading order: `bands`, and the search below.
//!
//! The use of band words and mini-row tables goes back to the solvers of the New Sudoku Players' Forum (zhouyundong,
//! "ZSolver"; "JCZSolve") and is told in T. Dillon's notes on tdoku (2019); the permutation table for both
//! directions, the binary branches and this code are our own.

mod bands;

use super::{Excluded, SearchEnd, Solutions, Watch};
use crate::sudoku::Grid;
use crate::sudoku::Shape;
use bands::{
    ALL_CELLS, Cells, KEPT, NO_CELLS, and, busiest, is_empty, last_of_row, or, permute, place, take_first, without,
};

const ALL_DIGITS: u32 = (1 << 9) - 1;

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

/// Depth-first search with its own stack. A branch tries a digit in a cell and leaves behind the same position without
/// it, so the stack is never higher than there are cells.
pub(super) struct NineWalk {
    stack: Vec<Position>,
}

impl NineWalk {
    pub(super) fn new(givens: &Grid, excluded: Option<Excluded>) -> NineWalk {
        let mut position = Position::new(givens);
        if let Some((cell, digit)) = excluded {
            position.drop_candidate(cell, usize::from(digit) - 1);
        }
        NineWalk { stack: vec![position] }
    }

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

impl Solutions for NineWalk {
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, SearchEnd> {
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
