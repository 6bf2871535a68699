//! Moves on candidates whose units are permutations: random fill, swap, merge.
//!
//! A search encodes its candidates by a family of units that partitions the grid: blocks, rows, columns, or the whole grid
//! as one unit. A move writes free cells only, so givens never change, and only permutes the digits of a unit, so the unit
//! still holds each digit equally often.
//!
//! The digits in the free cells, unit after unit, are the *genome* of a candidate: all that a puzzle leaves open.
//!
//! ```text
//!            unit 0       unit 1   unit 2                      starts: 0, 4, 6, 9
//! cells    [ 1  2  9 11 | 3  12  | 7  8  16 ]   free cells, each unit's ascending
//! digits   [ 2  4  5  8 | 1   9  | 3  4  7  ]   what each unit lacks, ascending
//! genome   [ 8  2  4  5 | 1   9  | 7  4  3  ]   the same digits in one candidate's order
//! ```

mod lanes;

use std::iter::{once, repeat_n};
use std::ops::Range;

use crate::population::rng::{self, Words, bounded};
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::{Grid, MAX_CELLS, Puzzle};

pub(crate) use lanes::{LaneSet, LaneWords, Swaps, lanes_below};

/// The free cells and the missing digits of every unit of a family, equally many of both.
#[derive(Clone, Debug)]
pub struct FreeUnits {
    puzzle: Puzzle,
    /// Free cells of all units, unit after unit, each ascending.
    cells: Vec<u16>,
    /// Digits missing from all units, at the places of `cells`, each unit's ascending.
    digits: Vec<u8>,
    /// Where each unit's share of `cells` and `digits` starts, and the end of the last.
    starts: Vec<u16>,
    /// The unit of each of `cells`.
    unit_of: Vec<u32>,
    /// Start and length of each unit's share, to draw a swap in every lane at once.
    spans: Vec<Span>,
    /// The first byte of each free cell in a tile, and one more entry for a unit without free cells.
    places: Vec<u16>,
}

/// A unit's share of the free cells; `free` is at least 1, so that a draw below it is valid.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u16,
    free: u16,
}

/// Two cells that exchange their digits; equal cells leave the candidate unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Swap {
    /// One cell.
    pub first: u16,
    /// The other.
    pub second: u16,
}

impl FreeUnits {
    /// The free cells and missing digits of each block of `puzzle`.
    pub fn blocks(puzzle: &Puzzle) -> FreeUnits {
        let shape = puzzle.shape();
        FreeUnits::new(puzzle, (0..shape.side()).map(|block| shape.block_cells(block)))
    }

    /// The free cells and missing digits of each row of `puzzle`.
    pub fn rows(puzzle: &Puzzle) -> FreeUnits {
        let shape = puzzle.shape();
        FreeUnits::new(puzzle, (0..shape.side()).map(|row| shape.row_cells(row)))
    }

    /// The free cells and missing digits of each column of `puzzle`.
    pub fn columns(puzzle: &Puzzle) -> FreeUnits {
        let shape = puzzle.shape();
        FreeUnits::new(puzzle, (0..shape.side()).map(|column| shape.column_cells(column)))
    }

    /// The whole grid as one unit: all free cells, and each digit as often as it is missing.
    pub(crate) fn grid(puzzle: &Puzzle) -> FreeUnits {
        FreeUnits::new(puzzle, once(0..puzzle.shape().cells()))
    }

    /// `units` name each cell once, each unit ascending and every digit equally often in a solution.
    fn new<C: Iterator<Item = usize> + Clone>(puzzle: &Puzzle, units: impl Iterator<Item = C>) -> FreeUnits {
        let side = puzzle.shape().side();
        let (mut cells, mut digits, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for unit in units {
            let mut missing = vec![unit.clone().count() / side; side + 1];
            for cell in unit {
                match puzzle.givens().get(cell) {
                    0 => cells.push(cell as u16),
                    given => missing[usize::from(given)] -= 1,
                }
            }
            digits.extend((1..=side).flat_map(|digit| repeat_n(digit as u8, missing[digit])));
            starts.push(cells.len() as u16);
        }
        let spans = starts.windows(2).map(|ends| Span { start: ends[0], free: (ends[1] - ends[0]).max(1) }).collect();
        let places = cells.iter().map(|cell| cell * LANES as u16).chain([0]).collect();
        let unit_of = (0..)
            .zip(starts.windows(2))
            .flat_map(|(unit, ends)| repeat_n(unit, usize::from(ends[1] - ends[0])))
            .collect();
        FreeUnits { puzzle: puzzle.clone(), cells, digits, starts, unit_of, spans, places }
    }

    /// The puzzle that these are the units of.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The number of units.
    pub(crate) fn units(&self) -> usize {
        self.starts.len() - 1
    }

    /// The length of a genome: the number of free cells.
    pub(crate) fn genome_len(&self) -> usize {
        self.cells.len()
    }

    /// The places of a unit in a genome.
    ///
    /// # Panics
    /// If `unit` is not below `units()`.
    #[inline(always)]
    pub(crate) fn range(&self, unit: usize) -> Range<usize> {
        usize::from(self.starts[unit])..usize::from(self.starts[unit + 1])
    }

    /// The unit of each place of a genome.
    #[inline(always)]
    pub(crate) fn unit_of(&self) -> &[u32] {
        &self.unit_of
    }

    /// The free cells of a unit, ascending.
    pub(crate) fn cells_of(&self, unit: usize) -> &[u16] {
        &self.cells[self.range(unit)]
    }

    /// The digits that a unit lacks, ascending.
    pub(crate) fn digits_of(&self, unit: usize) -> &[u8] {
        &self.digits[self.range(unit)]
    }

    /// Puts the givens into one lane of a tile.
    pub fn place_givens(&self, tile: &mut [Lanes], lane: usize) {
        for (lanes, given) in tile.iter_mut().zip(self.puzzle.givens().cells()) {
            lanes.0[lane] = *given;
        }
    }

    /// A population of `len` candidates that hold the givens and nothing else.
    pub fn population(&self, len: usize) -> Population {
        Population::copies(self.puzzle.givens(), len)
    }

    /// Fills every unit of one lane of a tile with its missing digits in random order; words as for
    /// [`FreeUnits::fill_genome`].
    pub fn fill(&self, tile: &mut [Lanes], lane: usize, words: &mut Words) {
        let mut genome = [0; MAX_CELLS];
        let genome = &mut genome[..self.genome_len()];
        self.fill_genome(genome, words);
        self.place(genome, tile, lane);
    }

    /// Makes a genome of every unit's missing digits in random order.
    ///
    /// Words: units in order, each as many as [`rng::shuffle`] takes for its free cells (one for two to nine, none for
    /// fewer than two).
    ///
    /// # Panics
    /// If `genome` is not `genome_len()` long.
    pub fn fill_genome(&self, genome: &mut [u8], words: &mut Words) {
        genome.copy_from_slice(&self.digits);
        for unit in 0..self.units() {
            rng::shuffle(&mut genome[self.range(unit)], || words.next_word());
        }
    }

    /// The swap that a word picks: see [`FreeUnits::pick_pair`]. A unit with fewer than two free cells gives no swap.
    #[inline(always)]
    pub fn pick_swap(&self, word: u32) -> Swap {
        match self.pick_pair(word) {
            None => Swap::default(),
            Some((first, second)) => Swap { first: self.cells[first], second: self.cells[second] },
        }
    }

    /// Two places of a genome, in one unit, that a word picks: by chained multiply-shift one of all units, one of its `f`
    /// free cells, and one of the `f - 1` others, counted cyclically from the first. None if `f` is below two.
    #[inline(always)]
    pub fn pick_pair(&self, mut word: u32) -> Option<(usize, usize)> {
        let range = self.range(bounded(&mut word, self.units() as u32) as usize);
        let free = range.len() as u32;
        if free < 2 {
            return None;
        }
        let first = bounded(&mut word, free);
        let on = first + 1 + bounded(&mut word, free - 1);
        let second = if on < free { on } else { on - free };
        Some((range.start + first as usize, range.start + second as usize))
    }

    /// The genome of the child of two candidates of `population`: each unit from `ours` or, where bit `unit` of `choice`
    /// is set, from `theirs`. Overwrites `child`, to be put into a lane by [`FreeUnits::place`].
    ///
    /// # Panics
    /// If a slot is past the population.
    pub fn merge(&self, population: &Population, ours: usize, theirs: usize, choice: u32, child: &mut Vec<u8>) {
        child.clear();
        for unit in 0..self.units() {
            let parent = if choice >> unit & 1 == 1 { theirs } else { ours };
            child.extend(self.cells[self.range(unit)].iter().map(|cell| population.digit(parent, usize::from(*cell))));
        }
    }

    /// Overwrites `digits` with a grid's digits in the free cells, to be put into a lane by [`FreeUnits::place`].
    pub(crate) fn digits(&self, grid: &Grid, digits: &mut Vec<u8>) {
        digits.clear();
        digits.extend(self.cells.iter().map(|cell| grid.get(usize::from(*cell))));
    }

    /// Every swap of two free cells of one unit: units in order, and in each the pairs in the order of their cells.
    pub fn swaps(&self) -> impl Iterator<Item = Swap> {
        (0..self.starts.len() - 1).flat_map(|block| {
            let cells = self.cells_of(block);
            cells
                .iter()
                .enumerate()
                .flat_map(|(k, first)| cells[k + 1..].iter().map(|second| Swap { first: *first, second: *second }))
        })
    }

    /// The grid that a genome makes of the puzzle.
    pub(crate) fn completed(&self, genome: &[u8]) -> Grid {
        let mut grid = self.puzzle.givens().clone();
        self.cells.iter().zip(genome).for_each(|(cell, digit)| grid.set(usize::from(*cell), *digit));
        grid
    }

    /// Puts a genome into the free cells of one lane of a tile.
    pub fn place(&self, genome: &[u8], tile: &mut [Lanes], lane: usize) {
        for (cell, digit) in self.cells.iter().zip(genome) {
            tile[usize::from(*cell)].0[lane] = *digit;
        }
    }

    /// Puts one genome after another into the free cells of all lanes of a tile.
    ///
    /// # Panics
    /// If `genomes` are not `LANES` of them.
    #[inline(always)]
    pub(crate) fn place_tile(&self, genomes: &[u8], tile: &mut [Lanes]) {
        let len = self.genome_len();
        assert_eq!(genomes.len(), LANES * len, "the digits of a tile's genomes");
        for lane in (0..LANES).step_by(8) {
            let genomes = &genomes[lane * len..][..8 * len];
            let (eights, rest) = self.cells.as_chunks::<8>();
            for (group, cells) in eights.iter().enumerate() {
                let digits = transpose(std::array::from_fn(|row| word(&genomes[row * len + 8 * group..])));
                for (cell, digits) in cells.iter().zip(digits) {
                    tile[usize::from(*cell)].0[lane..lane + 8].copy_from_slice(&digits.to_le_bytes());
                }
            }
            for (cell, at) in rest.iter().zip(8 * eights.len()..) {
                (0..8).for_each(|row| tile[usize::from(*cell)].0[lane + row] = genomes[row * len + at]);
            }
        }
    }
}

/// The first eight bytes as one word, the first one lowest.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("eight bytes"))
}

/// Eight rows of eight bytes, turned into their columns: byte `c` of word `r` becomes byte `r` of word `c`.
///
/// Halves of 8x8, then quarters, then single bytes change places across the diagonal, all at once in each word.
#[inline(always)]
fn transpose(mut words: [u64; 8]) -> [u64; 8] {
    for (step, mask) in [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)] {
        for row in (0..8).filter(|row| row & step == 0) {
            let changed = (words[row] >> (8 * step) ^ words[row + step]) & mask;
            words[row + step] ^= changed;
            words[row] ^= changed << (8 * step);
        }
    }
    words
}

impl Swap {
    /// Exchanges the two digits in one lane of a tile. Applying it twice restores the original.
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
    use crate::population::rng::{Key, Stream};
    use crate::sudoku::Shape;

    /// A puzzle whose givens are a random part of a cyclic solution, and its free blocks.
    fn arbitrary_blocks() -> impl Strategy<Value = FreeUnits> {
        let shapes = Shape::all().filter(|shape| shape.side() >= 4).collect::<Vec<_>>();
        (prop::sample::select(shapes), any::<u64>(), 0.0..1.0).prop_map(|(shape, seed, kept)| {
            let mut words = Words::new(Key::new(seed, 0, Stream::Sample), 0, 0);
            let givens: Vec<u8> = (0..shape.cells())
                .map(|cell| if f64::from(words.next_word()) < kept * 4.3e9 { cyclic(shape, cell) } else { 0 })
                .collect();
            FreeUnits::blocks(&Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap())
        })
    }

    /// The digit of the solution that shifts each row by a block's width and each band by one.
    fn cyclic(shape: Shape, cell: usize) -> u8 {
        let (row, column) = (shape.row(cell), shape.column(cell));
        ((row % shape.block_rows() * shape.block_columns() + row / shape.block_rows() + column) % shape.side() + 1)
            as u8
    }

    /// A population of `len` fills of the puzzle.
    fn filled(blocks: &FreeUnits, seed: u64, len: usize) -> Population {
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

    fn keeps_givens_and_blocks(blocks: &FreeUnits, grid: &Grid) {
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

    #[test]
    fn a_transposed_square_has_rows_for_columns() {
        let square: [[u8; 8]; 8] = std::array::from_fn(|row| std::array::from_fn(|column| (8 * row + column) as u8));
        let columns = transpose(square.map(u64::from_le_bytes)).map(u64::to_le_bytes);
        assert!((0..64).all(|at| columns[at % 8][at / 8] == square[at / 8][at % 8]), "{columns:?}");
    }

    proptest! {
        #[test]
        fn genomes_of_a_tile_are_placed_as_each_of_them_alone(blocks in arbitrary_blocks(), seed: u64) {
            let (shape, len) = (blocks.puzzle().shape(), blocks.genome_len());
            let mut genomes = vec![0; LANES * len];
            for slot in 0..LANES {
                let mut words = Words::new(Key::new(seed, 0, Stream::Fill), 0, slot as u32);
                blocks.fill_genome(&mut genomes[slot * len..][..len], &mut words);
            }
            let mut placed = Population::copies(blocks.puzzle().givens(), LANES);
            blocks.place_tile(&genomes, placed.lanes_mut());
            assert_eq!(placed, filled(&blocks, seed, LANES));
            assert_eq!(placed.shape(), shape);
        }

        #[test]
        fn every_family_of_units_is_filled_with_what_it_lacks(blocks in arbitrary_blocks(), seed: u64) {
            let puzzle = blocks.puzzle();
            let shape = puzzle.shape();
            let family = |units: FreeUnits, cells: &dyn Fn(usize) -> Vec<usize>, count: usize| {
                assert_eq!(units.units(), count);
                let grid = filled(&units, seed, 1).get(0);
                for unit in 0..count {
                    let mut digits: Vec<u8> = cells(unit).into_iter().map(|cell| grid.get(cell)).collect();
                    digits.sort_unstable();
                    let times = digits.len() / shape.side();
                    assert!(digits.into_iter().eq((0..shape.cells()).map(|at| (at / times) as u8 + 1).take(times * shape.side())));
                }
            };
            family(FreeUnits::rows(puzzle), &|row| shape.row_cells(row).collect(), shape.side());
            family(FreeUnits::columns(puzzle), &|column| shape.column_cells(column).collect(), shape.side());
            family(FreeUnits::blocks(puzzle), &|block| shape.block_cells(block).collect(), shape.side());
            family(FreeUnits::grid(puzzle), &|_| (0..shape.cells()).collect(), 1);
        }
    }

    fn nine(givens: &str) -> FreeUnits {
        let digits: Vec<u8> = givens.bytes().map(|byte| byte - b'0').collect();
        FreeUnits::blocks(&Puzzle::new(Grid::new(Shape::NINE, digits).unwrap()).unwrap())
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
