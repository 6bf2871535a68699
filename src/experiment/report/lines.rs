//! Files of one JSON object a line, as a writer that may have been killed left them.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use crate::error::Error;

/// How a file was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Not there: nothing had been written yet.
    Missing,
    /// All lines are whole.
    Whole,
    /// The last line breaks off, and was left out.
    Torn,
}

/// What is wrong with a line.
pub enum Flaw {
    /// It is not the JSON object that was expected.
    Json(serde_json::Error),
    /// It is, but does not belong here: the message says why.
    Foreign(String),
}

impl From<serde_json::Error> for Flaw {
    fn from(error: serde_json::Error) -> Flaw {
        Flaw::Json(error)
    }
}

/// Hands each line to `take`, one at a time, so that memory does not grow with the file.
///
/// # Errors
/// [`Error::Damaged`] with file, line and column if `take` refuses a line, unless it is a last line that is no record: that
/// is what a killed writer leaves. [`Error::Read`] if the file cannot be read.
pub fn read_lines(path: &Path, mut take: impl FnMut(&[u8]) -> Result<(), Flaw>) -> Result<Found, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    let mut reader = match File::open(path) {
        Ok(file) => BufReader::with_capacity(1 << 18, file),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Missing),
        Err(error) => return Err(failed(error)),
    };
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        let is_last = reader.fill_buf().map_err(failed)?.is_empty();
        match take(&line) {
            Ok(()) => {}
            Err(Flaw::Json(_)) if is_last => return Ok(Found::Torn),
            Err(flaw) => return Err(refused(path, number, flaw)),
        }
    }
    Ok(Found::Whole)
}

fn refused(path: &Path, number: u64, flaw: Flaw) -> Error {
    let file = path.display();
    match flaw {
        Flaw::Json(error) => Error::Damaged {
            path: format!("{file}:{number}:{}", error.column()).into(),
            message: format!("{error}; each line must be one whole record as `swarmdoku run` writes it"),
        },
        Flaw::Foreign(message) => Error::Damaged { path: format!("{file}:{number}").into(), message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers in a file with this content, and how it was found.
    fn numbers(content: &[u8]) -> Result<(Vec<u32>, Found), Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        std::fs::write(&path, content).unwrap();
        let mut numbers = Vec::new();
        let found = read_lines(&path, |line| {
            match serde_json::from_slice(line)? {
                13 => return Err(Flaw::Foreign("13 brings bad luck".into())),
                number => numbers.push(number),
            }
            Ok(())
        })?;
        Ok((numbers, found))
    }

    #[test]
    fn whole_lines_are_read_with_or_without_the_last_end() {
        assert_eq!(numbers(b"1\n2\n").unwrap(), (vec![1, 2], Found::Whole));
        assert_eq!(numbers(b"1\n2").unwrap(), (vec![1, 2], Found::Whole));
        assert_eq!(numbers(b"").unwrap(), (vec![], Found::Whole));
    }

    #[test]
    fn a_torn_last_line_is_left_out_even_inside_a_letter() {
        assert_eq!(numbers(b"1\n2\n{\"a").unwrap(), (vec![1, 2], Found::Torn));
        assert_eq!(numbers(b"1\n\"gr\xC3").unwrap(), (vec![1], Found::Torn));
        assert_eq!(numbers(b"1\n\0\0\n").unwrap(), (vec![1], Found::Torn));
    }

    #[test]
    fn a_bad_line_before_the_end_is_an_error_with_its_place() {
        for (content, place) in [(&b"1\nx\n3\n"[..], "lines.jsonl:2:1"), (b"1\n2\n13", "lines.jsonl:3: 13 brings")] {
            let message = numbers(content).unwrap_err().to_string();
            assert!(message.contains(place), "{message}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_has_no_lines() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_lines(&folder.path().join("none"), |_| Ok(())).unwrap(), Found::Missing);
    }
}
