//! Candidates in their one layout, and their moves.
//!
//! [`Population`] is the layout, [`rng`] gives random words by counter, [`moves`] change candidates and keep the givens,
//! [`instructions`] are the vector instructions that all this is compiled for. [`sample`] makes candidates of every kind, to
//! compare backends on.

pub mod instructions;
pub mod moves;
pub(crate) mod pages;
pub(crate) mod prefetch;
pub mod rng;
pub mod sample;
mod tiles;
pub(crate) mod vector;

pub use tiles::{Candidates, LANES, Lanes, Population, tiles_for};
