//! How fast this machine scores and searches, and the population size at which a GPU becomes faster.
//!
//! A benchmark is easily told wrong: by timing the first use, by a GPU against a single core, by figures of two days, or
//! by answers that nobody looked at. So here every contender is warmed up; contenders take turns, so that what slows the
//! machine slows them all; a GPU's time is that of whole epochs, transfers included, and is held against the CPU with all
//! its cores; memory's own speed is measured in the same run; and every score that was timed is compared with the oracle's,
//! as is every contender's trajectory with the others'.
//!
//! [`measure`] works through a [`Plan`] with its [`Contender`]s and gives a [`Report`]; [`page`] shows it in a browser;
//! its crossovers are kept for `--backend auto` by [`crossovers`](crate::fitness::crossovers). In reading order: `plan`,
//! `contender`, `read`, `measure`, `figures`.

mod contender;
mod figures;
mod measure;
pub mod page;
mod plan;
mod read;
#[cfg(test)]
mod testing;

pub use crate::machine::{Machine, processor};
pub use crate::report::table::{short, time};
pub use contender::{Contender, Profile, adapters_to_measure};
pub use figures::{AdapterCrossover, Estimate, Measurement, Parts, Report, Task, TimedSearch};
pub use measure::{Measured, Step, Wrong, measure};
pub use plan::Plan;
pub use read::StreamingRead;
