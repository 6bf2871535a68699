//! The buffers of one slab of tiles, made once and used in every epoch.
//!
//! ```text
//! host ── upload ──copy──> candidates ──kernel, a dispatch a window──> scores ──copy──> download ── host
//!        (mapped)                                                                       (mapped)
//! ```
//!
//! `Queue::write_buffer` would make a staging buffer in each call; here both staging buffers stay. The upload buffer is
//! mapped from its making, but for the time between a submission and its end.

use super::device::{Device, Failure};
use super::kernel::Kernel;
use super::plan::{Plan, SCORE_BYTES};
use super::staged::Staged;

/// Room for some tiles on the device, and the dispatches that score them.
pub(super) struct Slab {
    plan: Plan,
    /// The first tile of the batch that it holds.
    first: usize,
    /// Tiles that it can hold.
    tiles: usize,
    upload: wgpu::Buffer,
    candidates: wgpu::Buffer,
    scores: wgpu::Buffer,
    download: wgpu::Buffer,
    windows: Vec<Window>,
}

/// The part of a slab that one dispatch sees. The kernel scores all the tiles it sees that a workgroup is dispatched for.
struct Window {
    first: usize,
    tiles: usize,
    bindings: wgpu::BindGroup,
}

impl Slab {
    /// Makes room for so many tiles. What went wrong is reported by the device's next check.
    pub fn new(device: &Device, kernel: &Kernel, plan: Plan, (first, tiles): (usize, usize)) -> Slab {
        use wgpu::BufferUsages as Usage;
        let make = |label, size, usage, mapped_at_creation| {
            device.raw.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation })
        };
        let (cell_bytes, score_bytes) = (tiles as u64 * plan.tile_bytes, tiles as u64 * SCORE_BYTES);
        let candidates = make("swarmdoku candidates", cell_bytes, Usage::STORAGE | Usage::COPY_DST, false);
        let scores = make("swarmdoku scores", score_bytes, Usage::STORAGE | Usage::COPY_SRC, false);
        let windows = plan
            .windows(tiles)
            .enumerate()
            .map(|(index, (first, tiles))| {
                let label = format!("swarmdoku window {index}");
                let buffers = [
                    part(&candidates, first as u64 * plan.tile_bytes, tiles as u64 * plan.tile_bytes),
                    part(&scores, first as u64 * SCORE_BYTES, tiles as u64 * SCORE_BYTES),
                ];
                Window { first, tiles, bindings: kernel.bind(device, &label, buffers) }
            })
            .collect();
        Slab {
            plan,
            first,
            tiles,
            upload: make("swarmdoku upload", cell_bytes, Usage::MAP_WRITE | Usage::COPY_SRC, true),
            candidates,
            scores,
            download: make("swarmdoku download", score_bytes, Usage::MAP_READ | Usage::COPY_DST, false),
            windows,
        }
    }

    /// How many of a batch's tiles it holds.
    pub fn filled(&self, batch: usize) -> usize {
        batch.saturating_sub(self.first).min(self.tiles)
    }

    /// Lends the upload buffer's first tiles to `write`; or, if the device is gone and with it the buffer, none that last.
    pub fn fill(&self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<(), Failure> {
        let tile_bytes = self.plan.tile_bytes as usize;
        match self.upload.get_mapped_range_mut(..(tiles * tile_bytes) as u64) {
            Ok(mut view) => {
                write(Staged::mapped(tile_bytes, view.slice(..)));
                drop(view);
                self.upload.unmap();
                Ok(())
            }
            Err(error) => {
                write(Staged::lost(tile_bytes, tiles));
                Err(refused(error))
            }
        }
    }

    /// Records the copy of the candidates to the device.
    pub fn encode_upload(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.upload, 0, &self.candidates, 0, tiles as u64 * self.plan.tile_bytes);
    }

    /// Records one dispatch for each window that holds any of the tiles.
    pub fn encode_dispatches(&self, pass: &mut wgpu::ComputePass<'_>, tiles: usize) {
        for window in self.windows.iter().take_while(|window| window.first < tiles) {
            let (x, y) = self.plan.workgroups(window.tiles.min(tiles - window.first));
            pass.set_bind_group(0, &window.bindings, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// Records the copy of the scores back to the host.
    pub fn encode_download(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.scores, 0, &self.download, 0, tiles as u64 * SCORE_BYTES);
    }

    /// Asks for the scores of so many tiles, and for the upload buffer to be filled anew; both are there when what was
    /// submitted is done.
    pub fn map(&self, tiles: usize) {
        self.download.slice(..tiles as u64 * SCORE_BYTES).map_async(wgpu::MapMode::Read, |_| ());
        self.upload.slice(..).map_async(wgpu::MapMode::Write, |_| ());
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

fn part(buffer: &wgpu::Buffer, offset: u64, size: u64) -> wgpu::BufferBinding<'_> {
    wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(size) }
}

fn refused(error: wgpu::MapRangeError) -> Failure {
    Failure::Refused(format!("a buffer could not be mapped: {error}"))
}
