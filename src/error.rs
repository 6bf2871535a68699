//! Everything that can go wrong, in one enum: each message says what was found, what was expected and the remedy.

use std::path::PathBuf;

/// An error of this library. Its [`Error::kind`] says who can do something about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No such shape, or a text that names none.
    #[error("no such shape: {0}")]
    Shape(String),

    /// A grid given by its cells has the wrong number of them.
    #[error("{found} cells were given, but a {shape} grid has {expected}")]
    CellCount {
        /// Cells given.
        found: usize,
        /// Cells of the shape.
        expected: usize,
        /// The shape they were given for, as `9x9`.
        shape: String,
    },

    /// A cell holds a digit past the side.
    #[error("row {row}, column {column} holds {digit}, but the digits of a {shape} grid are 1 to {side}")]
    Digit {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// The digit found.
        digit: u8,
        /// The largest digit of the shape.
        side: usize,
        /// The shape of the grid, as `9x9`.
        shape: String,
    },

    /// Two equal givens share a unit, so no solution can exist.
    #[error(
        "conflicting givens: {digit} stands twice in {unit}, at row {}, column {} and at row {}, column {}; remove one of them",
        first.0, first.1, second.0, second.1
    )]
    Conflict {
        /// The digit that stands twice.
        digit: u8,
        /// The unit, as `row 3`, counted from 1.
        unit: String,
        /// Row and column of the first, from 1.
        first: (usize, usize),
        /// Row and column of the second, from 1.
        second: (usize, usize),
    },

    /// The givens do not conflict, but the exact side showed that no solution exists.
    #[error("the puzzle has no solution: {0}")]
    Unsolvable(String),

    /// A text that could not be read as grids.
    #[error("{file}:{line}:{column}: found {found}, expected {expected}; {remedy}")]
    Parse {
        /// The file's name, `-` for standard input, or `PUZZLE` for a puzzle given as an argument.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The text found there.
        found: String,
        /// The text expected.
        expected: String,
        /// The remedy.
        remedy: String,
    },

    /// Another error, and where its cause stands.
    #[error("{place}: {source}")]
    At {
        /// File and line, or the argument.
        place: String,
        /// The error there.
        source: Box<Error>,
    },

    /// Candidates of one shape were handed to something made for another.
    #[error("{what} was made for {expected} grids, but was handed {found} grids")]
    ShapeMismatch {
        /// The thing that was handed them.
        what: &'static str,
        /// The shape it was made for, as `9x9`.
        expected: String,
        /// The shape it was handed.
        found: String,
    },

    /// A batch and its scores do not have the same length.
    #[error(
        "{slots} slots ({candidates} candidates in whole tiles) need as many scores, but room for {scores} was given"
    )]
    ScoreCount {
        /// Candidates in the batch.
        candidates: usize,
        /// Slots of the batch: candidates, padded to whole tiles.
        slots: usize,
        /// Scores there was room for.
        scores: usize,
    },

    /// A parameter that no search can run with.
    #[error("{name} is {found}, but must be {expected}")]
    Parameter {
        /// The parameter, as the command line names it.
        name: &'static str,
        /// Its value.
        found: String,
        /// The values it may have.
        expected: &'static str,
    },

    /// An option of an algorithm, or a key of a plan, that cannot be set so.
    #[error("{name} {problem}")]
    Setting {
        /// The parameter, as the command line names it.
        name: &'static str,
        /// What was found, what was expected, and the remedy.
        problem: String,
    },

    /// More memory than this process may use.
    #[error("{what} needs {} MiB, but this process may use {} MiB ({limit}); {remedy}", needed >> 20, allowed >> 20)]
    Memory {
        /// The work that needs it.
        what: String,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that the process may use.
        allowed: u64,
        /// Where that limit comes from.
        limit: &'static str,
        /// The remedy.
        remedy: &'static str,
    },

    /// No adapter fits the request; says what there is and what to install.
    #[error("{0}")]
    NoAdapter(String),

    /// The device could not be made, or failed or was lost while working.
    #[error("{adapter}: {message}")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// The failure, and the remedy.
        message: String,
    },

    /// A file or stream could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file, or `-`.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },

    /// A file or stream could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file, or `stdout`.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },

    /// A plan that says something that cannot be planned.
    #[error("{file}:{line}:{column}: {message}")]
    Plan {
        /// The plan's file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The text found, the text expected, and the remedy.
        message: String,
    },

    /// An experiment's folder that is not for what it was named for.
    #[error("{}: {message}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Its contents, and the remedy.
        message: String,
    },

    /// A file of an experiment's folder that is not what this program writes.
    #[error("{}: {message}", path.display())]
    Damaged {
        /// The file, with the line if it has lines.
        path: PathBuf,
        /// The damage, and the remedy.
        message: String,
    },

    /// Another process works in the same folder: worth trying again once that one has ended.
    #[error("{}: another process is working in this folder; wait for it, or name another folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },

    /// A saved run that is not one of this search.
    #[error("a saved run cannot be taken up: {0}")]
    State(String),

    /// Something this program promised did not hold: a bug, reported rather than printed as a result.
    #[error("internal error: {0}; this is a bug in swarmdoku, please report it with the command and the seed")]
    Internal(String),
}

/// The kind of an [`Error`]: what can be done about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// A value or a combination of values that cannot be used: change the call.
    Usage,
    /// Data with something wrong in it: change the data.
    Input,
    /// A file or stream that the system does not let us read.
    Read,
    /// No such device, or it failed: worth another try, or another backend.
    Device,
    /// A file or stream that the system does not let us write.
    Write,
    /// Another process works in the same place: wait.
    Busy,
    /// A bug in this program: report it.
    Bug,
}

impl Error {
    /// The kind, that of the cause where another error holds it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::At { source, .. } => source.kind(),
            Error::Shape(_)
            | Error::Parameter { .. }
            | Error::Setting { .. }
            | Error::Memory { .. }
            | Error::Folder { .. } => ErrorKind::Usage,
            Error::CellCount { .. }
            | Error::Digit { .. }
            | Error::Conflict { .. }
            | Error::Unsolvable(_)
            | Error::Parse { .. }
            | Error::Plan { .. }
            | Error::Damaged { .. }
            | Error::State(_) => ErrorKind::Input,
            Error::Read { .. } => ErrorKind::Read,
            Error::NoAdapter(_) | Error::Device { .. } => ErrorKind::Device,
            Error::Write { .. } => ErrorKind::Write,
            Error::Busy { .. } => ErrorKind::Busy,
            Error::ShapeMismatch { .. } | Error::ScoreCount { .. } | Error::Internal(_) => ErrorKind::Bug,
        }
    }

    /// The same error, with the place of its cause.
    pub fn at(self, place: impl Into<String>) -> Error {
        Error::At { place: place.into(), source: Box::new(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_with_a_place_has_the_kind_of_its_cause() {
        let lost = Error::Device { adapter: "a card".into(), message: "lost".into() };
        assert_eq!(lost.kind(), ErrorKind::Device);
        assert_eq!(lost.at("line 3").at("file").kind(), ErrorKind::Device);
    }

    #[test]
    fn memory_is_told_with_found_allowed_and_remedy() {
        let (needed, allowed) = (100 << 30, 8 << 30);
        let error = Error::Memory { what: "it".into(), needed, allowed, limit: "a limit", remedy: "take less" };
        assert_eq!(error.to_string(), "it needs 102400 MiB, but this process may use 8192 MiB (a limit); take less");
    }
}
