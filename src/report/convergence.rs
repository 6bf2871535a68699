//! How the best total falls as candidates are scored: one curve of one run or of many.

use super::statistics::Quartiles;
use crate::search::TracePoint;

/// Places along a curve, evenly spaced by the logarithm of the evaluations.
const PLACES: u32 = 400;

/// How the best total of some runs falls.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What runs these are, for the legend.
    pub name: String,
    /// Places of ascending evaluations.
    pub points: Vec<CurvePoint>,
}

/// The best totals of the runs once each of them has scored this many candidates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    /// Candidates scored by a run.
    pub evaluations: u64,
    /// Over the runs, the quartiles of the best total so far.
    pub total: Quartiles,
}

impl Curve {
    /// The curve of the runs with these improvements, from the first place where all of them have a score up to `last`
    /// evaluations. A run keeps its best total, so one that has solved stays at 0. Runs without any improvement, which
    /// scored nothing, are left out.
    pub fn new(name: impl Into<String>, traces: &[&[TracePoint]], last: u64) -> Curve {
        let traces: Vec<&[TracePoint]> = traces.iter().copied().filter(|trace| !trace.is_empty()).collect();
        let first = traces.iter().map(|trace| trace[0].evaluations).max();
        let places = first.map_or(Vec::new(), |first| places(first, last));
        let point = |evaluations: u64| {
            let totals = traces.iter().map(|trace| f64::from(total_at(trace, evaluations)));
            Some(CurvePoint { evaluations, total: Quartiles::of(totals)? })
        };
        Curve { name: name.into(), points: places.into_iter().filter_map(point).collect() }
    }
}

/// The best total after so many evaluations, which are not fewer than those of the first improvement.
fn total_at(trace: &[TracePoint], evaluations: u64) -> u32 {
    let reached = trace.partition_point(|point| point.evaluations <= evaluations);
    trace[reached.max(1) - 1].score.total()
}

/// Ascending places from `first` to `last`, both included, each once.
fn places(first: u64, last: u64) -> Vec<u64> {
    let (low, last) = (first.max(1), last.max(first).max(1));
    let ratio = last as f64 / low as f64;
    let inner = (1..PLACES).map(|k| (low as f64 * ratio.powf(f64::from(k) / f64::from(PLACES))) as u64);
    let mut places: Vec<u64> = inner.filter(|place| low < *place && *place < last).chain([low, last]).collect();
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Score;

    fn trace(steps: &[(u64, u32)]) -> Vec<TracePoint> {
        let point =
            |(evaluations, total)| TracePoint { restart: 0, epoch: 0, evaluations, score: Score::new(total, 0, 0) };
        steps.iter().copied().map(point).collect()
    }

    #[test]
    fn a_curve_tells_the_quartiles_of_the_best_totals_so_far() {
        let traces = [trace(&[(10, 30), (100, 20)]), trace(&[(10, 40), (50, 10), (90, 0)]), trace(&[(20, 35)])];
        let curve = Curve::new("three", &traces.each_ref().map(|trace| &trace[..]), 200);
        let total = |evaluations| {
            let place = curve.points.iter().rev().find(|point| point.evaluations <= evaluations).unwrap();
            [place.total.lower, place.total.median, place.total.upper]
        };
        assert_eq!((curve.points[0].evaluations, curve.points.last().unwrap().evaluations), (20, 200));
        assert_eq!(total(20), [32.5, 35.0, 37.5]);
        assert_eq!(total(50), [20.0, 30.0, 32.5]);
        assert_eq!(total(99), [15.0, 30.0, 32.5]);
        assert_eq!(total(200), [10.0, 20.0, 27.5]);
    }

    #[test]
    fn places_ascend_from_first_to_last() {
        for (first, last, count) in [(64, 1_000_000, 401), (1, 1, 1), (5, 7, 3), (9, 3, 1), (0, 0, 1)] {
            let places = places(first, last);
            assert_eq!(places.len(), count, "{first} to {last}");
            assert_eq!((places[0], *places.last().unwrap()), (first.max(1), last.max(first).max(1)));
            assert!(places.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn runs_that_scored_nothing_have_no_curve() {
        assert_eq!(Curve::new("none", &[&[]], 100).points, []);
        assert_eq!(Curve::new("none", &[], 100).points, []);
    }
}
