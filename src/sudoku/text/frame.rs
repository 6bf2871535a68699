//! The frame of a table: column names or numbers above a grid, row names or numbers beside it.
//!
//! A frame that can be no cells is left out. One that can be is not guessed about: `n + 1` rows of `n` whose first counts
//! are an error that says which line to remove.

use super::alphabet::Alphabet;
use super::cells::Cells;
use super::forms::{FormResult, Texts};
use super::lines::{Line, LineError, LineKind, ReadError};
use crate::sudoku::MAX_SIDE;

/// Rows that are looked through to see where a table ends, in grids.
const FARTHEST: usize = 8;

/// How labels count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Count {
    /// `0 1 2` or `1 2 3`.
    Numbers,
    /// `A B C`.
    Letters,
    /// `c1 c2 c3`.
    Names,
}

/// A frame above or beside the grid that begins with this line.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let LineKind::Cells(text) = LineKind::of(line.text()?) else { return Ok(FormResult::Other(line)) };
    if line.number <= texts.unframed {
        return Ok(FormResult::Other(line));
    }
    let number = line.number;
    let labels: Vec<String> = Cells::of(number, text).labels().into_iter().map(str::to_string).collect();
    let (count, side) = match (counting(&labels), labels.get(1..).and_then(counting)) {
        (Some(count), _) => (Some(count), labels.len()),
        (None, Some(count)) => (Some(count), labels.len() - 1),
        (None, None) => (None, labels.len().saturating_sub(1)),
    };
    let rows = texts.rows_ahead(side);
    if side >= 2
        && let Some(count) = count
    {
        let is_certain = match count {
            Count::Names => true,
            Count::Letters => side <= 9 && texts.options.alphabet != Some(Alphabet::Letters),
            Count::Numbers => false,
        };
        let is_cell = |label: &str| !label.is_empty() && (label.len() == 1 || label.parse::<i64>().is_ok());
        let corner_is_cell = labels.len() > side && is_cell(&labels[0]);
        let framed = rows.width == side + 1 && texts.leave_out_index(side);
        if framed && corner_is_cell && count != Count::Names {
            return Err(texts.uncertain(number, side));
        }
        if framed
            || rows.width == side && (is_certain || labels.len() > side && !corner_is_cell)
            || side > MAX_SIDE && rows.width == side
        {
            return Ok(FormResult::Passed);
        }
        if rows.width == side && labels.len() == side && (rows.count + 1) % side == 1 && rows.count >= side {
            return Err(texts.uncertain(number, side));
        }
        return Ok(FormResult::Other(line));
    }
    texts.lines.unread(std::iter::once(line));
    texts.leave_out_index(side);
    Ok(texts.lines.next()?.map_or(FormResult::Passed, FormResult::Other))
}

/// The way in which at least three labels count, from 0, 1 or A.
fn counting<L: AsRef<str>>(labels: &[L]) -> Option<Count> {
    let labels: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
    let first = *labels.first().filter(|_| labels.len() >= 3)?;
    let prefix = first.trim_end_matches(|char: char| char.is_ascii_digit());
    let numbers = |start: usize| (start..).zip(&labels).all(|(number, label)| **label == format!("{prefix}{number}"));
    let letters = |start: u8| (start..).zip(&labels).all(|(letter, label)| label.as_bytes() == [letter]);
    if prefix.chars().all(char::is_alphabetic) && (numbers(0) || numbers(1)) {
        Some(if prefix.is_empty() { Count::Numbers } else { Count::Names })
    } else {
        (labels.len() <= MAX_SIDE && (letters(b'A') || letters(b'a'))).then_some(Count::Letters)
    }
}

/// The rows behind a line.
#[derive(Default)]
struct Ahead {
    /// Labels in each.
    width: usize,
    /// Rows up to a blank line behind a whole grid, another width, or the farthest.
    count: usize,
}

impl Texts<'_> {
    /// Looks at the rows that follow; `side` is that of the grid which they would be.
    fn rows_ahead(&mut self, side: usize) -> Ahead {
        let mut ahead = Ahead::default();
        let mut taken = Vec::new();
        while ahead.count <= FARTHEST * side.min(MAX_SIDE)
            && let Some(line) = self.lines.peek_on()
        {
            let width = match LineKind::of(line.text().unwrap_or_default()) {
                LineKind::Cells(text) => Some(Cells::of(line.number, text).labels().len()),
                LineKind::Comment | LineKind::Border(_) => None,
                LineKind::Blank if ahead.count + 1 != side => None,
                LineKind::Blank | LineKind::Heading(_) | LineKind::Section(_) => Some(0),
            };
            taken.push(line);
            match width {
                None => {}
                Some(width) if width > 0 && (ahead.count == 0 || width == ahead.width) => {
                    ahead = Ahead { width, count: ahead.count + 1 };
                }
                Some(_) => break,
            }
        }
        self.lines.unread(taken.into_iter());
        ahead
    }

    /// True if a grid may have this side.
    fn may_be_framed(&self, side: usize) -> bool {
        (3..=MAX_SIDE).contains(&side) && self.options.shapes().any(|shape| shape.side() == side)
    }

    /// Leaves out the names or numbers of the rows that follow: of just `side` rows with `side + 1` labels, of which the
    /// first count.
    fn leave_out_index(&mut self, side: usize) -> bool {
        if !self.may_be_framed(side) {
            return false;
        }
        let (mut taken, mut rows, mut index) = (Vec::new(), Vec::new(), Vec::new());
        while rows.len() <= side
            && let Some(line) = self.lines.peek_on()
        {
            let labels = match LineKind::of(line.text().unwrap_or_default()) {
                LineKind::Cells(text) => {
                    Cells::of(line.number, text).labels().into_iter().map(str::to_string).collect()
                }
                LineKind::Blank | LineKind::Comment | LineKind::Border(_) => Vec::new(),
                LineKind::Heading(_) | LineKind::Section(_) => vec![String::new()],
            };
            let is_row = labels.len() == side + 1;
            let ends = !labels.is_empty() && !is_row;
            if is_row {
                rows.push(taken.len());
                index.extend(labels.into_iter().next());
            }
            taken.push(line);
            if ends {
                break;
            }
        }
        let ends = rows.len() == side || rows.len() > side && index[side] == index[0];
        let framed = ends && counting(&index[..side]).is_some();
        if framed {
            for row in rows.into_iter().take(side) {
                let line: &mut Line = &mut taken[row];
                self.unframed = line.number;
                line.leave_out_first();
            }
        }
        self.lines.unread(taken.into_iter());
        framed
    }

    /// The error of a first row that may be a frame; the rows are passed over.
    fn uncertain(&mut self, line: usize, side: usize) -> ReadError {
        let mut left = side;
        while left > 0
            && let Some(line) = self.lines.peek_on()
        {
            if matches!(LineKind::of(line.text().unwrap_or_default()), LineKind::Cells(_)) {
                left -= 1;
            }
            self.lines.recycle(line);
        }
        LineError::at(
            line,
            1,
            format!("{} rows of {side}, the first of which may be the numbers of the columns", side + 1),
        )
        .expected(format!("{side} rows"))
        .remedy(format!("remove line {line} if it is no row of the grid, or else the row too many"))
        .into()
    }
}
