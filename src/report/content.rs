//! What stands in a report, in the order in which it is read.

use super::analysis::{Analysis, Scope};
use super::chart::{self, Cast, Chart};
use super::facts;
use super::read::Study;
use super::table::Table;
use super::tables;
use crate::error::Error;

/// Puzzles that have charts of their own; beyond them their curves are in files alone.
const PUZZLES_DRAWN: usize = 12;

/// A report.
pub struct Content {
    /// The experiment's name.
    pub title: String,
    /// What was run, in a sentence.
    pub summary: String,
    /// What readers must know before they believe anything: what is missing.
    pub remarks: Vec<String>,
    /// What it ran on, each with its name.
    pub facts: Vec<(&'static str, String)>,
    /// The parts.
    pub sections: Vec<Section>,
    /// Data that is in files alone.
    pub files: Vec<Table>,
}

/// A part of a report.
pub struct Section {
    /// Letters and `-`; unique in a report.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What is always shown.
    pub open: Part,
    /// What is shown on demand, under a heading each.
    pub folded: Vec<(String, Part)>,
}

/// Some charts and tables.
#[derive(Default)]
pub struct Part {
    /// What stands above them.
    pub text: String,
    /// Charts first.
    pub charts: Vec<Chart>,
    /// Then tables.
    pub tables: Vec<Table>,
}

impl Content {
    /// Makes the report of a folder.
    ///
    /// # Errors
    /// [`Error::Internal`] if drawing fails, which no input should bring about.
    pub fn new(study: &Study, analysis: &Analysis) -> Result<Content, Error> {
        let cast = Cast::new(analysis);
        let (overall, puzzles) = (&analysis.overall[..], &analysis.puzzles[..]);
        Ok(Content {
            title: study.manifest.plan.name.clone(),
            summary: facts::summary(study),
            remarks: facts::remarks(study),
            facts: facts::facts(study),
            sections: vec![
                results(study, analysis),
                curves(study, analysis, &cast)?,
                maps(study, analysis)?,
                fixed(study, overall, puzzles),
                compared(study, overall, puzzles),
                planned(study),
            ],
            files: match puzzles {
                [] => Vec::new(),
                puzzles => vec![
                    tables::convergence(study, "convergence_by_puzzle", puzzles),
                    tables::run_lengths(study, "run_lengths_by_puzzle", puzzles),
                ],
            },
        })
    }

    /// All tables, and the data of all charts that are shown at once; that of the others is among the files.
    pub fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<&Table> = Vec::new();
        for Section { open, folded, .. } in &self.sections {
            tables.extend(&open.tables);
            tables.extend(open.charts.iter().map(|chart| &chart.data));
            tables.extend(folded.iter().flat_map(|(_, part)| &part.tables));
        }
        tables.extend(&self.files);
        tables
    }
}

/// The id of a table or chart of a scope: its kind, and a number where there are several.
fn numbered(kind: &str, scopes: &[Scope], place: usize) -> String {
    if scopes.len() == 1 { kind.into() } else { format!("{kind}_{}", place + 1) }
}

fn results(study: &Study, analysis: &Analysis) -> Section {
    let part = |suffix: &str, of_what: &str, scopes: &[Scope]| {
        let mut tables =
            vec![tables::results(study, &format!("results{suffix}"), &format!("Success and cost{of_what}"), scopes)];
        if scopes.iter().any(|scope| !scope.exact.is_empty()) {
            let title = format!("Nodes of searches without a population{of_what}");
            tables.push(tables::nodes(study, &format!("nodes{suffix}"), &title, scopes));
        }
        Part { tables, ..Part::default() }
    };
    let folded = match &analysis.puzzles[..] {
        [] => Vec::new(),
        puzzles => vec![("Results by puzzle".into(), part("_by_puzzle", " by puzzle", puzzles))],
    };
    Section { id: "results", title: "Results", open: part("", "", &analysis.overall), folded }
}

fn maps(study: &Study, analysis: &Analysis) -> Result<Section, Error> {
    let (overall, puzzles) = (&analysis.overall[..], analysis.each_puzzle());
    let mut open = Part::default();
    for (place, scope) in overall.iter().enumerate() {
        open.charts.extend(chart::population(study, scope, &numbered("success_by_population", overall, place))?);
    }
    open.charts.push(chart::success(study, puzzles, "success_by_puzzle")?);
    open.charts.push(chart::expected(study, puzzles, "ert_by_puzzle")?);
    Ok(Section { id: "maps", title: "By population and by puzzle", open, folded: Vec::new() })
}

fn curves(study: &Study, analysis: &Analysis, cast: &Cast) -> Result<Section, Error> {
    let pair = |scopes: &[Scope], place: usize, suffix: &str| {
        let id = |kind: &str| numbered(&format!("{kind}{suffix}"), scopes, place);
        let scope = &scopes[place];
        Ok::<[Chart; 2], Error>([
            chart::convergence(study, cast, scope, &id("convergence"))?,
            chart::run_lengths(study, cast, scope, &id("run_lengths"))?,
        ])
    };
    let mut open = Part::default();
    for place in 0..analysis.overall.len() {
        open.charts.extend(pair(&analysis.overall, place, "")?);
    }
    let drawn = analysis.puzzles.len().min(PUZZLES_DRAWN);
    let mut each = Part::default();
    for place in 0..drawn {
        each.charts.extend(pair(&analysis.puzzles, place, "_puzzle")?);
    }
    if drawn < analysis.puzzles.len() {
        let (drawn, all) = (drawn, analysis.puzzles.len());
        each.text = format!("Drawn are the first {drawn} of {all} puzzles; `--csv` writes the curves of all.");
    }
    let folded = if drawn > 0 { vec![("Curves by puzzle".into(), each)] } else { Vec::new() };
    Ok(Section { id: "curves", title: "Convergence and run lengths", open, folded })
}

fn fixed(study: &Study, overall: &[Scope], puzzles: &[Scope]) -> Section {
    let tables = |suffix: &str, scopes: &[Scope]| {
        let id = |kind: &str| format!("{kind}{suffix}");
        vec![
            tables::fixed_budgets(study, &id("fixed_budgets"), "Fixed budgets", scopes),
            tables::fixed_targets(study, &id("fixed_targets"), "Fixed targets", scopes),
        ]
    };
    let open = Part { tables: tables("", overall), ..Part::default() };
    let each = Part { tables: tables("_by_puzzle", puzzles), ..Part::default() };
    let folded = if puzzles.is_empty() { Vec::new() } else { vec![("Budgets and targets by puzzle".into(), each)] };
    Section { id: "fixed", title: "Fixed budgets and fixed targets", open, folded }
}

fn compared(study: &Study, overall: &[Scope], puzzles: &[Scope]) -> Section {
    let part = |id: &str, title: &str, scopes: &[Scope]| Part {
        tables: vec![tables::pairs(study, id, title, scopes)],
        ..Part::default()
    };
    let folded = match puzzles {
        [] => Vec::new(),
        _ => vec![("Pairs by puzzle".into(), part("pairs_by_puzzle", "Tests of each pair by puzzle", puzzles))],
    };
    Section { id: "pairs", title: "Pairs of variants", open: part("pairs", "Tests of each pair", overall), folded }
}

fn planned(study: &Study) -> Section {
    let open = Part { tables: vec![tables::variants(study)], ..Part::default() };
    let puzzles = Part { tables: vec![tables::puzzles(study)], ..Part::default() };
    Section { id: "plan", title: "What was run", open, folded: vec![("Puzzles".into(), puzzles)] }
}
