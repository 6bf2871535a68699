//! Files of plots: known to be writable before the work that fills them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use swarmdoku::Error;
use swarmdoku::experiment::{Curve, convergence_svg};

/// A file that a plot will be written to.
pub struct PlotFile {
    path: PathBuf,
}

impl PlotFile {
    /// Makes sure that the file can be written. One that is there is left as it is for now, one that is not is not made.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn new(path: &Path) -> Result<PlotFile, Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        let existed = path.exists();
        File::options().append(true).create(true).open(path).map_err(failed)?;
        if !existed {
            fs::remove_file(path).map_err(failed)?;
        }
        Ok(PlotFile { path: path.into() })
    }

    /// Draws these curves into the file.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn write(&self, title: &str, curves: &[Curve]) -> Result<(), Error> {
        let svg = convergence_svg(title, curves)?;
        fs::write(&self.path, svg).map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_neither_made_nor_emptied_before_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old.svg"), folder.path().join("new.svg"));
        fs::write(&old, "kept").unwrap();
        let (old_file, new_file) = (PlotFile::new(&old).unwrap(), PlotFile::new(&new).unwrap());
        assert_eq!((fs::read_to_string(&old).unwrap().as_str(), new.exists()), ("kept", false));
        old_file.write("title", &[]).unwrap();
        new_file.write("title", &[]).unwrap();
        assert!(fs::read_to_string(&old).unwrap().starts_with("<svg") && new.exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_path_buf(), folder.path().join("no").join("such.svg")] {
            let error = PlotFile::new(&path).err().expect("cannot be written");
            assert!(matches!(error, Error::Write { path: found, .. } if found == path));
        }
    }
}
