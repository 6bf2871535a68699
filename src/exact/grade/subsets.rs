//! Naked and hidden pairs, triples and quads.

use super::marks::{Marks, bits};
use super::tight::tight;

/// `size` cells of a unit that have `size` digits between them keep those digits from its other cells.
pub(super) fn naked_subset(marks: &mut Marks, size: usize) -> bool {
    (0..marks.units().cells.len()).any(|unit| {
        let cells = &marks.units().cells[unit];
        tight(&marks.of_unit(unit), size, |positions, digits| {
            let others = cells.iter().enumerate().filter(|(position, _)| positions >> position & 1 == 0);
            others.fold(false, |found, (_, cell)| marks.remove(*cell, digits) | found)
        })
    })
}

/// `size` digits of a unit that have `size` cells between them keep other digits from those cells.
pub(super) fn hidden_subset(marks: &mut Marks, size: usize) -> bool {
    (0..marks.units().cells.len()).any(|unit| {
        let cells = &marks.units().cells[unit];
        tight(&marks.places(unit), size, |digits, positions| {
            bits(positions).fold(false, |found, position| marks.remove(cells[position], !digits) | found)
        })
    })
}
