//! Best-improvement local search: of all swaps of two free cells in every block the one that lowers the total most,
//! again and again until none does.
//!
//! Source: the exercise "hybrid PSO with local search" of the notebook "Sudoku-05-PSO".
//!
//! It runs on the host, so that it is the same whatever backend scores the population. Each swap scored is an
//! evaluation. A sweep over all swaps is all or nothing: one that the evaluations left do not suffice for is not begun.

use super::counted_grid::CountedGrid;
use crate::population::moves::{FreeUnits, Swap};

/// Improves `counted` until no swap lowers its total or `left` does not suffice for another sweep; returns the
/// evaluations made. Of several best swaps the first in the order of [`FreeUnits::swaps`] is taken.
pub(crate) fn descend(blocks: &FreeUnits, counted: &mut CountedGrid, left: u64) -> u64 {
    let sweep = blocks.swaps().count() as u64;
    let mut evaluations = 0;
    while sweep > 0 && evaluations + sweep <= left {
        evaluations += sweep;
        match best_swap(blocks, counted) {
            Some(swap) => counted.swap(swap),
            None => break,
        }
    }
    evaluations
}

/// The first of the swaps that give the lowest total, if that is lower than the total now.
fn best_swap(blocks: &FreeUnits, counted: &mut CountedGrid) -> Option<Swap> {
    let now = counted.score().total();
    let scored = blocks.swaps().map(|swap| (counted.score_after(swap).total(), swap));
    scored.min_by_key(|(total, _)| *total).filter(|(total, _)| *total < now).map(|(_, swap)| swap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::oracle;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;
    use crate::sudoku::Shape;

    /// A puzzle that gives each cell of a solution with `given` chances in ten, and a filling of its free cells.
    fn start(shape: Shape, seed: u64, given: usize) -> (FreeUnits, Grid) {
        let solution = candidate(shape, CandidateKind::Solved, seed, 0);
        let kept = |cell: &usize| (cell * 7 + cell / 10) % 10 < given;
        let givens: Vec<u8> = (0..shape.cells()).map(|cell| if kept(&cell) { solution.get(cell) } else { 0 }).collect();
        let blocks = FreeUnits::blocks(&Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap());
        let mut filled = crate::population::Population::new(shape, 1);
        blocks.place_givens(filled.lanes_mut(), 0);
        let key = crate::population::rng::Key::new(seed, 0, crate::population::rng::Stream::Fill);
        blocks.fill(filled.lanes_mut(), 0, &mut crate::population::rng::Words::new(key, 0, 0));
        (blocks, filled.get(0))
    }

    /// The same by brute force: every pair of cells of every block, scored by the oracle. Also the number of sweeps.
    fn brute_force(blocks: &FreeUnits, grid: &Grid, sweeps: u64) -> (Grid, u64) {
        let (mut grid, shape) = (grid.clone(), grid.shape());
        let free = |cell: &usize| blocks.puzzle().givens().get(*cell) == 0;
        for sweep in 0..sweeps {
            let mut best = grid.clone();
            for block in 0..shape.side() {
                let cells: Vec<usize> = shape.block_cells(block).filter(free).collect();
                for (k, first) in cells.iter().enumerate() {
                    for second in &cells[k + 1..] {
                        let mut other = grid.clone();
                        other.set(*first, grid.get(*second));
                        other.set(*second, grid.get(*first));
                        if oracle::score(&other).total() < oracle::score(&best).total() {
                            best = other;
                        }
                    }
                }
            }
            if best == grid {
                return (grid, sweep + 1);
            }
            grid = best;
        }
        (grid, sweeps)
    }

    #[test]
    fn descent_is_what_brute_force_with_the_oracle_finds() {
        for (seed, shape) in (1..).zip(["4x4", "6x6", "9x9", "9x9", "9x9", "12x12"]) {
            let (blocks, grid) = start(shape.parse().unwrap(), seed, 3);
            let sweep = blocks.swaps().count() as u64;
            for sweeps in [0, 1, 2, 1000] {
                let mut counted = CountedGrid::new(grid.clone());
                let left = sweeps * sweep + sweep / 2;
                let evaluations = descend(&blocks, &mut counted, left);
                let (expected, swept) = brute_force(&blocks, &grid, sweeps);
                assert_eq!((counted.grid(), evaluations), (&expected, swept * sweep), "{shape}, {sweeps} sweeps");
                assert!(evaluations <= left);
            }
        }
    }

    #[test]
    fn without_a_pair_of_free_cells_there_is_nothing_to_score() {
        let (blocks, grid) = start(Shape::NINE, 1, 10);
        assert_eq!(descend(&blocks, &mut CountedGrid::new(grid), u64::MAX), 0);
    }
}
