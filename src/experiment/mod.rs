//! What is kept of a run, and what many runs say.
//!
//! A study goes from a [`plan`] through [`Experiment`], which makes its runs, into a folder whose form is in [`study`], and
//! from parts of it through [`merge`] into one; [`crate::report`] shows what is there.

mod exact_record;
pub(crate) mod folder;
mod merge;
mod origin;
pub mod plan;
mod record;
mod runner;
mod runs;
mod shard;
pub mod study;
mod trace;

pub use exact_record::ExactRecord;
pub use folder::Entry;
pub use merge::{Conflict, Merged, Missing, merge};
pub use record::{Record, ScoreRecord, Setting};
pub use runner::{Backing, CellStatus, Experiment, Forecast, MakeBacking, Status, forecast, slots_in_flight};
pub use runs::{Run, Summary, run_seed};
pub use trace::write_trace;
