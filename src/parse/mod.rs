//! Puzzle text in.

use std::fmt;

/// Why a text could not be read: the place, what was found, what was expected, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The file's name, `-` for standard input, or `PUZZLE` for a puzzle given as an argument.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found there.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { file, line, column, found, expected, remedy } = self;
        write!(f, "{file}:{line}:{column}: found {found}, expected {expected}; {remedy}")
    }
}

impl std::error::Error for ParseError {}
