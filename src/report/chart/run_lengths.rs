//! How many runs have solved by how many evaluations.

use plotters::prelude::*;

use super::frame::{Axes, SIZE};
use super::{Cast, Chart};
use crate::error::Error;
use crate::report::analysis::{Group, Scope};
use crate::report::plot::{COLOURS, svg};
use crate::report::read::Study;
use crate::report::tables;

/// The share of runs that have solved, over evaluations.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no input should bring about.
pub fn run_lengths(study: &Study, cast: &Cast, scope: &Scope, id: &str) -> Result<Chart, Error> {
    let last = study.budgets.last().map_or(10.0, |last| *last as f64).max(10.0);
    let axes = Axes {
        x: first_success(study, scope).min(last / 10.0)..last,
        x_title: "evaluations",
        y: 0.0..1.0,
        y_title: "runs that have solved",
        y_is_share: true,
    };
    let svg = svg(SIZE, |area| {
        let mut chart = axes.draw(area)?;
        for group in &scope.groups {
            let Some(colour) = cast.colour(group.variant) else { continue };
            chart.draw_series(LineSeries::new(corners(study, group), COLOURS[colour].stroke_width(2)))?;
        }
        area.present()
    })?;
    Ok(Chart {
        title: format!("Runs that have solved: {}", scope.name),
        caption: format!(
            "Empirical distribution of run lengths; runs that spent their budget stay below the line.{}",
            cast.remark()
        ),
        svg,
        width: SIZE.0,
        legend: cast.legend(study),
        data: tables::run_lengths(study, id, [scope]),
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
