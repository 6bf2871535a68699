//! Reports: an experiment's folder in, figures for a paper out.
//!
//! ```text
//! folder -> read               the files, in one pass each, in bounded memory
//! read -> analysis             numbers: rates, ERT, curves, tests, by `statistics`
//! analysis -> figures          charts and tables, in the order in which they are read
//! figures -> exporters         a page, Markdown, CSV, IOHanalyzer's format
//! ```
//!
//! `chart`, `table` and `page` know nothing of experiments: benchmarks are shown by them as well.

pub(crate) mod analysis;
pub(crate) mod chart;
pub mod exporters;
mod facts;
pub(crate) mod figures;
pub(crate) mod page;
pub(crate) mod read;
pub mod statistics;
mod summary;
pub mod table;

use std::path::Path;

pub use facts::{Citation, Reproduction};
pub use figures::convergence_svg;
pub use summary::{Curve, CurvePoint, RunsSummary};

use crate::error::Error;
use analysis::Analysis;
use figures::{Colours, Sources};
use page::Section;
use read::Study;
use table::Table;

/// A report on the runs of a folder.
pub struct Report {
    /// The runs.
    pub study: Study,
    /// The experiment's name.
    pub title: String,
    /// The experiment in a sentence.
    pub summary: String,
    /// Notes on missing and unusual data.
    pub remarks: Vec<String>,
    /// The machine and the program, each fact with its name.
    pub facts: Vec<(&'static str, String)>,
    /// The figures.
    pub sections: Vec<Section>,
    /// Tables that are written to files only.
    pub files: Vec<Table>,
    /// The citation.
    pub citation: Citation,
    /// The steps that reproduce it.
    pub reproduction: Reproduction,
}

impl Report {
    /// Reads a folder that `run` or `merge` has written, finished or not, and makes its figures.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it holds no experiment of this format, or a line that does not belong to it;
    /// [`Error::Read`] if a file cannot be read.
    pub fn read(folder: &Path) -> Result<Report, Error> {
        let study = Study::read(folder)?;
        let analysis = Analysis::new(&study);
        let colours = Colours::new(&analysis);
        let (sections, files) = figures::sections(&Sources { study: &study, analysis: &analysis, colours })?;
        Ok(Report {
            title: study.manifest.plan.name.clone(),
            summary: facts::summary(&study),
            remarks: facts::remarks(&study),
            facts: facts::facts(&study),
            sections,
            files,
            citation: Citation::new(&study.manifest),
            reproduction: Reproduction::new(&study)?,
            study,
        })
    }

    /// All tables, and the data of the charts that are always shown; the data of the others is in `files`.
    pub fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<&Table> = Vec::new();
        for Section { open, folded, .. } in &self.sections {
            tables.extend(&open.tables);
            tables.extend(open.charts.iter().map(|chart| &chart.data));
            tables.extend(folded.iter().flat_map(|(_, part)| &part.tables));
        }
        tables.extend(&self.files);
        tables
    }
}
