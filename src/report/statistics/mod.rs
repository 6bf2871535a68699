//! Statistics of many runs: success rates, costs and qualities.
//!
//! Two errors are common. A share of few runs is uncertain, so it has an interval. And the cost of a run that did not solve
//! is not unknown but *more than its budget*, so it counts as infinite: means and medians over the solved runs alone would
//! favour a search that seldom solves.

mod compare;
mod cost;

pub use compare::{RankSum, a12, holm, magnitude, stratified_p};
pub use cost::{Attempt, Ecdf, TotalCost, bootstrap, ert_interval};

/// The quantile of the standard normal distribution at 0.975: both tails together leave out 5 %.
const Z_95: f64 = 1.959_963_984_540_054;

/// A confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The 95 % score interval of a probability that brought `successes` in `trials`; none without a trial.
///
/// It keeps its level for few trials and for none or all successes, where the textbook interval collapses. Sources: E. B.
/// Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927; recommended by L. D.
/// Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16(2), 2001.
pub fn wilson(successes: u64, trials: u64) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let (n, z2) = (trials as f64, Z_95 * Z_95);
    let p = successes.min(trials) as f64 / n;
    let middle = p + z2 / (2.0 * n);
    let half = Z_95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // Exact at the ends, where rounding would leave a trace.
    let low = if successes == 0 { 0.0 } else { (middle - half) / scale };
    let high = if successes >= trials { 1.0 } else { (middle + half) / scale };
    Some(Interval { low, high })
}

/// The median and the values that a quarter of all lie below and above of. Infinite where too many values are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quartiles {
    /// A quarter lies below.
    pub lower: f64,
    /// Half lies below.
    pub median: f64,
    /// A quarter lies above.
    pub upper: f64,
}

impl Quartiles {
    /// The quartiles of values none of which is NaN; none of no value.
    ///
    /// Between two values they are interpolated linearly (definition 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in
    /// statistical packages", The American Statistician 50(4), 1996: what R and NumPy do). Between a finite and an
    /// infinite value they are infinite, so that a median is finite only if more than half of the values are.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Quartiles> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |part| (!sorted.is_empty()).then(|| quantile(&sorted, part));
        Some(Quartiles { lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)? })
    }
}

/// The value below which `part` of the ascending values lie; there is at least one.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    quantile_by_rank(sorted.len(), part, |rank| sorted[rank])
}

/// The same of `len` values of which `value` gives those of each rank from 0.
fn quantile_by_rank(len: usize, part: f64, value: impl Fn(usize) -> f64) -> f64 {
    let place = part * (len - 1) as f64;
    let (rank, beyond) = (place.floor() as usize, place.fract());
    let below = value(rank);
    if beyond == 0.0 {
        return below;
    }
    let next = value(rank + 1);
    if next.is_infinite() { next } else { below + beyond * (next - below) }
}

/// How often each value occurs: as exact as a list of all of them, in memory that grows with the number of *different*
/// values alone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Frequencies {
    /// Values in ascending order, each with the number of times it occurs.
    of: Vec<(u32, u32)>,
}

impl Frequencies {
    /// Adds one occurrence.
    pub fn add(&mut self, value: u32) {
        self.add_many(value, 1);
    }

    /// Adds all of another's.
    pub fn merge(&mut self, other: &Frequencies) {
        other.of.iter().for_each(|(value, count)| self.add_many(*value, *count));
    }

    fn add_many(&mut self, value: u32, count: u32) {
        match self.of.binary_search_by_key(&value, |(value, _)| *value) {
            Ok(place) => self.of[place].1 += count,
            Err(place) => self.of.insert(place, (value, count)),
        }
    }

    /// All occurrences.
    pub fn total(&self) -> u64 {
        self.of.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Their quartiles, as [`Quartiles::of`] has them; none without a value.
    pub fn quartiles(&self) -> Option<Quartiles> {
        let total = self.total();
        let at = |part| (total > 0).then(|| quantile_by_rank(total as usize, part, |rank| self.value(rank as u64)));
        Some(Quartiles { lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)? })
    }

    /// The value at a rank, counted from 0, of all in ascending order; infinite past the end.
    fn value(&self, rank: u64) -> f64 {
        let mut passed = 0;
        let holds = |(_, count): &&(u32, u32)| {
            passed += u64::from(*count);
            rank < passed
        };
        self.of.iter().find(holds).map_or(f64::INFINITY, |(value, _)| f64::from(*value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: f64 = f64::INFINITY;

    #[test]
    fn wilson_gives_the_published_intervals() {
        // 81 of 263, 15 of 148, 0 of 20 and 1 of 29: R. G. Newcombe, "Two-sided confidence intervals for the single
        // proportion", Statistics in Medicine 17, 1998, table I, method 3. The others were computed from the formula
        // with other software.
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (8, 10, 0.4902, 0.9433),
            (10, 10, 0.7225, 1.0),
        ] {
            let found = wilson(successes, trials).unwrap();
            assert!((found.low - low).abs() < 6e-5, "{successes} of {trials}: {found:?}");
            assert!((found.high - high).abs() < 6e-5, "{successes} of {trials}: {found:?}");
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn wilson_is_mirrored_and_within_0_and_1() {
        for trials in 1..60 {
            for successes in 0..=trials {
                let (found, mirror) = (wilson(successes, trials).unwrap(), wilson(trials - successes, trials).unwrap());
                let share = successes as f64 / trials as f64;
                assert!(0.0 <= found.low && found.low <= share && share <= found.high && found.high <= 1.0);
                assert!((found.low + mirror.high - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn quartiles_are_interpolated_as_r_and_numpy_do() {
        let quartiles = |values: &[f64]| {
            let Quartiles { lower, median, upper } = Quartiles::of(values.iter().copied()).unwrap();
            [lower, median, upper]
        };
        assert_eq!(quartiles(&[7.0, 1.0, 3.0, 10.0]), [2.5, 5.0, 7.75]);
        assert_eq!(quartiles(&[15.0, 2.0, 4.0, 9.0, 4.0, 5.0, 7.0]), [4.0, 5.0, 8.0]);
        assert_eq!(quartiles(&[3.0]), [3.0, 3.0, 3.0]);
        assert_eq!(Quartiles::of([]), None);
    }

    #[test]
    fn runs_that_never_solved_push_the_median_beyond_the_budget() {
        let median = |values: &[f64]| Quartiles::of(values.iter().copied()).unwrap().median;
        assert_eq!(median(&[5.0, NEVER, 9.0]), 9.0);
        assert_eq!(median(&[5.0, NEVER, NEVER]), NEVER);
        assert_eq!(median(&[5.0, NEVER]), NEVER);
        assert_eq!(median(&[5.0, 7.0, 9.0, NEVER]), 8.0);
        assert_eq!(median(&[NEVER, NEVER]), NEVER);
        assert_eq!(Quartiles::of([1.0, 2.0, NEVER, NEVER, NEVER]).unwrap().lower, 2.0);
    }

    #[test]
    fn quartiles_are_those_of_the_list() {
        for values in [&[7, 1, 3, 10][..], &[15, 2, 4, 9, 4, 5, 7], &[3], &[0, 0, 0, 0, 8, 8]] {
            let (mut counts, mut halves) = (Frequencies::default(), [Frequencies::default(), Frequencies::default()]);
            for (index, value) in values.iter().enumerate() {
                counts.add(*value);
                halves[index % 2].add(*value);
            }
            assert_eq!(counts.quartiles(), Quartiles::of(values.iter().map(|value| f64::from(*value))));
            let [mut merged, other] = halves;
            merged.merge(&other);
            assert_eq!((&merged, merged.total()), (&counts, values.len() as u64));
        }
        assert_eq!(Frequencies::default().quartiles(), None);
    }
}
