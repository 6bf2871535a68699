//! Puzzles and candidates out of text, in the many ways people write them.
//!
//! A population is only as good as its reading: a cell taken for another gives a wrong score without anybody noticing.
//! So a text is read in the one way in which it can be read, and where there is none, or there are two, it is an error
//! that says where, what was found, what was expected and what to do. After an error the reader goes on with the next
//! grid, so that one bad puzzle does not cost the others.
//!
//! - a grid in one line, of `n * n` characters or separated numbers; `n` lines of `n` are one grid, with or without
//!   borders, blank lines between all bands, and comments;
//! - `. 0 * _ x X -` and -1 are empty cells; so is a space in a line that then has exactly `n` or `n * n` characters
//!   and in which spaces cannot be separators;
//! - digits past 9 are numbers, or letters in one of the [`Alphabet`]s;
//! - `#` at the start of a line or behind white space, and `;` at the start of a line, begin a comment;
//! - headings like `Grid 01`, SadMan's `[Puzzle]` and `[State]`, the ant-colony instances' two lines of header, and
//!   CSVs with a column `puzzle`, `quizzes` or `sudoku`.
//!
//! ```
//! use swarmdoku::sudoku::text::{ReadOptions, read};
//!
//! let text = "Grid 01\n12..\n..12\n..4.\n.3..\n# in one line:\n1...2...3...4...\n";
//! let entries: Vec<_> = read("example", text.as_bytes(), ReadOptions::default()).collect::<Result<_, _>>()?;
//! assert_eq!(entries[0].name.as_deref(), Some("Grid 01"));
//! assert_eq!((entries[1].line, entries[1].grid.to_string().as_str()), (7, "1...2...3...4..."));
//! # Ok::<(), swarmdoku::Error>(())
//! ```
//!
//! A line goes through `lines` (bounded length), `plain` (the fast path), `kind` (what is it?), `forms` and `cells`
//! (which cells are in it?), `rows` (which lines are one grid?), `digits` and `alphabet` (which digits are they?); `text`
//! drives them, `table` does for CSVs.

mod alphabet;
mod cells;
mod digits;
mod error;
mod forms;
mod instance;
mod kind;
mod lines;
mod npy;
mod plain;
mod rows;
mod table;
mod text;

use std::io::BufRead;

use crate::error::Error;
use crate::sudoku::Grid;
use crate::sudoku::Shape;

pub use alphabet::Alphabet;
pub use error::ParseError;
pub use npy::read_npy;

pub(crate) use cells::GIVEN_MARK;

use error::{Fault, Trouble};
use table::Table;
use text::{Step, Texts};

/// What a reader is told where a text leaves a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The shape of every grid; without it the side's usual one, by the number of cells.
    pub shape: Option<Shape>,
    /// The alphabet of every grid; without it the one that fits.
    pub alphabet: Option<Alphabet>,
}

/// One grid of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its heading, or the name or id of its record.
    pub name: Option<String>,
    /// The line where it starts, from 1.
    pub line: usize,
    /// The grid; conflicts are not looked for.
    pub grid: Grid,
}

/// The grids of a text, in order. `file` is its name in errors: `-` for standard input.
pub fn read<R: BufRead>(file: &str, input: R, options: ReadOptions) -> Reader<R> {
    let source = Source::Text(Texts::new(input, options));
    Reader { file: file.to_string(), options, source, silent: true }
}

/// The only grid of a text given as an argument; errors call it `PUZZLE`.
///
/// # Errors
/// [`Error::Parse`] if there is none, another one behind it, or anything else that [`read`] would refuse.
pub fn read_one(text: &str, options: ReadOptions) -> Result<Grid, Error> {
    const FILE: &str = "PUZZLE";
    let mut reader = read(FILE, text.as_bytes(), options);
    let entry = reader.next().expect("a reader gives a grid or an error")?;
    match reader.next() {
        None => Ok(entry.grid),
        Some(Err(error)) => Err(error),
        Some(Ok(second)) => {
            let fault = Fault::at(second.line, 1, "a second grid").expected("one");
            Err(fault.remedy("give one puzzle, or put them into a file").in_file(FILE).into())
        }
    }
}

/// The grids of a text: an iterator that gives at least one grid or error, and ends.
///
/// After an error about one grid it goes on behind that grid; after one about the input (no text, unreadable) it ends.
#[derive(Debug)]
pub struct Reader<R> {
    file: String,
    options: ReadOptions,
    source: Source<R>,
    /// True until a grid or an error was given.
    silent: bool,
}

#[derive(Debug)]
enum Source<R> {
    Text(Texts<R>),
    Table(Table<R>),
    End,
}

impl<R: BufRead> Reader<R> {
    fn step(&mut self) -> Result<Option<Entry>, Trouble> {
        if let Source::Text(texts) = &mut self.source {
            match texts.step()? {
                Step::Entry(entry) => return Ok(Some(entry)),
                Step::Table(columns) => self.become_table(columns),
                Step::End => {}
            }
        }
        let (entry, lines) = match &mut self.source {
            Source::Text(texts) => (None, texts.lines.count()),
            Source::Table(table) => (table.step()?, table.lines()),
            Source::End => return Ok(None),
        };
        if entry.is_none() {
            self.source = Source::End;
            if self.silent {
                return Err(no_grid(lines).into());
            }
        }
        Ok(entry)
    }

    fn become_table(&mut self, columns: table::Columns) {
        if let Source::Text(texts) = std::mem::replace(&mut self.source, Source::End) {
            self.source = Source::Table(Table::new(texts.lines, columns, self.options));
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Result<Entry, Error>> {
        let step = self.step();
        self.silent = false;
        match step {
            Ok(entry) => Ok(entry).transpose(),
            Err(trouble) => {
                if trouble.is_final() {
                    self.source = Source::End;
                }
                Some(Err(trouble.in_file(&self.file)))
            }
        }
    }
}

fn no_grid(lines: usize) -> Fault {
    let found = match lines {
        0 => "nothing: the input is empty".to_string(),
        _ => format!("no grid in {}", cells::plural(lines, "line")),
    };
    Fault::at(lines.max(1), 1, found).expected("at least one grid").remedy("write one in a line, `.` for an empty cell")
}
