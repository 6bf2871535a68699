//! Comparisons of two samples: the rank-sum test of Mann and Whitney, the size of a difference, and Holm's correction for
//! many tests.
//!
//! Ranks take censored runs as they are: a run that never succeeded ranks above all that did, and such runs tie with each
//! other. With samples of at most [`EXACT`] values and no tie the p-value is exact; otherwise it is that of the normal
//! approximation with corrections for ties and continuity. Both are what SciPy's `mannwhitneyu` computes.
//!
//! `statrs` has this test too, but compares all pairs of values before it sorts, and lists all choices of one sample's
//! ranks, which takes far too long for samples of 8 and 1000; so only its normal distribution is used here, and the tests
//! compare the rest with it.

use std::sync::OnceLock;

use statrs::distribution::{ContinuousCDF, Normal};

/// The largest samples whose p-value is computed exactly.
const EXACT: usize = 20;

/// The rank sums of two samples.
///
/// Sources: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other", The Annals of Mathematical Statistics 18(1), 1947; for ties E. L. Lehmann, "Nonparametrics", 1975.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankSum {
    /// The pairs in which the value of the first sample is the higher one, ties counted half.
    pub u: f64,
    sizes: (usize, usize),
    tied: bool,
    variance: f64,
}

impl RankSum {
    /// Ranks the values of both samples, none of which is NaN; none if one is empty.
    pub fn of(first: &[f64], second: &[f64]) -> Option<RankSum> {
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let mut all: Vec<(f64, bool)> =
            first.iter().map(|value| (*value, true)).chain(second.iter().map(|value| (*value, false))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut rank_sum, mut ties, mut before) = (0.0, 0.0, 0.0);
        for equals in all.chunk_by(|a, b| a.0 == b.0) {
            let count = equals.len() as f64;
            let middle_rank = before + (count + 1.0) / 2.0;
            rank_sum += middle_rank * equals.iter().filter(|(_, of_first)| *of_first).count() as f64;
            ties += count * count * count - count;
            before += count;
        }
        let (m, n, total) = (first.len() as f64, second.len() as f64, before);
        Some(RankSum {
            u: rank_sum - m * (m + 1.0) / 2.0,
            sizes: (first.len(), second.len()),
            tied: ties > 0.0,
            variance: m * n / 12.0 * (total + 1.0 - ties / (total * (total - 1.0))),
        })
    }

    /// The two-sided p-value of the hypothesis that both samples are of one distribution.
    pub fn p(&self) -> f64 {
        let (m, n) = self.sizes;
        let highest = self.u.max(self.pairs() - self.u);
        if !self.tied && m.max(n) <= EXACT {
            return exact_p(m, n, highest as usize);
        }
        two_sided((highest - self.mean() - 0.5) / self.variance.sqrt())
    }

    /// The pairs of a value of the first and one of the second sample.
    pub fn pairs(&self) -> f64 {
        let (m, n) = self.sizes;
        m as f64 * n as f64
    }

    fn mean(&self) -> f64 {
        self.pairs() / 2.0
    }

    fn values(&self) -> f64 {
        let (m, n) = self.sizes;
        (m + n) as f64
    }
}

/// The two-sided p-value over several strata, here puzzles: each stratum's values are ranked among themselves alone, so
/// that a hard puzzle and an easy one do not blur the difference. One stratum is the plain test; none without any.
///
/// Each stratum weighs 1 / (values + 1), which is the best choice for a shift that is the same everywhere. Source: P. H.
/// van Elteren, "On the combination of independent two sample tests of Wilcoxon", Bulletin of the International
/// Statistical Institute 37, 1960. Normal approximation, ties corrected, without continuity correction.
pub fn stratified_p(strata: &[RankSum]) -> Option<f64> {
    if let [] | [_] = strata {
        return strata.first().map(RankSum::p);
    }
    let (mut shift, mut variance) = (0.0, 0.0);
    for stratum in strata {
        let weight = 1.0 / (stratum.values() + 1.0);
        shift += weight * (stratum.u - stratum.mean());
        variance += weight * weight * stratum.variance;
    }
    Some(two_sided(shift.abs() / variance.sqrt()))
}

/// The probability of a standard normal value as far from 0 as `z` or farther. Where all values tie, `z` is infinite or NaN
/// on the side of no evidence, which is certainty.
fn two_sided(z: f64) -> f64 {
    if z.is_nan() { 1.0 } else { (2.0 * Normal::standard().sf(z)).min(1.0) }
}

/// Twice the probability that `u` or more of the pairs of two samples of `m` and `n` values, all different, are won by the
/// first, if their order is random.
fn exact_p(m: usize, n: usize, u: usize) -> f64 {
    static KEPT: [[OnceLock<Vec<f64>>; EXACT + 1]; EXACT + 1] =
        [const { [const { OnceLock::new() }; EXACT + 1] }; EXACT + 1];
    let tail: f64 = KEPT[m][n].get_or_init(|| null_distribution(m, n))[u..].iter().sum();
    (2.0 * tail).min(1.0)
}

/// The probability of each number of pairs won, by Mann and Whitney's recurrence: the highest of all values is of the first
/// sample with probability m / (m + n), and then wins n pairs.
fn null_distribution(m: usize, n: usize) -> Vec<f64> {
    let mut of_rows = vec![vec![1.0]; n + 1];
    for first in 1..=m {
        of_rows[0] = vec![1.0];
        for second in 1..=n {
            let (before, after) = of_rows.split_at_mut(second);
            let (without_second, without_first) = (&before[second - 1], &after[0]);
            let share = first as f64 / (first + second) as f64;
            let mut wins = vec![0.0; first * second + 1];
            without_first.iter().enumerate().for_each(|(u, p)| wins[u + second] += share * p);
            without_second.iter().enumerate().for_each(|(u, p)| wins[u] += (1.0 - share) * p);
            after[0] = wins;
        }
    }
    of_rows.swap_remove(n)
}

/// The probability that a value of the first sample is **lower** than one of the second, ties counted half: 0.5 is no
/// difference, 1 the lower value in every pair. With costs the lower value is the better one, and two infinite costs tie.
/// Of several strata, here puzzles, both values are of the same one. None without a stratum.
///
/// Source: A. Vargha and H. D. Delaney, "A critique and improvement of the CL common language effect size statistics of
/// McGraw and Wong", Journal of Educational and Behavioral Statistics 25(2), 2000, where higher values are the better ones.
pub fn a12(strata: &[RankSum]) -> Option<f64> {
    let pairs: f64 = strata.iter().map(RankSum::pairs).sum();
    let lost: f64 = strata.iter().map(|stratum| stratum.u).sum();
    (pairs > 0.0).then(|| 1.0 - lost / pairs)
}

/// The source's words for a distance from 0.5: the next one begins at 0.56, 0.64 and 0.71, or at 0.44, 0.36 and 0.29.
pub fn magnitude(a12: f64) -> &'static str {
    match a12.max(1.0 - a12) {
        share if share >= 0.71 => "large",
        share if share >= 0.64 => "medium",
        share if share >= 0.56 => "small",
        _ => "negligible",
    }
}

/// The p-values of one family of tests, adjusted by Holm's step-down method: reject each whose adjusted value is at most
/// the level, and the probability of any false rejection in the family is at most the level, however the tests depend on
/// each other.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2), 1979.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let factor = (p_values.len() - rank) as f64;
        highest = highest.max((factor * p_values[index]).min(1.0));
        adjusted[index] = highest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    use statrs::stats_tests::Alternative;
    use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

    const NEVER: f64 = f64::INFINITY;

    fn u_and_p(first: &[f64], second: &[f64]) -> (f64, f64) {
        let ranks = RankSum::of(first, second).unwrap();
        (ranks.u, ranks.p())
    }

    fn is_near(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-9
    }

    #[test]
    fn u_and_p_are_those_of_scipy() {
        // SciPy 1.17, `scipy.stats.mannwhitneyu(x, y)`; the first is the example of its documentation.
        let (x, y) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        let (u, p) = u_and_p(&x, &y);
        assert!(u == 17.0 && is_near(p, 0.111_111_111_111_111_1), "{u} {p}");
        // With runs that never solved, so with ties: the normal approximation.
        let (x, y) = ([100.0, 250.0, 300.0, 420.0, NEVER, NEVER], [500.0, 600.0, NEVER, NEVER, NEVER, NEVER]);
        let (u, p) = u_and_p(&x, &y);
        assert!(u == 8.0 && is_near(p, 0.104_414_572_374_329_51), "{u} {p}");
        // Exact, 8 against 20: `mannwhitneyu(range(8), [k + 3.5 for k in range(20)])`.
        let x: Vec<f64> = (0..8).map(f64::from).collect();
        let y: Vec<f64> = (0..20).map(|k| f64::from(k) + 3.5).collect();
        let (u, p) = u_and_p(&x, &y);
        assert!(u == 10.0 && is_near(p, 8.751_313_099_139_186e-5), "{u} {p}");
        // Far apart: `mannwhitneyu(range(60), range(100, 160))`. No digit is lost in the tail.
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let y: Vec<f64> = (100..160).map(f64::from).collect();
        let (u, p) = u_and_p(&x, &y);
        assert!(u == 0.0 && is_near(p, 3.556_570_974_984_722_6e-21), "{u} {p}");
    }

    #[test]
    fn approximations_are_those_of_statrs() {
        for (m, n) in [(9, 21), (30, 12), (25, 25)] {
            let first: Vec<f64> = (0..m).map(|k| f64::from(k * 7 % 11)).collect();
            let second: Vec<f64> = (0..n).map(|k| f64::from(k * 5 % 13)).collect();
            let method = MannWhitneyUMethod::AsymptoticInclContinuityCorrection;
            let expected = mannwhitneyu(&first, &second, method, Alternative::TwoSided).unwrap();
            let (u, p) = u_and_p(&first, &second);
            assert!(u == expected.0 && (p - expected.1).abs() < 1e-12, "{m} {n}: {u} {p} {expected:?}");
        }
    }

    #[test]
    fn the_exact_distribution_is_that_of_all_orders() {
        // Of the 10 ways in which 2 values can lie among 3 others, each as likely: 1 1 2 2 2 1 1.
        let shares = [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0].map(|ways| ways / 10.0);
        let found = null_distribution(2, 3);
        assert!(found.len() == 7 && found.iter().zip(shares).all(|(found, share)| (found - share).abs() < 1e-15));
        for (m, n) in [(1, 1), (20, 20), (3, 17)] {
            assert!((null_distribution(m, n).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn samples_that_tie_throughout_are_no_evidence_and_empty_ones_no_test() {
        assert_eq!(u_and_p(&[NEVER; 3], &[NEVER; 4]), (6.0, 1.0));
        assert_eq!(u_and_p(&[1.0], &[2.0]).1, 1.0);
        assert_eq!(RankSum::of(&[], &[1.0]), None);
        let tied = RankSum::of(&[NEVER; 3], &[NEVER; 4]).unwrap();
        assert_eq!(stratified_p(&[tied, tied]), Some(1.0));
    }

    #[test]
    fn strata_agree_with_other_software_and_do_not_blur() {
        // Two puzzles, the second a hundred times as hard as the first.
        let easy = ([10.0, 12.0, 15.0, 21.0, 22.0], [14.0, 20.0, 26.0, 30.0, NEVER]);
        let hard = ([1000.0, 1300.0, 1500.0, NEVER, NEVER], [1400.0, 2000.0, NEVER, NEVER, NEVER]);
        let strata = [&easy, &hard].map(|(first, second)| RankSum::of(first, second).unwrap());
        let p = stratified_p(&strata).unwrap();
        // NumPy and SciPy by the formula, with `scipy.stats.rankdata` and `norm.sf`: 0.06743; a test by 100,000
        // permutations of the ranks within the puzzles gave 0.080.
        assert!(is_near(p, 0.067_429_300_928_205_9), "{p}");
        let together = |index: usize| -> Vec<f64> {
            [&easy, &hard].iter().flat_map(|pair| if index == 0 { pair.0 } else { pair.1 }).collect()
        };
        assert!(p < u_and_p(&together(0), &together(1)).1, "{p}");
        assert_eq!(stratified_p(&strata[..1]), Some(strata[0].p()));
        assert_eq!(stratified_p(&[]), None);
    }

    fn a12_of(first: &[f64], second: &[f64]) -> Option<f64> {
        a12(&[RankSum::of(first, second)?])
    }

    #[test]
    fn it_is_the_share_of_pairs_won_counted_one_by_one() {
        // By hand: 1 wins three pairs, 2 wins two and ties one, 5 ties two, 9 wins none.
        let found = a12_of(&[1.0, 2.0, 5.0, 9.0], &[2.0, 5.0, 5.0]).unwrap();
        assert!((found - (5.0 + 0.5 * 3.0) / 12.0).abs() < 1e-15);
        assert_eq!(a12_of(&[1.0, 2.0], &[3.0, 4.0]), Some(1.0));
        assert_eq!(a12_of(&[3.0, 4.0], &[1.0, 2.0]), Some(0.0));
        assert_eq!(a12(&[]), None);
    }

    #[test]
    fn it_agrees_with_other_software() {
        // NumPy 2.4: `(x[:, None] < y).mean() + (x[:, None] == y).mean() / 2` of these arrays.
        let (x, y) = ([100.0, 250.0, 300.0, 420.0, NEVER, NEVER], [500.0, 600.0, NEVER, NEVER, NEVER, NEVER]);
        assert!((a12_of(&x, &y).unwrap() - 0.777_777_777_777_777_8).abs() < 1e-15);
    }

    #[test]
    fn runs_that_never_solved_tie_with_each_other_and_lose_to_the_rest() {
        assert_eq!(a12_of(&[NEVER, NEVER], &[NEVER]), Some(0.5));
        assert_eq!(a12_of(&[1e300], &[NEVER]), Some(1.0));
    }

    #[test]
    fn over_several_puzzles_runs_meet_on_the_same_one() {
        let strata = [RankSum::of(&[1.0], &[2.0]).unwrap(), RankSum::of(&[90.0, 80.0], &[70.0]).unwrap()];
        assert!((a12(&strata).unwrap() - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn distances_have_the_words_of_the_source() {
        let words = [0.5, 0.559, 0.44, 0.36, 0.71, 1.0].map(magnitude);
        assert_eq!(words, ["negligible", "negligible", "small", "medium", "large", "large"]);
    }

    #[test]
    fn the_smallest_is_taken_times_all_and_each_next_times_one_fewer() {
        // By hand: 4 * 0.005, 3 * 0.01, 2 * 0.03, and 1 * 0.04 raised to the one before.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(
            adjusted.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15),
            "{adjusted:?}"
        );
    }

    #[test]
    fn they_neither_fall_below_the_given_ones_nor_rise_above_1() {
        assert_eq!(holm(&[]), [] as [f64; 0]);
        assert_eq!(holm(&[0.2]), [0.2]);
        assert_eq!(holm(&[0.9, 0.5, 0.6]), [1.0, 1.0, 1.0]);
    }
}
