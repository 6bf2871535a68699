//! X-wing, swordfish and jellyfish: one digit in several parallel lines.

use super::marks::{Marks, bits};
use super::tight::tight;

/// If a digit's places in `size` rows lie in `size` columns, those rows use them up: the digit falls in the rest of the
/// columns. And the same with rows and columns exchanged.
pub(super) fn fish(marks: &mut Marks, size: usize) -> bool {
    let n = marks.side();
    (0..n).any(|digit| {
        [(0, n), (n, 0)].into_iter().any(|(lines, crossing)| {
            let places: Vec<u32> = (lines..lines + n).map(|line| places_of(marks, line, digit)).collect();
            tight(&places, size, |bases, covers| {
                bits(covers).fold(false, |found, cover| remove_off(marks, crossing + cover, bases, digit) | found)
            })
        })
    })
}

/// The open positions of a digit in a unit.
fn places_of(marks: &Marks, unit: usize, digit: usize) -> u32 {
    let cells = marks.units().cells[unit].iter().enumerate();
    cells.fold(0, |places, (position, cell)| places | (marks.of(*cell) >> digit & 1) << position)
}

/// Takes a digit off the cells of a line that lie in none of the base lines.
fn remove_off(marks: &mut Marks, line: usize, bases: u32, digit: usize) -> bool {
    let cells = marks.units().cells[line].iter().enumerate();
    let off = cells.filter(|(position, _)| bases >> position & 1 == 0);
    off.fold(false, |found, (_, cell)| marks.remove(*cell, 1 << digit) | found)
}
