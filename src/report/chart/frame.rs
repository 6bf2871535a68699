//! Axes that all charts over a logarithmic axis share.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::report::plot::{Drawn, LogChart, short};

/// Width and height of a chart: two stand side by side on a desk, and a telephone shows one whole with words that can still be
/// read.
pub const SIZE: (u32, u32) = (520, 350);

/// An area of a drawing.
pub type Area<'a, 'b> = &'a DrawingArea<SVGBackend<'b>, Shift>;

/// The axes of a chart.
pub struct Axes<'a> {
    /// From where to where, by logarithms.
    pub x: Range<f64>,
    /// What stands there.
    pub x_title: &'a str,
    /// From where to where.
    pub y: Range<f64>,
    /// What stands there.
    pub y_title: &'a str,
    /// True if the values are shares of all.
    pub y_is_share: bool,
}

impl Axes<'_> {
    /// Draws axes and mesh.
    pub fn draw<'a, 'b>(&self, area: Area<'a, 'b>) -> Result<LogChart<'a, 'b>, DrawingAreaErrorKind<std::io::Error>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(10)
            .margin_right(18)
            .margin_bottom(4)
            .x_label_area_size(48)
            .y_label_area_size(60)
            .build_cartesian_2d(self.x.clone().log_scale(), self.y.clone())?;
        self.mesh(&mut chart)?;
        Ok(chart)
    }

    fn mesh(&self, chart: &mut LogChart<'_, '_>) -> Drawn {
        let y_label = |y: &f64| match self.y_is_share {
            true => format!("{:.0} %", 100.0 * y),
            false => format!("{y:.0}"),
        };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.14))
            .axis_style(BLACK.mix(0.5))
            .x_desc(self.x_title)
            .y_desc(self.y_title)
            .axis_desc_style(("sans-serif", 17))
            .label_style(("sans-serif", 16))
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&y_label)
            .x_labels(5)
            .y_labels(6)
            .draw()
    }
}
