//! The parts of an adapter's epochs as stacked bars, each as long as the whole.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Size, count};
use crate::bench::{Figures, MeasuredWork, Measurement, Parts, Profile, time};
use crate::error::Error;
use crate::report::chart::{Chart, LegendKey, svg};
use crate::report::page::{Part, Section};
use crate::report::table::{Column, Format, Table, Value, column, number};

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

/// The colour of a stage; grey for one without a name here.
fn stage_colour(stage: &str) -> RGBColor {
    STAGES.into_iter().find(|(name, _)| *name == stage).map_or(RGBColor(170, 172, 178), |(_, colour)| colour)
}

/// The section of an adapter's epochs in one task; none for a contender whose epochs have no parts. `place` is the contender's among
/// all.
///
/// # Errors
/// [`Error::Internal`] if drawing fails.
pub(super) fn section(
    figures: &Figures,
    task: MeasuredWork,
    place: usize,
    who: &Profile,
) -> Result<Option<Section>, Error> {
    let parts: Vec<(&Measurement, Parts)> = figures.of(task, who).filter_map(|it| Some((it, it.parts?))).collect();
    let Some((_, first)) = parts.first() else { return Ok(None) };
    let names = first.stages().into_iter().map(|(name, _)| name);
    let bars: Vec<Bar> = parts
        .iter()
        .map(|(measured, parts)| Bar {
            label: format!("{} · {}", count(measured.population), time(measured.seconds.median)),
            stages: parts.stages(),
        })
        .collect();
    let algorithm = task.algorithm().unwrap_or_default();
    let id = format!("stages_{algorithm}_{place}");
    let chart = Chart {
        title: "Parts of an epoch by population".into(),
        caption: String::new(),
        svg: stacked(&bars, Size::Wide)?,
        width: Size::Wide.width(),
        narrow: Some(stacked(&bars, Size::Narrow)?),
        legend: names.map(|name| LegendKey::area(stage_colour(name), name)).collect(),
        data: figure_table(&parts, &id),
    };
    let mut section =
        Section::new(id.clone(), format!("Where an epoch of {algorithm} on {} spends its time", who.name));
    let text = format!(
        "On {}. Each bar is an epoch: the population, the time it took, and the share of each part. {} bytes per \
         candidate pass the link: its cells there, its score back.",
        who.describe, figures.bytes_over_link
    );
    section.open = Part { text, charts: vec![chart], tables: Vec::new() };
    section.fold("All figures".into(), Part { tables: vec![figure_table(&parts, &id)], ..Part::default() });
    Ok(Some(section))
}

fn figure_table(parts: &[(&Measurement, Parts)], id: &str) -> Table {
    let stages = parts.first().map(|(_, parts)| parts.stages()).unwrap_or_default();
    let columns: Vec<Column> =
        [column("population", "population", Format::Count), column("epoch", "epoch", Format::Time)]
            .into_iter()
            .chain(stages.into_iter().map(|(name, _)| column(name, name, Format::Time)))
            .collect();
    let mut table = Table::new(id, "All figures", "", &columns);
    for (measured, parts) in parts {
        let own = [number(measured.population as f64), number(measured.seconds.median)];
        let row: Vec<Value> =
            own.into_iter().chain(parts.stages().into_iter().map(|(_, seconds)| number(seconds))).collect();
        table.rows.push(row);
    }
    table
}

/// One epoch.
struct Bar {
    /// Its population and time.
    label: String,
    /// Its stages, in their order, in seconds.
    stages: Vec<(&'static str, f64)>,
}

/// Text on a bar: a black that no scheme turns white, since the bar below it stays light.
const ON_BAR: RGBColor = RGBColor(1, 1, 1);

/// Pixels from one bar to the next, and of a bar's height.
const PITCH: i32 = 54;
const HEIGHT: i32 = 26;

/// A stage is labelled if it is so many pixels wide.
const LABELLED: i32 = 38;

/// Draws the bars below one another, each under its label; a stage that is wide enough says its share.
fn stacked(bars: &[Bar], size: Size) -> Result<String, Error> {
    let width = size.width() as i32;
    svg((size.width(), (bars.len() as i32 * PITCH) as u32), |area| {
        for (bar, top) in bars.iter().zip((0..).step_by(PITCH as usize)) {
            let label = ("sans-serif", 17).into_text_style(area).color(&BLACK).pos(Pos::new(HPos::Left, VPos::Top));
            area.draw(&Text::new(bar.label.clone(), (1, top), label))?;
            for Segment { name, left, right, share } in segments(bar, width) {
                let colour = stage_colour(name).filled();
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
