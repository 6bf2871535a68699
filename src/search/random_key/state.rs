//! A random-key swarm between two epochs.

use super::RandomKey;
use crate::error::Error;
use crate::search::Search;
use crate::search::state::{Resumable, StateReader, StateWriter};

impl Resumable for RandomKey {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put(&self.best_totals);
        for keys in [&self.keys, &self.velocities, &self.bests] {
            state.put(keys.as_flattened());
        }
        state.put(&self.rule.epoch);
        state.put(&self.rule.leader);
        state.put(&self.rule.leader_total);
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill(&mut self.best_totals)?;
        for keys in [&mut self.keys, &mut self.velocities, &mut self.bests] {
            state.fill(keys.as_flattened_mut())?;
        }
        self.rule.epoch = state.get()?;
        state.fill(&mut self.rule.leader)?;
        self.rule.leader_total = state.get()?;
        Ok(())
    }
}
