//! Grids as text.

use crate::grid::Grid;

/// One line of digits, `.` for empty; digits past 9 are letters from `A`.
pub fn line(grid: &Grid) -> String {
    let digit = |d: &u8| match d {
        0 => '.',
        1..=9 => char::from(b'0' + d),
        _ => char::from(b'A' + d - 10),
    };
    grid.cells().iter().map(digit).collect()
}
