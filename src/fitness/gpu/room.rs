//! Room for one batch on its way: buffers of its own, so that the host fills one room while the device works in another.

use std::time::{Duration, Instant};

use super::device::{Device, Failure};
use super::kernel::Kernel;
use super::plan::Plan;
use super::slab::Slab;
use super::staged::Staged;
use super::stopwatch::Stopwatch;
use crate::fitness::{BatchTimes, Score};
use crate::population::LANES;

/// The buffers that a batch needs, and the batch in them.
pub(super) struct Room {
    slabs: Vec<Slab>,
    /// Tiles that the slabs hold.
    capacity: usize,
    stopwatch: Option<Stopwatch>,
    batch: Option<Batch>,
}

/// A batch under way.
struct Batch {
    tiles: usize,
    upload: Duration,
    submitted: Instant,
    /// The submission to wait for, or why nothing was submitted.
    submission: Result<wgpu::SubmissionIndex, Failure>,
}

impl Room {
    /// A room without space.
    pub fn new(device: &Device) -> Room {
        Room { slabs: Vec::new(), capacity: 0, stopwatch: Stopwatch::new(device), batch: None }
    }

    /// The slots of the batch under way, none if the room is free.
    pub fn slots(&self) -> Option<usize> {
        self.batch.as_ref().map(|batch| batch.tiles * LANES)
    }

    /// Makes the buffers anew if they hold fewer than so many tiles.
    pub fn make_space(&mut self, device: &Device, kernel: &Kernel, plan: Plan, tiles: usize) -> Result<(), Failure> {
        if tiles <= self.capacity {
            return Ok(());
        }
        self.slabs.clear();
        self.capacity = 0;
        for slab in plan.slabs(tiles).map_err(Failure::OutOfMemory)? {
            self.slabs.push(Slab::new(device, kernel, plan, slab));
            device.check()?;
        }
        self.capacity = tiles;
        log::debug!("gpu: room for {tiles} tiles in {} slabs", self.slabs.len());
        Ok(())
    }

    /// Has a batch of so many tiles, for which there is space, filled and scored.
    pub fn submit(&mut self, device: &Device, kernel: &Kernel, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) {
        let begun = Instant::now();
        let commands = self.fill(tiles, write).map(|()| self.encode(device, kernel, tiles));
        // Submission counts as the device's time, because where an interface queues nothing, the work is done in it.
        let submitted = Instant::now();
        let submission = commands.map(|commands| device.queue.submit([commands]));
        if submission.is_ok() {
            self.map(tiles);
        }
        self.batch = Some(Batch { tiles, upload: submitted - begun, submitted, submission });
    }

    /// The slabs that hold any of so many tiles, and how many of them.
    fn filled(&self, tiles: usize) -> impl Iterator<Item = (&Slab, usize)> {
        self.slabs.iter().map(move |slab| (slab, slab.filled(tiles))).take_while(|(_, filled)| *filled > 0)
    }

    /// Has every slab filled, whatever fails: the tiles are asked for once.
    fn fill(&self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<(), Failure> {
        self.filled(tiles).map(|(slab, tiles)| slab.fill(tiles, write)).fold(Ok(()), Result::and)
    }

    /// Copies in, one compute pass with all dispatches, copies out.
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

    /// Asks for everything to be mapped that the host touches next.
    fn map(&self, tiles: usize) {
        for (slab, tiles) in self.filled(tiles) {
            slab.map(tiles);
        }
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.map_download();
        }
    }

    /// Waits for the batch under way and takes its scores, as many as it has slots. The room is free then, unless it failed.
    pub fn finish(&mut self, device: &Device, scores: &mut [Score]) -> Result<BatchTimes, Failure> {
        let nothing = || Failure::Refused("a room without a batch was to be finished".to_string());
        let batch = self.batch.take().ok_or_else(nothing)?;
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
