//! The puzzles of a comparison: those that cannot be searched are reported before the others run.

use std::fmt;

use swarmdoku::sudoku::text::{self, Entry};
use swarmdoku::{Error, Puzzle, exact};

use super::CompareArgs;
use crate::cli::input;
use crate::cli::report;
use crate::cli::solve::CHECK_NODES;

/// A puzzle to be searched.
pub struct Named {
    /// Its number among all that were read, from 1.
    pub number: usize,
    /// What its source calls it.
    pub name: Option<String>,
    pub puzzle: Puzzle,
}

/// `puzzle 3 (name): 9..2...`
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzle {}", self.number)?;
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ": {}", self.puzzle.givens())
    }
}

/// The puzzles that can be searched, and how many others were reported.
///
/// # Errors
/// [`Error::Read`] for a file that cannot be read.
pub fn read(args: &CompareArgs) -> Result<(Vec<Named>, usize), Error> {
    let (mut puzzles, mut bad) = (Vec::new(), 0);
    for (number, (source, entry)) in (1..).zip(entries(args)?) {
        match entry.and_then(|entry| searchable(number, &source, entry)) {
            Ok(named) => puzzles.push(named),
            Err(error @ Error::Read { .. }) => return Err(error),
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
    }
    Ok((puzzles, bad))
}

/// An entry, or what is wrong with it, and the name of its source.
type Sourced = (String, Result<Entry, Error>);

/// All entries of the file or of the arguments.
fn entries(args: &CompareArgs) -> Result<Vec<Sourced>, Error> {
    let options = args.text.options();
    let named = |source: String| move |entry| (source.clone(), entry);
    if let Some(file) = &args.file {
        let source = file.display().to_string();
        return Ok(text::read(&source, input::open(file)?, options).map(named(source)).collect());
    }
    let argument = |(number, text): (usize, &String)| {
        let source = format!("PUZZLE {number}");
        text::read(&source, text.as_bytes(), options).map(named(source)).collect::<Vec<_>>()
    };
    Ok((1..).zip(&args.puzzles).flat_map(argument).collect())
}

/// The puzzle of an entry, unless its givens conflict or it can be shown to have no solution.
fn searchable(number: usize, source: &str, Entry { name, line, grid }: Entry) -> Result<Named, Error> {
    let place = |error: Error| error.at(format!("{source}:{line}"));
    let puzzle = Puzzle::new(grid).map_err(place)?;
    exact::refute(&puzzle, CHECK_NODES).map_err(place)?;
    Ok(Named { number, name, puzzle })
}
