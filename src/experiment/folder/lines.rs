//! The files of a folder: lines of JSON as a writer that may have been killed left them, files that are replaced whole,
//! and errors with a place in them.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::experiment::plan::hexadecimal;

/// A line of a file.
pub(crate) struct RecordLine<'a> {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its first byte in the file.
    pub start: u64,
    /// Without its newline.
    pub bytes: &'a [u8],
}

/// Why a line is not taken.
#[derive(Debug)]
pub(crate) enum RecordError {
    /// It is no record; a last line is torn then.
    Json(serde_json::Error),
    /// It is a record, but does not belong here: the message says why.
    Foreign(String),
    /// Something else failed while it was looked at.
    Other(Error),
}

impl From<serde_json::Error> for RecordError {
    fn from(error: serde_json::Error) -> RecordError {
        RecordError::Json(error)
    }
}

impl From<String> for RecordError {
    fn from(message: String) -> RecordError {
        RecordError::Foreign(message)
    }
}

impl From<Error> for RecordError {
    fn from(error: Error) -> RecordError {
        RecordError::Other(error)
    }
}

/// How a file ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
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
pub(crate) fn read(
    path: &Path,
    mut take: impl FnMut(&RecordLine<'_>) -> Result<(), RecordError>,
) -> Result<Ending, Error> {
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
        match check_seal(&bytes).and_then(|()| take(&RecordLine { number, start, bytes: &bytes })) {
            Ok(()) if has_newline => start += length,
            Ok(()) => return Ok(Ending::Open),
            Err(RecordError::Json(_)) if is_last => return Ok(Ending::Torn { from: start }),
            Err(error) => return Err(refused(path, number, error)),
        }
    }
    unreachable!("a file ends")
}

/// The last field of a line: a digest of all before it.
const DIGEST: &[u8] = b",\"digest\":\"";

/// Hexadecimal digits of a digest.
const DIGITS: usize = 16;

/// Adds a digest of the line as the last field of its object, so that a value that is changed later is noticed.
pub(super) fn seal(line: &mut Vec<u8>) {
    if line.pop_if(|byte| *byte == b'}').is_some() {
        let digest = digest_of(line);
        line.extend_from_slice(DIGEST);
        line.extend_from_slice(digest.as_bytes());
        line.extend_from_slice(b"\"}");
    }
}

/// A line without a digest, as older versions wrote it, is taken as it is.
fn check_seal(line: &[u8]) -> Result<(), RecordError> {
    let sealed = line.strip_suffix(b"\"}").and_then(|line| line.split_at_checked(line.len().checked_sub(DIGITS)?));
    let Some((before, digest)) = sealed else { return Ok(()) };
    match before.strip_suffix(DIGEST) {
        Some(fields) if digest_of(fields).as_bytes() != digest => {
            Err("this line is not as it was written: its digest does not fit it".to_owned().into())
        }
        _ => Ok(()),
    }
}

fn digest_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..DIGITS / 2])
}

fn refused(path: &Path, number: usize, error: RecordError) -> Error {
    match error {
        RecordError::Json(error) => {
            let found = json_message(&error);
            let expected = "each line must be one whole record as `swarmdoku run` writes it";
            error_of_line(path, &[number, error.column().max(1)], &format!("{found}; {expected}"))
        }
        RecordError::Foreign(message) => error_of_line(path, &[number], &message),
        RecordError::Other(error) => error,
    }
}

/// The error of a place in a file: its line and its column, or its line, or nothing.
pub(crate) fn error_at(path: &Path, place: &[usize], message: String) -> Error {
    let mut file = path.display().to_string();
    for number in place {
        write!(file, ":{number}").expect("writing to a string does not fail");
    }
    Error::Damaged { path: file.into(), message }
}

/// The error of a line, or of a place in it, with the remedy.
fn error_of_line(path: &Path, place: &[usize], found: &str) -> Error {
    error_at(path, place, format!("{found}; mend or remove this line, and `swarmdoku run --resume` makes its run anew"))
}

/// What JSON says, without the place, which it counts from where it began to read.
pub(super) fn json_message(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).unwrap_or(&said).to_owned()
}

/// Writes a new file beside the old one and lets it take the old one's place once all of it is on the disk. Only the
/// holder of the folder's lock may do so: there is one name for what is not finished.
///
/// # Errors
/// [`Error::Write`] with what the system says; the old file is still there then.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let unfinished = PathBuf::from(unfinished);
    let written = write_all(&unfinished, write).and_then(|()| fs::rename(&unfinished, path));
    let failed = |source| Error::Write { path: path.into(), source };
    written.and_then(|()| sync_folder(path.parent().unwrap_or(Path::new(".")))).map_err(failed)
}

fn write_all(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, File::create(path)?);
    write(&mut output)?;
    output.into_inner()?.sync_all()
}

/// Puts a folder's names on the disk. Elsewhere than on Unix a folder cannot be opened, and the system sees to it.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers in a file with this content, and how it ends.
    fn numbers(content: &[u8]) -> Result<(Vec<u32>, Ending), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        fs::write(&path, content).unwrap();
        let mut numbers = Vec::new();
        let ending = read(&path, |line| {
            match serde_json::from_slice(line.bytes)? {
                13 => return Err(RecordError::Foreign("13 brings bad luck".into())),
                14 => return Err(RecordError::Other(Error::Internal("14 fails".into()))),
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
    fn a_sealed_line_is_taken_only_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let fields = br#"{"run":12,"solved":true"#;
        let mut line = [&fields[..], b"}"].concat();
        seal(&mut line);
        let digits = line.len() - 2 - DIGITS..line.len() - 2;
        for place in (0..fields.len()).chain(digits) {
            let mut changed = line.clone();
            changed[place] ^= 1;
            fs::write(&path, [&changed[..], b"\n{}\n"].concat()).unwrap();
            let said = read(&path, |_| Ok(())).unwrap_err().to_string();
            assert!(said.contains("lines.jsonl:1: this line is not as it was written"), "{place}: {said}");
        }
        fs::write(&path, [&line[..], b"\n"].concat()).unwrap();
        assert_eq!(read(&path, |_| Ok(())).unwrap(), Ending::Whole);
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

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, |output| output.write_all(b"old")).unwrap();
        let failed = replace(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.unwrap_err().to_string().contains("the disk is full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, |output| output.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
