//! Taking givens away from a full grid.

use super::symmetry::Symmetry;
use crate::exact::has_other;
use crate::population::rng::{Words, shuffle};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;

/// Nodes for the proof that one given can go. A proof at 9x9 takes tens; where a larger shape needs more than these,
/// the given stays, since most such proofs would take very long.
const PROOF_NODES: u64 = 1000;

/// The givens left once orbits have been taken away in random order, none of them leaving fewer than `fewest`.
///
/// `None` if `go_on` ended it early.
pub(super) fn dig(
    solution: &Grid,
    symmetry: Symmetry,
    fewest: usize,
    words: &mut Words,
    go_on: &dyn Fn() -> bool,
) -> Option<Grid> {
    let mut orbits = symmetry.orbits(solution.shape());
    shuffle(&mut orbits, || words.next_word());
    let mut givens = solution.clone();
    let mut left = solution.shape().cells();
    for orbit in orbits {
        if left == fewest {
            break;
        }
        if left - orbit.len() >= fewest && take_away(&mut givens, solution, &orbit) {
            left -= orbit.len();
        }
        if !go_on() {
            return None;
        }
    }
    Some(givens)
}

/// Empties the cells of an orbit, unless the solution is then not proved to be the only one.
fn take_away(givens: &mut Grid, solution: &Grid, orbit: &[usize]) -> bool {
    orbit.iter().for_each(|cell| givens.set(*cell, 0));
    let unique = orbit.iter().all(|cell| has_other(givens, *cell, solution.get(*cell), PROOF_NODES) == Some(false));
    if !unique {
        orbit.iter().for_each(|cell| givens.set(*cell, solution.get(*cell)));
    }
    unique
}

/// True if no given can be removed from a puzzle with one solution; `None` if that was not shown within the nodes that
/// a proof may take.
pub fn is_minimal(puzzle: &Puzzle, solution: &Grid) -> Option<bool> {
    let mut givens = puzzle.givens().clone();
    let mut known = true;
    for cell in (0..givens.shape().cells()).filter(|cell| puzzle.givens().get(*cell) != 0) {
        givens.set(cell, 0);
        match has_other(&givens, cell, solution.get(cell), PROOF_NODES) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = false,
        }
        givens.set(cell, solution.get(cell));
    }
    known.then_some(true)
}
