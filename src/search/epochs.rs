//! A search's epochs one at a time, without budget, record or stop: what a benchmark times.

use std::time::Instant;

use super::trajectory::Trajectory;
use super::{Engine, EpochTimes, Search};
use crate::error::Error;

/// A search and an engine, from the first fill on. A solution does not end it.
pub struct Epochs<'a, S: Search> {
    search: &'a mut S,
    engine: &'a mut Engine,
    trajectory: Trajectory,
    epoch: u32,
}

impl<'a, S: Search> Epochs<'a, S> {
    /// Begins the search anew; whatever it did before changes nothing.
    pub fn new(search: &'a mut S, engine: &'a mut Engine) -> Epochs<'a, S> {
        search.begin(0);
        Epochs { search, engine, trajectory: Trajectory::default(), epoch: 0 }
    }

    /// Runs one epoch: every slot proposes, is scored and accepts, and the search concludes.
    ///
    /// # Errors
    /// What [`Evaluator::score`](crate::Evaluator::score) reports.
    pub fn advance(&mut self) -> Result<(), Error> {
        let summary = self.engine.epoch(self.search)?;
        self.trajectory.chain_epoch(0, self.epoch, summary.sums);
        let begun = Instant::now();
        self.search.conclude(summary.tally);
        self.engine.note_conclusion(begun.elapsed());
        self.epoch += 1;
        Ok(())
    }

    /// Where the time of the last epoch went: see [`Engine::last_epoch_times`].
    pub fn last_times(&self) -> Option<EpochTimes> {
        self.engine.last_epoch_times()
    }

    /// The fingerprint of the epochs so far and of the population they came to, as [`run`](super::run()) would give it.
    pub fn trajectory(&self) -> u64 {
        self.trajectory.finish(self.search.population())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::fitness::Cpu;
    use crate::search::{Budget, Swarm, SwarmParameters, run};
    use crate::sudoku::Puzzle;
    use crate::{Grid, Shape};

    #[test]
    fn epochs_go_the_way_of_a_run_and_begin_anew() {
        let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).unwrap();
        let mut swarm = Swarm::new(&puzzle, &SwarmParameters::SEED, 1).unwrap();
        let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
        let budget = Budget { epochs: Some(6), restarts: Some(1), ..Budget::default() };
        let expected = run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())).unwrap();
        assert!(!expected.solved());
        for _ in 0..2 {
            let mut epochs = Epochs::new(&mut swarm, &mut engine);
            (0..6).for_each(|_| epochs.advance().unwrap());
            assert_ne!(epochs.trajectory(), expected.trajectory);
            epochs.advance().unwrap();
            assert_eq!(epochs.trajectory(), expected.trajectory);
        }
    }
}
