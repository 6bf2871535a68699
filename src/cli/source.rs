//! The puzzles a command works on: one given as an argument, or all of a file.

use std::path::{Path, PathBuf};

use clap::Args;
use swarmdoku::sudoku::text::{self, Entry};
use swarmdoku::{Error, Puzzle};

use super::input::{self, TextArgs};

/// Where puzzles come from.
#[derive(Args)]
pub struct SourceArgs {
    /// The puzzle: its cells row by row, `.` or 0 for a free cell
    #[arg(value_name = "PUZZLE", required_unless_present = "file", conflicts_with = "file")]
    pub puzzle: Option<String>,

    /// A file of puzzles, in any of the usual text forms; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// A puzzle and where it came from.
pub struct Item {
    /// Its number in the file, from 1; none for an argument.
    pub number: Option<u64>,
    /// Its name, where the file gives one.
    pub name: Option<String>,
    /// File and line, or `PUZZLE`.
    pub place: String,
    pub puzzle: Puzzle,
}

/// The puzzles of an argument or a file, in order; an error about one of them does not stop those behind it.
///
/// # Errors
/// [`Error::Read`] if the file cannot be opened, and what clap should have refused.
pub fn puzzles<'a>(
    puzzle: Option<&'a str>,
    file: Option<&'a Path>,
    text: &TextArgs,
) -> Result<Box<dyn Iterator<Item = Result<Item, Error>> + 'a>, Error> {
    let options = text.options();
    if let Some(file) = file {
        let name = file.display().to_string();
        let entries = (1..).zip(text::read(&name, input::open(file)?, options));
        return Ok(Box::new(entries.map(move |(number, entry)| item(&name, number, entry?))));
    }
    let argument = text::read_one(puzzle.unwrap_or_default(), options).and_then(Puzzle::new);
    let item = argument.map(|puzzle| Item { number: None, name: None, place: "PUZZLE".into(), puzzle });
    Ok(Box::new(std::iter::once(item)))
}

fn item(file: &str, number: u64, entry: Entry) -> Result<Item, Error> {
    let Entry { name, line, grid } = entry;
    let place = format!("{file}:{line}");
    match Puzzle::new(grid) {
        Ok(puzzle) => Ok(Item { number: Some(number), name, place, puzzle }),
        Err(error) => Err(error.at(place)),
    }
}
