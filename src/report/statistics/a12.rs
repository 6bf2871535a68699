//! How large a difference is, whatever its p-value.

use super::RankSum;

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

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: f64 = f64::INFINITY;

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
}
