//! The summary of runs that are in memory, as `solve` and `compare` show them: medians, and the curve of the best totals.

use serde::Serialize;

use super::statistics::{Interval, Quartiles, wilson};
use crate::experiment::Record;
use crate::search::TracePoint;

/// The summary of some runs. A median cost that is infinite, because too few runs solved within their budget, is null in
/// JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RunsSummary {
    /// The number of runs.
    pub runs: u64,
    /// The runs that solved.
    pub runs_solved: u64,
    /// The 95 % Wilson interval of the probability that a run solves.
    pub solved_95: Interval,
    /// The median of the candidates scored until solved; none if nodes are counted.
    pub evaluations_median: Option<f64>,
    /// The median of the nodes visited until solved; none if none are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_median: Option<f64>,
    /// The median of the seconds until solved.
    pub wall_s_median: f64,
    /// The median of the best totals; none if nothing was scored.
    pub total_median: Option<f64>,
    /// The best of the best totals.
    pub total_best: Option<u32>,
}

impl RunsSummary {
    /// The summary of these runs; none if there is no run.
    pub fn of(runs: &[&Record]) -> Option<RunsSummary> {
        let solved = runs.iter().filter(|run| run.solved).count() as u64;
        let median = |values: Vec<f64>| Some(Quartiles::of(values)?.median);
        let cost = |cost: fn(&Record) -> Option<f64>| -> Vec<f64> {
            runs.iter().filter_map(|run| Some(to_solve(run, cost(run)?))).collect()
        };
        let totals = || runs.iter().filter_map(|run| run.total());
        Some(RunsSummary {
            runs: runs.len() as u64,
            runs_solved: solved,
            solved_95: wilson(solved, runs.len() as u64)?,
            evaluations_median: median(cost(|run| run.nodes.is_none().then_some(run.evaluations as f64))),
            nodes_median: median(cost(|run| Some(run.nodes? as f64))),
            wall_s_median: median(cost(|run| Some(run.wall_s.unwrap_or(f64::INFINITY))))?,
            total_median: median(totals().map(f64::from).collect()),
            total_best: totals().min(),
        })
    }
}

/// The cost of a solution, infinite if the run found none.
fn to_solve(run: &Record, cost: f64) -> f64 {
    if run.solved { cost } else { f64::INFINITY }
}

/// Places along a curve, evenly spaced by the logarithm of the evaluations.
const PLACES: u32 = 400;

/// The best total of some runs over evaluations.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The name in the legend.
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
    use serde_json::json;

    use super::*;
    use crate::experiment::{ScoreRecord, Setting};
    use crate::fitness::Score;
    use crate::sudoku::{Grid, Shape};

    fn run(solved: bool, evaluations: u64, total: u32) -> Record {
        let givens = Grid::empty(Shape::new(2, 2).unwrap());
        Record {
            solved,
            evaluations,
            score: Some(ScoreRecord { rows: total, columns: 0, blocks: 0, total }),
            wall_s: Some(evaluations as f64 / 1000.0),
            ..Record::unsolvable(None, &givens, Setting::new("anneal", json!({})))
        }
    }

    #[test]
    fn an_unsolved_run_costs_more_than_any_budget() {
        let runs = [run(true, 300, 0), run(false, 1000, 4), run(true, 500, 0)];
        let summary = RunsSummary::of(&runs.each_ref()).unwrap();
        assert_eq!((summary.runs, summary.runs_solved), (3, 2));
        assert_eq!((summary.evaluations_median, summary.wall_s_median), (Some(500.0), 0.5));
        assert_eq!((summary.total_median, summary.total_best, summary.nodes_median), (Some(0.0), Some(0), None));
        let unsolved = RunsSummary::of(&[&runs[1], &runs[0]]).unwrap();
        assert_eq!((unsolved.evaluations_median, unsolved.total_median), (Some(f64::INFINITY), Some(2.0)));
        assert_eq!(serde_json::to_value(unsolved).unwrap()["evaluations_median"], serde_json::Value::Null);
        assert_eq!(RunsSummary::of(&[]), None);
    }

    #[test]
    fn searches_without_a_population_have_nodes_and_no_totals() {
        let exact = Record { nodes: Some(41), score: None, ..run(true, 0, 0) };
        let summary = RunsSummary::of(&[&exact]).unwrap();
        assert_eq!((summary.nodes_median, summary.total_median, summary.total_best), (Some(41.0), None, None));
    }

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
