//! Files of one JSON object a line, as a writer that may have been killed left them.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use super::damage;
use crate::error::Error;

/// A line of a file.
pub struct Line<'a> {
    /// Where it starts in the file.
    pub start: u64,
    /// Without its newline.
    pub bytes: &'a [u8],
}

/// Why a line is not taken.
#[derive(Debug)]
pub enum Flaw {
    /// It is no record; a last line is torn then.
    Json(serde_json::Error),
    /// It is a record, but does not belong here: the message says why.
    Foreign(String),
    /// Something else failed while it was looked at.
    Other(Error),
}

impl From<serde_json::Error> for Flaw {
    fn from(error: serde_json::Error) -> Flaw {
        Flaw::Json(error)
    }
}

impl From<String> for Flaw {
    fn from(message: String) -> Flaw {
        Flaw::Foreign(message)
    }
}

impl From<Error> for Flaw {
    fn from(error: Error) -> Flaw {
        Flaw::Other(error)
    }
}

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With the newline of a record, or before anything was written.
    Whole,
    /// With a record that only lacks its newline: whoever appends must write that first.
    Open,
    /// With what is no record.
    Torn {
        /// Where it starts.
        from: u64,
    },
}

/// Hands each record to `take`, one line in memory at a time. A file that is not there has none.
///
/// A killed writer leaves a last line that is no record, with or without a newline: it is left out. A last line that is a
/// record counts without its newline too, since an object is whole once its brace is closed.
///
/// # Errors
/// [`Error::Damaged`] with file, line and, where JSON has one, column if `take` refuses a line that is not torn;
/// [`Error::Read`] if the file cannot be read; and what `take` reports.
pub fn read(path: &Path, mut take: impl FnMut(&Line<'_>) -> Result<(), Flaw>) -> Result<Ending, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ending::Whole),
        file => file.map_err(failed)?,
    };
    let mut input = BufReader::with_capacity(1 << 18, file);
    let (mut start, mut bytes) = (0, Vec::new());
    for number in 1.. {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(failed)? as u64;
        if length == 0 {
            return Ok(Ending::Whole);
        }
        let has_newline = bytes.pop_if(|byte| *byte == b'\n').is_some();
        let is_last = input.fill_buf().map_err(failed)?.is_empty();
        match take(&Line { start, bytes: &bytes }) {
            Ok(()) if has_newline => start += length,
            Ok(()) => return Ok(Ending::Open),
            Err(Flaw::Json(_)) if is_last => return Ok(Ending::Torn { from: start }),
            Err(flaw) => return Err(refused(path, number, flaw)),
        }
    }
    unreachable!("a file ends")
}

fn refused(path: &Path, number: usize, flaw: Flaw) -> Error {
    match flaw {
        Flaw::Json(error) => {
            let found = damage::message(&error);
            let expected = "each line must be one whole record as `swarmdoku run` writes it";
            damage::of_line(path, &[number, error.column().max(1)], &format!("{found}; {expected}"))
        }
        Flaw::Foreign(message) => damage::of_line(path, &[number], &message),
        Flaw::Other(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers in a file with this content, and how it ends.
    fn numbers(content: &[u8]) -> Result<(Vec<u32>, Ending), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        std::fs::write(&path, content).unwrap();
        let mut numbers = Vec::new();
        let ending = read(&path, |line| {
            match serde_json::from_slice(line.bytes)? {
                13 => return Err(Flaw::Foreign("13 brings bad luck".into())),
                14 => return Err(Flaw::Other(Error::Internal("14 fails".into()))),
                number => numbers.push(number),
            }
            Ok(())
        });
        ending.map(|ending| (numbers, ending)).map_err(|error| error.to_string())
    }

    #[test]
    fn every_record_is_taken_with_or_without_the_last_newline() {
        assert_eq!(numbers(b""), Ok((vec![], Ending::Whole)));
        assert_eq!(numbers(b"1\n2\n"), Ok((vec![1, 2], Ending::Whole)));
        assert_eq!(numbers(b"1\n2"), Ok((vec![1, 2], Ending::Open)));
    }

    #[test]
    fn a_last_line_that_is_no_record_is_torn_with_or_without_its_newline() {
        for torn in [&b"{\"a"[..], b"{\"a\n", b"\0\0", b"\0\0\n", b"\"gr\xC3", b"\n"] {
            let content = [b"1\n22\n", torn].concat();
            assert_eq!(numbers(&content), Ok((vec![1, 22], Ending::Torn { from: 5 })), "{torn:?}");
        }
    }

    #[test]
    fn any_other_line_that_is_refused_is_an_error_with_its_place_and_the_remedy() {
        for (content, message) in [
            (&b"1\nx\n3\n"[..], "lines.jsonl:2:1: expected value; each line must be one whole record"),
            (b"1\n22x\n3\n", "lines.jsonl:2:3: trailing characters; each line"),
            (b"1\n\n3\n", "lines.jsonl:2:1: EOF while parsing a value; each line"),
            (b"1\n2\n13", "lines.jsonl:3: 13 brings bad luck; mend or remove this line"),
        ] {
            let said = numbers(content).unwrap_err();
            assert!(said.contains(message) && said.contains("remove this line"), "{said}");
        }
    }

    #[test]
    fn what_fails_beside_the_lines_is_told_as_it_is() {
        let said = numbers(b"1\n14\n").unwrap_err();
        assert!(said.starts_with("internal error: 14 fails"), "{said}");
    }

    #[test]
    fn a_file_that_is_not_there_has_no_records() {
        let folder = tempfile::tempdir().unwrap();
        let ending = read(&folder.path().join("none"), |_| panic!("there is no line"));
        assert_eq!(ending.unwrap(), Ending::Whole);
    }
}
