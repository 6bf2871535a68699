//! Results of `compare` as tables and as JSON.

use indicatif::HumanCount;
use serde::Serialize;
use swarmdoku::experiment::{Record, Setting};
use swarmdoku::report::RunsSummary;
use swarmdoku::report::statistics::Interval;
use swarmdoku::{Error, Puzzle};

use super::{Comparison, NumberedPuzzle, RunsByAlgorithm};
use crate::cli::print_line;

const HEADINGS: [&str; 7] =
    ["algorithm", "solved", "95 % interval", "evaluations (median)", "seconds (median)", "total (median)", "(best)"];

/// What was compared, and how: enough to do it again.
pub fn head(comparison: &Comparison, evaluations: u64, first: Option<&Puzzle>) -> Result<(), Error> {
    print_line(&format!(
        "swarmdoku {}: {} runs of each algorithm on each puzzle, at most {} evaluations a run, seed {}",
        env!("CARGO_PKG_VERSION"),
        comparison.runs,
        HumanCount(evaluations),
        comparison.seed
    ))?;
    print_line("one run at a time; a run that did not solve counts as longer than any budget")?;
    let descriptions = first.map_or(Ok(Vec::new()), |puzzle| comparison.descriptions(puzzle))?;
    descriptions.iter().try_for_each(|description| print_line(&format!("  {description}")))
}

/// The options that only some algorithms use, each with those.
pub fn partly_used(options: &[String]) -> Result<(), Error> {
    options.iter().try_for_each(|option| print_line(&format!("used by some only: {option}")))
}

/// A title and one row an algorithm that has runs.
pub fn table(title: &str, comparison: &Comparison, runs: &RunsByAlgorithm) -> Result<(), Error> {
    print_line("")?;
    print_line(title)?;
    let mut rows = vec![HEADINGS.map(String::from)];
    for (name, runs) in comparison.names().zip(runs) {
        rows.extend(summary(runs).map(|summary| row(name, &summary)));
    }
    let widths: [usize; 7] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default());
    rows.iter().try_for_each(|row| print_line(&aligned(row, &widths)))
}

fn summary(runs: &[Record]) -> Option<RunsSummary> {
    RunsSummary::of(&runs.iter().collect::<Vec<&Record>>())
}

fn row(name: &str, summary: &RunsSummary) -> [String; 7] {
    let Interval { low, high } = summary.solved_95;
    let finite = |value: f64, text: String| if value.is_finite() { text } else { "> budget".into() };
    let cost = match (summary.nodes_median, summary.evaluations_median) {
        (Some(nodes), _) => finite(nodes, format!("{} nodes", HumanCount(nodes as u64))),
        (None, Some(evaluations)) => finite(evaluations, HumanCount(evaluations as u64).to_string()),
        (None, None) => "none".into(),
    };
    [
        name.into(),
        format!("{} of {}", summary.runs_solved, summary.runs),
        format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
        cost,
        finite(summary.wall_s_median, format!("{:.4}", summary.wall_s_median)),
        summary.total_median.map_or("none".into(), |total| total.to_string()),
        summary.total_best.map_or("none".into(), |total| total.to_string()),
    ]
}

/// The first column to the left, numbers to the right.
fn aligned(row: &[String; 7], widths: &[usize; 7]) -> String {
    let mut line = format!("{:<width$}", row[0], width = widths[0]);
    for (text, width) in row.iter().zip(widths).skip(1) {
        line += &format!("  {text:>width$}");
    }
    line
}

/// The runs of one algorithm on one puzzle.
#[derive(Serialize)]
struct ComparisonRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    puzzle: String,
    shape: String,
    #[serde(flatten)]
    setting: Setting,
    #[serde(flatten)]
    summary: RunsSummary,
    each: Vec<Each<'a>>,
    version: &'static str,
}

/// The result of one of these runs.
#[derive(Serialize)]
struct Each<'a> {
    seed: Option<u64>,
    solved: bool,
    evaluations: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    total: Option<u32>,
    wall_s: Option<f64>,
    trajectory: Option<&'a str>,
}

impl Each<'_> {
    fn of(record: &Record) -> Each<'_> {
        let Record { seed, solved, evaluations, nodes, wall_s, ref trajectory, .. } = *record;
        Each { seed, solved, evaluations, nodes, total: record.total(), wall_s, trajectory: trajectory.as_deref() }
    }
}

/// One object a line for each algorithm that has runs.
pub fn json(comparison: &Comparison, named: &NumberedPuzzle, runs: &RunsByAlgorithm) -> Result<(), Error> {
    for (algorithm, runs) in runs.iter().enumerate() {
        let Some(summary) = summary(runs) else { continue };
        let setting = comparison.setting(algorithm, &named.puzzle)?;
        let record = ComparisonRecord {
            name: named.name.as_deref(),
            puzzle: named.puzzle.givens().to_string(),
            shape: named.puzzle.shape().to_string(),
            setting,
            summary,
            each: runs.iter().map(Each::of).collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let line = serde_json::to_string(&record).map_err(|error| Error::Internal(format!("a comparison: {error}")))?;
        print_line(&line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_the_runs_came_to() {
        let mut summary = RunsSummary {
            runs: 10,
            runs_solved: 8,
            solved_95: Interval { low: 0.4902, high: 0.9433 },
            evaluations_median: Some(12_345.5),
            wall_s_median: 0.25,
            nodes_median: None,
            total_median: Some(0.0),
            total_best: Some(0),
        };
        let expected = ["swarm", "8 of 10", "49.0 to 94.3 %", "12,345", "0.2500", "0", "0"];
        assert_eq!(row("swarm", &summary), expected);
        (summary.evaluations_median, summary.wall_s_median) = (Some(f64::INFINITY), f64::INFINITY);
        (summary.total_median, summary.total_best) = (Some(4.5), Some(2));
        let expected = ["swarm", "8 of 10", "49.0 to 94.3 %", "> budget", "> budget", "4.5", "2"];
        assert_eq!(row("swarm", &summary), expected);
    }
}
