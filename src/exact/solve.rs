//! The exact search of any shape: depth-first, with a stack of its own.
//!
//! A [`Board`] is a position: the options that every demand still has. Positions are never copied. Every candidate that
//! falls is written to a trail, and going back puts the trail's end back: a step costs what it changes, and memory stays
//! bounded by the candidates whatever the depth. A [`Walk`] goes from position to position; every branch settles at
//! least one cell, so its stack is never higher than there are cells.

use super::layout::{Candidate, Constraint, Layout};
use super::{Excluded, SearchEnd, Solutions, Watch};
use crate::population::rng::{Words, bounded};
use crate::sudoku::Grid;

/// A position to return to, as the length of its trail.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

pub(super) struct Board {
    layout: &'static Layout,
    /// The options left, a mask for each demand.
    options: Vec<u32>,
    /// The trail: candidates removed, oldest first.
    removed: Vec<Candidate>,
    /// Demands that fell to one option and whose candidate is still to be taken.
    forced: Vec<Constraint>,
    /// A demand without an option, if there is one: the position is then dead.
    unmet: Option<Constraint>,
}

impl Board {
    /// The position of the givens, before any single is taken.
    pub(super) fn new(givens: &Grid) -> Board {
        let layout = Layout::of(givens.shape());
        let all_options = (1 << givens.shape().side()) - 1;
        let options = vec![all_options; layout.demand_count()];
        let mut board = Board { layout, options, removed: Vec::new(), forced: Vec::new(), unmet: None };
        for (cell, digit) in givens.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            board.take(board.layout.candidate(cell, *digit));
        }
        board
    }

    /// Removes a candidate. A demand without an option then makes the position dead in [`Board::settle`].
    pub(super) fn exclude(&mut self, cell: usize, digit: u8) {
        let candidate = self.layout.candidate(cell, digit);
        if self.options(cell as Constraint) >> (digit - 1) & 1 == 1 {
            self.remove(candidate);
        }
    }

    /// The options that a demand still has.
    pub(super) fn options(&self, demand: Constraint) -> u32 {
        self.options[usize::from(demand)]
    }

    /// The demand that made this position dead.
    pub(super) fn unmet(&self) -> Option<Constraint> {
        self.unmet
    }

    /// The first demand without an option, cells before units.
    pub(super) fn first_unmet(&self) -> Option<Constraint> {
        self.options.iter().position(|options| *options == 0).map(|demand| demand as Constraint)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.removed.len())
    }

    /// Takes an option of a demand and all singles that follow; false in a dead end.
    pub(super) fn try_option(&mut self, demand: Constraint, option: u32) -> bool {
        self.take(self.layout.behind(demand, option));
        self.settle()
    }

    /// Takes every naked and hidden single until there is none; false if a demand was left without an option.
    pub(super) fn settle(&mut self) -> bool {
        while self.unmet.is_none() {
            let Some(demand) = self.forced.pop() else { return true };
            self.take(self.layout.behind(demand, self.options(demand).trailing_zeros()));
        }
        false
    }

    /// Returns to a position that was alive and settled.
    pub(super) fn back_to(&mut self, mark: Mark) {
        for candidate in self.removed.drain(mark.0..) {
            for link in self.layout.links(candidate) {
                self.options[usize::from(link.demand)] |= 1 << link.option;
            }
        }
        self.forced.clear();
        self.unmet = None;
    }

    /// The open demand with the fewest options, the lowest of equals; none if every demand is met.
    ///
    /// Only for a live and settled position, where no demand has no option.
    pub(super) fn tightest(&self) -> Option<Constraint> {
        let mut tightest = None;
        let mut fewest = u32::MAX;
        for (demand, options) in self.options.iter().enumerate() {
            let but_one = options & (options - 1);
            if but_one == 0 {
                continue;
            }
            if but_one & (but_one - 1) == 0 {
                return Some(demand as Constraint);
            }
            if options.count_ones() < fewest {
                fewest = options.count_ones();
                tightest = Some(demand as Constraint);
            }
        }
        tightest
    }

    /// The digits of a position in which every demand is met.
    pub(super) fn grid(&self) -> Grid {
        let mut grid = Grid::empty(self.layout.shape());
        for (cell, options) in self.options[..grid.shape().cells()].iter().enumerate() {
            grid.set(cell, options.trailing_zeros() as u8 + 1);
        }
        grid
    }

    /// Makes a candidate the only option of its four demands.
    fn take(&mut self, candidate: Candidate) {
        for link in self.layout.links(candidate) {
            let mut rivals = self.options(link.demand) & !(1 << link.option);
            while rivals != 0 {
                self.remove(self.layout.behind(link.demand, rivals.trailing_zeros()));
                rivals &= rivals - 1;
            }
        }
    }

    fn remove(&mut self, candidate: Candidate) {
        for link in self.layout.links(candidate) {
            let options = &mut self.options[usize::from(link.demand)];
            *options &= !(1 << link.option);
            if *options == 0 {
                self.unmet.get_or_insert(link.demand);
            } else if *options & (*options - 1) == 0 {
                self.forced.push(link.demand);
            }
        }
        self.removed.push(candidate);
    }
}

/// A demand being tried option by option, and the position it was met in.
struct Branch {
    demand: Constraint,
    untried: u32,
    position: Mark,
}

/// Visits the solutions of a puzzle one by one.
pub(super) struct Walk<'w> {
    board: Board,
    branches: Vec<Branch>,
    entered: bool,
    /// Random words for the order of options; without them the lowest comes first.
    order: Option<&'w mut Words>,
}

impl<'w> Walk<'w> {
    pub(super) fn new(givens: &Grid, excluded: Option<Excluded>) -> Walk<'w> {
        let mut board = Board::new(givens);
        if let Some((cell, digit)) = excluded {
            board.exclude(cell, digit);
        }
        Walk { board, branches: Vec::new(), entered: false, order: None }
    }

    /// A walk that tries options in the order that `words` draw.
    pub(super) fn shuffled(givens: &Grid, words: &'w mut Words) -> Walk<'w> {
        Walk { order: Some(words), ..Walk::new(givens, None) }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// True if a position is left to visit; drops branches without an untried option.
    fn has_next(&mut self) -> bool {
        while self.branches.pop_if(|branch| branch.untried == 0).is_some() {}
        !self.entered || !self.branches.is_empty()
    }

    /// Goes to the next position, the puzzle's own first; false if that is dead.
    fn visit(&mut self) -> bool {
        self.entered = true;
        let Some(branch) = self.branches.last_mut() else { return self.board.settle() };
        let option = next_option(branch.untried, self.order.as_deref_mut());
        branch.untried &= !(1 << option);
        self.board.back_to(branch.position);
        self.board.try_option(branch.demand, option)
    }

    fn branch(&mut self, demand: Constraint) {
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
    fn next(&mut self, watch: &mut Watch) -> Result<Option<Grid>, SearchEnd> {
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
