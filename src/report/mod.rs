//! Reports: an experiment's folder in, figures that stand in a paper out.
//!
//! ```text
//! folder -> study              the files, in one pass each, in bounded memory
//! study -> analysis            numbers: rates, ERT, curves, tests
//! analysis -> content          tables and charts, in the order in which they are read
//! content -> html, markdown, csv;   study -> iohanalyzer
//! ```

pub mod analysis;
pub mod chart;
mod cite;
pub mod content;
mod convergence;
mod csv;
mod facts;
mod html;
mod iohanalyzer;
mod markdown;
mod plan_file;
mod plot;
pub mod read;
pub mod statistics;
mod summary;
pub mod table;
mod tables;

pub use analysis::Analysis;
pub use cite::{Citation, Reproduction};
pub use content::Content;
pub use convergence::{Curve, CurvePoint};
pub use csv::write_csv;
pub use html::to_html;
pub use iohanalyzer::write_iohanalyzer;
pub use markdown::to_markdown;
pub(crate) use plot::COLOURS;
pub use plot::convergence_svg;
pub use read::Study;
pub use summary::Summary;
