//! What a success costs, with the failures that come before it.

use super::{Interval, bootstrap};

/// Resamples of an interval: the percentiles 2.5 and 97.5 are then the 25th and the 975th of all.
const RESAMPLES: u32 = 1000;

/// A run as far as its cost goes: what it spent, and whether it succeeded with that. One that did not is *censored*: it
/// would have needed more than it was given, nobody knows how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attempt {
    /// What it spent until it succeeded or gave up.
    pub cost: f64,
    /// True if it succeeded.
    pub success: bool,
}

impl Attempt {
    /// What it took to succeed, infinite if that was not done: how ranks and medians see it.
    pub fn to_success(self) -> f64 {
        if self.success { self.cost } else { f64::INFINITY }
    }
}

/// What some attempts spent together, and how many of them succeeded.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Spent {
    /// Attempts.
    pub attempts: u64,
    /// Those that succeeded.
    pub successes: u64,
    /// The costs of all, the failed ones included.
    pub cost: f64,
}

impl Spent {
    /// Adds an attempt.
    pub fn add(&mut self, Attempt { cost, success }: Attempt) {
        self.attempts += 1;
        self.successes += u64::from(success);
        self.cost += cost;
    }

    /// The costs of both.
    pub fn merge(self, other: Spent) -> Spent {
        Spent {
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

impl FromIterator<Attempt> for Spent {
    fn from_iter<T: IntoIterator<Item = Attempt>>(attempts: T) -> Spent {
        let mut spent = Spent::default();
        attempts.into_iter().for_each(|attempt| spent.add(attempt));
        spent
    }
}

/// The 95 % bootstrap interval of the ERT of these attempts; none without an attempt. It ends at infinity where choices
/// without a success are too frequent to be left out.
pub fn ert_interval(attempts: &[Attempt]) -> Option<Interval> {
    let statistic = |chosen: &[usize]| {
        let spent: Spent = chosen.iter().map(|index| attempts[*index]).collect();
        spent.ert().unwrap_or(f64::INFINITY)
    };
    bootstrap(attempts.len(), RESAMPLES, statistic)
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
        let spent: Spent = [solved(100.0), solved(250.0), censored(1000.0), censored(1000.0)].into_iter().collect();
        assert_eq!(spent.ert(), Some(1175.0));
        assert_eq!((spent.attempts, spent.successes), (4, 2));
        assert_eq!([solved(7.0)].into_iter().collect::<Spent>().ert(), Some(7.0));
    }

    #[test]
    fn without_a_success_it_is_infinite_and_without_an_attempt_there_is_none() {
        assert_eq!([censored(9.0)].into_iter().collect::<Spent>().ert(), Some(f64::INFINITY));
        assert_eq!(Spent::default().ert(), None);
        assert_eq!(ert_interval(&[]), None);
    }

    #[test]
    fn merging_is_adding() {
        let (mut first, second) = (Spent::default(), [censored(3.0), solved(4.0)].into_iter().collect::<Spent>());
        first.add(solved(1.0));
        assert_eq!(first.merge(second), Spent { attempts: 3, successes: 2, cost: 8.0 });
    }

    #[test]
    fn the_interval_is_near_that_of_other_software_and_holds_the_estimate() {
        // 40 attempts with budget 1000: 30 succeed at 10, 20, ... 300. The percentile bootstrap of SciPy 1.17,
        // `scipy.stats.bootstrap((cost, success), lambda c, s: c.sum() / s.sum(), paired=True, vectorized=False,
        // method="percentile", n_resamples=20_000, random_state=1)`, gives 289.4 to 802.8.
        let attempts: Vec<Attempt> =
            (1..=30).map(|k| solved(f64::from(10 * k))).chain([censored(1000.0); 10]).collect();
        let found = ert_interval(&attempts).unwrap();
        let ert = attempts.iter().copied().collect::<Spent>().ert().unwrap();
        assert!((ert - 488.333).abs() < 1e-3 && found.low < ert && ert < found.high);
        assert!((found.low / 289.4 - 1.0).abs() < 0.05 && (found.high / 802.8 - 1.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn an_interval_may_end_at_infinity() {
        let found = ert_interval(&[solved(10.0), censored(100.0), censored(100.0)]).unwrap();
        assert!(found.low >= 10.0 && found.high == f64::INFINITY, "{found:?}");
    }
}
