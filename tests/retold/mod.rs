//! Shared by the reference implementations of searches, which handle one grid at a time: puzzles, fills, swaps, decisions.

use swarmdoku::population::moves::{FreeUnits, Swap};
use swarmdoku::population::rng::{Key, Stream, Words};
use swarmdoku::population::sample::{self, CandidateKind};
use swarmdoku::{Grid, Population, Puzzle, Shape};

/// A puzzle with about this ratio of a random solution's cells given.
pub fn puzzle(shape: Shape, seed: u64, given: f64) -> Puzzle {
    let solution = sample::candidate(shape, CandidateKind::Solved, seed, 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Sample), u32::MAX, 0);
    let cells = solution.cells().iter();
    let givens: Vec<u8> =
        cells.map(|digit| if f64::from(words.next_word()) < given * 2f64.powi(32) { *digit } else { 0 }).collect();
    Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap()
}

/// The fresh fill of a slot in an epoch of restart 0.
pub fn fill(blocks: &FreeUnits, seed: u64, epoch: u32, slot: usize) -> Grid {
    let mut population = Population::new(blocks.puzzle().shape(), 1);
    blocks.place_givens(population.lanes_mut(), 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Fill), epoch, slot as u32);
    blocks.fill(population.lanes_mut(), 0, &mut words);
    population.get(0)
}

/// The two words of one of the steps that share a Threefry block: the move's and the decision's.
pub fn step_words(key: Key, epoch: u32, step: u32) -> (u32, u32) {
    let words = key.words(epoch, step / 2, 0);
    if step.is_multiple_of(2) { (words[0], words[1]) } else { (words[2], words[3]) }
}

/// The grid with two cells exchanged.
pub fn swapped(grid: &Grid, swap: Swap) -> Grid {
    let mut other = grid.clone();
    other.set(swap.first.into(), grid.get(swap.second.into()));
    other.set(swap.second.into(), grid.get(swap.first.into()));
    other
}

/// True if a draw accepts with this probability.
pub fn chance(draw: u32, probability: f64) -> bool {
    f64::from(draw >> 1) < (probability * 2f64.powi(31)).round()
}

/// The temperatures of a cooling from `start` to `end`.
pub fn temperatures(start: f64, end: f64, steps: u32) -> Vec<f64> {
    let ratio = libm::exp(libm::log(end / start) / f64::from(steps.max(2) - 1));
    std::iter::successors(Some(start), |temperature| Some(temperature * ratio)).take(steps as usize).collect()
}
