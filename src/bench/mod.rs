//! How fast this machine scores and searches, and from which population on a GPU pays.
//!
//! A benchmark is easily told wrong: by timing the first use, by a GPU against a single core, by figures of two days, or
//! by answers that nobody looked at. So here every contender is warmed up; contenders take turns, so that what slows the
//! machine slows them all; a GPU's time is that of whole epochs, transfers included, and is held against the CPU with all
//! its cores; memory's own speed is measured in the same run; and every score that was timed is compared with the oracle's,
//! as is every contender's trajectory with the others'.
//!
//! [`measure`] works through a [`Plan`] with its [`Contender`]s and gives a [`Report`]; [`page`] shows it in a browser;
//! [`saved`] keeps the [`Crossover`] for `--backend auto`. In reading order: `plan`, `contender`, `series` (how samples
//! are taken), `measure`, `report` (what they say), `crossover`.

mod contender;
mod crossover;
mod estimate;
mod machine;
mod measure;
pub mod page;
mod parts;
mod plan;
mod read;
mod report;
pub mod saved;
mod series;
#[cfg(test)]
mod testing;

pub use crate::report::units::{short, time};
pub use contender::{Contender, Profile, adapters_to_measure};
pub use crossover::{Crossover, Point};
pub use estimate::Estimate;
pub use machine::{Machine, processor};
pub use measure::{Measured, Step, Wrong, measure};
pub use parts::Parts;
pub use plan::Plan;
pub use read::StreamingRead;
pub use report::{AdapterCrossover, Measurement, Report, Task};
