//! How large a difference is, whatever its p-value.

/// The probability that a value of the first sample is **lower** than one of the second, ties counted half: 0.5 is no
/// difference, 1 the lower value in every pair. With costs the lower value is the better one, and two infinite costs tie.
/// None if a sample is empty.
///
/// Source: A. Vargha and H. D. Delaney, "A critique and improvement of the CL common language effect size statistics of
/// McGraw and Wong", Journal of Educational and Behavioral Statistics 25(2), 2000, where higher values are the better ones.
pub fn a12(first: &[f64], second: &[f64]) -> Option<f64> {
    let mut sorted = second.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins: f64 = first
        .iter()
        .map(|value| {
            let not_above = sorted.partition_point(|other| other < value);
            let tied = sorted.partition_point(|other| other <= value) - not_above;
            (sorted.len() - not_above - tied) as f64 + tied as f64 / 2.0
        })
        .sum();
    let pairs = (first.len() * second.len()) as f64;
    (pairs > 0.0).then(|| wins / pairs)
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

    #[test]
    fn it_is_the_share_of_pairs_won_counted_one_by_one() {
        // By hand: 1 wins three pairs, 2 wins two and ties one, 5 ties two, 9 wins none.
        assert_eq!(a12(&[1.0, 2.0, 5.0, 9.0], &[2.0, 5.0, 5.0]), Some((5.0 + 0.5 * 3.0) / 12.0));
        assert_eq!(a12(&[1.0, 2.0], &[3.0, 4.0]), Some(1.0));
        assert_eq!(a12(&[3.0, 4.0], &[1.0, 2.0]), Some(0.0));
        assert_eq!(a12(&[], &[1.0]), None);
    }

    #[test]
    fn it_agrees_with_other_software() {
        // SciPy 1.17: 1 - scipy.stats.mannwhitneyu(x, y).statistic / (6 * 6), with x and y as below: 1 - 8 / 36.
        let (x, y) = ([100.0, 250.0, 300.0, 420.0, NEVER, NEVER], [500.0, 600.0, NEVER, NEVER, NEVER, NEVER]);
        assert!((a12(&x, &y).unwrap() - 0.777_777_777_777_777_8).abs() < 1e-15);
    }

    #[test]
    fn runs_that_never_solved_tie_with_each_other_and_lose_to_the_rest() {
        assert_eq!(a12(&[NEVER, NEVER], &[NEVER]), Some(0.5));
        assert_eq!(a12(&[1e300], &[NEVER]), Some(1.0));
    }

    #[test]
    fn distances_have_the_words_of_the_source() {
        let words = [0.5, 0.559, 0.44, 0.36, 0.71, 1.0].map(magnitude);
        assert_eq!(words, ["negligible", "negligible", "small", "medium", "large", "large"]);
    }
}
