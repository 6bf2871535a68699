//! A swarm between two epochs.

use super::Swarm;
use crate::error::Error;
use crate::search::Search;
use crate::search::state::{Resumable, StateReader, StateWriter};

impl Resumable for Swarm {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put_scores(&self.scores);
        state.put(&self.ages);
        state.put(&self.rule.epoch);
        state.put(&self.rule.child_slot);
        state.put(&self.rule.child);
        state.put(&self.stagnation);
        state.put(&(self.best_slot, self.worst_slot));
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill_scores(&mut self.scores)?;
        state.fill(&mut self.ages)?;
        self.rule.epoch = state.get()?;
        self.rule.child_slot = state.get()?;
        self.rule.child = state.get()?;
        self.stagnation = state.get()?;
        (self.best_slot, self.worst_slot) = state.get()?;
        self.rule.workers = self.roles.workers(&self.stagnation);
        Ok(())
    }
}
