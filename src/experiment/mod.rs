//! What is kept of a run.

mod record;

pub use record::{Record, ScoreRecord, Setting};
