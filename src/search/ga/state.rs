//! A genetic algorithm between two generations.

use super::{Breed, Generations};
use crate::error::Error;
use crate::search::Search;
use crate::search::state::{Resumable, StateReader, StateWriter};

impl<B: Breed> Resumable for Generations<B> {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        self.rule.parents.save(state);
        state.put(&(self.rule.generation, self.rule.fresh));
        state.put(&self.stagnation);
        self.rule.breed.save(state);
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        self.rule.parents.restore(state)?;
        (self.rule.generation, self.rule.fresh) = state.get()?;
        self.stagnation = state.get()?;
        self.rule.breed.restore(state)
    }
}
