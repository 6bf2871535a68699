//! Large-population metaheuristics on Sudoku.

pub mod error;
pub mod exact;
pub mod fitness;
pub mod grid;
pub mod parse;
pub mod population;
pub mod puzzle;
pub mod render;
pub mod shape;

pub use error::Error;
pub use fitness::{Backend, Evaluator, Score};
pub use grid::Grid;
pub use population::{Candidates, LANES, Lanes, Population};
pub use puzzle::Puzzle;
pub use shape::Shape;
