//! The exact side: what a puzzle's solutions are, proved rather than searched for.
//!
//! No metaheuristic can tell a hard puzzle from an impossible one. This can, so it stands at the door: `solve`
//! asks [`refute`] before a search spends its budget, `check` and generation ask [`search`] how many solutions
//! there are. What it finds is never handed to a search.
//!
//! Three searches, one [`Found`]:
//!
//! - any shape: depth-first on the exact cover form of Sudoku (Knuth, "Dancing Links", 2000) with bit masks in place of
//!   links: the demand with the fewest options left is branched on, and naked and hidden singles are taken as soon as
//!   they appear;
//! - 9x9: the same idea on whole bands of 27 cells, several times as fast;
//! - [`Method::Backtracking`], the plain search of the tutorials, to learn from and to compare with.
//!
//! All are bounded by their [`Limits`], visit the same nodes on every machine, and use a stack of their own.
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

/// When [`search`] stops although solutions may be left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most solutions to collect. 2, the default, tells none, one and several apart.
    pub solutions: usize,
    /// The most nodes to visit: the puzzle itself is one, and so is every option tried after it.
    ///
    /// 1,000,000 by default: seconds at most, where every puzzle of `puzzles/named.csv` needs fewer than 1,000.
    pub nodes: u64,
    /// Wall time, looked at every few hundred nodes: the one limit that another run does not meet at the same place.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { solutions: 2, nodes: 1_000_000, time: None }
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
    /// The wall time was over; nothing is known about the rest.
    TimeLimit,
    /// The observer broke it off.
    Interrupted,
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
    Method::Exact.search(puzzle, limits, |_| ControlFlow::Continue(()))
}

/// How a puzzle is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The fast way for the shape: what [`search`] does.
    Exact,
    /// The first empty cell takes its lowest digit: what tutorials teach.
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
    /// `observe` is told the number of nodes every few hundred of them, and may break the search off.
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

/// A digit in a cell that solutions may not have.
type Excluded = (usize, u8);

/// True if the puzzle is known to have a solution with another digit than `digit` in `cell`; `None` if a limit came
/// first.
///
/// Whether a given can be removed from a puzzle whose solution is known is a question of this kind, and takes half the
/// work of looking for two solutions.
pub(crate) fn has_other(givens: &Grid, cell: usize, digit: u8, nodes: u64) -> Option<bool> {
    let mut unobserved = |_| ControlFlow::Continue(());
    let mut watch = Watch::new(&Limits { nodes, ..Limits::default() }, &mut unobserved);
    match exact(givens, Some((cell, digit)), 1, &mut watch).stop {
        Stop::SolutionLimit => Some(true),
        Stop::Exhausted => Some(false),
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

/// A search that gives the solutions of its puzzle one after another.
trait Solutions {
    /// The next solution, or none once every possibility was visited.
    ///
    /// # Errors
    /// Why `watch` allowed no further node.
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, Stop>;
}

fn collect(search: &mut impl Solutions, most: usize, watch: &mut Watch) -> Found {
    let mut solutions = Vec::new();
    let stop = loop {
        if solutions.len() >= most {
            break Stop::SolutionLimit;
        }
        match search.next(watch) {
            Ok(Some(grid)) => solutions.push(grid),
            Ok(None) => break Stop::Exhausted,
            Err(stop) => break stop,
        }
    };
    Found { solutions, nodes: watch.nodes(), stop }
}

/// Nodes between two looks at the clock: well under a millisecond at 9x9, some milliseconds at 25x25.
const LOOK_EVERY: u64 = 256;

/// Counts nodes and says when to stop. Every search asks it before it visits a node.
///
/// The node limit is kept to the node. The clock and the observer are asked once in [`LOOK_EVERY`] nodes, so that a node
/// costs one comparison.
struct Watch<'a> {
    nodes: u64,
    node_limit: u64,
    /// The count of nodes at which limits are looked at next.
    next_look: u64,
    deadline: Option<Instant>,
    observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    fn new(limits: &Limits, observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>) -> Watch<'a> {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Watch { nodes: 0, node_limit: limits.nodes, next_look: 0, deadline, observe }
    }

    /// Nodes visited so far.
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node that is about to be visited.
    ///
    /// # Errors
    /// Why it may not be visited; it is not counted then.
    #[inline]
    fn visit(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.node_limit {
            return Err(Stop::NodeLimit);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::TimeLimit);
        }
        if (self.observe)(self.nodes).is_break() {
            return Err(Stop::Interrupted);
        }
        self.next_look = self.node_limit.min(self.nodes + LOOK_EVERY);
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
