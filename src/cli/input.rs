//! What a command reads: puzzles from its argument or a file, with the options for text.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::Args;
use swarmdoku::sudoku::text::{Alphabet, ReadOptions};
use swarmdoku::sudoku::{self, Puzzles};
use swarmdoku::{Error, Puzzle, Shape};

pub use swarmdoku::sudoku::open;

/// Options for reading text.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub struct TextArgs {
    /// Shape of the grids if the text does not tell it: `9x9`, or with its blocks `6x6:3x2`
    #[arg(long, value_name = "SHAPE")]
    pub shape: Option<Shape>,

    /// Digits of grids larger than 9x9: 1-9A-G, 0-f, A-P, a-y or A-Y
    #[arg(long, value_name = "ALPHABET")]
    pub alphabet: Option<Alphabet>,
}

impl TextArgs {
    pub fn options(&self) -> ReadOptions {
        ReadOptions { shape: self.shape, alphabet: self.alphabet }
    }
}

/// The source of the puzzles.
#[derive(Args)]
pub struct SourceArgs {
    /// The puzzle: its cells row by row, `.` or 0 for a free cell
    #[arg(value_name = "PUZZLE", required_unless_present = "file", conflicts_with = "file")]
    pub puzzle: Option<String>,

    /// A file of puzzles, text in any of the usual forms or a .npy array; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

impl SourceArgs {
    /// The puzzles, in order; an error about one of them does not stop those behind it.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be opened.
    pub fn puzzles(&self, text: &TextArgs) -> Result<Puzzles<'_>, Error> {
        match &self.file {
            Some(file) => Puzzles::of_file(file, text.options()),
            None => Ok(Puzzles::of_argument(self.puzzle.as_deref().unwrap_or_default(), text.options())),
        }
    }
}

/// A puzzle that was read.
pub type Item = sudoku::Item<Puzzle>;

/// True if the input starts as a `.npy` file does; consumes nothing.
pub fn is_npy(path: &Path, input: &mut dyn BufRead) -> Result<bool, Error> {
    let start = input.fill_buf().map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(start.starts_with(b"\x93NUMPY"))
}
