//! Swaps that begin at a conflict: the first cell is one whose digit stands twice in its row or column.
//!
//! Near a solution most swaps move two cells that are right, and an evaluation is spent to learn it. Starting at a cell
//! that is wrong, and exchanging it with any other free cell of its block, costs no evaluation more and solves hard
//! puzzles with a sixth of them.
//!
//! Source: S. Minton et al., "Minimizing conflicts: a heuristic repair method for constraint satisfaction and scheduling
//! problems", Artificial Intelligence 58, 1992; B. Selman, H. A. Kautz, B. Cohen, "Noise strategies for improving local
//! search", AAAI 1994.
//!
//! Conflicts are found a tile at a time: each comparison of two cells is one of 32 candidates at once.

use crate::population::moves::{FreeUnits, LaneWords, Swap};
use crate::population::rng::bounded;
use crate::population::{LANES, Lanes};
use crate::sudoku::{MAX_SIDE, Shape};

/// The free cells that a swap can move: those of blocks with at least two.
#[derive(Clone, Debug)]
pub(crate) struct ConflictSwaps {
    shape: Shape,
    /// Block after block, each ascending.
    cells: Vec<u16>,
    /// For each of them where those of its block start in `cells`, and how many there are.
    blocks: Vec<(u32, u32)>,
}

impl ConflictSwaps {
    /// The movable cells of a puzzle.
    pub(crate) fn new(free: &FreeUnits) -> ConflictSwaps {
        let shape = free.puzzle().shape();
        let (mut cells, mut blocks) = (Vec::new(), Vec::new());
        for block in (0..shape.side()).map(|block| free.cells_of(block)).filter(|block| block.len() > 1) {
            blocks.extend(vec![(cells.len() as u32, block.len() as u32); block.len()]);
            cells.extend_from_slice(block);
        }
        ConflictSwaps { shape, cells, blocks }
    }

    /// For each lane of a tile the swap that its word names: by chained multiply-shift one of its movable cells in
    /// conflict, in the order of `cells`, and one of the other movable cells of the block, counted on from the first and
    /// around. A cell with itself where no movable cell is in conflict.
    #[inline(always)]
    pub(crate) fn pick(&self, tile: &[Lanes], words: LaneWords) -> [Swap; LANES] {
        match self.shape {
            Shape::NINE => self.pick_among::<81>(tile, words),
            _ => self.pick_among::<{ MAX_SIDE * MAX_SIDE }>(tile, words),
        }
    }

    /// `CELLS` is at least the number of movable cells.
    #[inline(always)]
    fn pick_among<const CELLS: usize>(&self, tile: &[Lanes], mut words: LaneWords) -> [Swap; LANES] {
        let mut conflicts = [[0; LANES]; CELLS];
        let mut counts = [0; LANES];
        for (conflict, cell) in conflicts.iter_mut().zip(&self.cells) {
            *conflict = in_conflict(self.shape.side(), tile, usize::from(*cell));
        }
        // In a loop of its own: in the one above compilers take the mask of 32 lanes apart, bit by bit.
        let conflicts = &conflicts[..self.cells.len()];
        conflicts.iter().for_each(|conflict| add(&mut counts, conflict));
        let ranks = std::array::from_fn(|lane| bounded(&mut words[lane], counts[lane].into()) as u16);
        let places = places(conflicts, &ranks);
        std::array::from_fn(|lane| match counts[lane] {
            0 => Swap::default(),
            _ => self.swap(places[lane].into(), words[lane]),
        })
    }

    /// The swap of the movable cell at `place` with the one that the word names.
    #[inline(always)]
    fn swap(&self, place: usize, mut word: u32) -> Swap {
        let (start, free) = self.blocks[place];
        let on = place as u32 - start + 1 + bounded(&mut word, free - 1);
        let second = start + if on < free { on } else { on - free };
        Swap { first: self.cells[place], second: self.cells[second as usize] }
    }
}

/// 1 in each lane whose digit in `cell` stands in another cell of its row or column; `cell` itself is met twice.
#[inline(always)]
fn in_conflict(side: usize, tile: &[Lanes], cell: usize) -> [u8; LANES] {
    let digits = &tile[cell].0;
    let row = &tile[cell / side * side..][..side];
    let column = tile[cell % side..].iter().step_by(side);
    let mut equal = [0; LANES];
    for (in_row, in_column) in row.iter().zip(column) {
        for lane in 0..LANES {
            equal[lane] += u8::from(digits[lane] == in_row.0[lane]) + u8::from(digits[lane] == in_column.0[lane]);
        }
    }
    equal.map(|times| u8::from(times > 2))
}

#[inline(always)]
fn add(sums: &mut [u16; LANES], lanes: &[u8; LANES]) {
    sums.iter_mut().zip(lanes).for_each(|(sum, lane)| *sum += u16::from(*lane));
}

/// Where the conflict of this rank stands, by lane: after as many cells as have not passed the rank.
#[inline(always)]
fn places(conflicts: &[[u8; LANES]], ranks: &[u16; LANES]) -> [u16; LANES] {
    let (mut passed, mut places) = ([0; LANES], [0; LANES]);
    for conflict in conflicts {
        add(&mut passed, conflict);
        for lane in 0..LANES {
            places[lane] += u16::from(passed[lane] <= ranks[lane]);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Population;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;

    #[test]
    fn every_conflict_with_every_partner_is_named_about_equally_often_and_nothing_else_is() {
        let mut grid = candidate(Shape::NINE, CandidateKind::Solved, 1, 0);
        let (a, b) = (grid.get(0), grid.get(1));
        grid.set(0, b);
        grid.set(1, a);
        let free = FreeUnits::blocks(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        let swaps = ConflictSwaps::new(&free);
        let population = Population::from_grids(Shape::NINE, &vec![grid; LANES]).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for word in 0..3200u32 {
            let words = std::array::from_fn(|lane| (word * LANES as u32 + lane as u32).wrapping_mul(0x9E37_79B9));
            for swap in swaps.pick(population.lanes(), words) {
                *counts.entry((swap.first, swap.second)).or_insert(0u32) += 1;
            }
        }
        let first_cells: std::collections::BTreeSet<u16> = counts.keys().map(|(first, _)| *first).collect();
        assert_eq!((first_cells.len(), counts.len()), (4, 4 * 8), "the two cells and their doubles in two columns");
        // 3200 expected each, standard deviation 56.
        assert!(counts.values().all(|count| (2900..3500).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_solution_and_a_puzzle_without_two_free_cells_in_a_block_have_none() {
        let solution = candidate(Shape::NINE, CandidateKind::Solved, 1, 0);
        let population = Population::from_grids(Shape::NINE, &vec![solution.clone(); LANES]).unwrap();
        for givens in [Grid::empty(Shape::NINE), solution] {
            let swaps = ConflictSwaps::new(&FreeUnits::blocks(&Puzzle::new(givens).unwrap()));
            assert_eq!(swaps.pick(population.lanes(), [7; LANES]), [Swap::default(); LANES]);
        }
    }
}
