//! The forms of text, in the order in which they are tried, and the reader that goes through a text with them.

use std::io::BufRead;

use super::cells::excerpt;
use super::lines::{Line, LineError, LineKind, Lines, ReadError};
use super::variant::Announcement;
use super::{ReadGrid, ReadOptions, csv, frame, instance, plain, rows, variant};
use crate::sudoku::Grid;

/// Reads what begins with a line, or hands the line to the next form.
type Form = fn(&mut Texts<'_>, Line) -> Result<FormResult, ReadError>;

/// Every form, the first that takes a line decides. A form of grids is a file and a row.
const FORMS: [Form; 10] = [
    csv::read,
    plain::read,
    variant::read,
    pass_blank,
    read_heading,
    read_section,
    rows::read_dashes,
    frame::read,
    instance::read,
    rows::read,
];

/// The result of a form.
pub(super) enum FormResult {
    /// A grid.
    Grid(ReadGrid),
    /// Something between grids.
    Passed,
    /// The line of another form.
    Other(Line),
}

/// A line that announces a grid.
#[derive(Debug)]
struct Heading {
    line: usize,
    text: String,
    /// None if it only says that a puzzle follows.
    name: Option<String>,
}

/// A text, and what its lines so far said about those that follow.
pub(super) struct Texts<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) options: ReadOptions,
    /// The columns of a CSV whose header was read.
    pub(super) columns: Option<csv::Columns>,
    /// True once a line was neither blank nor a comment: a CSV starts with its column names.
    pub(super) started: bool,
    /// The dashes of the frame around the grid before.
    pub(super) frame: Option<usize>,
    /// Other rules that were announced for the grids to come.
    pub(super) variant: Option<Announcement>,
    /// The last line whose frame was left out.
    pub(super) unframed: usize,
    heading: Option<Heading>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(input: Box<dyn BufRead + Send + 'a>, options: ReadOptions) -> Texts<'a> {
        Texts {
            lines: Lines::new(input),
            options,
            columns: None,
            started: false,
            frame: None,
            variant: None,
            unframed: 0,
            heading: None,
        }
    }

    /// The next grid, `None` at the end. After a [`ReadError::Grid`] the reader stands behind the bad one.
    pub(super) fn step(&mut self) -> Result<Option<ReadGrid>, ReadError> {
        while let Some(line) = self.lines.next()? {
            if let Some(entry) = self.line(line)? {
                return Ok(Some(entry));
            }
        }
        match self.heading.take() {
            Some(heading) => Err(heading.without_grid("the end").into()),
            None => Ok(None),
        }
    }

    /// Reads a line by the first form that takes it, and with it the grid that begins there, if one does.
    fn line(&mut self, mut line: Line) -> Result<Option<ReadGrid>, ReadError> {
        for form in FORMS {
            match form(self, line)? {
                FormResult::Grid(entry) => return Ok(Some(entry)),
                FormResult::Passed => return Ok(None),
                FormResult::Other(same) => line = same,
            }
        }
        self.lines.recycle(line);
        Ok(None)
    }

    /// The entry of a grid that begins in `line`; the heading before it is used up, even where the grid is bad.
    pub(super) fn entry(&mut self, line: usize, grid: Result<Grid, ReadError>) -> Result<FormResult, ReadError> {
        let name = self.heading.take().and_then(|heading| heading.name);
        let grid = grid?;
        self.refuse_variant(line, &grid)?;
        Ok(FormResult::Grid(ReadGrid { name, line, grid }))
    }

    fn announce(&mut self, line: usize, text: &str, name: Option<&str>) -> Result<FormResult, ReadError> {
        let next = Heading { line, text: text.to_string(), name: name.map(str::to_string) };
        match self.heading.replace(next) {
            Some(heading) => Err(heading.without_grid(&format!("`{}`", excerpt(text))).into()),
            None => Ok(FormResult::Passed),
        }
    }

    /// Passes over lines up to one of these, which stays unread.
    pub(super) fn skip_until(&mut self, stop: impl Fn(LineKind<'_>) -> bool) -> Result<(), ReadError> {
        while let Some(line) = self.lines.peek_on() {
            if stop(line.text().map(LineKind::of)?) {
                self.lines.unread(std::iter::once(line));
                break;
            }
            self.lines.recycle(line);
        }
        Ok(())
    }
}

impl Heading {
    fn without_grid(&self, next: &str) -> LineError {
        LineError::at(self.line, 1, format!("the heading `{}` and then {next}", excerpt(&self.text)))
            .expected("its grid")
            .remedy("add the grid, or remove the heading")
    }
}

/// Blank lines and comments.
fn pass_blank(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    if !matches!(LineKind::of(line.text()?), LineKind::Blank | LineKind::Comment) {
        return Ok(FormResult::Other(line));
    }
    texts.lines.recycle(line);
    Ok(FormResult::Passed)
}

/// `Grid 01`.
fn read_heading(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    match LineKind::of(line.text()?) {
        LineKind::Heading(name) => texts.announce(line.number, name, Some(name)),
        _ => Ok(FormResult::Other(line)),
    }
}

/// SadMan's sections: `[Puzzle]` has the givens, `[State]` how far somebody came.
fn read_section(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let LineKind::Section(name) = LineKind::of(line.text()?) else { return Ok(FormResult::Other(line)) };
    let text = format!("[{name}]");
    match name.to_ascii_lowercase().as_str() {
        "puzzle" if texts.heading.as_ref().is_some_and(|heading| heading.name.is_some()) => Ok(FormResult::Passed),
        "puzzle" => texts.announce(line.number, &text, None),
        "state" => texts.announce(line.number, &text, Some(name)),
        _ if variant::is_announced(name) => {
            texts.skip_until(|kind| matches!(kind, LineKind::Heading(_) | LineKind::Section(_)))?;
            Ok(FormResult::Passed)
        }
        _ => {
            texts.skip_until(|kind| matches!(kind, LineKind::Heading(_) | LineKind::Section(_)))?;
            Err(LineError::at(line.number, 1, format!("the section `{}`", excerpt(&text)))
                .expected("[Puzzle] or [State]")
                .remedy("remove it; its lines were passed over")
                .into())
        }
    }
}
