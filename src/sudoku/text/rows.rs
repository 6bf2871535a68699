//! A grid over several lines, one row a line, perhaps with borders, comments and gaps between bands.
//!
//! Structure comes before content: first the lines that belong to the grid are taken, whatever is in them, then they
//! are read. So a bad cell costs its own grid and no other.

use super::ReadOptions;
use super::alphabet::digits;
use super::cells::{self, Cells, Fit, Reading, Separation, Sign, is_bar, plural};
use super::drawing::Drawing;
use super::forms::{FormResult, Texts};
use super::lines::{Line, LineError, LineKind, Lines, ReadError};
use crate::sudoku::{Grid, Shape};

/// A grid that begins with this line: in the line, or with it as the first row.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let number = line.number;
    let LineKind::Cells(text) = LineKind::of(line.text()?) else { return Ok(FormResult::Other(line)) };
    let text = text.to_string();
    let grid = texts.grid(line, &text);
    texts.entry(number, grid)
}

/// A line of dashes is a border, unless it is the first of `n` rows of `n`.
pub(super) fn read_dashes(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let LineKind::Border(border) = LineKind::of(line.text()?) else { return Ok(FormResult::Other(line)) };
    if !border.solid {
        return Ok(FormResult::Passed);
    }
    let number = line.number;
    if texts.frame == Some(border.cells) || texts.next_is_bordered() {
        texts.frame = Some(border.cells);
        return Ok(FormResult::Passed);
    }
    if let Some(shape) = texts.options.shapes().find(|shape| shape.side() == border.cells) {
        let rows = Rows::take(&mut texts.lines, line, shape, texts.options);
        if rows.is_full()
            && let Ok(grid) = rows.grid(texts.options)
        {
            return texts.entry(number, Ok(grid));
        }
        rows.give_back(&mut texts.lines);
    }
    match (texts.options.shapes().find(|shape| shape.cells() == border.cells), texts.options.shape) {
        (Some(shape), Some(_)) => texts.entry(number, Ok(Grid::empty(shape))),
        (Some(shape), None) => {
            let found = format!("{} dashes, a border or an empty {shape} grid", border.cells);
            let remedy =
                format!("for the grid write its empty cells as `.` or name --shape {shape}; else put # before it");
            Err(LineError::at(number, 1, found).expected("no doubt which").remedy(remedy).into())
        }
        (None, _) => Ok(FormResult::Passed),
    }
}

impl Texts<'_> {
    /// True if the next line has vertical borders.
    fn next_is_bordered(&mut self) -> bool {
        let next = self.lines.peek_on();
        let bordered = next.as_ref().and_then(|line| line.text().ok()).is_some_and(|text| text.contains(is_bar));
        self.lines.unread(next.into_iter());
        bordered
    }

    /// The grid that begins with this line.
    fn grid(&mut self, mut line: Line, text: &str) -> Result<Grid, ReadError> {
        let cells = Cells::of(line.number, text);
        let fits = self.options.fits(&cells);
        for shape in self.options.fits_as_drawn(&cells, &fits) {
            let rows = Rows::take(&mut self.lines, line, shape, self.options);
            let grid = rows.grid(self.options);
            // Spaces may be empty cells as well.
            if rows.is_full() && (grid.is_ok() && !rows.goes_on(&mut self.lines, self.options) || fits.is_empty()) {
                return grid.map_err(|bad| bad.error.into());
            }
            line = rows.give_back(&mut self.lines);
        }
        match fits[..] {
            [] => Err(self.options.misfit(&cells).into()),
            [fit] if fit.whole => Ok(self.options.whole(&cells, fit)?),
            [fit] => self.rows(line, fit.shape),
            [row, whole, ..] => self.row_or_whole(line, row, whole),
        }
    }

    /// The grid of which this line is the first row.
    pub(super) fn rows(&mut self, first: Line, shape: Shape) -> Result<Grid, ReadError> {
        let rows = Rows::take(&mut self.lines, first, shape, self.options);
        let grid = rows.grid(self.options);
        if grid.as_ref().is_err_and(|bad| bad.lost) {
            let options = self.options;
            self.skip_until(|kind| match kind {
                LineKind::Blank | LineKind::Heading(_) | LineKind::Section(_) => true,
                LineKind::Cells(text) => options.is_whole(&Cells::of(0, text)),
                LineKind::Comment | LineKind::Border(_) => false,
            })?;
        }
        grid.map_err(|bad| bad.error.into())
    }

    /// 16 cells are a 4x4 grid or a row of a 16x16 grid; the lines that follow must tell.
    fn row_or_whole(&mut self, line: Line, row: Fit, whole: Fit) -> Result<Grid, ReadError> {
        let number = line.number;
        let rows = Rows::take(&mut self.lines, line, row.shape, self.options);
        let (grid, small, all) = rows.as_whole_grids(|cells| self.options.whole(cells, whole));
        match (small * 2 > all, rows.is_full()) {
            (true, false) => {
                rows.give_back(&mut self.lines);
                Ok(grid?)
            }
            (true, true) => {
                Err(LineError::at(number, 1, format!("{all} lines of {all} cells, most of them {} grids", whole.shape))
                    .expected(format!("either {} grids or one {} grid", whole.shape, row.shape))
                    .remedy(format!("name it: --shape {} or --shape {}", whole.shape, row.shape))
                    .into())
            }
            (false, _) => rows.grid(self.options).map_err(|bad| bad.error.into()),
        }
    }
}

/// The lines of one grid.
#[derive(Debug)]
pub(super) struct Rows {
    /// The side, and the blocks unless others are drawn.
    shape: Shape,
    /// Every line taken, in order.
    taken: Vec<Line>,
    /// Which of them are rows.
    rows: Vec<usize>,
    /// The separation of each row from the one before it.
    separations: Vec<Separation>,
}

/// Why rows are no grid.
#[derive(Debug)]
pub(super) struct BadRows {
    pub(super) error: LineError,
    /// True if the side itself, or what is a row, is in doubt, and so where the grid ends.
    pub(super) lost: bool,
}

/// What a line is to the grid being taken.
enum LineRole {
    Row,
    Gap,
    /// A comment or a border, and how it separates.
    Passed(Separation),
    Stop,
}

impl Rows {
    /// Takes the lines of a grid of this shape, the first row of which was read already.
    pub(super) fn take(lines: &mut Lines<'_>, first: Line, shape: Shape, options: ReadOptions) -> Rows {
        let mut rows = Rows { shape, taken: vec![first], rows: vec![0], separations: Vec::new() };
        let (mut separation, mut gap) = (Separation::None, false);
        // Rows in a band, where bands are set apart by blank lines.
        let mut band = None;
        while !rows.is_full() {
            let Some(line) = lines.peek_on() else { break };
            let count = rows.rows.len();
            let at_end_of_band = band.map_or(rows.may_be_band(count), |band| count.is_multiple_of(band));
            match part(&line, shape, options) {
                // All bands of a grid are set apart by one blank line, or none is.
                LineRole::Gap if at_end_of_band && !gap => {
                    band = band.or(Some(count));
                    gap = true;
                    separation = separation.max(Separation::Gap);
                    rows.taken.push(line);
                }
                LineRole::Row if band.is_none() || gap || !at_end_of_band => {
                    rows.rows.push(rows.taken.len());
                    rows.taken.push(line);
                    rows.separations.push(separation);
                    (separation, gap) = (Separation::None, false);
                }
                LineRole::Passed(border) => {
                    separation = separation.max(border);
                    rows.taken.push(line);
                }
                LineRole::Row | LineRole::Gap | LineRole::Stop => {
                    lines.unread(std::iter::once(line));
                    break;
                }
            }
        }
        if let Some(band) = band.filter(|band| *band != shape.block_rows()) {
            rows.check_bands(lines, band, options);
        }
        rows
    }

    /// True if so many rows may be a band of some blocks.
    fn may_be_band(&self, rows: usize) -> bool {
        let side = self.shape.side();
        rows == self.shape.block_rows() || (2..side).contains(&rows) && side.is_multiple_of(rows)
    }

    /// Keeps the first band alone if bands of an unusual height do not make a grid that ends with the last of them: then
    /// it is the beginning of one grid that stands before another.
    fn check_bands(&mut self, lines: &mut Lines<'_>, band: usize, options: ReadOptions) {
        if self.is_full() && !self.goes_on(lines, options) {
            return;
        }
        let last = self.rows[band - 1];
        lines.unread(self.taken.split_off(last + 1).into_iter());
        self.rows.truncate(band);
        self.separations.truncate(band - 1);
    }

    /// True if another row follows at once.
    fn goes_on(&self, lines: &mut Lines<'_>, options: ReadOptions) -> bool {
        let next = lines.peek_on();
        let goes_on = next.as_ref().is_some_and(|line| matches!(part(line, self.shape, options), LineRole::Row));
        lines.unread(next.into_iter());
        goes_on
    }

    /// True if no row is missing.
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() == self.shape.side()
    }

    /// Puts all lines but the first row back.
    pub(super) fn give_back(self, lines: &mut Lines<'_>) -> Line {
        let mut taken = self.taken.into_iter();
        let first = taken.next().expect("the first row was taken");
        lines.unread(taken);
        first
    }

    /// The grid, with the blocks that are drawn.
    pub(super) fn grid(&self, options: ReadOptions) -> Result<Grid, BadRows> {
        let (mut signs, mut separated, mut misfits, mut error) = (Vec::new(), false, 0, None);
        let mut drawing = Drawing::new(&self.separations);
        let mut characters = None;
        for line in self.rows.iter().map(|row| &self.taken[*row]) {
            match self.row(line) {
                Ok((cells, reading)) => {
                    signs.extend(cells.signs(reading));
                    drawing.add(line.number, cells.separations(reading));
                    separated |= reading == Reading::Tokens;
                    characters = characters.or((reading != Reading::Tokens).then_some(line.number));
                }
                Err(found) => {
                    misfits += 1;
                    error = error.or(Some(found));
                }
            }
        }
        let lost = misfits * 2 > self.rows.len() || self.rows.iter().any(|row| is_doubtful(&self.taken[*row]));
        let read = || {
            self.check_end()?;
            check_mixture(&signs, characters)?;
            let shape = self.drawn_shape(&drawing, options)?;
            let digits = digits(&signs, separated, shape, options.alphabet)?;
            Grid::new(shape, digits).map_err(|_| self.end())
        };
        error.map_or_else(read, Err).map_err(|error| BadRows { error, lost })
    }

    /// The shape as it is drawn, which one that was asked for may not contradict.
    fn drawn_shape(&self, drawing: &Drawing, options: ReadOptions) -> Result<Shape, LineError> {
        let blocks =
            |shape: Shape| format!("blocks of {} rows x {} columns", shape.block_rows(), shape.block_columns());
        let line = self.taken[self.rows[0]].number;
        match (drawing.shape()?, options.shape) {
            (Some(drawn), Some(wanted)) if drawn != wanted => {
                Err(LineError::at(line, 1, format!("a drawing of {} ({drawn})", blocks(drawn)))
                    .expected(format!("{} ({wanted}), as was asked for", blocks(wanted)))
                    .remedy(format!("name --shape {drawn}, or leave the shape out")))
            }
            (Some(drawn), _) => Ok(drawn),
            (None, None) if !self.shape.is_default() => {
                let n = self.shape.side();
                Err(LineError::at(line, 1, format!("a grid of side {n}, which has no blocks of at least 2x2"))
                    .expected("a drawing that shows its blocks")
                    .remedy(format!("name them, as in --shape {n}x{n}:1x{n}")))
            }
            (None, _) => Ok(self.shape),
        }
    }

    /// The first row as a whole grid, how many rows are whole grids, and how many rows there are.
    pub(super) fn as_whole_grids(
        &self,
        read: impl Fn(&Cells<'_>) -> Result<Grid, LineError>,
    ) -> (Result<Grid, LineError>, usize, usize) {
        let grid = |row: &usize| {
            let line = &self.taken[*row];
            read(&Cells::of(line.number, cells_text(line)))
        };
        (grid(&self.rows[0]), self.rows.iter().filter(|row| grid(row).is_ok()).count(), self.rows.len())
    }

    fn row<'a>(&self, line: &'a Line) -> Result<(Cells<'a>, Reading), LineError> {
        let n = self.shape.side();
        if is_doubtful(line) {
            return Err(LineError::at(line.number, 1, "a border that could be a row of empty cells")
                .expected(format!("a row of {n} cells or a border, and no doubt which"))
                .remedy("write empty cells as `.`, or the border with `+`, as `---+---`"));
        }
        let cells = Cells::of(line.number, cells_text(line));
        match cells.row_reading(self.shape) {
            Some(reading) => Ok((cells, reading)),
            None => {
                let first = self.taken[self.rows[0]].number;
                Err(cells.error(&format!("{n} as in the row of line {first}"), &[n]))
            }
        }
    }

    /// An error if rows are missing.
    fn check_end(&self) -> Result<(), LineError> {
        if self.is_full() { Ok(()) } else { Err(self.end()) }
    }

    /// The error of a grid that ends too early.
    fn end(&self) -> LineError {
        let n = self.shape.side();
        let last = self.rows.last().map_or(1, |row| self.taken[*row].number);
        let found = format!("the end of a grid after {} of {n} cells", plural(self.rows.len(), "row"));
        LineError::at(last, 1, found)
            .expected(format!("{n} rows, or {} cells in one line", n * n))
            .remedy("add the missing rows, without blank lines inside a band")
    }
}

/// An error if one row is in numbers and another, in line `characters`, is not: `-1 -1` is two cells there, not four.
fn check_mixture(signs: &[Sign], characters: Option<usize>) -> Result<(), LineError> {
    let number = signs.iter().find(|sign| matches!(sign.kind, cells::CellKind::Number(_)));
    let (Some(number), Some(line)) = (number, characters) else { return Ok(()) };
    Err(LineError::at(line, 1, "a row of characters")
        .expected(format!("a row of numbers, as in line {}", number.line))
        .remedy("write all rows in one way, with a separator between two cells"))
}

/// True for a border that has as many dashes as a row has cells.
fn is_doubtful(line: &Line) -> bool {
    matches!(line.text().map(LineKind::of), Ok(LineKind::Border(border)) if !border.solid)
}

/// The text of a line that was taken as a row, without its comment.
fn cells_text(line: &Line) -> &str {
    match (line.text().map(LineKind::of), line.text()) {
        (Ok(LineKind::Cells(cells)), _) => cells,
        (_, text) => text.unwrap_or_default(),
    }
}

fn part(line: &Line, shape: Shape, options: ReadOptions) -> LineRole {
    let n = shape.side();
    let text = line.text().unwrap_or_default();
    match LineKind::of(text) {
        LineKind::Blank if text.len() == n && !text.contains('\t') => LineRole::Row,
        LineKind::Blank => LineRole::Gap,
        LineKind::Comment => LineRole::Passed(Separation::None),
        LineKind::Border(border) if border.cells == n => LineRole::Row,
        LineKind::Border(border) => LineRole::Passed(Separation::of_border(border.strong)),
        LineKind::Heading(_) | LineKind::Section(_) => LineRole::Stop,
        LineKind::Cells(text) => {
            let cells = Cells::of(line.number, text);
            let other_grid = options.is_whole(&cells) || n > 2 && cells.lone_number().is_some();
            if other_grid { LineRole::Stop } else { LineRole::Row }
        }
    }
}
