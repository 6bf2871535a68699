//! The runs that are still to be made, one after another and never all at once, and the workers that take them.
//!
//! A worker drives the runs of one shape after those of another, all on one backend. Where each tile is scored on the host it has one run at a
//! time, beside other workers; where batches are scored it has as many as fit in [`BATCH_SLOTS`] candidates, which bounds
//! the memory, and they share their dispatches.

use rayon::prelude::*;

use super::super::folder::RunBits;
use super::super::plan::{Plan, Target};
use super::super::study::Shard;
use super::shared::Shared;
use super::{Open, OpenBackend, ScoredBy, open_target};
use crate::error::Error;
use crate::fitness::Backend;
use crate::population::LANES;
use crate::search::{ActiveRun, Demand, Engine, Outcome, RunQueue, run_all};

/// Candidates of a batch, unless one run alone has more: 21 MB at 9x9, and more than any device scores at a time.
pub(super) const BATCH_SLOTS: usize = 1 << 18;

/// Candidates that a run adds to a batch: its population in whole tiles.
pub(super) fn slots(population: usize) -> usize {
    population.next_multiple_of(LANES)
}

/// How runs are spread.
#[derive(Clone, Copy)]
pub(super) enum Spread {
    /// One run per worker, of so many workers.
    Workers(usize),
    /// Runs of one worker that share batches of so many candidates.
    Batch(usize),
}

/// Drives the runs on the backend of `first`, shape by shape, until none is left.
///
/// # Errors
/// What runs, their records and the evaluator report.
pub(super) fn work(
    shared: &Shared<'_>,
    spread: Spread,
    backend: Option<Backend>,
    mut first: Option<OpenBackend>,
    open: &Open<'_>,
) -> Result<(), Error> {
    for target in shared.plan.targets(backend) {
        let Some(index) = shared.next(target) else { continue };
        let opened = match first.take_if(|opened| opened.evaluator.shape() == target.shape) {
            Some(opened) => opened,
            None => open_target(open, target, spread.slots(shared, index))?,
        };
        let (waiting, scored_by, round) = (Some(index), ScoredBy::new(&opened), shared.round());
        let mut worker = Worker { shared, spread, target, waiting, used: 0, scored_by, round };
        run_all(&mut worker, &mut Engine::new(opened.evaluator))?;
    }
    Ok(())
}

impl Spread {
    /// Candidates that an evaluator is made for, whose first run is `index`.
    fn slots(self, shared: &Shared<'_>, index: u64) -> usize {
        match self {
            Spread::Workers(_) => shared.population(index),
            Spread::Batch(slots) => slots,
        }
    }

    /// True if a run of so many candidates fits beside the others.
    fn has_room(self, used: usize, slots: usize) -> bool {
        used == 0 || matches!(self, Spread::Batch(_)) && used + slots <= BATCH_SLOTS
    }
}

/// A worker on the runs of one target.
struct Worker<'w, 'a> {
    shared: &'w Shared<'a>,
    spread: Spread,
    target: Target,
    /// A run that was taken and has not begun.
    waiting: Option<u64>,
    /// Candidates of the runs that it drives.
    used: usize,
    scored_by: ScoredBy,
    round: u32,
}

impl Worker<'_, '_> {
    /// The runs that fit beside the others; one at least if there are no others.
    fn next_indices(&mut self) -> Vec<u64> {
        let mut indices = Vec::new();
        while self.spread.has_room(self.used, 1)
            && let Some(index) = self.waiting.take().or_else(|| self.shared.next(self.target))
        {
            let slots = slots(self.shared.population(index));
            if !self.spread.has_room(self.used, slots) {
                self.waiting = Some(index);
                break;
            }
            self.used += slots;
            indices.push(index);
        }
        indices
    }
}

impl RunQueue<'static> for Worker<'_, '_> {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        let shared = self.shared;
        if shared.is_stopping() {
            return Ok(Vec::new());
        }
        let start = |index| Ok((index, shared.start(index)?));
        match self.next_indices() {
            indices if indices.len() < 2 => indices.into_iter().map(start).collect(),
            indices => indices.into_par_iter().map(start).collect(),
        }
    }

    fn is_stopping(&self) -> bool {
        self.shared.is_stopping()
    }

    /// As long as there are runs for all workers, each keeps to its thread; the last ones, and one that is timed, share
    /// their epochs among all threads.
    fn is_parallel(&self) -> bool {
        match self.spread {
            Spread::Workers(workers) => self.shared.timing || self.shared.left(self.target.backend) < workers as u64,
            Spread::Batch(_) => true,
        }
    }

    fn after_dispatch(&mut self) -> Demand {
        let round = self.shared.round();
        let asked = std::mem::replace(&mut self.round, round) != round;
        match self.shared.is_stopping() {
            true => Demand::SaveAndStop,
            false if asked => Demand::Save,
            false => Demand::Continue,
        }
    }

    fn take_states(&mut self, states: Vec<(u64, Vec<u8>)>) {
        states.into_iter().for_each(|(index, state)| self.shared.put_state(index, state));
    }

    fn end(&mut self, index: u64, outcome: Outcome) -> Result<(), Error> {
        self.used -= slots(self.shared.population(index));
        self.shared.end(index, &outcome, &self.scored_by)
    }
}

/// The runs of one target: first those that were begun, then cell by cell those that were not.
pub(super) struct Queue<'a> {
    plan: &'a Plan,
    shard: Option<Shard>,
    done: &'a RunBits,
    target: Target,
    /// Ascending.
    begun: Vec<u64>,
    /// How many of `begun` were handed out.
    handed: usize,
    /// The next run to look at, as the plan counts.
    next: u64,
}

impl<'a> Queue<'a> {
    /// A queue for each target of the plan; `begun` ascends.
    pub(super) fn each_target(
        plan: &'a Plan,
        shard: Option<Shard>,
        done: &'a RunBits,
        begun: &[u64],
    ) -> Vec<Queue<'a>> {
        let queue = |target| {
            let of_target = |index: &&u64| plan.target(plan.run(**index)) == target;
            let begun = begun.iter().filter(of_target).copied().collect();
            Queue { plan, shard, done, target, begun, handed: 0, next: 0 }
        };
        plan.backends().into_iter().flat_map(|backend| plan.targets(backend)).map(queue).collect()
    }

    /// The target of all its runs.
    pub(super) fn target(&self) -> Target {
        self.target
    }

    fn passes_over(&self, index: u64) -> bool {
        let id = self.plan.run(index);
        self.plan.target(id) != self.target
            || self.done.has(index)
            || !self.plan.is_in(id, self.shard)
            || self.begun.binary_search(&index).is_ok()
    }
}

impl Iterator for Queue<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if let Some(index) = self.begun.get(self.handed) {
            self.handed += 1;
            return Some(*index);
        }
        while self.next < self.plan.runs() {
            let index = self.next;
            self.next += 1;
            if !self.passes_over(index) {
                return Some(index);
            }
        }
        None
    }
}
