//! Puzzles without a solution, with the reason and its place.

use std::ops::ControlFlow;

use super::layout::Constraint;
use super::solve::Walk;
use super::{Limits, Solutions, Watch};
use crate::error::Error;
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

/// Refuses a puzzle that has no solution, if that can be shown within `node_limit` nodes.
///
/// `Ok` means that there is a solution or that the limit was reached. The solution stays unknown.
///
/// # Errors
/// [`Error::Unsolvable`] with the simplest reason: a cell without a digit or a digit without a place, at once or after all
/// singles; else the number of nodes of the search that showed it.
pub fn refute(puzzle: &Puzzle, node_limit: u64) -> Result<(), Error> {
    let mut unobserved = |_| ControlFlow::Continue(());
    let mut watch = Watch::new(&Limits { nodes: node_limit, ..Limits::default() }, &mut unobserved);
    let mut walk = Walk::new(puzzle.givens(), None);
    let seen_at_once = walk.board().first_unmet().map(|demand| reason_in(puzzle.givens(), demand));
    let reason = match seen_at_once {
        Some(reason) => reason,
        None => match walk.next(&mut watch) {
            Ok(None) => reason_after(watch.nodes(), walk.board().unmet(), puzzle.shape()),
            Ok(Some(_)) | Err(_) => return Ok(()),
        },
    };
    Err(Error::Unsolvable(format!("{reason}; check the givens")))
}

/// The reason that can be seen in the givens.
fn reason_in(givens: &Grid, demand: Constraint) -> String {
    let cell = usize::from(demand);
    let lack = lack(givens.shape(), demand);
    if cell < givens.shape().cells() { format!("{lack}: {}", takers(givens, cell)) } else { lack }
}

/// The reason that the exhausted search showed.
fn reason_after(nodes: u64, unmet: Option<Constraint>, shape: Shape) -> String {
    match unmet {
        Some(demand) if nodes == 1 => format!("once every forced digit stands, {}", lack(shape, demand)),
        _ => format!("shown by an exhaustive search of {nodes} nodes"),
    }
}

/// A demand without an option, in words.
fn lack(shape: Shape, demand: Constraint) -> String {
    let (n, cells) = (shape.side(), shape.cells());
    let demand = usize::from(demand);
    let (index, digit) = (demand % cells / n + 1, demand % n + 1);
    match demand / cells {
        0 => format!("row {}, column {} has no digit left", shape.row(demand) + 1, shape.column(demand) + 1),
        1 => format!("digit {digit} has no place left in row {index}"),
        2 => format!("digit {digit} has no place left in column {index}"),
        _ => format!("digit {digit} has no place left in block {index}"),
    }
}

/// The digits that each unit takes from a cell, each digit once.
fn takers(givens: &Grid, cell: usize) -> String {
    let shape = givens.shape();
    let mut told = [false; crate::sudoku::MAX_SIDE + 1];
    let mut news = |cells: &mut dyn Iterator<Item = usize>| {
        let mut digits: Vec<u8> = cells.map(|cell| givens.get(cell)).filter(|digit| *digit != 0).collect();
        digits.sort_unstable();
        digits.retain(|digit| !std::mem::replace(&mut told[usize::from(*digit)], true));
        digits.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    };
    [
        ("row", news(&mut shape.row_cells(shape.row(cell)))),
        ("column", news(&mut shape.column_cells(shape.column(cell)))),
        ("block", news(&mut shape.block_cells(shape.block(cell)))),
    ]
    .iter()
    .filter(|(_, digits)| !digits.is_empty())
    .map(|(unit, digits)| format!("its {unit} holds {digits}"))
    .collect::<Vec<_>>()
    .join(", ")
}
