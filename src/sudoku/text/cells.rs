//! One line of cells: its tokens, the ways in which they can be cells, and the ways in which these can be a grid or the
//! first row of one under the reader's options.

use std::sync::LazyLock;

use super::ReadOptions;
use super::alphabet::{digits, is_blank};
use super::lines::LineError;
use crate::sudoku::render::GIVEN_MARK;
use crate::sudoku::{Grid, MAX_SIDE, Shape};

/// Signs between separators.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    column: usize,
    text: &'a str,
    /// The separation from the token before it, wide gaps aside.
    separation: Separation,
    /// True if nothing but spaces stands before it.
    spaced: bool,
}

/// One cell as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sign {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) kind: CellKind,
}

/// How a cell was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    /// As one character.
    Char(char),
    /// As a number of several characters; -1 is an empty cell.
    Number(i64),
}

/// What stands between two neighbours, cells or rows; of several kinds in a grid the last shows its blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Separation {
    /// No more than between any others.
    None,
    /// More space than between others; between rows, a blank line.
    Gap,
    /// The end of a group of characters.
    Group,
    /// A border.
    Border,
    /// A border of double or heavy lines.
    StrongBorder,
}

impl Separation {
    /// The separation by a border.
    pub(super) fn of_border(strong: bool) -> Separation {
        if strong { Separation::StrongBorder } else { Separation::Border }
    }
}

/// How a line's text becomes cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// A token is a cell.
    Tokens,
    /// A character of a token is a cell.
    Characters,
    /// A character of the line is a cell, spaces too.
    Spaces,
}

/// A line in its tokens.
#[derive(Debug)]
pub(super) struct Cells<'a> {
    line: usize,
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// Characters in all tokens.
    characters: usize,
    /// True if the line has a vertical border, so that it is a row and no whole grid.
    pub(super) bordered: bool,
    /// The separation since the last token.
    separation: Separation,
    spaced: bool,
    /// The column where two separators have no cell between them.
    gap: Option<usize>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(line: usize, text: &'a str) -> Cells<'a> {
        let mut cells = Cells {
            line,
            text,
            tokens: Vec::new(),
            characters: 0,
            bordered: false,
            separation: Separation::None,
            spaced: true,
            gap: None,
        };
        let mut before = ' ';
        let mut start = None;
        let mut last = ',';
        let mut column = 0;
        for (at, char) in text.char_indices() {
            column += 1;
            if !is_separator(char) {
                before = char;
                cells.characters += 1;
                start = start.or(Some((at, column)));
                last = char;
                continue;
            }
            cells.close(&mut start, at);
            cells.spaced &= char == ' ';
            if is_bar(char) {
                cells.bordered = true;
                let strong = is_strong_bar(char) || char == '|' && before == '|';
                cells.separation = cells.separation.max(Separation::of_border(strong));
            }
            before = char;
            match (last, char) {
                (',' | ';', ',' | ';') | ('\t', '\t') => cells.gap = cells.gap.or(Some(column)),
                _ => {}
            }
            if char != ' ' {
                last = char;
            }
        }
        cells.close(&mut start, text.len());
        cells
    }

    fn close(&mut self, start: &mut Option<(usize, usize)>, end: usize) {
        if let Some((at, column)) = start.take() {
            let (separation, spaced) = (self.separation, self.spaced);
            self.tokens.push(Token { column, text: &self.text[at..end], separation, spaced });
            (self.separation, self.spaced) = (Separation::None, true);
        }
    }

    /// The number that stands alone in the line, if one does.
    pub(super) fn lone_number(&self) -> Option<i64> {
        match self.tokens[..] {
            [token] if token.text.len() <= 2 => token.text.parse().ok(),
            _ => None,
        }
    }

    /// What stands between separators, without quotes; each character where there are no separators.
    pub(super) fn labels(&self) -> Vec<&'a str> {
        match self.tokens[..] {
            [token] => token.text.split("").filter(|char| !char.is_empty()).collect(),
            _ => self.tokens.iter().map(|token| token.text.trim_matches('"')).collect(),
        }
    }

    /// True if the line may have more cells than any row.
    pub(super) fn is_wide(&self) -> bool {
        self.text.len() > MAX_SIDE
    }

    /// How this line can be a row of a grid of this side, by the first way that fits; in groups of any block's width.
    pub(super) fn row_reading(&self, shape: Shape) -> Option<Reading> {
        let side = shape.side();
        [Reading::Tokens, Reading::Characters, Reading::Spaces]
            .into_iter()
            .find(|reading| self.fits(*reading, side, shape))
            .or_else(|| self.has_groups_of_blocks(side).then_some(Reading::Characters))
    }

    /// True if this line is a row in groups of the width that some blocks have.
    fn has_groups_of_blocks(&self, side: usize) -> bool {
        let width = self.group_width().filter(|width| *width > 1 && side.is_multiple_of(*width));
        self.gap.is_none() && self.characters == side && width.is_some()
    }

    /// True if this line can be `count` cells of a grid of this shape in this way, whatever digits they are.
    pub(super) fn fits(&self, reading: Reading, count: usize, shape: Shape) -> bool {
        if self.gap.is_some() {
            return false;
        }
        match reading {
            Reading::Tokens => self.tokens.len() == count && self.tokens.iter().all(|token| token.kind().is_some()),
            Reading::Characters => {
                let widths = [1, shape.block_columns(), shape.side()];
                self.characters == count && self.group_width().is_some_and(|width| widths.contains(&width))
            }
            Reading::Spaces => {
                self.text.len() == count
                    && self.text.chars().all(|char| is_blank(char) || char.is_ascii_alphanumeric())
                    // An empty cell as a number is no dash before a 1.
                    && self.tokens.iter().all(|token| token.text != "-1")
            }
        }
    }

    /// True if every token that is a number is a digit of the shape or an empty cell.
    pub(super) fn within(&self, shape: Shape) -> bool {
        self.tokens.iter().filter_map(Token::kind).all(|kind| match kind {
            CellKind::Char(_) => true,
            CellKind::Number(number) => (-1..=shape.side() as i64).contains(&number),
        })
    }

    /// The width of the groups of characters in which the cells stand. Rows stand in groups of a block's width, or alone:
    /// `10 11` is no 4 cells.
    fn group_width(&self) -> Option<usize> {
        let mut lengths = self.tokens.iter().map(|token| token.text.chars().count());
        let first = lengths.next()?;
        match self.tokens.len() {
            1 => Some(1),
            _ => lengths.all(|len| len == first).then_some(first),
        }
    }

    /// What stands between the cells, read this way.
    pub(super) fn separations(&self, reading: Reading) -> Vec<Separation> {
        let mut all = match reading {
            Reading::Tokens if self.tokens.iter().all(|token| token.spaced) => self.wide_gaps(),
            Reading::Tokens => self.tokens.iter().map(|token| token.separation).collect(),
            Reading::Characters => self.group_separations(),
            Reading::Spaces => vec![Separation::None; self.text.len()],
        };
        all.remove(0);
        all
    }

    /// Groups of characters are separated; so are they by borders.
    fn group_separations(&self) -> Vec<Separation> {
        let of_token = |token: &Token<'_>| {
            let first = token.separation.max(Separation::Group);
            let inner = token.text.chars().skip(1).map(|_| Separation::None);
            std::iter::once(first).chain(inner).collect::<Vec<_>>()
        };
        self.tokens.iter().flat_map(of_token).collect()
    }

    /// Tokens that stand further apart than the others, by their last columns (numbers aligned to the right) or else by
    /// their first.
    fn wide_gaps(&self) -> Vec<Separation> {
        let starts: Vec<usize> = self.tokens.iter().map(|token| token.column).collect();
        let ends: Vec<usize> = self.tokens.iter().map(|token| token.column + token.text.chars().count()).collect();
        let spaces = |at: usize| starts[at] - ends[at - 1];
        let of = |columns: &[usize]| -> Option<Vec<Separation>> {
            let steps: Vec<usize> = columns.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (small, large) = (*steps.iter().min()?, *steps.iter().max()?);
            let is_clear = |(at, step): (usize, &usize)| *step == small || *step == large && spaces(at + 1) > 1;
            let gap = |step: &usize| if *step > small { Separation::Gap } else { Separation::None };
            let clear = steps.iter().enumerate().all(is_clear);
            clear.then(|| std::iter::once(Separation::None).chain(steps.iter().map(gap)).collect())
        };
        of(&ends).or_else(|| of(&starts)).unwrap_or_else(|| vec![Separation::None; self.tokens.len()])
    }

    /// The cells, read this way.
    pub(super) fn signs(&self, reading: Reading) -> Vec<Sign> {
        let sign = |column, kind| Sign { line: self.line, column, kind };
        let chars = |column: usize, text: &'a str| {
            text.chars().enumerate().map(move |(at, char)| sign(column + at, CellKind::Char(char)))
        };
        match reading {
            Reading::Tokens => self.tokens.iter().filter_map(|token| Some(sign(token.column, token.kind()?))).collect(),
            Reading::Characters => self.tokens.iter().flat_map(|token| chars(token.column, token.text)).collect(),
            Reading::Spaces => chars(1, self.text).collect(),
        }
    }

    /// Why this line is no `expected` cells.
    pub(super) fn error(&self, expected: &str, wanted: &[usize]) -> LineError {
        let whole = |token: &Token| token.text.len() > MAX_SIDE && wanted.contains(&token.text.len());
        if let [first, second, ..] = &self.tokens[..]
            && whole(first)
        {
            LineError::at(self.line, second.column, format!("`{}` behind a grid", excerpt(second.text)))
                .expected("the end of the line")
                .remedy("put # before a comment; for a CSV name the column `puzzle` in its first line")
        } else if self.is_prose() {
            LineError::at(self.line, 1, format!("the text `{}`", excerpt(self.text.trim())))
                .expected(expected)
                .remedy("put # before a comment; a heading is a line like `Grid 01`")
        } else if let Some(column) = self.gap {
            LineError::at(self.line, column, "nothing between two separators")
                .expected("a digit, or 0 for an empty cell")
                .remedy("write 0 where a cell is empty")
        } else if let Some((column, char)) = self.stranger() {
            LineError::at(self.line, column, quoted(char))
                .expected("a digit or an empty cell (one of `. 0 * _ x X -`)")
                .remedy("remove it, or put # before a comment")
        } else {
            self.width_error(expected, wanted)
        }
    }

    fn width_error(&self, expected: &str, wanted: &[usize]) -> LineError {
        let found = self.count();
        let nearest = wanted.iter().copied().min_by_key(|count| count.abs_diff(found)).unwrap_or(found);
        let signs = self.signs(if self.numbers() { Reading::Tokens } else { Reading::Characters });
        let end = self.text.trim_end().chars().count() + 1;
        let column = signs.get(nearest).map_or(end, |sign| sign.column);
        let remedy = match found.abs_diff(nearest) {
            0 => "write the cells without separators, or one cell between two".to_string(),
            _ if found == 0 => "fill it in".to_string(),
            missing if found < nearest => format!("add the {missing} missing to make {nearest}"),
            extra => format!("remove {extra} to make {nearest}"),
        };
        let groups = if found == nearest { " in uneven groups" } else { "" };
        LineError::at(self.line, column, plural(found, "cell") + groups).expected(expected).remedy(remedy)
    }

    /// Cells in the line, by the likelier way.
    fn count(&self) -> usize {
        if self.numbers() { self.tokens.len() } else { self.characters }
    }

    /// True if the tokens look like numbers rather than like groups of characters.
    fn numbers(&self) -> bool {
        self.tokens.len() > 1 && self.tokens.iter().all(|token| token.text.len() <= 3 && token.kind().is_some())
    }

    /// The first character that is a sign in no alphabet.
    fn stranger(&self) -> Option<(usize, char)> {
        let strange = |char: &char| !char.is_ascii_alphanumeric() && !is_blank(*char) && *char != GIVEN_MARK;
        self.tokens.iter().find_map(|token| {
            token.text.chars().enumerate().find(|(_, char)| strange(char)).map(|(at, char)| (token.column + at, char))
        })
    }

    /// True if a character is a sign in no alphabet.
    pub(super) fn has_stranger(&self) -> bool {
        self.stranger().is_some()
    }

    /// True if a token has three letters in a row that are no blanks.
    pub(super) fn is_prose(&self) -> bool {
        let letter = |char: &char| char.is_alphabetic() && !is_blank(*char);
        let run = |token: &Token| {
            token.text.as_bytes().windows(3).any(|three| three.iter().all(|byte| letter(&char::from(*byte))))
        };
        self.tokens.iter().any(run)
    }
}

impl Token<'_> {
    /// The cell that this token is, if it is one.
    fn kind(&self) -> Option<CellKind> {
        let mut chars = self.text.chars();
        if let (Some(char), None) = (chars.next(), chars.next()) {
            return Some(CellKind::Char(char));
        }
        let digits = self.text.strip_suffix(GIVEN_MARK).unwrap_or(self.text);
        let unsigned = digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits {
            "-1" => Some(CellKind::Number(-1)),
            _ if unsigned => Some(CellKind::Number(digits.parse().unwrap_or(i64::MAX))),
            _ => None,
        }
    }
}

/// Vertical borders.
pub(super) fn is_bar(char: char) -> bool {
    matches!(char, '|' | '‖') || ('\u{2500}'..='\u{257F}').contains(&char)
}

/// Vertical borders of double or heavy lines.
fn is_strong_bar(char: char) -> bool {
    matches!(char, '║' | '┃' | '╏' | '┇' | '┋' | '‖')
}

/// What stands between cells and is none.
pub(super) fn is_separator(char: char) -> bool {
    char.is_whitespace() || matches!(char, ',' | ';') || is_bar(char)
}

/// A character as an error shows it.
pub(super) fn quoted(char: char) -> String {
    if char.is_control() { format!("the character {}", char.escape_unicode()) } else { format!("`{char}`") }
}

/// The start of a text as an error shows it.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let start: String = text
        .chars()
        .take(LONGEST)
        .flat_map(|char| {
            let shown = if char.is_control() { '\u{FFFD}' } else { char };
            [shown]
        })
        .collect();
    if text.chars().nth(LONGEST).is_some() { start + "..." } else { start }
}

/// `1 cell`, `2 cells`.
pub(super) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The shapes that need no name.
static USUAL: LazyLock<Vec<Shape>> = LazyLock::new(|| Shape::all().filter(|shape| shape.is_default()).collect());

/// How a line can begin a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) shape: Shape,
    /// True for a grid in one line, false for its first row.
    pub(super) whole: bool,
    reading: Reading,
}

impl Fit {
    fn count(self) -> usize {
        if self.whole { self.shape.cells() } else { self.shape.side() }
    }
}

impl ReadOptions {
    /// The shapes that a grid may have.
    pub(super) fn shapes(self) -> impl Iterator<Item = Shape> + Clone {
        let usual: &[Shape] = if self.shape.is_some() { &[] } else { &USUAL };
        self.shape.into_iter().chain(usual.iter().copied())
    }

    /// How this line can begin a grid: by the first way in which any shape fits, a row before a whole grid.
    pub(super) fn fits(self, cells: &Cells<'_>) -> Vec<Fit> {
        let prose = self.shape.is_none() && cells.is_prose();
        // Words may by chance have the length of a row.
        let by_chance = |fit: &Fit| {
            prose && !fit.whole && (cells.has_stranger() || fit.reading == Reading::Spaces || fit.shape.side() <= 9)
        };
        let fits = |reading, within: bool| -> Vec<Fit> {
            [false, true]
                .into_iter()
                .flat_map(|whole| self.shapes().map(move |shape| Fit { shape, whole, reading }))
                .filter(|fit| cells.fits(reading, fit.count(), fit.shape) && !(fit.whole && cells.bordered))
                .filter(|fit| !by_chance(fit) && (!within || cells.within(fit.shape)))
                .collect()
        };
        [(Reading::Tokens, true), (Reading::Characters, false), (Reading::Spaces, false), (Reading::Tokens, false)]
            .into_iter()
            .map(|(reading, within)| fits(reading, within))
            .find(|fits| !fits.is_empty())
            .unwrap_or_default()
    }

    /// The sides of which this line can be the first row if its drawing tells the blocks: in groups of another width than
    /// a side's usual blocks have, or of a side that has no usual blocks. None where the usual `fits` leave no doubt.
    pub(super) fn fits_as_drawn(self, cells: &Cells<'_>, fits: &[Fit]) -> Vec<Shape> {
        let doubtful = |fit: &Fit| match fit.reading {
            Reading::Tokens => !cells.within(fit.shape),
            Reading::Characters => false,
            Reading::Spaces => true,
        };
        if cells.is_prose() || !fits.iter().all(doubtful) {
            return Vec::new();
        }
        let of_side = |side| Shape::of_side(side).or_else(|_| Shape::new(1, side)).ok();
        let shapes = (2..=MAX_SIDE).filter(|_| self.shape.is_none()).filter_map(of_side).chain(self.shape);
        let in_groups = shapes.clone().filter(|shape| cells.has_groups_of_blocks(shape.side()));
        let bordered = shapes.filter(|shape| {
            cells.bordered
                && !shape.is_default()
                && cells.fits(Reading::Tokens, shape.side(), *shape)
                && cells.within(*shape)
        });
        in_groups.chain(bordered).collect()
    }

    /// The grid in one line; rows are not looked for.
    pub(super) fn one_line(self, cells: &Cells<'_>) -> Result<Grid, LineError> {
        match self.fits(cells).into_iter().find(|fit| fit.whole) {
            Some(fit) => self.whole(cells, fit),
            None => Err(self.misfit_in_line(cells)),
        }
    }

    /// True if this line is a grid by itself and cannot be a row.
    pub(super) fn is_whole(self, cells: &Cells<'_>) -> bool {
        cells.is_wide() && self.fits(cells).iter().any(|fit| fit.whole && fit.count() > MAX_SIDE)
    }

    /// The grid in one line that fits so.
    pub(super) fn whole(self, cells: &Cells<'_>, fit: Fit) -> Result<Grid, LineError> {
        let signs = cells.signs(fit.reading);
        let digits = digits(&signs, fit.reading == Reading::Tokens, fit.shape, self.alphabet)?;
        Grid::new(fit.shape, digits).map_err(|_| self.misfit_in_line(cells))
    }

    /// Why this line can begin no grid.
    pub(super) fn misfit(self, cells: &Cells<'_>) -> LineError {
        let shape = self.shape.unwrap_or(Shape::NINE);
        let example = format!("{} cells for a {shape} grid in one line or {} for its row", shape.cells(), shape.side());
        let expected = if self.shape.is_some() { example } else { format!("a grid or a row: {example}, for example") };
        let wanted: Vec<usize> = self.shapes().flat_map(|shape| [shape.side(), shape.cells()]).collect();
        cells.error(&expected, &wanted)
    }

    /// Why this line is no grid in one line, where no other is allowed.
    fn misfit_in_line(self, cells: &Cells<'_>) -> LineError {
        let shape = self.shape.unwrap_or(Shape::NINE);
        let example = format!("{} cells for a {shape} grid", shape.cells());
        let expected =
            if self.shape.is_some() { example } else { format!("a grid in one line: {example}, for example") };
        let wanted: Vec<usize> = self.shapes().map(Shape::cells).collect();
        cells.error(&expected, &wanted)
    }
}
