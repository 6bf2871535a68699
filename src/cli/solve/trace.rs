//! `solve --trace`: the improvements of a run as CSV.

use std::fs::File;
use std::path::PathBuf;

use swarmdoku::Error;
use swarmdoku::experiment::write_trace;
use swarmdoku::search::TracePoint;

use super::SolveArgs;

/// A file that was created before the search began, so that none is made in vain.
pub struct TraceFile {
    path: PathBuf,
    file: File,
}

impl TraceFile {
    /// The file that `--trace` names, empty; none without `--trace`.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a whole file of puzzles is to be solved, [`Error::Write`] if the file cannot be created.
    pub fn create(args: &SolveArgs) -> Result<Option<TraceFile>, Error> {
        let Some(path) = args.trace.clone() else { return Ok(None) };
        if args.file.is_some() && args.index.is_none() {
            return Err(Error::Parameter {
                name: "trace",
                found: "given for a whole file".into(),
                expected: "used with one puzzle: PUZZLE, or --file with --index",
            });
        }
        match File::create(&path) {
            Ok(file) => Ok(Some(TraceFile { path, file })),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    /// Writes the improvements of the one run.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&mut self, trace: &[TracePoint]) -> Result<(), Error> {
        write_trace(trace, &mut self.file).map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}
