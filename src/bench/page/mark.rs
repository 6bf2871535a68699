//! What tells lines and stages apart: colours, and shapes for those who see them alike.

use plotters::style::RGBColor;

use crate::report::COLOURS;

/// Colours of stages, light enough for dark text on them in either scheme: no scheme changes them.
const STAGES: [(&str, RGBColor); 8] = [
    ("propose", RGBColor(120, 190, 235)),
    ("upload", RGBColor(240, 175, 60)),
    ("kernel", RGBColor(90, 195, 160)),
    ("link and wait", RGBColor(240, 228, 120)),
    ("device", RGBColor(90, 195, 161)),
    ("readback", RGBColor(215, 150, 190)),
    ("accept", RGBColor(235, 140, 95)),
    ("conclude", RGBColor(170, 172, 178)),
];

/// The shape of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Circle,
    Square,
    Triangle,
}

/// The colour of a line: that of a curve, but black. `templates/page.css` knows each by its value and turns it into that of
/// the reader's scheme.
pub fn line_colour(index: usize) -> RGBColor {
    COLOURS[index % (COLOURS.len() - 1)]
}

/// The shape of a line's points.
pub fn line_shape(index: usize) -> Shape {
    [Shape::Circle, Shape::Square, Shape::Triangle][index % 3]
}

/// The colour of a stage; grey for one without a name here.
pub fn stage_colour(stage: &str) -> RGBColor {
    STAGES.into_iter().find(|(name, _)| *name == stage).map_or(RGBColor(170, 172, 178), |(_, colour)| colour)
}

/// A name, and the mark that stands for it in a chart.
pub struct Legend {
    /// The name.
    pub name: String,
    /// The mark in a box of 20 x 20, as SVG.
    pub mark: String,
}

impl Legend {
    /// That of a line.
    pub fn of_line(index: usize, name: String) -> Legend {
        let shape = match line_shape(index) {
            Shape::Circle => r#"<circle cx="10" cy="10" r="8""#,
            Shape::Square => r#"<rect x="3" y="3" width="14" height="14""#,
            Shape::Triangle => r#"<polygon points="10,1 19,18 1,18""#,
        };
        Legend { name, mark: format!(r#"{shape} fill="{}"/>"#, hex(line_colour(index))) }
    }

    /// That of a stage.
    pub fn of_stage(name: &str) -> Legend {
        let fill = hex(stage_colour(name));
        Legend { name: name.into(), mark: format!(r#"<rect x="2" y="2" width="16" height="16" fill="{fill}"/>"#) }
    }
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
