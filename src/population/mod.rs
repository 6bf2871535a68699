//! Candidates in their one layout, and what changes them.
//!
//! [`Population`] for the layout, [`rng`] for random words that depend on nothing but their place, [`moves`] for changes
//! that keep the givens, and [`instructions`] for the vector instructions they are compiled for. [`sample`] makes
//! candidates of every kind to compare backends on.

pub mod instructions;
pub mod moves;
pub(crate) mod prefetch;
pub mod rng;
pub mod sample;
mod tiles;

pub use tiles::{Candidates, LANES, Lanes, Population, tiles_for};
