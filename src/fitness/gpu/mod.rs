//! Scoring on a GPU, or on whatever else wgpu drives: the same integers from `shaders/fitness.wgsl` on every adapter.
//!
//! The transfers to a GPU limit the speed here, not the arithmetic. So all objects are made once and used in every epoch, and
//! an epoch is one submission. In reading order: `adapter` lists adapters and chooses one, `device` opens it, `kernel` is
//! the shader, `buffers` cuts a batch to the device's limits, `staged` is memory that the host fills, and `batches` submits
//! and finishes batches.

mod adapter;
mod batches;
mod buffers;
mod device;
mod kernel;
mod staged;

pub use adapter::{AdapterKind, AdapterRequest, AdapterSummary, Api, GpuLimits, adapters};
pub use staged::Staged;

#[cfg(test)]
pub(crate) use adapter::testing;

use std::sync::{Mutex, PoisonError};

use super::backends::{BackendRow, Unit, Workload};
use super::{Backend, BatchScorer, BatchTimes, Evaluator, Score, Ticket, check_batch, check_parts};
use crate::error::Error;
use crate::population::{Candidates, LANES, tiles_for};
use crate::sudoku::Shape;
use batches::Session;
use device::{Device, Failure};

impl Backend {
    /// A WGSL compute kernel on a wgpu adapter.
    pub const GPU: Backend = Backend::new("gpu");
}

/// The GPU backend.
pub(super) static ROW: BackendRow = BackendRow {
    backend: Backend::GPU,
    help: "a wgpu adapter: the best hardware one, or the one that --adapter names",
    on_adapters: true,
    on_all_threads: true,
    units: || adapters().into_iter().map(unit).collect(),
    pick,
};

fn pick(_: &Workload, request: &AdapterRequest) -> Result<(Unit, String), Error> {
    let (summary, found) = adapter::find(request)?;
    Ok((unit_of(summary, Some(found)), request.reason()))
}

/// An adapter.
pub(super) fn unit(adapter: AdapterSummary) -> Unit {
    unit_of(adapter, None)
}

/// An adapter, opened first as it was found, if it was, and else by its place in the list.
fn unit_of(adapter: AdapterSummary, found: Option<wgpu::Adapter>) -> Unit {
    let (summary, found) = (adapter.clone(), Mutex::new(found));
    Unit::on_adapter(Backend::GPU, adapter, move |shape, capacity| {
        let found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        let device = match found {
            Some(found) => Device::on(&found, summary.clone(), None)?,
            None => Device::open(&AdapterRequest::by_index(summary.index), None)?,
        };
        Ok(Box::new(GpuEvaluator::on(device, shape, capacity, None)?))
    })
}

/// Scores batches on one adapter.
///
/// Device, kernel and buffers are made once and used for every batch; a batch beyond their capacity makes larger buffers. A
/// lost device is opened again, once per batch, and the batch is staged again from the host's copy.
pub struct GpuEvaluator {
    shape: Shape,
    tiles: usize,
    /// The request to open the same adapter again after a loss.
    request: AdapterRequest,
    limits: Option<GpuLimits>,
    adapter: AdapterSummary,
    /// None after a failure, until the next batch.
    session: Option<Session>,
    /// The number of sessions opened; a ticket holds it, so that a batch of an earlier session is known.
    opened: u32,
    lost: bool,
    recoveries: u32,
    times: Option<BatchTimes>,
}

impl GpuEvaluator {
    /// Opens the adapter of `request`, with buffers for batches of `capacity` candidates. `limits` lowers the device's
    /// limits, for tests; results do not depend on them.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] if no adapter or more than one matches the request; [`Error::Device`] if the device cannot be
    /// opened or its memory is too small.
    pub fn new(
        shape: Shape,
        capacity: usize,
        request: &AdapterRequest,
        limits: Option<GpuLimits>,
    ) -> Result<GpuEvaluator, Error> {
        GpuEvaluator::on(Device::open(request, limits)?, shape, capacity, limits)
    }

    fn on(device: Device, shape: Shape, capacity: usize, limits: Option<GpuLimits>) -> Result<GpuEvaluator, Error> {
        let tiles = tiles_for(capacity);
        let session = Session::new(device, shape, tiles)?;
        let adapter = session.adapter().clone();
        let request = AdapterRequest::by_index(adapter.index);
        Ok(GpuEvaluator {
            shape,
            tiles,
            request,
            limits,
            adapter,
            session: Some(session),
            opened: 1,
            lost: false,
            recoveries: 0,
            times: None,
        })
    }

    /// The adapter it works on.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.adapter
    }

    /// The number of times that the device was lost and opened again.
    pub fn recoveries(&self) -> u32 {
        self.recoveries
    }

    /// Destroys the device, as a driver reset does, to test the recovery.
    #[doc(hidden)]
    pub fn destroy_device(&self) {
        self.session.iter().for_each(Session::destroy_device);
    }

    /// The number of buffers, bind groups, compute pipelines and shader modules, to test that batches make none.
    #[doc(hidden)]
    pub fn living_objects(&self) -> Option<[isize; 4]> {
        self.session.as_ref().map(Session::living_objects)
    }

    /// Does some work; if the device is lost meanwhile, does it once more on a new device.
    fn recovering<T>(&mut self, mut work: impl FnMut(&mut Session) -> Result<T, Failure>) -> Result<T, Error> {
        match self.attempt(&mut work)? {
            Err(Failure::Lost(reason)) => {
                self.warn_of_loss(&reason);
                self.attempt(&mut work)?
            }
            outcome => outcome,
        }
        .map_err(|failure| failure.on(&self.describe()))
    }

    /// Does some work. The session is dropped if it fails. The outer error is that of opening a new session.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Session) -> Result<T, Failure>,
    ) -> Result<Result<T, Failure>, Error> {
        let mut session = self.take_session()?;
        let outcome = work(&mut session);
        match &outcome {
            Ok(_) => self.session = Some(session),
            Err(failure) => self.lost = matches!(failure, Failure::Lost(_)),
        }
        Ok(outcome)
    }

    /// The present session, or a new one on the same adapter after a failure.
    fn take_session(&mut self) -> Result<Session, Error> {
        if let Some(session) = self.session.take() {
            return Ok(session);
        }
        let session = Session::open(self.shape, self.tiles, &self.request, self.limits)?;
        if session.adapter() != &self.adapter {
            let message = format!("the adapter has disappeared; in its place is {}", session.adapter());
            return Err(Error::Device { adapter: self.describe(), message });
        }
        self.opened += 1;
        self.recoveries += u32::from(std::mem::take(&mut self.lost));
        Ok(session)
    }

    fn warn_of_loss(&self, reason: &str) {
        log::warn!("gpu: {} was lost ({reason}); opening it again to repeat the batch", self.describe());
    }

    /// The scores of a batch of the present session; a batch of an earlier session is lost.
    fn collect(
        &mut self,
        index: usize,
        opened: u32,
        scores: &mut [Score],
    ) -> Result<Result<BatchTimes, Failure>, Error> {
        let Some(session) = self.session.as_ref().filter(|_| opened == self.opened) else {
            return Ok(Err(Failure::Lost("in an earlier batch".to_string())));
        };
        if session.slots(index) != Some(scores.len()) {
            let slots = session.slots(index);
            return Err(Error::Internal(format!(
                "{slots:?} slots are in flight in buffers {index}, not {}",
                scores.len()
            )));
        }
        self.attempt(|session| session.finish(index, scores))
    }
}

impl Evaluator for GpuEvaluator {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn backend(&self) -> Backend {
        Backend::GPU
    }

    fn describe(&self) -> String {
        self.adapter.describe()
    }

    fn last_batch_times(&self) -> Option<BatchTimes> {
        self.times
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        check_batch(self.shape, candidates, scores)?;
        self.score_parts(&[candidates], scores)
    }

    fn score_parts(&mut self, parts: &[Candidates<'_>], scores: &mut [Score]) -> Result<(), Error> {
        check_parts(self.shape, parts, scores)?;
        let tiles = scores.len() / LANES;
        if tiles == 0 {
            return Ok(());
        }
        let times = self.recovering(|session| {
            let mut source = Source { parts, tile: 0 };
            session.score(tiles, &mut |staged| source.fill(staged), scores)
        })?;
        self.times = Some(times);
        Ok(())
    }

    fn batch_scorer(&mut self) -> Option<&mut dyn BatchScorer> {
        Some(self)
    }
}

impl BatchScorer for GpuEvaluator {
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error> {
        let index = self.recovering(|session| session.buffers_for(tiles))?;
        self.session.as_mut().expect("a session has returned the buffers").submit(index, tiles, write);
        Ok(Ticket::new(u64::from(self.opened) << 32 | index as u64))
    }

    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error> {
        let (opened, index) = ((ticket.number() >> 32) as u32, ticket.number() as u32 as usize);
        let times = match self.collect(index, opened, scores)? {
            Err(Failure::Lost(reason)) => {
                self.warn_of_loss(&reason);
                let tiles = scores.len() / LANES;
                self.attempt(|session| session.score(tiles, rewrite, scores))?
            }
            outcome => outcome,
        };
        self.times = Some(times.map_err(|failure| failure.on(&self.describe()))?);
        Ok(())
    }
}

/// Whole populations, which are staged one after the other.
struct Source<'a> {
    parts: &'a [Candidates<'a>],
    /// The next tile of the first population.
    tile: usize,
}

impl Source<'_> {
    /// Fills staging memory with the next tiles.
    fn fill(&mut self, mut staged: Staged<'_>) {
        while staged.tiles() > 0 {
            let Some((part, others)) = self.parts.split_first() else { return };
            let (cells, left) = (part.shape().cells(), part.slots() / LANES - self.tile);
            let tiles = left.min(staged.tiles());
            let (piece, rest) = staged.split_at(tiles);
            piece.write_all(&part.lanes()[self.tile * cells..][..tiles * cells]);
            staged = rest;
            self.tile += tiles;
            if tiles == left {
                (self.parts, self.tile) = (others, 0);
            }
        }
    }
}
