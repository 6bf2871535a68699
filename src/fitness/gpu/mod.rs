//! Scoring on a GPU, or on whatever else wgpu drives: the same integers from `shaders/fitness.wgsl` on every adapter.
//!
//! What limits a GPU here is not arithmetic but the way to it, so everything is made once and used in every epoch, and
//! an epoch is one submission. Read in this order: `choose` for which adapter is taken, `plan` for how a batch is cut to
//! its limits, `slab` for the buffers, `session` for the submission.

mod adapter;
mod choose;
mod device;
mod kernel;
mod limits;
mod plan;
mod session;
mod slab;
mod stopwatch;

pub use adapter::{AdapterKind, AdapterSummary, Api, adapters};
pub use choose::AdapterRequest;
pub use limits::GpuLimits;

use super::{Backend, BatchTimes, Evaluator, Score, check_batch};
use crate::error::Error;
use crate::population::{Candidates, tiles_for};
use crate::shape::Shape;
use device::Failure;
use session::Session;

/// Scores batches on one adapter.
///
/// Device, kernel and buffers are made for a capacity and used for every batch; a batch past the capacity makes the
/// buffers anew, larger. A device that is lost is opened again once, and the batch scored again from the host's copy.
pub struct GpuEvaluator {
    shape: Shape,
    tiles: usize,
    /// What to open after a loss: the very adapter that was taken at first.
    request: AdapterRequest,
    limits: Option<GpuLimits>,
    adapter: AdapterSummary,
    /// None after a failure, until the next batch.
    session: Option<Session>,
    recoveries: u32,
}

impl GpuEvaluator {
    /// Opens the adapter that `request` takes, with room for batches of `capacity` candidates. `limits` lowers the
    /// device's own limits, for tests; results never depend on them.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] if no adapter fits the request, or several do; [`Error::Device`] if the device cannot be
    /// opened or has not enough memory.
    pub fn new(
        shape: Shape,
        capacity: usize,
        request: &AdapterRequest,
        limits: Option<GpuLimits>,
    ) -> Result<GpuEvaluator, Error> {
        let tiles = tiles_for(capacity);
        let session = Session::open(shape, tiles, request, limits)?;
        let adapter = session.adapter().clone();
        let request = AdapterRequest { name: Some(format!("#{}", adapter.index)), allow_software: true };
        Ok(GpuEvaluator { shape, tiles, request, limits, adapter, session: Some(session), recoveries: 0 })
    }

    /// The adapter it works on.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.adapter
    }

    /// How often the device was lost and opened again.
    pub fn recoveries(&self) -> u32 {
        self.recoveries
    }

    /// Destroys the device as a driver that resets would, to test the recovery.
    #[doc(hidden)]
    pub fn destroy_device(&self) {
        self.session.iter().for_each(Session::destroy_device);
    }

    /// Scores a batch, or says why the device failed; the session stays only if it did not. The outer error is that of
    /// opening a new session.
    fn attempt(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<Result<(), Failure>, Error> {
        let mut session = self.take_session()?;
        let outcome = session.score(candidates, scores);
        self.session = outcome.is_ok().then_some(session);
        Ok(outcome)
    }

    /// The session at hand, or a new one on the same adapter if the last one failed.
    fn take_session(&mut self) -> Result<Session, Error> {
        if let Some(session) = self.session.take() {
            return Ok(session);
        }
        let session = Session::open(self.shape, self.tiles, &self.request, self.limits)?;
        if session.adapter() == &self.adapter {
            return Ok(session);
        }
        let message = format!("the adapter is gone; in its place there is {}", session.adapter());
        Err(Error::Device { adapter: self.describe(), message })
    }
}

impl Evaluator for GpuEvaluator {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn backend(&self) -> Backend {
        Backend::Gpu
    }

    fn describe(&self) -> String {
        self.adapter.describe()
    }

    fn last_batch_times(&self) -> Option<BatchTimes> {
        self.session.as_ref().and_then(|session| session.times)
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        check_batch(self.shape, candidates, scores)?;
        if candidates.is_empty() {
            return Ok(());
        }
        let mut outcome = self.attempt(candidates, scores)?;
        if let Err(Failure::Lost(reason)) = &outcome {
            log::warn!("gpu: {} was lost ({reason}); opening it again for the same batch", self.describe());
            outcome = self.attempt(candidates, scores)?;
            self.recoveries += u32::from(outcome.is_ok());
        }
        outcome.map_err(|failure| failure.on(&self.describe()))
    }
}
