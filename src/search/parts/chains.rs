//! Chains of any shape, one after another, as counts of the digits in their lines: the form of a stride where masks of lines do
//! not fit in registers.
//!
//! A swap inside a block changes two rows and two columns at most, so what it adds to the score is known from eight counts, and
//! the cells in conflict change by ten at most. A chain's step takes as long on 25x25 cells as on 9x9:
//!
//! ```text
//!                    bits 16 ...      0 ... 15
//! line, digit       [ how often     | the sum of the cells where the digit stands in the line ]
//!
//! a swap adds        1 for each digit that leaves a line where it stood once, less 1 for each that comes where it was missing
//! in conflict        a cell whose digit stands twice in its row or its column: a bit for each movable cell, in their order
//! count 2 -> 1       the cell that is left is the sum itself
//! count 1 -> 2       the other cell is the sum less the one that came
//! ```
//!
//! The words, the swaps, the scores and the decisions are those of the same epochs on tiles; see `strides`.

use super::strides::{StrideEpoch, StrideEpochs, StrideTiles, ThresholdBits};
use crate::fitness::Score;
use crate::population::instructions::Task;
use crate::population::moves::{FreeUnits, Swap};
use crate::population::rng::{Key, bounded};
use crate::population::{LANES, Lanes};
use crate::search::trajectory::Sums;
use crate::sudoku::MAX_CELLS;

/// One digit in a line: see the drawing.
const ONE: u32 = 1 << CELL_BITS;
const CELL_BITS: u32 = 16;

/// The bits of a score that hold what rows miss; what columns miss follows.
const SCORE_BITS: u32 = 10;

/// Words of the set of movable cells in conflict; the last one takes the cells that are never moved.
const SET_WORDS: usize = MAX_CELLS.div_ceil(64) + 1;
const FIXED: u16 = (SET_WORDS as u16 - 1) * 64;

/// The most epochs of a stride: a chain is read and written once for all of them, which takes as long as some 50 steps.
pub(super) const MOST_EPOCHS: usize = 256;

/// What a chain's step looks up about a puzzle.
pub(crate) struct ChainTables {
    blocks: FreeUnits,
    places: Vec<Place>,
    movable: Vec<Movable>,
}

/// Where a cell is.
#[derive(Clone, Copy)]
struct Place {
    row: u8,
    column: u8,
    /// Its place among the movable cells, [`FIXED`] for others.
    movable: u16,
}

/// A free cell of a block with two or more.
#[derive(Clone, Copy)]
struct Movable {
    cell: u16,
    row: u8,
    column: u8,
    /// The movable cells of its block: the place of the first, and how many.
    start: u16,
    len: u16,
}

impl ChainTables {
    /// The tables of a puzzle.
    pub(crate) fn new(blocks: &FreeUnits) -> ChainTables {
        let shape = blocks.puzzle().shape();
        let mut places: Vec<Place> = (0..shape.cells())
            .map(|cell| Place { row: shape.row(cell) as u8, column: shape.column(cell) as u8, movable: FIXED })
            .collect();
        let mut movable = Vec::new();
        for cells in (0..blocks.units()).map(|block| blocks.cells_of(block)).filter(|cells| cells.len() > 1) {
            let (start, len) = (movable.len() as u16, cells.len() as u16);
            for cell in cells {
                let place = &mut places[usize::from(*cell)];
                place.movable = movable.len() as u16;
                movable.push(Movable { cell: *cell, row: place.row, column: place.column, start, len });
            }
        }
        ChainTables { blocks: blocks.clone(), places, movable }
    }

    fn side(&self) -> usize {
        self.blocks.puzzle().shape().side()
    }
}

/// Epochs of chains, one after another.
pub(super) struct ChainTask<'a> {
    pub(super) tables: &'a ChainTables,
    pub(super) at_conflicts: bool,
    pub(super) key: Key,
    /// The first epoch.
    pub(super) epoch: u32,
    /// For each epoch the bits of its thresholds.
    pub(super) thresholds: &'a [ThresholdBits],
    pub(super) population: usize,
    pub(super) tiles: StrideTiles<'a>,
}

impl Task for ChainTask<'_> {
    type Output = StrideEpochs;

    #[inline(always)]
    fn run(self) -> StrideEpochs {
        match (self.tables.side() <= 16, self.at_conflicts) {
            (true, false) => self.run_all::<16, false>(),
            (true, true) => self.run_all::<16, true>(),
            (false, false) => self.run_all::<32, false>(),
            (false, true) => self.run_all::<32, true>(),
        }
    }
}

/// A word for each epoch of a stride.
type EpochWords = [u32; MOST_EPOCHS];

impl ChainTask<'_> {
    #[inline(always)]
    fn run_all<const DIGITS: usize, const CONFLICTS: bool>(self) -> StrideEpochs {
        let ChainTask { tables, key, epoch: first_epoch, thresholds, population, tiles, .. } = self;
        let cells = tables.places.len();
        let fixed = Chain::<DIGITS>::fixed(tables, tiles.from);
        let mut chain = fixed.clone();
        let mut words = [[0; MOST_EPOCHS]; 4];
        let mut made = EpochTotals::NONE;
        let scores = tiles.old_scores.as_chunks::<LANES>().0.iter().zip(tiles.scores.as_chunks_mut::<LANES>().0);
        let lanes = tiles.from.chunks_exact(cells).zip(tiles.to.chunks_exact_mut(cells));
        for (tile, ((from, to), (old_scores, scores))) in lanes.zip(scores).enumerate() {
            let first = tiles.first + tile * LANES;
            to.copy_from_slice(from);
            *scores = *old_scores;
            for lane in 0..population.saturating_sub(first).min(LANES) {
                let slot = (first + lane) as u32;
                if lane % 2 == 0 {
                    fill_words(&mut words, key, first_epoch, slot / 2, thresholds.len());
                }
                chain.clone_from(&fixed);
                chain.read::<CONFLICTS>(tables, from, lane, scores[lane]);
                let [moves, draws] = [0, 1].map(|word| &words[2 * (lane % 2) + word]);
                let (mut proposed, mut kept) = ([0; MOST_EPOCHS], [0; MOST_EPOCHS]);
                for (epoch, thresholds) in thresholds.iter().enumerate().take(MOST_EPOCHS) {
                    proposed[epoch] = chain.step::<CONFLICTS>(tables, thresholds, moves[epoch], draws[epoch]);
                    kept[epoch] = chain.score;
                }
                made.add(slot, &proposed, &kept);
                chain.write(tables, to, lane);
                scores[lane] = Score::from_bits(chain.score);
            }
        }
        made.epochs(thresholds.len())
    }
}

/// The words of a pair of slots in so many epochs.
#[inline(always)]
fn fill_words(words: &mut [EpochWords; 4], key: Key, first_epoch: u32, pair: u32, epochs: usize) {
    const AT_ONCE: usize = 16;
    for done in (0..epochs).step_by(AT_ONCE) {
        let made = key.words_of_epochs::<AT_ONCE>(first_epoch.wrapping_add(done as u32), pair);
        for (words, made) in words.iter_mut().zip(made) {
            words[done..done + AT_ONCE].copy_from_slice(&made);
        }
    }
}

/// What chains add up to, epoch by epoch.
struct EpochTotals {
    sums: [EpochWords; 2],
    /// From the highest bit on: the total, the slot, and what rows miss, of the best chain.
    best: [u64; MOST_EPOCHS],
}

const SLOT_BITS: u32 = 32;

impl EpochTotals {
    const NONE: EpochTotals = EpochTotals { sums: [[0; MOST_EPOCHS]; 2], best: [u64::MAX; MOST_EPOCHS] };

    /// Adds the scores that the chain of a slot proposed and kept.
    #[inline(always)]
    fn add(&mut self, slot: u32, proposed: &EpochWords, kept: &EpochWords) {
        for sum in 0..2 {
            let place = slot.wrapping_mul(Sums::SLOT_KEYS[sum]);
            for epoch in 0..MOST_EPOCHS {
                let product = (place ^ proposed[epoch]).wrapping_mul(Sums::WORD_KEYS[sum]);
                self.sums[sum][epoch] = self.sums[sum][epoch].wrapping_add(product ^ product >> 15);
            }
        }
        for epoch in 0..MOST_EPOCHS {
            let (rows, columns) = (kept[epoch] & ((1 << SCORE_BITS) - 1), kept[epoch] >> SCORE_BITS);
            let key = u64::from(rows + columns) << (SLOT_BITS + SCORE_BITS) | u64::from(slot) << SCORE_BITS;
            self.best[epoch] = self.best[epoch].min(key | u64::from(rows));
        }
    }

    /// The first epochs of these.
    fn epochs(&self, epochs: usize) -> StrideEpochs {
        let best = |key: u64| {
            let (total, rows) = ((key >> (SLOT_BITS + SCORE_BITS)) as u32, key as u32 & ((1 << SCORE_BITS) - 1));
            let slot = (key >> SCORE_BITS) as u32 as usize;
            (key != u64::MAX).then(|| (total, slot, Score::new(rows, total - rows, 0)))
        };
        let sums = |epoch: usize| Sums::of_parts(&self.sums.map(|sums| [sums[epoch]]));
        (0..epochs).map(|epoch| StrideEpoch { sums: sums(epoch), best: best(self.best[epoch]) }).collect()
    }
}

/// How often each digit stands in each line of a family, and where: see the drawing.
type LineCounts<const DIGITS: usize> = [[u32; DIGITS]; DIGITS];

/// One chain.
#[derive(Clone)]
struct Chain<const DIGITS: usize> {
    /// The digit of each cell, from 0.
    digits: [u8; MAX_CELLS],
    rows: LineCounts<DIGITS>,
    columns: LineCounts<DIGITS>,
    /// The movable cells in conflict.
    conflicts: [u64; SET_WORDS],
    /// What rows miss, and from bit [`SCORE_BITS`] on what columns miss.
    score: u32,
}

impl<const DIGITS: usize> Chain<DIGITS> {
    const EMPTY: Self = Chain {
        digits: [0; MAX_CELLS],
        rows: [[0; DIGITS]; DIGITS],
        columns: [[0; DIGITS]; DIGITS],
        conflicts: [0; SET_WORDS],
        score: 0,
    };

    /// What all chains have in common: the cells that are never moved, as they are in the first lane of a tile.
    #[inline(always)]
    fn fixed(tables: &ChainTables, lanes: &[Lanes]) -> Self {
        let mut chain = Self::EMPTY;
        for (cell, (lanes, place)) in (0..).zip(lanes.iter().zip(&tables.places)) {
            if place.movable == FIXED {
                chain.put(cell, place.row, place.column, lanes.0[0]);
            }
        }
        chain
    }

    #[inline(always)]
    fn put(&mut self, cell: u16, row: u8, column: u8, digit: u8) {
        let (digit, one) = (digit - 1, ONE + u32::from(cell));
        self.digits[usize::from(cell)] = digit;
        *entry(&mut self.rows, row, digit) += one;
        *entry(&mut self.columns, column, digit) += one;
    }

    /// Adds to the fixed cells those that a lane of a tile holds in the movable ones.
    #[inline(always)]
    fn read<const CONFLICTS: bool>(&mut self, tables: &ChainTables, lanes: &[Lanes], lane: usize, score: Score) {
        self.score = score.bits();
        for Movable { cell, row, column, .. } in &tables.movable {
            self.put(*cell, *row, *column, lanes[usize::from(*cell)].0[lane]);
        }
        if CONFLICTS {
            for (word, movable) in tables.movable.chunks(64).enumerate() {
                let mut set = 0;
                for (place, Movable { cell, row, column, .. }) in movable.iter().enumerate() {
                    let digit = self.digits[usize::from(*cell)];
                    set |= u64::from(self.is_in_conflict(*row, *column, digit)) << place;
                }
                self.conflicts[word] = set;
            }
        }
    }

    /// True if a digit stands twice in its row or its column.
    #[inline(always)]
    fn is_in_conflict(&mut self, row: u8, column: u8, digit: u8) -> bool {
        (*entry(&mut self.rows, row, digit)).max(*entry(&mut self.columns, column, digit)) >= 2 * ONE
    }

    /// Writes the movable cells to a lane of a tile.
    #[inline(always)]
    fn write(&self, tables: &ChainTables, lanes: &mut [Lanes], lane: usize) {
        for Movable { cell, .. } in &tables.movable {
            lanes[usize::from(*cell)].0[lane] = self.digits[usize::from(*cell)] + 1;
        }
    }

    /// A step with these words, and the score of its proposal.
    #[inline(always)]
    fn step<const CONFLICTS: bool>(
        &mut self,
        tables: &ChainTables,
        thresholds: &ThresholdBits,
        moves: u32,
        draws: u32,
    ) -> u32 {
        let Swap { first, second } = match CONFLICTS {
            false => tables.blocks.pick_swap(moves),
            true => self.swap_at_conflict(tables, moves),
        };
        let cells = [first, second];
        let [one, other] = cells.map(|cell| tables.places[usize::from(cell)]);
        let digits = cells.map(|cell| self.digits[usize::from(cell)]);
        let rows = more_missing(&mut self.rows, [one.row, other.row], digits);
        let columns = more_missing(&mut self.columns, [one.column, other.column], digits);
        let proposed = self.score.wrapping_add_signed(rows + (columns << SCORE_BITS));
        if draws >> 1 < thresholds[(rows + columns).max(0) as usize % thresholds.len()] {
            self.exchange::<CONFLICTS>(tables, cells);
            self.score = proposed;
        }
        proposed
    }

    /// The swap that a word picks: see [`ConflictSwaps`](super::conflicts::ConflictSwaps).
    #[inline(always)]
    fn swap_at_conflict(&self, tables: &ChainTables, mut word: u32) -> Swap {
        let sets = &self.conflicts[..tables.movable.len().div_ceil(64)];
        let count = sets.iter().map(|set| set.count_ones()).sum();
        let rank = bounded(&mut word, count);
        if count == 0 {
            return Swap::default();
        }
        // The set is the one after all that the rank has passed.
        let (mut place, mut before, mut passed) = (0, 0, 0);
        for set in sets {
            passed += set.count_ones();
            let later = u32::from(passed <= rank);
            place += later;
            before = before.max(passed * later);
        }
        let place = 64 * place + place_of(sets[place as usize], rank - before);
        let Movable { cell, start, len, .. } = tables.movable[place as usize];
        let (start, len) = (u32::from(start), u32::from(len));
        let on = place - start + 1 + bounded(&mut word, len - 1);
        let partner = start + if on < len { on } else { on - len };
        Swap { first: cell, second: tables.movable[partner as usize].cell }
    }

    /// Exchanges the digits of two cells of a block, which may be one cell.
    #[inline(always)]
    fn exchange<const CONFLICTS: bool>(&mut self, tables: &ChainTables, cells: [u16; 2]) {
        if cells[0] == cells[1] {
            return;
        }
        let [one, other] = cells.map(|cell| tables.places[usize::from(cell)]);
        let [a, b] = cells.map(|cell| self.digits[usize::from(cell)]);
        self.digits[usize::from(cells[0])] = b;
        self.digits[usize::from(cells[1])] = a;
        let rows = exchange(&mut self.rows, [one.row, other.row], cells, [a, b]);
        let columns = exchange(&mut self.columns, [one.column, other.column], cells, [a, b]);
        if CONFLICTS {
            for change in rows.into_iter().chain(columns) {
                if change.left >> CELL_BITS == 1 {
                    self.renew(tables, change.left as u16);
                }
                // Without a branch, which nothing could foresee.
                let other = (change.came as u16).wrapping_sub(change.cell);
                let place = tables.places.get(usize::from(other)).map_or(FIXED, |place| place.movable);
                self.conflicts[usize::from(place / 64)] |= u64::from(change.came >> CELL_BITS == 2) << (place % 64);
            }
            self.renew(tables, cells[0]);
            self.renew(tables, cells[1]);
        }
    }

    /// Finds anew whether a cell is in conflict.
    #[inline(always)]
    fn renew(&mut self, tables: &ChainTables, cell: u16) {
        let Place { row, column, movable } = tables.places[usize::from(cell)];
        let is_in_conflict = self.is_in_conflict(row, column, self.digits[usize::from(cell)]);
        let set = &mut self.conflicts[usize::from(movable / 64)];
        *set = *set & !(1 << (movable % 64)) | u64::from(is_in_conflict) << (movable % 64);
    }
}

/// What a line has of a digit.
#[inline(always)]
fn entry<const DIGITS: usize>(lines: &mut LineCounts<DIGITS>, line: u8, digit: u8) -> &mut u32 {
    &mut lines[usize::from(line) % DIGITS][usize::from(digit) % DIGITS]
}

/// How many digits more two lines of a family would miss, with a sign, if these digits were exchanged.
#[inline(always)]
fn more_missing<const DIGITS: usize>(lines: &mut LineCounts<DIGITS>, [one, other]: [u8; 2], [a, b]: [u8; 2]) -> i32 {
    let mut more = |line, leaves, comes| {
        i32::from(*entry(lines, line, leaves) >> CELL_BITS == 1) - i32::from(*entry(lines, line, comes) < ONE)
    };
    (more(one, a, b) + more(other, b, a)) * i32::from(one != other)
}

/// What a line has of two digits after one has left a cell, and the other came.
struct Change {
    cell: u16,
    left: u32,
    came: u32,
}

/// Exchanges the digits `a` and `b` of two cells in their lines of a family.
#[inline(always)]
fn exchange<const DIGITS: usize>(
    lines: &mut LineCounts<DIGITS>,
    [one, other]: [u8; 2],
    cells: [u16; 2],
    [a, b]: [u8; 2],
) -> [Change; 2] {
    let [first, second] = cells.map(|cell| ONE + u32::from(cell));
    *entry(lines, one, a) -= first;
    *entry(lines, other, b) -= second;
    *entry(lines, one, b) += first;
    *entry(lines, other, a) += second;
    [
        Change { cell: cells[0], left: *entry(lines, one, a), came: *entry(lines, one, b) },
        Change { cell: cells[1], left: *entry(lines, other, b), came: *entry(lines, other, a) },
    ]
}

/// The place of the bit of this rank in a set that has more bits.
///
/// Source: S. Vigna, "Broadword implementation of rank/select queries", Experimental Algorithms (WEA) 2008.
#[inline(always)]
fn place_of(set: u64, rank: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    let pairs = set - ((set >> 1) & (0x55 * EACH));
    let fours = (pairs & (0x33 * EACH)) + ((pairs >> 2) & (0x33 * EACH));
    // For each byte the bits in it and in those below it.
    let passed = ((fours + (fours >> 4)) & (0x0F * EACH)).wrapping_mul(EACH);
    let earlier = (((u64::from(rank) * EACH) | TOP) - passed) & TOP;
    let byte = 8 * earlier.count_ones();
    let rank = rank - ((passed << 8) >> byte & 0xFF) as u32;
    byte + u32::from(PLACES[(set >> byte) as usize & 0xFF][rank as usize & 7])
}

/// For each byte the places of its bits, by their rank.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rank, mut place) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[byte][rank] = place;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_that_of_the_bit_of_its_rank() {
        for set in [1, u64::MAX, 1 << 63, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF, 0xF0F0_0000_0F00_1000] {
            let places: Vec<u32> = (0..64).filter(|place| set >> place & 1 == 1).collect();
            let found: Vec<u32> = (0..set.count_ones()).map(|rank| place_of(set, rank)).collect();
            assert_eq!(found, places, "{set:x}");
        }
    }
}
