//! What is kept of a run, and what many runs say.

mod convergence;
mod exact_record;
mod plot;
mod record;
pub mod report;
mod runs;
pub mod statistics;
pub mod study;
mod trace;

pub use convergence::{Curve, CurvePoint};
pub use exact_record::ExactRecord;
pub use plot::convergence_svg;
pub use record::{Record, ScoreRecord, Setting};
pub use runs::{Run, Summary, run_seed};
pub use trace::write_trace;
