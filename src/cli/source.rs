//! The puzzles of a command: one from an argument, or all of a file.

use std::path::{Path, PathBuf};

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
    /// The puzzles, in order.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be opened.
    pub fn puzzles(&self, text: &TextArgs) -> Result<Puzzles<'_>, Error> {
        of(self.puzzle.as_deref(), self.file.as_deref(), text)
    }
}

/// A puzzle that was read.
pub type Item = sudoku::Item<Puzzle>;

/// The puzzles of an argument or a file, in order; an error in one does not stop the others.
///
/// # Errors
/// [`Error::Read`] if the file cannot be opened.
pub fn puzzles<'a>(
    puzzle: Option<&'a str>,
    file: Option<&'a Path>,
    text: &TextArgs,
) -> Result<impl Iterator<Item = Result<Item, Error>> + use<'a>, Error> {
    Ok(of(puzzle, file, text)?.map(sudoku::Item::read))
}

fn of<'a>(puzzle: Option<&'a str>, file: Option<&'a Path>, text: &TextArgs) -> Result<Puzzles<'a>, Error> {
    match file {
        Some(file) => Puzzles::of_file(file, text.options()),
        None => Ok(Puzzles::of_argument(puzzle.unwrap_or_default(), text.options())),
    }
}
