//! 9x9 grids as the masks of their lines, 16 of them in registers, and the swaps of a step on them.
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
//! Eighteen words of a grid are its whole state, so 16 grids lie in 18 registers of 512 bits, and several epochs of them
//! touch memory for no more than random words and sums: see `strides` for an annealing and `line_swarm` for a swarm.
//!
//! The same words give the same swaps, scores and decisions as on cells. A block is a permutation, so that a digit in
//! conflict is one cell in conflict: the cells in conflict of a block are counted as bits of the union of its rows' and
//! columns' conflicts.

use crate::fitness::Score;
use crate::population::moves::FreeUnits;
use crate::population::vector::{WIDTH, Words16};
use crate::population::{LANES, Lanes};
use crate::search::trajectory::Sums;
use crate::sudoku::{Grid, Shape};

/// The most tiles whose best is found at once: a slot has 17 bits in the word that decides.
pub(super) const MOST_TILES: usize = (1 << SLOT_BITS) / LANES;

const SLOT_BITS: u32 = 17;

/// Bits for what the rows of a 9x9 grid miss: at most 72.
const ROWS_BITS: u32 = 7;

const SIDE: usize = 9;
pub(super) const CELLS: usize = SIDE * SIDE;
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

/// Individuals by a word whose minimum is the best of them, or the worst, and of several the lowest slot.
pub(super) const NO_KEY: u32 = u32::MAX;

/// Total, slot and score of the individual with this key in a part that begins at slot `first`; none of [`NO_KEY`].
pub(super) fn best_of_key(key: u32, first: usize) -> Option<(u32, usize, Score)> {
    let (total, rows) = (key >> (SLOT_BITS + ROWS_BITS), key & ((1 << ROWS_BITS) - 1));
    (key != NO_KEY).then(|| (total, first + slot_of_key(key), Score::new(rows, total - rows, 0)))
}

/// Total and slot of the individual with this key of the worst.
pub(super) fn worst_of_key(key: u32, first: usize) -> Option<(u32, usize)> {
    (key != NO_KEY).then(|| (MOST_TOTAL - (key >> (SLOT_BITS + ROWS_BITS)), first + slot_of_key(key)))
}

fn slot_of_key(key: u32) -> usize {
    (key >> ROWS_BITS & ((1 << SLOT_BITS) - 1)) as usize
}

/// No total is higher.
const MOST_TOTAL: u32 = (1 << (u32::BITS - SLOT_BITS - ROWS_BITS)) - 1;

/// What is known of the places of 16 grids: which are individuals, and what their slots put into sums and keys.
pub(super) struct Places<S: Words16> {
    pub(super) used: S::Set,
    sums: [S::V; 2],
    slots: S::V,
}

const EVEN_LANES: [u32; WIDTH] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];

/// The places of a half tile, of even lanes (parity 0) or odd ones, whose slots are below `end`, where the tile begins at `slot`.
#[inline(always)]
pub(super) fn places_below<S: Words16>(simd: S, slot: usize, parity: usize, end: usize) -> S::Set {
    simd.first_places((end.saturating_sub(slot).min(LANES) + 1 - parity) / 2)
}

impl<S: Words16> Places<S> {
    /// The even or the odd lanes of a tile, which is the `tile`th of its part and begins at `slot`.
    #[inline(always)]
    pub(super) fn new(simd: S, tile: usize, slot: usize, parity: usize, population: usize) -> Places<S> {
        let lanes = simd.add(simd.load(&EVEN_LANES), simd.splat(parity as u32));
        let slots = simd.add(lanes, simd.splat(slot as u32));
        let in_part = simd.add(lanes, simd.splat((tile * LANES) as u32));
        let [first, second] = Sums::SLOT_KEYS;
        Places {
            used: places_below(simd, slot, parity, population),
            sums: [simd.mul(slots, simd.splat(first)), simd.mul(slots, simd.splat(second))],
            slots: simd.shift_left::<ROWS_BITS>(in_part),
        }
    }

    /// Adds these scores of proposals to the sums of an epoch.
    #[inline(always)]
    pub(super) fn add_up(&self, simd: S, sums: &mut [[u32; WIDTH]; 2], scores: S::V) {
        for sum in 0..2 {
            let product = simd.mul(simd.xor(self.sums[sum], scores), simd.splat(Sums::WORD_KEYS[sum]));
            let term = simd.xor(product, simd.shift_right::<15>(product));
            sums[sum] = simd.store(simd.add_in(simd.load(&sums[sum]), self.used, term));
        }
    }

    /// The keys of individuals with these scores, for the best of them.
    #[inline(always)]
    pub(super) fn best_keys(&self, simd: S, scores: S::V) -> S::V {
        let rows = simd.and(scores, simd.splat((1 << SCORE_BITS) - 1));
        simd.or3(simd.shift_left::<{ SLOT_BITS + ROWS_BITS }>(total(simd, scores)), self.slots, rows)
    }

    /// The keys of individuals with these scores, for the worst of them.
    #[inline(always)]
    pub(super) fn worst_keys(&self, simd: S, scores: S::V) -> S::V {
        let below = simd.sub(simd.splat(MOST_TOTAL), total(simd, scores));
        simd.or(simd.shift_left::<{ SLOT_BITS + ROWS_BITS }>(below), self.slots)
    }
}

/// The total of each score.
#[inline(always)]
fn total<S: Words16>(simd: S, scores: S::V) -> S::V {
    let rows = simd.and(scores, simd.splat((1 << SCORE_BITS) - 1));
    simd.add(rows, simd.shift_right::<SCORE_BITS>(scores))
}

/// Two cells of one block, in each lane: their rows and columns.
#[derive(Clone, Copy)]
pub(super) struct CellPair<V> {
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

/// The swap that each word picks: see [`FreeUnits::pick_swap`]. A cell with itself outside the set.
#[inline(always)]
pub(super) fn any_swap<S: Words16>(simd: S, tables: &LineTables, mut words: S::V, set: S::Set) -> CellPair<S::V> {
    let block = simd.bounded(&mut words, simd.load(&tables.blocks));
    let start = simd.look_up(simd.load(&tables.starts), block);
    let free = simd.look_up(simd.load(&tables.free), block);
    let first = simd.bounded(&mut words, free);
    let second = partner(simd, &mut words, free, first);
    cell_pair(simd, tables, start, [first, second], set)
}

/// One of the other free cells of a block, counted on from the first and around.
#[inline(always)]
fn partner<S: Words16>(simd: S, words: &mut S::V, free: S::V, first: S::V) -> S::V {
    let one = simd.splat(1);
    let on = simd.add(simd.add(first, one), simd.bounded(words, simd.sub(free, one)));
    simd.select(simd.sub(on, free), simd.below(on, free), on)
}

/// Grids as masks: 16 where `V` is a vector, one where it is a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineMasks<V> {
    rows: [V; SIDE],
    columns: [V; SIDE],
    /// What rows miss, and from bit [`SCORE_BITS`] on what columns miss.
    pub(super) scores: V,
}

/// Grids with two cells exchanged, and what that changes.
pub(super) struct Proposal<S: Words16> {
    pair: CellPair<S::V>,
    /// Where the cells are in two rows, and the digits by which these then differ; the same for columns.
    across: (S::Set, S::V),
    down: (S::Set, S::V),
    pub(super) scores: S::V,
    /// How much higher their totals are, with a sign.
    pub(super) more: S::V,
}

impl<V: Copy> LineMasks<V> {
    /// The swap of these cells.
    #[inline(always)]
    pub(super) fn propose<S: Words16<V = V>>(&self, simd: S, pair: CellPair<V>) -> Proposal<S> {
        let CellPair { rows, columns } = pair;
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
        let scores = simd.add(self.scores, more);
        Proposal { pair, across, down, scores, more: simd.add(missing_rows, missing_columns) }
    }

    /// Becomes the proposal in the lanes of the set.
    #[inline(always)]
    pub(super) fn accept<S: Words16<V = V>>(&mut self, simd: S, proposal: &Proposal<S>, set: S::Set) {
        let Proposal { pair, across, down, scores, .. } = proposal;
        self.scores = simd.select(self.scores, set, *scores);
        exchange(simd, &mut self.rows, pair.rows, simd.both(set, across.0), across.1);
        exchange(simd, &mut self.columns, pair.columns, simd.both(set, down.0), down.1);
    }

    /// Becomes the other grid in the lanes of the set.
    #[inline(always)]
    pub(super) fn replace<S: Words16<V = V>>(&mut self, simd: S, set: S::Set, other: &LineMasks<V>) {
        for line in 0..SIDE {
            self.rows[line] = simd.select(self.rows[line], set, other.rows[line]);
            self.columns[line] = simd.select(self.columns[line], set, other.columns[line]);
        }
        self.scores = simd.select(self.scores, set, other.scores);
    }

    /// Counts the scores anew.
    #[inline(always)]
    pub(super) fn score<S: Words16<V = V>>(&mut self, simd: S) {
        let mut distinct_digits = [simd.splat(0); 2];
        for line in 0..SIDE {
            distinct_digits[0] = simd.add(distinct_digits[0], distinct(simd, self.rows[line]));
            distinct_digits[1] = simd.add(distinct_digits[1], distinct(simd, self.columns[line]));
        }
        let all = simd.splat(CELLS as u32);
        let (rows, columns) = (simd.sub(all, distinct_digits[0]), simd.sub(all, distinct_digits[1]));
        self.scores = simd.add(rows, simd.shift_left::<SCORE_BITS>(columns));
    }

    /// Writes them to memory.
    #[inline(always)]
    pub(super) fn store<S: Words16<V = V>>(&self, simd: S, words: &mut [[u32; WIDTH]; LINE_WORDS]) {
        for line in 0..SIDE {
            words[line] = simd.store(self.rows[line]);
            words[SIDE + line] = simd.store(self.columns[line]);
        }
        words[2 * SIDE] = simd.store(self.scores);
    }

    /// The swap that each word picks: a movable cell in conflict, in the order of blocks and cells, with another free cell
    /// of its block; see [`ConflictSwaps`](super::conflicts::ConflictSwaps). A cell with itself where there is none.
    #[inline(always)]
    pub(super) fn swap_at_conflict<S: Words16<V = V>>(
        &self,
        simd: S,
        tables: &LineTables,
        mut words: V,
    ) -> CellPair<V> {
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

/// The words of a grid in memory: its rows, its columns, its score.
pub(super) const LINE_WORDS: usize = 2 * SIDE + 1;

/// Reads 16 grids from memory.
#[inline(always)]
pub(super) fn load<S: Words16>(simd: S, words: &[[u32; WIDTH]; LINE_WORDS]) -> LineMasks<S::V> {
    let mut lines = empty(simd);
    for line in 0..SIDE {
        lines.rows[line] = simd.load(&words[line]);
        lines.columns[line] = simd.load(&words[SIDE + line]);
    }
    lines.scores = simd.load(&words[2 * SIDE]);
    lines
}

/// Grids without a digit, which have no score.
#[inline(always)]
pub(super) fn empty<S: Words16>(simd: S) -> LineMasks<S::V> {
    LineMasks { rows: [simd.splat(0); SIDE], columns: [simd.splat(0); SIDE], scores: simd.splat(0) }
}

impl LineMasks<u32> {
    /// The grid at one place in memory.
    pub(super) fn at(words: &[[u32; WIDTH]; LINE_WORDS], place: usize) -> LineMasks<u32> {
        LineMasks {
            rows: std::array::from_fn(|line| words[line][place]),
            columns: std::array::from_fn(|line| words[SIDE + line][place]),
            scores: words[2 * SIDE][place],
        }
    }

    /// The same grid at every place.
    #[inline(always)]
    pub(super) fn splat<S: Words16>(&self, simd: S) -> LineMasks<S::V> {
        let mut lines = LineMasks { scores: simd.splat(self.scores), ..empty(simd) };
        for line in 0..SIDE {
            lines.rows[line] = simd.splat(self.rows[line]);
            lines.columns[line] = simd.splat(self.columns[line]);
        }
        lines
    }

    /// A grid whose blocks are permutations, without its score.
    pub(super) fn of(grid: &Grid) -> LineMasks<u32> {
        let mut lines = LineMasks { rows: [0; SIDE], columns: [0; SIDE], scores: 0 };
        for (cell, digit) in grid.cells().iter().enumerate() {
            let (row, column) = (cell / SIDE, cell % SIDE);
            let bit = 1 << (digit - 1);
            lines.rows[row] |= bit << FIELD_OF[column];
            lines.columns[column] |= bit << FIELD_OF[row];
        }
        lines
    }

    /// The grid.
    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::empty(Shape::NINE);
        for cell in 0..CELLS {
            let (row, column) = (cell / SIDE, cell % SIDE);
            let bit = self.rows[row] >> FIELD_OF[column] & self.columns[column] >> FIELD_OF[row] & FIELD;
            grid.set(cell, bit.trailing_zeros() as u8 + 1);
        }
        grid
    }

    /// The child of two grids, without its score: each block from this one or, where bit `block` of `choice` is set, from
    /// the other.
    pub(super) fn merge(&self, other: &LineMasks<u32>, choice: u32) -> LineMasks<u32> {
        let chosen = |block: usize| choice >> block & 1;
        let mut child = *self;
        for line in 0..SIDE {
            for field in 0..3 {
                let digits = FIELD << (SIDE * field);
                if chosen(line / 3 * 3 + field) == 1 {
                    child.rows[line] = child.rows[line] & !digits | other.rows[line] & digits;
                }
                if chosen(field * 3 + line / 3) == 1 {
                    child.columns[line] = child.columns[line] & !digits | other.columns[line] & digits;
                }
            }
        }
        child
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

/// The grids of a tile's even lanes, or of its odd ones.
#[inline(always)]
pub(super) fn read<S: Words16>(simd: S, tile: &[Lanes], scores: &[Score; LANES], parity: usize) -> LineMasks<S::V> {
    let mut bits = [0; WIDTH];
    for place in 0..WIDTH {
        bits[place] = scores[2 * place + parity].bits();
    }
    let mut lines = LineMasks { scores: simd.load(&bits), ..empty(simd) };
    for row in 0..SIDE {
        let mut across = simd.splat(0);
        for column in 0..SIDE {
            let digit = digits_of(simd, &tile[row * SIDE + column], parity);
            let bit = simd.shift_left_by(simd.splat(1), simd.sub(digit, simd.splat(1)));
            across = simd.or(across, simd.shift_left_by(bit, simd.splat(FIELD_OF[column])));
            let down = simd.shift_left_by(bit, simd.splat(FIELD_OF[row]));
            lines.columns[column] = simd.or(lines.columns[column], down);
        }
        lines.rows[row] = across;
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

/// Writes as many grids of a tile as there are scores as cells and scores; what the other lanes hold stays.
#[inline(always)]
pub(super) fn write<S: Words16>(simd: S, grids: &[LineMasks<S::V>; 2], tile: &mut [Lanes], scores: &mut [Score]) {
    let used = scores.len();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let even = digit_of(simd, &grids[0], row, column);
            let odd = digit_of(simd, &grids[1], row, column);
            let digits = simd.store_pairs(simd.or(even, simd.shift_left::<8>(odd)));
            let lanes = &mut tile[row * SIDE + column].0;
            match used {
                LANES => *lanes = digits,
                _ => lanes[..used].copy_from_slice(&digits[..used]),
            }
        }
    }
    let (even, odd) = (simd.store(grids[0].scores), simd.store(grids[1].scores));
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
