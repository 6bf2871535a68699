//! Success and cost of each variant.

use super::{ERT, ERT_95, Figure, MEDIAN, PUZZLES, Pieces, QUARTILES, RATE, RATE_95, RUNS, SOLVED, VARIANT};
use super::{each_group, quartiles, shortened, variant};
use crate::report::analysis::Scope;
use crate::report::read::Study;
use crate::report::table::{Format, Table, Value, column, count, interval, number, text};

/// The results.
pub const RESULTS: Figure = Figure {
    section: super::RESULTS,
    make: |sources| {
        Ok(Pieces::tables(sources, "Results by puzzle", |by, scopes| {
            let title = if by.is_empty() { "Success and cost" } else { "Success and cost by puzzle" };
            results(sources.study, &format!("results{by}"), title, scopes)
        }))
    },
};

fn results(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "ERT: evaluations spent by all runs over the number of runs that solved. A run that spent its budget \
                counts with what it spent; in medians it counts as longer than any budget, ∞.";
    let columns = [
        PUZZLES,
        VARIANT,
        RUNS,
        SOLVED,
        RATE,
        RATE_95,
        ERT,
        ERT_95,
        column("evaluations_median", "median evaluations", Format::Cost),
        column("ert_s", "ERT, seconds", Format::Seconds),
        column("ert_s_95", "95 % interval", Format::Seconds),
        MEDIAN,
        QUARTILES,
        column("total_best", "best", Format::Score),
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, group) in each_group(scopes) {
        table.push([
            text(&scope.name),
            variant(study, group.variant),
            count(group.runs),
            count(group.solved),
            number(group.solved as f64 / group.runs as f64),
            interval(group.solved_95),
            number(group.evaluations.ert),
            interval(group.evaluations.ert_95),
            number(group.to_solve.median),
            number(group.seconds.map(|seconds| seconds.ert)),
            group.seconds.map_or(Value::None, |seconds| interval(seconds.ert_95)),
            number(group.total.map(|total| total.median)),
            quartiles(group.total),
            number(group.best.map(f64::from)),
        ]);
    }
    shortened(table, scopes)
}
