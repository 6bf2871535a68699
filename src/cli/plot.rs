//! Files of plots.

use std::path::Path;

use swarmdoku::Error;
use swarmdoku::report::{Curve, convergence_svg};

use super::output::OutputFile;

/// A file that a plot will be written to.
pub struct PlotFile(OutputFile);

impl PlotFile {
    /// Makes sure that the file can be written, as [`OutputFile::new`] does.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn new(path: &Path) -> Result<PlotFile, Error> {
        OutputFile::new(path).map(PlotFile)
    }

    /// Draws these curves into the file.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn write(&self, title: &str, curves: &[Curve]) -> Result<(), Error> {
        self.0.write(&convergence_svg(title, curves)?)
    }
}
