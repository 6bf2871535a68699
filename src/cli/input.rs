//! Files and standard input, opened and named in errors.

use std::io::BufRead;
use std::path::Path;

use clap::Args;
use swarmdoku::sudoku::text::{Alphabet, ReadOptions};
use swarmdoku::{Error, Shape};

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

/// True if the input starts as a `.npy` file does; consumes nothing.
pub fn is_npy(path: &Path, input: &mut dyn BufRead) -> Result<bool, Error> {
    let start = input.fill_buf().map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(start.starts_with(b"\x93NUMPY"))
}
