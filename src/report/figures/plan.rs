//! The variants and the puzzles of the plan.

use super::{Figure, Pieces, VARIANT, assignments};
use crate::report::page::Part;
use crate::report::read::Study;
use crate::report::table::{Format, Table, column, count, text};

/// The variants.
pub const VARIANTS: Figure = Figure {
    section: super::PLANNED,
    make: |sources| {
        let open = Part { tables: vec![variants(sources.study)], ..Part::default() };
        Ok(Pieces { open, ..Pieces::default() })
    },
};

/// The puzzles.
pub const PUZZLES_RUN: Figure = Figure {
    section: super::PLANNED,
    make: |sources| {
        let part = Part { tables: vec![puzzles(sources.study)], ..Part::default() };
        Ok(Pieces { folded: vec![("Puzzles".into(), part)], ..Pieces::default() })
    },
};

fn puzzles(study: &Study) -> Table {
    let columns = [
        column("puzzle", "puzzle", Format::Text),
        column("shape", "shape", Format::Text),
        column("givens", "givens", Format::Count),
        column("grid", "grid", Format::Grid),
    ];
    let mut table = Table::new("puzzles", "Puzzles", "", &columns);
    for puzzle in &study.manifest.plan.puzzles {
        let givens = puzzle.puzzle.chars().filter(|cell| *cell != '.').count() as u64;
        table.push([text(&puzzle.name), text(&puzzle.shape), count(givens), text(&puzzle.puzzle)]);
    }
    table
}

fn variants(study: &Study) -> Table {
    let columns =
        [VARIANT, column("algorithm", "algorithm", Format::Text), column("parameters", "parameters", Format::Text)];
    let mut table = Table::new("variants", "Variants", "", &columns);
    for variant in &study.manifest.plan.variants {
        table.push([text(&variant.name), text(&variant.algorithm), text(assignments(&variant.parameters))]);
    }
    table
}
