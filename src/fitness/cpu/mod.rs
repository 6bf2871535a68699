//! The CPU evaluator: SIMD over tiles, all cores, with the instructions found when the program starts.
//!
//! A tile holds the same cell of 32 candidates side by side, so one vector instruction does for 32 candidates what a
//! plain program does for one, and no candidate ever waits for another. What a kernel has to do for each tile is in
//! every version the same, and the same as in `shaders/fitness.wgsl`:
//!
//! 1. turn each digit into a bit (*one-hot*) and join the bits of each row, column and block,
//! 2. count the bits of each unit: its distinct digits,
//! 3. `missing` = n² less the sum of those, family by family, packed into a [`Score`].
//!
//! The kernels hold the bits in planes of eight digits, a byte a lane; they differ in how a digit becomes a bit and how
//! bits are counted: with byte shuffles in `x86`, with what any compiler can vectorise in `portable`. Which runs is
//! chosen by [`Instructions`].

mod portable;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use rayon::prelude::*;

use super::backends::{BackendRow, Unit};
use super::{Backend, Evaluator, Score, TileScorer, check_batch};
use crate::error::Error;
use crate::population::instructions::Instructions;
use crate::population::prefetch::{Cache, IN_CACHE, Memory, Source};
use crate::population::{Candidates, LANES, Lanes};
use crate::sudoku::Shape;

impl Backend {
    /// SIMD over tiles on all cores.
    pub const CPU: Backend = Backend::new("cpu");
}

/// The CPU backend.
pub(super) static ROW: BackendRow = BackendRow {
    backend: Backend::CPU,
    help: "SIMD on all cores",
    on_adapters: false,
    on_all_threads: true,
    units: || vec![unit(), Unit::on_host("cpu-portable", |shape| Box::new(Cpu::portable(shape)))],
    pick: |_, _| Ok((unit(), "--backend cpu".into())),
};

/// The best instructions of this machine.
pub(super) fn unit() -> Unit {
    Unit::on_host(Backend::CPU.name(), |shape| Box::new(Cpu::new(shape)))
}

/// Bytes of candidates that one thread takes at a time. Handing work to a pool costs some microseconds; this much is
/// worth ten of them.
pub(super) const TASK_BYTES: usize = 256 * 1024;

/// Bytes of a batch that is scored where it is: to wake other threads costs about as much as they save.
pub(super) const ALONE_BYTES: usize = 2 * 1024 * 1024;

/// Scores on all cores of the current rayon pool, with the best instructions this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    shape: Shape,
    instructions: Instructions,
}

impl Cpu {
    /// An evaluator with the best instructions of this machine.
    pub fn new(shape: Shape) -> Cpu {
        Cpu { shape, instructions: Instructions::best() }
    }

    /// An evaluator that asks nothing of the machine: what [`Cpu::new`] gives where no instruction set is known.
    pub fn portable(shape: Shape) -> Cpu {
        Cpu { shape, instructions: Instructions::Portable }
    }

    /// One evaluator for each instruction set that this machine has, the fastest first and the portable one last, so
    /// that all can be tested and measured on one machine.
    pub fn each(shape: Shape) -> Vec<Cpu> {
        Instructions::available().map(|instructions| Cpu { shape, instructions }).collect()
    }

    /// Scores one tile, which holds `shape.cells()` lanes.
    #[inline]
    fn score_lanes<P: Source>(&self, tile: &[Lanes], scores: &mut [Score; LANES], source: P) {
        let shape = self.shape;
        match self.instructions {
            Instructions::Portable => portable::score_tile(shape, tile, scores, source),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(simd) => self.instructions.run(x86::ScoreTile { simd, shape, tile, scores, source }),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(simd) => self.instructions.run(x86::ScoreTile { simd, shape, tile, scores, source }),
        }
    }

    /// Scores tiles where they lie.
    fn score_tiles<P: Source>(&self, lanes: &[Lanes], scores: &mut [Score], source: P) {
        for (tile, scores) in lanes.chunks_exact(self.shape.cells()).zip(scores.as_chunks_mut().0) {
            self.score_lanes(tile, scores, source);
        }
    }

    /// Scores tiles on all threads.
    fn score_in_parallel<P: Source + Sync>(&self, lanes: &[Lanes], scores: &mut [Score], source: P) {
        let task = self.tiles_per_task();
        let tasks = lanes.par_chunks(task * self.shape.cells()).zip(scores.par_chunks_mut(task * LANES));
        tasks.for_each(|(lanes, scores)| self.score_tiles(lanes, scores, source));
    }

    /// Tiles that one thread takes at a time.
    fn tiles_per_task(&self) -> usize {
        TASK_BYTES.div_ceil(self.shape.cells() * LANES)
    }
}

impl Evaluator for Cpu {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn backend(&self) -> Backend {
        Backend::CPU
    }

    fn describe(&self) -> String {
        self.instructions.name().to_owned()
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        check_batch(self.shape, candidates, scores)?;
        let lanes = candidates.lanes();
        let bytes = size_of_val(lanes);
        if bytes <= ALONE_BYTES {
            self.score_tiles(lanes, scores, Cache);
        } else if bytes <= IN_CACHE {
            self.score_in_parallel(lanes, scores, Cache);
        } else {
            self.score_in_parallel(lanes, scores, Memory);
        }
        Ok(())
    }

    fn tile_scorer(&self) -> Option<&dyn TileScorer> {
        Some(self)
    }
}

impl TileScorer for Cpu {
    fn score_tile(&self, tile: &[Lanes], scores: &mut [Score; LANES]) {
        assert_eq!(tile.len(), self.shape.cells(), "lanes of one tile of {}", self.shape);
        self.score_lanes(tile, scores, Cache);
    }

    fn instructions(&self) -> Instructions {
        self.instructions
    }

    fn allows_strides(&self) -> bool {
        true
    }
}

/// The blocks a kernel is compiled for: [`Fixed`] ones, whose loops the compiler unrolls, or those of any [`Shape`].
trait Blocks: Copy {
    /// Rows of cells in a block.
    fn rows(self) -> usize;

    /// Columns of cells in a block.
    fn columns(self) -> usize;

    /// The side: cells in a unit.
    #[inline(always)]
    fn side(self) -> usize {
        self.rows() * self.columns()
    }
}

/// Blocks of `ROWS` x `COLUMNS`, known when the kernel is compiled.
#[derive(Clone, Copy)]
struct Fixed<const ROWS: usize, const COLUMNS: usize>;

impl<const ROWS: usize, const COLUMNS: usize> Blocks for Fixed<ROWS, COLUMNS> {
    #[inline(always)]
    fn rows(self) -> usize {
        ROWS
    }

    #[inline(always)]
    fn columns(self) -> usize {
        COLUMNS
    }
}

impl Blocks for Shape {
    #[inline(always)]
    fn rows(self) -> usize {
        self.block_rows()
    }

    #[inline(always)]
    fn columns(self) -> usize {
        self.block_columns()
    }
}
