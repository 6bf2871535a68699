//! The buffers of one slab of tiles, made once and used in every epoch.
//!
//! ```text
//! host ── upload ──copy──> candidates ──kernel, a dispatch a window──> scores ──copy──> download ── host
//!        (mapped)                                                                       (mapped)
//! ```
//!
//! `Queue::write_buffer` would make a staging buffer in each call; here both staging buffers stay.

use super::device::{Device, Failure};
use super::kernel::Kernel;
use super::plan::{self, Plan, SCORE_BYTES};

/// Bytes from one window's count to the next: the alignment that every adapter takes for a uniform binding.
const COUNT_STRIDE: u64 = 256;

/// Room for some tiles on the device, and the dispatches that score them.
pub(super) struct Slab {
    plan: Plan,
    upload: wgpu::Buffer,
    candidates: wgpu::Buffer,
    scores: wgpu::Buffer,
    download: wgpu::Buffer,
    counts: wgpu::Buffer,
    windows: Vec<Window>,
    /// Tiles that the counts on the device stand for.
    counted: usize,
}

/// What one dispatch may see of a slab.
struct Window {
    first: usize,
    tiles: usize,
    bindings: wgpu::BindGroup,
}

impl Slab {
    /// Makes room for so many tiles. What went wrong is reported by the device's next check.
    pub fn new(device: &Device, kernel: &Kernel, plan: Plan, tiles: usize) -> Slab {
        use wgpu::BufferUsages as Usage;
        let make = |label, size, usage| {
            device.raw.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let (cell_bytes, score_bytes) = (tiles as u64 * plan.tile_bytes, tiles as u64 * SCORE_BYTES);
        let count_bytes = plan.windows(tiles).count() as u64 * COUNT_STRIDE;
        let candidates = make("swarmdoku candidates", cell_bytes, Usage::STORAGE | Usage::COPY_DST);
        let scores = make("swarmdoku scores", score_bytes, Usage::STORAGE | Usage::COPY_SRC);
        let counts = make("swarmdoku counts", count_bytes, Usage::UNIFORM | Usage::COPY_DST);
        let windows = plan
            .windows(tiles)
            .enumerate()
            .map(|(index, (first, tiles))| {
                let label = format!("swarmdoku window {index}");
                let buffers = [
                    part(&candidates, first as u64 * plan.tile_bytes, tiles as u64 * plan.tile_bytes),
                    part(&scores, first as u64 * SCORE_BYTES, tiles as u64 * SCORE_BYTES),
                    part(&counts, index as u64 * COUNT_STRIDE, size_of::<u32>() as u64),
                ];
                Window { first, tiles, bindings: kernel.bind(device, &label, buffers) }
            })
            .collect();
        Slab {
            plan,
            upload: make("swarmdoku upload", cell_bytes, Usage::MAP_WRITE | Usage::COPY_SRC),
            candidates,
            scores,
            download: make("swarmdoku download", score_bytes, Usage::MAP_READ | Usage::COPY_DST),
            counts,
            windows,
            counted: 0,
        }
    }

    /// Asks for the upload buffer's first bytes; they are there after the device's next wait.
    pub fn map_upload(&self, bytes: &[u8]) {
        self.upload.slice(..bytes.len() as u64).map_async(wgpu::MapMode::Write, |_| ());
    }

    /// Fills the mapped upload buffer.
    pub fn fill_upload(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut view = self.upload.get_mapped_range_mut(..bytes.len() as u64).map_err(refused)?;
        view.copy_from_slice(bytes);
        drop(view);
        self.upload.unmap();
        Ok(())
    }

    /// Tells the windows how much of them `tiles` tiles fill, if that has changed.
    pub fn set_counts(&mut self, device: &Device, tiles: usize) {
        if self.counted == tiles {
            return;
        }
        let mut records = vec![0u8; self.counts.size() as usize];
        for (record, window) in records.chunks_exact_mut(COUNT_STRIDE as usize).zip(&self.windows) {
            record[..size_of::<u32>()].copy_from_slice(&plan::quads(window.filled(tiles)).to_ne_bytes());
        }
        device.queue.write_buffer(&self.counts, 0, &records);
        self.counted = tiles;
    }

    /// Records the copy of the candidates to the device.
    pub fn encode_upload(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.upload, 0, &self.candidates, 0, tiles as u64 * self.plan.tile_bytes);
    }

    /// Records one dispatch for each window that holds any of the tiles.
    pub fn encode_dispatches(&self, pass: &mut wgpu::ComputePass<'_>, tiles: usize) {
        for window in self.windows.iter().take_while(|window| window.first < tiles) {
            let (x, y) = self.plan.workgroups(window.filled(tiles));
            pass.set_bind_group(0, &window.bindings, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// Records the copy of the scores back to the host.
    pub fn encode_download(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.scores, 0, &self.download, 0, tiles as u64 * SCORE_BYTES);
    }

    /// Asks for the scores of so many tiles; they are there after the device's next wait.
    pub fn map_download(&self, tiles: usize) {
        self.download.slice(..tiles as u64 * SCORE_BYTES).map_async(wgpu::MapMode::Read, |_| ());
    }

    /// Takes the scores out of the mapped download buffer.
    pub fn take_download(&self, scores: &mut [u8]) -> Result<(), Failure> {
        let view = self.download.get_mapped_range(..scores.len() as u64).map_err(refused)?;
        scores.copy_from_slice(&view);
        drop(view);
        self.download.unmap();
        Ok(())
    }
}

impl Window {
    /// Tiles of this window among the slab's first `tiles`.
    fn filled(&self, tiles: usize) -> usize {
        tiles.saturating_sub(self.first).min(self.tiles)
    }
}

fn part(buffer: &wgpu::Buffer, offset: u64, size: u64) -> wgpu::BufferBinding<'_> {
    wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(size) }
}

fn refused(error: wgpu::MapRangeError) -> Failure {
    Failure::Refused(format!("a buffer could not be mapped: {error}"))
}
