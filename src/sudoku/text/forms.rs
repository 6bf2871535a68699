//! In which ways a line of cells can be a grid, or the first row of one, under the reader's options.

use std::sync::LazyLock;

use super::ReadOptions;
use super::cells::{Cells, Reading};
use super::digits::digits;
use super::error::Fault;
use crate::sudoku::Grid;
use crate::sudoku::{MAX_SIDE, Shape};

/// The shapes that need no name.
static USUAL: LazyLock<Vec<Shape>> = LazyLock::new(|| Shape::all().filter(|shape| shape.is_default()).collect());

/// How a line can begin a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) shape: Shape,
    /// True for a grid in one line, false for its first row.
    pub(super) whole: bool,
    reading: Reading,
}

impl Fit {
    fn count(self) -> usize {
        if self.whole { self.shape.cells() } else { self.shape.side() }
    }
}

impl ReadOptions {
    /// The shapes that a grid may have.
    pub(super) fn shapes(self) -> impl Iterator<Item = Shape> + Clone {
        let usual: &[Shape] = if self.shape.is_some() { &[] } else { &USUAL };
        self.shape.into_iter().chain(usual.iter().copied())
    }

    /// How this line can begin a grid: by the first way in which any shape fits, a row before a whole grid.
    pub(super) fn fits(self, cells: &Cells<'_>) -> Vec<Fit> {
        let prose = self.shape.is_none() && cells.is_prose();
        // Words may by chance have the length of a row.
        let by_chance = |fit: &Fit| {
            prose && !fit.whole && (cells.has_stranger() || fit.reading == Reading::Spaces || fit.shape.side() <= 9)
        };
        let fits = |reading, within: bool| -> Vec<Fit> {
            [false, true]
                .into_iter()
                .flat_map(|whole| self.shapes().map(move |shape| Fit { shape, whole, reading }))
                .filter(|fit| cells.fits(reading, fit.count(), fit.shape) && !(fit.whole && cells.bordered))
                .filter(|fit| !by_chance(fit) && (!within || cells.within(fit.shape)))
                .collect()
        };
        [(Reading::Tokens, true), (Reading::Characters, false), (Reading::Spaces, false), (Reading::Tokens, false)]
            .into_iter()
            .map(|(reading, within)| fits(reading, within))
            .find(|fits| !fits.is_empty())
            .unwrap_or_default()
    }

    /// The grid in one line; rows are not looked for.
    pub(super) fn one_line(self, cells: &Cells<'_>) -> Result<Grid, Fault> {
        match self.fits(cells).into_iter().find(|fit| fit.whole) {
            Some(fit) => self.whole(cells, fit),
            None => Err(self.misfit_in_line(cells)),
        }
    }

    /// True if this line is a grid by itself and cannot be a row.
    pub(super) fn is_whole(self, cells: &Cells<'_>) -> bool {
        cells.is_wide() && self.fits(cells).iter().any(|fit| fit.whole && fit.count() > MAX_SIDE)
    }

    /// The grid in one line that fits so.
    pub(super) fn whole(self, cells: &Cells<'_>, fit: Fit) -> Result<Grid, Fault> {
        let signs = cells.signs(fit.reading);
        let digits = digits(&signs, fit.reading == Reading::Tokens, fit.shape, self.alphabet)?;
        Grid::new(fit.shape, digits).map_err(|_| self.misfit_in_line(cells))
    }

    /// Why this line can begin no grid.
    pub(super) fn misfit(self, cells: &Cells<'_>) -> Fault {
        let shape = self.shape.unwrap_or(Shape::NINE);
        let example = format!("{} cells for a {shape} grid in one line or {} for its row", shape.cells(), shape.side());
        let expected = if self.shape.is_some() { example } else { format!("a grid or a row: {example}, for example") };
        let wanted: Vec<usize> = self.shapes().flat_map(|shape| [shape.side(), shape.cells()]).collect();
        cells.fault(&expected, &wanted)
    }

    /// Why this line is no grid in one line, where no other is allowed.
    fn misfit_in_line(self, cells: &Cells<'_>) -> Fault {
        let shape = self.shape.unwrap_or(Shape::NINE);
        let example = format!("{} cells for a {shape} grid", shape.cells());
        let expected =
            if self.shape.is_some() { example } else { format!("a grid in one line: {example}, for example") };
        let wanted: Vec<usize> = self.shapes().map(Shape::cells).collect();
        cells.fault(&expected, &wanted)
    }
}
