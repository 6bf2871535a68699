//! The improvement of a swarm's best individual on the host: local search and annealing.
//!
//! An improved grid goes where a merge's child goes, into the worst worker's slot (without workers, the worst
//! explorer's) for the next epoch, and takes the child's place there.

use super::Swarm;
use crate::search::local::descend;
use crate::search::refine::refine;
use crate::search::single::Single;
use crate::search::{Improvement, ImprovementLimits, Search};

impl Swarm {
    /// Epochs until the next improvement at the earliest: a lower best total only puts it off.
    pub(super) fn epochs_to_improvement(&self) -> u32 {
        self.on_stagnation.map_or(u32::MAX, |on| self.stagnation.epochs_until(on.stagnation_limit))
    }

    /// The best individual's improvement, if it is time for one and the evaluations left suffice.
    pub(super) fn improve_best(&mut self, limits: &ImprovementLimits) -> Option<Improvement> {
        let on = self.on_stagnation?;
        let due = self.stagnation.is_due(on.stagnation_limit);
        let descends = due && on.local_search;
        let anneals = on.refine > 0 && (due || limits.last_epoch);
        if !descends && !anneals {
            return None;
        }
        let mut single = Single::new(self.population().get(self.best_slot));
        let total = single.score().total();
        let blocks = &self.rule.blocks;
        let mut evaluations = 0;
        if descends {
            evaluations += descend(blocks, &mut single, limits.evaluations);
        }
        if anneals {
            let words = (self.refine_key, self.rule.epoch);
            evaluations += refine(blocks, &mut single, words, on.refine, limits.evaluations - evaluations);
        }
        if single.score().total() < total {
            blocks.digits(single.grid(), &mut self.rule.child);
            self.rule.child_slot = Some(self.worst_slot);
        }
        (evaluations > 0).then(|| Improvement { evaluations, score: single.score(), grid: single.grid().clone() })
    }
}
