//! How many runs have succeeded by which cost.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_at_each_success_and_ends_at_the_success_rate() {
        let ecdf = Ecdf::of([300.0, f64::INFINITY, 100.0, 300.0, f64::INFINITY]).unwrap();
        let shares = [99.0, 100.0, 299.0, 300.0, 1e300].map(|cost| ecdf.share(cost));
        assert_eq!(shares, [0.0, 0.2, 0.2, 0.6, 0.6]);
        assert_eq!(ecdf.count(300.0), 3);
        assert_eq!(Ecdf::of([]), None);
    }
}
