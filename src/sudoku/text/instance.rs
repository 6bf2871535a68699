//! The instances of the ant-colony papers: a line with the order, a line with a number that means nothing here, then
//! rows of numbers, -1 where a cell is empty. The order is the side of a block, so 3 announces a 9x9 grid.

use super::cells::Cells;
use super::forms::{FormResult, Texts};
use super::lines::{Line, LineError, LineKind, ReadError};
use super::rows::Rows;
use crate::sudoku::{Grid, Shape};

/// An instance whose order is alone in this line.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let number = line.number;
    let LineKind::Cells(text) = LineKind::of(line.text()?) else { return Ok(FormResult::Other(line)) };
    let cells = Cells::of(number, text);
    match cells.lone_number() {
        Some(order) if texts.options.fits(&cells).is_empty() => {
            let grid = texts.instance(number, order);
            texts.entry(number, grid)
        }
        _ => Ok(FormResult::Other(line)),
    }
}

impl Texts<'_> {
    /// The instance whose order is alone in line `number`.
    fn instance(&mut self, number: usize, order: i64) -> Result<Grid, ReadError> {
        let error = |found: String| {
            LineError::at(number, 1, found)
                .expected("an instance: its order (2 to 5) in a line, one number in the next, then its rows")
                .remedy("write the grid in one line, or as rows alone")
        };
        let shape = usize::try_from(order).ok().filter(|order| (2..=5).contains(order));
        let Some(shape) = shape.and_then(|order| Shape::new(order, order).ok()) else {
            self.number_line();
            return Err(error(format!("the number {order} alone in a line")).into());
        };
        let first = match self.number_line() {
            true => self.content_line(),
            false => None,
        };
        let Some(first) = first else {
            return Err(error(format!("the order {order} without the lines that follow it")).into());
        };
        let wanted = self.options.shape.unwrap_or(shape);
        if wanted.side() == shape.side() {
            return self.rows(first, wanted);
        }
        Rows::take(&mut self.lines, first, shape, self.options);
        Err(LineError::at(number, 1, format!("the order {order}, that of {shape} grids"))
            .expected(format!("a {wanted} grid"))
            .remedy(format!("name the instance's shape: --shape {shape}"))
            .into())
    }

    /// Takes the next line if it is a number alone.
    fn number_line(&mut self) -> bool {
        let Some(line) = self.content_line() else { return false };
        let text = line.text().unwrap_or_default();
        let found = Cells::of(line.number, text).lone_number().is_some();
        if !found {
            self.lines.unread(std::iter::once(line));
        }
        found
    }

    /// Takes the next line that has cells, if no heading or the like comes before it.
    fn content_line(&mut self) -> Option<Line> {
        while let Some(line) = self.lines.peek_on() {
            match LineKind::of(line.text().unwrap_or_default()) {
                LineKind::Blank | LineKind::Comment => self.lines.recycle(line),
                LineKind::Cells(_) => return Some(line),
                _ => {
                    self.lines.unread(std::iter::once(line));
                    return None;
                }
            }
        }
        None
    }
}
