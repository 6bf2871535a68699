//! The scalar evaluator: one candidate at a time, one thread, no SIMD. It is what the others are measured against, so
//! it is written as well as that allows: sets of digits are bits of machine words, and nothing branches on a digit.
//!
//! At 9x9, three cells of a row share a word, so that one OR joins three columns, and one popcount counts three units:
//!
//! ```text
//! bit 29 ... 20 | 19 ... 10 | 9 ... 0
//!     cell 3k+2 |  cell 3k+1 | cell 3k      each field: bit d for digit d, bit 0 for an empty cell
//!
//! row r:   word 0   word 1   word 2    ORed down the grid:  three columns each
//!             \       |       /        ORed down a band:    a block each, once its fields are joined
//!               ORed together          the row,             once its fields are joined
//! ```
//!
//! Other shapes keep one mask a unit.

use super::backends::{BackendRow, Unit};
use super::{Backend, Evaluator, Score, TileScorer, check_batch};
use crate::error::Error;
use crate::population::{Candidates, LANES, Lanes};
use crate::sudoku::{MAX_SIDE, Shape};

impl Backend {
    /// One candidate at a time on one thread.
    pub const SCALAR: Backend = Backend::new("scalar");
}

/// The scalar backend.
pub(super) static ROW: BackendRow = BackendRow {
    backend: Backend::SCALAR,
    help: "one thread without SIMD",
    on_adapters: false,
    on_all_threads: false,
    units: || vec![unit()],
    pick: |_, _| Ok((unit(), "--backend scalar".into())),
};

fn unit() -> Unit {
    Unit::on_host(Backend::SCALAR.name(), |shape| Box::new(Scalar::new(shape)))
}

/// Scores one candidate after the other.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    shape: Shape,
}

impl Scalar {
    /// An evaluator of this shape's candidates.
    pub fn new(shape: Shape) -> Scalar {
        Scalar { shape }
    }
}

impl Evaluator for Scalar {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn backend(&self) -> Backend {
        Backend::SCALAR
    }

    fn describe(&self) -> String {
        "one thread, no SIMD".to_owned()
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        check_batch(self.shape, candidates, scores)?;
        for (tile, scores) in candidates.tiles().zip(scores.as_chunks_mut().0) {
            self.score_tile(tile, scores);
        }
        Ok(())
    }

    fn tile_scorer(&self) -> Option<&dyn TileScorer> {
        Some(self)
    }
}

impl TileScorer for Scalar {
    fn score_tile(&self, tile: &[Lanes], scores: &mut [Score; LANES]) {
        assert_eq!(tile.len(), self.shape.cells(), "lanes of one tile of {}", self.shape);
        if self.shape == Shape::NINE {
            let tile = tile.try_into().expect("a 9x9 grid has 81 cells");
            for (lane, score) in scores.iter_mut().enumerate() {
                *score = score_nine(tile, lane);
            }
        } else {
            for (lane, score) in scores.iter_mut().enumerate() {
                *score = score_any(self.shape, tile, lane);
            }
        }
    }
}

/// The mask of one digit, bit 0 for an empty cell.
#[inline(always)]
fn bit(digit: u8) -> u32 {
    1u32.wrapping_shl(digit.into())
}

/// The score of one candidate of a tile, one mask a unit.
fn score_any(shape: Shape, tile: &[Lanes], lane: usize) -> Score {
    let side = shape.side();
    let missing = |unit: u32| side as u32 - (unit >> 1).count_ones();
    let (mut rows, mut blocks) = (0, 0);
    let mut columns = [0; MAX_SIDE];
    for band in tile.chunks_exact(shape.block_rows() * side) {
        let mut band_blocks = [0; MAX_SIDE];
        for row in band.chunks_exact(side) {
            let mut whole = 0;
            let parts = row.chunks_exact(shape.block_columns()).zip(columns.chunks_exact_mut(shape.block_columns()));
            for ((part, columns), block) in parts.zip(&mut band_blocks) {
                for (cell, column) in part.iter().zip(columns) {
                    let digit = bit(cell.0[lane]);
                    *column |= digit;
                    *block |= digit;
                    whole |= digit;
                }
            }
            rows += missing(whole);
        }
        blocks += band_blocks[..shape.stacks()].iter().map(|block| missing(*block)).sum::<u32>();
    }
    let columns = columns[..side].iter().map(|column| missing(*column)).sum();
    Score::new(rows, columns, blocks)
}

/// Bits of a field: digits 1..=9 and the empty cell.
const FIELD: u32 = 10;

/// Three fields side by side, of three units or of three cells.
type Word = u32;

/// The score of one 9x9 candidate of a tile, three cells a word.
fn score_nine(tile: &[Lanes; 81], lane: usize) -> Score {
    let (mut rows, mut columns, mut blocks) = ([0; 3], [0; 3], [0; 3]);
    for band in 0..3 {
        let mut band_blocks = [0; 3];
        for row in 3 * band..3 * band + 3 {
            let mut whole = 0;
            for stack in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|k| bit(tile[9 * row + 3 * stack + k].0[lane]));
                let word = a | b << FIELD | c << (2 * FIELD);
                columns[stack] |= word;
                band_blocks[stack] |= word;
                whole |= word;
            }
            rows[band] = append(rows[band], whole);
        }
        blocks[band] = band_blocks.into_iter().fold(0, append);
    }
    Score::new(missing(rows), missing(columns), missing(blocks))
}

/// The fields of one unit joined and put below the units already there.
#[inline(always)]
fn append(units: Word, unit: Word) -> Word {
    let joined = unit | unit >> FIELD | unit >> (2 * FIELD);
    units << FIELD | joined & ((1 << FIELD) - 1)
}

/// Digits that nine units miss, three in each word.
#[inline(always)]
fn missing(units: [Word; 3]) -> u32 {
    /// All but the bits of empty cells.
    const DIGITS: u64 = 0x3fe | 0x3fe << FIELD | 0x3fe << (2 * FIELD);
    let [a, b, c] = units.map(|word| u64::from(word) & DIGITS);
    81 - (a | b << 32).count_ones() - c.count_ones()
}
