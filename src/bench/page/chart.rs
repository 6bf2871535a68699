//! Throughput by population, both axes logarithmic.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::mark::{self, Shape};
use crate::bench::{Estimate, short};
use crate::error::Error;

/// The window that a chart is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A screen, or paper.
    Wide,
    /// A phone.
    Narrow,
}

impl Size {
    /// Pixels from left to right: text keeps its size where a chart is shown at this width.
    pub fn width(self) -> u32 {
        match self {
            Size::Wide => 900,
            Size::Narrow => 350,
        }
    }
}

/// The rates of one contender.
pub struct Line {
    /// Populations, ascending, and candidates a second.
    pub points: Vec<(usize, Estimate)>,
}

pub type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// Pixels that a population's label needs.
const LABEL: i32 = 44;

/// Half of a point's width in pixels.
const POINT: i32 = 5;

/// Draws one line a contender, each point with its interval; `population` says of what. Marks follow the lines' order.
///
/// # Errors
/// [`Error::Internal`] if drawing fails.
pub fn throughput(lines: &[Line], population: &str, size: Size) -> Result<String, Error> {
    let height = if size == Size::Wide { 420 } else { 320 };
    svg((size.width(), height), |area| draw(area, lines, population))
}

/// An SVG that `draw` draws.
///
/// # Errors
/// [`Error::Internal`] if drawing fails.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, Error> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = draw(&area).and_then(|()| area.present());
    drop(area);
    drawn.map_err(|error| Error::Internal(format!("a chart: {error}")))?;
    Ok(svg)
}

fn draw(area: &Area<'_>, lines: &[Line], population: &str) -> Drawn {
    let (populations, rates) = ranges(lines);
    let mut chart = ChartBuilder::on(area)
        .margin_right(14)
        .margin_top(10)
        .x_label_area_size(46)
        .y_label_area_size(66)
        .build_cartesian_2d(populations.log_scale(), rates.clone().log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .axis_style(BLACK.mix(0.5))
        .x_desc(population)
        .y_desc("candidates a second")
        .axis_desc_style(("sans-serif", 16))
        .label_style(("sans-serif", 16))
        .disable_x_mesh()
        .x_label_formatter(&|_| String::new())
        .set_tick_mark_size(LabelAreaPosition::Bottom, 0)
        .y_label_formatter(&|rate| label(*rate))
        .draw()?;
    draw_populations(area, &chart, lines, rates)?;
    for (index, line) in lines.iter().enumerate() {
        draw_line(&mut chart, line, index)?;
    }
    Ok(())
}

/// A line and a label for each population: those that were measured, rather than round ones beside them. A label that
/// would touch the one before is left out.
fn draw_populations(area: &Area<'_>, chart: &Chart<'_, '_>, lines: &[Line], rates: Range<f64>) -> Drawn {
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

fn draw_line(chart: &mut Chart<'_, '_>, line: &Line, index: usize) -> Drawn {
    let colour = mark::line_colour(index);
    let medians = || line.points.iter().map(|(population, rate)| (*population as f64, rate.median));
    chart.draw_series(LineSeries::new(medians(), colour.stroke_width(2)))?;
    chart.draw_series(line.points.iter().map(|(population, rate)| {
        let x = *population as f64;
        PathElement::new([(x, rate.low), (x, rate.high)], colour.stroke_width(3))
    }))?;
    match mark::line_shape(index) {
        Shape::Circle => chart.draw_series(medians().map(|at| Circle::new(at, POINT, colour.filled())))?,
        Shape::Square => chart
            .draw_series(medians().map(|at| {
                EmptyElement::at(at) + Rectangle::new([(-POINT, -POINT), (POINT, POINT)], colour.filled())
            }))?,
        Shape::Triangle => {
            chart.draw_series(medians().map(|at| TriangleMarker::new(at, POINT + 2, colour.filled())))?
        }
    };
    Ok(())
}

/// The populations with a margin, and the decades that hold all rates.
fn ranges(lines: &[Line]) -> (Range<f64>, Range<f64>) {
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

/// `1 k`, `100 M`, `1.5 k`: what `short` makes of a number, without zeros after the point.
fn label(value: f64) -> String {
    let text = short(value);
    let (number, prefix) = text.split_at(text.find(' ').unwrap_or(text.len()));
    match number.contains('.') {
        true => format!("{}{prefix}", number.trim_end_matches('0').trim_end_matches('.')),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rates: &[(usize, f64)]) -> Line {
        let rate = |median| Estimate { median, low: median / 1.5, high: median * 1.5 };
        Line { points: rates.iter().map(|&(population, median)| (population, rate(median))).collect() }
    }

    #[test]
    fn labels_have_no_zeros_after_the_point() {
        for (value, text) in [(1e3, "1 k"), (1e8, "100 M"), (1_500.0, "1.5 k"), (1_050.0, "1.05 k"), (20.0, "20")] {
            assert_eq!(label(value), text);
        }
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
            for part in ["#0072B2", "#D55E00", "#009E73", "individuals", "candidates a second", "1 k", "20 k"] {
                assert!(svg.contains(part), "{part} is missing");
            }
            assert_eq!(svg.matches("<circle").count(), 2, "two points of the first line");
            assert!(!svg.contains("10 k") && !svg.contains("10000"), "no label for what was not measured");
        }
        assert!(throughput(&[], "individuals", Size::Wide).is_ok(), "nothing to draw is no failure");
    }
}
