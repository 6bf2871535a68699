//! Sudoku as demands and candidates, so that one rule serves cells and units alike.
//!
//! A solution must meet `4 * n * n` *demands*, each exactly once: a digit for every cell, and a place for every
//! digit in every row, column and block. A *candidate* (a digit in a cell) meets one demand of each family. Seen
//! from a demand, its candidates are numbered *options* `0..n`, which fit the bits of one `u32`:
//!
//! ```text
//! demands    0 ..  n*n   cell (row, column)   option = digit
//!          n*n .. 2n*n   row, digit           option = column
//!         2n*n .. 3n*n   column, digit        option = row
//!         3n*n .. 4n*n   block, digit         option = position in the block
//! ```
//!
//! With that, a naked single is a cell's demand with one option left and a hidden single is a unit's.

use std::sync::OnceLock;

use crate::sudoku::{MAX_SIDE, Shape};

/// A digit in a cell: `cell * n + digit`, with digits from 0.
pub(super) type Candidate = u16;

/// Something that a solution has exactly once, numbered as drawn above.
pub(super) type Constraint = u16;

/// One of the four demands that a candidate meets, and the option that the candidate is there.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub demand: Constraint,
    pub option: u8,
}

/// Candidates and demands of one shape, linked both ways.
pub(super) struct Layout {
    shape: Shape,
    links: Vec<[Link; 4]>,
    candidates: Vec<Candidate>,
}

impl Layout {
    pub(super) fn of(shape: Shape) -> &'static Layout {
        static LAYOUTS: PerShape<Layout> = PerShape::new();
        LAYOUTS.get(shape, Layout::new)
    }

    fn new(shape: Shape) -> Layout {
        let (n, cells) = (shape.side(), shape.cells());
        let mut layout =
            Layout { shape, links: Vec::with_capacity(cells * n), candidates: vec![0; Layout::FAMILIES * cells * n] };
        for cell in 0..cells {
            for digit in 0..n {
                layout.add(cell, digit);
            }
        }
        layout
    }

    const FAMILIES: usize = 4;

    fn add(&mut self, cell: usize, digit: usize) {
        let n = self.shape.side();
        let links = links(self.shape, cell, digit);
        for link in links {
            self.candidates[usize::from(link.demand) * n + usize::from(link.option)] = self.links.len() as Candidate;
        }
        self.links.push(links);
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn demand_count(&self) -> usize {
        Layout::FAMILIES * self.shape.cells()
    }

    /// The candidate for a digit `1..=n` in a cell.
    pub(super) fn candidate(&self, cell: usize, digit: u8) -> Candidate {
        (cell * self.shape.side() + usize::from(digit) - 1) as Candidate
    }

    /// The demands that a candidate meets: its cell's, its row's, its column's, its block's.
    pub(super) fn links(&self, candidate: Candidate) -> [Link; 4] {
        self.links[usize::from(candidate)]
    }

    /// The candidate behind an option of a demand.
    pub(super) fn behind(&self, demand: Constraint, option: u32) -> Candidate {
        self.candidates[usize::from(demand) * self.shape.side() + option as usize]
    }
}

fn links(shape: Shape, cell: usize, digit: usize) -> [Link; 4] {
    let (n, cells) = (shape.side(), shape.cells());
    let (row, column, block) = (shape.row(cell), shape.column(cell), shape.block(cell));
    let within = row % shape.block_rows() * shape.block_columns() + column % shape.block_columns();
    let link = |demand: usize, option: usize| Link { demand: demand as Constraint, option: option as u8 };
    [
        link(cell, digit),
        link(cells + row * n + digit, column),
        link(2 * cells + column * n + digit, row),
        link(3 * cells + block * n + digit, within),
    ]
}

/// One table per shape, made when it is first asked for: making one takes longer than many a search. For a `static`.
pub(super) struct PerShape<T> {
    tables: [[OnceLock<T>; MAX_SIDE + 1]; MAX_SIDE + 1],
}

impl<T> PerShape<T> {
    pub(super) const fn new() -> PerShape<T> {
        PerShape { tables: [const { [const { OnceLock::new() }; MAX_SIDE + 1] }; MAX_SIDE + 1] }
    }

    /// The table of a shape, made by `make` when it is first asked for.
    pub(super) fn get(&'static self, shape: Shape, make: impl FnOnce(Shape) -> T) -> &'static T {
        self.tables[shape.block_rows()][shape.block_columns()].get_or_init(|| make(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_every_demand_leads_back_to_its_candidate() {
        for shape in Shape::all() {
            let layout = Layout::new(shape);
            let n = shape.side();
            assert_eq!((layout.links.len(), layout.demand_count()), (n * n * n, 4 * n * n), "{shape}");
            for candidate in 0..layout.links.len() as Candidate {
                for link in layout.links(candidate) {
                    assert_eq!(layout.behind(link.demand, u32::from(link.option)), candidate, "{shape}");
                }
            }
        }
    }
}
