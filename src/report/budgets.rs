//! The numbers of evaluations at which searches are compared.

/// Places in each decade of a curve.
const A_DECADE: u32 = 20;

/// Ascending numbers of evaluations from 1 to `last`, both included: twenty a decade, evenly spaced by their logarithm, with
/// every power of ten among them. The same for all searches, so that many runs need no more memory than one.
pub fn places(last: u64) -> Vec<u64> {
    let last = last.max(1);
    let place = |step: u32| {
        let decade = 10_f64.powi((step / A_DECADE) as i32);
        (decade * 10_f64.powf(f64::from(step % A_DECADE) / f64::from(A_DECADE))).round() as u64
    };
    let mut places: Vec<u64> = (0..20 * A_DECADE).map(place).take_while(|place| *place < last).chain([last]).collect();
    places.dedup();
    places
}

/// The budgets of the fixed-budget tables: the powers of ten from 1,000, and the last place.
pub fn is_budget(evaluations: u64, last: u64) -> bool {
    evaluations == last || (evaluations >= 1000 && 10_u64.pow(evaluations.ilog10()) == evaluations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_ascend_from_1_to_the_last_over_the_powers_of_ten() {
        for last in [0, 1, 2, 999, 1000, 123_456_789, u64::MAX] {
            let places = places(last);
            assert_eq!((places[0], *places.last().unwrap()), (1, last.max(1)));
            assert!(places.is_sorted_by(|a, b| a < b), "{last}");
            let mut powers = (0..20).map(|power| 10_u64.pow(power)).take_while(|power| *power <= last);
            assert!(powers.all(|power| places.binary_search(&power).is_ok()), "{last}");
        }
        assert_eq!(places(1000).len(), 50);
    }

    #[test]
    fn budgets_are_powers_of_ten_and_the_last_place() {
        let budgets: Vec<u64> = places(2_500_000).into_iter().filter(|place| is_budget(*place, 2_500_000)).collect();
        assert_eq!(budgets, [1000, 10_000, 100_000, 1_000_000, 2_500_000]);
        assert!(is_budget(7, 7));
    }
}
