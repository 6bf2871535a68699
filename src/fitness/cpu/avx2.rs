//! Scoring a tile with AVX2: 32 candidates in the 32 bytes of a register, one table look-up a cell.
//!
//! A byte has room for the bits of eight digits, so digits are handled in *planes* of eight. `vpshufb` looks 32 digits
//! up at once in a table of 16 bytes; digits of another plane find 0 there, and so does an empty cell:
//!
//! ```text
//!               lane 0      lane 1      lane 2            lane 31
//! digits     [    3     |     8     |     0     | . . . |    9     ]   one cell of the tile
//! bits       [ 00000100 | 10000000  | 00000000  | . . . | 00000000 ]   its plane of digits 1..=8
//! ```
//!
//! ORed over a unit, a plane's bits are the digits present. A side of 9, 17 or 25 would need a plane for its last digit
//! alone. That digit is the largest there is, so the *maximum* over a unit tells whether it is present, for what an OR
//! costs and without a look-up.
//!
//! A plane counts at most 8 digits in each of 25 units, 200 in a family: sums within a plane stay in bytes, sums over
//! planes (up to 625) are made in the 10-bit fields of the packed scores.

use std::arch::x86_64::*;

use super::{Blocks, Fixed};
use crate::fitness::Score;
use crate::population::{LANES, Lanes};
use crate::shape::{MAX_SIDE, Shape};

/// Digits in a plane: the bits of a byte.
const PLANE: usize = 8;

/// Proof that this machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if the machine gives it.
    pub(super) fn detect() -> Option<Avx2> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// Scores one tile, which holds `shape.cells()` lanes.
    pub(super) fn score_tile(self, shape: Shape, tile: &[Lanes], scores: &mut [Score; LANES]) {
        // SAFETY: `self` was made by `detect` alone, after it had found AVX2; the function is unsafe for no other reason.
        unsafe { dispatch(shape, tile, scores) }
    }
}

/// Takes the usual shapes to code compiled for them.
#[target_feature(enable = "avx2")]
fn dispatch(shape: Shape, tile: &[Lanes], scores: &mut [Score; LANES]) {
    match (shape.block_rows(), shape.block_columns()) {
        (3, 3) => score_tile(Fixed::<3, 3>, tile, scores),
        (4, 4) => score_tile(Fixed::<4, 4>, tile, scores),
        (5, 5) => score_tile(Fixed::<5, 5>, tile, scores),
        _ => score_tile(shape, tile, scores),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn score_tile<B: Blocks>(blocks: B, tile: &[Lanes], scores: &mut [Score; LANES]) {
    let side = blocks.side();
    let mut distinct = Distinct::none();
    let mut missing = [Score::new((side * side) as u32, (side * side) as u32, (side * side) as u32).bits(); LANES];
    for plane in 0..(side - 1).div_ceil(PLANE) {
        distinct = count_plane(blocks, plane, tile);
        if side > PLANE + 1 {
            distinct.take_from(&mut missing);
            distinct = Distinct::none();
        }
    }
    if side % PLANE == 1 {
        distinct = distinct.and(count_top_digit(blocks, tile));
    }
    distinct.take_from(&mut missing);
    *scores = missing.map(Score::from_bits);
}

/// Distinct digits summed over each family of units, a byte a lane.
#[derive(Clone, Copy)]
struct Distinct {
    rows: __m256i,
    columns: __m256i,
    blocks: __m256i,
}

impl Distinct {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn none() -> Distinct {
        let zero = _mm256_setzero_si256();
        Distinct { rows: zero, columns: zero, blocks: zero }
    }

    /// Both together; their sums must fit bytes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn and(self, other: Distinct) -> Distinct {
        Distinct {
            rows: _mm256_add_epi8(self.rows, other.rows),
            columns: _mm256_add_epi8(self.columns, other.columns),
            blocks: _mm256_add_epi8(self.blocks, other.blocks),
        }
    }

    /// Takes the counts from the packed fields of `missing`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn take_from(self, missing: &mut [u32; LANES]) {
        let [rows, columns, blocks] = [self.rows, self.columns, self.blocks].map(bytemuck::cast::<_, [u8; LANES]>);
        for lane in 0..LANES {
            let found = Score::new(rows[lane].into(), columns[lane].into(), blocks[lane].into());
            missing[lane] = missing[lane].wrapping_sub(found.bits());
        }
    }
}

/// The digits `8 * plane + 1 ..= 8 * plane + 8` that are present, counted.
#[target_feature(enable = "avx2")]
#[inline]
fn count_plane<B: Blocks>(blocks: B, plane: usize, tile: &[Lanes]) -> Distinct {
    let table = one_hot_table();
    let below = _mm256_set1_epi8((PLANE * plane) as i8);
    let past = _mm256_set1_epi8(if blocks.side() > PLANE * plane + 16 { 0x70 } else { 0 });
    count_units(
        blocks,
        tile,
        |digits| {
            // What `vpshufb` makes of an index: bit 7 set gives 0, else the low four bits choose. Digits of this plane
            // become 1..=8, those below it 0, those just above 9..=16, all but the first eight places of which hold 0.
            // Those further above would come round to the first: adding 0x70 puts them past bit 7.
            let index = _mm256_add_epi8(_mm256_subs_epu8(digits, below), past);
            _mm256_shuffle_epi8(table, index)
        },
        |a, b| _mm256_or_si256(a, b),
        |sum, unit| _mm256_add_epi8(sum, count_bits(unit)),
    )
}

/// The units that hold the largest digit, counted.
#[target_feature(enable = "avx2")]
#[inline]
fn count_top_digit<B: Blocks>(blocks: B, tile: &[Lanes]) -> Distinct {
    let top = _mm256_set1_epi8(blocks.side() as i8);
    count_units(
        blocks,
        tile,
        |digits| digits,
        |a, b| _mm256_max_epu8(a, b),
        |sum, unit| _mm256_sub_epi8(sum, _mm256_cmpeq_epi8(unit, top)),
    )
}

/// Joins what `of` makes of each cell over every unit, and lets `count` add each unit to its family's sum.
///
/// Rows of a block are joined first and then go into their row and their block:
///
/// ```text
/// cell | cell | cell  =  part --> row
///   |      |      |        \----> block of the band
///   v      v      v
/// columns, kept from band to band
/// ```
#[target_feature(enable = "avx2")]
#[inline]
fn count_units<B: Blocks>(
    blocks: B,
    tile: &[Lanes],
    of: impl Fn(__m256i) -> __m256i,
    join: impl Fn(__m256i, __m256i) -> __m256i,
    count: impl Fn(__m256i, __m256i) -> __m256i,
) -> Distinct {
    let (height, width, side) = (blocks.rows(), blocks.columns(), blocks.side());
    let (bands, stacks) = (width, height);
    let tile = &tile[..side * side];
    let none = _mm256_setzero_si256();
    let mut sums = Distinct::none();
    let mut columns = [none; MAX_SIDE];
    for band in 0..bands {
        let mut band_blocks = [none; MAX_SIDE];
        for row in band * height..(band + 1) * height {
            let mut whole = none;
            for stack in 0..stacks {
                let mut part = none;
                for column in stack * width..(stack + 1) * width {
                    let cell = of(bytemuck::cast(tile[row * side + column].0));
                    columns[column] = join(columns[column], cell);
                    part = join(part, cell);
                }
                whole = join(whole, part);
                band_blocks[stack] = join(band_blocks[stack], part);
            }
            sums.rows = count(sums.rows, whole);
        }
        sums.blocks = band_blocks[..stacks].iter().fold(sums.blocks, |sum, block| count(sum, *block));
    }
    sums.columns = columns[..side].iter().fold(none, |sum, column| count(sum, *column));
    sums
}

/// `1 << (index - 1)` for an index of 1..=8, 0 for the others, in both halves as `vpshufb` wants it.
#[target_feature(enable = "avx2")]
#[inline]
fn one_hot_table() -> __m256i {
    _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0))
}

/// The bits set in each byte: both halves looked up.
#[target_feature(enable = "avx2")]
#[inline]
fn count_bits(bytes: __m256i) -> __m256i {
    let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let low_half = _mm256_set1_epi8(0x0f);
    let low = _mm256_and_si256(bytes, low_half);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_half);
    _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high))
}
