//! A short annealing of one grid on the host, as a refinement of what a swarm has found.
//!
//! Source: the exercise "hybrid PSO-SA" of the notebook "Sudoku-05-PSO". Like the local search it is the same whatever
//! backend scores the population, each step is an evaluation, and it is all or nothing: one that the evaluations left
//! do not suffice for is not begun.
//!
//! Words: [`Stream::Refine`](crate::population::rng::Stream::Refine).

use super::cooling::Cooling;
use super::counted_grid::CountedGrid;
use super::step;
use crate::population::moves::FreeUnits;
use crate::population::rng::Key;

/// From where and to where a refinement cools: warm enough to leave the basin of the grid, not to forget it.
const TEMPERATURES: (f64, f64) = (0.4, 0.2);

/// Anneals `counted` for `steps` steps and leaves the best grid met in it, the first of several, the start included.
/// Stops early at a total of 0. Returns the evaluations made: 0 if `left` does not suffice.
pub(crate) fn refine(
    blocks: &FreeUnits,
    counted: &mut CountedGrid,
    (key, epoch): (Key, u32),
    steps: u32,
    left: u64,
) -> u64 {
    if u64::from(steps) > left {
        return 0;
    }
    let mut best = counted.clone();
    let mut cooling = Cooling::new(TEMPERATURES.0, TEMPERATURES.1, steps);
    let mut evaluations = 0;
    while evaluations < steps && best.score().total() > 0 {
        let words = key.words(epoch, evaluations / 2, 0);
        let odd = evaluations as usize % 2 * 2;
        take_step(blocks, counted, &cooling, words[odd], words[odd + 1]);
        evaluations += 1;
        cooling.cool();
        if counted.score().total() < best.score().total() {
            best = counted.clone();
        }
    }
    *counted = best;
    evaluations.into()
}

/// Swaps as `word` says, and keeps it if the total is lower or `draw` accepts it.
fn take_step(blocks: &FreeUnits, counted: &mut CountedGrid, cooling: &Cooling, word: u32, draw: u32) {
    let swap = blocks.pick_swap(word);
    let old = counted.score().total();
    counted.swap(swap);
    let new = counted.score().total();
    if new >= old && !step::accepts(&cooling.thresholds(), old, new, draw) {
        counted.swap(swap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::oracle;
    use crate::population::rng::Stream;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;
    use crate::sudoku::Shape;

    #[test]
    fn a_refinement_never_ends_worse_and_counts_its_steps() {
        let blocks = FreeUnits::blocks(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        let key = Key::new(1, 0, Stream::Refine);
        let start = candidate(Shape::NINE, CandidateKind::BlockValid, 1, 0);
        for (steps, left, expected) in [(500, 500, 500), (500, 499, 0), (0, 10, 0), (1, u64::MAX, 1)] {
            let mut counted = CountedGrid::new(start.clone());
            assert_eq!(refine(&blocks, &mut counted, (key, 3), steps, left), expected);
            assert_eq!(counted.score(), oracle::score(counted.grid()));
            assert!(counted.score().total() <= oracle::score(&start).total());
        }
    }

    #[test]
    fn a_solution_needs_no_refinement_and_ends_one() {
        let blocks = FreeUnits::blocks(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        let key = Key::new(1, 0, Stream::Refine);
        let mut solved = CountedGrid::new(candidate(Shape::NINE, CandidateKind::Solved, 1, 0));
        assert_eq!(refine(&blocks, &mut solved, (key, 0), 100, 100), 0);
        let mut filled = CountedGrid::new(candidate(Shape::NINE, CandidateKind::BlockValid, 2, 0));
        let evaluations = refine(&blocks, &mut filled, (key, 0), 1_000_000, u64::MAX);
        assert!(filled.score().total() == 0 && (1..1_000_000).contains(&evaluations), "{evaluations}");
    }
}
