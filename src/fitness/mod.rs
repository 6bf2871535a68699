//! Scoring of whole populations, with equal integers on every backend.
//!
//! In reading order: [`Score`] says what is counted, [`oracle`] defines it as code, [`Evaluator`] scores a batch, and
//! [`backends`] lists the backends and chooses one.

pub mod backends;
mod batch;
mod cpu;
pub mod crossovers;
pub mod gpu;
#[cfg(test)]
mod host_tests;
pub mod oracle;
mod scalar;
mod score;
pub mod verify;

pub use backends::Backend;
pub use batch::{BatchScorer, BatchTimes, Staged, Ticket};
pub use cpu::Cpu;
pub use gpu::GpuEvaluator;
pub use scalar::Scalar;
pub use score::Score;

use crate::error::Error;
use crate::population::instructions::Instructions;
use crate::population::{Candidates, LANES, Lanes};
use crate::sudoku::Shape;

/// Scores batches of candidates of one shape.
pub trait Evaluator: Send {
    /// The shape whose candidates it scores.
    fn shape(&self) -> Shape;

    /// The backend that it belongs to.
    fn backend(&self) -> Backend;

    /// The instruction set or the adapter's name, for people.
    fn describe(&self) -> String;

    /// Scores each slot of `candidates` into the same place of `scores`. Slots past the last candidate get the score
    /// of the empty grid.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the candidates have another shape, [`Error::ScoreCount`] if
    /// `scores.len() != candidates.slots()`, [`Error::Device`] if the device fails.
    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error>;

    /// Scores several populations as one batch, each in whole tiles: their scores follow each other, and each has as many
    /// as slots. The score of a candidate does not depend on the others.
    ///
    /// # Errors
    /// As [`Evaluator::score`].
    fn score_parts(&mut self, parts: &[Candidates<'_>], scores: &mut [Score]) -> Result<(), Error> {
        check_parts(self.shape(), parts, scores)?;
        let mut rest = scores;
        for part in parts {
            let (scores, others) = rest.split_at_mut(part.slots());
            self.score(*part, scores)?;
            rest = others;
        }
        Ok(())
    }

    /// The times of the last batch, if the backend has a device and has scored a batch.
    fn last_batch_times(&self) -> Option<BatchTimes> {
        None
    }

    /// Scores single tiles in place, if the backend computes on the host: a search then proposes, scores and accepts each
    /// tile while it is in cache.
    fn tile_scorer(&self) -> Option<&dyn TileScorer> {
        None
    }

    /// Scores batches while the host does other work, if the backend has a memory of its own.
    fn batch_scorer(&mut self) -> Option<&mut dyn BatchScorer> {
        None
    }
}

/// Scores one tile at a time, on any thread.
pub trait TileScorer: Sync {
    /// Scores the 32 candidates of one tile.
    ///
    /// # Panics
    /// If `tile` does not hold `shape.cells()` lanes.
    fn score_tile(&self, tile: &[Lanes], scores: &mut [Score; LANES]);

    /// The instructions that it uses; a search uses the same.
    fn instructions(&self) -> Instructions {
        Instructions::Portable
    }

    /// True if a search may do in its place, by a form of its own, what several epochs come to.
    fn allows_strides(&self) -> bool {
        false
    }
}

/// The boundary check of every [`Evaluator::score`]: the shape and both lengths.
pub(crate) fn check_batch(shape: Shape, candidates: Candidates<'_>, scores: &[Score]) -> Result<(), Error> {
    check_parts(shape, &[candidates], scores)
}

/// The boundary check of every [`Evaluator::score_parts`]: the shapes, and the lengths together.
pub(crate) fn check_parts(shape: Shape, parts: &[Candidates<'_>], scores: &[Score]) -> Result<(), Error> {
    if let Some(part) = parts.iter().find(|part| part.shape() != shape) {
        return Err(Error::ShapeMismatch {
            what: "this evaluator",
            expected: shape.to_string(),
            found: part.shape().to_string(),
        });
    }
    let slots = parts.iter().map(|part| part.slots()).sum();
    if slots != scores.len() {
        let candidates = parts.iter().map(|part| part.len()).sum();
        return Err(Error::ScoreCount { candidates, slots, scores: scores.len() });
    }
    Ok(())
}
