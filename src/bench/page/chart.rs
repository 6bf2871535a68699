//! Throughput by population, both axes logarithmic.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

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
        .build_cartesian_2d(populations.log_scale(), rates.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .axis_style(BLACK.mix(0.5))
        .x_desc(population)
        .y_desc("candidates a second")
        .axis_desc_style(("sans-serif", 16))
        .label_style(("sans-serif", 16))
        .x_label_formatter(&|population| short_power(*population))
        .y_label_formatter(&|rate| short_power(*rate))
        .draw()?;
    for (index, line) in lines.iter().enumerate() {
        draw_line(&mut chart, line, index)?;
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

/// `1 k`, `100 M`: what `short` makes of a power of ten, without its digits after the point.
fn short_power(value: f64) -> String {
    short(value).replace(".00", "").replace(".0", "")
}
