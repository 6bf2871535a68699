//! The runs that have solved, over evaluations.

use plotters::prelude::*;

use super::{Figure, PUZZLES, Pieces, RUNS, SOLVED, Sources, VARIANT, each_group, variant};
use crate::error::Error;
use crate::report::analysis::{Group, Scope};
use crate::report::chart::{Axes, Chart, SIZE, percent, svg};
use crate::report::read::Study;
use crate::report::table::label;
use crate::report::table::{Format, Table, column, count, number, text};

/// The run lengths.
pub(super) const RUN_LENGTHS: Figure = Figure {
    section: super::CURVES,
    make: |sources| {
        let chart = |scope: &Scope, id: &str| run_lengths(sources, scope, id);
        let mut pieces = Pieces::charts(sources, "run_lengths", "Run lengths by puzzle", chart)?;
        let puzzles = &sources.analysis.puzzles;
        if !puzzles.is_empty() {
            pieces.files.push(table(sources.study, "run_lengths_by_puzzle", puzzles));
        }
        Ok(pieces)
    },
};

/// The share of runs that have solved, over evaluations.
fn run_lengths(sources: &Sources, scope: &Scope, id: &str) -> Result<Chart, Error> {
    let Sources { study, colours, .. } = sources;
    let last = study.budgets.last().map_or(10.0, |last| *last as f64).max(10.0);
    let axes = Axes {
        x: first_success(study, scope).min(last / 10.0)..last,
        x_title: "evaluations",
        x_label: Some(label),
        y: 0.0..1.0,
        y_title: "runs that have solved",
        y_label: percent,
    };
    let svg = svg(SIZE, |area| {
        let mut chart = axes.draw(area, "")?;
        for group in &scope.groups {
            let Some(colour) = colours.colour(group.variant) else { continue };
            chart.draw_series(LineSeries::new(corners(study, group), colour.stroke_width(2)))?;
        }
        area.present()
    })?;
    Ok(Chart {
        title: format!("Runs that have solved: {}", scope.name),
        caption: format!(
            "Empirical distribution of run lengths; runs that did not solve keep the line below 100 %.{}",
            colours.remark()
        ),
        svg,
        width: SIZE.0,
        narrow: None,
        legend: colours.legend(study),
        data: table(study, id, [scope]),
    })
}

/// The power of ten by which no run has solved, where the chart may begin.
fn first_success(study: &Study, scope: &Scope) -> f64 {
    let none_solved = |budget: &&u64| scope.groups.iter().all(|group| group.run_lengths.count(**budget as f64) == 0);
    study.budgets.iter().take_while(none_solved).last().map_or(1.0, |budget| 10_f64.powi(budget.ilog10() as i32))
}

/// The corners of a line that rises at each budget by which more runs have solved.
fn corners(study: &Study, group: &Group) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for budget in study.budgets.iter().map(|budget| *budget as f64) {
        let share = group.run_lengths.share(budget);
        if let Some((_, before)) = corners.last().copied().filter(|(_, before)| *before != share) {
            corners.push((budget, before));
        }
        corners.push((budget, share));
    }
    corners
}

/// The number of runs that have solved, at every place of the curves.
fn table<'a>(study: &Study, id: &str, scopes: impl IntoIterator<Item = &'a Scope>) -> Table {
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
