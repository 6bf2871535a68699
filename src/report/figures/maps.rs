//! Maps of each variant on each puzzle, by the strength of a colour.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Figure, Pieces, Sources};
use crate::error::Error;
use crate::report::analysis::{Group, Scope};
use crate::report::chart::{Area, Chart, Drawn, svg};
use crate::report::page::Part;
use crate::report::read::Study;
use crate::report::table::label;
use crate::report::table::{Format, Table, column, count, number, text};

/// The success rates.
pub(super) const SUCCESS_BY_PUZZLE: Figure = Figure { section: super::MAPS, make: |sources| map(sources, success) };

/// The expected evaluations.
pub(super) const ERT_BY_PUZZLE: Figure = Figure { section: super::MAPS, make: |sources| map(sources, expected) };

fn map(sources: &Sources, chart: fn(&Study, &[Scope]) -> Result<Chart, Error>) -> Result<Pieces, Error> {
    if variants(sources.study).is_empty() {
        return Ok(Pieces::default());
    }
    let charts = vec![chart(sources.study, sources.analysis.each_puzzle())?];
    Ok(Pieces { open: Part { charts, ..Part::default() }, ..Pieces::default() })
}

/// The sky blue of the series' colours: black text stands out on it.
const COLOUR: RGBColor = RGBColor(86, 180, 233);

/// The width that a map has if it can.
const WIDTH: u32 = 560;

/// The content of a cell.
struct Shown {
    /// From 0, no colour, to 1.
    strength: f64,
    words: String,
}

/// The success rate of each variant on each puzzle.
fn success(study: &Study, scopes: &[Scope]) -> Result<Chart, Error> {
    let rate = |group: &Group| group.solved as f64 / group.runs as f64;
    let svg = draw_map(study, scopes, |group| {
        let words = format!("{:.0}", 100.0 * rate(group));
        Shown { strength: rate(group), words }
    })?;
    Ok(Chart {
        title: "Success by variant and puzzle".into(),
        caption: "Runs that solved, in percent; the fuller the colour, the more.".into(),
        width: MapLayout::of(study, scopes).size().0,
        svg,
        narrow: None,
        legend: Vec::new(),
        data: data(study, scopes, "success_by_puzzle", "success_rate", rate),
    })
}

/// The expected evaluations of each variant on each puzzle.
fn expected(study: &Study, scopes: &[Scope]) -> Result<Chart, Error> {
    let ert = |group: &Group| group.evaluations.ert;
    let finite = || scopes.iter().flat_map(|scope| &scope.groups).map(ert).filter(|ert| ert.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min).max(1.0), finite().fold(1.0, f64::max));
    let strength = |ert: f64| match ert.is_finite() {
        true => 1.0 - 0.85 * (ert.max(1.0) / low).ln() / (high / low).ln().max(1e-9),
        false => 0.0,
    };
    let words = |ert: f64| if ert.is_finite() { label(two_digits(ert)).replace(' ', "") } else { "∞".into() };
    let svg = draw_map(study, scopes, |group| Shown { strength: strength(ert(group)), words: words(ert(group)) })?;
    Ok(Chart {
        title: "Expected running time by variant and puzzle".into(),
        caption: "ERT in evaluations; the fuller the colour, the fewer. ∞: no run solved.".into(),
        width: MapLayout::of(study, scopes).size().0,
        svg,
        narrow: None,
        legend: Vec::new(),
        data: data(study, scopes, "ert_by_puzzle", "ert", ert),
    })
}

/// Rounded to two significant digits; the table has all.
fn two_digits(value: f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor() - 1.0).max(1.0);
    (value / unit).round() * unit
}

/// Where everything stands. Names take what they need up to a limit; rows shrink from 24 to 5 pixels as they become more,
/// and columns from 90 to 12; names and numbers are left out where they would touch.
struct MapLayout {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    columns: usize,
    rows: usize,
}

impl MapLayout {
    fn of(study: &Study, scopes: &[Scope]) -> MapLayout {
        MapLayout::new(&names(&variants(study)), &puzzles(scopes))
    }

    fn new(variants: &[&str], puzzles: &[&str]) -> MapLayout {
        let longest = |names: &[&str]| names.iter().map(|name| name.chars().count()).max().unwrap_or(1) as u32;
        let left = (longest(puzzles) * 8 + 14).clamp(40, 200);
        let columns = variants.len().max(1) as u32;
        let width = ((WIDTH - left - 10) / columns).clamp(12, 90);
        let top = if longest(variants) * 8 + 4 <= width { 26 } else { (longest(variants) * 8 + 14).clamp(40, 220) };
        let height = (1600 / puzzles.len().max(1) as u32).clamp(5, 24);
        MapLayout {
            left: left as i32,
            top: top as i32,
            width: width as i32,
            height: height as i32,
            columns: variants.len(),
            rows: puzzles.len(),
        }
    }

    fn size(&self) -> (u32, u32) {
        let (right, bottom) = self.corner(self.columns, self.rows);
        ((right + 10) as u32, (bottom + 6) as u32)
    }

    fn corner(&self, column: usize, row: usize) -> (i32, i32) {
        (self.left + self.width * column as i32, self.top + self.height * row as i32)
    }

    fn middle(&self, column: usize, row: usize) -> (i32, i32) {
        let (x, y) = self.corner(column, row);
        (x + self.width / 2, y + self.height / 2)
    }

    /// True if so many letters fit into a cell.
    fn has_room(&self, letters: usize) -> bool {
        self.height >= 15 && self.width >= 8 * letters as i32
    }

    fn names_stand_upright(&self) -> bool {
        self.top > 26
    }

    /// One name in so many is written, so that they do not touch.
    fn step(pixels: i32) -> usize {
        (15 + pixels - 1).div_euclid(pixels) as usize
    }
}

/// The variants that score candidates, each with its number: those that count nodes have a table of their own.
fn variants(study: &Study) -> Vec<(usize, &str)> {
    let all = study.manifest.plan.variants.iter().enumerate();
    all.filter(|(_, variant)| !variant.is_exact()).map(|(number, variant)| (number, variant.name.as_str())).collect()
}

fn names<'a>(variants: &[(usize, &'a str)]) -> Vec<&'a str> {
    variants.iter().map(|(_, name)| *name).collect()
}

fn puzzles(scopes: &[Scope]) -> Vec<&str> {
    scopes.iter().map(|scope| scope.name.as_str()).collect()
}

fn draw_map(study: &Study, scopes: &[Scope], shown: impl Fn(&Group) -> Shown) -> Result<String, Error> {
    let (variants, puzzles) = (variants(study), puzzles(scopes));
    let names = names(&variants);
    let layout = MapLayout::new(&names, &puzzles);
    let cells: Vec<(usize, usize, Option<Shown>)> = scopes
        .iter()
        .enumerate()
        .flat_map(|(row, scope)| {
            variants.iter().enumerate().map(move |(column, variant)| (column, row, variant.0, scope))
        })
        .map(|(column, row, variant, scope)| {
            (column, row, scope.groups.iter().find(|group| group.variant == variant).map(&shown))
        })
        .collect();
    let longest = cells.iter().filter_map(|(.., shown)| shown.as_ref()).map(|shown| shown.words.chars().count()).max();
    let has_room = layout.has_room(longest.unwrap_or_default());
    svg(layout.size(), |area| {
        draw_names(area, &layout, &names, &puzzles)?;
        for (column, row, shown) in &cells {
            draw_cell(area, &layout, (*column, *row), shown.as_ref(), has_room)?;
        }
        area.present()
    })
}

fn draw_names(area: Area<'_, '_>, layout: &MapLayout, variants: &[&str], puzzles: &[&str]) -> Drawn {
    let font = ("sans-serif", 16).into_font().color(&BLACK);
    let beside = font.pos(Pos::new(HPos::Right, VPos::Center));
    for (row, name) in puzzles.iter().enumerate().step_by(MapLayout::step(layout.height)) {
        let (x, y) = (layout.left - 8, layout.middle(0, row).1);
        area.draw(&Text::new(cut(name, layout.left), (x, y), beside.clone()))?;
    }
    let turn = if layout.names_stand_upright() { FontTransform::Rotate270 } else { FontTransform::None };
    let side = if layout.names_stand_upright() { HPos::Left } else { HPos::Center };
    let above = ("sans-serif", 16).into_font().transform(turn).color(&BLACK).pos(Pos::new(side, VPos::Center));
    let room = if layout.names_stand_upright() { layout.top } else { i32::MAX };
    for (column, name) in variants.iter().enumerate().step_by(MapLayout::step(layout.width)) {
        let (x, y) = (layout.middle(column, 0).0, layout.top - if layout.names_stand_upright() { 6 } else { 12 });
        area.draw(&Text::new(cut(name, room), (x, y), above.clone()))?;
    }
    Ok(())
}

fn draw_cell(
    area: Area<'_, '_>,
    layout: &MapLayout,
    (column, row): (usize, usize),
    shown: Option<&Shown>,
    has_room: bool,
) -> Drawn {
    let ((left, top), (right, bottom)) = (layout.corner(column, row), layout.corner(column + 1, row + 1));
    let gap = i32::from(layout.height > 8);
    let bounds = [(left, top), (right - gap, bottom - gap)];
    area.draw(&Rectangle::new(bounds, BLACK.mix(0.06).filled()))?;
    let Some(Shown { strength, words }) = shown else { return Ok(()) };
    area.draw(&Rectangle::new(bounds, COLOUR.mix(strength.clamp(0.0, 1.0)).filled()))?;
    if has_room {
        let style = ("sans-serif", 15).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(words.as_str(), layout.middle(column, row), style))?;
    }
    Ok(())
}

/// A name that fits into so many pixels, its end replaced where it is longer.
fn cut(name: &str, pixels: i32) -> String {
    let room = (pixels / 8 - 1).max(3) as usize;
    match name.chars().count() > room {
        true => name.chars().take(room - 1).chain(['…']).collect(),
        false => name.into(),
    }
}

fn data(study: &Study, scopes: &[Scope], id: &str, key: &'static str, value: impl Fn(&Group) -> f64) -> Table {
    let columns = [
        column("puzzle", "puzzle", Format::Text),
        column("variant", "variant", Format::Text),
        column("runs", "runs", Format::Count),
        column(key, key, Format::Score),
    ];
    let mut table = Table::new(id, "", "", &columns);
    for (scope, group) in scopes.iter().flat_map(|scope| scope.groups.iter().map(move |group| (scope, group))) {
        let name = &study.manifest.plan.variants[group.variant].name;
        table.push([text(&scope.name), text(name), count(group.runs), number(value(group))]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_grows_with_its_puzzles_and_shrinks_its_rows_before_it_is_endless() {
        let sizes = [(4, 11), (20, 100), (60, 1000)].map(|(variants, puzzles)| {
            let layout = MapLayout::new(&vec!["a variant"; variants], &vec!["a puzzle"; puzzles]);
            (layout.width, layout.height, layout.has_room(3), layout.size().1)
        });
        assert_eq!(sizes[0], (90, 24, true, 26 + 11 * 24 + 6));
        assert_eq!(sizes[1].1, 16);
        assert_eq!((sizes[2].0, sizes[2].1, sizes[2].2), (12, 5, false));
        assert!(sizes.iter().all(|(.., height)| *height < 5200));
    }

    #[test]
    fn long_names_are_cut_between_letters() {
        assert_eq!(cut("größer als gedacht", 80), "größer a…");
        assert_eq!(cut("größe", 80), "größe");
        assert_eq!(MapLayout::new(&[&"x".repeat(500)], &[&"y".repeat(500)]).left, 200);
    }

    #[test]
    fn costs_are_rounded_to_two_digits() {
        assert_eq!([99_949.0, 1_234_567.0, 12.0, 3.0].map(two_digits), [100_000.0, 1_200_000.0, 12.0, 3.0]);
    }
}
