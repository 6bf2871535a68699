//! What a Sudoku is, and how it is read and written.
//!
//! [`Shape`], then [`Grid`], then [`Puzzle`]; [`render`] turns grids into text, [`text`] turns text and arrays into grids,
//! and [`Puzzles`] are those of any source. Each depends on those before it alone.

mod grid;
mod puzzle;
mod puzzles;
pub mod render;
mod shape;
pub mod text;

pub use grid::Grid;
pub use puzzle::Puzzle;
pub use puzzles::{Item, Puzzles, open};
pub use shape::{MAX_CELLS, MAX_SIDE, Shape};
