//! Depth-first search with its own stack: no recursion, so no puzzle can exhaust the thread's.
//!
//! Every branch settles at least one cell, so the stack is never higher than there are cells.

use super::board::{Board, Mark};
use super::layout::Demand;
use super::watch::Watch;
use super::{Solutions, Stop};
use crate::grid::Grid;
use crate::puzzle::Puzzle;

/// A demand being tried option by option, and the position it was met in.
struct Branch {
    demand: Demand,
    untried: u32,
    position: Mark,
}

/// Visits the solutions of a puzzle one after another.
pub(super) struct Walk {
    board: Board,
    branches: Vec<Branch>,
    entered: bool,
}

impl Walk {
    pub fn new(puzzle: &Puzzle) -> Walk {
        Walk { board: Board::new(puzzle.givens()), branches: Vec::new(), entered: false }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// True if there is a position still to be visited; drops the branches that are spent.
    fn has_next(&mut self) -> bool {
        while self.branches.pop_if(|branch| branch.untried == 0).is_some() {}
        !self.entered || !self.branches.is_empty()
    }

    /// Goes to the next position, the puzzle's own first; false if it is dead.
    fn visit(&mut self) -> bool {
        self.entered = true;
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

impl Solutions for Walk {
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, Stop> {
        while self.has_next() {
            watch.visit()?;
            if self.visit() {
                match self.board.tightest() {
                    Some(demand) => self.branch(demand),
                    None => return Ok(Some(self.board.grid())),
                }
            }
        }
        Ok(None)
    }
}
