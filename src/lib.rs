//! Large-population metaheuristics on Sudoku.

pub mod error;
pub mod exact;
pub mod experiment;
pub mod fitness;
pub mod grid;
pub mod moves;
pub mod parse;
pub mod population;
pub mod puzzle;
pub mod render;
pub mod rng;
pub mod sample;
pub mod search;
pub mod shape;
pub mod verify;

pub use error::Error;
pub use fitness::{Backend, Cpu, Evaluator, Scalar, Score};
pub use grid::Grid;
pub use population::{Candidates, LANES, Lanes, Population};
pub use puzzle::Puzzle;
pub use shape::Shape;
