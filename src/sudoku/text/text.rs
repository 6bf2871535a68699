//! Grids out of lines: what may stand between them, and where each begins.

use std::io::BufRead;

use super::cells::{Cells, excerpt};
use super::error::{Fault, Trouble};
use super::forms::Fit;
use super::kind::{Border, Kind};
use super::lines::{Line, Lines};
use super::rows::Rows;
use super::table::{self, Columns};
use super::{Entry, ReadOptions, plain};
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// What the next lines turned out to be.
pub(super) enum Step {
    /// A grid.
    Entry(Entry),
    /// The first line of a CSV, from which the rest is to be read.
    Table(Columns),
    /// The end of the input.
    End,
}

/// How a text begins.
enum Opening {
    /// With the column names of a CSV.
    Columns(Columns),
    /// With the name of a CSV's only column.
    Title,
    /// With a grid or what may stand before one.
    Other,
}

/// A line that announces a grid.
#[derive(Debug)]
struct Heading {
    line: usize,
    text: String,
    /// None if it only says that a puzzle follows.
    name: Option<String>,
}

/// Grids out of lines.
#[derive(Debug)]
pub(super) struct Texts<R> {
    pub(super) lines: Lines<R>,
    pub(super) options: ReadOptions,
    heading: Option<Heading>,
    /// True once a line was neither blank nor a comment: a CSV starts with its column names.
    started: bool,
}

impl<R: BufRead> Texts<R> {
    pub(super) fn new(input: R, options: ReadOptions) -> Texts<R> {
        Texts { lines: Lines::new(input), options, heading: None, started: false }
    }

    /// The next grid. After a [`Trouble::Grid`] the reader stands behind the bad one.
    pub(super) fn step(&mut self) -> Result<Step, Trouble> {
        while let Some(line) = self.lines.next()? {
            if let Some(grid) = plain::grid(&line.bytes, self.options) {
                let number = line.number;
                self.lines.recycle(line);
                self.started = true;
                return Ok(Step::Entry(self.entry(number, grid)));
            }
            match self.opening(&line)? {
                Opening::Columns(columns) => return Ok(Step::Table(columns)),
                Opening::Title => continue,
                Opening::Other => {}
            }
            if let Some(entry) = self.line(line)? {
                return Ok(Step::Entry(entry));
            }
        }
        match self.heading.take() {
            Some(heading) => Err(heading.without_grid("the end").into()),
            None => Ok(Step::End),
        }
    }

    /// Whether this line, being the first that is neither blank nor a comment, makes the text a CSV.
    fn opening(&mut self, line: &Line) -> Result<Opening, Trouble> {
        let text = line.text()?;
        if self.started || matches!(Kind::of(text), Kind::Blank | Kind::Comment) {
            return Ok(Opening::Other);
        }
        self.started = true;
        if table::is_lone_title(text) {
            return Ok(Opening::Title);
        }
        Ok(Columns::of_header(line)?.map_or(Opening::Other, Opening::Columns))
    }

    /// Reads a line, and with it the grid that begins there, if one does.
    fn line(&mut self, line: Line) -> Result<Option<Entry>, Trouble> {
        let number = line.number;
        match Kind::of(line.text()?) {
            Kind::Blank | Kind::Comment => self.lines.recycle(line),
            Kind::Heading(name) => self.announce(number, name, Some(name))?,
            Kind::Section(name) => self.section(number, name)?,
            Kind::Border(border) => return self.border(line, border),
            Kind::Cells(text) => {
                let text = text.to_string();
                let grid = self.grid(line, &text).inspect_err(|_| self.heading = None)?;
                return Ok(Some(self.entry(number, grid)));
            }
        }
        Ok(None)
    }

    fn entry(&mut self, line: usize, grid: Grid) -> Entry {
        Entry { name: self.heading.take().and_then(|heading| heading.name), line, grid }
    }

    fn announce(&mut self, line: usize, text: &str, name: Option<&str>) -> Result<(), Trouble> {
        let next = Heading { line, text: text.to_string(), name: name.map(str::to_string) };
        match self.heading.replace(next) {
            Some(heading) => Err(heading.without_grid(&format!("`{}`", excerpt(text))).into()),
            None => Ok(()),
        }
    }

    /// Sections are SadMan's: `[Puzzle]` has the givens, `[State]` how far somebody came.
    fn section(&mut self, line: usize, name: &str) -> Result<(), Trouble> {
        let text = format!("[{name}]");
        match name.to_ascii_lowercase().as_str() {
            "puzzle" if self.heading.as_ref().is_some_and(|heading| heading.name.is_some()) => Ok(()),
            "puzzle" => self.announce(line, &text, None),
            "state" => self.announce(line, &text, Some(name)),
            _ => {
                self.skip_until(|kind| matches!(kind, Kind::Heading(_) | Kind::Section(_)))?;
                Err(Fault::at(line, 1, format!("the section `{}`", excerpt(&text)))
                    .expected("[Puzzle] or [State]")
                    .remedy("remove it; its lines were passed over")
                    .into())
            }
        }
    }

    /// Passes over lines up to one of these, which stays unread.
    fn skip_until(&mut self, stop: impl Fn(Kind<'_>) -> bool) -> Result<(), Trouble> {
        while let Some(line) = self.lines.peek_on() {
            if stop(line.text().map(Kind::of)?) {
                self.lines.unread(std::iter::once(line));
                break;
            }
            self.lines.recycle(line);
        }
        Ok(())
    }

    /// A line of dashes is a border, unless it is the first of `n` rows of `n`.
    fn border(&mut self, line: Line, border: Border) -> Result<Option<Entry>, Trouble> {
        if !border.solid {
            return Ok(None);
        }
        let number = line.number;
        if let Some(shape) = self.options.shapes().find(|shape| shape.side() == border.cells) {
            let rows = Rows::take(&mut self.lines, line, shape, self.options);
            if rows.is_full()
                && let Ok(grid) = rows.grid(self.options.alphabet)
            {
                return Ok(Some(self.entry(number, grid)));
            }
            rows.give_back(&mut self.lines);
        }
        match (self.options.shapes().find(|shape| shape.cells() == border.cells), self.options.shape) {
            (Some(shape), Some(_)) => Ok(Some(self.entry(number, Grid::empty(shape)))),
            (Some(shape), None) => {
                Err(Fault::at(number, 1, format!("{} dashes, a border or an empty {shape} grid", border.cells))
                    .expected("no doubt which")
                    .remedy(format!(
                        "for the grid write its empty cells as `.` or name --shape {shape}; else put # before it"
                    ))
                    .into())
            }
            (None, _) => Ok(None),
        }
    }

    /// The grid that begins with this line.
    fn grid(&mut self, line: Line, text: &str) -> Result<Grid, Trouble> {
        let cells = Cells::of(line.number, text);
        match self.options.fits(&cells)[..] {
            [] => match cells.lone_number() {
                Some(order) => self.instance(line.number, order),
                None => Err(self.options.misfit(&cells).into()),
            },
            [fit] if fit.whole => Ok(self.options.whole(&cells, fit)?),
            [fit] => self.rows(line, fit.shape),
            [row, whole, ..] => self.row_or_whole(line, row, whole),
        }
    }

    /// The grid of which this line is the first row.
    pub(super) fn rows(&mut self, first: Line, shape: Shape) -> Result<Grid, Trouble> {
        let rows = Rows::take(&mut self.lines, first, shape, self.options);
        let grid = rows.grid(self.options.alphabet);
        if grid.as_ref().is_err_and(|bad| bad.lost) {
            let options = self.options;
            self.skip_until(|kind| match kind {
                Kind::Blank | Kind::Heading(_) | Kind::Section(_) => true,
                Kind::Cells(text) => options.is_whole(&Cells::of(0, text)),
                Kind::Comment | Kind::Border(_) => false,
            })?;
        }
        grid.map_err(|bad| bad.fault.into())
    }

    /// 16 cells are a 4x4 grid or a row of a 16x16 grid; the lines that follow must tell.
    fn row_or_whole(&mut self, line: Line, row: Fit, whole: Fit) -> Result<Grid, Trouble> {
        let number = line.number;
        let rows = Rows::take(&mut self.lines, line, row.shape, self.options);
        let (grid, small, all) = rows.as_whole_grids(|cells| self.options.whole(cells, whole));
        match (small * 2 > all, rows.is_full()) {
            (true, false) => {
                rows.give_back(&mut self.lines);
                Ok(grid?)
            }
            (true, true) => {
                Err(Fault::at(number, 1, format!("{all} lines of {all} cells, most of them {} grids", whole.shape))
                    .expected(format!("either {} grids or one {} grid", whole.shape, row.shape))
                    .remedy(format!("name it: --shape {} or --shape {}", whole.shape, row.shape))
                    .into())
            }
            (false, _) => rows.grid(self.options.alphabet).map_err(|bad| bad.fault.into()),
        }
    }
}

impl Heading {
    fn without_grid(&self, next: &str) -> Fault {
        Fault::at(self.line, 1, format!("the heading `{}` and then {next}", excerpt(&self.text)))
            .expected("its grid")
            .remedy("add the grid, or remove the heading")
    }
}
