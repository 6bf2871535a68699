//! Candidates of every kind, drawn from a seed, to compare backends on.
//!
//! A backend may be right on random grids and wrong on full masks, empty masks or the last digit; each [`CandidateKind`] covers
//! another case.

use crate::population::rng::{Key, Stream, Words, bounded, shuffle};
use crate::sudoku::{Grid, Shape};

/// A kind of candidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CandidateKind {
    /// Any digit in any cell.
    Random,
    /// Each block a permutation of the digits, as the swarm keeps them.
    BlockValid,
    /// A solution.
    Solved,
    /// Any digit or none in any cell.
    Partial,
    /// One digit, or none, in every cell.
    Constant,
    /// A solution with one cell changed, emptied, or exchanged with another.
    NearlySolved,
}

impl CandidateKind {
    /// Every kind.
    pub const ALL: [CandidateKind; 6] = [
        CandidateKind::Random,
        CandidateKind::BlockValid,
        CandidateKind::Solved,
        CandidateKind::Partial,
        CandidateKind::Constant,
        CandidateKind::NearlySolved,
    ];
}

/// Candidate number `index` of this kind and seed.
pub fn candidate(shape: Shape, kind: CandidateKind, seed: u64, index: u32) -> Grid {
    let mut words = Words::new(Key::new(seed, 0, Stream::Sample), kind as u32, index);
    let cells = match kind {
        CandidateKind::Random => random_cells(shape, 1, &mut words),
        CandidateKind::Partial => random_cells(shape, 0, &mut words),
        CandidateKind::Constant => vec![below(&mut words, shape.side() + 1) as u8; shape.cells()],
        CandidateKind::BlockValid => block_permutations(shape, &mut words),
        CandidateKind::Solved => solution(shape, &mut words),
        CandidateKind::NearlySolved => nearly(shape, solution(shape, &mut words), &mut words),
    };
    Grid::new(shape, cells).expect("digits are drawn below the side")
}

fn below(words: &mut Words, bound: usize) -> usize {
    bounded(&mut words.next_word(), bound as u32) as usize
}

fn shuffled(len: usize, words: &mut Words) -> Vec<usize> {
    let mut items: Vec<usize> = (0..len).collect();
    shuffle(&mut items, || words.next_word());
    items
}

fn random_cells(shape: Shape, lowest: usize, words: &mut Words) -> Vec<u8> {
    (0..shape.cells()).map(|_| (lowest + below(words, shape.side() + 1 - lowest)) as u8).collect()
}

fn block_permutations(shape: Shape, words: &mut Words) -> Vec<u8> {
    let mut cells = vec![0; shape.cells()];
    for block in 0..shape.side() {
        for (cell, digit) in shape.block_cells(block).zip(shuffled(shape.side(), words)) {
            cells[cell] = digit as u8 + 1;
        }
    }
    cells
}

/// The cyclic solution, whose rows shift by a block's width and whose bands by one, with digits renamed, rows exchanged
/// inside bands and columns inside stacks.
fn solution(shape: Shape, words: &mut Words) -> Vec<u8> {
    let (n, height, width) = (shape.side(), shape.block_rows(), shape.block_columns());
    let digits = shuffled(n, words);
    let rows: Vec<Vec<usize>> = (0..shape.bands()).map(|_| shuffled(height, words)).collect();
    let columns: Vec<Vec<usize>> = (0..shape.stacks()).map(|_| shuffled(width, words)).collect();
    (0..shape.cells())
        .map(|cell| {
            let (band, stack) = (shape.row(cell) / height, shape.column(cell) / width);
            let row = rows[band][shape.row(cell) % height];
            let column = stack * width + columns[stack][shape.column(cell) % width];
            digits[(row * width + band + column) % n] as u8 + 1
        })
        .collect()
}

fn nearly(shape: Shape, mut cells: Vec<u8>, words: &mut Words) -> Vec<u8> {
    let cell = below(words, shape.cells());
    match below(words, 3) {
        0 => cells[cell] = 0,
        1 => cells[cell] = below(words, shape.side()) as u8 + 1,
        _ => cells.swap(cell, below(words, shape.cells())),
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Puzzle;

    #[test]
    fn solved_candidates_of_every_shape_are_solutions_and_differ() {
        for shape in Shape::all() {
            let empty = Puzzle::new(Grid::empty(shape)).unwrap();
            let grids: Vec<Grid> = (0..20).map(|index| candidate(shape, CandidateKind::Solved, 1, index)).collect();
            assert!(grids.iter().all(|grid| empty.accepts(grid)), "{shape}");
            assert!(grids.iter().any(|grid| *grid != grids[0]), "{shape}");
        }
    }

    #[test]
    fn each_kind_is_what_it_says() {
        let shape = Shape::of_side(12).unwrap();
        let empty = Puzzle::new(Grid::empty(shape)).unwrap();
        let all = |kind| (0..60).map(move |index| candidate(shape, kind, 2, index));
        assert!(all(CandidateKind::Random).all(|grid| grid.is_complete() && !empty.accepts(&grid)));
        assert!(all(CandidateKind::Partial).all(|grid| !grid.is_complete()));
        assert!(all(CandidateKind::Constant).all(|grid| grid.cells().iter().all(|digit| *digit == grid.get(0))));
        assert!(
            all(CandidateKind::Constant).any(|grid| grid.get(0) == 0)
                && all(CandidateKind::Constant).any(|grid| grid.get(0) == 12)
        );
        assert!(all(CandidateKind::NearlySolved).filter(|grid| !empty.accepts(grid)).count() > 40);
        for grid in all(CandidateKind::BlockValid) {
            for block in 0..shape.side() {
                let mut digits: Vec<u8> = shape.block_cells(block).map(|cell| grid.get(cell)).collect();
                digits.sort_unstable();
                assert!(digits.into_iter().eq(1..=12));
            }
        }
    }
}
