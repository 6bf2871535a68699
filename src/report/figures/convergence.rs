//! The best total over evaluations.

use std::ops::Range;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{Figure, PUZZLES, Pieces, Sources, VARIANT, each_group, variant};
use crate::error::Error;
use crate::report::analysis::Scope;
use crate::report::chart::{Area, Axes, COLOURS, Chart, Drawn, LogChart, SIZE, svg, whole};
use crate::report::read::Study;
use crate::report::table::label;
use crate::report::table::{Format, Table, column, count, number, text};
use crate::report::{Curve, CurvePoint};

/// The curves.
pub(super) const CONVERGENCE: Figure = Figure {
    section: super::CURVES,
    make: |sources| {
        let chart = |scope: &Scope, id: &str| convergence(sources, scope, id);
        let mut pieces = Pieces::charts(sources, "convergence", "Convergence by puzzle", chart)?;
        let puzzles = &sources.analysis.puzzles;
        if !puzzles.is_empty() {
            pieces.files.push(table(sources.study, "convergence_by_puzzle", puzzles));
        }
        Ok(pieces)
    },
};

/// The median of the best totals over evaluations, and a band from quartile to quartile.
fn convergence(sources: &Sources, scope: &Scope, id: &str) -> Result<Chart, Error> {
    let Sources { study, colours, .. } = sources;
    let drawn = scope.groups.iter().filter_map(|group| Some((colours.colour(group.variant)?, &group.curve)));
    let (of_curves, curves): (Vec<RGBColor>, Vec<Curve>) =
        drawn.map(|(colour, points)| (colour, Curve { name: String::new(), points: points.clone() })).unzip();
    let svg = svg(SIZE, |area| {
        let mut chart = axes(&curves, "evaluations", "best total so far").draw(area, "")?;
        draw_curves(&mut chart, &curves, &of_curves)?;
        area.present()
    })?;
    Ok(Chart {
        title: format!("Best total over evaluations: {}", scope.name),
        caption: format!("Line: median of the runs. Band: from quartile to quartile. 0 is solved.{}", colours.remark()),
        svg,
        width: SIZE.0,
        narrow: None,
        legend: colours.legend(study),
        data: table(study, id, [scope]),
    })
}

/// Draws the best total over evaluations as a picture of its own: for each curve its median, and a band from quartile to
/// quartile.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no input should bring about.
pub fn convergence_svg(title: &str, curves: &[Curve]) -> Result<String, Error> {
    svg((960, 600), |area| draw(area, title, curves))
}

fn draw(area: Area<'_, '_>, title: &str, curves: &[Curve]) -> Drawn {
    area.fill(&WHITE)?;
    let axes = axes(curves, "evaluations (candidates scored by a run)", "best total so far (missing digits)");
    let mut chart = axes.draw(area, title)?;
    let colours: Vec<RGBColor> = COLOURS.iter().copied().cycle().take(curves.len()).collect();
    draw_curves(&mut chart, curves, &colours)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 16))
        .draw()?;
    area.present()
}

type LinePlot<'a, 'b> = LogChart<'a, 'b, RangedCoordf64>;

fn axes<'a>(curves: &[Curve], x_title: &'a str, y_title: &'a str) -> Axes<'a, Range<f64>> {
    let (x, y) = ranges(curves);
    Axes { x, x_title, x_label: Some(label), y, y_title, y_label: whole }
}

/// All bands below all lines.
fn draw_curves(chart: &mut LinePlot<'_, '_>, curves: &[Curve], colours: &[RGBColor]) -> Drawn {
    let each = || curves.iter().zip(colours);
    each().try_for_each(|(curve, colour)| draw_band(chart, curve, *colour))?;
    each().try_for_each(|(curve, colour)| draw_median(chart, curve, *colour))
}

fn draw_band(chart: &mut LinePlot<'_, '_>, curve: &Curve, colour: RGBColor) -> Drawn {
    let upper = steps(&curve.points, |point| point.total.upper);
    let lower = steps(&curve.points, |point| point.total.lower);
    let band: Vec<(f64, f64)> = upper.into_iter().chain(lower.into_iter().rev()).collect();
    chart.draw_series([Polygon::new(band, colour.mix(0.15))])?;
    Ok(())
}

fn draw_median(chart: &mut LinePlot<'_, '_>, curve: &Curve, colour: RGBColor) -> Drawn {
    let median = steps(&curve.points, |point| point.total.median);
    chart
        .draw_series(LineSeries::new(median, colour.stroke_width(2)))?
        .label(&curve.name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(3)));
    Ok(())
}

/// The corners of a curve that keeps a value until the next place.
fn steps(points: &[CurvePoint], value: impl Fn(&CurvePoint) -> f64) -> Vec<(f64, f64)> {
    let mut corners = Vec::new();
    for point in points {
        let (x, y) = (point.evaluations as f64, value(point));
        if let Some((_, before)) = corners.last().copied().filter(|(_, before)| *before != y) {
            corners.push((x, before));
        }
        corners.push((x, y));
    }
    corners
}

/// From the first to the last place, and from 0 to a little above the highest total.
fn ranges(curves: &[Curve]) -> (Range<f64>, Range<f64>) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let first = points().map(|point| point.evaluations).min().unwrap_or(1).max(1) as f64;
    let last = points().map(|point| point.evaluations).max().unwrap_or(10) as f64;
    let highest = points().map(|point| point.total.upper).fold(1.0, f64::max);
    (first..last.max(first * 1.1), 0.0..highest * 1.05)
}

/// The best totals at every place of the curves.
fn table<'a>(study: &Study, id: &str, scopes: impl IntoIterator<Item = &'a Scope>) -> Table {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::statistics::Quartiles;

    fn curve(name: &str, totals: &[(u64, f64)]) -> Curve {
        let point = |&(evaluations, total): &(u64, f64)| CurvePoint {
            evaluations,
            total: Quartiles { lower: total / 2.0, median: total, upper: total * 2.0 },
        };
        Curve { name: name.into(), points: totals.iter().map(point).collect() }
    }

    #[test]
    fn every_curve_has_a_line_a_band_and_its_name_and_axes_are_named() {
        let curves = [curve("one", &[(60, 20.0), (5_000, 3.0)]), curve("two <&>", &[(64, 30.0), (5_000, 0.0)])];
        let svg = convergence_svg("a title", &curves).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for part in ["a title", "one", "two &lt;&amp;&gt;", "evaluations", "best total", "#0072B2", "#D55E00"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert_eq!(svg.matches("<polygon").count(), 2);
    }

    #[test]
    fn a_curve_keeps_its_value_until_the_next_place() {
        let points = curve("steps", &[(10, 4.0), (20, 4.0), (30, 1.0)]).points;
        let expected = [(10.0, 4.0), (20.0, 4.0), (30.0, 4.0), (30.0, 1.0)];
        assert_eq!(steps(&points, |point| point.total.median), expected);
    }

    #[test]
    fn a_plot_without_a_curve_or_with_a_single_place_is_drawn() {
        assert!(convergence_svg("none", &[]).is_ok());
        assert!(convergence_svg("none", &[curve("empty", &[])]).is_ok());
        assert!(convergence_svg("one", &[curve("point", &[(0, 0.0)])]).is_ok());
        assert!(convergence_svg("one", &[curve("point", &[(200, 0.0)])]).is_ok());
    }
}
