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
//! Conflicts are found a tile at a time, as sets of digits with a bit each, for 32 candidates at once:
//!
//! ```text
//! for each cell      seen twice |= seen & digit, seen |= digit      of its row and of its column
//! in conflict        digit & (twice in its row | twice in its column)
//! ```
//!
//! A block's cells in conflict are a set too, so that a conflict of a rank is found by counts of whole blocks, and then within
//! one block.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::population::moves::{FreeUnits, LaneWords, Swap};
use crate::population::rng::bounded;
use crate::population::{LANES, Lanes};
use crate::sudoku::MAX_SIDE;

/// The free cells that a swap can move: those of blocks with at least two.
#[derive(Clone, Debug)]
pub(crate) struct ConflictSwaps {
    side: usize,
    /// Block after block, each ascending.
    cells: Vec<MovableCell>,
    /// Where the cells of each block start, and the end of the last.
    starts: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct MovableCell {
    cell: u16,
    row: u8,
    column: u8,
}

/// A set of digits or of places, a bit each, as narrow as it can be: more lanes are then worked on at once.
trait BitSet: Copy + Default + BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign {
    /// The set of one digit.
    fn of(digit: u8) -> Self;

    /// The set of this place if the digit is in the set, else none.
    fn place_if(self, digit: u8, place: usize) -> Self;

    fn bits(self) -> u32;
}

macro_rules! bit_sets {
    ($($word:ty)*) => { $(
        impl BitSet for $word {
            #[inline(always)]
            fn of(digit: u8) -> $word {
                1 << (digit as $word & (<$word>::BITS as $word - 1))
            }

            #[inline(always)]
            fn place_if(self, digit: u8, place: usize) -> $word {
                (self >> (digit as $word & (<$word>::BITS as $word - 1)) & 1) << place
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                self.into()
            }
        }
    )* };
}

bit_sets!(u16 u32);

/// A set for each lane and each line or block.
type UnitSets<W, const UNITS: usize> = [[W; LANES]; UNITS];

impl ConflictSwaps {
    /// The movable cells of a puzzle.
    pub(crate) fn new(free: &FreeUnits) -> ConflictSwaps {
        let shape = free.puzzle().shape();
        let (mut cells, mut starts) = (Vec::new(), vec![0]);
        for block in (0..shape.side()).map(|block| free.cells_of(block)).filter(|block| block.len() > 1) {
            cells.extend(block.iter().map(|cell| {
                let (row, column) = (shape.row((*cell).into()) as u8, shape.column((*cell).into()) as u8);
                MovableCell { cell: *cell, row, column }
            }));
            starts.push(cells.len());
        }
        ConflictSwaps { side: shape.side(), cells, starts }
    }

    /// For each lane of a tile the swap that its word names: by chained multiply-shift one of its movable cells in
    /// conflict, in the order of `cells`, and one of the other movable cells of the block, counted on from the first and
    /// around. A cell with itself where no movable cell is in conflict.
    #[inline(always)]
    pub(crate) fn pick(&self, tile: &[Lanes], words: LaneWords) -> [Swap; LANES] {
        match self.side {
            9 => self.pick_on::<u16, 9>(9, tile, words),
            16 => self.pick_on::<u16, 16>(16, tile, words),
            side @ ..16 => self.pick_on::<u16, 16>(side, tile, words),
            25 => self.pick_on::<u32, 25>(25, tile, words),
            side => self.pick_on::<u32, MAX_SIDE>(side, tile, words),
        }
    }

    /// With room for `UNITS` lines of a family, or blocks.
    #[inline(always)]
    fn pick_on<W: BitSet, const UNITS: usize>(
        &self,
        side: usize,
        tile: &[Lanes],
        mut words: LaneWords,
    ) -> [Swap; LANES] {
        let conflicts = self.conflicts::<W, UNITS>(side, tile);
        let mut passed = [[0; LANES]; UNITS];
        let mut count = [0; LANES];
        let blocks = self.starts.len() - 1;
        for (passed, conflicts) in passed.iter_mut().zip(&conflicts).take(blocks) {
            for lane in 0..LANES {
                count[lane] += conflicts[lane].bits().count_ones();
            }
            *passed = count;
        }
        let mut ranks = [0; LANES];
        for lane in 0..LANES {
            ranks[lane] = bounded(&mut words[lane], count[lane]);
        }
        // The block is the one after all that the rank has passed.
        let (mut block, mut before) = ([0; LANES], [0; LANES]);
        for passed in passed.iter().take(blocks.saturating_sub(1)) {
            for lane in 0..LANES {
                let later = u32::from(passed[lane] <= ranks[lane]);
                block[lane] += later;
                before[lane] = before[lane].max(passed[lane] * later);
            }
        }
        let mut swaps = [Swap::default(); LANES];
        for lane in 0..LANES {
            if count[lane] > 0 {
                let block = block[lane] as usize;
                let first = place_of(conflicts[block][lane].bits(), ranks[lane] - before[lane]);
                swaps[lane] = self.swap(block, first, words[lane]);
            }
        }
        swaps
    }

    /// For each lane and block the set of movable cells in conflict, by their places among those of the block.
    #[inline(always)]
    fn conflicts<W: BitSet, const UNITS: usize>(&self, side: usize, tile: &[Lanes]) -> UnitSets<W, UNITS> {
        let (rows, columns) = twice::<W, UNITS>(side, tile);
        let mut conflicts = [[W::default(); LANES]; UNITS];
        for (conflicts, ends) in conflicts.iter_mut().zip(self.starts.windows(2)) {
            for (place, MovableCell { cell, row, column }) in self.cells[ends[0]..ends[1]].iter().enumerate() {
                let digits = &tile[usize::from(*cell)].0;
                let (row, column) = (&rows[usize::from(*row)], &columns[usize::from(*column)]);
                for lane in 0..LANES {
                    conflicts[lane] |= (row[lane] | column[lane]).place_if(digits[lane], place);
                }
            }
        }
        conflicts
    }

    /// The swap of a block's movable cell at `first` with the one that the word names.
    #[inline(always)]
    fn swap(&self, block: usize, first: u32, mut word: u32) -> Swap {
        let cells = &self.cells[self.starts[block]..self.starts[block + 1]];
        let free = cells.len() as u32;
        let on = first + 1 + bounded(&mut word, free - 1);
        let second = if on < free { on } else { on - free };
        Swap { first: cells[first as usize].cell, second: cells[second as usize].cell }
    }
}

/// For each lane and each row and column the set of digits that stand in it more than once, a bit for each digit.
#[inline(always)]
fn twice<W: BitSet, const UNITS: usize>(side: usize, tile: &[Lanes]) -> (UnitSets<W, UNITS>, UnitSets<W, UNITS>) {
    let none = [[W::default(); LANES]; UNITS];
    let (mut rows, mut columns, mut seen_in_columns) = (none, none, none);
    for (twice_in_row, cells) in rows.iter_mut().zip(tile.chunks_exact(side)) {
        let (mut seen, mut twice) = ([W::default(); LANES], [W::default(); LANES]);
        for (cell, (seen_in_column, twice_in_column)) in
            cells.iter().zip(seen_in_columns.iter_mut().zip(columns.iter_mut()))
        {
            for lane in 0..LANES {
                let digit = W::of(cell.0[lane]);
                twice[lane] |= seen[lane] & digit;
                seen[lane] |= digit;
                twice_in_column[lane] |= seen_in_column[lane] & digit;
                seen_in_column[lane] |= digit;
            }
        }
        *twice_in_row = twice;
    }
    (rows, columns)
}

/// The place of the bit of this rank in a set.
#[inline(always)]
fn place_of(mut set: u32, rank: u32) -> u32 {
    for _ in 0..rank {
        set &= set - 1;
    }
    set.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Population;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::sudoku::{Grid, Puzzle, Shape};

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

    /// The swap of one grid by the definition: cell by cell, and its lines looked through.
    fn plain(free: &FreeUnits, grid: &Grid, mut word: u32) -> Swap {
        let shape = grid.shape();
        let movable: Vec<&[u16]> =
            (0..shape.side()).map(|block| free.cells_of(block)).filter(|cells| cells.len() > 1).collect();
        let twice = |cell: usize| {
            let others = (0..shape.cells()).filter(|other| *other != cell && grid.get(*other) == grid.get(cell));
            others
                .into_iter()
                .any(|other| shape.row(other) == shape.row(cell) || shape.column(other) == shape.column(cell))
        };
        let in_conflict: Vec<(usize, usize)> = movable
            .iter()
            .enumerate()
            .flat_map(|(block, cells)| (0..cells.len()).map(move |place| (block, place)))
            .filter(|(block, place)| twice(movable[*block][*place].into()))
            .collect();
        let rank = bounded(&mut word, in_conflict.len() as u32) as usize;
        let Some((block, first)) = in_conflict.get(rank) else { return Swap::default() };
        let cells = movable[*block];
        let on = bounded(&mut word, cells.len() as u32 - 1) as usize;
        Swap { first: cells[*first], second: cells[(first + 1 + on) % cells.len()] }
    }

    #[test]
    fn lanes_pick_on_every_shape_what_the_definition_names() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (3, 6), (4, 5), (5, 5)]
        {
            let shape = Shape::new(rows, columns).unwrap();
            let grids: Vec<Grid> =
                (0..LANES as u32).map(|number| candidate(shape, CandidateKind::BlockValid, 3, number)).collect();
            // Some blocks with no free cell, some with one, and some with all.
            let mut givens = Grid::empty(shape);
            let solved = candidate(shape, CandidateKind::Solved, 1, 0);
            let kept = |block: usize| shape.block_cells(block).skip(block % 3).take(if block % 3 < 2 { 99 } else { 2 });
            (0..shape.side()).step_by(2).flat_map(kept).for_each(|cell| givens.set(cell, solved.get(cell)));
            for givens in [Grid::empty(shape), givens] {
                let free = FreeUnits::blocks(&Puzzle::new(givens).unwrap());
                let population = Population::from_grids(shape, &grids).unwrap();
                let swaps = ConflictSwaps::new(&free);
                for draw in 0..20u32 {
                    let words = std::array::from_fn(|lane| (draw * 32 + lane as u32 + 1).wrapping_mul(0x9E37_79B9));
                    let picked = swaps.pick(population.lanes(), words);
                    for lane in 0..LANES {
                        assert_eq!(picked[lane], plain(&free, &grids[lane], words[lane]), "{shape}, lane {lane}");
                    }
                }
            }
        }
    }
}
