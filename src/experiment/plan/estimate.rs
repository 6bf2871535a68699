//! What a plan takes, before anything runs.

use super::{Plan, RunId, Target};
use crate::error::Error;
use crate::experiment::study::Shard;
use crate::fitness::backends::Workload;
use crate::search::Budget;

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
        self.estimate_of((0..self.runs()).map(|index| self.run(index)).filter(|id| self.is_in(*id, shard)))
    }

    /// What these runs take.
    pub(crate) fn estimate_of(&self, runs: impl Iterator<Item = RunId>) -> Estimate {
        let none = Estimate { runs: 0, evaluations: Some(0), largest_run: 0 };
        runs.fold(none, |sum, id| Estimate {
            runs: sum.runs + 1,
            evaluations: sum.evaluations.zip(self.most_evaluations(id)).map(|(all, one)| all.saturating_add(one)),
            largest_run: sum.largest_run.max(self.bytes(id)),
        })
    }

    /// Candidates that a run scores at most; none if nothing but time bounds it.
    pub fn most_evaluations(&self, id: RunId) -> Option<u64> {
        most_evaluations(self.budget(id), self.population(id) as u64)
    }

    /// All runs of a target, in batches of so many candidates at most: `in_flight` individuals share a dispatch
    /// where an adapter scores, and so many runs are made side by side where the host does.
    ///
    /// # Errors
    /// [`Error::Setting`] for a variant that cannot run on a puzzle of this shape.
    pub fn workload(
        &self,
        target: Target,
        capacity: usize,
        in_flight: usize,
        side_by_side: usize,
    ) -> Result<Workload, Error> {
        let (mut searches, mut bytes_per_slot, mut population) = (Vec::new(), 0, 0);
        let shape = target.shape;
        for id in self.cell_ids().filter(|id| self.target(*id) == target) {
            let variant = self.variant(id);
            let kind = variant.kind(self.puzzle(id))?;
            if !searches.contains(&kind) {
                searches.push(kind);
            }
            bytes_per_slot = bytes_per_slot.max(variant.algorithm().bytes_per_slot(shape.cells(), shape.cells()));
            population = population.max(self.population(id));
        }
        Ok(Workload {
            population,
            side_by_side,
            in_flight,
            searches,
            bytes_per_slot,
            ..Workload::scoring(shape, capacity)
        })
    }

    /// Bytes of a run.
    pub fn bytes(&self, id: RunId) -> u64 {
        self.variant(id).bytes(self.puzzle(id)).unwrap_or_default()
    }
}

fn most_evaluations(budget: &Budget, population: u64) -> Option<u64> {
    if population == 0 {
        return Some(0);
    }
    let epochs = budget
        .epochs
        .zip(budget.restarts)
        .map(|(epochs, restarts)| (u64::from(epochs) + 1).saturating_mul(restarts.into()).saturating_mul(population));
    match (budget.evaluations, epochs) {
        (Some(evaluations), Some(epochs)) => Some(evaluations.min(epochs)),
        (evaluations, epochs) => evaluations.or(epochs),
    }
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
