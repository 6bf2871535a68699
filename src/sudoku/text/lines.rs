//! Lines of bounded length, so that no input can make the reader hold more than a few grids' worth of text; the kind of
//! each line before anybody asks for its cells; and the errors of lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use super::cells::{is_bar, is_separator};
use crate::error::Error;

/// The longest line that is read. The widest grid there is, 25x25 in one line of separated numbers, needs under 4 KiB.
pub(super) const LONGEST: usize = 64 * 1024;

/// One line, without its end.
#[derive(Debug)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    /// May be anything: [`Line::text`] tells whether it is text.
    pub(super) bytes: Vec<u8>,
}

impl Line {
    /// The line as text.
    pub(super) fn text(&self) -> Result<&str, ReadError> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if !text.contains('\0') => Ok(text),
            _ => Err(ReadError::Input(not_text(self.number, &self.bytes))),
        }
    }
}

impl Line {
    /// Puts spaces in the place of the first cell and the separator behind it, so that the others keep their columns.
    pub(super) fn leave_out_first(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes);
        let start = text.len() - text.trim_start_matches(is_separator).len();
        let end = text[start..].find(is_separator).map_or(text.len(), |len| start + len);
        let rest = &text[end..];
        let spaces = " ".repeat(text[..end].chars().count());
        let (blank, rest) = rest.split_at(rest.len() - rest.trim_start().len());
        let rest =
            rest.strip_prefix([',', ';', '|', '│', '║', '┃']).map_or(rest.to_string(), |rest| format!(" {rest}"));
        let line = format!("{spaces}{}{rest}", blank.replace('\t', " "));
        self.bytes = line.into_bytes();
    }
}

/// The lines of an input, with room to put some back.
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + Send + 'a>,
    unread: VecDeque<Line>,
    deferred: Option<ReadError>,
    spare: Vec<u8>,
    count: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: Box<dyn BufRead + Send + 'a>) -> Lines<'a> {
        Lines { input, unread: VecDeque::new(), deferred: None, spare: Vec::new(), count: 0 }
    }

    /// The next line, `None` at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<Line>, ReadError> {
        if let Some(line) = self.unread.pop_front() {
            return Ok(Some(line));
        }
        match self.deferred.take() {
            Some(error) => Err(error),
            None => self.read(),
        }
    }

    /// The next line while looking ahead: error looks like the end of the input, and comes when it is reached.
    pub(super) fn peek_on(&mut self) -> Option<Line> {
        let line = match self.next() {
            Ok(line) => line?,
            Err(error) => {
                self.deferred = Some(error);
                return None;
            }
        };
        if line.text().is_ok() {
            return Some(line);
        }
        self.unread.push_front(line);
        None
    }

    /// Puts lines back, the first of them to come first.
    pub(super) fn unread(&mut self, lines: impl DoubleEndedIterator<Item = Line>) {
        lines.rev().for_each(|line| self.unread.push_front(line));
    }

    /// Gives back the memory of a line that is done with.
    pub(super) fn recycle(&mut self, line: Line) {
        self.spare = line.bytes;
    }

    /// Lines read so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn read(&mut self) -> Result<Option<Line>, ReadError> {
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        let read = self.input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.count += 1;
        if bytes.pop_if(|last| *last == b'\n').is_some() {
            bytes.pop_if(|last| *last == b'\r');
        } else if read > LONGEST {
            return Err(self.too_long(&bytes)?);
        }
        if self.count == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok(Some(Line { number: self.count, bytes }))
    }

    /// Skips the rest of an overlong line and says what it was.
    fn too_long(&mut self, start: &[u8]) -> Result<ReadError, ReadError> {
        if start.contains(&0) {
            return Ok(ReadError::Input(not_text(self.count, start)));
        }
        self.input.skip_until(b'\n')?;
        Ok(LineError::at(self.count, LONGEST + 1, format!("a line of more than {LONGEST} bytes"))
            .expected("a grid, which has at most 625 cells")
            .remedy("put each grid into a line of its own")
            .into())
    }
}

/// What bytes that are no text seem to be.
fn not_text(line: usize, bytes: &[u8]) -> LineError {
    let magic = match bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => {
            Some(("a NumPy array behind text", "put it into a file of its own"))
        }
        [0x1F, 0x8B, ..] | [b'P', b'K', 3, 4, ..] => Some(("a compressed file", "unpack it first")),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some(("UTF-16 text", "save it as UTF-8")),
        _ => None,
    };
    if let Some((found, remedy)) = magic {
        return LineError::at(line, 1, found).expected("text").remedy(remedy);
    }
    let (found, remedy) = if bytes.contains(&0) {
        ("binary data (a NUL byte)", "name a text file")
    } else {
        ("binary data (bytes that are not UTF-8)", "if this is text, save it as UTF-8")
    };
    let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), |text| text.len());
    let valid = String::from_utf8_lossy(&bytes[..end]);
    let column = valid.chars().take_while(|char| *char != '\0').count() + 1;
    LineError::at(line, column, found).expected("text").remedy(remedy)
}

/// Words that start a heading.
const HEADINGS: [&str; 3] = ["grid", "puzzle", "sudoku"];

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineKind<'a> {
    /// Nothing but white space.
    Blank,
    /// `# ...`, or `;` as the first character.
    Comment,
    /// `Grid 01`.
    Heading(&'a str),
    /// `[Puzzle]`.
    Section(&'a str),
    /// A horizontal border.
    Border(Border),
    /// Anything else: cells, or an error.
    Cells(&'a str),
}

/// A horizontal border, and how it could be cells instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Border {
    /// Signs of empty cells in it; 0 if other things in it make it a border for certain.
    pub(super) cells: usize,
    /// True if it is nothing but those signs.
    pub(super) solid: bool,
    /// True if it is drawn with double or heavy lines.
    pub(super) strong: bool,
}

impl LineKind<'_> {
    /// What this line is.
    pub(super) fn of(line: &str) -> LineKind<'_> {
        let text = line.trim();
        if text.is_empty() {
            LineKind::Blank
        } else if text.starts_with('#') || line.starts_with(';') {
            LineKind::Comment
        } else if let Some(section) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            LineKind::Section(section.trim())
        } else if is_heading(text) {
            LineKind::Heading(text)
        } else if let Some(border) = border(text) {
            LineKind::Border(border)
        } else {
            LineKind::Cells(without_comment(line))
        }
    }
}

/// A comment may follow cells after white space.
fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').find(|(at, _)| line[..*at].ends_with([' ', '\t']));
    comment.map_or(line, |(at, _)| line[..at].trim_end())
}

fn is_heading(text: &str) -> bool {
    HEADINGS.iter().any(|word| {
        let (start, rest) = text.split_at_checked(word.len()).unwrap_or(("", ""));
        start.eq_ignore_ascii_case(word) && (rest.is_empty() || rest.starts_with([' ', '\t', '#', ':']))
    })
}

/// A border is drawn with `-`, `=`, `+`, `|`, corners and box-drawing characters. Where only signs of empty cells
/// are used it must have dashes in runs of three, and the reader still asks whether it has as many as a row.
fn border(text: &str) -> Option<Border> {
    let drawn = |char: char| matches!(char, '-' | '=' | '+' | '*' | '.' | ':' | '\'') || is_bar(char);
    if !text.chars().all(|char| drawn(char) || char.is_whitespace()) {
        return None;
    }
    let horizontal = |char: char| matches!(char, '=' | '+') || is_bar(char) && !is_vertical(char);
    if text.contains(horizontal) {
        let strong = text.contains(['=', '═', '━']);
        return Some(Border { cells: 0, solid: false, strong });
    }
    let runs = || text.split(|char| char != '-').filter(|run| !run.is_empty());
    let corners = text.chars().filter(|char| matches!(char, '*' | '.' | ':' | '\'')).count();
    let is_border = runs().count() > 0 && runs().all(|run| run.len() >= 3) && corners <= runs().count() + 1;
    let sign = |char: &char| matches!(char, '-' | '*' | '.');
    is_border.then(|| Border {
        cells: text.chars().filter(sign).count(),
        solid: text.chars().all(|char| sign(&char)),
        strong: false,
    })
}

/// Box-drawing characters that only go up and down, and `|`.
fn is_vertical(char: char) -> bool {
    matches!(char, '|' | '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '║' | '╎' | '╏' | '╵' | '╷' | '╹' | '╻' | '╽' | '╿')
}

/// An [`Error::Parse`] before the file's name is known. In an array the line is the candidate and the column the cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineError {
    pub(super) line: usize,
    pub(super) column: usize,
    found: String,
    expected: String,
    remedy: String,
}

impl LineError {
    pub(super) fn at(line: usize, column: usize, found: impl Into<String>) -> LineError {
        LineError { line, column, found: found.into(), expected: String::new(), remedy: String::new() }
    }

    pub(super) fn expected(mut self, expected: impl Into<String>) -> LineError {
        self.expected = expected.into();
        self
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> LineError {
        self.remedy = remedy.into();
        self
    }

    pub(super) fn in_file(self, file: &str) -> Error {
        let LineError { line, column, found, expected, remedy } = self;
        Error::Parse { file: file.to_string(), line, column, found, expected, remedy }
    }
}

/// What stops a grid, or the whole input.
#[derive(Debug)]
pub(super) enum ReadError {
    /// One grid cannot be read; the reader stands behind it and can go on.
    Grid(LineError),
    /// Nothing after this place can be read.
    Input(LineError),
    /// The system could not read on.
    Io(io::Error),
}

impl ReadError {
    /// True if nothing can be read after it.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self, ReadError::Grid(_))
    }

    pub(super) fn in_file(self, file: &str) -> Error {
        match self {
            ReadError::Grid(error) | ReadError::Input(error) => error.in_file(file),
            ReadError::Io(error) => unreadable(file, error),
        }
    }
}

impl From<LineError> for ReadError {
    fn from(error: LineError) -> ReadError {
        ReadError::Grid(error)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

/// A system's error on reading a file; that the name is a folder's is worth its own words.
pub(super) fn unreadable(file: &str, source: io::Error) -> Error {
    if source.kind() == io::ErrorKind::IsADirectory {
        return LineError::at(1, 1, "a directory")
            .expected("a file with grids in it")
            .remedy("name one of the files in the directory")
            .in_file(file);
    }
    Error::Read { path: file.into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<(usize, String)> {
        let mut lines = Lines::new(Box::new(input));
        std::iter::from_fn(|| lines.next().unwrap().map(|line| (line.number, line.text().unwrap().to_string())))
            .collect()
    }

    #[test]
    fn lines_lose_their_ends_and_the_first_its_byte_order_mark() {
        assert_eq!(
            texts(b"\xEF\xBB\xBFa\r\nb\n\nc"),
            [(1, "a".into()), (2, "b".into()), (3, "".into()), (4, "c".into())]
        );
        assert_eq!(texts(b""), []);
    }

    #[test]
    fn a_line_of_the_longest_length_is_read_and_one_byte_more_is_a_fault_after_which_reading_goes_on() {
        let mut input = vec![b'.'; LONGEST];
        input.extend(b"\nnext\n");
        assert_eq!(texts(&input)[0].1.len(), LONGEST);
        input.insert(0, b'.');
        let mut lines = Lines::new(Box::new(&input[..]));
        assert!(matches!(lines.next(), Err(ReadError::Grid(LineError { line: 1, column: 65537, .. }))));
        assert_eq!(lines.next().unwrap().unwrap().text().unwrap(), "next");
    }

    #[test]
    fn lines_put_back_come_again_in_their_order() {
        let mut lines = Lines::new(Box::new(&b"a\nb\nc"[..]));
        let taken = [lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()];
        lines.unread(taken.into_iter());
        let order: Vec<usize> = std::iter::from_fn(|| lines.next().unwrap().map(|line| line.number)).collect();
        assert_eq!(order, [1, 2, 3]);
    }

    #[test]
    fn lines_are_told_apart() {
        for (line, kind) in [
            ("", LineKind::Blank),
            (" \t ", LineKind::Blank),
            ("# a comment", LineKind::Comment),
            ("  # indented", LineKind::Comment),
            ("; a comment", LineKind::Comment),
            (" ; no comment", LineKind::Cells(" ; no comment")),
            ("Grid 01", LineKind::Heading("Grid 01")),
            ("  sudoku #3 ", LineKind::Heading("sudoku #3")),
            ("Puzzle:", LineKind::Heading("Puzzle:")),
            ("gridlock", LineKind::Cells("gridlock")),
            ("GRID0ABCE", LineKind::Cells("GRID0ABCE")),
            ("puzzle,name", LineKind::Cells("puzzle,name")),
            ("[Puzzle]", LineKind::Section("Puzzle")),
            ("53..7 # easy", LineKind::Cells("53..7")),
            ("53#.7", LineKind::Cells("53#.7")),
        ] {
            assert_eq!(LineKind::of(line), kind, "{line:?}");
        }
    }

    #[test]
    fn borders_are_told_from_rows_and_know_how_many_empty_cells_they_could_be() {
        for (line, cells, solid) in [
            ("-----------", 11, true),
            ("*-----------*", 13, true),
            (".---.---.---.", 13, true),
            ("---+---+---", 0, false),
            ("|---+---+---|", 0, false),
            ("|---|---|---|", 9, false),
            ("------ ------", 12, false),
            (":===:===:", 0, false),
            ("╔═══╦═══╗", 0, false),
            ("├───┼───┤", 0, false),
        ] {
            let strong = line.contains(['=', '═']);
            assert_eq!(LineKind::of(line), LineKind::Border(Border { cells, solid, strong }), "{line}");
        }
        for row in [".........", "- - - - -", "-.-.-.-.-", "...---...", "|...|...|", "*********", "│ . │ . │", "--"]
        {
            assert!(matches!(LineKind::of(row), LineKind::Cells(_)), "{row}");
        }
    }
}
