//! Grids out of a CSV: one column holds the puzzles, another may name them.
//!
//! Records are read line by line, so that each keeps its place and no quote can make the reader hold the rest of a file.

use std::borrow::Cow;

use super::cells::{Cells, plural};
use super::forms::{FormResult, Texts};
use super::lines::{Line, LineError, LineKind, ReadError};
use super::{ReadGrid, ReadOptions, plain, variant};
use crate::sudoku::Grid;

/// Names of the column that holds the puzzles.
const PUZZLES: [&str; 3] = ["puzzle", "quizzes", "sudoku"];

/// Names of the column that names them, the first preferred.
const NAMES: [&str; 2] = ["name", "id"];

/// Where a CSV has what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Columns {
    delimiter: u8,
    puzzle: usize,
    name: Option<usize>,
}

impl Columns {
    /// The columns, if this line names several and one of them holds puzzles.
    fn of_header(line: &Line) -> Result<Option<Columns>, ReadError> {
        let text = line.text()?;
        for delimiter in [b',', b';', b'\t'] {
            let names = fields(text, delimiter);
            let puzzles: Vec<usize> = (0..names.len()).filter(|at| is_one_of(&names[*at].text, &PUZZLES)).collect();
            match puzzles[..] {
                _ if names.len() < 2 => {}
                [] => {}
                [_] if names.iter().any(|name| variant::is_announced(&name.text)) => {
                    return Err(ReadError::Input(
                        LineError::at(line.number, 1, "columns for other rules beside the puzzles")
                            .expected("classic Sudokus: rows, columns and equal blocks")
                            .remedy("remove them if the puzzles are classic ones; others are not read"),
                    ));
                }
                [puzzle] => {
                    let name =
                        NAMES.iter().find_map(|name| names.iter().position(|field| is_one_of(&field.text, &[name])));
                    return Ok(Some(Columns { delimiter, puzzle, name }));
                }
                [first, second, ..] => {
                    let (first, second) = (&names[first], &names[second]);
                    return Err(ReadError::Input(
                        LineError::at(
                            line.number,
                            second.column(text),
                            format!("the columns `{}` and `{}`", first.text, second.text),
                        )
                        .expected("one column of puzzles")
                        .remedy("rename the one that is not to be read"),
                    ));
                }
            }
        }
        Ok(None)
    }
}

/// True for a CSV's only column: its name says nothing that the lines below it do not.
fn is_lone_title(text: &str) -> bool {
    is_one_of(text, &PUZZLES)
}

fn is_one_of(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.trim().eq_ignore_ascii_case(name))
}

/// The names of a CSV's columns, or a record below them.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    if texts.started && texts.columns.is_none()
        || matches!(LineKind::of(line.text()?), LineKind::Blank | LineKind::Comment)
    {
        return Ok(FormResult::Other(line));
    }
    if let Some(columns) = texts.columns {
        let entry = CsvTable { columns, options: texts.options }.record(line.number, line.text()?)?;
        texts.lines.recycle(line);
        return Ok(FormResult::Grid(entry));
    }
    texts.started = true;
    if is_lone_title(line.text()?) {
        return Ok(FormResult::Passed);
    }
    texts.columns = Columns::of_header(&line)?;
    Ok(if texts.columns.is_some() { FormResult::Passed } else { FormResult::Other(line) })
}

/// How records become grids.
struct CsvTable {
    columns: Columns,
    options: ReadOptions,
}

impl CsvTable {
    fn record(&self, line: usize, text: &str) -> Result<ReadGrid, LineError> {
        if !text.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2) {
            return Err(LineError::at(line, text.chars().count() + 1, "the end of a line within quotes")
                .expected("a quote that closes")
                .remedy("put each record into one line"));
        }
        let fields = fields(text, self.columns.delimiter);
        let Some(field) = fields.get(self.columns.puzzle) else {
            return Err(LineError::at(
                line,
                text.chars().count() + 1,
                format!("a record of {}", plural(fields.len(), "field")),
            )
            .expected(format!("the puzzle in field {}", self.columns.puzzle + 1))
            .remedy("add the puzzle, or remove the line"));
        };
        let name = self.columns.name.and_then(|name| fields.get(name)).map(|field| field.text.trim());
        Ok(ReadGrid {
            name: name.filter(|name| !name.is_empty()).map(str::to_string),
            line,
            grid: self.grid(line, text, field)?,
        })
    }

    fn grid(&self, number: usize, line: &str, field: &Field<'_>) -> Result<Grid, LineError> {
        if let Some(grid) = plain::grid(field.text.as_bytes(), self.options) {
            return Ok(grid);
        }
        if field.text.trim().is_empty() {
            return Err(LineError::at(number, field.column(line), "an empty field")
                .expected("a puzzle")
                .remedy("add it, or remove the line"));
        }
        self.options.one_line(&Cells::of(number, &field.text)).map_err(|mut error| {
            error.column += field.column(line) - 1;
            error
        })
    }
}

/// A field of a record, without its quotes.
struct Field<'a> {
    /// Bytes of the line before it.
    at: usize,
    text: Cow<'a, str>,
}

impl Field<'_> {
    /// From 1, in characters.
    fn column(&self, line: &str) -> usize {
        line[..self.at].chars().count() + 1
    }
}

/// The fields of a line.
fn fields(line: &str, delimiter: u8) -> Vec<Field<'_>> {
    if line.contains('"') {
        return quoted_fields(line, delimiter);
    }
    let mut at = 0;
    let place = |text| {
        let field = Field { at, text: Cow::Borrowed(text) };
        at += text.len() + 1;
        field
    };
    line.split(char::from(delimiter)).map(place).collect()
}

/// The fields of a line with quotes, which are left to the csv crate. A field stands in its line as it is, unless it
/// has quotes of its own: then its place is taken to be behind the field before.
fn quoted_fields(line: &str, delimiter: u8) -> Vec<Field<'_>> {
    let reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(line.as_bytes());
    let record = reader.into_records().next().and_then(Result::ok).unwrap_or_default();
    let mut from = 0;
    let place = |text: &str| {
        let at = line[from..].find(text).map_or(from, |at| from + at);
        let behind = at + text.len() + 1;
        from = (behind..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
        Field { at, text: Cow::Owned(text.to_string()) }
    };
    record.iter().map(place).collect()
}
