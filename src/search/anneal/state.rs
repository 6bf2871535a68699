//! An annealing between two epochs.

use super::Anneal;
use crate::error::Error;
use crate::search::Search;
use crate::search::state::{Resumable, StateReader, StateWriter};

impl Resumable for Anneal {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put_scores(&self.scores);
        state.put(&(self.rule.epoch, self.rule.fills, self.cooled));
        state.put(&self.cooling.temperature());
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill_scores(&mut self.scores)?;
        (self.rule.epoch, self.rule.fills, self.cooled) = state.get()?;
        self.cooling.resume(state.get()?);
        self.rule.thresholds = self.cooling.thresholds();
        Ok(())
    }
}
