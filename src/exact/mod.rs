//! The exact side: what a puzzle's solutions are, proved rather than searched for.
//!
//! No metaheuristic can tell a hard puzzle from an impossible one. This can, so it stands at the door: `solve`
//! asks [`refute`] before a search spends its budget, `check` and generation ask [`search`] how many solutions
//! there are. What it finds is never handed to a search.
//!
//! The method is depth-first search on the exact cover form of Sudoku (Knuth, "Dancing Links", 2000) with bit
//! masks in place of links: the demand with the fewest options left is branched on, and naked and hidden singles
//! are taken as soon as they appear. Everything is bounded by its [`Limits`] and equal on every machine.
//!
//! Reading order: `layout` (the model), `board` (a position), `walk` (the search), `refute` (the reasons).

mod board;
mod layout;
mod refute;
mod walk;

pub use refute::refute;

use crate::grid::Grid;
use crate::puzzle::Puzzle;
use walk::{Step, Walk};

/// When [`search`] stops although solutions may be left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most solutions to collect. 2, the default, tells none, one and several apart.
    pub solutions: usize,
    /// The most nodes to visit: the puzzle itself is one, and so is every option tried after it.
    ///
    /// 1,000,000 by default: seconds at most, where every puzzle of `puzzles/named.csv` needs fewer than 1,000.
    pub nodes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { solutions: 2, nodes: 1_000_000 }
    }
}

/// Why [`search`] stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Every possibility was visited: the solutions found are all there are.
    Exhausted,
    /// As many solutions as were asked for; whether there are more is not known.
    SolutionLimit,
    /// As many nodes as were allowed; nothing is known about the rest.
    NodeLimit,
}

/// What [`search`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The solutions, in the order they were found, which is the same on every run.
    pub solutions: Vec<Grid>,
    /// Nodes visited; 1 means that singles alone decided.
    pub nodes: u64,
    /// Why the search stopped.
    pub stop: Stop,
}

impl Found {
    /// True if there is one solution and it is proved to be the only one.
    pub fn is_unique(&self) -> bool {
        self.solutions.len() == 1 && self.stop == Stop::Exhausted
    }

    /// True if it is proved that there is no solution.
    pub fn proves_unsolvable(&self) -> bool {
        self.solutions.is_empty() && self.stop == Stop::Exhausted
    }
}

/// Collects the solutions of a puzzle, in an order that depends on nothing but the puzzle.
///
/// ```
/// use swarmdoku::exact::{self, Limits, Stop};
/// use swarmdoku::{Grid, Puzzle, Shape};
///
/// let empty = Puzzle::new(Grid::empty(Shape::of_side(4)?))?;
/// let found = exact::search(&empty, Limits { solutions: 1000, ..Limits::default() });
/// assert_eq!((found.solutions.len(), found.stop), (288, Stop::Exhausted));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
pub fn search(puzzle: &Puzzle, limits: Limits) -> Found {
    let mut walk = Walk::new(puzzle, limits.nodes);
    let mut solutions = Vec::new();
    let stop = loop {
        if solutions.len() >= limits.solutions {
            break Stop::SolutionLimit;
        }
        match walk.step() {
            Step::Solution(grid) => solutions.push(grid),
            Step::Exhausted => break Stop::Exhausted,
            Step::NodeLimit => break Stop::NodeLimit,
        }
    };
    debug_assert!(solutions.iter().all(|grid| puzzle.accepts(grid)));
    Found { solutions, nodes: walk.nodes(), stop }
}
