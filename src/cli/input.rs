//! Files and standard input, opened and named in errors.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use clap::Args;
use swarmdoku::sudoku::text::{Alphabet, ReadOptions};
use swarmdoku::{Error, Shape};

/// How texts are read.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub struct TextArgs {
    /// Shape of the grids where the text leaves it open: `9x9`, or with its blocks `6x6:3x2`
    #[arg(long, value_name = "SHAPE")]
    pub shape: Option<Shape>,

    /// Digits of grids past 9x9: 1-9A-G, 0-f, A-P, a-y or A-Y
    #[arg(long, value_name = "ALPHABET")]
    pub alphabet: Option<Alphabet>,
}

impl TextArgs {
    pub fn options(&self) -> ReadOptions {
        ReadOptions { shape: self.shape, alphabet: self.alphabet }
    }
}

/// Opens a file, or standard input for `-`.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let failed = |source| Error::Read { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(std::io::Error::other("this is a directory; name a file of puzzles in it")));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// True if the input starts as a `.npy` file does; consumes nothing.
pub fn is_npy(path: &Path, input: &mut dyn BufRead) -> Result<bool, Error> {
    let start = input.fill_buf().map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(start.starts_with(b"\x93NUMPY"))
}
