//! The cost of a success, with the failures that come before it: expected running time, run lengths, and the bootstrap
//! that gives their intervals.

use super::{Interval, quantile};
use crate::population::rng::{Draws, Key, Stream, Words};

/// Resamples of an interval: the percentiles 2.5 and 97.5 are then the 25th and the 975th of all.
const RESAMPLES: u32 = 1000;

/// The cost and the success of a run. A run without success is *censored*: it would have needed more, and it is not known
/// how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attempt {
    /// The cost until it succeeded or ended.
    pub cost: f64,
    /// True if it succeeded.
    pub success: bool,
}

impl Attempt {
    /// The cost of the success, infinite without one, as ranks and medians need it.
    pub fn to_success(self) -> f64 {
        if self.success { self.cost } else { f64::INFINITY }
    }
}

/// The total cost of some attempts, and the number of successes.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct TotalCost {
    /// Attempts.
    pub attempts: u64,
    /// Those that succeeded.
    pub successes: u64,
    /// The costs of all, the failed ones included.
    pub cost: f64,
}

impl TotalCost {
    /// Adds an attempt.
    pub fn add(&mut self, Attempt { cost, success }: Attempt) {
        self.attempts += 1;
        self.successes += u64::from(success);
        self.cost += cost;
    }

    /// The costs of both.
    pub fn merge(self, other: TotalCost) -> TotalCost {
        TotalCost {
            attempts: self.attempts + other.attempts,
            successes: self.successes + other.successes,
            cost: self.cost + other.cost,
        }
    }

    /// The expected running time, ERT: the costs of all attempts over the number of successes; infinite without a success,
    /// none without an attempt.
    ///
    /// It estimates the cost until the first success of whoever tries again, with another seed and the same budget,
    /// whenever an attempt failed. Sources: K. V. Price, "Differential evolution vs. the functions of the 2nd ICEO", Proc.
    /// IEEE ICEC, 1997 (as ENES); N. Hansen, A. Auger, R. Ros, S. Finck and P. Pošík, "Comparing results of 31 algorithms
    /// from the black-box optimization benchmarking BBOB-2009", GECCO Companion, 2010.
    pub fn ert(self) -> Option<f64> {
        match (self.attempts, self.successes) {
            (0, _) => None,
            (_, 0) => Some(f64::INFINITY),
            (_, successes) => Some(self.cost / successes as f64),
        }
    }
}

impl FromIterator<Attempt> for TotalCost {
    fn from_iter<T: IntoIterator<Item = Attempt>>(attempts: T) -> TotalCost {
        let mut spent = TotalCost::default();
        attempts.into_iter().for_each(|attempt| spent.add(attempt));
        spent
    }
}

/// The 95 % bootstrap interval of the ERT of these attempts; none without an attempt. It ends at infinity where choices
/// without a success are too frequent to be left out.
pub fn ert_interval(attempts: &[Attempt]) -> Option<Interval> {
    let statistic = |chosen: &[usize]| {
        let spent: TotalCost = chosen.iter().map(|index| attempts[*index]).collect();
        spent.ert().unwrap_or(f64::INFINITY)
    };
    bootstrap(attempts.len(), RESAMPLES, statistic)
}

/// The empirical distribution of run lengths: for each cost the share of runs that succeeded with no more. A run that
/// never succeeded counts among all runs and is reached at no cost, so the curve ends at the success rate.
///
/// Sources: H. H. Hoos and T. Stützle, "Evaluating Las Vegas algorithms: pitfalls and remedies", Proc. UAI, 1998 (run-length
/// distributions); N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar and D. Brockhoff, "COCO: a platform for comparing
/// continuous optimizers in a black-box setting", Optimization Methods and Software 36(1), 2021.
#[derive(Clone, PartialEq, Debug)]
pub struct Ecdf {
    /// The costs of those that succeeded, ascending.
    reached: Vec<f64>,
    runs: usize,
}

impl Ecdf {
    /// The distribution of these costs, infinite where a run never succeeded; none of no run.
    pub fn of(costs: impl IntoIterator<Item = f64>) -> Option<Ecdf> {
        let (mut reached, mut runs) = (Vec::new(), 0);
        for cost in costs {
            runs += 1;
            reached.extend(cost.is_finite().then_some(cost));
        }
        reached.sort_by(f64::total_cmp);
        (runs > 0).then_some(Ecdf { reached, runs })
    }

    /// The runs that succeeded with no more than this cost.
    pub fn count(&self, cost: f64) -> usize {
        self.reached.partition_point(|reached| *reached <= cost)
    }

    /// Their share of all runs.
    pub fn share(&self, cost: f64) -> f64 {
        self.count(cost) as f64 / self.runs as f64
    }
}

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
    Some(Interval { low: quantile(&values, 0.025), high: quantile(&values, 0.975) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn solved(cost: f64) -> Attempt {
        Attempt { cost, success: true }
    }

    const fn censored(cost: f64) -> Attempt {
        Attempt { cost, success: false }
    }

    #[test]
    fn the_ert_is_that_of_its_definition() {
        // By hand: (100 + 250 + 1000 + 1000) / 2. The success rate is 1/2 and the mean cost of a success 175, so by the
        // other form of the definition, with one failure expected before a success: 175 + 1 * 1000.
        let spent: TotalCost = [solved(100.0), solved(250.0), censored(1000.0), censored(1000.0)].into_iter().collect();
        assert_eq!(spent.ert(), Some(1175.0));
        assert_eq!((spent.attempts, spent.successes), (4, 2));
        assert_eq!([solved(7.0)].into_iter().collect::<TotalCost>().ert(), Some(7.0));
    }

    #[test]
    fn without_a_success_it_is_infinite_and_without_an_attempt_there_is_none() {
        assert_eq!([censored(9.0)].into_iter().collect::<TotalCost>().ert(), Some(f64::INFINITY));
        assert_eq!(TotalCost::default().ert(), None);
        assert_eq!(ert_interval(&[]), None);
    }

    #[test]
    fn merging_is_adding() {
        let (mut first, second) =
            (TotalCost::default(), [censored(3.0), solved(4.0)].into_iter().collect::<TotalCost>());
        first.add(solved(1.0));
        assert_eq!(first.merge(second), TotalCost { attempts: 3, successes: 2, cost: 8.0 });
    }

    #[test]
    fn the_interval_is_near_that_of_other_software_and_holds_the_estimate() {
        // 40 attempts with budget 1000: 30 succeed at 10, 20, ... 300. The percentile bootstrap of SciPy 1.17,
        // `scipy.stats.bootstrap((cost, success), lambda c, s: c.sum() / s.sum(), paired=True, vectorized=False,
        // method="percentile", n_resamples=20_000, random_state=1)`, gives 289.4 to 802.8.
        let attempts: Vec<Attempt> =
            (1..=30).map(|k| solved(f64::from(10 * k))).chain([censored(1000.0); 10]).collect();
        let found = ert_interval(&attempts).unwrap();
        let ert = attempts.iter().copied().collect::<TotalCost>().ert().unwrap();
        assert!((ert - 488.333).abs() < 1e-3 && found.low < ert && ert < found.high);
        assert!((found.low / 289.4 - 1.0).abs() < 0.05 && (found.high / 802.8 - 1.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn an_interval_may_end_at_infinity() {
        let found = ert_interval(&[solved(10.0), censored(100.0), censored(100.0)]).unwrap();
        assert!(found.low >= 10.0 && found.high == f64::INFINITY, "{found:?}");
    }

    #[test]
    fn it_rises_at_each_success_and_ends_at_the_success_rate() {
        let ecdf = Ecdf::of([300.0, f64::INFINITY, 100.0, 300.0, f64::INFINITY]).unwrap();
        let shares = [99.0, 100.0, 299.0, 300.0, 1e300].map(|cost| ecdf.share(cost));
        assert_eq!(shares, [0.0, 0.2, 0.2, 0.6, 0.6]);
        assert_eq!(ecdf.count(300.0), 3);
        assert_eq!(Ecdf::of([]), None);
    }

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
