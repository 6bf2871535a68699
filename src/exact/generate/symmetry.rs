//! Symmetries: of the cells that hold givens, and of Sudoku itself.

use std::fmt;

use crate::population::rng::{Words, shuffle};
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// Which cells hold givens together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Each cell for itself.
    None,
    /// A cell and the one that a half turn brings it to.
    Rotational,
    /// A cell and its mirror image, left to right.
    Mirror,
    /// A cell and the one with row and column exchanged.
    Diagonal,
}

impl Symmetry {
    /// Every symmetry.
    pub const ALL: [Symmetry; 4] = [Symmetry::None, Symmetry::Rotational, Symmetry::Mirror, Symmetry::Diagonal];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Rotational => "rotational",
            Symmetry::Mirror => "mirror",
            Symmetry::Diagonal => "diagonal",
        }
    }

    /// The cell that goes with a cell; itself if it stands alone.
    pub fn partner(self, shape: Shape, cell: usize) -> usize {
        let (n, row, column) = (shape.side(), shape.row(cell), shape.column(cell));
        match self {
            Symmetry::None => cell,
            Symmetry::Rotational => shape.cells() - 1 - cell,
            Symmetry::Mirror => row * n + n - 1 - column,
            Symmetry::Diagonal => column * n + row,
        }
    }

    /// The orbits: the sets of one or two cells that go together.
    pub fn orbits(self, shape: Shape) -> Vec<Vec<usize>> {
        (0..shape.cells())
            .filter_map(|cell| match self.partner(shape, cell) {
                partner if partner == cell => Some(vec![cell]),
                partner if partner > cell => Some(vec![cell, partner]),
                _ => None,
            })
            .collect()
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The grid with its digits renamed, bands and rows inside bands exchanged, stacks and columns inside stacks exchanged,
/// and, where blocks are square, perhaps rows and columns exchanged: all at random. What was a puzzle's solution is the
/// scrambled puzzle's; empty cells stay empty.
pub fn scrambled(grid: &Grid, words: &mut Words) -> Grid {
    let shape = grid.shape();
    let (n, height, width) = (shape.side(), shape.block_rows(), shape.block_columns());
    let names = shuffled(n, words);
    let rows = lines(shape.bands(), height, words);
    let columns = lines(shape.stacks(), width, words);
    let transposed = height == width && words.next_word() & 1 == 1;
    let cell = |cell: usize| {
        let (row, column) = (rows[shape.row(cell)], columns[shape.column(cell)]);
        let from = if transposed { column * n + row } else { row * n + column };
        match grid.get(from) {
            0 => 0,
            digit => names[usize::from(digit) - 1] as u8 + 1,
        }
    };
    let cells: Vec<u8> = (0..shape.cells()).map(cell).collect();
    Grid::new(shape, cells).expect("digits are renamed among themselves")
}

/// Lines in an order that keeps those of each strip together.
fn lines(strips: usize, height: usize, words: &mut Words) -> Vec<usize> {
    let mut order = Vec::with_capacity(strips * height);
    for strip in shuffled(strips, words) {
        order.extend(shuffled(height, words).into_iter().map(|line| strip * height + line));
    }
    order
}

fn shuffled(len: usize, words: &mut Words) -> Vec<usize> {
    let mut items: Vec<usize> = (0..len).collect();
    shuffle(&mut items, || words.next_word());
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::generate::{full_grid, words};
    use crate::sudoku::Puzzle;

    #[test]
    fn orbits_hold_every_cell_once_and_partners_are_mutual() {
        for shape in Shape::all() {
            for symmetry in Symmetry::ALL {
                let mut cells = symmetry.orbits(shape).concat();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..shape.cells()), "{shape} {symmetry}");
                for cell in 0..shape.cells() {
                    assert_eq!(symmetry.partner(shape, symmetry.partner(shape, cell)), cell, "{shape} {symmetry}");
                }
            }
        }
    }

    #[test]
    fn scrambled_solutions_are_solutions() {
        for shape in Shape::all().filter(|shape| shape.side() <= 12) {
            let grid = full_grid(shape, 1, 0, &|| true).unwrap();
            let empty = Puzzle::new(Grid::empty(shape)).unwrap();
            let mut stream = words(1, 1, 0);
            let all: Vec<Grid> = (0..10).map(|_| scrambled(&grid, &mut stream)).collect();
            assert!(all.iter().all(|grid| empty.accepts(grid)), "{shape}");
            assert!(all.iter().any(|other| *other != grid), "{shape}");
        }
    }
}
