//! Runs whose population is on the host: any search.

use std::time::{Duration, Instant};

use super::run::{Details, Run, Summary};
use super::state::{Resumable, StateReader, StateWriter};
use super::sweeps::{self, EpochSummary, Spent};
use super::trajectory::{Sums, Trajectory};
use super::{Best, Improvement, ImprovementLimits, Search};
use crate::error::Error;
use crate::fitness::{Score, Staged, TileScorer};
use crate::population::instructions::Instructions;
use crate::population::{Candidates, Population};
use crate::sudoku::Grid;

/// A search as a run.
pub struct SearchRun<S> {
    search: S,
    /// Epochs of the last advance.
    advanced: u32,
}

impl<S: Resumable + Send> SearchRun<S> {
    /// The run of a search, which [`Run::begin`] or [`Run::restore`] starts.
    pub fn new(search: S) -> SearchRun<S> {
        SearchRun { search, advanced: 1 }
    }

    /// The same, as a run of which only that is known.
    pub fn boxed<'a>(search: S) -> Box<dyn Run + 'a>
    where
        S: 'a,
    {
        Box::new(SearchRun::new(search))
    }

    /// Where in the last advance an epoch is.
    fn check_epoch(&self, epoch: u32) -> Result<At, Error> {
        let advanced = self.advanced;
        match epoch {
            _ if epoch == advanced => Ok(At::End),
            _ if (1..advanced).contains(&epoch) => Ok(At::Middle),
            _ => Err(Error::Internal(format!("epoch {epoch} was asked for of an advance by {advanced} epochs"))),
        }
    }

    fn conclude(&mut self, epoch: EpochSummary<S::Tally>, details: bool) -> Summary {
        self.advanced = 1;
        let best = self.search.conclude(epoch.tally);
        let details = details.then(|| self.search.details());
        Summary { sums: epoch.sums, best, evaluations: self.epoch_evaluations(), details }
    }
}

/// Where in an advance an epoch is.
enum At {
    /// The state is that of this epoch.
    End,
    /// The state has gone on since.
    Middle,
}

fn no_strides() -> Error {
    Error::Internal("a search without strides was advanced by several epochs".into())
}

/// The steps of which an engine makes an epoch of a run on the host, with chunks of at most `chunk_tiles` tiles.
pub trait HostRun: Send {
    /// Tiles of the population.
    fn tiles(&self) -> usize;

    /// The whole epoch, each tile proposed, scored and accepted while it lies in cache.
    fn sweep(&mut self, scorer: &dyn TileScorer, chunk_tiles: usize, details: bool) -> Summary;

    /// Several epochs at once with a summary each, at most `epochs` of them; false, and nothing done, if the search does
    /// none.
    fn stride(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        summaries: &mut Vec<Summary>,
    ) -> bool;

    /// Makes all proposals.
    fn propose(&mut self, chunk_tiles: usize);

    /// Makes the proposals of as many tiles as there is staging memory for, from tile `first` on, and stages them.
    fn propose_into(&mut self, first: usize, staged: Staged<'_>, chunk_tiles: usize) -> Spent;

    /// Stages proposals that were made before.
    fn stage(&self, first: usize, staged: Staged<'_>);

    /// The proposals of all slots.
    fn proposals(&self) -> Candidates<'_>;

    /// Accepts all proposals by the scores of their slots and concludes, with the time of the conclusion.
    fn accept(&mut self, scores: &[Score], chunk_tiles: usize, details: bool) -> (Summary, Duration);
}

impl<S: Resumable + Send> Run for SearchRun<S> {
    fn epoch_evaluations(&self) -> u64 {
        self.search.population().len() as u64
    }

    fn begin(&mut self, restart: u32) -> Result<(), Error> {
        self.search.begin(restart);
        self.advanced = 1;
        Ok(())
    }

    fn epochs_ahead(&self) -> u32 {
        self.search.epochs_ahead()
    }

    fn grid(&mut self, epoch: u32, slot: usize) -> Result<Grid, Error> {
        match self.check_epoch(epoch)? {
            At::End => {
                self.search.catch_up();
                Ok(self.search.population().get(slot))
            }
            At::Middle => self.search.grid_in_stride(epoch, slot).ok_or_else(no_strides),
        }
    }

    fn improve(&mut self, limits: &ImprovementLimits) -> Result<Option<Improvement>, Error> {
        Ok(self.search.improve(limits))
    }

    fn settle(&mut self, epoch: u32) -> Result<(), Error> {
        match self.check_epoch(epoch)? {
            At::Middle if !self.search.settle(epoch) => Err(no_strides()),
            _ => {
                self.advanced = epoch;
                Ok(())
            }
        }
    }

    fn save(&mut self, state: &mut StateWriter) -> Result<(), Error> {
        self.search.catch_up();
        self.search.save(state);
        Ok(())
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.advanced = 1;
        self.search.restore(restart, state)
    }

    fn finish(&mut self, trajectory: Trajectory) -> Result<u64, Error> {
        self.search.catch_up();
        Ok(trajectory.finish(self.search.population()))
    }

    fn host(&mut self) -> Option<&mut dyn HostRun> {
        Some(self)
    }
}

impl<S: Resumable + Send> HostRun for SearchRun<S> {
    fn tiles(&self) -> usize {
        self.search.population().tiles()
    }

    fn sweep(&mut self, scorer: &dyn TileScorer, chunk_tiles: usize, details: bool) -> Summary {
        self.search.catch_up();
        let epoch = sweeps::sweep(&mut self.search, chunk_tiles, scorer);
        self.conclude(epoch, details)
    }

    fn stride(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        summaries: &mut Vec<Summary>,
    ) -> bool {
        let (evaluations, before) = (self.epoch_evaluations(), summaries.len());
        self.search.stride(instructions, epochs, chunk_tiles, &mut |sums, best| {
            summaries.push(Summary { sums, best, evaluations, details: None });
        });
        let advanced = (summaries.len() - before) as u32;
        if advanced > 0 {
            self.advanced = advanced;
        }
        advanced > 0
    }

    fn propose(&mut self, chunk_tiles: usize) {
        self.search.catch_up();
        sweeps::propose(&mut self.search, chunk_tiles);
    }

    fn propose_into(&mut self, first: usize, staged: Staged<'_>, chunk_tiles: usize) -> Spent {
        self.search.catch_up();
        sweeps::propose_into(&mut self.search, first, staged, chunk_tiles)
    }

    fn stage(&self, first: usize, staged: Staged<'_>) {
        sweeps::stage(&self.search, first, staged);
    }

    fn proposals(&self) -> Candidates<'_> {
        self.search.proposals().candidates()
    }

    fn accept(&mut self, scores: &[Score], chunk_tiles: usize, details: bool) -> (Summary, Duration) {
        let epoch = sweeps::accept(&mut self.search, chunk_tiles, scores);
        let begun = Instant::now();
        let summary = self.conclude(epoch, details);
        (summary, begun.elapsed())
    }
}

/// A search that somebody else keeps.
impl<S: Search> Search for &mut S {
    type Chunk<'a>
        = S::Chunk<'a>
    where
        Self: 'a;
    type Tally = S::Tally;

    fn begin(&mut self, restart: u32) {
        (**self).begin(restart);
    }

    fn population(&self) -> &Population {
        (**self).population()
    }

    fn proposals(&self) -> &Population {
        (**self).proposals()
    }

    fn chunk(&mut self) -> S::Chunk<'_> {
        (**self).chunk()
    }

    fn conclude(&mut self, tally: S::Tally) -> Best {
        (**self).conclude(tally)
    }

    fn epochs_ahead(&self) -> u32 {
        (**self).epochs_ahead()
    }

    fn stride(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        each: &mut dyn FnMut(Sums, Best),
    ) {
        (**self).stride(instructions, epochs, chunk_tiles, each)
    }

    fn grid_in_stride(&self, epoch: u32, slot: usize) -> Option<Grid> {
        (**self).grid_in_stride(epoch, slot)
    }

    fn settle(&mut self, epoch: u32) -> bool {
        (**self).settle(epoch)
    }

    fn catch_up(&mut self) {
        (**self).catch_up();
    }

    fn improve(&mut self, limits: &ImprovementLimits) -> Option<Improvement> {
        (**self).improve(limits)
    }

    fn details(&self) -> Details {
        (**self).details()
    }
}

impl<S: Resumable> Resumable for &mut S {
    fn save(&self, state: &mut StateWriter) {
        (**self).save(state);
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        (**self).restore(restart, state)
    }
}
