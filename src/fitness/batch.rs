//! Batches that a device scores: candidates are staged while they are proposed, and the host is free until it needs the
//! scores.
//!
//! ```text
//! submit   for each piece of staging memory: write ──> Staged     (proposed and copied tile by tile, on all cores)
//!          ... the device works, the host proposes for another batch ...
//! finish   scores, in the order of the tiles
//! ```
//!
//! Staging memory is only written: reading it can be a hundred times slower. So a search undoes a proposal in a copy of its
//! own. That copy is also used to stage the batch again if the device is lost.
//!
//! A batch consists of tiles. Several populations can share it, each beginning on a tile's boundary.

use std::time::Duration;

use super::Score;
pub use super::gpu::Staged;
use crate::error::Error;

/// Scores whole batches in a memory of its own, while the host does other work.
pub trait BatchScorer: Send {
    /// Lends staging memory for `tiles` tiles to `write`, piece by piece and in order, and submits the tiles. `write` must
    /// fill each piece. Any number of batches can be in flight; each has buffers of its own, which are kept for later batches.
    ///
    /// # Errors
    /// [`Error::Device`] if the memory is too small; `write` is not called then. Later failures are reported by
    /// [`BatchScorer::finish`].
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error>;

    /// Waits for a batch and takes its scores. If the device was lost, `rewrite` stages the same tiles again.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails, [`Error::Internal`] if no batch is in flight for this ticket, or if its
    /// number of slots is not that of `scores`.
    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error>;
}

/// A batch in flight. If it is never finished, its buffers are not used again.
#[must_use = "a batch that is not finished keeps its buffers"]
#[derive(PartialEq, Eq, Debug)]
pub struct Ticket(u64);

impl Ticket {
    /// A ticket with a number of the scorer's own.
    pub fn new(number: u64) -> Ticket {
        Ticket(number)
    }

    /// Its number.
    pub fn number(&self) -> u64 {
        self.0
    }
}

/// The times of a batch's stages, by the host's clock; the kernel's by the clock of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchTimes {
    /// The host's work before the submission: filling staging memory, which the caller's `write` does, and recording
    /// commands.
    pub upload: Duration,
    /// From the submission until the scores are ready on the host: transfers, kernel and waiting, and the host's work on
    /// other batches meanwhile.
    pub device: Duration,
    /// The kernel alone, a part of `device`; `None` if the adapter has no timestamps.
    pub kernel: Option<Duration>,
    /// Copying the scores out of staging memory.
    pub readback: Duration,
}
