//! Many tests at once.

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
