//! What a statistic would have been on other samples.

use super::Interval;
use crate::population::rng::{Draws, Key, Stream, Words};

/// The seed of every bootstrap: the same samples give the same interval, anywhere.
const SEED: u64 = 1979;

/// The 95 % percentile interval of a statistic of `len` samples: the quantiles 0.025 and 0.975 of what `statistic` gives
/// for `resamples` random choices of as many of them, with repetition, each by their indices. None without a sample or a
/// resample. Infinite values are kept: an interval may end at infinity.
///
/// Source: B. Efron, "Bootstrap methods: another look at the jackknife", The Annals of Statistics 7(1), 1979.
pub fn bootstrap(len: usize, resamples: u32, mut statistic: impl FnMut(&[usize]) -> f64) -> Option<Interval> {
    if len == 0 || resamples == 0 {
        return None;
    }
    let key = Key::new(SEED, 0, Stream::Bootstrap);
    let mut chosen = vec![0; len];
    let mut values: Vec<f64> = (0..resamples)
        .map(|resample| {
            let mut draws = Draws::new(Words::new(key, resample, 0));
            chosen.iter_mut().for_each(|index| *index = draws.below(len as u32) as usize);
            statistic(&chosen)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    Some(Interval { low: super::quantile(&values, 0.025), high: super::quantile(&values, 0.975) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64], chosen: &[usize]) -> f64 {
        chosen.iter().map(|index| values[*index]).sum::<f64>() / chosen.len() as f64
    }

    #[test]
    fn the_interval_of_a_mean_is_near_that_of_the_normal_theory() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let found = bootstrap(values.len(), 2000, |chosen| mean(&values, chosen)).unwrap();
        // Standard error of the mean of 0..400: 115.47 / 20 = 5.77, so 199.5 ± 11.3.
        assert!((found.low - 188.2).abs() < 1.5 && (found.high - 210.8).abs() < 1.5, "{found:?}");
    }

    #[test]
    fn one_sample_leaves_no_doubt_and_none_gives_none() {
        assert_eq!(bootstrap(1, 100, |chosen| mean(&[7.0], chosen)), Some(Interval { low: 7.0, high: 7.0 }));
        assert_eq!(bootstrap(0, 100, |_| 0.0), None);
        assert_eq!(bootstrap(5, 0, |_| 0.0), None);
    }
}
