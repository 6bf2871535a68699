//! Throughput by population, both axes logarithmic.

use std::ops::Range;

use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Size;
use crate::bench::{Figures, MeasuredWork, Median};
use crate::error::Error;
use crate::report::chart::{Area, Axes, COLOURS, Chart, Drawn, LegendKey, LogChart, PointShape, SHAPES, svg};
use crate::report::page::{Part, Section};
use crate::report::table::label;
use crate::report::table::{Format, Table, Value, column, count, number, text};

/// The section of a task: a chart of all contenders, and its figures.
///
/// # Errors
/// [`Error::Internal`] if drawing fails.
pub(super) fn section(figures: &Figures, task: MeasuredWork) -> Result<Section, Error> {
    let (id, title, about, population) = match task {
        MeasuredWork::Scoring => {
            let about = "Batches of candidates scored, and nothing else.".into();
            ("scoring".to_owned(), "Scoring alone".to_owned(), about, "candidates in a batch")
        }
        MeasuredWork::Epoch(algorithm) => {
            let about =
                format!("Every individual proposes, is scored and accepts: {}.", figures.description(algorithm));
            (format!("epochs_{algorithm}"), format!("Whole epochs of {algorithm}"), about, "individuals in an epoch")
        }
    };
    let lines: Vec<ContenderRates> = figures
        .contenders
        .iter()
        .map(|who| ContenderRates {
            points: figures.of(task, who).map(|it| (it.population, it.candidates_per_s)).collect(),
        })
        .collect();
    let legend = figures.contenders.iter().enumerate().map(|(index, who)| {
        let name = format!("{} ({})", who.name, who.describe);
        LegendKey::point(shape(index), colour(index), name)
    });
    let chart = Chart {
        title: "Candidates per second by population".into(),
        caption: "Both axes are logarithmic; bars are 95 % intervals.".into(),
        svg: throughput(&lines, population, Size::Wide)?,
        width: Size::Wide.width(),
        narrow: Some(throughput(&lines, population, Size::Narrow)?),
        legend: legend.collect(),
        data: figure_table(figures, task, &id),
    };
    let mut section = Section::new(id.clone(), title);
    section.open = Part { text: about, charts: vec![chart], tables: Vec::new() };
    section.fold("All figures".into(), Part { tables: vec![figure_table(figures, task, &id)], ..Part::default() });
    Ok(section)
}

fn figure_table(figures: &Figures, task: MeasuredWork, id: &str) -> Table {
    let columns = [
        column("contender", "contender", Format::Text),
        column("population", "population", Format::Count),
        column("candidates_per_s", "candidates/s", Format::Prefixed("")),
        column("candidates_per_s_95", "95 % interval", Format::Prefixed("")),
        column("bytes_per_s", "bytes/s", Format::Prefixed("B")),
        column("share_of_read", "of read", Format::Percent),
        column("ratio_to_cpu", "vs cpu", Format::Ratio),
    ];
    let mut table = Table::new(id, "All figures", "", &columns);
    for it in figures.contenders.iter().flat_map(|who| figures.of(task, who)) {
        let rate = it.candidates_per_s;
        table.push([
            text(&it.contender),
            count(it.population as u64),
            number(rate.median),
            Value::Range(rate.low, rate.high),
            number(it.bytes_per_s),
            number(it.share_of_read),
            number(it.ratio_to_cpu),
        ]);
    }
    table
}

/// The colour of a contender: that of a series, but black.
fn colour(index: usize) -> RGBColor {
    COLOURS[index % (COLOURS.len() - 1)]
}

fn shape(index: usize) -> PointShape {
    SHAPES[index % SHAPES.len()]
}

/// The rates of one contender.
struct ContenderRates {
    /// Populations, ascending, and candidates per second.
    points: Vec<(usize, Median)>,
}

type Rates<'a, 'b> = LogChart<'a, 'b, LogCoord<f64>>;

/// Pixels that a population's label needs.
const LABEL: i32 = 44;

/// Half of a point's width in pixels.
const POINT: i32 = 5;

/// Draws one line per contender, each point with its interval; `population` is the title of the axis. Marks follow the
/// lines' order.
fn throughput(lines: &[ContenderRates], population: &str, size: Size) -> Result<String, Error> {
    let height = if size == Size::Wide { 420 } else { 320 };
    svg((size.width(), height), |area| draw(area, lines, population))
}

fn draw(area: Area<'_, '_>, lines: &[ContenderRates], population: &str) -> Drawn {
    let (populations, rates) = ranges(lines);
    let axes = Axes {
        x: populations,
        x_title: population,
        x_label: None,
        y: rates.clone().log_scale(),
        y_title: "candidates per second",
        y_label: label,
    };
    let mut chart = axes.draw(area, "")?;
    draw_populations(area, &chart, lines, rates)?;
    lines.iter().enumerate().try_for_each(|(index, line)| draw_line(&mut chart, line, index))
}

/// A line and a label for each population: those that were measured, rather than round ones beside them. A label that
/// would touch the one before is left out.
fn draw_populations(area: Area<'_, '_>, chart: &Rates<'_, '_>, lines: &[ContenderRates], rates: Range<f64>) -> Drawn {
    let mut populations: Vec<usize> =
        lines.iter().flat_map(|line| &line.points).map(|(population, _)| *population).collect();
    populations.sort_unstable();
    populations.dedup();
    let style = ("sans-serif", 16).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Top));
    let mut labelled = i32::MIN / 2;
    for population in populations {
        let at = |rate| chart.backend_coord(&(population as f64, rate));
        let ((x, top), (_, bottom)) = (at(rates.end), at(rates.start));
        area.draw(&PathElement::new([(x, top), (x, bottom)], BLACK.mix(0.15)))?;
        if x - labelled >= LABEL {
            area.draw(&Text::new(label(population as f64), (x, bottom + 7), style.clone()))?;
            labelled = x;
        }
    }
    Ok(())
}

fn draw_line(chart: &mut Rates<'_, '_>, line: &ContenderRates, index: usize) -> Drawn {
    let colour = colour(index);
    let medians = || line.points.iter().map(|(population, rate)| (*population as f64, rate.median));
    chart.draw_series(LineSeries::new(medians(), colour.stroke_width(2)))?;
    chart.draw_series(line.points.iter().map(|(population, rate)| {
        let x = *population as f64;
        PathElement::new([(x, rate.low), (x, rate.high)], colour.stroke_width(3))
    }))?;
    match shape(index) {
        PointShape::Circle => chart.draw_series(medians().map(|at| Circle::new(at, POINT, colour.filled())))?,
        PointShape::Square => chart
            .draw_series(medians().map(|at| {
                EmptyElement::at(at) + Rectangle::new([(-POINT, -POINT), (POINT, POINT)], colour.filled())
            }))?,
        PointShape::Triangle => {
            chart.draw_series(medians().map(|at| TriangleMarker::new(at, POINT + 2, colour.filled())))?
        }
    };
    Ok(())
}

/// The populations with a margin, and the decades that hold all rates.
fn ranges(lines: &[ContenderRates]) -> (Range<f64>, Range<f64>) {
    let points = || lines.iter().flat_map(|line| &line.points);
    let populations = || points().map(|(population, _)| *population as f64);
    let lowest = points().map(|(_, rate)| rate.low).fold(f64::INFINITY, f64::min);
    let highest = points().map(|(_, rate)| rate.high).fold(0.0, f64::max);
    if points().next().is_none() {
        return (1.0..10.0, 1.0..10.0);
    }
    let from = populations().fold(f64::INFINITY, f64::min);
    let to = populations().fold(1.0, f64::max);
    let decade = |value: f64| 10f64.powf(value);
    (from / 1.25..to * 1.25, decade(lowest.log10().floor())..decade(highest.log10().ceil()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rates: &[(usize, f64)]) -> ContenderRates {
        let rate = |median| Median { median, low: median / 1.5, high: median * 1.5 };
        ContenderRates { points: rates.iter().map(|&(population, median)| (population, rate(median))).collect() }
    }

    #[test]
    fn the_axes_hold_every_interval() {
        let (populations, rates) = ranges(&[line(&[(100, 2e6), (5_000, 9e7)]), line(&[(100, 1.2e6)])]);
        assert!(populations.start < 100.0 && populations.end > 5_000.0);
        assert_eq!((rates.start.round(), rates.end.round()), (1e5, 1e9));
    }

    #[test]
    fn every_line_has_its_points_and_every_population_its_label() {
        let lines = [line(&[(1_000, 2e6), (20_000, 9e7)]), line(&[(1_000, 1e6)]), line(&[(1_000, 3e6)])];
        for size in [Size::Wide, Size::Narrow] {
            let svg = throughput(&lines, "individuals", size).unwrap();
            for part in ["#0072B2", "#D55E00", "#009E73", "individuals", "candidates per second", "1 k", "20 k"] {
                assert!(svg.contains(part), "{part} is missing");
            }
            assert_eq!(svg.matches("<circle").count(), 2, "two points of the first line");
            assert!(!svg.contains("10 k") && !svg.contains("10000"), "no label for what was not measured");
        }
        assert!(throughput(&[], "individuals", Size::Wide).is_ok(), "nothing to draw is no failure");
    }
}
