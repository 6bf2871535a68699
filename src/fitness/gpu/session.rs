//! One opened device with its kernel and buffers: scores batches until something fails, and is then thrown away.

use std::time::Instant;

use super::adapter::AdapterSummary;
use super::choose::AdapterRequest;
use super::device::{Device, Failure};
use super::kernel::Kernel;
use super::limits::GpuLimits;
use super::plan::Plan;
use super::slab::Slab;
use super::stopwatch::Stopwatch;
use crate::error::Error;
use crate::fitness::{BatchTimes, Score};
use crate::population::{Candidates, LANES};
use crate::shape::Shape;

pub(super) struct Session {
    device: Device,
    kernel: Kernel,
    plan: Plan,
    stopwatch: Option<Stopwatch>,
    slabs: Vec<Slab>,
    /// Tiles that the slabs hold.
    capacity: usize,
    /// Where the time of the last batch went.
    pub times: Option<BatchTimes>,
}

impl Session {
    /// Opens the adapter that the request takes, with room for so many tiles.
    pub fn open(
        shape: Shape,
        tiles: usize,
        request: &AdapterRequest,
        limits: Option<GpuLimits>,
    ) -> Result<Session, Error> {
        let device = Device::open(request, limits)?;
        let name = device.adapter.describe();
        Session::on(device, shape, tiles).map_err(|failure| failure.on(&name))
    }

    fn on(device: Device, shape: Shape, tiles: usize) -> Result<Session, Failure> {
        let plan = Plan::new(shape, device.limits).map_err(Failure::Refused)?;
        let kernel = Kernel::compile(&device, shape)?;
        let stopwatch = Stopwatch::new(&device);
        let mut session = Session { device, kernel, plan, stopwatch, slabs: Vec::new(), capacity: 0, times: None };
        session.make_room(tiles)?;
        Ok(session)
    }

    /// The adapter it works on.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.device.adapter
    }

    /// Destroys the device under the session's feet.
    pub fn destroy_device(&self) {
        self.device.raw.destroy();
    }

    /// Makes the buffers anew if they hold fewer than so many tiles.
    fn make_room(&mut self, tiles: usize) -> Result<(), Failure> {
        if tiles <= self.capacity {
            return Ok(());
        }
        self.slabs.clear();
        self.capacity = 0;
        for tiles in self.plan.slabs(tiles).map_err(Failure::OutOfMemory)? {
            self.slabs.push(Slab::new(&self.device, &self.kernel, self.plan, tiles));
            self.device.check()?;
        }
        self.capacity = tiles;
        log::debug!("gpu: room for {tiles} tiles in {} slabs", self.slabs.len());
        Ok(())
    }

    /// Scores a batch of at least one tile: upload, one submission, readback.
    pub fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Failure> {
        let begun = Instant::now();
        let cells = candidates.shape().cells();
        self.make_room(candidates.slots() / LANES)?;
        let parts: Vec<&[u8]> =
            candidates.lanes().chunks(self.plan.slab_tiles * cells).map(bytemuck::cast_slice).collect();
        self.upload(&parts)?;
        let tiles: Vec<usize> = parts.iter().map(|part| part.len() / self.plan.tile_bytes as usize).collect();
        self.submit(&tiles);
        let submitted = Instant::now();
        self.wait_for_scores(&tiles)?;
        let done = Instant::now();
        self.download(scores)?;
        self.times = Some(BatchTimes {
            upload: submitted - begun,
            device: done - submitted,
            kernel: self.stopwatch.as_ref().and_then(Stopwatch::take),
            readback: done.elapsed(),
        });
        Ok(())
    }

    fn upload(&mut self, parts: &[&[u8]]) -> Result<(), Failure> {
        for (slab, part) in self.slabs.iter().zip(parts) {
            slab.map_upload(part);
        }
        self.device.wait()?;
        for (slab, part) in self.slabs.iter().zip(parts) {
            slab.fill_upload(part)?;
        }
        Ok(())
    }

    /// Copies in, one compute pass with all dispatches, copies out: in one submission.
    fn submit(&mut self, tiles: &[usize]) {
        let label = Some("swarmdoku scoring");
        let mut encoder = self.device.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        for (slab, tiles) in self.slabs.iter_mut().zip(tiles) {
            slab.set_counts(&self.device, *tiles);
            slab.encode_upload(&mut encoder, *tiles);
        }
        let timestamp_writes = self.stopwatch.as_ref().map(Stopwatch::writes);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes });
        pass.set_pipeline(&self.kernel.pipeline);
        for (slab, tiles) in self.slabs.iter().zip(tiles) {
            slab.encode_dispatches(&mut pass, *tiles);
        }
        drop(pass);
        for (slab, tiles) in self.slabs.iter().zip(tiles) {
            slab.encode_download(&mut encoder, *tiles);
        }
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.encode_download(&mut encoder);
        }
        self.device.queue.submit([encoder.finish()]);
    }

    fn wait_for_scores(&self, tiles: &[usize]) -> Result<(), Failure> {
        for (slab, tiles) in self.slabs.iter().zip(tiles) {
            slab.map_download(*tiles);
        }
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.map_download();
        }
        self.device.wait()
    }

    fn download(&self, scores: &mut [Score]) -> Result<(), Failure> {
        for (slab, scores) in self.slabs.iter().zip(scores.chunks_mut(self.plan.slab_tiles * LANES)) {
            slab.take_download(bytemuck::cast_slice_mut(scores))?;
        }
        Ok(())
    }
}
