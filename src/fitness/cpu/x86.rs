//! Scoring a tile with AVX2, or AVX-512: 32 candidates in the 32 bytes of a register, one table look-up a cell.
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
//! A plane and the largest digit are at most 9 digits in each of 25 units, 225 in a family: sums within a plane stay in
//! bytes, sums over planes (up to 625) are made in 16 bits.

use bytemuck::Zeroable;

use super::vector::{V, Vector};
use super::{Blocks, Fixed};
use crate::fitness::Score;
use crate::population::instructions::Task;
use crate::population::prefetch::{Cache, Source};
use crate::population::{LANES, Lanes};
use crate::sudoku::{MAX_SIDE, Shape};

/// Digits in a plane: the bits of a byte.
const PLANE: usize = 8;

/// Scores one tile, which holds `shape.cells()` lanes: to be run with the instructions that `simd` is the proof of.
///
/// Registers of 512 bits would hold two cells or two tiles, and bring less than it costs to put them together.
pub(super) struct ScoreTile<'a, S, P> {
    pub simd: S,
    pub shape: Shape,
    pub tile: &'a [Lanes],
    pub scores: &'a mut [Score; LANES],
    /// Where tiles are read from.
    pub source: P,
}

impl<S: Vector, P: Source> Task for ScoreTile<'_, S, P> {
    type Output = ();

    /// Takes the usual shapes to code compiled for them, with their loops unrolled and no more room than they need.
    #[inline(always)]
    fn run(self) {
        let shape = self.shape;
        match (shape.block_rows(), shape.block_columns()) {
            (3, 3) => self.score::<_, 9>(Fixed::<3, 3>),
            (2, 3) => self.score::<_, 6>(Fixed::<2, 3>),
            (3, 4) => self.score::<_, 12>(Fixed::<3, 4>),
            (4, 4) => self.score::<_, 16>(Fixed::<4, 4>),
            (5, 5) => self.score::<_, 25>(Fixed::<5, 5>),
            _ => self.score::<_, MAX_SIDE>(shape),
        }
    }
}

impl<S: Vector, P: Source> ScoreTile<'_, S, P> {
    /// Scores a tile of these blocks, with room for `UNITS` units of a family.
    #[inline(always)]
    fn score<B: Blocks, const UNITS: usize>(self, blocks: B) {
        let side = blocks.side();
        let ScoreTile { simd, tile, scores, source, .. } = self;
        let mut missing = Missing::all(simd, side);
        missing.take(simd, count_plane::<S, B, P, UNITS>(simd, blocks, 0, tile, source));
        // The first plane brought the tile to cache.
        for plane in 1..(side - 1).div_ceil(PLANE) {
            missing.take(simd, count_plane::<S, B, Cache, UNITS>(simd, blocks, plane, tile, Cache));
        }
        missing.pack(simd, scores);
    }
}

/// Distinct digits summed over each family of units, a byte a lane.
#[derive(Clone, Copy)]
struct Distinct {
    rows: V,
    columns: V,
    blocks: V,
}

impl Distinct {
    #[inline(always)]
    fn none() -> Distinct {
        let zero = V::zeroed();
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
    rows: [V; 2],
    columns: [V; 2],
    blocks: [V; 2],
}

impl Missing {
    /// Every digit of every unit.
    #[inline(always)]
    fn all(simd: impl Vector, side: usize) -> Missing {
        let all = [simd.splat_words((side * side) as u16); 2];
        Missing { rows: all, columns: all, blocks: all }
    }

    /// Takes the digits found.
    #[inline(always)]
    fn take(&mut self, simd: impl Vector, found: Distinct) {
        let zero = V::zeroed();
        for (missing, found) in
            [(&mut self.rows, found.rows), (&mut self.columns, found.columns), (&mut self.blocks, found.blocks)]
        {
            missing[0] = simd.sub_words(missing[0], simd.interleave_low(found, zero));
            missing[1] = simd.sub_words(missing[1], simd.interleave_high(found, zero));
        }
    }

    /// Puts the three sums of each lane into the fields of its score:
    ///
    /// ```text
    /// bit 31 ... 26 25 ... 20 19 ... 16 | 15 ... 10 9 ... 0
    ///                 blocks  | columns |  columns  | rows
    /// ```
    #[inline(always)]
    fn pack(&self, simd: impl Vector, scores: &mut [Score; LANES]) {
        let (eights, _) = scores.as_chunks_mut::<8>();
        for half in 0..2 {
            let (rows, columns, blocks) = (self.rows[half], self.columns[half], self.blocks[half]);
            let low = simd.or(rows, simd.shift_words_left_10(columns));
            let high = simd.or(simd.shift_words_right_6(columns), simd.shift_words_left_4(blocks));
            let (first, second) = (simd.interleave_words_low(low, high), simd.interleave_words_high(low, high));
            eights[half] = bytemuck::cast(simd.low_halves(first, second));
            eights[half + 2] = bytemuck::cast(simd.high_halves(first, second));
        }
    }
}

/// The information of a cell for its units, and how it is joined and counted. Zeros are neutral to `join`.
///
/// A trait and no closures, which the compiler would not inline before the instructions are known.
trait Mask: Copy {
    /// The information of a cell or a unit.
    type Of: Copy + Zeroable;

    fn of(self, digits: V) -> Self::Of;

    fn join(self, a: Self::Of, b: Self::Of) -> Self::Of;

    /// The distinct digits of a unit, a byte a lane.
    fn count(self, unit: Self::Of) -> V;
}

/// The digits `8 * plane + 1 ..= 8 * plane + 8`, a bit each.
///
/// `vpshufb` gives 0 where bit 7 of an index is set, else what stands in the place that its low four bits name. The
/// first nine digits and the empty cell find their places, and 16 finds that of the empty cell. Other planes are brought
/// down to the first: lower digits become 0. Digits past 16 would then come round to the first places again; adding 0x70
/// puts them past bit 7.
#[derive(Clone, Copy)]
struct Bits<S> {
    simd: S,
    table: V,
    /// What is taken from digits, which stays at 0, and what is then added; none where digits are places already.
    shift: Option<(V, V)>,
}

impl<S: Vector> Bits<S> {
    #[inline(always)]
    fn of_plane(simd: S, side: usize, plane: usize) -> Bits<S> {
        let below = PLANE * plane;
        let past = if side > below + 16 { 0x70 } else { 0 };
        let shift = (plane > 0 || side > 16).then(|| (simd.splat(below as u8), simd.splat(past)));
        Bits { simd, table: simd.table([0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0]), shift }
    }
}

impl<S: Vector> Mask for Bits<S> {
    type Of = V;

    #[inline(always)]
    fn of(self, digits: V) -> V {
        let Bits { simd, table, shift } = self;
        match shift {
            None => simd.look_up(table, digits),
            Some((below, past)) => simd.look_up(table, simd.add(simd.sub_or_zero(digits, below), past)),
        }
    }

    #[inline(always)]
    fn join(self, a: V, b: V) -> V {
        self.simd.or(a, b)
    }

    #[inline(always)]
    fn count(self, unit: V) -> V {
        self.simd.count_bits(unit)
    }
}

/// The same, and the largest digit, which has no plane of its own.
#[derive(Clone, Copy)]
struct BitsAndTop<S> {
    bits: Bits<S>,
    top: V,
}

impl<S: Vector> Mask for BitsAndTop<S> {
    type Of = [V; 2];

    #[inline(always)]
    fn of(self, digits: V) -> [V; 2] {
        [self.bits.of(digits), digits]
    }

    #[inline(always)]
    fn join(self, a: [V; 2], b: [V; 2]) -> [V; 2] {
        [self.bits.join(a[0], b[0]), self.bits.simd.max(a[1], b[1])]
    }

    #[inline(always)]
    fn count(self, [bits, largest]: [V; 2]) -> V {
        let simd = self.bits.simd;
        simd.sub(self.bits.count(bits), simd.equal(largest, self.top))
    }
}

/// Counts the digits of a plane; with them the largest digit, if it is the next and has no plane of its own.
#[inline(always)]
fn count_plane<S: Vector, B: Blocks, P: Source, const UNITS: usize>(
    simd: S,
    blocks: B,
    plane: usize,
    tile: &[Lanes],
    source: P,
) -> Distinct {
    let side = blocks.side();
    let bits = Bits::of_plane(simd, side, plane);
    if side == PLANE * (plane + 1) + 1 {
        count_units::<_, _, _, _, UNITS>(simd, BitsAndTop { bits, top: simd.splat(side as u8) }, blocks, tile, source)
    } else {
        count_units::<_, _, _, _, UNITS>(simd, bits, blocks, tile, source)
    }
}

/// Joins the masks of the cells over every unit, and sums the counts of the units, family by family.
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
#[inline(always)]
fn count_units<S: Vector, M: Mask, B: Blocks, P: Source, const UNITS: usize>(
    simd: S,
    mask: M,
    blocks: B,
    tile: &[Lanes],
    source: P,
) -> Distinct {
    let (width, side) = (blocks.columns(), blocks.side());
    let (mut rows, mut stack_blocks) = ([M::Of::zeroed(); UNITS], [M::Of::zeroed(); UNITS]);
    let (rows, stack_blocks) = (&mut rows[..side], &mut stack_blocks[..width]);
    let tile = &tile[..side * side];
    let mut sums = Distinct::none();
    for stack in 0..side / width {
        let mut strip = Strip { simd, mask, blocks, start: stack * width, tile, source, rows, stack_blocks };
        for _ in 0..width / 5 {
            sums.columns = add(simd, mask, sums.columns, &strip.join::<5>());
            strip.start += 5;
        }
        sums.columns = match width % 5 {
            1 => add(simd, mask, sums.columns, &strip.join::<1>()),
            2 => add(simd, mask, sums.columns, &strip.join::<2>()),
            3 => add(simd, mask, sums.columns, &strip.join::<3>()),
            4 => add(simd, mask, sums.columns, &strip.join::<4>()),
            _ => sums.columns,
        };
        sums.blocks = add(simd, mask, sums.blocks, stack_blocks);
        stack_blocks.fill(M::Of::zeroed());
    }
    sums.rows = add(simd, mask, sums.rows, rows);
    sums
}

/// A sum and the counts of some units.
#[inline(always)]
fn add<M: Mask>(simd: impl Vector, mask: M, mut sum: V, units: &[M::Of]) -> V {
    for unit in units {
        sum = simd.add(sum, mask.count(*unit));
    }
    sum
}

/// Some columns of one stack, down the whole grid.
struct Strip<'a, S, M: Mask, B, P> {
    simd: S,
    mask: M,
    blocks: B,
    /// Its first column.
    start: usize,
    tile: &'a [Lanes],
    source: P,
    rows: &'a mut [M::Of],
    stack_blocks: &'a mut [M::Of],
}

impl<S: Vector, M: Mask, B: Blocks, P: Source> Strip<'_, S, M, B, P> {
    /// Joins its cells to the rows and the blocks, and returns its `WIDTH` columns.
    #[inline(always)]
    fn join<const WIDTH: usize>(&mut self) -> [M::Of; WIDTH] {
        let (height, side, mask) = (self.blocks.rows(), self.blocks.side(), self.mask);
        let mut columns = [M::Of::zeroed(); WIDTH];
        for band in 0..side / height {
            let mut block = M::Of::zeroed();
            for row in band * height..(band + 1) * height {
                let mut part = M::Of::zeroed();
                let cells = &self.tile[row * side + self.start..][..WIDTH];
                let read = self.start * side + row * WIDTH;
                for (number, (column, cell)) in columns.iter_mut().zip(cells).enumerate() {
                    self.source.ask_ahead(self.tile, read + number);
                    let cell = mask.of(self.simd.load(cell));
                    *column = mask.join(*column, cell);
                    part = mask.join(part, cell);
                }
                self.rows[row] = mask.join(self.rows[row], part);
                block = mask.join(block, part);
            }
            self.stack_blocks[band] = mask.join(self.stack_blocks[band], block);
        }
        columns
    }
}
