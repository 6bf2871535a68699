//! Output files, which are known to be writable before the work begins, and notes on standard error.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use swarmdoku::Error;

/// A file that results will be written to.
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Makes sure that the file can be written. It is neither changed nor created yet.
    ///
    /// # Errors
    /// [`Error::Write`] with the reason.
    pub fn new(path: &Path) -> Result<OutputFile, Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        let existed = path.exists();
        File::options().append(true).create(true).open(path).map_err(failed)?;
        if !existed {
            fs::remove_file(path).map_err(failed)?;
        }
        Ok(OutputFile { path: path.into() })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`Error::Write`] with the reason.
    pub fn write(&self, contents: &str) -> Result<(), Error> {
        fs::write(&self.path, contents).map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

/// Writes a line to standard error; a failure is ignored.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_neither_created_nor_emptied_before_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "kept").unwrap();
        let (old_file, new_file) = (OutputFile::new(&old).unwrap(), OutputFile::new(&new).unwrap());
        assert_eq!((fs::read_to_string(&old).unwrap().as_str(), new.exists()), ("kept", false));
        old_file.write("results").unwrap();
        new_file.write("results").unwrap();
        assert!([old, new].iter().all(|path| fs::read_to_string(path).unwrap() == "results"));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_path_buf(), folder.path().join("no").join("such.file")] {
            let error = OutputFile::new(&path).err().expect("cannot be written");
            assert!(matches!(error, Error::Write { path: found, .. } if found == path));
        }
    }
}
