//! What is kept of a run, and what many runs say.
//!
//! A study goes from a [`plan`] through [`Experiment`], which makes its runs, into a folder whose form is in [`study`], and
//! from parts of it through [`merge`] into one; [`crate::report`] shows what is there.

pub(crate) mod check;
pub(crate) mod folder;
mod merge;
pub mod plan;
mod provenance;
mod record;
mod runner;
mod shard;
pub mod study;

pub use folder::StartMode;
pub use merge::{Conflict, Merged, Missing, merge};
pub use record::{Record, ScoreRecord, Setting, TraceEntry, TraceLine, write_trace};
pub use runner::{CellStatus, Experiment, Forecast, Open, Status, forecast, slots_in_flight};
pub use study::run_seed;
