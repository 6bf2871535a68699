//! The summary of some runs of one algorithm, as `compare` prints it.

use serde::Serialize;

use super::statistics::{Interval, Quartiles, wilson};
use crate::experiment::Record;

/// The summary of some runs. A median cost that is infinite, because too few runs solved within their budget, is null in
/// JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The number of runs.
    pub runs: u64,
    /// The runs that solved.
    pub runs_solved: u64,
    /// The 95 % Wilson interval of the probability that a run solves.
    pub solved_95: Interval,
    /// The median of the candidates scored until solved.
    pub evaluations_median: f64,
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

impl Summary {
    /// The summary of these runs; none if there is no run.
    pub fn of(runs: &[&Record]) -> Option<Summary> {
        let solved = runs.iter().filter(|run| run.solved).count() as u64;
        let median = |values: Vec<f64>| Some(Quartiles::of(values)?.median);
        let cost = |cost: fn(&Record) -> Option<f64>| -> Vec<f64> {
            runs.iter().filter_map(|run| Some(to_solve(run, cost(run)?))).collect()
        };
        let totals = || runs.iter().filter_map(|run| run.total());
        Some(Summary {
            runs: runs.len() as u64,
            runs_solved: solved,
            solved_95: wilson(solved, runs.len() as u64)?,
            evaluations_median: median(cost(|run| Some(run.evaluations as f64)))?,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::experiment::{ScoreRecord, Setting};
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
        let summary = Summary::of(&runs.each_ref()).unwrap();
        assert_eq!((summary.runs, summary.runs_solved), (3, 2));
        assert_eq!((summary.evaluations_median, summary.wall_s_median), (500.0, 0.5));
        assert_eq!((summary.total_median, summary.total_best, summary.nodes_median), (Some(0.0), Some(0), None));
        let unsolved = Summary::of(&[&runs[1], &runs[0]]).unwrap();
        assert_eq!((unsolved.evaluations_median, unsolved.total_median), (f64::INFINITY, Some(2.0)));
        assert_eq!(serde_json::to_value(unsolved).unwrap()["evaluations_median"], serde_json::Value::Null);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn searches_without_a_population_have_nodes_and_no_totals() {
        let exact = Record { nodes: Some(41), score: None, ..run(true, 0, 0) };
        let summary = Summary::of(&[&exact]).unwrap();
        assert_eq!((summary.nodes_median, summary.total_median, summary.total_best), (Some(41.0), None, None));
    }
}
