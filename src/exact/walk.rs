//! Depth-first search with its own stack: no recursion, so no puzzle can exhaust the thread's.
//!
//! Every branch settles at least one cell, so the stack is never higher than there are cells.

use super::board::{Board, Mark};
use super::layout::Demand;
use super::watch::Watch;
use super::{Excluded, Solutions, Stop};
use crate::population::rng::{Words, bounded};
use crate::sudoku::Grid;

/// A demand being tried option by option, and the position it was met in.
struct Branch {
    demand: Demand,
    untried: u32,
    position: Mark,
}

/// Visits the solutions of a puzzle one after another.
pub(super) struct Walk<'w> {
    board: Board,
    branches: Vec<Branch>,
    entered: bool,
    /// Random words for the order of options; without them the lowest comes first.
    order: Option<&'w mut Words>,
}

impl<'w> Walk<'w> {
    pub fn new(givens: &Grid, excluded: Option<Excluded>) -> Walk<'w> {
        let mut board = Board::new(givens);
        if let Some((cell, digit)) = excluded {
            board.exclude(cell, digit);
        }
        Walk { board, branches: Vec::new(), entered: false, order: None }
    }

    /// A walk that tries options in the order that `words` draw.
    pub fn shuffled(givens: &Grid, words: &'w mut Words) -> Walk<'w> {
        Walk { order: Some(words), ..Walk::new(givens, None) }
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
        let option = next_option(branch.untried, self.order.as_deref_mut());
        branch.untried &= !(1 << option);
        self.board.back_to(branch.position);
        self.board.try_option(branch.demand, option)
    }

    fn branch(&mut self, demand: Demand) {
        let (untried, position) = (self.board.options(demand), self.board.mark());
        self.branches.push(Branch { demand, untried, position });
    }
}

/// The lowest option of a mask, or a random one.
fn next_option(mut untried: u32, order: Option<&mut Words>) -> u32 {
    if let Some(words) = order {
        for _ in 0..bounded(&mut words.next_word(), untried.count_ones()) {
            untried &= untried - 1;
        }
    }
    untried.trailing_zeros()
}

impl Solutions for Walk<'_> {
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
