//! Scoring a tile with what every machine has: plain loops over arrays of 32 bytes, which a compiler turns into the
//! vector instructions it knows of (SSE2, NEON, SIMD128) without being asked.
//!
//! Digits are handled in planes of eight, a byte a lane, as in `x86.rs`; for want of a table look-up each bit is
//! shifted to its place:
//!
//! ```text
//!               lane 0      lane 1      lane 2            lane 31
//! digits     [    3     |     8     |     0     | . . . |    9     ]   one cell of the tile
//! bits       [ 00000100 | 10000000  | 00000000  | . . . | 00000000 ]   its plane of digits 1..=8
//! ```
//!
//! A digit that would have a plane to itself (9, 17, 25) is the largest there is: the maximum over a unit finds it.

use super::{Blocks, Fixed};
use crate::fitness::Score;
use crate::population::prefetch::Source;
use crate::population::{LANES, Lanes};
use crate::sudoku::{MAX_SIDE, Shape};

/// Digits in a plane: the bits of a byte.
const PLANE: usize = 8;

/// A byte a lane: the digits of a cell, the bits of a unit, or counts.
type Bytes = [u8; LANES];

/// Scores one tile, which holds `shape.cells()` lanes.
pub(super) fn score_tile(shape: Shape, tile: &[Lanes], scores: &mut [Score; LANES], source: impl Source) {
    (0..tile.len()).for_each(|cell| source.ask_ahead(tile, cell));
    match (shape.block_rows(), shape.block_columns()) {
        (3, 3) => score(Fixed::<3, 3>, tile, scores),
        _ => score(shape, tile, scores),
    }
}

#[inline(always)]
fn score<B: Blocks>(blocks: B, tile: &[Lanes], scores: &mut [Score; LANES]) {
    let side = blocks.side();
    let all = (side * side) as u32;
    let mut missing = [Score::new(all, all, all).bits(); LANES];
    for below in (0..side - 1).step_by(PLANE) {
        let last = below as u8 + 1;
        let one_hot = |digit: u8| match digit.wrapping_sub(last) {
            place @ 0..8 => 1 << place,
            _ => 0,
        };
        take(&mut missing, &count_units(blocks, tile, one_hot, |a, b| a | b, |bits| bits.count_ones() as u8));
    }
    if side % PLANE == 1 {
        let top = side as u8;
        take(&mut missing, &count_units(blocks, tile, |digit| digit, u8::max, |largest| u8::from(largest == top)));
    }
    *scores = missing.map(Score::from_bits);
}

/// Distinct digits summed over each family of units. A plane has at most 8 in each of 25 units: a byte holds 200.
#[derive(Default)]
struct Distinct {
    rows: Bytes,
    columns: Bytes,
    blocks: Bytes,
}

/// Takes the digits found from the packed sums of those missing.
#[inline(always)]
fn take(missing: &mut [u32; LANES], found: &Distinct) {
    for (lane, missing) in missing.iter_mut().enumerate() {
        let found = Score::new(found.rows[lane].into(), found.columns[lane].into(), found.blocks[lane].into());
        *missing = missing.wrapping_sub(found.bits());
    }
}

/// Joins what `of` makes of each digit over every unit, and sums what `count` makes of each unit, family by family.
/// 0 must be neutral to `join`.
#[inline(always)]
fn count_units<B: Blocks>(
    blocks: B,
    tile: &[Lanes],
    of: impl Fn(u8) -> u8 + Copy,
    join: impl Fn(u8, u8) -> u8 + Copy,
    count: impl Fn(u8) -> u8 + Copy,
) -> Distinct {
    let (height, width, side) = (blocks.rows(), blocks.columns(), blocks.side());
    let join = |into: &mut Bytes, bytes: &Bytes| zip(into, bytes, join);
    let add = |sum: &mut Bytes, unit: &Bytes| zip(sum, unit, |sum, unit| sum + count(unit));
    let mut sums = Distinct::default();
    let mut columns = [[0; LANES]; MAX_SIDE];
    for band in tile[..side * side].chunks_exact(height * side) {
        let mut band_blocks = [[0; LANES]; MAX_SIDE];
        let band_blocks = &mut band_blocks[..height];
        for row in band.chunks_exact(side) {
            let mut whole = [0; LANES];
            for (stack, block) in band_blocks.iter_mut().enumerate() {
                let mut part = [0; LANES];
                for column in stack * width..(stack + 1) * width {
                    let cell = row[column].0.map(of);
                    join(&mut columns[column], &cell);
                    join(&mut part, &cell);
                }
                join(&mut whole, &part);
                join(block, &part);
            }
            add(&mut sums.rows, &whole);
        }
        band_blocks.iter().for_each(|block| add(&mut sums.blocks, block));
    }
    columns[..side].iter().for_each(|column| add(&mut sums.columns, column));
    sums
}

/// `into = f(into, bytes)` in every lane.
#[inline(always)]
fn zip(into: &mut Bytes, bytes: &Bytes, f: impl Fn(u8, u8) -> u8) {
    for (into, byte) in into.iter_mut().zip(bytes) {
        *into = f(*into, *byte);
    }
}
