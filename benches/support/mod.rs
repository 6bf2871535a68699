//! Shared by the benches: a typical puzzle, and the durations of measurements.

use std::time::Duration;

use criterion::Criterion;
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Puzzle, Shape};

/// A 9x9 puzzle with 17 givens.
pub fn puzzle() -> Puzzle {
    const GIVENS: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    let puzzle = Puzzle::new(read_one(GIVENS, ReadOptions::default()).expect("it is well formed"));
    let puzzle = puzzle.expect("no givens conflict");
    assert_eq!(puzzle.shape(), Shape::NINE);
    puzzle
}

/// Short runs: only ratios of lines of one run count.
pub fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
}
