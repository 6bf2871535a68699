//! What is kept of a run.

mod record;
mod trace;

pub use record::{Record, ScoreRecord, Setting};
pub use trace::write_trace;
