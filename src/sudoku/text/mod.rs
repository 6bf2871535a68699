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
//! - a `.npy` array of integers, one grid per row;
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
//! `forms` has the table of forms. A line goes through `lines` (bounded length; what is it?), `cells` (which cells are in
//! it, and how can they be a grid?), `rows` (which lines are one grid?) and `alphabet` (which digits are they?).

mod alphabet;
mod cells;
mod csv;
mod drawing;
mod forms;
mod frame;
mod instance;
mod lines;
mod npy;
mod plain;
mod rows;
mod variant;

use std::io::BufRead;

use crate::error::Error;
use crate::sudoku::{Grid, Shape};

pub use alphabet::Alphabet;
pub use npy::read_npy;

use forms::Texts;
use lines::{LineError, ReadError};
use npy::Array;

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
pub struct ReadGrid {
    /// Its heading, or the name or id of its record.
    pub name: Option<String>,
    /// The line where it starts, from 1; in an array its row, from 1.
    pub line: usize,
    /// The grid; conflicts are not looked for.
    pub grid: Grid,
}

/// The grids of a text or an array, in order. `file` is its name in errors: `-` for standard input.
pub fn read<'a>(file: &str, input: impl BufRead + Send + 'a, options: ReadOptions) -> Reader<'a> {
    let source = Source::Unopened(Box::new(input));
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
            let error = LineError::at(second.line, 1, "a second grid").expected("one");
            Err(error.remedy("give one puzzle, or put them into a file").in_file(FILE))
        }
    }
}

/// The grids of a text: an iterator that gives at least one grid or error, and ends.
///
/// After an error about one grid it goes on behind that grid; after one about the input (no text, unreadable) it ends.
pub struct Reader<'a> {
    file: String,
    options: ReadOptions,
    source: Source<'a>,
    /// True until a grid or an error was given.
    silent: bool,
}

type Input<'a> = Box<dyn BufRead + Send + 'a>;

enum Source<'a> {
    Unopened(Input<'a>),
    Text(Box<Texts<'a>>),
    Array(Array<Input<'a>>),
    End,
}

impl<'a> Reader<'a> {
    fn step(&mut self) -> Result<Option<ReadGrid>, ReadError> {
        if let Source::Unopened(_) = self.source {
            self.open()?;
        }
        let (entry, lines) = match &mut self.source {
            Source::Text(texts) => (texts.step()?, texts.lines.count()),
            Source::Array(array) => (array.step()?, 0),
            Source::Unopened(_) | Source::End => return Ok(None),
        };
        if entry.is_none() {
            self.source = Source::End;
            if self.silent {
                return Err(no_grid(lines).into());
            }
        }
        Ok(entry)
    }

    /// Tells by the first bytes whether the input is text.
    fn open(&mut self) -> Result<(), ReadError> {
        if let Source::Unopened(mut input) = std::mem::replace(&mut self.source, Source::End) {
            self.source = if input.fill_buf()?.starts_with(npy::MAGIC) {
                Source::Array(Array::open(input, self.options.shape)?)
            } else {
                Source::Text(Box::new(Texts::new(input, self.options)))
            };
        }
        Ok(())
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<ReadGrid, Error>;

    fn next(&mut self) -> Option<Result<ReadGrid, Error>> {
        let step = self.step();
        self.silent = false;
        match step {
            Ok(entry) => Ok(entry).transpose(),
            Err(error) => {
                if error.is_final() {
                    self.source = Source::End;
                }
                Some(Err(error.in_file(&self.file)))
            }
        }
    }
}

fn no_grid(lines: usize) -> LineError {
    let found = match lines {
        0 => "nothing: the input is empty".to_string(),
        _ => format!("no grid in {}", cells::plural(lines, "line")),
    };
    LineError::at(lines.max(1), 1, found)
        .expected("at least one grid")
        .remedy("write one in a line, `.` for an empty cell")
}
