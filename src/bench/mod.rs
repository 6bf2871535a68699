//! How fast this machine scores and searches, and the population size at which a GPU becomes faster.
//!
//! Common errors of benchmarks are timing the first use, comparing a GPU with a single core, comparing figures of different
//! days, and not checking the results. So every contender is warmed up. Contenders take turns, so that a slow phase of the
//! machine affects all of them. A GPU's time is that of whole epochs, transfers included, and is compared with the CPU on all
//! cores. The speed of memory is measured in the same run. Every timed score is compared with the oracle's, and every
//! contender's trajectory with the others'.
//!
//! [`measure`] works through a [`Setup`] with its [`Contender`]s and gives a [`Figures`]; [`page`] shows it in a browser;
//! its crossovers are kept for `--backend auto` by [`crossovers`](crate::fitness::crossovers). In reading order: `setup`,
//! `contender`, `read`, `measure`, `figures`.

mod contender;
mod figures;
mod measure;
pub mod page;
mod read;
mod setup;
#[cfg(test)]
mod testing;

pub use crate::machine::{Machine, processor};
pub use crate::report::table::{short, time};
pub use contender::{Contender, Profile, adapters_to_measure};
pub use figures::{AdapterCrossover, Figures, MeasuredWork, Measurement, Median, Parts, TimedSearch};
pub use measure::{Measured, Step, Wrong, measure};
pub use read::StreamingRead;
pub use setup::Setup;
