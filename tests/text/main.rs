//! Text in and out: every form that is read, every error with its place, and what is written read back.

mod drawn;
mod errors;
mod forms;
mod npy;
mod output;
mod round_trip;
mod tables;

use swarmdoku::sudoku::text::{Alphabet, ReadGrid, ReadOptions, read};
use swarmdoku::{Error, Shape};

/// A puzzle in one line.
pub const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Nothing told: the text must speak for itself.
pub const OPEN: ReadOptions = ReadOptions { shape: None, alphabet: None };

/// The options that name a shape.
pub fn of_shape(shape: &str) -> ReadOptions {
    ReadOptions { shape: Some(shape.parse().expect("a shape")), ..OPEN }
}

/// The options that name an alphabet.
pub fn of_alphabet(alphabet: Alphabet) -> ReadOptions {
    ReadOptions { alphabet: Some(alphabet), ..OPEN }
}

/// [`LINE`] as nine lines of nine.
pub fn nine_rows() -> String {
    LINE.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect()
}

/// Every grid, none of which may be bad.
pub fn entries(text: impl AsRef<[u8]>, options: ReadOptions) -> Vec<ReadGrid> {
    read("t", text.as_ref(), options).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

/// Every grid as a line of digits.
pub fn lines(text: impl AsRef<[u8]>, options: ReadOptions) -> Vec<String> {
    entries(text, options).iter().map(|entry| entry.grid.to_string()).collect()
}

/// The errors as they are shown, and how many grids were read beside them.
pub fn outcome(text: impl AsRef<[u8]>, options: ReadOptions) -> (Vec<String>, usize) {
    let (errors, grids): (Vec<_>, Vec<_>) = read("t", text.as_ref(), options).partition(Result::is_err);
    (errors.into_iter().map(|error| Error::to_string(&error.unwrap_err())).collect(), grids.len())
}

/// A shape by its name.
pub fn shape(name: &str) -> Shape {
    name.parse().expect("a shape")
}
