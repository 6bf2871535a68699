//! The figures that are tables alone: results, nodes, pairs of variants, fixed budgets and targets, and the plan.

use super::{ERT, ERT_95, Figure, MEDIAN, PUZZLES, Pieces, QUARTILES, RATE, RATE_95, RUNS, SOLVED, VARIANT};
use super::{assignments, each_group, quartiles, shortened, variant};
use crate::report::analysis::{ExactGroup, Scope};
use crate::report::page::Part;
use crate::report::read::Study;
use crate::report::statistics::magnitude;
use crate::report::table::{Format, Table, Value, column, count, interval, number, text};

/// Success and cost of each variant.
pub(super) const RESULTS: Figure = Figure {
    section: super::RESULTS,
    make: |sources| {
        Ok(Pieces::tables(sources, "Results by puzzle", |by, scopes| {
            let title = if by.is_empty() { "Success and cost" } else { "Success and cost by puzzle" };
            results(sources.study, &format!("results{by}"), title, scopes)
        }))
    },
};

fn results(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "ERT (expected running time): the evaluations of all runs divided by the number of runs that solved. A run that \
                did not solve counts with its evaluations; in medians it counts as longer than any budget, ∞.";
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

/// The nodes of the searches without a population; empty if there are none.
pub(super) const NODES: Figure = Figure {
    section: super::RESULTS,
    make: |sources| {
        if sources.analysis.overall.iter().all(|scope| scope.exact.is_empty()) {
            return Ok(Pieces::default());
        }
        Ok(Pieces::tables(sources, "Results by puzzle", |by, scopes| {
            let of_each = if by.is_empty() { "" } else { " by puzzle" };
            let title = format!("Nodes of searches without a population{of_each}");
            nodes(sources.study, &format!("nodes{by}"), &title, scopes)
        }))
    },
};

fn nodes(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Searches without a population score no candidates. Their cost is counted in nodes: the puzzle itself, and \
                every option tried after it. A run that did not solve counts as longer than any budget, ∞.";
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

/// The tests of each pair of variants.
pub(super) const PAIRS: Figure = Figure {
    section: super::COMPARED,
    make: |sources| {
        Ok(Pieces::tables(sources, "Pairs by puzzle", |by, scopes| {
            let title = if by.is_empty() { "Tests of each pair" } else { "Tests of each pair by puzzle" };
            pairs(sources.study, &format!("pairs{by}"), title, scopes)
        }))
    },
};

fn pairs(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Mann-Whitney test on the evaluations to solve; runs that did not solve are tied and rank above all others. With \
                several puzzles, ranks are taken within each puzzle (van Elteren). p is two-sided; Holm's correction is for \
                all rows of this table. A12 is the probability that a run of the first variant needs fewer evaluations than a \
                run of the second on the same puzzle; ties count half, and 0.5 means no difference.";
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

/// The heading of the tables by puzzle.
const BY_PUZZLE: &str = "Budgets and targets by puzzle";

/// The best totals and the runs that solved at each budget.
pub(super) const FIXED_BUDGETS: Figure = Figure {
    section: super::FIXED,
    make: |sources| {
        Ok(Pieces::tables(sources, BY_PUZZLE, |by, scopes| {
            fixed_budgets(sources.study, &format!("fixed_budgets{by}"), "Fixed budgets", scopes)
        }))
    },
};

/// The evaluations until each target is reached.
pub(super) const FIXED_TARGETS: Figure = Figure {
    section: super::FIXED,
    make: |sources| {
        Ok(Pieces::tables(sources, BY_PUZZLE, |by, scopes| {
            fixed_targets(sources.study, &format!("fixed_targets{by}"), "Fixed targets", scopes)
        }))
    },
};

fn fixed_budgets(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note =
        "The state of the runs when each had scored this many candidates. A run that had ended keeps its result.";
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
    let note = "The evaluations until the best total reaches a target; 0 is a solution. ERT as above, with the target in place \
                of a solution.";
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

/// The variants of the plan.
pub(super) const VARIANTS: Figure = Figure {
    section: super::PLANNED,
    make: |sources| {
        let open = Part { tables: vec![variants(sources.study)], ..Part::default() };
        Ok(Pieces { open, ..Pieces::default() })
    },
};

/// The puzzles of the plan.
pub(super) const PUZZLES_RUN: Figure = Figure {
    section: super::PLANNED,
    make: |sources| {
        let part = Part { tables: vec![puzzles(sources.study)], ..Part::default() };
        Ok(Pieces { folded: vec![("Puzzles".into(), part)], ..Pieces::default() })
    },
};

fn puzzles(study: &Study) -> Table {
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

fn variants(study: &Study) -> Table {
    let columns =
        [VARIANT, column("algorithm", "algorithm", Format::Text), column("parameters", "parameters", Format::Text)];
    let mut table = Table::new("variants", "Variants", "", &columns);
    for variant in &study.manifest.plan.variants {
        table.push([text(&variant.name), text(&variant.algorithm), text(assignments(&variant.parameters))]);
    }
    table
}
