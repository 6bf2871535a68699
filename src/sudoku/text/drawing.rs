//! The blocks that a drawing shows: by borders, or by wider gaps, between cells and between rows.
//!
//! What is drawn decides. Separations of the last kind in [`Separation`] show the blocks, those of other kinds are
//! decoration: double lines rather than single ones, any line rather than space. Separations between all neighbours frame
//! each cell or row and say nothing, unless they are double.

use super::cells::Separation;
use super::lines::LineError;
use crate::sudoku::Shape;

const EXPECTED: &str = "borders around equal blocks";
const REMEDY: &str =
    "correct the drawing; a puzzle with irregular blocks (a jigsaw) is no classic Sudoku and is not read";

/// How separations cut a row of cells, or the rows of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Separations {
    /// Not at all, or between all.
    Nowhere,
    /// Between all, by double or heavy lines.
    Everywhere,
    /// Into parts of equal length.
    Every(usize),
}

/// The drawing of a grid, row by row.
#[derive(Debug)]
pub(super) struct Drawing {
    /// The line of each row, and what stands between its cells.
    cells: Vec<(usize, Vec<Separation>)>,
    /// What stands between the rows.
    rows: Vec<Separation>,
}

impl Drawing {
    pub(super) fn new(rows: &[Separation]) -> Drawing {
        Drawing { cells: Vec::new(), rows: rows.to_vec() }
    }

    /// Adds what stands between the cells of the row in `line`.
    pub(super) fn add(&mut self, line: usize, separations: Vec<Separation>) {
        self.cells.push((line, separations));
    }

    /// The shape with the blocks that are drawn, `None` if none are.
    ///
    /// # Errors
    /// Blocks that are not all equal, or not of the side.
    pub(super) fn shape(&self) -> Result<Option<Shape>, LineError> {
        let side = self.rows.len() + 1;
        let line = self.cells.first().map_or(1, |(line, _)| *line);
        let error = |found: String| LineError::at(line, 1, found).expected(EXPECTED).remedy(REMEDY);
        let between_cells = self.between_cells()?;
        let framed = is_everywhere(&between_cells);
        let columns = cut(&between_cells)
            .map_err(|at| error(format!("a drawing that separates cells {at} and {} but is cut unevenly", at + 1)))?;
        let rows = match cut(&self.rows) {
            // Markdown has a rule below its first row.
            Err(1) if framed => Separations::Nowhere,
            rows => rows.map_err(|at| {
                error(format!("a drawing that separates rows {at} and {} but is cut unevenly", at + 1))
            })?,
        };
        let drawn = match (rows, columns) {
            (Separations::Every(rows), Separations::Every(columns)) if rows * columns != side => {
                return Err(error(format!("a drawing of blocks of {rows}x{columns} in a grid of side {side}")));
            }
            (_, Separations::Every(columns)) => Some((side / columns, columns)),
            (Separations::Every(rows), _) => Some((rows, side / rows)),
            (Separations::Nowhere, Separations::Everywhere) if !is_everywhere(&self.rows) => Some((side, 1)),
            (Separations::Everywhere, Separations::Nowhere) if !framed => Some((1, side)),
            _ => None,
        };
        Ok(drawn.and_then(|(rows, columns)| Shape::new(rows, columns).ok()))
    }

    /// What all rows show between their cells. Rows that show less than others, such as rows without borders, say nothing.
    fn between_cells(&self) -> Result<Vec<Separation>, LineError> {
        let strongest = |row: &[Separation]| row.iter().copied().max().unwrap_or(Separation::None);
        let kind = self.cells.iter().map(|(_, row)| strongest(row)).max().unwrap_or(Separation::None);
        let shown = |row: &[Separation]| {
            row.iter().map(|separation| if *separation == kind { kind } else { Separation::None }).collect::<Vec<_>>()
        };
        let nothing = vec![Separation::None; self.rows.len()];
        let mut rows = self.cells.iter().filter(|(_, row)| kind == Separation::Gap || strongest(row) == kind);
        let Some((first_line, first)) = rows.next() else { return Ok(nothing) };
        let first = shown(first);
        match rows.find(|(_, row)| shown(row) != first) {
            None => Ok(first),
            // Numbers of unequal width stand apart by chance.
            Some(_) if kind == Separation::Gap => Ok(nothing),
            Some((line, _)) => {
                let found = format!("borders or groups at other places than in the row of line {first_line}");
                Err(LineError::at(*line, 1, found).expected(EXPECTED).remedy(REMEDY))
            }
        }
    }
}

/// True if no neighbours stand together.
fn is_everywhere(separations: &[Separation]) -> bool {
    separations.iter().all(|separation| *separation > Separation::Gap)
}

/// How separations cut what they stand between, or the first place at which they do not cut it evenly.
fn cut(separations: &[Separation]) -> Result<Separations, usize> {
    let kind = separations.iter().copied().max().unwrap_or(Separation::None);
    let places: Vec<usize> =
        (1..).zip(separations).filter(|(_, separation)| **separation == kind).map(|(place, _)| place).collect();
    let side = separations.len() + 1;
    match places[..] {
        _ if kind == Separation::None => Ok(Separations::Nowhere),
        [] => Ok(Separations::Nowhere),
        _ if places.len() == separations.len() && kind == Separation::StrongBorder => Ok(Separations::Everywhere),
        _ if places.len() == separations.len() => Ok(Separations::Nowhere),
        [first, ..]
            if side.is_multiple_of(first) && places.iter().copied().eq((1..side / first).map(|k| k * first)) =>
        {
            Ok(Separations::Every(first))
        }
        _ if kind == Separation::Gap => Ok(Separations::Nowhere),
        [first, ..] => Err(first),
    }
}
