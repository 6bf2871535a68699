//! The lines of a folder's files, and what each is about.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::Error;
use crate::experiment::study::ResolvedPlan;

/// The run that a line is about: what `runs.jsonl` and `traces.jsonl` have in common.
#[derive(Deserialize)]
pub struct Key<'a> {
    /// The variant's name.
    #[serde(borrow)]
    pub variant: Cow<'a, str>,
    /// The puzzle's name.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The run's number in its cell.
    pub run: u32,
    /// The run's seed, in `runs.jsonl`.
    pub seed: Option<u64>,
    /// Whether it solved its puzzle, in `runs.jsonl`.
    pub solved: Option<bool>,
}

/// By name, where variants and puzzles stand in a plan.
pub struct Names<'a> {
    variants: HashMap<&'a str, u64>,
    puzzles: HashMap<&'a str, u64>,
    runs: u32,
}

impl<'a> Names<'a> {
    /// The names of a plan.
    pub fn new(plan: &'a ResolvedPlan) -> Names<'a> {
        Names {
            variants: (0..).zip(&plan.variants).map(|(at, variant)| (variant.name.as_str(), at)).collect(),
            puzzles: (0..).zip(&plan.puzzles).map(|(at, puzzle)| (puzzle.name.as_str(), at)).collect(),
            runs: plan.runs,
        }
    }

    /// How the plan counts a run, if it has it: as [`Plan::index`](crate::experiment::plan::Plan::index).
    pub fn index(&self, variant: &str, puzzle: &str, run: u32) -> Option<u64> {
        let cell = self.variants.get(variant)? * self.puzzles.len() as u64 + self.puzzles.get(puzzle)?;
        (run < self.runs).then(|| cell * u64::from(self.runs) + u64::from(run))
    }
}

/// A line of a file that ends with its newline.
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Where it starts in the file.
    pub start: u64,
    /// Without its newline.
    pub bytes: &'a [u8],
}

/// What is behind the last line that was written whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tail {
    /// Where whole lines end.
    pub whole: u64,
    /// True if something is behind them.
    pub torn: bool,
}

/// Reads a file line by line; `take` says whether a line is one. The last line of a file may be torn: without its
/// newline, or no line although it has one. Any other that is no line is damage. A file that is not there has no lines.
///
/// # Errors
/// [`Error::Read`] with what the system says, [`Error::Damaged`] for what is no line and not the last, and what `take`
/// reports.
pub fn read(path: &Path, mut take: impl FnMut(&Line<'_>) -> Result<bool, Error>) -> Result<Tail, Error> {
    let failed = |source| Error::Read { path: PathBuf::from(path), source };
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Tail { whole: 0, torn: false }),
        file => file.map_err(failed)?,
    };
    let mut input = BufReader::with_capacity(1 << 18, file);
    let (mut start, mut bytes) = (0, Vec::new());
    for number in 1.. {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(failed)? as u64;
        if bytes.pop() != Some(b'\n') {
            return Ok(Tail { whole: start, torn: length > 0 });
        }
        let is_last = input.fill_buf().map_err(failed)?.is_empty();
        if !take(&Line { number, start, bytes: &bytes })? {
            if is_last {
                return Ok(Tail { whole: start, torn: true });
            }
            return Err(damaged(path, number, "this is no record of a run"));
        }
        start += length;
    }
    unreachable!("a file ends")
}

/// The error of a line that cannot be.
pub fn damaged(path: &Path, number: usize, found: impl std::fmt::Display) -> Error {
    let message = format!("{found}; mend or remove this line, and its run is made anew");
    Error::Damaged { path: PathBuf::from(format!("{}:{number}", path.display())), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Result<(Vec<String>, Tail), String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut lines = Vec::new();
        let tail = read(file.path(), |line| {
            let is_line = line.bytes.starts_with(b"{");
            if is_line {
                lines.push(String::from_utf8(line.bytes.to_vec()).unwrap());
            }
            Ok(is_line)
        });
        tail.map(|tail| (lines, tail)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_last_line_that_is_torn_is_left_out_and_any_other_is_damage() {
        let tail = |whole, torn| Tail { whole, torn };
        assert_eq!(lines(""), Ok((vec![], tail(0, false))));
        assert_eq!(lines("{1\n{2\n"), Ok((vec!["{1".into(), "{2".into()], tail(6, false))));
        assert_eq!(lines("{1\n{2"), Ok((vec!["{1".into()], tail(3, true))));
        assert_eq!(lines("{1\n\0\0\n"), Ok((vec!["{1".into()], tail(3, true))));
        assert!(lines("{1\n2\n{3\n").unwrap_err().contains(":2: this is no record"));
    }
}
