//! What a plan takes, before anything runs.

use super::{Plan, RunId};
use crate::experiment::study::Shard;
use crate::search::{Algorithm, Budget};
use crate::sudoku::Puzzle;

/// What the runs of a plan, or of a part of it, take at most.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Runs.
    pub runs: u64,
    /// Candidates scored; none if nothing but time bounds a run.
    pub evaluations: Option<u64>,
    /// Bytes of the largest run's population and of what its search keeps beside it.
    pub largest_run: u64,
}

impl Plan {
    /// What the runs of a part take; of all, if no part is named.
    pub fn estimate(&self, shard: Option<Shard>) -> Estimate {
        let mut estimate = Estimate { runs: 0, evaluations: Some(0), largest_run: 0 };
        for index in 0..self.runs() {
            let id = self.run(index);
            if self.is_in(id, shard) {
                let evaluations = self.most_evaluations(id);
                estimate.runs += 1;
                estimate.evaluations = estimate.evaluations.zip(evaluations).map(|(all, one)| all.saturating_add(one));
                estimate.largest_run = estimate.largest_run.max(self.bytes(id));
            }
        }
        estimate
    }

    /// Candidates that a run scores at most; none if nothing but time bounds it.
    pub fn most_evaluations(&self, id: RunId) -> Option<u64> {
        most_evaluations(&self.budget, self.algorithms[id.variant].population() as u64)
    }

    /// Bytes of a run.
    pub fn bytes(&self, id: RunId) -> u64 {
        bytes(&self.algorithms[id.variant], &self.puzzles[id.puzzle])
    }
}

fn most_evaluations(budget: &Budget, population: u64) -> Option<u64> {
    let epochs = budget
        .epochs
        .zip(budget.restarts)
        .map(|(epochs, restarts)| (u64::from(epochs) + 1).saturating_mul(restarts.into()).saturating_mul(population));
    match (budget.evaluations, epochs) {
        (Some(evaluations), Some(epochs)) => Some(evaluations.min(epochs)),
        (evaluations, epochs) => evaluations.or(epochs),
    }
}

/// A byte a cell, and beside it: scores, and ages and moves, two genomes, or three keys a free cell.
fn bytes(algorithm: &Algorithm, puzzle: &Puzzle) -> u64 {
    let free = puzzle.free_cells().len() as u64;
    let beside = match algorithm {
        Algorithm::Swarm(_) => 16,
        Algorithm::Anneal(_) => 12,
        Algorithm::RandomKey(_) => 8 + 12 * free,
        Algorithm::GaNaive(_) | Algorithm::GaColumns(_) | Algorithm::Genetic(_) => 8 + 2 * free,
    };
    let slots = algorithm.population().next_multiple_of(crate::population::LANES) as u64;
    slots * (puzzle.shape().cells() as u64 + beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_met_bounds_the_evaluations_and_time_does_not() {
        let of = |evaluations, epochs, restarts| Budget { evaluations, epochs, restarts, ..Budget::default() };
        for (budget, expected) in [
            (of(Some(1000), None, None), Some(1000)),
            (of(None, Some(9), Some(3)), Some(1500)),
            (of(Some(1000), Some(9), Some(3)), Some(1000)),
            (of(Some(5000), Some(9), Some(3)), Some(1500)),
            (of(None, Some(9), None), None),
            (of(None, None, None), None),
        ] {
            assert_eq!(most_evaluations(&budget, 50), expected, "{budget:?}");
        }
    }
}
