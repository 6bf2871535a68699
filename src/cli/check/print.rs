//! Findings as text and as JSON.

use indicatif::HumanCount;
use serde_json::json;
use swarmdoku::sudoku::render;
use swarmdoku::{Error, Grid};

use super::findings::{Findings, Solutions};
use crate::cli::print_line;
use crate::cli::source::Item;

/// One object on one line.
pub fn json(item: &Item, findings: &Findings) -> Result<(), Error> {
    let shape = item.puzzle.shape();
    let cell = |cell: usize| json!([shape.row(cell) + 1, shape.column(cell) + 1]);
    let line = json!({
        "name": item.name,
        "place": item.place,
        "puzzle": item.puzzle.givens().to_string(),
        "shape": shape.to_string(),
        "solutions": findings.solutions.name(),
        "found": findings.found,
        "limit": findings.limit.as_ref().map(|(name, _)| name),
        "reason": findings.reason,
        "shown": findings.shown.iter().map(Grid::to_string).collect::<Vec<_>>(),
        "differing": findings.differing().into_iter().map(cell).collect::<Vec<_>>(),
        "givens": item.puzzle.given_count(),
        "minimal": findings.minimal,
        "difficulty": findings.grade.map(|grade| grade.difficulty),
        "hardest": findings.grade.and_then(|grade| grade.hardest).map(|technique| technique.name()),
        "techniques_suffice": findings.grade.map(|grade| grade.techniques_suffice()),
        "nodes": findings.nodes,
        "version": env!("CARGO_PKG_VERSION"),
    });
    print_line(&line.to_string())
}

/// A line about the solutions, one about the givens, and the solutions themselves.
pub fn text(item: &Item, findings: &Findings) -> Result<(), Error> {
    let number = item.number.map(|number| format!("puzzle {number}, ")).unwrap_or_default();
    let name = item.name.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
    let place = if item.number.is_some() { item.place.as_str() } else { "the puzzle" };
    print_line(&format!("{number}{name}{place}: {}", headline(findings)))?;
    print_line(&format!("  {}", details(item, findings)))?;
    show(item, findings)
}

fn headline(findings: &Findings) -> String {
    let nodes = nodes(findings.nodes);
    let limit = || match &findings.limit {
        Some(("interrupted", _)) => "interrupted".to_string(),
        Some((name, value)) => format!("the limit of --{name} {value} was met"),
        None => String::new(),
    };
    match findings.solutions {
        Solutions::One => format!("one solution, and no other, shown in {nodes}"),
        Solutions::None => match &findings.reason {
            Some(reason) => format!("no solution: {}", reason.trim_start_matches("the puzzle has no solution: ")),
            None => format!("no solution, shown by an exhaustive search of {nodes}; check the givens"),
        },
        Solutions::Several if findings.limit.is_none() => format!("{} solutions", HumanCount(findings.found as u64)),
        Solutions::Several => {
            format!("several solutions, at least {}: {}", HumanCount(findings.found as u64), limit())
        }
        Solutions::Unknown => {
            let found = if findings.found == 0 { "no solution was found" } else { "a solution was found" };
            format!("not decided: {found}, and then {} after {nodes}", limit())
        }
    }
}

fn nodes(nodes: u64) -> String {
    format!("{} {}", HumanCount(nodes), if nodes == 1 { "node" } else { "nodes" })
}

fn details(item: &Item, findings: &Findings) -> String {
    let givens = match item.puzzle.free_cells().len() {
        0 => "no free cell: the grid is full".to_string(),
        _ => format!("{} givens of {} cells", item.puzzle.given_count(), item.puzzle.shape().cells()),
    };
    if findings.solutions != Solutions::One {
        return givens;
    }
    let minimal = match findings.minimal {
        Some(true) => "minimal: no given can be removed",
        Some(false) => "not minimal: a given can be removed",
        None => "minimal or not: unknown within the limit",
    };
    let Some(grade) = findings.grade else { return format!("{givens}, {minimal}") };
    format!("{givens}, {minimal}; {grade}")
}

/// The solution, or two of several with the cells where they differ marked.
fn show(item: &Item, findings: &Findings) -> Result<(), Error> {
    for solution in &findings.shown {
        print_line(&format!("  {solution}"))?;
    }
    let differing = findings.differing();
    if differing.is_empty() {
        return Ok(());
    }
    let marks: String =
        (0..item.puzzle.shape().cells()).map(|cell| if differing.contains(&cell) { '^' } else { ' ' }).collect();
    print_line(&format!("  {}", marks.trim_end()))?;
    for solution in &findings.shown {
        print_line(render::marked(solution, &differing).trim_end())?;
    }
    print_line(&format!("  they differ in {} cells, marked", differing.len()))
}
