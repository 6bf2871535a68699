//! A run in progress, and what advances it: the two traits between the loop and wherever a search's state lies.
//!
//! ```text
//!   loop   ── a Turn per run: at most k epochs ──>  engine   advances them, together if it can
//!   (drive)  <── a Summary per epoch and run ──
//!            ── Run::grid, improve, settle, save ──>  run      with its state on the host or on a device
//! ```
//!
//! An engine may advance a run by several epochs before the loop sees the first of their summaries. What the loop decides at
//! epoch `j` of an advance is made true by [`Run::settle`]: the run goes back to the state that it had after that epoch.

use std::any::Any;
use std::vec;

use super::host::HostRun;
use super::state::{StateReader, StateWriter};
use super::trajectory::{Sums, Trajectory};
use super::{Best, Improvement, ImprovementLimits};
use crate::error::Error;
use crate::sudoku::Grid;

/// A search in progress on one puzzle, wherever its state lies. The first call is [`Run::begin`] or [`Run::restore`].
pub trait Run: Send {
    /// Candidates that each of the next epochs scores.
    fn epoch_evaluations(&self) -> u64;

    /// Starts over with the random streams of this restart; the next epoch is 0, the first fill.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn begin(&mut self, restart: u32) -> Result<(), Error>;

    /// Epochs that may follow each other, at least 1, before [`Run::improve`] may have work.
    fn epochs_ahead(&self) -> u32;

    /// The grid of a slot as it was after epoch `epoch`, from 1, of the last advance, if it was that epoch's best.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn grid(&mut self, epoch: u32, slot: usize) -> Result<Grid, Error>;

    /// Works on single grids on the host after the last epoch of an advance that did not solve the puzzle.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn improve(&mut self, limits: &ImprovementLimits) -> Result<Option<Improvement>, Error>;

    /// Goes back to the state after epoch `epoch`, from 1, of the last advance.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn settle(&mut self, epoch: u32) -> Result<(), Error>;

    /// Writes what the next epoch needs, in the encoding that every implementation of the same search restores.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn save(&mut self, state: &mut StateWriter) -> Result<(), Error>;

    /// Becomes the run that was saved in this restart.
    ///
    /// # Errors
    /// [`Error::State`] if the bytes are those of another search, [`Error::Device`] if the device fails.
    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error>;

    /// The fingerprint of a run that ends here: that of its epochs with the final population mixed in.
    ///
    /// # Errors
    /// [`Error::Device`] if the device that holds the state fails.
    fn finish(&mut self, trajectory: Trajectory) -> Result<u64, Error>;

    /// The run as the type that it has, for an engine that advances only runs of its own.
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// The steps of an epoch, if the population is on the host.
    #[doc(hidden)]
    fn host(&mut self) -> Option<&mut dyn HostRun> {
        None
    }
}

/// Advances a set of runs. [`Engine`](super::Engine) does so with the populations on the host.
pub trait Advance: Send {
    /// Advances each run by at least one and at most [`Turn::epochs`] epochs, and adds a summary of each in their order.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails, [`Error::Internal`] for a run whose state this engine does not hold.
    fn advance(&mut self, turns: &mut [Turn<'_>]) -> Result<(), Error>;

    /// Lets all threads share an epoch, as at first, or keeps it on the calling thread. Results do not depend on it.
    fn set_parallel(&mut self, _parallel: bool) {}

    /// True if the threads of the current rayon pool share an epoch.
    fn is_parallel(&self) -> bool {
        false
    }
}

/// A run as an engine sees it: how far it may go, and what it has done.
pub struct Turn<'a> {
    pub(super) run: Box<dyn Run + 'a>,
    pub(super) epochs: u32,
    pub(super) details: bool,
    pub(super) summaries: Vec<Summary>,
}

impl<'a> Turn<'a> {
    /// The next epoch of a run, for whoever advances it without a budget.
    pub fn new(run: Box<dyn Run + 'a>) -> Turn<'a> {
        Turn { run, epochs: 1, details: false, summaries: Vec::new() }
    }

    /// The run.
    pub fn run(&mut self) -> &mut (dyn Run + 'a) {
        &mut *self.run
    }

    /// The most epochs that it may be advanced by.
    pub fn epochs(&self) -> u32 {
        self.epochs
    }

    /// The same, whose summaries hold details.
    pub fn with_details(self) -> Turn<'a> {
        Turn { details: true, ..self }
    }

    /// True if summaries are to hold details.
    pub fn wants_details(&self) -> bool {
        self.details
    }

    /// Adds the summary of the next epoch.
    pub fn push(&mut self, summary: Summary) {
        self.summaries.push(summary);
    }

    /// Advances this run alone by at least one and at most this many epochs, and gives their summaries.
    ///
    /// # Errors
    /// As [`Advance::advance`].
    pub fn advance(&mut self, engine: &mut dyn Advance, epochs: u32) -> Result<vec::Drain<'_, Summary>, Error> {
        self.epochs = epochs;
        engine.advance(std::slice::from_mut(self))?;
        if self.summaries.is_empty() { Err(no_epoch()) } else { Ok(self.summaries.drain(..)) }
    }

    /// Advances this run alone by one epoch, and gives its summary.
    ///
    /// # Errors
    /// As [`Advance::advance`].
    pub fn epoch(&mut self, engine: &mut dyn Advance) -> Result<Summary, Error> {
        self.advance(engine, 1)?.next_back().ok_or_else(no_epoch)
    }
}

/// The error of an engine that does not advance a run.
pub(super) fn no_epoch() -> Error {
    Error::Internal("an engine advanced a run by no epoch".into())
}

/// A summary of one epoch of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Sums of the scores of all proposals, for the trajectory.
    pub sums: Sums,
    /// The best individual after the epoch.
    pub best: Best,
    /// Candidates scored.
    pub evaluations: u64,
    /// More about the epoch, if asked for.
    pub details: Option<Details>,
}

/// More about an epoch than the loop needs.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Details {
    /// Slots that the epoch marked to be filled anew, or for a genetic algorithm restarts of the population.
    pub resets: u64,
    /// Children that the epoch merged of two individuals.
    pub merges: u64,
    /// The algorithm's own values, by name.
    pub values: Vec<(&'static str, f64)>,
}
