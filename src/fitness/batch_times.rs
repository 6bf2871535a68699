//! Where the time of a batch went that was scored in a memory other than the host's.

use std::time::Duration;

/// The stages of one batch on its way through a device, as the host's clock and, for the kernel, the device's saw them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchTimes {
    /// The host at work before the device was: staging memory waited for, candidates copied into it, commands recorded.
    pub upload: Duration,
    /// From submission until the scores lay ready: the copies over the link, the kernel, and all waiting for them.
    pub device: Duration,
    /// The kernel alone by the device's clock, part of `device`; `None` where the adapter has no timestamps.
    pub kernel: Option<Duration>,
    /// The scores copied out of staging memory.
    pub readback: Duration,
}
