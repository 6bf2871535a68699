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
//! planes (up to 625) are made in 16 bits.

use std::arch::x86_64::*;

use bytemuck::Zeroable;

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

/// Takes 9x9 to code compiled for it.
#[target_feature(enable = "avx2")]
fn dispatch(shape: Shape, tile: &[Lanes], scores: &mut [Score; LANES]) {
    match (shape.block_rows(), shape.block_columns()) {
        (3, 3) => score_tile::<_, 9>(Fixed::<3, 3>, tile, scores),
        (2, 3) => score_tile::<_, 6>(Fixed::<2, 3>, tile, scores),
        (3, 4) => score_tile::<_, 12>(Fixed::<3, 4>, tile, scores),
        (4, 4) => score_tile::<_, 16>(Fixed::<4, 4>, tile, scores),
        (5, 5) => score_tile::<_, 25>(Fixed::<5, 5>, tile, scores),
        _ => score_tile::<_, MAX_SIDE>(shape, tile, scores),
    }
}

/// Scores a tile of these blocks, with room for `UNITS` units of a family.
#[target_feature(enable = "avx2")]
#[inline]
fn score_tile<B: Blocks, const UNITS: usize>(blocks: B, tile: &[Lanes], scores: &mut [Score; LANES]) {
    let side = blocks.side();
    let mut missing = Missing::all(side);
    for plane in 0..(side - 1).div_ceil(PLANE) {
        missing.take(count_plane::<B, UNITS>(blocks, plane, tile));
    }
    missing.pack(scores);
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
}

/// Missing digits summed over each family of units, 16 bits a lane. AVX2 unpacks within halves of a register, so two
/// registers hold the lanes in this order until they are packed:
///
/// ```text
/// first    0 ..  7 | 16 .. 23
/// second   8 .. 15 | 24 .. 31
/// ```
struct Missing {
    rows: [__m256i; 2],
    columns: [__m256i; 2],
    blocks: [__m256i; 2],
}

impl Missing {
    /// Every digit of every unit.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn all(side: usize) -> Missing {
        let all = [_mm256_set1_epi16((side * side) as i16); 2];
        Missing { rows: all, columns: all, blocks: all }
    }

    /// Takes the digits found.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn take(&mut self, found: Distinct) {
        let zero = _mm256_setzero_si256();
        for (missing, found) in
            [(&mut self.rows, found.rows), (&mut self.columns, found.columns), (&mut self.blocks, found.blocks)]
        {
            missing[0] = _mm256_sub_epi16(missing[0], _mm256_unpacklo_epi8(found, zero));
            missing[1] = _mm256_sub_epi16(missing[1], _mm256_unpackhi_epi8(found, zero));
        }
    }

    /// Puts the three sums of each lane into the fields of its score:
    ///
    /// ```text
    /// bit 31 ... 26 25 ... 20 19 ... 16 | 15 ... 10 9 ... 0
    ///                 blocks  | columns |  columns  | rows
    /// ```
    #[target_feature(enable = "avx2")]
    #[inline]
    fn pack(&self, scores: &mut [Score; LANES]) {
        let (eights, _) = scores.as_chunks_mut::<8>();
        for half in 0..2 {
            let (rows, columns, blocks) = (self.rows[half], self.columns[half], self.blocks[half]);
            let low = _mm256_or_si256(rows, _mm256_slli_epi16::<10>(columns));
            let high = _mm256_or_si256(_mm256_srli_epi16::<6>(columns), _mm256_slli_epi16::<4>(blocks));
            let (first, second) = (_mm256_unpacklo_epi16(low, high), _mm256_unpackhi_epi16(low, high));
            eights[half] = bytemuck::cast(_mm256_permute2x128_si256::<0x20>(first, second));
            eights[half + 2] = bytemuck::cast(_mm256_permute2x128_si256::<0x31>(first, second));
        }
    }
}

/// The digits `8 * plane + 1 ..= 8 * plane + 8` that are present, counted; with them the largest digit, if it is the
/// next and has no plane of its own.
///
/// `vpshufb` gives 0 where bit 7 of an index is set, else what stands in the place that its low four bits name. The
/// first nine digits and the empty cell find their places, and 16 finds that of the empty cell. Other planes are brought
/// down to the first: lower digits become 0. Digits past 16 would then come round to the first places again; adding 0x70
/// puts them past bit 7.
#[target_feature(enable = "avx2")]
#[inline]
fn count_plane<B: Blocks, const UNITS: usize>(blocks: B, plane: usize, tile: &[Lanes]) -> Distinct {
    let table = one_hot_table();
    let below = PLANE * plane;
    let with_top = blocks.side() == below + PLANE + 1;
    if plane == 0 && blocks.side() <= 16 {
        count_digits::<B, UNITS>(blocks, tile, |digits| _mm256_shuffle_epi8(table, digits), with_top)
    } else {
        let past = _mm256_set1_epi8(if blocks.side() > below + 16 { 0x70 } else { 0 });
        let below = _mm256_set1_epi8(below as i8);
        let one_hot = |digits| _mm256_shuffle_epi8(table, _mm256_add_epi8(_mm256_subs_epu8(digits, below), past));
        count_digits::<B, UNITS>(blocks, tile, one_hot, with_top)
    }
}

/// Counts the digits that `one_hot` has bits for, and the largest if `with_top`.
#[target_feature(enable = "avx2")]
#[inline]
fn count_digits<B: Blocks, const UNITS: usize>(
    blocks: B,
    tile: &[Lanes],
    one_hot: impl Fn(__m256i) -> __m256i,
    with_top: bool,
) -> Distinct {
    if with_top {
        let top = _mm256_set1_epi8(blocks.side() as i8);
        count_units::<_, _, UNITS>(
            blocks,
            tile,
            |digits| [one_hot(digits), digits],
            |a, b| [_mm256_or_si256(a[0], b[0]), _mm256_max_epu8(a[1], b[1])],
            |[bits, largest]| _mm256_sub_epi8(count_bits(bits), _mm256_cmpeq_epi8(largest, top)),
        )
    } else {
        count_units::<_, _, UNITS>(blocks, tile, one_hot, |a, b| _mm256_or_si256(a, b), |bits| count_bits(bits))
    }
}

/// Joins what `of` makes of each cell over every unit, and sums what `count` makes of each unit, family by family.
/// Zeros must be neutral to `join`.
///
/// It goes down the grid in strips of a few columns of one stack, so that these columns and the block stay in registers
/// and a row is touched once a strip:
///
/// ```text
/// cell | cell | cell  =  part --> row, kept from strip to strip
///   |      |      |        \----> block, kept from strip to strip of a stack
///   v      v      v
/// columns of the strip
/// ```
#[target_feature(enable = "avx2")]
#[inline]
fn count_units<T: Copy + Zeroable, B: Blocks, const UNITS: usize>(
    blocks: B,
    tile: &[Lanes],
    of: impl Fn(__m256i) -> T,
    join: impl Fn(T, T) -> T,
    count: impl Fn(T) -> __m256i,
) -> Distinct {
    let (width, side) = (blocks.columns(), blocks.side());
    let (mut rows, mut stack_blocks) = ([T::zeroed(); UNITS], [T::zeroed(); UNITS]);
    let (rows, stack_blocks) = (&mut rows[..side], &mut stack_blocks[..width]);
    let tile = &tile[..side * side];
    let mut sums = Distinct::none();
    let add = |sum: &mut __m256i, unit: &T| *sum = _mm256_add_epi8(*sum, count(*unit));
    for stack in 0..side / width {
        let mut strip = Strip { blocks, start: stack * width, tile, rows, stack_blocks };
        let mut add_columns = |columns: &[T]| columns.iter().for_each(|column| add(&mut sums.columns, column));
        for _ in 0..width / 5 {
            add_columns(&strip.join::<5>(&of, &join));
            strip.start += 5;
        }
        match width % 5 {
            1 => add_columns(&strip.join::<1>(&of, &join)),
            2 => add_columns(&strip.join::<2>(&of, &join)),
            3 => add_columns(&strip.join::<3>(&of, &join)),
            4 => add_columns(&strip.join::<4>(&of, &join)),
            _ => (),
        }
        stack_blocks.iter().for_each(|block| add(&mut sums.blocks, block));
        stack_blocks.fill(T::zeroed());
    }
    rows.iter().for_each(|row| add(&mut sums.rows, row));
    sums
}

/// Some columns of one stack, down the whole grid.
struct Strip<'a, B, T> {
    blocks: B,
    /// Its first column.
    start: usize,
    tile: &'a [Lanes],
    rows: &'a mut [T],
    stack_blocks: &'a mut [T],
}

impl<B: Blocks, T: Copy + Zeroable> Strip<'_, B, T> {
    /// Joins its cells to the rows and the blocks, and returns its `WIDTH` columns.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn join<const WIDTH: usize>(&mut self, of: impl Fn(__m256i) -> T, join: impl Fn(T, T) -> T) -> [T; WIDTH] {
        let (height, side) = (self.blocks.rows(), self.blocks.side());
        let mut columns = [T::zeroed(); WIDTH];
        for band in 0..side / height {
            let mut block = T::zeroed();
            for row in band * height..(band + 1) * height {
                let mut part = T::zeroed();
                let cells = &self.tile[row * side + self.start..][..WIDTH];
                for (column, cell) in columns.iter_mut().zip(cells) {
                    let cell = of(bytemuck::cast(cell.0));
                    *column = join(*column, cell);
                    part = join(part, cell);
                }
                self.rows[row] = join(self.rows[row], part);
                block = join(block, part);
            }
            self.stack_blocks[band] = join(self.stack_blocks[band], block);
        }
        columns
    }
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
