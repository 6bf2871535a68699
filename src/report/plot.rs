//! Convergence curves as SVG.
//!
//! Colours are those of M. Okabe and K. Ito, "Color universal design", 2008, which people with any kind of colour vision
//! tell apart, without the yellow that white paper swallows. Text stays text: it is searchable, and no font is needed to
//! draw it.

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{Curve, CurvePoint};
use crate::error::Error;

/// Width and height in pixels of the user's choice: SVG scales.
const SIZE: (u32, u32) = (960, 600);

/// One colour a curve: blue, vermilion, green, purple, orange, sky blue, black.
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

pub(super) type LogChart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, RangedCoordf64>>;

/// Draws the best total over evaluations: for each curve its median, and a band from quartile to quartile.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no input should bring about.
pub fn convergence_svg(title: &str, curves: &[Curve]) -> Result<String, Error> {
    svg(SIZE, |area| draw(area, title, curves))
}

/// What `draw` draws, of this width and height.
pub(super) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Drawn,
) -> Result<String, Error> {
    let mut svg = String::new();
    draw(&SVGBackend::with_string(&mut svg, size).into_drawing_area())
        .map_err(|error| Error::Internal(format!("a plot: {error}")))?;
    Ok(svg)
}

pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn draw(area: &DrawingArea<SVGBackend<'_>, Shift>, title: &str, curves: &[Curve]) -> Drawn {
    area.fill(&WHITE)?;
    let (evaluations, totals) = ranges(curves);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(56)
        .y_label_area_size(64)
        .build_cartesian_2d(evaluations.log_scale(), totals)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("evaluations (candidates scored by a run)")
        .y_desc("best total so far (missing digits)")
        .axis_desc_style(("sans-serif", 17))
        .label_style(("sans-serif", 15))
        .x_label_formatter(&|evaluations| short(*evaluations))
        .y_label_formatter(&|total| format!("{total:.0}"))
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        draw_band(&mut chart, curve, *colour)?;
    }
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        draw_median(&mut chart, curve, *colour)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 16))
        .draw()?;
    area.present()
}

pub(super) fn draw_band(chart: &mut LogChart<'_, '_>, curve: &Curve, colour: RGBColor) -> Drawn {
    let upper = steps(&curve.points, |point| point.total.upper);
    let lower = steps(&curve.points, |point| point.total.lower);
    let band: Vec<(f64, f64)> = upper.into_iter().chain(lower.into_iter().rev()).collect();
    chart.draw_series([Polygon::new(band, colour.mix(0.15))])?;
    Ok(())
}

pub(super) fn draw_median(chart: &mut LogChart<'_, '_>, curve: &Curve, colour: RGBColor) -> Drawn {
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
pub(super) fn ranges(curves: &[Curve]) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let first = points().map(|point| point.evaluations).min().unwrap_or(1).max(1) as f64;
    let last = points().map(|point| point.evaluations).max().unwrap_or(10) as f64;
    let highest = points().map(|point| point.total.upper).fold(1.0, f64::max);
    (first..last.max(first * 1.1), 0.0..highest * 1.05)
}

/// A number of evaluations with few signs: `500`, `20 k`, `3 M`.
pub(super) fn short(evaluations: f64) -> String {
    match evaluations {
        large if large >= 1e9 => format!("{} G", large / 1e9),
        large if large >= 1e6 => format!("{} M", large / 1e6),
        large if large >= 1e3 => format!("{} k", large / 1e3),
        small => format!("{small}"),
    }
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

    #[test]
    fn evaluations_are_short() {
        assert_eq!([500.0, 20_000.0, 3e6, 1e9].map(short), ["500", "20 k", "3 M", "1 G"]);
    }
}
