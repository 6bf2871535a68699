//! The tables of a report.

use super::analysis::{ExactGroup, Group, Scope};
use super::read::Study;
use super::table::{Column, Format, Table, Value, column, count, interval, number, text};
use crate::report::statistics::{Quartiles, magnitude};

const PUZZLES: Column = column("puzzles", "puzzles", Format::Text);
const VARIANT: Column = column("variant", "variant", Format::Text);
const RUNS: Column = column("runs", "runs", Format::Count);
const SOLVED: Column = column("solved", "solved", Format::Count);
const RATE: Column = column("success_rate", "success rate", Format::Percent);
const RATE_95: Column = column("success_rate_95", "95 % interval", Format::Percent);
const ERT: Column = column("ert", "ERT", Format::Cost);
const ERT_95: Column = column("ert_95", "95 % interval", Format::Cost);
const MEDIAN: Column = column("total_median", "median total", Format::Score);
const QUARTILES: Column = column("total_quartiles", "quartiles", Format::Score);

/// What each variant came to on each of these scopes.
pub fn results(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
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

/// The nodes of the variants without a population.
pub fn nodes(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Searches without a population score no candidates, so their cost is in nodes: the puzzle itself, and every \
                option tried after it. A run that did not solve counts as longer than any budget, ∞.";
    let columns = [
        PUZZLES,
        VARIANT,
        RUNS,
        SOLVED,
        column("nodes_median", "median nodes", Format::Cost),
        column("nodes_quartiles", "quartiles", Format::Cost),
        column("nodes", "all nodes", Format::Cost),
        column("seconds", "all seconds", Format::Seconds),
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, group) in scopes.iter().flat_map(|scope| scope.exact.iter().map(move |group| (scope, group))) {
        let ExactGroup { variant: place, runs, solved, to_solve, nodes, seconds } = group;
        table.push([
            text(&scope.name),
            variant(study, *place),
            count(*runs),
            count(*solved),
            number(to_solve.median),
            quartiles(Some(*to_solve)),
            count(*nodes),
            number(*seconds),
        ]);
    }
    shortened(table, scopes)
}

/// What each budget brought.
pub fn fixed_budgets(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
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

/// What each target took.
pub fn fixed_targets(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
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

/// Pairs of variants, tested.
pub fn pairs(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Mann-Whitney test on the evaluations to solve; runs that did not solve tie, above all that did. Over several \
                puzzles ranks are taken within each (van Elteren). p is two-sided; Holm's correction is for all rows of \
                this table. A12 is the probability that a run of the first needs fewer evaluations than a run of the second \
                on the same puzzle, ties half: 0.5 is no difference.";
    let columns = [
        PUZZLES,
        column("first", "first", Format::Text),
        column("second", "second", Format::Text),
        column("a12", "A12", Format::Effect),
        column("effect", "effect", Format::Text),
        column("p", "p", Format::P),
        column("p_holm", "p, Holm", Format::P),
        column("better", "better, at 5 %", Format::Text),
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, pair) in scopes.iter().flat_map(|scope| scope.pairs.iter().map(move |pair| (scope, pair))) {
        let better = match pair.p_holm <= 0.05 {
            true if pair.a12 > 0.5 => variant(study, pair.first),
            true => variant(study, pair.second),
            false => text("undecided"),
        };
        table.push([
            text(&scope.name),
            variant(study, pair.first),
            variant(study, pair.second),
            number(pair.a12),
            text(magnitude(pair.a12)),
            number(pair.p),
            number(pair.p_holm),
            better,
        ]);
    }
    shortened(table, scopes)
}

/// How the best totals fall, at every place of the curves.
pub fn convergence<'a>(study: &Study, id: &str, scopes: impl IntoIterator<Item = &'a Scope>) -> Table {
    let columns = [
        PUZZLES,
        VARIANT,
        column("evaluations", "evaluations", Format::Cost),
        column("runs", "runs", Format::Count),
        column("total_lower_quartile", "lower quartile", Format::Score),
        column("total_median", "median", Format::Score),
        column("total_upper_quartile", "upper quartile", Format::Score),
    ];
    let mut table = Table::new(id, "Best total over evaluations", "", &columns);
    for (scope, group) in each_group(scopes) {
        for point in &group.curve {
            table.push([
                text(&scope.name),
                variant(study, group.variant),
                count(point.evaluations),
                count(group.traced),
                number(point.total.lower),
                number(point.total.median),
                number(point.total.upper),
            ]);
        }
    }
    table
}

/// How many runs have solved, at every place of the curves.
pub fn run_lengths<'a>(study: &Study, id: &str, scopes: impl IntoIterator<Item = &'a Scope>) -> Table {
    let columns = [
        PUZZLES,
        VARIANT,
        column("evaluations", "evaluations", Format::Cost),
        RUNS,
        SOLVED,
        column("share", "share", Format::Percent),
    ];
    let mut table = Table::new(id, "Runs that have solved by so many evaluations", "", &columns);
    for (scope, group) in each_group(scopes) {
        for budget in &study.budgets {
            let cost = *budget as f64;
            table.push([
                text(&scope.name),
                variant(study, group.variant),
                count(*budget),
                count(group.runs),
                count(group.run_lengths.count(cost) as u64),
                number(group.run_lengths.share(cost)),
            ]);
        }
    }
    table
}

/// The plan's puzzles.
pub fn puzzles(study: &Study) -> Table {
    let columns = [
        column("puzzle", "puzzle", Format::Text),
        column("shape", "shape", Format::Text),
        column("givens", "givens", Format::Count),
        column("grid", "grid", Format::Grid),
    ];
    let mut table = Table::new("puzzles", "Puzzles", "", &columns);
    for puzzle in &study.manifest.plan.puzzles {
        let givens = puzzle.puzzle.chars().filter(|cell| *cell != '.').count() as u64;
        table.push([text(&puzzle.name), text(&puzzle.shape), count(givens), text(&puzzle.puzzle)]);
    }
    table
}

/// The plan's variants.
pub fn variants(study: &Study) -> Table {
    let columns =
        [VARIANT, column("algorithm", "algorithm", Format::Text), column("parameters", "parameters", Format::Text)];
    let mut table = Table::new("variants", "Variants", "", &columns);
    for variant in &study.manifest.plan.variants {
        table.push([text(&variant.name), text(&variant.algorithm), text(assignments(&variant.parameters))]);
    }
    table
}

/// The fields of a JSON object as `key=value`, without those that are null.
pub fn assignments(object: &serde_json::Value) -> String {
    let Some(fields) = object.as_object() else { return object.to_string() };
    let shown = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let given = fields.iter().filter(|(_, value)| !value.is_null());
    given.map(|(key, value)| format!("{key}={}", shown(value))).collect::<Vec<_>>().join(", ")
}

fn each_group<'a>(scopes: impl IntoIterator<Item = &'a Scope>) -> impl Iterator<Item = (&'a Scope, &'a Group)> {
    scopes.into_iter().flat_map(|scope| scope.groups.iter().map(move |group| (scope, group)))
}

fn variant(study: &Study, place: usize) -> Value {
    text(&study.manifest.plan.variants[place].name)
}

fn quartiles(quartiles: Option<Quartiles>) -> Value {
    quartiles.map_or(Value::None, |Quartiles { lower, upper, .. }| Value::Range(lower, upper))
}

/// Without the column of the puzzles where all rows are of the same, and without columns that are empty throughout.
fn shortened(table: Table, scopes: &[Scope]) -> Table {
    table.without(if scopes.len() == 1 { &["puzzles"] } else { &[] })
}
