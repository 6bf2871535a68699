//! Locked candidates: where two units overlap.

use super::marks::{Marks, bits};

/// If a digit's places in one unit all lie in another too, it stands there and falls in the rest of the other.
///
/// From a block to a line this is *pointing*, from a line to a block *claiming*.
pub(super) fn locked_candidates(marks: &mut Marks) -> bool {
    let units = marks.units();
    let mut found = false;
    for (unit, cells) in units.cells.iter().enumerate() {
        for (digit, places) in marks.places(unit).into_iter().enumerate() {
            // A single place is a hidden single's business.
            if places.count_ones() < 2 {
                continue;
            }
            let holders: Vec<usize> = bits(places).map(|position| cells[position]).collect();
            for other in units.of[holders[0]].into_iter().filter(|other| *other != unit) {
                if holders.iter().all(|cell| units.of[*cell].contains(&other)) {
                    found |= remove_from_rest(marks, other, unit, 1 << digit);
                }
            }
        }
    }
    found
}

/// Takes digits off the cells of `unit` that are not in `overlap`.
fn remove_from_rest(marks: &mut Marks, unit: usize, overlap: usize, digits: u32) -> bool {
    let units = marks.units();
    let rest = units.cells[unit].iter().filter(|cell| !units.of[**cell].contains(&overlap));
    rest.fold(false, |found, cell| marks.remove(*cell, digits) | found)
}
