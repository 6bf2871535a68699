//! The figures of a report: a figure is a constant in a file here and a row in [`FIGURES`].
//!
//! A figure makes charts and tables from the runs and their analysis, and names its section. Figures of one section are
//! joined, and so are folded parts with the same heading. [`tables`] has the figures without a chart.

mod convergence;
mod maps;
mod population;
mod run_lengths;
mod tables;

pub use convergence::convergence_svg;

use plotters::style::RGBColor;

use super::analysis::{Analysis, Group, Scope};
use super::chart::{COLOURS, Chart, LegendKey};
use super::page::{Part, Section};
use super::read::Study;
use super::statistics::Quartiles;
use super::table::{Column, Format, Table, Value, column, text};
use crate::error::Error;

/// The figures, in the order of the report.
pub(crate) const FIGURES: &[&Figure] = &[
    &tables::RESULTS,
    &tables::NODES,
    &convergence::CONVERGENCE,
    &run_lengths::RUN_LENGTHS,
    &population::SUCCESS_BY_POPULATION,
    &maps::SUCCESS_BY_PUZZLE,
    &maps::ERT_BY_PUZZLE,
    &tables::FIXED_BUDGETS,
    &tables::FIXED_TARGETS,
    &tables::PAIRS,
    &tables::VARIANTS,
    &tables::PUZZLES_RUN,
];

/// A figure: its section, and the function that makes it.
pub(crate) struct Figure {
    /// The section's id and its heading.
    pub section: (&'static str, &'static str),
    /// Makes its charts and tables.
    pub make: fn(&Sources) -> Result<Pieces, Error>,
}

const RESULTS: (&str, &str) = ("results", "Results");
const CURVES: (&str, &str) = ("curves", "Convergence and run lengths");
const MAPS: (&str, &str) = ("maps", "By population and by puzzle");
const FIXED: (&str, &str) = ("fixed", "Fixed budgets and fixed targets");
const COMPARED: (&str, &str) = ("pairs", "Pairs of variants");
const PLANNED: (&str, &str) = ("plan", "What was run");

/// The data of all figures.
pub(crate) struct Sources<'a> {
    /// The runs.
    pub study: &'a Study,
    /// Their analysis.
    pub analysis: &'a Analysis,
    /// The variants that are drawn.
    pub colours: Colours,
}

/// The charts and tables of a figure.
#[derive(Default)]
pub(crate) struct Pieces {
    /// Always shown.
    pub open: Part,
    /// Shown on demand, under a heading each.
    pub folded: Vec<(String, Part)>,
    /// Written to files only.
    pub files: Vec<Table>,
}

impl Pieces {
    /// A table of all puzzles together, and one of each puzzle under a heading; those without a row are left out.
    fn tables(sources: &Sources, heading: &str, table: impl Fn(&'static str, &[Scope]) -> Table) -> Pieces {
        let part = |by: &'static str, scopes: &[Scope]| {
            let table = table(by, scopes);
            Part { tables: if scopes.is_empty() { Vec::new() } else { vec![table] }, ..Part::default() }
        };
        let Analysis { overall, puzzles } = sources.analysis;
        let folded = if puzzles.is_empty() { Vec::new() } else { vec![(heading.into(), part("_by_puzzle", puzzles))] };
        Pieces { open: part("", overall), folded, files: Vec::new() }
    }

    /// A chart of all puzzles of each shape, and one of each of the first puzzles under a heading.
    fn charts(
        sources: &Sources,
        id: &str,
        heading: &str,
        chart: impl Fn(&Scope, &str) -> Result<Chart, Error>,
    ) -> Result<Pieces, Error> {
        /// Puzzles with charts of their own; the curves of the others are in files only.
        const PUZZLES_DRAWN: usize = 12;
        let Analysis { overall, puzzles } = sources.analysis;
        let charts = |id: &str, scopes: &[Scope], drawn: usize| {
            let numbered = (0..drawn).map(|place| chart(&scopes[place], &numbered(id, scopes, place)));
            numbered.collect::<Result<Vec<Chart>, Error>>()
        };
        let open = Part { charts: charts(id, overall, overall.len())?, ..Part::default() };
        let drawn = puzzles.len().min(PUZZLES_DRAWN);
        let mut each = Part { charts: charts(&format!("{id}_puzzle"), puzzles, drawn)?, ..Part::default() };
        if drawn < puzzles.len() {
            let all = puzzles.len();
            each.text =
                format!("The charts show the first {drawn} of {all} puzzles; `--csv` writes the curves of all.");
        }
        let folded = if drawn > 0 { vec![(heading.into(), each)] } else { Vec::new() };
        Ok(Pieces { open, folded, files: Vec::new() })
    }
}

/// The sections of a report, and the tables that are written to files only.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which is a bug.
pub(crate) fn sections(sources: &Sources) -> Result<(Vec<Section>, Vec<Table>), Error> {
    let (mut sections, mut files): (Vec<Section>, Vec<Table>) = (Vec::new(), Vec::new());
    for Figure { section: (id, title), make } in FIGURES {
        let pieces = make(sources)?;
        files.extend(pieces.files);
        if sections.last().is_none_or(|section| section.id != *id) {
            sections.push(Section::new(*id, *title));
        }
        let section = sections.last_mut().expect("one was added if there was none");
        section.open.append(pieces.open);
        for (heading, part) in pieces.folded {
            section.fold(heading, part);
        }
    }
    Ok((sections, files))
}

/// The id of a table or chart of a scope: its kind, and a number where there are several.
fn numbered(kind: &str, scopes: &[Scope], place: usize) -> String {
    if scopes.len() == 1 { kind.into() } else { format!("{kind}_{}", place + 1) }
}

const PUZZLES: Column = column("puzzles", "puzzles", Format::Text);
const VARIANT: Column = column("variant", "variant", Format::Text);
const RUNS: Column = column("runs", "runs", Format::Count);
const SOLVED: Column = column("solved", "solved", Format::Count);
const RATE: Column = column("success_rate", "success rate", Format::Percent);
const RATE_95: Column = column("success_rate_95", "95 % interval", Format::Percent);
const ERT: Column = column("ert", "ERT", Format::Cost);
const ERT_95: Column = column("ert_95", "95 % interval", Format::Cost);
const MEDIAN: Column = column("total_median", "median total", Format::Score);
const QUARTILES: Column = column("total_quartiles", "quartiles", Format::Score);

/// Each group of these scopes.
fn each_group<'a>(scopes: impl IntoIterator<Item = &'a Scope>) -> impl Iterator<Item = (&'a Scope, &'a Group)> {
    scopes.into_iter().flat_map(|scope| scope.groups.iter().map(move |group| (scope, group)))
}

/// The name of a variant by its place in the plan.
fn variant(study: &Study, place: usize) -> Value {
    text(&study.manifest.plan.variants[place].name)
}

/// The range between two quartiles.
fn quartiles(quartiles: Option<Quartiles>) -> Value {
    quartiles.map_or(Value::None, |Quartiles { lower, upper, .. }| Value::Range(lower, upper))
}

/// The table without empty columns, and without the puzzles' column if there is only one scope.
fn shortened(table: Table, scopes: &[Scope]) -> Table {
    table.without(if scopes.len() == 1 { &["puzzles"] } else { &[] })
}

/// The fields of a JSON object as `key=value`, without those that are null.
pub(super) fn assignments(object: &serde_json::Value) -> String {
    let Some(fields) = object.as_object() else { return object.to_string() };
    let shown = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let given = fields.iter().filter(|(_, value)| !value.is_null());
    given.map(|(key, value)| format!("{key}={}", shown(value))).collect::<Vec<_>>().join(", ")
}

/// The variants that are drawn, each in a colour that it keeps on every chart.
pub(crate) struct Colours {
    /// By their place in the plan, in its order.
    pub variants: Vec<usize>,
    /// Variants that have runs but are not drawn.
    pub left_out: usize,
}

impl Colours {
    /// As many variants as there are colours: those that solved most, and the faster of equals.
    pub(crate) fn new(analysis: &Analysis) -> Colours {
        let groups = || analysis.overall.iter().flat_map(|scope| &scope.groups);
        let mut variants: Vec<usize> = groups().map(|group| group.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        let all = variants.len();
        let merit = |variant: &usize| {
            let own = || groups().filter(move |group| group.variant == *variant);
            let (solved, runs) =
                (own().map(|group| group.solved).sum::<u64>(), own().map(|group| group.runs).sum::<u64>());
            (-(solved as f64) / runs as f64, own().map(|group| group.evaluations.ert).sum::<f64>())
        };
        variants.sort_by(|a, b| {
            let ((rate, ert), (other_rate, other_ert)) = (merit(a), merit(b));
            rate.total_cmp(&other_rate).then(ert.total_cmp(&other_ert))
        });
        variants.truncate(COLOURS.len());
        variants.sort_unstable();
        Colours { left_out: all - variants.len(), variants }
    }

    /// The colour of a variant, if it is drawn.
    pub(crate) fn colour(&self, variant: usize) -> Option<RGBColor> {
        self.variants.iter().position(|drawn| *drawn == variant).map(|place| COLOURS[place])
    }

    /// The colours' names.
    pub(crate) fn legend(&self, study: &Study) -> Vec<LegendKey> {
        let name = |variant: &usize| study.manifest.plan.variants[*variant].name.clone();
        self.variants.iter().map(name).zip(COLOURS).map(|(name, colour)| LegendKey::line(colour, name)).collect()
    }

    /// A sentence about variants that are missing from charts; empty if there are none.
    pub(crate) fn remark(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left => {
                format!(
                    " The chart shows the {} variants that solved most; the data has {left} more.",
                    self.variants.len()
                )
            }
        }
    }
}
