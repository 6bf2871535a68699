//! Why a text could not be read, with the place.

use std::{fmt, io};

use crate::error::Error;

/// Why a text could not be read: the place, what was found, what was expected, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The file's name, `-` for standard input, or `PUZZLE` for a puzzle given as an argument.
    pub file: String,
    /// Line, from 1. In a `.npy` file: the candidate, from 1 (1 for the header).
    pub line: usize,
    /// Column in characters, from 1. In a `.npy` file: the cell, from 1 (1 for the header).
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

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Error {
        let ParseError { file, line, column, found, expected, remedy } = error;
        Error::Parse { file, line, column, found, expected, remedy }
    }
}

/// A [`ParseError`] before the file's name is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) column: usize,
    found: String,
    expected: String,
    remedy: String,
}

impl Fault {
    pub(super) fn at(line: usize, column: usize, found: impl Into<String>) -> Fault {
        Fault { line, column, found: found.into(), expected: String::new(), remedy: String::new() }
    }

    pub(super) fn expected(mut self, expected: impl Into<String>) -> Fault {
        self.expected = expected.into();
        self
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Fault {
        self.remedy = remedy.into();
        self
    }

    pub(super) fn in_file(self, file: &str) -> ParseError {
        let Fault { line, column, found, expected, remedy } = self;
        ParseError { file: file.to_string(), line, column, found, expected, remedy }
    }
}

/// What stops a grid, or the whole input.
#[derive(Debug)]
pub(super) enum Trouble {
    /// One grid cannot be read; the reader stands behind it and can go on.
    Grid(Fault),
    /// Nothing after this place can be read.
    Input(Fault),
    /// The system could not read on.
    Io(io::Error),
}

impl Trouble {
    /// True if nothing can be read after it.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self, Trouble::Grid(_))
    }

    pub(super) fn in_file(self, file: &str) -> Error {
        match self {
            Trouble::Grid(fault) | Trouble::Input(fault) => fault.in_file(file).into(),
            Trouble::Io(error) => unreadable(file, error),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Grid(fault)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}

/// A system's error on reading a file; that the name is a folder's is worth its own words.
pub(super) fn unreadable(file: &str, source: io::Error) -> Error {
    if source.kind() == io::ErrorKind::IsADirectory {
        return Fault::at(1, 1, "a directory")
            .expected("a file with grids in it")
            .remedy("name one of the files in the directory")
            .in_file(file)
            .into();
    }
    Error::Read { path: file.into(), source }
}
