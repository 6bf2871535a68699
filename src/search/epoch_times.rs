//! Where the time of an epoch went.

use std::time::Duration;

/// The stages of one epoch on an evaluator that scores batches. All but `kernel` follow each other and add up to the
/// epoch, save what the search does on single grids after it ([`super::Search::improve`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EpochTimes {
    /// Proposals made, on all cores. Where the same sweep copies them into staging memory, this is its threads' share of
    /// the sweep's wall time.
    pub propose: Duration,
    /// Proposals copied into staging memory, tile by tile as they were made, and commands recorded.
    pub upload: Duration,
    /// From submission until the host saw the scores lie ready: the copies over the link, the kernel, and all waiting for
    /// them. Where the host did something else meanwhile, that is in it.
    pub device: Duration,
    /// The kernel alone by the device's clock, part of `device`; `None` where the adapter has no timestamps.
    pub kernel: Option<Duration>,
    /// The scores copied out of staging memory.
    pub readback: Duration,
    /// Proposals accepted or undone, on all cores.
    pub accept: Duration,
    /// The search's own summary of the epoch.
    pub conclude: Duration,
}

impl EpochTimes {
    /// The whole epoch.
    pub fn total(&self) -> Duration {
        self.propose + self.upload + self.device + self.readback + self.accept + self.conclude
    }
}
