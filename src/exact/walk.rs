//! Depth-first search with its own stack: no recursion, so no puzzle can exhaust the thread's.
//!
//! Every branch settles at least one cell, so the stack is never higher than there are cells.

use super::board::{Board, Mark};
use super::layout::Demand;
use crate::grid::Grid;
use crate::puzzle::Puzzle;

/// A demand being tried option by option, and the position it was met in.
struct Branch {
    demand: Demand,
    untried: u32,
    position: Mark,
}

/// Where the walk stands after a step.
pub(super) enum Step {
    Solution(Grid),
    Exhausted,
    NodeLimit,
}

/// Visits the solutions of a puzzle one after another.
pub(super) struct Walk {
    board: Board,
    branches: Vec<Branch>,
    nodes: u64,
    node_limit: u64,
}

impl Walk {
    pub fn new(puzzle: &Puzzle, node_limit: u64) -> Walk {
        Walk { board: Board::new(puzzle.givens()), branches: Vec::new(), nodes: 0, node_limit }
    }

    /// Positions settled so far: the puzzle itself, and one for each option tried.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Walks on to the next solution, or to the end.
    pub fn step(&mut self) -> Step {
        while self.has_next() {
            if self.nodes >= self.node_limit {
                return Step::NodeLimit;
            }
            self.nodes += 1;
            if self.visit() {
                match self.board.tightest() {
                    Some(demand) => self.branch(demand),
                    None => return Step::Solution(self.board.grid()),
                }
            }
        }
        Step::Exhausted
    }

    /// True if there is a position still to be visited; drops the branches that are spent.
    fn has_next(&mut self) -> bool {
        while self.branches.pop_if(|branch| branch.untried == 0).is_some() {}
        self.nodes == 0 || !self.branches.is_empty()
    }

    /// Goes to the next position, the puzzle's own first; false if it is dead.
    fn visit(&mut self) -> bool {
        let Some(branch) = self.branches.last_mut() else { return self.board.settle() };
        let option = branch.untried.trailing_zeros();
        branch.untried &= branch.untried - 1;
        self.board.back_to(branch.position);
        self.board.try_option(branch.demand, option)
    }

    fn branch(&mut self, demand: Demand) {
        let (untried, position) = (self.board.options(demand), self.board.mark());
        self.branches.push(Branch { demand, untried, position });
    }
}
