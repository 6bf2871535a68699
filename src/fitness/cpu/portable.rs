//! Scoring a tile with what every machine has: plain loops over arrays of 32 lanes, which a compiler turns into the
//! vector instructions it knows of (SSE2, NEON, SIMD128) without being asked.
//!
//! ```text
//!               lane 0          lane 1                 lane 31
//! digits     [ 3             | 0             | . . . | 9               ]   32 bytes
//! bits       [ 0000000000001000 | 0000000000000001 | . . . | 0000001000000000 ]   32 masks, digit d is bit d
//! ```
//!
//! Bit 0 gathers the empty cells and is left out of the count. Masks have 16 bits where the side allows it, else 32.

use super::{Blocks, Fixed};
use crate::fitness::Score;
use crate::population::{LANES, Lanes};
use crate::shape::{MAX_SIDE, Shape};

/// The largest side whose digits and empty bit fit 16 bits.
const MAX_SIDE_OF_16_BITS: usize = 15;

/// Scores one tile, which holds `shape.cells()` lanes.
pub(super) fn score_tile(shape: Shape, tile: &[Lanes], scores: &mut [Score; LANES]) {
    match (shape.block_rows(), shape.block_columns()) {
        (3, 3) => score::<u16, _>(Fixed::<3, 3>, tile, scores),
        _ if shape.side() <= MAX_SIDE_OF_16_BITS => score::<u16, _>(shape, tile, scores),
        _ => score::<u32, _>(shape, tile, scores),
    }
}

/// A set of digits in the bits of an integer.
trait Mask: Copy {
    const EMPTY: Self;

    /// The mask of this digit alone. One past the mask's bits gives some other mask.
    fn of(digit: u8) -> Self;

    /// The digits in either.
    fn join(self, other: Self) -> Self;

    /// The number of digits of `1..=side` in it.
    fn distinct(self, side: usize) -> u16;
}

macro_rules! mask {
    ($integer:ty) => {
        impl Mask for $integer {
            const EMPTY: Self = 0;

            #[inline(always)]
            fn of(digit: u8) -> Self {
                <$integer>::wrapping_shl(1, digit.into())
            }

            #[inline(always)]
            fn join(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn distinct(self, side: usize) -> u16 {
                let digits = (((1 as $integer) << side) - 1) << 1;
                (self & digits).count_ones() as u16
            }
        }
    };
}

mask!(u16);
mask!(u32);

/// One mask a lane.
type Masks<M> = [M; LANES];

/// One sum a lane.
type Sums = [u16; LANES];

#[inline(always)]
fn score<M: Mask, B: Blocks>(blocks: B, tile: &[Lanes], scores: &mut [Score; LANES]) {
    let (height, width, side) = (blocks.rows(), blocks.columns(), blocks.side());
    let (mut row_sums, mut column_sums, mut block_sums) = ([0; LANES], [0; LANES], [0; LANES]);
    let mut columns = [[M::EMPTY; LANES]; MAX_SIDE];
    for band in tile.chunks_exact(height * side) {
        let mut band_blocks = [[M::EMPTY; LANES]; MAX_SIDE];
        for row in band.chunks_exact(side) {
            let mut whole = [M::EMPTY; LANES];
            let parts = row.chunks_exact(width).zip(columns.chunks_exact_mut(width));
            for ((part, columns), block) in parts.zip(&mut band_blocks) {
                let part = join_part(part, columns);
                join(&mut whole, &part);
                join(block, &part);
            }
            count(&mut row_sums, &whole, side);
        }
        band_blocks[..side / width].iter().for_each(|block| count(&mut block_sums, block, side));
    }
    columns[..side].iter().for_each(|column| count(&mut column_sums, column, side));
    for lane in 0..LANES {
        let missing = |sums: &Sums| (side * side) as u32 - u32::from(sums[lane]);
        scores[lane] = Score::new(missing(&row_sums), missing(&column_sums), missing(&block_sums));
    }
}

/// The cells of one row of one block joined, each joined to its column as well.
#[inline(always)]
fn join_part<M: Mask>(cells: &[Lanes], columns: &mut [Masks<M>]) -> Masks<M> {
    let mut part = [M::EMPTY; LANES];
    for (digits, column) in cells.iter().zip(columns) {
        let cell = digits.0.map(M::of);
        join(column, &cell);
        join(&mut part, &cell);
    }
    part
}

#[inline(always)]
fn join<M: Mask>(into: &mut Masks<M>, masks: &Masks<M>) {
    for (into, mask) in into.iter_mut().zip(masks) {
        *into = into.join(*mask);
    }
}

/// Adds each lane's distinct digits to its sum.
#[inline(always)]
fn count<M: Mask>(sums: &mut Sums, unit: &Masks<M>, side: usize) {
    for (sum, mask) in sums.iter_mut().zip(unit) {
        *sum += mask.distinct(side);
    }
}
