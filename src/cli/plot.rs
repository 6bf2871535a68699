//! Files of plots.

use std::path::Path;

use swarmdoku::Error;
use swarmdoku::report::{Curve, convergence_svg};

use super::output::OutputFile;

/// A file that a plot will be written to.
pub struct PlotFile(OutputFile);

impl PlotFile {
    /// Makes sure that the file can be written, as [`OutputFile::new`] does, and that its name does not promise another
    /// form than SVG.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a name with another ending, [`Error::Write`] with what the system said.
    pub fn new(path: &Path) -> Result<PlotFile, Error> {
        match path.extension() {
            Some(ending) if !ending.eq_ignore_ascii_case("svg") => Err(Error::Parameter {
                name: "plot",
                found: path.display().to_string(),
                expected: "a name that ends in .svg: plots are SVG, which browsers and vector editors export as PNG or PDF",
            }),
            _ => OutputFile::new(path).map(PlotFile),
        }
    }

    /// Draws these curves into the file.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn write(&self, title: &str, curves: &[Curve]) -> Result<(), Error> {
        self.0.write(&convergence_svg(title, curves)?)
    }
}
