//! What is kept of a run.

mod exact_record;
mod record;

pub use exact_record::ExactRecord;
pub use record::{Record, ScoreRecord, Setting};
