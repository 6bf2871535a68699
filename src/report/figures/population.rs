//! The success rate by the number of individuals.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use serde_json::Value as Json;

use super::{Figure, Pieces, Sources, assignments, numbered};
use crate::error::Error;
use crate::experiment::study::PlannedVariant;
use crate::report::analysis::{Group, Scope};
use crate::report::chart::{Axes, COLOURS, Chart, Drawn, LegendKey, LogChart, SIZE, percent, svg};
use crate::report::page::Part;
use crate::report::read::Study;
use crate::report::table::label;
use crate::report::table::{Format, Table, column, count, interval, number, text};

/// A chart of each shape's puzzles.
pub(super) const SUCCESS_BY_POPULATION: Figure = Figure {
    section: super::MAPS,
    make: |sources| {
        let Sources { study, analysis, .. } = sources;
        let mut charts = Vec::new();
        for (place, scope) in analysis.overall.iter().enumerate() {
            let id = numbered("success_by_population", &analysis.overall, place);
            charts.extend(population(study, scope, &id)?);
        }
        Ok(Pieces { open: Part { charts, ..Part::default() }, ..Pieces::default() })
    },
};

/// Variants that differ in their population alone.
struct Series<'a> {
    name: String,
    algorithm: &'a str,
    others: Json,
    /// By ascending population.
    members: Vec<(u64, &'a Group)>,
}

/// The success rate over the population, with its 95 % interval; a line joins variants that differ in the population
/// only. None if no variant has a population.
fn population(study: &Study, scope: &Scope, id: &str) -> Result<Option<Chart>, Error> {
    let series = series(study, scope);
    let populations = || series.iter().flat_map(|series| &series.members).map(|(population, _)| *population as f64);
    let (low, high) = (populations().fold(f64::INFINITY, f64::min), populations().fold(0.0, f64::max));
    if high == 0.0 {
        return Ok(None);
    }
    let axes = Axes {
        x: decade(low / 1.5, f64::floor)..decade(high * 1.5, f64::ceil),
        x_title: "population",
        x_label: Some(label),
        y: 0.0..1.0,
        y_title: "success rate",
        y_label: percent,
    };
    let drawn = &series[..series.len().min(COLOURS.len())];
    let svg = svg(SIZE, |area| {
        let mut chart = axes.draw(area, "")?;
        drawn.iter().enumerate().try_for_each(|(place, series)| draw(&mut chart, series, place, drawn.len()))?;
        area.present()
    })?;
    let left_out = match series.len() - drawn.len() {
        0 => String::new(),
        left => format!(" The chart shows the first {}; the data has {left} more.", drawn.len()),
    };
    Ok(Some(Chart {
        title: format!("Success by population: {}", scope.name),
        caption: format!(
            "Bars: 95 % intervals. A line joins variants that differ in the population only; overlapping marks are moved apart.{left_out}"
        ),
        svg,
        width: SIZE.0,
        narrow: None,
        legend: drawn.iter().zip(COLOURS).map(|(series, colour)| LegendKey::line(colour, &*series.name)).collect(),
        data: data(study, id, &series),
    }))
}

/// The power of ten that `round` finds for a population.
fn decade(population: f64, round: fn(f64) -> f64) -> f64 {
    10_f64.powf(round(population.log10()))
}

fn series<'a>(study: &'a Study, scope: &'a Scope) -> Vec<Series<'a>> {
    let mut all: Vec<Series<'a>> = Vec::new();
    for group in &scope.groups {
        let PlannedVariant { algorithm, parameters, .. } = &study.manifest.plan.variants[group.variant];
        let Some(population) = parameters.get("population").and_then(Json::as_u64).filter(|size| *size > 0) else {
            continue;
        };
        let mut others = parameters.clone();
        others.as_object_mut().and_then(|others| others.remove("population"));
        match all.iter_mut().find(|series| series.algorithm == algorithm && series.others == others) {
            Some(series) => series.members.push((population, group)),
            None => {
                all.push(Series { name: String::new(), algorithm, others, members: vec![(population, group)] });
            }
        }
    }
    for series in &mut all {
        series.members.sort_by_key(|(population, _)| *population);
    }
    name(&mut all);
    all
}

/// The algorithm's name, and where several series are of one algorithm the parameters in which they differ.
fn name(all: &mut [Series]) {
    let names: Vec<String> = all
        .iter()
        .map(|series| {
            let mut own = series.others.clone();
            let rivals: Vec<&Series> = all
                .iter()
                .filter(|other| other.algorithm == series.algorithm && other.others != series.others)
                .collect();
            if let Some(own) = own.as_object_mut() {
                own.retain(|key, value| rivals.iter().any(|rival| rival.others.get(key) != Some(value)));
            }
            match assignments(&own) {
                differences if differences.is_empty() || rivals.is_empty() => series.algorithm.to_string(),
                differences => format!("{}: {differences}", series.algorithm),
            }
        })
        .collect();
    all.iter_mut().zip(names).for_each(|(series, name)| series.name = name);
}

/// One series; marks of several at the same population stand side by side.
fn draw(chart: &mut LogChart<'_, '_, RangedCoordf64>, series: &Series, place: usize, of: usize) -> Drawn {
    let colour = COLOURS[place];
    let shift = 1.07_f64.powf(place as f64 - (of as f64 - 1.0) / 2.0);
    let at = |population: u64| population as f64 * shift;
    let rate = |group: &Group| group.solved as f64 / group.runs as f64;
    let bars = series.members.iter().map(|(population, group)| {
        let ends = [group.solved_95.low, group.solved_95.high].map(|end| (at(*population), end));
        PathElement::new(ends, colour.mix(0.6).stroke_width(2))
    });
    chart.draw_series(bars)?;
    let points = || series.members.iter().map(|(population, group)| (at(*population), rate(group)));
    chart.draw_series(LineSeries::new(points(), colour.stroke_width(2)))?;
    chart.draw_series(points().map(|point| Circle::new(point, 5, colour.filled())))?;
    Ok(())
}

fn data(study: &Study, id: &str, all: &[Series]) -> Table {
    let columns = [
        column("series", "series", Format::Text),
        column("variant", "variant", Format::Text),
        column("population", "population", Format::Count),
        column("runs", "runs", Format::Count),
        column("solved", "solved", Format::Count),
        column("success_rate", "success rate", Format::Percent),
        column("success_rate_95", "95 % interval", Format::Percent),
    ];
    let mut table = Table::new(id, "Success by population", "", &columns);
    for (series, (population, group)) in
        all.iter().flat_map(|series| series.members.iter().map(move |member| (series, member)))
    {
        table.push([
            text(&series.name),
            text(&study.manifest.plan.variants[group.variant].name),
            count(*population),
            count(group.runs),
            count(group.solved),
            number(group.solved as f64 / group.runs as f64),
            interval(group.solved_95),
        ]);
    }
    table
}
