//! Where an epoch's time went, in seconds.

use std::time::Duration;

use serde::Serialize;

use crate::report::statistics::Quartiles;
use crate::search::EpochTimes;

/// Seconds of each part of an epoch that is scored as a batch. All but `kernel_s` follow one another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Parts {
    /// Proposals made, on all cores.
    pub propose_s: f64,
    /// Candidates copied to where the device fetches them.
    pub upload_s: f64,
    /// From submission until the scores lay ready.
    pub device_s: f64,
    /// The kernel alone by the device's clock, a part of `device_s`; none where it has no timestamps.
    pub kernel_s: Option<f64>,
    /// The scores copied back.
    pub readback_s: f64,
    /// Proposals accepted or undone, on all cores.
    pub accept_s: f64,
    /// The search's summary of the epoch.
    pub conclude_s: f64,
}

impl Parts {
    /// The mean of some epochs; none of none.
    pub fn mean(epochs: &[EpochTimes]) -> Option<Parts> {
        let mean = |part: fn(&EpochTimes) -> Duration| {
            epochs.iter().map(|epoch| part(epoch).as_secs_f64()).sum::<f64>() / epochs.len() as f64
        };
        let kernels: Option<Duration> = epochs.iter().map(|epoch| epoch.kernel).sum();
        (!epochs.is_empty()).then(|| Parts {
            propose_s: mean(|epoch| epoch.propose),
            upload_s: mean(|epoch| epoch.upload),
            device_s: mean(|epoch| epoch.device),
            kernel_s: kernels.map(|kernels| kernels.as_secs_f64() / epochs.len() as f64),
            readback_s: mean(|epoch| epoch.readback),
            accept_s: mean(|epoch| epoch.accept),
            conclude_s: mean(|epoch| epoch.conclude),
        })
    }

    /// The median of each part over some samples; none of none.
    pub fn median(samples: &[Parts]) -> Option<Parts> {
        let median = |values: Vec<f64>| Quartiles::of(values).map(|quartiles| quartiles.median);
        let of = |part: fn(&Parts) -> f64| median(samples.iter().map(part).collect());
        Some(Parts {
            propose_s: of(|parts| parts.propose_s)?,
            upload_s: of(|parts| parts.upload_s)?,
            device_s: of(|parts| parts.device_s)?,
            kernel_s: median(samples.iter().filter_map(|parts| parts.kernel_s).collect()),
            readback_s: of(|parts| parts.readback_s)?,
            accept_s: of(|parts| parts.accept_s)?,
            conclude_s: of(|parts| parts.conclude_s)?,
        })
    }

    /// All parts by name, one after the other as they come in an epoch, and together as long as it. What the device did
    /// beside the kernel is a part of its own: the copies over the link, and waiting.
    pub fn stages(&self) -> Vec<(&'static str, f64)> {
        let device = match self.kernel_s {
            Some(kernel) => vec![("kernel", kernel), ("link and wait", (self.device_s - kernel).max(0.0))],
            None => vec![("device", self.device_s)],
        };
        let before = [("propose", self.propose_s), ("upload", self.upload_s)];
        let after = [("readback", self.readback_s), ("accept", self.accept_s), ("conclude", self.conclude_s)];
        before.into_iter().chain(device).chain(after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(millis: u64, kernel: Option<u64>) -> EpochTimes {
        let [propose, upload, device, readback, accept, conclude] =
            [1, 2, 4, 8, 16, 32].map(|part| Duration::from_millis(part * millis));
        EpochTimes { propose, upload, device, kernel: kernel.map(Duration::from_millis), readback, accept, conclude }
    }

    #[test]
    fn epochs_are_averaged_and_their_stages_add_up_to_the_whole() {
        let parts = Parts::mean(&[times(1, Some(1)), times(3, Some(3))]).unwrap();
        let expected = [
            ("propose", 0.002),
            ("upload", 0.004),
            ("kernel", 0.002),
            ("link and wait", 0.006),
            ("readback", 0.016),
            ("accept", 0.032),
            ("conclude", 0.064),
        ];
        assert_eq!(parts.stages().len(), expected.len());
        for ((name, seconds), (expected_name, expected)) in parts.stages().into_iter().zip(expected) {
            assert!(name == expected_name && (seconds - expected).abs() < 1e-12, "{name} {seconds}");
        }
        assert_eq!(Parts::mean(&[]), None);
    }

    #[test]
    fn a_kernel_that_was_not_timed_every_time_has_no_mean_and_the_device_is_one_stage() {
        let parts = Parts::mean(&[times(1, Some(1)), times(1, None)]).unwrap();
        assert_eq!((parts.kernel_s, parts.stages()[2]), (None, ("device", 0.004)));
    }

    #[test]
    fn medians_are_taken_part_by_part() {
        let samples =
            [times(1, None), times(9, Some(5)), times(2, Some(7))].map(|epoch| Parts::mean(&[epoch]).unwrap());
        let median = Parts::median(&samples).unwrap();
        assert_eq!((median.propose_s, median.conclude_s, median.kernel_s), (0.002, 0.064, Some(0.006)));
        assert_eq!(Parts::median(&[]), None);
    }
}
