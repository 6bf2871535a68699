//! The puzzles of a command: one from an argument, or all of a file.

use std::path::PathBuf;

use clap::Args;
use swarmdoku::sudoku::{self, Puzzles};
use swarmdoku::{Error, Puzzle};

use super::input::TextArgs;

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
