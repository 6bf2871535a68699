//! Moves on candidates whose blocks are permutations: random fill, swap, merge.
//!
//! A move writes free cells only, so a given can never change, and it writes into a block what the block held or lacks,
//! so a block that held each digit once still does.

use crate::grid::Grid;
use crate::population::{LANES, Lanes, Population};
use crate::puzzle::Puzzle;
use crate::rng::{self, Words, bounded};

/// The most free cells a block can have.
const MAX_FREE: usize = crate::shape::MAX_SIDE;

/// For every block of a puzzle its free cells and the digits its givens leave out, as many of one as of the other.
#[derive(Clone, Debug)]
pub struct FreeBlocks {
    puzzle: Puzzle,
    /// Free cells of all blocks, block after block, each ascending.
    cells: Vec<u16>,
    /// Digits missing from all blocks, at the places of `cells`, each block's ascending.
    digits: Vec<u8>,
    /// Where each block's share of `cells` and `digits` starts, and the end of the last.
    starts: Vec<u16>,
}

/// Two cells that exchange their digits; equal where a move leaves the candidate as it is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Swap {
    /// One cell.
    pub first: u16,
    /// The other.
    pub second: u16,
}

impl FreeBlocks {
    /// The free cells and missing digits of each block of `puzzle`.
    pub fn new(puzzle: &Puzzle) -> FreeBlocks {
        let shape = puzzle.shape();
        let (mut cells, mut digits, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for block in 0..shape.side() {
            let given = |cell: &usize| puzzle.givens().get(*cell);
            cells.extend(shape.block_cells(block).filter(|cell| given(cell) == 0).map(|cell| cell as u16));
            digits.extend(
                (1..=shape.side() as u8).filter(|digit| shape.block_cells(block).all(|cell| given(&cell) != *digit)),
            );
            starts.push(cells.len() as u16);
        }
        FreeBlocks { puzzle: puzzle.clone(), cells, digits, starts }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// Where the free cells of `block` stand in `cells` and `digits`.
    fn range(&self, block: usize) -> std::ops::Range<usize> {
        usize::from(self.starts[block])..usize::from(self.starts[block + 1])
    }

    /// The free cells of `block`, ascending.
    pub fn cells_of(&self, block: usize) -> &[u16] {
        &self.cells[self.range(block)]
    }

    /// Puts the givens into one lane of a tile.
    pub fn place_givens(&self, tile: &mut [Lanes], lane: usize) {
        for (lanes, given) in tile.iter_mut().zip(self.puzzle.givens().cells()) {
            lanes.0[lane] = *given;
        }
    }

    /// A population of `len` candidates that hold the givens and nothing else.
    pub fn population(&self, len: usize) -> Population {
        let mut population = Population::new(self.puzzle.shape(), len);
        (0..len).for_each(|slot| population.set(slot, self.puzzle.givens()));
        population
    }

    /// Fills every block of one lane of a tile with its missing digits in random order.
    ///
    /// Words: blocks in order, each as many as [`rng::shuffle`] takes for its free cells (one at 9x9, none for fewer
    /// than two).
    pub fn fill(&self, tile: &mut [Lanes], lane: usize, words: &mut Words) {
        for block in 0..self.starts.len() - 1 {
            let range = self.range(block);
            let mut order = [0; MAX_FREE];
            let order = &mut order[..range.len()];
            order.copy_from_slice(&self.digits[range.clone()]);
            rng::shuffle(order, || words.next_word());
            for (cell, digit) in self.cells[range].iter().zip(order) {
                tile[usize::from(*cell)].0[lane] = *digit;
            }
        }
    }

    /// The swap that one word names: by chained multiply-shift one of all blocks, one of its `f` free cells, and one of
    /// the `f - 1` others, counted on from the first and around. A block with fewer than two free cells gives no swap.
    #[inline(always)]
    pub fn pick_swap(&self, mut word: u32) -> Swap {
        let block = bounded(&mut word, self.starts.len() as u32 - 1) as usize;
        let cells = self.cells_of(block);
        let free = cells.len() as u32;
        if free < 2 {
            return Swap::default();
        }
        let first = bounded(&mut word, free);
        let on = first + 1 + bounded(&mut word, free - 1);
        let second = if on < free { on } else { on - free };
        Swap { first: cells[first as usize], second: cells[second as usize] }
    }

    /// The child of two candidates of `population`: each block from `ours` or, where bit `block` of `choice` is set,
    /// from `theirs`. Overwrites `child` with the digits of the free cells, to be put into a lane by
    /// [`FreeBlocks::place`].
    ///
    /// # Panics
    /// If a slot is past the population.
    pub fn merge(&self, population: &Population, ours: usize, theirs: usize, choice: u32, child: &mut Vec<u8>) {
        child.clear();
        for block in 0..self.starts.len() - 1 {
            let parent = if choice >> block & 1 == 1 { theirs } else { ours };
            child.extend(self.cells[self.range(block)].iter().map(|cell| population.digit(parent, usize::from(*cell))));
        }
    }

    /// Overwrites `digits` with a grid's digits in the free cells, to be put into a lane by [`FreeBlocks::place`].
    pub fn digits(&self, grid: &Grid, digits: &mut Vec<u8>) {
        digits.clear();
        digits.extend(self.cells.iter().map(|cell| grid.get(usize::from(*cell))));
    }

    /// Every swap of two free cells of one block: blocks in order, and in each the pairs in the order of their cells.
    pub fn swaps(&self) -> impl Iterator<Item = Swap> {
        (0..self.starts.len() - 1).flat_map(|block| {
            let cells = self.cells_of(block);
            cells
                .iter()
                .enumerate()
                .flat_map(|(k, first)| cells[k + 1..].iter().map(|second| Swap { first: *first, second: *second }))
        })
    }

    /// Puts the digits of all free cells, block after block, into one lane of a tile.
    pub fn place(&self, digits: &[u8], tile: &mut [Lanes], lane: usize) {
        for (cell, digit) in self.cells.iter().zip(digits) {
            tile[usize::from(*cell)].0[lane] = *digit;
        }
    }
}

impl Swap {
    /// Exchanges the two digits in one lane of a tile. Twice is as never.
    #[inline(always)]
    pub fn apply(self, tile: &mut [Lanes], lane: usize) {
        debug_assert!(lane < LANES);
        let (first, second) = (usize::from(self.first), usize::from(self.second));
        let digit = tile[first].0[lane];
        tile[first].0[lane] = tile[second].0[lane];
        tile[second].0[lane] = digit;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::{Key, Stream};
    use crate::shape::Shape;

    /// A puzzle whose givens are a random part of a cyclic solution, and its free blocks.
    fn arbitrary_blocks() -> impl Strategy<Value = FreeBlocks> {
        let shapes = Shape::all().filter(|shape| shape.side() >= 4).collect::<Vec<_>>();
        (prop::sample::select(shapes), any::<u64>(), 0.0..1.0).prop_map(|(shape, seed, kept)| {
            let mut words = Words::new(Key::new(seed, 0, Stream::Sample), 0, 0);
            let givens: Vec<u8> = (0..shape.cells())
                .map(|cell| if f64::from(words.next_word()) < kept * 4.3e9 { cyclic(shape, cell) } else { 0 })
                .collect();
            FreeBlocks::new(&Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap())
        })
    }

    /// The digit of the solution that shifts each row by a block's width and each band by one.
    fn cyclic(shape: Shape, cell: usize) -> u8 {
        let (row, column) = (shape.row(cell), shape.column(cell));
        ((row % shape.block_rows() * shape.block_columns() + row / shape.block_rows() + column) % shape.side() + 1)
            as u8
    }

    /// A population of `len` fills of the puzzle.
    fn filled(blocks: &FreeBlocks, seed: u64, len: usize) -> Population {
        let shape = blocks.puzzle().shape();
        let mut population = Population::new(shape, len);
        for slot in 0..len {
            let tile = &mut population.lanes_mut()[slot / LANES * shape.cells()..][..shape.cells()];
            blocks.place_givens(tile, slot % LANES);
            let mut words = Words::new(Key::new(seed, 0, Stream::Fill), 0, slot as u32);
            blocks.fill(tile, slot % LANES, &mut words);
        }
        population
    }

    fn keeps_givens_and_blocks(blocks: &FreeBlocks, grid: &Grid) {
        let (shape, givens) = (grid.shape(), blocks.puzzle().givens());
        for cell in 0..shape.cells() {
            assert!(givens.get(cell) == 0 || givens.get(cell) == grid.get(cell), "the given at {cell} moved");
        }
        for block in 0..shape.side() {
            let mut digits: Vec<u8> = shape.block_cells(block).map(|cell| grid.get(cell)).collect();
            digits.sort_unstable();
            assert!(digits.into_iter().eq(1..=shape.side() as u8), "block {block} is no permutation: {grid}");
        }
    }

    proptest! {
        #[test]
        fn fills_keep_givens_and_make_every_block_a_permutation(blocks in arbitrary_blocks(), seed: u64) {
            let population = filled(&blocks, seed, 3);
            (0..3).for_each(|slot| keeps_givens_and_blocks(&blocks, &population.get(slot)));
        }

        #[test]
        fn a_swap_exchanges_two_free_cells_of_one_block_and_is_its_own_inverse(
            blocks in arbitrary_blocks(), seed: u64, word: u32,
        ) {
            let mut population = filled(&blocks, seed, 1);
            let before = population.get(0);
            let swap = blocks.pick_swap(word);
            swap.apply(population.lanes_mut(), 0);
            let after = population.get(0);
            keeps_givens_and_blocks(&blocks, &after);
            let changed: Vec<usize> = (0..before.cells().len()).filter(|cell| before.get(*cell) != after.get(*cell)).collect();
            if swap == Swap::default() {
                assert_eq!(changed.len(), 0);
            } else {
                let mut named = [usize::from(swap.first), usize::from(swap.second)];
                named.sort_unstable();
                assert_eq!(changed, named);
                assert_eq!(before.shape().block(named[0]), before.shape().block(named[1]));
            }
            swap.apply(population.lanes_mut(), 0);
            assert_eq!(population.get(0), before);
        }

        #[test]
        fn a_merged_child_takes_each_block_whole_from_the_parent_its_bit_names(
            blocks in arbitrary_blocks(), seed: u64, choice: u32,
        ) {
            let mut population = filled(&blocks, seed, 3);
            let mut child = Vec::new();
            blocks.merge(&population, 0, 1, choice, &mut child);
            blocks.place(&child, population.lanes_mut(), 2);
            let [ours, theirs, child] = [0, 1, 2].map(|slot| population.get(slot));
            keeps_givens_and_blocks(&blocks, &child);
            let shape = child.shape();
            for cell in 0..shape.cells() {
                let parent = if choice >> shape.block(cell) & 1 == 1 { &theirs } else { &ours };
                assert_eq!(child.get(cell), parent.get(cell));
            }
        }
    }

    fn nine(givens: &str) -> FreeBlocks {
        let digits: Vec<u8> = givens.bytes().map(|byte| byte - b'0').collect();
        FreeBlocks::new(&Puzzle::new(Grid::new(Shape::NINE, digits).unwrap()).unwrap())
    }

    #[test]
    fn blocks_with_fewer_than_two_free_cells_are_left_alone() {
        let one_free_in_block_0 = nine(&format!("120000000{}{}{}", "345000000", "678000000", "0".repeat(54)));
        let in_block_0 = |swap: Swap| swap.first < 27 && swap.first % 9 < 3;
        let swaps: Vec<Swap> = (0..1000u32).map(|k| one_free_in_block_0.pick_swap(k * 4_294_967)).collect();
        let unchanged = swaps.iter().filter(|swap| **swap == Swap::default()).count();
        // One block in nine.
        assert!((100..125).contains(&unchanged), "{unchanged}");
        assert!(swaps.iter().all(|swap| *swap == Swap::default() || !in_block_0(*swap)));
    }

    #[test]
    fn every_pair_of_free_cells_is_swapped_about_equally_often() {
        let blocks = nine(&"0".repeat(81));
        let mut counts = std::collections::BTreeMap::new();
        for slot in 0..64_800 {
            let [word, ..] = Key::new(1, 0, Stream::Step).words(0, slot, 0);
            let Swap { first, second } = blocks.pick_swap(word);
            *counts.entry((first.min(second), first.max(second))).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 9 * 36);
        // 200 expected each, standard deviation 14.
        assert!(counts.values().all(|count| (140..265).contains(count)), "{counts:?}");
    }

    #[test]
    fn value_stability_of_swaps_and_fills() {
        let blocks = nine(&"0".repeat(81));
        let swaps = [0, 0x1234_5678, 0x89AB_CDEF, u32::MAX].map(|word| {
            let Swap { first, second } = blocks.pick_swap(word);
            (first, second)
        });
        assert_eq!(swaps, [(0, 1), (11, 9), (49, 39), (80, 79)]);
        assert_eq!(
            filled(&blocks, 1, 1).get(0).to_string(),
            "831956637467287849952143215375794816246621254189835739982124561743593397165786482"
        );
    }
}
