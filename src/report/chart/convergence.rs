//! How the best total falls.

use super::frame::{Axes, SIZE};
use super::{Cast, Chart};
use crate::error::Error;
use crate::report::Curve;
use crate::report::analysis::Scope;
use crate::report::plot::{COLOURS, draw_band, draw_median, ranges, svg};
use crate::report::read::Study;
use crate::report::tables;

/// The median of the best totals over evaluations, and a band from quartile to quartile.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no input should bring about.
pub fn convergence(study: &Study, cast: &Cast, scope: &Scope, id: &str) -> Result<Chart, Error> {
    let drawn = scope.groups.iter().filter_map(|group| Some((cast.colour(group.variant)?, &group.curve)));
    let (colours, curves): (Vec<usize>, Vec<Curve>) =
        drawn.map(|(colour, points)| (colour, Curve { name: String::new(), points: points.clone() })).unzip();
    let (x, y) = ranges(&curves);
    let axes = Axes { x, x_title: "evaluations", y, y_title: "best total so far", y_is_share: false };
    let svg = svg(SIZE, |area| {
        let mut chart = axes.draw(area)?;
        for (curve, colour) in curves.iter().zip(&colours) {
            draw_band(&mut chart, curve, COLOURS[*colour])?;
        }
        for (curve, colour) in curves.iter().zip(&colours) {
            draw_median(&mut chart, curve, COLOURS[*colour])?;
        }
        area.present()
    })?;
    Ok(Chart {
        title: format!("Best total over evaluations: {}", scope.name),
        caption: format!("Line: median of the runs. Band: from quartile to quartile. 0 is solved.{}", cast.remark()),
        svg,
        width: SIZE.0,
        legend: cast.legend(study),
        data: tables::convergence(study, id, [scope]),
    })
}
