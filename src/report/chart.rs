//! Charts: SVG with the data it was drawn from, on the axes and in the colours that all charts of all pages share.
//!
//! Ink is black and the ground is left empty, so that a page's style sheet can turn black into its own text colour and the
//! series' colours into lighter ones where the reader prefers dark. Colours are those of M. Okabe and K. Ito, "Color
//! universal design", 2008, which people with any kind of colour vision tell apart, without the yellow that white paper
//! swallows. Text stays text: it is searchable, and no font is needed to draw it.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::table::Table;
use crate::error::Error;

/// Width and height of a chart: two fit side by side on a screen, and one fits on a telephone with readable text.
pub(crate) const SIZE: (u32, u32) = (520, 350);

/// One colour per series: blue, vermilion, green, purple, orange, sky blue, black. `templates/page.css` knows each by its
/// value and turns it into that of the reader's scheme.
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// A chart.
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// An explanation.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// Its width in pixels, at which its text is as large as that of the page.
    pub width: u32,
    /// A drawing for narrow screens, if the other one is too wide.
    pub narrow: Option<String>,
    /// The marks and their names; empty where there are none.
    pub legend: Vec<LegendKey>,
    /// The data that was drawn; its id is the chart's too.
    pub data: Table,
}

/// A mark and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegendKey {
    /// The name.
    pub name: String,
    /// The mark in a box of 20 x 20, as SVG.
    pub mark: String,
}

/// The shape of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointShape {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

/// The shapes in the order of series, for readers who cannot tell the colours apart.
pub(crate) const SHAPES: [PointShape; 3] = [PointShape::Circle, PointShape::Square, PointShape::Triangle];

impl LegendKey {
    /// The key of a line of this colour.
    pub fn line(colour: RGBColor, name: impl Into<String>) -> LegendKey {
        LegendKey::new(r#"<path d="M0 8h20v5h-20z""#, colour, name)
    }

    /// The key of an area of this colour.
    pub fn area(colour: RGBColor, name: impl Into<String>) -> LegendKey {
        LegendKey::new(r#"<path d="M2 2h16v16h-16z""#, colour, name)
    }

    /// The key of points of this shape and colour.
    pub fn point(shape: PointShape, colour: RGBColor, name: impl Into<String>) -> LegendKey {
        let mark = match shape {
            PointShape::Circle => r#"<circle cx="10" cy="10" r="8""#,
            PointShape::Square => r#"<path d="M3 3h14v14h-14z""#,
            PointShape::Triangle => r#"<polygon points="10,1 19,18 1,18""#,
        };
        LegendKey::new(mark, colour, name)
    }

    fn new(mark: &str, RGBColor(red, green, blue): RGBColor, name: impl Into<String>) -> LegendKey {
        LegendKey { name: name.into(), mark: format!(r##"{mark} fill="#{red:02X}{green:02X}{blue:02X}"/>"##) }
    }
}

/// The result of drawing.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// An area of a drawing.
pub(crate) type Area<'a, 'b> = &'a DrawingArea<SVGBackend<'b>, Shift>;

/// A chart over a logarithmic axis.
pub(crate) type LogChart<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, Y>>;

/// The drawing of `draw` with this width and height, as SVG.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which is a bug.
pub(crate) fn svg(size: (u32, u32), draw: impl FnOnce(Area<'_, '_>) -> Drawn) -> Result<String, Error> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = draw(&area).and_then(|()| area.present());
    drop(area);
    drawn.map_err(|error| Error::Internal(format!("a chart: {error}")))?;
    Ok(svg)
}

/// The axes of a chart; the horizontal one is logarithmic.
pub(crate) struct Axes<'a, Y> {
    /// The range of the logarithmic axis.
    pub x: Range<f64>,
    /// Its name.
    pub x_title: &'a str,
    /// Its labels; none if the chart draws them itself.
    pub x_label: Option<fn(f64) -> String>,
    /// The range of the other axis.
    pub y: Y,
    /// Its name.
    pub y_title: &'a str,
    /// Its labels.
    pub y_label: fn(f64) -> String,
}

impl<Y> Axes<'_, Y>
where
    Y: AsRangedCoord<Value = f64> + Clone,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    /// Draws axes and mesh, below a title unless it is empty.
    pub(crate) fn draw<'a, 'b>(
        &self,
        area: Area<'a, 'b>,
        title: &str,
    ) -> Result<LogChart<'a, 'b, Y::CoordDescType>, DrawingAreaErrorKind<std::io::Error>> {
        let mut builder = ChartBuilder::on(area);
        builder.margin_top(10).margin_right(18).margin_bottom(4).x_label_area_size(48).y_label_area_size(66);
        if !title.is_empty() {
            builder.caption(title, ("sans-serif", 20));
        }
        let mut chart = builder.build_cartesian_2d(self.x.clone().log_scale(), self.y.clone())?;
        self.mesh(&mut chart)?;
        Ok(chart)
    }

    fn mesh(&self, chart: &mut LogChart<'_, '_, Y::CoordDescType>) -> Drawn {
        let x_label = |x: &f64| self.x_label.map_or(String::new(), |label| label(*x));
        let y_label = |y: &f64| (self.y_label)(*y);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.14))
            .axis_style(BLACK.mix(0.5))
            .x_desc(self.x_title)
            .y_desc(self.y_title)
            .axis_desc_style(("sans-serif", 17))
            .label_style(("sans-serif", 16))
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .x_labels(5)
            .y_labels(6);
        if self.x_label.is_none() {
            mesh.disable_x_mesh().set_tick_mark_size(LabelAreaPosition::Bottom, 0);
        }
        mesh.draw()
    }
}

/// A share of all as the label of an axis.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A whole number as the label of an axis.
pub(crate) fn whole(value: f64) -> String {
    format!("{value:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_colour_that_the_style_sheet_knows() {
        let css = include_str!("../../templates/page.css");
        for (colour, shape) in COLOURS.into_iter().zip(SHAPES.into_iter().cycle()) {
            let mark = LegendKey::point(shape, colour, "name").mark;
            let fill = mark.split_once("fill=").unwrap().1.trim_end_matches("/>");
            assert!(css.contains(&format!("[fill={fill}]")), "{mark}");
        }
    }
}
