//! One opened device with its kernel, and the batches on it: while the device scores one, the host fills another.

use std::time::{Duration, Instant};

use super::adapter::{AdapterRequest, AdapterSummary, GpuLimits};
use super::buffers::{BatchCut, Slab};
use super::device::{Device, Failure, Stopwatch};
use super::kernel::Kernel;
use super::staged::Staged;
use crate::error::Error;
use crate::fitness::{BatchTimes, Score};
use crate::population::LANES;
use crate::sudoku::Shape;

/// An opened device with its kernel and buffers. After a failure it is dropped, and a new one is opened.
pub(super) struct Session {
    device: Device,
    kernel: Kernel,
    cut: BatchCut,
    /// One per batch in flight, and the free ones.
    buffers: Vec<BatchBuffers>,
}

impl Session {
    /// Opens the adapter of the request, with buffers for a batch of these tiles.
    pub(super) fn open(
        shape: Shape,
        tiles: usize,
        request: &AdapterRequest,
        limits: Option<GpuLimits>,
    ) -> Result<Session, Error> {
        Session::new(Device::open(request, limits)?, shape, tiles)
    }

    /// A session on an opened device.
    pub(super) fn new(device: Device, shape: Shape, tiles: usize) -> Result<Session, Error> {
        let name = device.adapter.describe();
        Session::on(device, shape, tiles).map_err(|failure| failure.on(&name))
    }

    fn on(device: Device, shape: Shape, tiles: usize) -> Result<Session, Failure> {
        let cut = BatchCut::new(shape, device.limits).map_err(Failure::Refused)?;
        let kernel = Kernel::compile(&device, shape)?;
        let mut session = Session { device, kernel, cut, buffers: Vec::new() };
        session.buffers_for(tiles)?;
        Ok(session)
    }

    /// The adapter it works on.
    pub(super) fn adapter(&self) -> &AdapterSummary {
        &self.device.adapter
    }

    /// Destroys the device, for tests of its loss.
    pub(super) fn destroy_device(&self) {
        self.device.raw.destroy();
    }

    /// The number of objects that wgpu keeps, by kind.
    pub(super) fn living_objects(&self) -> [isize; 4] {
        self.device.living_objects()
    }

    /// The index of free buffers for this many tiles; they are made if there are none.
    pub(super) fn buffers_for(&mut self, tiles: usize) -> Result<usize, Failure> {
        let index = self.buffers.iter().position(|buffers| buffers.slots().is_none()).unwrap_or_else(|| {
            self.buffers.push(BatchBuffers::new(&self.device));
            self.buffers.len() - 1
        });
        self.buffers[index].reserve(&self.device, &self.kernel, self.cut, tiles)?;
        Ok(index)
    }

    /// Fills and submits a batch in buffers that [`Session::buffers_for`] has returned.
    pub(super) fn submit(&mut self, index: usize, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) {
        self.buffers[index].submit(&self.device, &self.kernel, tiles, write);
    }

    /// The slots of the batch in these buffers; none if there is no batch or no such index.
    pub(super) fn slots(&self, index: usize) -> Option<usize> {
        self.buffers.get(index).and_then(BatchBuffers::slots)
    }

    /// Waits for the batch in these buffers and takes its scores, one per slot.
    pub(super) fn finish(&mut self, index: usize, scores: &mut [Score]) -> Result<BatchTimes, Failure> {
        self.buffers[index].finish(&self.device, scores)
    }

    /// Scores a batch and waits for it.
    pub(super) fn score(
        &mut self,
        tiles: usize,
        write: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<BatchTimes, Failure> {
        let index = self.buffers_for(tiles)?;
        self.submit(index, tiles, write);
        self.finish(index, scores)
    }
}

/// The buffers of one batch, and the batch in flight in them.
struct BatchBuffers {
    slabs: Vec<Slab>,
    /// Capacity of the slabs in tiles.
    capacity: usize,
    stopwatch: Option<Stopwatch>,
    batch: Option<Batch>,
}

/// A batch in flight.
struct Batch {
    tiles: usize,
    upload: Duration,
    submitted: Instant,
    /// The submission to wait for, or the failure that prevented it.
    submission: Result<wgpu::SubmissionIndex, Failure>,
}

impl BatchBuffers {
    fn new(device: &Device) -> BatchBuffers {
        BatchBuffers { slabs: Vec::new(), capacity: 0, stopwatch: Stopwatch::new(device), batch: None }
    }

    /// The slots of the batch in flight; none if the buffers are free.
    pub(crate) fn slots(&self) -> Option<usize> {
        self.batch.as_ref().map(|batch| batch.tiles * LANES)
    }

    /// Makes larger buffers if these are too small for this many tiles.
    fn reserve(&mut self, device: &Device, kernel: &Kernel, cut: BatchCut, tiles: usize) -> Result<(), Failure> {
        if tiles <= self.capacity {
            return Ok(());
        }
        self.slabs.clear();
        self.capacity = 0;
        for slab in cut.slabs(tiles).map_err(Failure::OutOfMemory)? {
            self.slabs.push(Slab::new(device, kernel, cut, slab));
            device.check()?;
        }
        self.capacity = tiles;
        log::debug!("gpu: buffers for {tiles} tiles in {} slabs", self.slabs.len());
        Ok(())
    }

    /// Fills and submits a batch of this many tiles, which must not exceed the capacity.
    pub(crate) fn submit(&mut self, device: &Device, kernel: &Kernel, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) {
        let begun = Instant::now();
        let commands = self.fill(tiles, write).map(|()| self.encode(device, kernel, tiles));
        // The submission counts as the device's time: interfaces without a queue do the work in it.
        let submitted = Instant::now();
        let submission = commands.map(|commands| device.queue.submit([commands]));
        if submission.is_ok() {
            self.map(tiles);
        }
        self.batch = Some(Batch { tiles, upload: submitted - begun, submitted, submission });
    }

    /// The slabs that hold any of the tiles, and the number of tiles in each.
    fn filled(&self, tiles: usize) -> impl Iterator<Item = (&Slab, usize)> {
        self.slabs.iter().map(move |slab| (slab, slab.filled(tiles))).take_while(|(_, filled)| *filled > 0)
    }

    /// Fills every slab, even after a failure: `write` is called for all tiles exactly once.
    fn fill(&self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<(), Failure> {
        self.filled(tiles).map(|(slab, tiles)| slab.fill(tiles, write)).fold(Ok(()), Result::and)
    }

    /// Records the uploads, one compute pass with all dispatches, and the downloads.
    fn encode(&self, device: &Device, kernel: &Kernel, tiles: usize) -> wgpu::CommandBuffer {
        let label = Some("swarmdoku scoring");
        let mut encoder = device.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        for (slab, tiles) in self.filled(tiles) {
            slab.encode_upload(&mut encoder, tiles);
        }
        let timestamp_writes = self.stopwatch.as_ref().map(Stopwatch::writes);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes });
        pass.set_pipeline(&kernel.pipeline);
        for (slab, tiles) in self.filled(tiles) {
            slab.encode_dispatches(&mut pass, tiles);
        }
        drop(pass);
        for (slab, tiles) in self.filled(tiles) {
            slab.encode_download(&mut encoder, tiles);
        }
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.encode_download(&mut encoder);
        }
        encoder.finish()
    }

    /// Requests the mapping of all buffers that the host uses next.
    fn map(&self, tiles: usize) {
        for (slab, tiles) in self.filled(tiles) {
            slab.map(tiles);
        }
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.map_download();
        }
    }

    /// Waits for the batch in flight and takes its scores, one per slot. The buffers are free afterwards, unless it failed.
    pub(crate) fn finish(&mut self, device: &Device, scores: &mut [Score]) -> Result<BatchTimes, Failure> {
        let no_batch = || Failure::Refused("no batch is in flight in these buffers".to_string());
        let batch = self.batch.take().ok_or_else(no_batch)?;
        device.wait_for(batch.submission)?;
        let done = Instant::now();
        let mut rest = scores;
        for (slab, tiles) in self.filled(batch.tiles) {
            let (scores, others) = rest.split_at_mut(tiles * LANES);
            slab.take_download(bytemuck::cast_slice_mut(scores))?;
            rest = others;
        }
        Ok(BatchTimes {
            upload: batch.upload,
            device: done - batch.submitted,
            kernel: self.stopwatch.as_ref().and_then(Stopwatch::take),
            readback: done.elapsed(),
        })
    }
}
