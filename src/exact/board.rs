//! A position of the search: which options every demand still has, and the way back to earlier positions.
//!
//! Positions are never copied. Every candidate that falls is written to a trail, and going back puts the trail's
//! end back: a step costs what it changes, and memory stays bounded by the candidates whatever the depth.

use super::layout::{Candidate, Demand, Layout};
use crate::sudoku::Grid;

/// Marks a position to go back to: the length of the trail there.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

pub(super) struct Board {
    layout: &'static Layout,
    /// The options left, a mask for each demand.
    options: Vec<u32>,
    /// The trail: candidates removed, oldest first.
    removed: Vec<Candidate>,
    /// Demands that fell to one option and whose candidate is still to be taken.
    forced: Vec<Demand>,
    /// A demand without an option, once there is one: the position is dead.
    unmet: Option<Demand>,
}

impl Board {
    /// The givens taken, and nothing concluded from them yet.
    pub fn new(givens: &Grid) -> Board {
        let layout = Layout::of(givens.shape());
        let all_options = (1 << givens.shape().side()) - 1;
        let options = vec![all_options; layout.demand_count()];
        let mut board = Board { layout, options, removed: Vec::new(), forced: Vec::new(), unmet: None };
        for (cell, digit) in givens.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            board.take(board.layout.candidate(cell, *digit));
        }
        board
    }

    /// Takes a candidate out; a demand that is left without an option makes the position dead when it is settled.
    pub fn exclude(&mut self, cell: usize, digit: u8) {
        let candidate = self.layout.candidate(cell, digit);
        if self.options(cell as Demand) >> (digit - 1) & 1 == 1 {
            self.remove(candidate);
        }
    }

    /// The options that a demand still has.
    pub fn options(&self, demand: Demand) -> u32 {
        self.options[usize::from(demand)]
    }

    /// The demand without an option that made this position dead.
    pub fn unmet(&self) -> Option<Demand> {
        self.unmet
    }

    /// The first demand without an option, cells before units.
    pub fn first_unmet(&self) -> Option<Demand> {
        self.options.iter().position(|options| *options == 0).map(|demand| demand as Demand)
    }

    pub fn mark(&self) -> Mark {
        Mark(self.removed.len())
    }

    /// Takes one option of a demand and all that follows from it by singles; false if that leads to a dead end.
    pub fn try_option(&mut self, demand: Demand, option: u32) -> bool {
        self.take(self.layout.behind(demand, option));
        self.settle()
    }

    /// Takes every naked and hidden single until there is none; false if a demand was left without an option.
    pub fn settle(&mut self) -> bool {
        while self.unmet.is_none() {
            let Some(demand) = self.forced.pop() else { return true };
            self.take(self.layout.behind(demand, self.options(demand).trailing_zeros()));
        }
        false
    }

    /// Returns to a marked position, which was alive and settled.
    pub fn back_to(&mut self, mark: Mark) {
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
    pub fn tightest(&self) -> Option<Demand> {
        let mut tightest = None;
        let mut fewest = u32::MAX;
        for (demand, options) in self.options.iter().enumerate() {
            let but_one = options & (options - 1);
            if but_one == 0 {
                continue;
            }
            if but_one & (but_one - 1) == 0 {
                return Some(demand as Demand);
            }
            if options.count_ones() < fewest {
                fewest = options.count_ones();
                tightest = Some(demand as Demand);
            }
        }
        tightest
    }

    /// The digits of a position in which every demand is met.
    pub fn grid(&self) -> Grid {
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
