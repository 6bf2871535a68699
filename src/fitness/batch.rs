//! Batches that are scored elsewhere than on the host: candidates go there as they are proposed, and the host is free
//! until it asks for the scores.
//!
//! ```text
//! submit   for each piece of staging memory: write ──> Staged     (proposed and copied tile by tile, on all cores)
//!          ... the device works, the host proposes for another batch ...
//! finish   scores, in the order of the tiles
//! ```
//!
//! Staging memory is for writing alone: reading it back may be a hundred times slower, so whoever undoes a proposal does
//! so in a copy of its own. That copy also serves to stage the batch again if the device is lost.
//!
//! A batch is tiles, whoever's they are. Several populations make one batch when each begins on a tile's boundary.

use std::time::Duration;

use super::Score;
pub use super::gpu::Staged;
use crate::error::Error;

/// Scores whole batches in a memory of its own, while the host does something else.
pub trait BatchScorer: Send {
    /// Lends staging memory for so many tiles, piece after piece and in their order, to `write`, which fills all of each;
    /// and has the tiles scored. Any number of batches may be under way at once; each has buffers of its own, which are
    /// made when there are more batches, or larger ones, than ever before, and then stay.
    ///
    /// # Errors
    /// [`Error::Device`] if there is no room, before `write` is called: tiles are asked for once or not at all. What goes
    /// wrong later is reported when the batch is finished.
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error>;

    /// Waits for a batch and takes its scores. If the device was lost, `rewrite` stages the same tiles again.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails, [`Error::Internal`] if no batch is under way for this ticket or it has not
    /// as many slots as there are `scores`.
    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error>;
}

/// A batch under way. One that is never finished keeps its buffers from being used again.
#[must_use = "a batch that is not finished keeps its buffers"]
#[derive(PartialEq, Eq, Debug)]
pub struct Ticket(u64);

impl Ticket {
    /// A ticket of this number, which means something to the scorer that gives it out.
    pub fn new(number: u64) -> Ticket {
        Ticket(number)
    }

    /// Its number.
    pub fn number(&self) -> u64 {
        self.0
    }
}

/// The stages of one batch on its way through a device, as the host's clock and, for the kernel, the device's saw them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchTimes {
    /// The host at work before the device was: staging memory filled, by [`BatchScorer::submit`]'s caller too, and
    /// commands recorded.
    pub upload: Duration,
    /// From submission until the host saw the scores lie ready: the copies over the link, the kernel, and all waiting
    /// for them. What the host did for other batches meanwhile is in it.
    pub device: Duration,
    /// The kernel alone by the device's clock, part of `device`; `None` where the adapter has no timestamps.
    pub kernel: Option<Duration>,
    /// The scores copied out of staging memory.
    pub readback: Duration,
}
