//! Grids as text. Whatever is written here, [`crate::sudoku::text`] reads back as the same grid.
//!
//! One caution: letters stand for digits past 9 in [`line()`] and [`rows`], and a reader that is told no alphabet
//! refuses a grid of letters alone, since `A` may be 1 or 10. [`pretty`] writes numbers.

use std::io::{self, Write};

use crate::sudoku::grid::{Grid, sign};
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::shape::Shape;

/// Marks a given in pretty output; allowed behind a digit that stands alone.
pub(crate) const GIVEN_MARK: char = '\'';

/// One line of digits, `.` for empty; digits past 9 are letters from `A`. It needs no escaping in CSV or JSON.
pub fn line(grid: &Grid) -> String {
    grid.to_string()
}

/// A line for each row, as in [`line()`].
pub fn rows(grid: &Grid) -> String {
    let row = |cells: &[u8]| cells.iter().map(|digit| sign(*digit)).chain(['\n']).collect::<String>();
    grid.cells().chunks(grid.shape().side()).map(row).collect()
}

/// SadMan's `.sdk`: a section `[Puzzle]` of rows.
pub fn sdk(grid: &Grid) -> String {
    format!("[Puzzle]\n{}", rows(grid))
}

/// A CSV with the columns `puzzle` and `name`; without a name that field is empty.
///
/// # Errors
/// Those of the writer.
pub fn csv<'a>(out: impl Write, grids: impl IntoIterator<Item = (Option<&'a str>, &'a Grid)>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["puzzle", "name"])?;
    for (name, grid) in grids {
        let name = name.unwrap_or_default().replace(['\n', '\r'], " ");
        writer.write_record([&line(grid), &name])?;
    }
    writer.flush()
}

/// The grid with borders between its blocks, digits as numbers. Givens, where a puzzle of the same shape tells them,
/// are marked as in `5'`, and with `bold` also written so that a terminal shows them bold (which is not read back).
///
/// ```
/// use swarmdoku::{Puzzle, sudoku::{render, text}};
///
/// let puzzle = Puzzle::new(text::read_one("12....12........", Default::default())?)?;
/// let grid = text::read_one("12343412214.....", Default::default())?;
/// assert_eq!(
///     render::pretty(&grid, Some(&puzzle), false),
///     "\
/// ┌───────┬───────┐
/// │ 1' 2' │ 3  4  │
/// │ 3  4  │ 1' 2' │
/// ├───────┼───────┤
/// │ 2  1  │ 4  .  │
/// │ .  .  │ .  .  │
/// └───────┴───────┘
/// "
/// );
/// # Ok::<(), swarmdoku::Error>(())
/// ```
pub fn pretty(grid: &Grid, givens: Option<&Puzzle>, bold: bool) -> String {
    let shape = grid.shape();
    let givens = givens.map(Puzzle::givens).filter(|givens| givens.shape() == shape);
    let cell_width = digit_width(grid) + usize::from(givens.is_some());
    let cell = |cell: usize| {
        let digit = grid.get(cell);
        let given = givens.map(|givens| digit > 0 && givens.get(cell) == digit);
        number(digit, cell_width - usize::from(given.is_some()), given, bold)
    };
    bordered(shape, cell_width, cell)
}

/// The grid as in [`pretty`], with some cells marked as in `5*`: those in which it differs from another, say.
pub fn marked(grid: &Grid, cells: &[usize]) -> String {
    let width = digit_width(grid);
    let cell = |cell: usize| number(grid.get(cell), width, None, false) + if cells.contains(&cell) { "*" } else { " " };
    bordered(grid.shape(), width + 1, cell)
}

/// Columns that a digit of the grid's shape takes.
fn digit_width(grid: &Grid) -> usize {
    if grid.shape().side() > 9 { 2 } else { 1 }
}

/// Cells, each `cell_width` columns wide, with borders between the blocks. Borders between all cells or all rows are
/// double, since single ones may be those of a table.
fn bordered(shape: Shape, cell_width: usize, cell: impl Fn(usize) -> String) -> String {
    let rule = |[left, line, middle, right]: [&str; 4]| {
        let block = line.repeat(shape.block_columns() * (cell_width + 1) + 1);
        format!("{left}{}{right}\n", vec![block; shape.stacks()].join(middle))
    };
    let bar = if shape.block_columns() == 1 { " ║ " } else { " │ " };
    let row = |row: usize| {
        let cells: Vec<String> = shape.row_cells(row).map(&cell).collect();
        let blocks: Vec<String> = cells.chunks(shape.block_columns()).map(|cells| cells.join(" ")).collect();
        format!("│ {} │\n", blocks.join(bar))
    };
    let band = |band: usize| (0..shape.block_rows()).map(|k| row(band * shape.block_rows() + k)).collect::<String>();
    let bands: Vec<String> = (0..shape.bands()).map(band).collect();
    let inner = if shape.block_rows() == 1 { ["╞", "═", "╪", "╡"] } else { ["├", "─", "┼", "┤"] };
    let (top, bottom) = (["┌", "─", "┬", "┐"], ["└", "─", "┴", "┘"]);
    format!("{}{}{}", rule(top), bands.join(&rule(inner)), rule(bottom))
}

/// A cell of pretty output: right-aligned in `width`, then the given's mark or room for it.
fn number(digit: u8, width: usize, given: Option<bool>, bold: bool) -> String {
    let text = if digit == 0 { ".".to_string() } else { digit.to_string() };
    match given {
        Some(true) if bold => format!("\x1b[1m{text:>width$}{GIVEN_MARK}\x1b[0m"),
        Some(true) => format!("{text:>width$}{GIVEN_MARK}"),
        Some(false) => format!("{text:>width$} "),
        None => format!("{text:>width$}"),
    }
}
