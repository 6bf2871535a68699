//! The parts of an epoch as stacked bars, each as long as the whole.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::chart::{self, Size};
use super::mark;
use crate::error::Error;

/// One epoch.
pub struct Bar {
    /// Its population and time.
    pub label: String,
    /// Its stages, in their order, in seconds.
    pub stages: Vec<(&'static str, f64)>,
}

/// Text on a bar: a black that no scheme turns white, since the bar below it stays light.
const ON_BAR: RGBColor = RGBColor(1, 1, 1);

/// Pixels from one bar to the next, and of a bar's height.
const PITCH: i32 = 54;
const HEIGHT: i32 = 26;

/// A stage is labelled if it is so many pixels wide.
const LABELLED: i32 = 38;

/// Draws the bars below one another, each under its label; a stage that is wide enough says its share.
///
/// # Errors
/// [`Error::Internal`] if drawing fails.
pub fn stacked(bars: &[Bar], size: Size) -> Result<String, Error> {
    let width = size.width() as i32;
    chart::svg((size.width(), (bars.len() as i32 * PITCH) as u32), |area| {
        for (bar, top) in bars.iter().zip((0..).step_by(PITCH as usize)) {
            let label = ("sans-serif", 17).into_text_style(area).color(&BLACK).pos(Pos::new(HPos::Left, VPos::Top));
            area.draw(&Text::new(bar.label.clone(), (1, top), label))?;
            for Segment { name, left, right, share } in segments(bar, width) {
                let colour = mark::stage_colour(name).filled();
                area.draw(&Rectangle::new([(left, top + 22), (right, top + 22 + HEIGHT)], colour))?;
                if right - left >= LABELLED {
                    let text = format!("{:.0} %", 100.0 * share);
                    let pos = Pos::new(HPos::Center, VPos::Center);
                    let style = ("sans-serif", 16).into_text_style(area).color(&ON_BAR).pos(pos);
                    area.draw(&Text::new(text, ((left + right) / 2, top + 22 + HEIGHT / 2), style))?;
                }
            }
        }
        Ok(())
    })
}

/// A stage in a bar.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Segment {
    name: &'static str,
    left: i32,
    right: i32,
    share: f64,
}

/// The stages side by side, without gaps, from 0 to `width`.
fn segments(bar: &Bar, width: i32) -> Vec<Segment> {
    let whole: f64 = bar.stages.iter().map(|(_, seconds)| seconds).sum();
    let mut before = 0.0;
    let at = |seconds: f64| if whole > 0.0 { (seconds / whole * f64::from(width)).round() as i32 } else { 0 };
    let segment = |(name, seconds): &(&'static str, f64)| {
        let left = at(before);
        before += seconds;
        Segment { name, left, right: at(before), share: if whole > 0.0 { seconds / whole } else { 0.0 } }
    };
    bar.stages.iter().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_fill_the_bar_without_gaps_by_their_shares() {
        let stages = vec![("propose", 1.0), ("kernel", 2.0), ("readback", 0.0), ("accept", 1.0)];
        let segments = segments(&Bar { label: String::new(), stages }, 101);
        let places: Vec<(i32, i32)> = segments.iter().map(|segment| (segment.left, segment.right)).collect();
        assert_eq!(places, [(0, 25), (25, 76), (76, 76), (76, 101)]);
        assert_eq!(segments[1].share, 0.5);
    }

    #[test]
    fn an_epoch_without_time_has_a_bar_without_length() {
        let bar = Bar { label: "none".into(), stages: vec![("propose", 0.0)] };
        assert_eq!(segments(&bar, 100)[0].right, 0);
        assert!(stacked(&[bar], Size::Narrow).unwrap().contains("none"));
    }
}
