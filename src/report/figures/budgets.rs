//! What the runs reach with fixed budgets, and what fixed targets take.

use super::{ERT, Figure, MEDIAN, PUZZLES, Pieces, QUARTILES, RATE, RATE_95, RUNS, SOLVED, VARIANT};
use super::{each_group, quartiles, shortened, variant};
use crate::report::analysis::Scope;
use crate::report::read::Study;
use crate::report::table::{Format, Table, column, count, interval, number, text};

/// The heading of the tables by puzzle.
const BY_PUZZLE: &str = "Budgets and targets by puzzle";

/// The best totals and the runs that solved at each budget.
pub const FIXED_BUDGETS: Figure = Figure {
    section: super::FIXED,
    make: |sources| {
        Ok(Pieces::tables(sources, BY_PUZZLE, |by, scopes| {
            fixed_budgets(sources.study, &format!("fixed_budgets{by}"), "Fixed budgets", scopes)
        }))
    },
};

/// The evaluations to each target.
pub const FIXED_TARGETS: Figure = Figure {
    section: super::FIXED,
    make: |sources| {
        Ok(Pieces::tables(sources, BY_PUZZLE, |by, scopes| {
            fixed_targets(sources.study, &format!("fixed_targets{by}"), "Fixed targets", scopes)
        }))
    },
};

fn fixed_budgets(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note =
        "What the runs had reached once each had scored so many candidates. A run that had ended keeps its result.";
    let columns = [
        PUZZLES,
        VARIANT,
        column("evaluations", "evaluations", Format::Cost),
        RUNS,
        SOLVED,
        RATE,
        RATE_95,
        MEDIAN,
        QUARTILES,
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, group) in each_group(scopes) {
        for at in &group.budgets {
            table.push([
                text(&scope.name),
                variant(study, group.variant),
                count(at.evaluations),
                count(group.runs),
                count(at.solved),
                number(at.solved as f64 / group.runs as f64),
                interval(at.solved_95),
                number(at.total.map(|total| total.median)),
                quartiles(at.total),
            ]);
        }
    }
    shortened(table, scopes)
}

fn fixed_targets(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "What it takes to bring the best total down to a target; 0 solves. ERT as above, with the target in place of \
                a solution.";
    let columns = [
        PUZZLES,
        VARIANT,
        column("target", "target", Format::Score),
        RUNS,
        column("met", "met", Format::Count),
        RATE,
        ERT,
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, group) in each_group(scopes) {
        for target in &group.targets {
            let spent = target.spent;
            table.push([
                text(&scope.name),
                variant(study, group.variant),
                number(f64::from(target.total)),
                count(spent.attempts),
                count(spent.successes),
                number((spent.attempts > 0).then(|| spent.successes as f64 / spent.attempts as f64)),
                number(spent.ert()),
            ]);
        }
    }
    shortened(table, scopes)
}
