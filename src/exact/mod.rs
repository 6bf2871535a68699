//! Exact search: all solutions of a puzzle, proved.
//!
//! No metaheuristic can tell a hard puzzle from an impossible one. Exact search can, so `solve` calls [`refute`] before a
//! search spends its budget, and `check` and generation call [`search`] to count solutions. A metaheuristic never gets
//! any of them.
//!
//! Three searches give one [`Found`]:
//!
//! - any shape: depth-first on the exact cover form of Sudoku (Knuth, "Dancing Links", 2000) with bit masks in place of
//!   links: the demand with the fewest options left is branched on, and naked and hidden singles are taken as soon as
//!   they appear;
//! - 9x9: the same idea on whole bands of 27 cells, several times as fast;
//! - [`Method::Backtracking`], the plain search of the tutorials, to learn from and to compare with.
//!
//! All are bounded by their [`Limits`], visit the same nodes on every machine, and do not recurse.
//!
//! Reading order: `backtracking`, then `layout` (the model), `solve` (any shape), `nine` (9x9), `refute` (the reasons).

mod backtracking;
pub mod generate;
pub mod grade;
mod layout;
mod nine;
mod refute;
mod solve;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub use refute::refute;

use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;
use backtracking::Backtracking;
use nine::NineWalk;
use solve::Walk;

/// Bounds of a [`search`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most solutions to collect. 2, the default, distinguishes none, one and several.
    pub solutions: usize,
    /// The most nodes to visit: the puzzle itself is one, and so is every option tried after it.
    ///
    /// 1,000,000 by default: seconds at most, where every puzzle of `puzzles/named.csv` needs fewer than 1,000.
    pub nodes: u64,
    /// Wall time, checked every few hundred nodes: the one limit that another run does not reach at the same node.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { solutions: 2, nodes: 1_000_000, time: None }
    }
}

/// The reason why a [`search`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// Every possibility was visited: there are no other solutions.
    Exhausted,
    /// [`Limits::solutions`] were found; there may be more.
    SolutionLimit,
    /// [`Limits::nodes`] were visited; there may be more solutions.
    NodeLimit,
    /// [`Limits::time`] was over; there may be more solutions.
    TimeLimit,
    /// The observer ended the search.
    Interrupted,
}

/// The result of a [`search`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The solutions in the order in which they were found, which is the same on every run.
    pub solutions: Vec<Grid>,
    /// Nodes visited; 1 means that singles were enough.
    pub nodes: u64,
    /// Why the search ended.
    pub stop: SearchEnd,
}

impl Found {
    /// True if one solution was found and proved to be the only one.
    pub fn is_unique(&self) -> bool {
        self.solutions.len() == 1 && self.stop == SearchEnd::Exhausted
    }

    /// True if it was proved that there is no solution.
    pub fn proves_unsolvable(&self) -> bool {
        self.solutions.is_empty() && self.stop == SearchEnd::Exhausted
    }
}

/// Collects the solutions of a puzzle, in an order that depends on nothing but the puzzle.
///
/// ```
/// use swarmdoku::exact::{self, Limits, SearchEnd};
/// use swarmdoku::{Grid, Puzzle, Shape};
///
/// let empty = Puzzle::new(Grid::empty(Shape::of_side(4)?))?;
/// let found = exact::search(&empty, Limits { solutions: 1000, ..Limits::default() });
/// assert_eq!((found.solutions.len(), found.stop), (288, SearchEnd::Exhausted));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
pub fn search(puzzle: &Puzzle, limits: Limits) -> Found {
    Method::Exact.search(puzzle, limits, |_| ControlFlow::Continue(()))
}

/// A way to search exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The fast way for the shape, as in [`search`].
    Exact,
    /// The first empty cell takes its lowest possible digit, as tutorials teach it.
    Backtracking,
}

impl Method {
    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Backtracking => "backtracking",
        }
    }

    /// Collects the solutions of a puzzle in this method's order.
    ///
    /// `observe` gets the number of nodes every few hundred nodes, and may end the search.
    pub fn search(self, puzzle: &Puzzle, limits: Limits, mut observe: impl FnMut(u64) -> ControlFlow<()>) -> Found {
        let mut watch = Watch::new(&limits, &mut observe);
        let found = match self {
            Method::Backtracking => collect(&mut Backtracking::new(puzzle.givens()), limits.solutions, &mut watch),
            Method::Exact => exact(puzzle.givens(), None, limits.solutions, &mut watch),
        };
        debug_assert!(found.solutions.iter().all(|grid| puzzle.accepts(grid)));
        found
    }
}

/// A cell and a digit that solutions must not have there.
type Excluded = (usize, u8);

/// True if the puzzle has a solution with another digit than `digit` in `cell`; `None` if `nodes` did not suffice.
///
/// For a puzzle whose solution is known, this decides if a given can be removed, with half the work of a search for two
/// solutions.
fn has_other(givens: &Grid, cell: usize, digit: u8, nodes: u64) -> Option<bool> {
    let mut unobserved = |_| ControlFlow::Continue(());
    let mut watch = Watch::new(&Limits { nodes, ..Limits::default() }, &mut unobserved);
    match exact(givens, Some((cell, digit)), 1, &mut watch).stop {
        SearchEnd::SolutionLimit => Some(true),
        SearchEnd::Exhausted => Some(false),
        _ => None,
    }
}

/// The fast search for the shape.
fn exact(givens: &Grid, excluded: Option<Excluded>, most: usize, watch: &mut Watch) -> Found {
    if givens.shape() == Shape::NINE {
        collect(&mut NineWalk::new(givens, excluded), most, watch)
    } else {
        collect(&mut Walk::new(givens, excluded), most, watch)
    }
}

/// A search that yields the solutions of its puzzle one by one.
trait Solutions {
    /// The next solution, or none once every possibility was visited.
    ///
    /// # Errors
    /// The reason why `watch` allows no further node.
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, SearchEnd>;
}

fn collect(search: &mut impl Solutions, most: usize, watch: &mut Watch) -> Found {
    let mut solutions = Vec::new();
    let stop = loop {
        if solutions.len() >= most {
            break SearchEnd::SolutionLimit;
        }
        match search.next(watch) {
            Ok(Some(grid)) => solutions.push(grid),
            Ok(None) => break SearchEnd::Exhausted,
            Err(stop) => break stop,
        }
    };
    Found { solutions, nodes: watch.nodes(), stop }
}

/// Nodes between two checks of clock and observer: well under a millisecond at 9x9, some milliseconds at 25x25.
const CHECK_EVERY: u64 = 256;

/// Counts nodes and applies the limits, before each node.
///
/// The node limit is exact. Clock and observer are consulted every [`CHECK_EVERY`] nodes, so that a node costs one
/// comparison.
struct Watch<'a> {
    nodes: u64,
    node_limit: u64,
    /// The count of nodes at which all limits are checked next.
    next_check: u64,
    deadline: Option<Instant>,
    observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    fn new(limits: &Limits, observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>) -> Watch<'a> {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Watch { nodes: 0, node_limit: limits.nodes, next_check: 0, deadline, observe }
    }

    /// Nodes visited so far.
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node that is about to be visited.
    ///
    /// # Errors
    /// The limit that forbids it; the node is then not counted.
    #[inline]
    fn visit(&mut self) -> Result<(), SearchEnd> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn check(&mut self) -> Result<(), SearchEnd> {
        if self.nodes >= self.node_limit {
            return Err(SearchEnd::NodeLimit);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(SearchEnd::TimeLimit);
        }
        if (self.observe)(self.nodes).is_break() {
            return Err(SearchEnd::Interrupted);
        }
        self.next_check = self.node_limit.min(self.nodes + CHECK_EVERY);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solutions(mut search: impl Solutions, most: usize) -> Vec<String> {
        let mut unobserved = |_| ControlFlow::Continue(());
        let mut watch = Watch::new(&Limits { nodes: u64::MAX, ..Limits::default() }, &mut unobserved);
        let found = collect(&mut search, most, &mut watch);
        let mut lines: Vec<String> = found.solutions.iter().map(Grid::to_string).collect();
        lines.sort();
        lines
    }

    #[test]
    fn both_searches_of_9x9_find_the_same_solutions() {
        for index in 0..200 {
            let full = generate::full_grid(Shape::NINE, 3, index, &|| true).unwrap();
            let cells: Vec<u8> = full
                .cells()
                .iter()
                .enumerate()
                .map(|(cell, digit)| if cell * 5 % 11 < 5 { *digit } else { 0 })
                .collect();
            let givens = Grid::new(Shape::NINE, cells).unwrap();
            let free = givens.cells().iter().position(|digit| *digit == 0).unwrap();
            for excluded in [None, Some((free, full.get(free)))] {
                let general = solutions(Walk::new(&givens, excluded), usize::MAX);
                assert_eq!(solutions(NineWalk::new(&givens, excluded), usize::MAX), general, "{givens}");
                assert_eq!(general.contains(&full.to_string()), excluded.is_none());
            }
        }
    }
}
