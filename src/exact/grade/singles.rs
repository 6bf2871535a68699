//! Naked and hidden singles: the steps that fill cells.

use super::marks::Marks;

/// Fills every cell with one candidate left.
pub(super) fn naked_singles(marks: &mut Marks) -> bool {
    let mut found = false;
    for cell in 0..marks.side() * marks.side() {
        if marks.of(cell).is_power_of_two() {
            marks.fill(cell, marks.of(cell).trailing_zeros() as usize);
            found = true;
        }
    }
    found
}

/// Fills every cell that is a digit's last place in a unit.
pub(super) fn hidden_singles(marks: &mut Marks) -> bool {
    let mut found = false;
    for (unit, cells) in marks.units().cells.iter().enumerate() {
        for (digit, places) in marks.places(unit).into_iter().enumerate() {
            let Some(cell) = places.is_power_of_two().then(|| cells[places.trailing_zeros() as usize]) else {
                continue;
            };
            // An earlier single of this unit may have taken the cell.
            if marks.of(cell) >> digit & 1 == 1 {
                marks.fill(cell, digit);
                found = true;
            }
        }
    }
    found
}
