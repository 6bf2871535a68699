//! The formats of a report: an exporter is a file here and a row in [`EXPORTERS`].

mod html;
mod iohanalyzer;
mod markdown;
mod tables;

use std::path::Path;

use super::Report;
use crate::error::Error;
pub(super) use tables::to_csv;

/// The exporters, in the order of the help.
pub const EXPORTERS: &[&Exporter] = &[&html::PAGE, &markdown::MARKDOWN, &tables::CSV, &iohanalyzer::IOHANALYZER];

/// A format of a report.
pub struct Exporter {
    /// The option of the command line, which is the name too.
    pub option: &'static str,
    /// The option's letter, if it has one.
    pub letter: Option<char>,
    /// The word for its value in help.
    pub value: &'static str,
    /// A line of help.
    pub help: &'static str,
    /// The name in messages.
    pub name: &'static str,
    /// The output.
    pub form: Exported,
}

/// The output of an exporter.
#[derive(Clone, Copy)]
pub enum Exported {
    /// One document.
    Document {
        /// The endings of the names that its files may have.
        endings: &'static [&'static str],
        /// Makes the document.
        make: fn(&Report) -> Result<String, Error>,
    },
    /// A folder of files, which is created if it does not exist.
    Folder(fn(&Report, &Path) -> Result<(), Error>),
}
