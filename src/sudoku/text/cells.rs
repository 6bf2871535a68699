//! One line of cells: its tokens, and the ways in which they can be cells.

use super::alphabet::is_blank;
use super::error::Fault;
use crate::sudoku::{MAX_SIDE, Shape};

/// Marks a given in pretty output; allowed behind a digit that stands alone.
pub(crate) const GIVEN_MARK: char = '\'';

/// Signs between separators.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    column: usize,
    text: &'a str,
}

/// One cell as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sign {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) kind: Kind,
}

/// How a cell was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// As one character.
    Char(char),
    /// As a number of several characters; -1 is an empty cell.
    Number(i64),
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
    /// The column where two separators have no cell between them.
    gap: Option<usize>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(line: usize, text: &'a str) -> Cells<'a> {
        let mut cells = Cells { line, text, tokens: Vec::new(), characters: 0, bordered: false, gap: None };
        let mut start = None;
        let mut last = ',';
        let mut column = 0;
        for (at, char) in text.char_indices() {
            column += 1;
            if !is_separator(char) {
                cells.characters += 1;
                start = start.or(Some((at, column)));
                last = char;
                continue;
            }
            cells.close(&mut start, at);
            cells.bordered |= is_bar(char);
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
            self.tokens.push(Token { column, text: &self.text[at..end] });
        }
    }

    /// The number that stands alone in the line, if one does.
    pub(super) fn lone_number(&self) -> Option<i64> {
        match self.tokens[..] {
            [token] if token.text.len() <= 2 => token.text.parse().ok(),
            _ => None,
        }
    }

    /// True if the line may have more cells than any row.
    pub(super) fn is_wide(&self) -> bool {
        self.text.len() > MAX_SIDE
    }

    /// How this line can be `count` cells of a grid of this shape, by the first way that fits.
    pub(super) fn reading(&self, count: usize, shape: Shape) -> Option<Reading> {
        [Reading::Tokens, Reading::Characters, Reading::Spaces]
            .into_iter()
            .find(|reading| self.fits(*reading, count, shape))
    }

    /// True if this line can be `count` cells of a grid of this shape in this way, whatever digits they are.
    pub(super) fn fits(&self, reading: Reading, count: usize, shape: Shape) -> bool {
        if self.gap.is_some() {
            return false;
        }
        match reading {
            Reading::Tokens => self.tokens.len() == count && self.tokens.iter().all(|token| token.kind().is_some()),
            Reading::Characters => self.characters == count && self.has_even_groups(shape),
            Reading::Spaces => {
                self.text.len() == count && self.text.chars().all(|char| is_blank(char) || char.is_ascii_alphanumeric())
            }
        }
    }

    /// True if every token that is a number is a digit of the shape or an empty cell.
    pub(super) fn within(&self, shape: Shape) -> bool {
        self.tokens.iter().filter_map(Token::kind).all(|kind| match kind {
            Kind::Char(_) => true,
            Kind::Number(number) => (-1..=shape.side() as i64).contains(&number),
        })
    }

    /// Characters may stand in groups, but only of a block's width, of a row, or alone: `10 11` is no 4 cells.
    fn has_even_groups(&self, shape: Shape) -> bool {
        let mut lengths = self.tokens.iter().map(|token| token.text.chars().count());
        let Some(first) = lengths.next() else { return false };
        self.tokens.len() == 1
            || [1, shape.block_columns(), shape.side()].contains(&first) && lengths.all(|len| len == first)
    }

    /// The cells, read this way.
    pub(super) fn signs(&self, reading: Reading) -> Vec<Sign> {
        let sign = |column, kind| Sign { line: self.line, column, kind };
        let chars = |column: usize, text: &'a str| {
            text.chars().enumerate().map(move |(at, char)| sign(column + at, Kind::Char(char)))
        };
        match reading {
            Reading::Tokens => self.tokens.iter().filter_map(|token| Some(sign(token.column, token.kind()?))).collect(),
            Reading::Characters => self.tokens.iter().flat_map(|token| chars(token.column, token.text)).collect(),
            Reading::Spaces => chars(1, self.text).collect(),
        }
    }

    /// Why this line is no `expected` cells.
    pub(super) fn fault(&self, expected: &str, wanted: &[usize]) -> Fault {
        let whole = |token: &Token| token.text.len() > MAX_SIDE && wanted.contains(&token.text.len());
        if let [first, second, ..] = &self.tokens[..]
            && whole(first)
        {
            Fault::at(self.line, second.column, format!("`{}` behind a grid", excerpt(second.text)))
                .expected("the end of the line")
                .remedy("put # before a comment; for a CSV name the column `puzzle` in its first line")
        } else if self.is_prose() {
            Fault::at(self.line, 1, format!("the text `{}`", excerpt(self.text.trim())))
                .expected(expected)
                .remedy("put # before a comment; a heading is a line like `Grid 01`")
        } else if let Some(column) = self.gap {
            Fault::at(self.line, column, "nothing between two separators")
                .expected("a digit, or 0 for an empty cell")
                .remedy("write 0 where a cell is empty")
        } else if let Some((column, char)) = self.stranger() {
            Fault::at(self.line, column, quoted(char))
                .expected("a digit or an empty cell (one of `. 0 * _ x X -`)")
                .remedy("remove it, or put # before a comment")
        } else {
            self.width_fault(expected, wanted)
        }
    }

    fn width_fault(&self, expected: &str, wanted: &[usize]) -> Fault {
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
        Fault::at(self.line, column, plural(found, "cell") + groups).expected(expected).remedy(remedy)
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
    fn kind(&self) -> Option<Kind> {
        let mut chars = self.text.chars();
        if let (Some(char), None) = (chars.next(), chars.next()) {
            return Some(Kind::Char(char));
        }
        let digits = self.text.strip_suffix(GIVEN_MARK).unwrap_or(self.text);
        let unsigned = digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits {
            "-1" => Some(Kind::Number(-1)),
            _ if unsigned => Some(Kind::Number(digits.parse().unwrap_or(i64::MAX))),
            _ => None,
        }
    }
}

/// Vertical borders.
pub(super) fn is_bar(char: char) -> bool {
    char == '|' || ('\u{2500}'..='\u{257F}').contains(&char)
}

fn is_separator(char: char) -> bool {
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
