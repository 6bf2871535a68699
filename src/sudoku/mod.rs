//! What a Sudoku is, and how it is read and written.
//!
//! [`Shape`], then [`Grid`], then [`Puzzle`]; [`text`] turns what people write into grids, and [`render`] turns grids into
//! text.

mod grid;
mod puzzle;
pub mod render;
mod shape;
pub mod text;

pub use grid::Grid;
pub use puzzle::Puzzle;
pub use shape::{MAX_CELLS, MAX_SIDE, Shape};
