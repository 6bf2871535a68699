//! The moves of a tile's 32 lanes, in step: the same words, swaps and fills as lane by lane.
//!
//! Everything is a loop over the lanes, without a branch that depends on one of them, which a compiler turns into vector
//! instructions. What differs from lane to lane is chosen by comparison: item `j` of a shuffle, say, is found by asking
//! each item whether it is the one.

use super::{FreeUnits, Swap};
use std::hint::black_box;

use crate::population::rng::{BOUNDS_PER_WORD, Key, bounded};
use crate::population::{LANES, Lanes};
use crate::sudoku::MAX_SIDE;

/// A word, or what was made of one, for each lane.
pub(crate) type LaneWords = [u32; LANES];

/// A byte for each lane.
type Bytes = [u8; LANES];

/// A set of lanes: bit `k` for lane `k`.
pub(crate) type LaneSet = u32;

/// The lanes of the tile that begins at slot `first` whose slots are below `slot`.
#[inline(always)]
pub(crate) fn lanes_below(slot: usize, first: usize) -> LaneSet {
    match slot.saturating_sub(first) {
        lanes @ 0..LANES => (1 << lanes) - 1,
        _ => LaneSet::MAX,
    }
}

/// One swap per lane, as two places each in the bytes of a tile.
///
/// ```text
/// place = cell * LANES + lane
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swaps {
    first: [u16; LANES],
    second: [u16; LANES],
}

impl Swaps {
    /// No lane's candidate is changed.
    pub(crate) const NONE: Swaps = Swaps { first: [0; LANES], second: [0; LANES] };

    /// These swaps, lane by lane.
    #[inline(always)]
    pub(crate) fn new(swaps: &[Swap; LANES]) -> Swaps {
        let mut made = Swaps::NONE;
        for lane in 0..LANES {
            made.first[lane] = swaps[lane].first * LANES as u16 + lane as u16;
            made.second[lane] = swaps[lane].second * LANES as u16 + lane as u16;
        }
        made
    }

    /// Exchanges the two digits of these lanes' swaps. Applying it twice restores the original.
    ///
    /// # Panics
    /// If a swap names a cell that the tile does not have.
    #[inline(always)]
    pub(crate) fn apply(&self, tile: &mut [Lanes], lanes: LaneSet) {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(tile);
        let mut last = 0;
        for lane in 0..LANES {
            last = last.max(self.first[lane]).max(self.second[lane]);
        }
        assert!(usize::from(last) < bytes.len(), "a swap past the tile's {} bytes", bytes.len());
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (first, second) = (usize::from(self.first[lane % LANES]), usize::from(self.second[lane % LANES]));
            // SAFETY: no place is past the largest, which was compared with the length. A bound tested at each of the
            // 128 reads and writes would cost a quarter of an epoch's step.
            unsafe {
                let digit = *bytes.get_unchecked(first);
                *bytes.get_unchecked_mut(first) = *bytes.get_unchecked(second);
                *bytes.get_unchecked_mut(second) = digit;
            }
        }
    }
}

/// `bounded` in every lane: the integers, with the low halves left in `words`.
#[inline(always)]
fn bounded_lanes(words: &mut LaneWords, bounds: &LaneWords) -> LaneWords {
    let mut drawn = [0; LANES];
    for lane in 0..LANES {
        drawn[lane] = bounded(&mut words[lane], bounds[lane]);
    }
    drawn
}

impl FreeUnits {
    /// The swap that each lane's word picks: see [`FreeUnits::pick_swap`].
    #[inline(always)]
    pub(crate) fn pick_swaps(&self, mut words: LaneWords) -> Swaps {
        let units = bounded_lanes(&mut words, &[self.units() as u32; LANES]);
        let (mut starts, mut free, mut others) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let span = self.spans[units[lane] as usize];
            (starts[lane], free[lane]) = (u32::from(span.start), u32::from(span.free));
        }
        let first = bounded_lanes(&mut words, &free);
        for lane in 0..LANES {
            others[lane] = free[lane] - 1;
        }
        let on = bounded_lanes(&mut words, &others);
        let (mut firsts, mut seconds) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let on = first[lane] + 1 + on[lane];
            firsts[lane] = starts[lane] + first[lane];
            seconds[lane] = starts[lane] + if on < free[lane] { on } else { on - free[lane] };
        }
        let mut swaps = Swaps::NONE;
        for lane in 0..LANES {
            swaps.first[lane] = self.places[firsts[lane] as usize] + lane as u16;
            swaps.second[lane] = self.places[seconds[lane] as usize] + lane as u16;
        }
        swaps
    }

    /// Fills every unit of these lanes as [`FreeUnits::fill`] does, with the words of the slots from `first` on.
    ///
    /// # Panics
    /// If a unit has more free cells than [`MAX_SIDE`].
    #[inline(always)]
    pub(crate) fn fill_lanes(&self, tile: &mut [Lanes], lanes: LaneSet, key: Key, epoch: u32, first: u32) {
        let mut words = TileWords { key, epoch, first, draw: 0, block: [[0; LANES]; 4], used: 4 };
        let mut chosen = [0; LANES];
        for lane in 0..LANES {
            chosen[lane] = ((lanes >> lane & 1) as u8).wrapping_neg();
        }
        for unit in 0..self.units() {
            let range = self.range(unit);
            let mut items = [[0; LANES]; MAX_SIDE];
            let items = &mut items[..range.len()];
            for (item, digit) in items.iter_mut().zip(&self.digits[range.clone()]) {
                *item = [*digit; LANES];
            }
            shuffle_lanes(items, &mut words);
            for (cell, item) in self.cells[range].iter().zip(items) {
                let digits = &mut tile[usize::from(*cell)].0;
                *digits = select(&chosen, item, digits);
            }
        }
    }
}

/// The words of a tile's slots, one after another: those of [`Words`](crate::population::rng::Words) for each lane.
struct TileWords {
    key: Key,
    epoch: u32,
    first: u32,
    draw: u32,
    block: [LaneWords; 4],
    used: usize,
}

impl TileWords {
    #[inline(always)]
    fn next_words(&mut self) -> LaneWords {
        if self.used == 4 {
            // Half of the lanes at a time: the words of all would not stay in registers.
            const HALF: usize = LANES / 2;
            for half in 0..2 {
                let first = self.first.wrapping_add((half * HALF) as u32);
                let words = self.key.words_of_lanes::<HALF>(self.epoch, first, self.draw);
                for (all, half_words) in self.block.iter_mut().zip(words) {
                    all[half * HALF..][..HALF].copy_from_slice(&half_words);
                }
            }
            (self.draw, self.used) = (self.draw + 1, 0);
        }
        self.used += 1;
        self.block[self.used - 1]
    }
}

/// [`shuffle`](crate::population::rng::shuffle) of each lane's items.
#[inline(always)]
fn shuffle_lanes(items: &mut [Bytes], words: &mut TileWords) {
    match items.len() {
        0 | 1 => {}
        2 => shuffle_few::<2>(items, words),
        3 => shuffle_few::<3>(items, words),
        4 => shuffle_few::<4>(items, words),
        5 => shuffle_few::<5>(items, words),
        6 => shuffle_few::<6>(items, words),
        7 => shuffle_few::<7>(items, words),
        8 => shuffle_few::<8>(items, words),
        9 => shuffle_few::<9>(items, words),
        _ => shuffle_many(items, words),
    }
}

/// The shuffle of `N` items, at most nine, which takes one word: no loop is left of it, and items stay in registers.
#[inline(always)]
fn shuffle_few<const N: usize>(items: &mut [Bytes], words: &mut TileWords) {
    let mut few = [[0; LANES]; N];
    few.copy_from_slice(items);
    let mut word = words.next_words();
    let mut draws = [[0; LANES]; 8];
    draw::<N, 9>(&mut draws, &mut word);
    draw::<N, 8>(&mut draws, &mut word);
    draw::<N, 7>(&mut draws, &mut word);
    draw::<N, 6>(&mut draws, &mut word);
    draw::<N, 5>(&mut draws, &mut word);
    draw::<N, 4>(&mut draws, &mut word);
    draw::<N, 3>(&mut draws, &mut word);
    draw::<N, 2>(&mut draws, &mut word);
    // Else LLVM compares not these bytes but the words that they are made of, a few at a time.
    let draws = black_box(draws);
    for k in (1..N).rev() {
        exchange(&mut few, k, &draws[k - 1]);
    }
    items.copy_from_slice(&few);
}

/// Draws for each lane one of the first `BOUND` items, if there are as many: [`bounded`] with products of 32 bits.
#[inline(always)]
fn draw<const N: usize, const BOUND: u32>(draws: &mut [Bytes; 8], word: &mut LaneWords) {
    if BOUND as usize <= N {
        for lane in 0..LANES {
            let (high, low) = (word[lane] >> 16, word[lane] & 0xFFFF);
            draws[BOUND as usize - 2][lane] = ((high * BOUND + ((low * BOUND) >> 16)) >> 16) as u8;
            word[lane] = word[lane].wrapping_mul(BOUND);
        }
    }
}

/// The shuffle of any number of items.
#[inline(always)]
fn shuffle_many(items: &mut [Bytes], words: &mut TileWords) {
    let (mut word, mut served) = ([0; LANES], BOUNDS_PER_WORD);
    for k in (1..items.len()).rev() {
        if served * (k + 1) > BOUNDS_PER_WORD {
            (word, served) = (words.next_words(), 1);
        }
        served *= k + 1;
        let mut chosen = [0; LANES];
        for lane in 0..LANES {
            chosen[lane] = bounded(&mut word[lane], k as u32 + 1) as u8;
        }
        exchange(items, k, &chosen);
    }
}

/// Exchanges item `k` of each lane with the item that the lane has chosen, which is not past `k`.
#[inline(always)]
fn exchange(items: &mut [Bytes], k: usize, chosen: &Bytes) {
    let old = items[k];
    let mut new = old;
    for index in 0..k {
        let is_it = equal(chosen, index as u8);
        let other = items[index];
        new = select(&is_it, &other, &new);
        items[index] = select(&is_it, &old, &other);
    }
    items[k] = new;
}

/// 255 in lanes that hold `byte`, 0 in others.
#[inline(always)]
fn equal(bytes: &Bytes, byte: u8) -> Bytes {
    let mut equal = [0; LANES];
    for lane in 0..LANES {
        equal[lane] = u8::from(bytes[lane] == byte).wrapping_neg();
    }
    equal
}

/// The first where the mask is 255, the second where it is 0.
#[inline(always)]
fn select(mask: &Bytes, first: &Bytes, second: &Bytes) -> Bytes {
    let mut selected = [0; LANES];
    for lane in 0..LANES {
        selected[lane] = second[lane] ^ (first[lane] ^ second[lane]) & mask[lane];
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Population;
    use crate::population::rng::{Stream, Words};
    use crate::sudoku::{Grid, Puzzle, Shape};

    /// Units with none, one, two and more free cells.
    fn units() -> Vec<FreeUnits> {
        [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)]
            .into_iter()
            .flat_map(|(rows, columns)| {
                let shape = Shape::new(rows, columns).unwrap();
                let empty = Puzzle::new(Grid::empty(shape)).unwrap();
                [FreeUnits::blocks(&empty), FreeUnits::rows(&empty), FreeUnits::blocks(&staircase(shape))]
            })
            .collect()
    }

    /// A puzzle whose blocks have no free cell, one, two and so on.
    fn staircase(shape: Shape) -> Puzzle {
        let (height, width) = (shape.block_rows(), shape.block_columns());
        let mut grid = Grid::empty(shape);
        for block in 0..shape.side() {
            for cell in shape.block_cells(block).skip(block) {
                let (row, column) = (shape.row(cell), shape.column(cell));
                grid.set(cell, ((row % height * width + row / height + column) % shape.side() + 1) as u8);
            }
        }
        Puzzle::new(grid).unwrap()
    }

    fn key() -> Key {
        Key::new(5, 2, Stream::Fill)
    }

    #[test]
    fn lanes_pick_and_swap_as_each_alone() {
        for units in units() {
            let shape = units.puzzle().shape();
            let mut words = [0; LANES];
            for epoch in 0..200 {
                (0..LANES).for_each(|lane| words[lane] = key().words(epoch, lane as u32, 0)[0]);
                let mut tile = Population::new(shape, LANES);
                units.fill_lanes(tile.lanes_mut(), u32::MAX, key(), epoch, 0);
                let (mut expected, lanes) = (tile.clone(), words[0]);
                for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
                    units.pick_swap(words[lane]).apply(expected.lanes_mut(), lane);
                }
                units.pick_swaps(words).apply(tile.lanes_mut(), lanes);
                assert_eq!(tile, expected, "{shape}");
            }
        }
    }

    #[test]
    fn lanes_are_filled_as_each_alone_and_only_those_asked_for() {
        for units in units() {
            let shape = units.puzzle().shape();
            for (first, lanes) in [(0, u32::MAX), (96, 0x8000_0001), (64, 0), (u32::MAX - 15, 0xFF00_FF00)] {
                let mut tile = Population::copies(units.puzzle().givens(), LANES);
                let mut expected = tile.clone();
                units.fill_lanes(tile.lanes_mut(), lanes, key(), 9, first);
                for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
                    let slot = first.wrapping_add(lane as u32);
                    units.fill(expected.lanes_mut(), lane, &mut Words::new(key(), 9, slot));
                }
                assert_eq!(tile, expected, "{shape} from slot {first}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a swap past the tile's 2592 bytes")]
    fn a_swap_past_the_tile_is_refused() {
        let mut swaps = [Swap::default(); LANES];
        swaps[7].second = 81;
        Swaps::new(&swaps).apply(Population::new(Shape::NINE, LANES).lanes_mut(), 1);
    }
}
