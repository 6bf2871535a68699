//! Runs of one algorithm, repeated with other seeds, and what they come to.

use std::time::Duration;

use serde::Serialize;

use crate::population::rng::{Key, Stream};
use crate::report::statistics::{Interval, Quartiles, wilson};
use crate::search::{Outcome, TracePoint};

/// The seed of an experiment's run, counted from 0. It is below 2^53, so that every JSON reader keeps it whole, and it
/// does not depend on the algorithm or the puzzle.
pub fn run_seed(seed: u64, run: u32) -> u64 {
    let [low, high, ..] = Key::new(seed, 0, Stream::Run).words(run, 0, 0);
    (u64::from(high) << 32 | u64::from(low)) >> 11
}

/// What is kept of a run for statistics.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Its seed: the same puzzle, algorithm, parameters and budget with it give the same run.
    pub seed: u64,
    /// True if the puzzle accepted the grid found.
    pub solved: bool,
    /// Candidates scored.
    pub evaluations: u64,
    /// Nodes visited by an exact method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The best total reached.
    pub total: u32,
    /// Wall time in seconds.
    #[serde(rename = "wall_s", serialize_with = "as_seconds")]
    pub wall: Duration,
    /// The fingerprint of the run.
    #[serde(serialize_with = "as_hexadecimal")]
    pub trajectory: u64,
    /// Each improvement of the best score.
    #[serde(skip)]
    pub trace: Vec<TracePoint>,
}

impl Run {
    /// The run of this seed that came to this.
    pub fn new(seed: u64, outcome: Outcome) -> Run {
        Run {
            seed,
            solved: outcome.solved(),
            evaluations: outcome.evaluations,
            nodes: outcome.nodes,
            total: outcome.score.total(),
            wall: outcome.wall,
            trajectory: outcome.trajectory,
            trace: outcome.trace,
        }
    }

    /// What it took to solve, infinite if that was not done.
    fn to_solve(&self, cost: f64) -> f64 {
        if self.solved { cost } else { f64::INFINITY }
    }
}

fn as_seconds<S: serde::Serializer>(wall: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(wall.as_secs_f64())
}

fn as_hexadecimal<S: serde::Serializer>(trajectory: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{trajectory:016x}"))
}

/// What some runs come to. A median cost that is infinite, because too few runs solved within their budget, is null in
/// JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The number of runs.
    pub runs: u64,
    /// How many of them solved.
    pub runs_solved: u64,
    /// The 95 % Wilson interval of the probability that a run solves.
    pub solved_95: Interval,
    /// The median of the candidates scored until solved.
    pub evaluations_median: f64,
    /// The median of the seconds until solved.
    pub wall_s_median: f64,
    /// The median of the best totals.
    pub total_median: f64,
    /// The best of the best totals.
    pub total_best: u32,
}

impl Summary {
    /// The summary of these runs; none if there is no run.
    pub fn of(runs: &[&Run]) -> Option<Summary> {
        let solved = runs.iter().filter(|run| run.solved).count() as u64;
        let median = |value: fn(&Run) -> f64| Some(Quartiles::of(runs.iter().map(|run| value(run)))?.median);
        Some(Summary {
            runs: runs.len() as u64,
            runs_solved: solved,
            solved_95: wilson(solved, runs.len() as u64)?,
            evaluations_median: median(|run| run.to_solve(run.evaluations as f64))?,
            wall_s_median: median(|run| run.to_solve(run.wall.as_secs_f64()))?,
            total_median: median(|run| f64::from(run.total))?,
            total_best: runs.iter().map(|run| run.total).min()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(solved: bool, evaluations: u64, total: u32) -> Run {
        let wall = Duration::from_millis(evaluations);
        Run { seed: 1, solved, evaluations, nodes: None, total, wall, trajectory: 0xAB, trace: Vec::new() }
    }

    #[test]
    fn an_unsolved_run_costs_more_than_any_budget() {
        let runs = [run(true, 300, 0), run(false, 1000, 4), run(true, 500, 0)];
        let summary = Summary::of(&runs.each_ref()).unwrap();
        assert_eq!((summary.runs, summary.runs_solved), (3, 2));
        assert_eq!((summary.evaluations_median, summary.wall_s_median), (500.0, 0.5));
        assert_eq!((summary.total_median, summary.total_best), (0.0, 0));
        let unsolved = Summary::of(&[&runs[1], &runs[0]]).unwrap();
        assert_eq!((unsolved.evaluations_median, unsolved.total_median), (f64::INFINITY, 2.0));
        assert_eq!(serde_json::to_value(unsolved).unwrap()["evaluations_median"], serde_json::Value::Null);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn value_stability_of_the_seeds_of_runs() {
        let seeds = [(1, 0), (1, 1), (2, 0), (u64::MAX, u32::MAX)].map(|(seed, run)| run_seed(seed, run));
        assert_eq!(seeds, [7_347_725_833_827_068, 6_002_184_185_948_929, 1_364_908_911_327_887, 8_999_461_141_993_531]);
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    }

    #[test]
    fn a_run_is_written_with_its_seed_and_fingerprint() {
        let expected = serde_json::json!({
            "seed": 1, "solved": true, "evaluations": 300, "total": 0, "wall_s": 0.3, "trajectory": "00000000000000ab",
        });
        assert_eq!(serde_json::to_value(run(true, 300, 0)).unwrap(), expected);
    }
}
