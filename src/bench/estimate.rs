//! What samples say: their median, and where it may well lie.

use serde::Serialize;

use crate::report::statistics::{Interval, Quartiles, bootstrap};

/// Choices with repetition behind an interval.
const RESAMPLES: u32 = 1000;

/// A median with its 95 % bootstrap interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The samples' median: a machine that does other work as well disturbs a mean more.
    pub median: f64,
    /// The lower bound of the interval.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Estimate {
    /// The estimate of these samples; none of none.
    pub fn of(samples: &[f64]) -> Option<Estimate> {
        let median = |values: &mut dyn Iterator<Item = f64>| Quartiles::of(values).map(|quartiles| quartiles.median);
        let Interval { low, high } = bootstrap(samples.len(), RESAMPLES, |chosen| {
            median(&mut chosen.iter().map(|index| samples[*index])).expect("as many as there are samples")
        })?;
        Some(Estimate { median: median(&mut samples.iter().copied())?, low, high })
    }

    /// The rate at which an amount is done in these seconds.
    pub fn rate(self, amount: f64) -> Estimate {
        Estimate { median: amount / self.median, low: amount / self.high, high: amount / self.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_median_and_one_wild_sample_moves_neither() {
        let mut samples: Vec<f64> = (0..41).map(|k| 1.0 + f64::from(k % 5) / 100.0).collect();
        let calm = Estimate::of(&samples).unwrap();
        assert_eq!(calm.median, 1.02);
        assert!(1.0 < calm.low && calm.low <= 1.02 && 1.02 <= calm.high && calm.high < 1.04, "{calm:?}");
        samples[0] = 1000.0;
        assert!(Estimate::of(&samples).unwrap().high < 1.04);
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn a_rate_turns_the_interval_round() {
        let seconds = Estimate { median: 0.5, low: 0.25, high: 1.0 };
        assert_eq!(seconds.rate(100.0), Estimate { median: 200.0, low: 100.0, high: 400.0 });
    }
}
