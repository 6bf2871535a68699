//! Several epochs of annealing on 9x9 grids in registers: 16 chains as the masks of their lines.
//!
//! A grid whose blocks are permutations is given by its rows and columns alone, each as the sets of digits in the three
//! blocks that it crosses:
//!
//! ```text
//!            bits 18 ... 26   9 ... 17    0 ... 8
//! row r     [ digits in      | in        | in     ]      column c: the same, with bands for stacks
//!           [ stack 2        | stack 1   | stack 0]
//!
//! digit of cell (r, c)      the one bit of   row[r] >> 9 * stack(c)  &  column[c] >> 9 * band(r)
//! distinct digits of a line the bits of      (w | w >> 9 | w >> 18) & 511
//! swap of two cells         x = one digit or the other: four words ^ x, shifted to the field
//! digits twice in a row     of each block    w & (w turned by 9 | w turned by 18)
//! ```
//!
//! Eighteen words of a chain are its whole state, so 16 chains lie in 18 registers of 512 bits, and no epoch but the last of a
//! [`stride`] touches memory for more than its random words and its sums.
//!
//! Chains do not meet, so the result is that of the same epochs one by one: the same words give the same swaps, scores and
//! decisions. A block is a permutation, so that a digit in conflict is one cell in conflict: the cells in conflict of a
//! block are counted as bits of the union of its rows' and columns' conflicts.

use super::step::Thresholds;
use crate::fitness::Score;
use crate::population::instructions::{Instructions, Task};
use crate::population::moves::FreeUnits;
use crate::population::rng::Key;
use crate::population::vector::{WIDTH, Words16};
use crate::population::{LANES, Lanes};
use crate::search::sweeps::both;
use crate::search::trajectory::Sums;
use crate::sudoku::Shape;

/// The most epochs of a stride.
pub(crate) const MOST_EPOCHS: usize = 64;

/// The most tiles whose best is found at once: a slot has 17 bits in the word that decides.
pub(crate) const MOST_TILES: usize = (1 << SLOT_BITS) / LANES;

const SLOT_BITS: u32 = 17;

/// Bits for what the rows of a 9x9 grid miss: at most 72.
const ROWS_BITS: u32 = 7;

const SIDE: usize = 9;
const CELLS: usize = SIDE * SIDE;
const FIELD: u32 = (1 << SIDE) - 1;

/// The bits of a score that hold what rows miss; what columns miss follows.
const SCORE_BITS: u32 = 10;

/// What a step looks up about the free cells of a puzzle.
#[derive(Clone)]
pub(crate) struct LineTables {
    /// The number of blocks, in every lane: a constant would be multiplied by as 64 bits, which is slower.
    blocks: [u32; WIDTH],
    /// For each block where its free cells start in `cells`, and how many there are, at least 1.
    starts: [u32; WIDTH],
    free: [u32; WIDTH],
    /// The free cells, block after block: row + 16 * column.
    cells: [u8; 128],
    /// For each block the digits that a swap can move, as a set.
    movable: [u32; SIDE],
    /// For each block its free cells, as a set of places within the block.
    free_places: [u32; WIDTH],
}

impl LineTables {
    /// The tables of a puzzle, if it is 9x9.
    pub(crate) fn new(blocks: &FreeUnits) -> Option<LineTables> {
        if blocks.puzzle().shape() != Shape::NINE {
            return None;
        }
        let mut tables = LineTables {
            blocks: [SIDE as u32; WIDTH],
            starts: [0; WIDTH],
            free: [0; WIDTH],
            cells: [0; 128],
            movable: [0; SIDE],
            free_places: [0; WIDTH],
        };
        for block in 0..SIDE {
            let (range, cells) = (blocks.range(block), blocks.cells_of(block));
            tables.starts[block] = range.start as u32;
            tables.free[block] = range.len().max(1) as u32;
            for (place, cell) in range.clone().zip(cells) {
                let (row, column) = (usize::from(*cell) / SIDE, usize::from(*cell) % SIDE);
                tables.cells[place] = (row + 16 * column) as u8;
                tables.free_places[block] |= 1 << (row % 3 * 3 + column % 3);
            }
            if range.len() > 1 {
                tables.movable[block] = blocks.digits_of(block).iter().fold(0, |set, digit| set | 1 << (digit - 1));
            }
        }
        Some(tables)
    }
}

/// The bits of an epoch's thresholds, by how much higher the total would be.
pub(crate) type ThresholdBits = [u32; WIDTH];

/// Thresholds as a step looks them up.
pub(crate) fn threshold_bits(thresholds: &Thresholds) -> ThresholdBits {
    let mut bits = [0; WIDTH];
    bits.iter_mut().zip(thresholds).for_each(|(bits, threshold)| *bits = threshold.bits());
    bits
}

/// The rule of a stride, for all chains.
#[derive(Clone, Copy)]
pub(crate) struct Stride<'a> {
    pub(crate) tables: &'a LineTables,
    /// True if swaps begin at a conflict.
    pub(crate) at_conflicts: bool,
    pub(crate) key: Key,
    /// The first epoch.
    pub(crate) epoch: u32,
    /// For each epoch the bits of its thresholds.
    pub(crate) thresholds: &'a [ThresholdBits],
    pub(crate) population: usize,
}

/// Successive tiles before and after a stride, the first of which begins at slot `first`.
pub(crate) struct StrideTiles<'a> {
    pub(crate) first: usize,
    pub(crate) from: &'a [Lanes],
    pub(crate) to: &'a mut [Lanes],
    pub(crate) old_scores: &'a [Score],
    pub(crate) scores: &'a mut [Score],
}

impl<'a> StrideTiles<'a> {
    /// The number of tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    /// The first `tiles` tiles, and the others.
    pub(crate) fn split_at(self, tiles: usize) -> (Self, Self) {
        let StrideTiles { first, from, to, old_scores, scores } = self;
        let (from, other_from) = from.split_at(tiles * CELLS);
        let (to, other_to) = to.split_at_mut(tiles * CELLS);
        let (old_scores, other_old_scores) = old_scores.split_at(tiles * LANES);
        let (scores, other_scores) = scores.split_at_mut(tiles * LANES);
        let others = StrideTiles {
            first: first + tiles * LANES,
            from: other_from,
            to: other_to,
            old_scores: other_old_scores,
            scores: other_scores,
        };
        (StrideTiles { first, from, to, old_scores, scores }, others)
    }
}

/// The sums of an epoch and its best individual, of some tiles.
#[derive(Clone, Copy, Default)]
pub(crate) struct StrideEpoch {
    pub(crate) sums: Sums,
    /// Total, slot and score.
    pub(crate) best: Option<(u32, usize, Score)>,
}

impl StrideEpoch {
    /// The epoch of both parts.
    pub(crate) fn merge(self, other: StrideEpoch) -> StrideEpoch {
        let better = |one: (u32, usize, Score), other: (u32, usize, Score)| {
            if (one.0, one.1) <= (other.0, other.1) { one } else { other }
        };
        let best = match (self.best, other.best) {
            (Some(one), Some(other)) => Some(better(one, other)),
            (one, other) => one.or(other),
        };
        StrideEpoch { sums: self.sums.merge(other.sums), best }
    }
}

/// All epochs of a stride, as many as it has thresholds.
pub(crate) type StrideEpochs = [StrideEpoch; MOST_EPOCHS];

/// True if a stride on these instructions is faster than its epochs one by one. With AVX2 masks take the place of registers,
/// and only swaps at conflicts gain.
pub(crate) fn runs_on(instructions: Instructions, at_conflicts: bool) -> bool {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(_) => true,
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(_) => at_conflicts,
        Instructions::Portable => false,
    }
}

impl Stride<'_> {
    /// Advances these tiles, on all threads where there are more than `chunk_tiles`; none on the portable instructions.
    pub(crate) fn advance(
        self,
        instructions: Instructions,
        tiles: StrideTiles<'_>,
        chunk_tiles: usize,
    ) -> Option<StrideEpochs> {
        let all = tiles.tiles();
        if all <= chunk_tiles.min(MOST_TILES) {
            return match instructions {
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512(simd) => Some(instructions.run(StrideTask { simd, stride: self, tiles })),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2(simd) => Some(instructions.run(StrideTask { simd, stride: self, tiles })),
                Instructions::Portable => None,
            };
        }
        let (front, back) = tiles.split_at(all / 2);
        let (mut front, back) = both(
            all > chunk_tiles,
            || self.advance(instructions, front, chunk_tiles),
            || self.advance(instructions, back, chunk_tiles),
        );
        let (epochs, others) = (front.as_mut()?, back?);
        epochs.iter_mut().zip(others).for_each(|(epoch, other)| *epoch = epoch.merge(other));
        front
    }
}

/// A stride of at most [`MOST_TILES`] tiles, to be run with the instructions that `simd` is the proof of.
pub(crate) struct StrideTask<'a, S> {
    pub(crate) simd: S,
    pub(crate) stride: Stride<'a>,
    pub(crate) tiles: StrideTiles<'a>,
}

impl<S: Words16> Task for StrideTask<'_, S> {
    type Output = StrideEpochs;

    #[inline(always)]
    fn run(self) -> StrideEpochs {
        match self.stride.at_conflicts {
            false => self.run_all::<false>(),
            true => self.run_all::<true>(),
        }
    }
}

/// What the tiles of a stride add up to in one epoch, by place in a vector.
#[derive(Clone, Copy)]
struct Totals {
    sums: [[u32; WIDTH]; 2],
    best: [u32; WIDTH],
}

impl<S: Words16> StrideTask<'_, S> {
    #[inline(always)]
    fn run_all<const CONFLICTS: bool>(self) -> StrideEpochs {
        let StrideTask { simd, stride, tiles } = self;
        let epochs = stride.thresholds.len();
        let mut totals = [Totals { sums: [[0; WIDTH]; 2], best: [u32::MAX; WIDTH] }; MOST_EPOCHS];
        let mut words = [[[0; WIDTH]; 4]; MOST_EPOCHS];
        let (totals, words) = (&mut totals[..epochs], &mut words[..epochs]);
        let cells = tiles.from.chunks_exact(CELLS).zip(tiles.to.chunks_exact_mut(CELLS));
        let scores = tiles.old_scores.as_chunks::<LANES>().0.iter().zip(tiles.scores.as_chunks_mut::<LANES>().0);
        for (tile, ((from, to), (old_scores, scores))) in cells.zip(scores).enumerate() {
            let slot = tiles.first + tile * LANES;
            for (epoch, words) in (stride.epoch..).zip(words.iter_mut()) {
                *words = stride.key.words_of_lanes::<WIDTH>(epoch, slot as u32 / 2, 0);
            }
            let mut chains = [read(simd, from, old_scores, 0), read(simd, from, old_scores, 1)];
            for (parity, half) in chains.iter_mut().enumerate() {
                let places = Places::new(simd, tile, slot, parity, stride.population);
                let mut lines = *half;
                for ((thresholds, words), totals) in stride.thresholds.iter().zip(&*words).zip(totals.iter_mut()) {
                    let (moves, draws) = (simd.load(&words[2 * parity]), simd.load(&words[2 * parity + 1]));
                    let swap = match CONFLICTS {
                        false => any_swap(simd, stride.tables, moves),
                        true => lines.swap_at_conflict(simd, stride.tables, moves),
                    };
                    lines.step(simd, swap, draws, thresholds, &places, totals);
                }
                *half = lines;
            }
            *scores = *old_scores;
            write(simd, &chains, from, to, &mut scores[..stride.population.saturating_sub(slot).min(LANES)]);
        }
        let mut made = [StrideEpoch::default(); MOST_EPOCHS];
        for (made, totals) in made.iter_mut().zip(&*totals) {
            *made = totals.add_up(tiles.first);
        }
        made
    }
}

impl Totals {
    fn add_up(&self, first: usize) -> StrideEpoch {
        let sum = |words: &[u32; WIDTH]| words.iter().fold(0u32, |sum, word| sum.wrapping_add(*word));
        let best = self.best.iter().fold(u32::MAX, |best, key| best.min(*key));
        let best = (best != u32::MAX).then(|| {
            let (total, slot, rows) = (
                best >> (SLOT_BITS + ROWS_BITS),
                best >> ROWS_BITS & ((1 << SLOT_BITS) - 1),
                best & ((1 << ROWS_BITS) - 1),
            );
            (total, first + slot as usize, Score::new(rows, total - rows, 0))
        });
        StrideEpoch { sums: Sums::of(self.sums.each_ref().map(sum)), best }
    }
}

/// What is known of the places of 16 chains: which are individuals, and what their slots put into sums and keys.
struct Places<S: Words16> {
    used: S::Set,
    sums: [S::V; 2],
    best: S::V,
}

impl<S: Words16> Places<S> {
    /// The even or the odd lanes of a tile, which is the `tile`th of its stride and begins at `slot`.
    #[inline(always)]
    fn new(simd: S, tile: usize, slot: usize, parity: usize, population: usize) -> Places<S> {
        let lane = |place: usize| 2 * place + parity;
        let used = (population.saturating_sub(slot).min(LANES) + 1 - parity) / 2;
        let used = simd.first_places(used);
        let slots: [u32; WIDTH] = std::array::from_fn(|place| (slot + lane(place)) as u32);
        let best = std::array::from_fn(|place| ((tile * LANES + lane(place)) << ROWS_BITS) as u32);
        let [first, second] = Sums::places(&slots);
        Places { used, sums: [simd.load(&first), simd.load(&second)], best: simd.load(&best) }
    }
}

/// Two cells of one block, in each lane: their rows and columns.
#[derive(Clone, Copy)]
struct CellPair<V> {
    rows: [V; 2],
    columns: [V; 2],
}

/// The cells at these places of a block's free cells, the first of which is at `start`, in the lanes of the set; elsewhere the
/// first cell of the grid twice.
#[inline(always)]
fn cell_pair<S: Words16>(simd: S, tables: &LineTables, start: S::V, places: [S::V; 2], set: S::Set) -> CellPair<S::V> {
    let low = simd.splat(15);
    let first = cell_at(simd, tables, start, places[0], set);
    let second = cell_at(simd, tables, start, places[1], set);
    CellPair {
        rows: [simd.and(first, low), simd.and(second, low)],
        columns: [simd.shift_right::<4>(first), simd.shift_right::<4>(second)],
    }
}

#[inline(always)]
fn cell_at<S: Words16>(simd: S, tables: &LineTables, start: S::V, place: S::V, set: S::Set) -> S::V {
    simd.select(simd.splat(0), set, simd.look_up_byte(&tables.cells, simd.add(start, place)))
}

/// The swap that each word picks: see [`FreeUnits::pick_swap`].
#[inline(always)]
fn any_swap<S: Words16>(simd: S, tables: &LineTables, mut words: S::V) -> CellPair<S::V> {
    let block = simd.bounded(&mut words, simd.load(&tables.blocks));
    let start = simd.look_up(simd.load(&tables.starts), block);
    let free = simd.look_up(simd.load(&tables.free), block);
    let first = simd.bounded(&mut words, free);
    let second = partner(simd, &mut words, free, first);
    cell_pair(simd, tables, start, [first, second], simd.first_places(WIDTH))
}

/// One of the other free cells of a block, counted on from the first and around.
#[inline(always)]
fn partner<S: Words16>(simd: S, words: &mut S::V, free: S::V, first: S::V) -> S::V {
    let one = simd.splat(1);
    let on = simd.add(simd.add(first, one), simd.bounded(words, simd.sub(free, one)));
    simd.select(simd.sub(on, free), simd.below(on, free), on)
}

/// Sixteen chains.
#[derive(Clone, Copy)]
struct LineMasks<V> {
    rows: [V; SIDE],
    columns: [V; SIDE],
    /// What rows miss, and from bit [`SCORE_BITS`] on what columns miss.
    scores: V,
}

impl<V: Copy> LineMasks<V> {
    /// An epoch of these chains: scores the swap, decides, and counts the proposal and its outcome.
    #[inline(always)]
    fn step<S: Words16<V = V>>(
        &mut self,
        simd: S,
        CellPair { rows, columns }: CellPair<V>,
        draws: V,
        thresholds: &ThresholdBits,
        places: &Places<S>,
        totals: &mut Totals,
    ) {
        let field_of = simd.load(&FIELD_OF);
        let (stack, band) = (simd.look_up(field_of, columns[0]), simd.look_up(field_of, rows[0]));
        let row_lines = pick_lines(simd, &self.rows, rows);
        let column_lines = pick_lines(simd, &self.columns, columns);
        let first = digit_at(simd, row_lines[0], column_lines[0], stack, band);
        let second = digit_at(simd, row_lines[1], column_lines[1], stack, band);
        let digits = simd.or(first, second);
        let across = (simd.others(simd.equal(rows[0], rows[1])), simd.shift_left_by(digits, stack));
        let down = (simd.others(simd.equal(columns[0], columns[1])), simd.shift_left_by(digits, band));
        let missing_rows = more_missing(simd, row_lines, across);
        let missing_columns = more_missing(simd, column_lines, down);

        let more = simd.add(missing_rows, simd.shift_left::<SCORE_BITS>(missing_columns));
        let proposed = simd.add(self.scores, more);
        for sum in 0..2 {
            let product = simd.mul(simd.xor(places.sums[sum], proposed), simd.splat(Sums::WORD_KEYS[sum]));
            let term = simd.xor(product, simd.shift_right::<15>(product));
            totals.sums[sum] = simd.store(simd.add_in(simd.load(&totals.sums[sum]), places.used, term));
        }

        let delta = simd.max_signed(simd.add(missing_rows, missing_columns), simd.splat(0));
        let threshold = simd.look_up(simd.load(thresholds), delta);
        let accepted = simd.below(simd.shift_right::<1>(draws), threshold);
        self.scores = simd.select(self.scores, accepted, proposed);
        exchange(simd, &mut self.rows, rows, simd.both(accepted, across.0), across.1);
        exchange(simd, &mut self.columns, columns, simd.both(accepted, down.0), down.1);

        let rows = simd.and(self.scores, simd.splat((1 << SCORE_BITS) - 1));
        let total = simd.add(rows, simd.shift_right::<SCORE_BITS>(self.scores));
        let best = simd.or3(simd.shift_left::<{ SLOT_BITS + ROWS_BITS }>(total), places.best, rows);
        totals.best = simd.store(simd.min_in(simd.load(&totals.best), places.used, best));
    }

    /// The swap that each word picks: a movable cell in conflict, in the order of blocks and cells, with another free cell
    /// of its block; see [`ConflictSwaps`](super::conflicts::ConflictSwaps). A cell with itself where there is none.
    #[inline(always)]
    fn swap_at_conflict<S: Words16<V = V>>(&self, simd: S, tables: &LineTables, mut words: V) -> CellPair<V> {
        let conflicts = self.conflicts(simd, tables);
        let mut passed = [simd.splat(0); SIDE];
        let mut count = simd.splat(0);
        for block in 0..SIDE {
            count = simd.add(count, simd.count_bits(conflicts[block]));
            passed[block] = count;
        }
        let rank = simd.bounded(&mut words, count);

        // The block is the one after all that the rank has passed.
        let (mut block, mut before, mut chosen) = (simd.splat(0), simd.splat(0), conflicts[0]);
        for number in 1..SIDE {
            let later = simd.others(simd.below(rank, passed[number - 1]));
            block = simd.add_in(block, later, simd.splat(1));
            before = simd.select(before, later, passed[number - 1]);
            chosen = simd.select(chosen, later, conflicts[number]);
        }
        let place = self.place_in_block(simd, block, chosen, simd.sub(rank, before));

        let free_places = simd.look_up(simd.load(&tables.free_places), block);
        let lower = simd.sub(simd.shift_left_by(simd.splat(1), place), simd.splat(1));
        let first = simd.count_bits(simd.and(free_places, lower));
        let start = simd.look_up(simd.load(&tables.starts), block);
        let second = partner(simd, &mut words, simd.look_up(simd.load(&tables.free), block), first);
        cell_pair(simd, tables, start, [first, second], simd.below(simd.splat(0), count))
    }

    /// For each block the movable digits that stand twice in their row or column.
    #[inline(always)]
    fn conflicts<S: Words16<V = V>>(&self, simd: S, tables: &LineTables) -> [V; SIDE] {
        let (mut bands, mut stacks) = ([simd.splat(0); 3], [simd.splat(0); 3]);
        for part in 0..3 {
            bands[part] = twice_in_any(simd, &self.rows, part);
            stacks[part] = twice_in_any(simd, &self.columns, part);
        }
        let mut conflicts = [simd.splat(0); SIDE];
        for block in 0..SIDE {
            let (band, stack) = (block / 3, block % 3);
            let movable = simd.splat(tables.movable[block]);
            conflicts[block] =
                simd.and_either(movable, field(simd, bands[band], stack), field(simd, stacks[stack], band));
        }
        conflicts
    }

    /// Where in its block the cell of this rank among those with a digit of the set stands, row by row.
    #[inline(always)]
    fn place_in_block<S: Words16<V = V>>(&self, simd: S, block: V, digits: V, rank: V) -> V {
        let band_of = simd.look_up(simd.load(&BAND_OF), block);
        let stack_of = simd.look_up(simd.load(&STACK_OF), block);
        let starts = simd.load(&[0, SIDE as u32, 2 * SIDE as u32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let rows = lines_of(simd, &self.rows, band_of, simd.look_up(starts, stack_of));
        let columns = lines_of(simd, &self.columns, stack_of, simd.look_up(starts, band_of));
        let one = simd.splat(1);
        let (mut passed, mut place) = (simd.splat(0), simd.splat(0));
        for row in rows {
            let wanted = simd.and(row, digits);
            for column in columns {
                passed = simd.add_in(passed, simd.any_bit(wanted, column), one);
                place = simd.add_in(place, simd.others(simd.below(rank, passed)), one);
            }
        }
        place
    }
}

/// The first bit of the field in which a line of this number crosses.
const FIELD_OF: [u32; WIDTH] = [0, 0, 0, 9, 9, 9, 18, 18, 18, 0, 0, 0, 0, 0, 0, 0];

/// Band and stack of each block.
const BAND_OF: [u32; WIDTH] = [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0];
const STACK_OF: [u32; WIDTH] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0];

/// The digit of a cell as a set, by its lines and where they cross each other.
#[inline(always)]
fn digit_at<S: Words16>(simd: S, row: S::V, column: S::V, stack: S::V, band: S::V) -> S::V {
    let digits = simd.and(simd.shift_right_by(row, stack), simd.shift_right_by(column, band));
    simd.and(digits, simd.splat(FIELD))
}

/// The digits that stand twice in their line, of the three lines of a band or a stack.
#[inline(always)]
fn twice_in_any<S: Words16>(simd: S, lines: &[S::V; SIDE], part: usize) -> S::V {
    let first = twice(simd, lines[3 * part]);
    simd.or3(first, twice(simd, lines[3 * part + 1]), twice(simd, lines[3 * part + 2]))
}

/// The digits of a line that stand in another of its fields too.
#[inline(always)]
fn twice<S: Words16>(simd: S, line: S::V) -> S::V {
    let others = simd.or3(simd.shift_left::<9>(line), simd.shift_right::<18>(line), simd.shift_left::<18>(line));
    simd.and_either(line, others, simd.shift_right::<9>(line))
}

/// A field of a line, with others above it.
#[inline(always)]
fn field<S: Words16>(simd: S, line: S::V, number: usize) -> S::V {
    match number {
        0 => line,
        1 => simd.shift_right::<9>(line),
        _ => simd.shift_right::<18>(line),
    }
}

/// The three lines of the band or stack that each lane names, shifted.
#[inline(always)]
fn lines_of<S: Words16>(simd: S, lines: &[S::V; SIDE], part: S::V, shift: S::V) -> [S::V; 3] {
    let (second, third) = (simd.equal(part, simd.splat(1)), simd.equal(part, simd.splat(2)));
    let mut own = [lines[0]; 3];
    for place in 0..3 {
        let line = simd.select(simd.select(lines[place], second, lines[3 + place]), third, lines[6 + place]);
        own[place] = simd.shift_right_by(line, shift);
    }
    own
}

/// The two lines of these numbers.
#[inline(always)]
fn pick_lines<S: Words16>(simd: S, lines: &[S::V; SIDE], numbers: [S::V; 2]) -> [S::V; 2] {
    let mut picked = [lines[0]; 2];
    for line in 1..SIDE {
        for place in 0..2 {
            let is_it = simd.equal(numbers[place], simd.splat(line as u32));
            picked[place] = simd.select(picked[place], is_it, lines[line]);
        }
    }
    picked
}

/// Exchanges these digits of the two lines of these numbers in the lanes of the set.
#[inline(always)]
fn exchange<S: Words16>(simd: S, lines: &mut [S::V; SIDE], numbers: [S::V; 2], lanes: S::Set, digits: S::V) {
    let one = simd.splat(1);
    let both = simd.or(simd.shift_left_by(one, numbers[0]), simd.shift_left_by(one, numbers[1]));
    let changed = simd.select(simd.splat(0), lanes, both);
    for line in 0..SIDE {
        let lanes = simd.any_bit(changed, simd.splat(1 << line));
        lines[line] = simd.xor_in(lines[line], lanes, digits);
    }
}

/// How many digits more are missing from two lines when these digits of theirs are exchanged; none in lanes where both lines
/// are one.
#[inline(always)]
fn more_missing<S: Words16>(simd: S, lines: [S::V; 2], (lanes, digits): (S::Set, S::V)) -> S::V {
    let was = simd.add(distinct(simd, lines[0]), distinct(simd, lines[1]));
    let first = distinct(simd, simd.xor_in(lines[0], lanes, digits));
    let second = distinct(simd, simd.xor_in(lines[1], lanes, digits));
    simd.sub(was, simd.add(first, second))
}

/// The distinct digits of a line.
#[inline(always)]
fn distinct<S: Words16>(simd: S, line: S::V) -> S::V {
    let digits = simd.or3(line, simd.shift_right::<9>(line), simd.shift_right::<18>(line));
    simd.count_bits(simd.and(digits, simd.splat(FIELD)))
}

/// The chains of a tile's even lanes, or of its odd ones.
#[inline(always)]
fn read<S: Words16>(simd: S, tile: &[Lanes], scores: &[Score; LANES], parity: usize) -> LineMasks<S::V> {
    let mut bits = [0; WIDTH];
    for place in 0..WIDTH {
        bits[place] = scores[2 * place + parity].bits();
    }
    let mut lines = LineMasks { rows: [simd.splat(0); SIDE], columns: [simd.splat(0); SIDE], scores: simd.load(&bits) };
    for row in 0..SIDE {
        for column in 0..SIDE {
            let digit = digits_of(simd, &tile[row * SIDE + column], parity);
            let bit = simd.shift_left_by(simd.splat(1), simd.sub(digit, simd.splat(1)));
            let across = simd.shift_left_by(bit, simd.splat(FIELD_OF[column]));
            lines.rows[row] = simd.or(lines.rows[row], across);
            let down = simd.shift_left_by(bit, simd.splat(FIELD_OF[row]));
            lines.columns[column] = simd.or(lines.columns[column], down);
        }
    }
    lines
}

#[inline(always)]
fn digits_of<S: Words16>(simd: S, lanes: &Lanes, parity: usize) -> S::V {
    let pairs = simd.load_pairs(&lanes.0);
    match parity {
        0 => simd.and(pairs, simd.splat(0xFF)),
        _ => simd.shift_right::<8>(pairs),
    }
}

/// Writes as many chains of a tile as there are scores as cells and scores, and the cells of the others as they were.
#[inline(always)]
fn write<S: Words16>(simd: S, chains: &[LineMasks<S::V>; 2], from: &[Lanes], to: &mut [Lanes], scores: &mut [Score]) {
    let used = scores.len();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let even = digit_of(simd, &chains[0], row, column);
            let odd = digit_of(simd, &chains[1], row, column);
            let cell = row * SIDE + column;
            to[cell].0 = simd.store_pairs(simd.or(even, simd.shift_left::<8>(odd)));
            if used < LANES {
                to[cell].0[used..].copy_from_slice(&from[cell].0[used..]);
            }
        }
    }
    let (even, odd) = (simd.store(chains[0].scores), simd.store(chains[1].scores));
    for (lane, score) in scores.iter_mut().enumerate() {
        *score = Score::from_bits(if lane % 2 == 0 { even[lane / 2] } else { odd[lane / 2] });
    }
}

/// The digits of a cell.
#[inline(always)]
fn digit_of<S: Words16>(simd: S, lines: &LineMasks<S::V>, row: usize, column: usize) -> S::V {
    let (stack, band) = (simd.splat(FIELD_OF[column]), simd.splat(FIELD_OF[row]));
    let bit = digit_at(simd, lines.rows[row], lines.columns[column], stack, band);
    // As many bits stand below it as the digit less one.
    simd.add(simd.count_bits(simd.sub(bit, simd.splat(1))), simd.splat(1))
}
