//! Random full grids.

use super::going_on;
use super::symmetry::scrambled;
use crate::exact::walk::Walk;
use crate::exact::watch::Watch;
use crate::exact::{Limits, Solutions, Stop};
use crate::population::rng::Words;
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// A random full grid, drawn from `words`.
///
/// Varied, but not uniform over all grids of the shape.
pub fn random_grid(shape: Shape, words: &mut Words) -> Grid {
    fill(shape, words, &|| true).expect("nothing ends it before it is filled")
}

/// As [`random_grid`]; `None` if `go_on` ended it early.
pub(super) fn fill(shape: Shape, words: &mut Words, go_on: &dyn Fn() -> bool) -> Option<Grid> {
    let empty = Grid::empty(shape);
    let mut observe = |_| going_on(go_on);
    loop {
        // A walk that went wrong early seldom comes out again: begin anew after a few nodes a cell.
        let limits = Limits { nodes: 2 * shape.cells() as u64, ..Limits::default() };
        let mut watch = Watch::new(&limits, &mut observe);
        let mut walk = Walk::shuffled(&empty, words);
        match walk.next(&mut watch) {
            Ok(Some(grid)) => return Some(scrambled(&grid, words)),
            Err(Stop::Interrupted) => return None,
            Ok(None) | Err(_) => {}
        }
    }
}
