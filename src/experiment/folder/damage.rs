//! The errors of files that are not what the program wrote.

use std::fmt::Write;
use std::path::Path;

use crate::error::Error;

/// The error of a place in a file: its line and its column, or its line, or nothing.
pub fn at(path: &Path, place: &[usize], message: String) -> Error {
    let mut file = path.display().to_string();
    for number in place {
        write!(file, ":{number}").expect("writing to a string does not fail");
    }
    Error::Damaged { path: file.into(), message }
}

/// The error of a line, or of a place in it, with the remedy.
pub fn of_line(path: &Path, place: &[usize], found: &str) -> Error {
    at(path, place, format!("{found}; mend or remove this line, and `swarmdoku run --resume` makes its run anew"))
}

/// What JSON says, without the place, which it counts from where it began to read.
pub fn message(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).unwrap_or(&said).to_owned()
}
