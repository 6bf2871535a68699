//! The buffers on a device, and how a batch is cut to its limits.
//!
//! ```text
//! batch   | slab                      | slab                      | slab      |   a buffer per slab, up to the limit of a buffer
//! slab    | window  | window  | win.  |                                         a dispatch per window, up to the limit of a binding
//! window  workgroups folded into rows, up to the limit of workgroups in each dimension
//!
//! host ── upload ──copy──> candidates ──kernel, a dispatch per window──> scores ──copy──> download ── host
//!        (mapped)                                                                        (mapped)
//! ```
//!
//! Slabs and windows are cut at multiples of 8 tiles: a window's candidates and its scores then begin at multiples of 256
//! bytes, as bindings must. All slabs and windows but the last are full.
//!
//! The buffers are made once and used in every epoch. `Queue::write_buffer` would make a staging buffer in each call; here
//! the staging buffers stay. The upload buffer is mapped except between a submission and its end.

use super::adapter::GpuLimits;
use super::device::{Device, Failure};
use super::kernel::{Kernel, WORKGROUP_SIZE};
use super::staged::Staged;
use crate::population::{LANES, Lanes};
use crate::sudoku::Shape;

/// The buffers of some tiles, and the dispatches that score them.
pub(super) struct Slab {
    cut: BatchCut,
    /// Its first tile of the batch.
    first: usize,
    /// Its capacity in tiles.
    tiles: usize,
    upload: wgpu::Buffer,
    candidates: wgpu::Buffer,
    scores: wgpu::Buffer,
    download: wgpu::Buffer,
    windows: Vec<Window>,
}

/// The part of a slab that one dispatch scores.
struct Window {
    first: usize,
    tiles: usize,
    bindings: wgpu::BindGroup,
}

impl Slab {
    /// Makes the buffers for these tiles. A failure is reported by the device's next check.
    pub(super) fn new(device: &Device, kernel: &Kernel, cut: BatchCut, (first, tiles): (usize, usize)) -> Slab {
        use wgpu::BufferUsages as Usage;
        let make = |label, size, usage, mapped_at_creation| {
            device.raw.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation })
        };
        let (cell_bytes, score_bytes) = (tiles as u64 * cut.tile_bytes, tiles as u64 * SCORE_BYTES);
        let candidates = make("swarmdoku candidates", cell_bytes, Usage::STORAGE | Usage::COPY_DST, false);
        let scores = make("swarmdoku scores", score_bytes, Usage::STORAGE | Usage::COPY_SRC, false);
        let windows = cut
            .windows(tiles)
            .enumerate()
            .map(|(index, (first, tiles))| {
                let label = format!("swarmdoku window {index}");
                let buffers = [
                    part(&candidates, first as u64 * cut.tile_bytes, tiles as u64 * cut.tile_bytes),
                    part(&scores, first as u64 * SCORE_BYTES, tiles as u64 * SCORE_BYTES),
                ];
                Window { first, tiles, bindings: kernel.bind(device, &label, buffers) }
            })
            .collect();
        Slab {
            cut,
            first,
            tiles,
            upload: make("swarmdoku upload", cell_bytes, Usage::MAP_WRITE | Usage::COPY_SRC, true),
            candidates,
            scores,
            download: make("swarmdoku download", score_bytes, Usage::MAP_READ | Usage::COPY_DST, false),
            windows,
        }
    }

    /// The number of tiles that it holds of a batch.
    pub(super) fn filled(&self, batch: usize) -> usize {
        batch.saturating_sub(self.first).min(self.tiles)
    }

    /// Lends the first tiles of the upload buffer to `write`. If the device is lost, what is written is lost too.
    pub(super) fn fill(&self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<(), Failure> {
        let tile_bytes = self.cut.tile_bytes as usize;
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
    pub(super) fn encode_upload(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.upload, 0, &self.candidates, 0, tiles as u64 * self.cut.tile_bytes);
    }

    /// Records one dispatch per window that holds any of the tiles.
    pub(super) fn encode_dispatches(&self, pass: &mut wgpu::ComputePass<'_>, tiles: usize) {
        for window in self.windows.iter().take_while(|window| window.first < tiles) {
            let (x, y) = self.cut.workgroups(window.tiles.min(tiles - window.first));
            pass.set_bind_group(0, &window.bindings, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// Records the copy of the scores back to the host.
    pub(super) fn encode_download(&self, encoder: &mut wgpu::CommandEncoder, tiles: usize) {
        encoder.copy_buffer_to_buffer(&self.scores, 0, &self.download, 0, tiles as u64 * SCORE_BYTES);
    }

    /// Requests the scores of these tiles, and the upload buffer for the next batch; both are ready when the submission is
    /// done.
    pub(super) fn map(&self, tiles: usize) {
        self.download.slice(..tiles as u64 * SCORE_BYTES).map_async(wgpu::MapMode::Read, |_| ());
        self.upload.slice(..).map_async(wgpu::MapMode::Write, |_| ());
    }

    /// Copies the scores out of the mapped download buffer.
    pub(super) fn take_download(&self, scores: &mut [u8]) -> Result<(), Failure> {
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

/// Candidates that one invocation scores: the bytes of a word.
const QUAD: usize = 4;

/// Tiles are cut at multiples of this number.
const MULTIPLE: u64 = 8;

/// The most buffers of a batch. Without a bound, a driver that only promises memory, as lavapipe does, would be asked for
/// buffers until addresses run out.
const MAX_SLABS: usize = 256;

/// Bytes of a tile's scores.
pub(super) const SCORE_BYTES: u64 = (LANES * size_of::<crate::Score>()) as u64;

/// How batches of one shape are cut on one device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BatchCut {
    /// Bytes of a tile's candidates.
    pub tile_bytes: u64,
    /// Tiles of a full slab.
    pub slab_tiles: usize,
    /// Tiles of a full window.
    pub window_tiles: usize,
    max_workgroups: u32,
}

impl BatchCut {
    /// The cut that these limits allow, or a message if they are too small.
    pub(super) fn new(shape: Shape, limits: GpuLimits) -> Result<BatchCut, String> {
        let tile_bytes = (shape.cells() * size_of::<Lanes>()) as u64;
        let whole = |tiles: u64| usize::try_from(tiles / MULTIPLE * MULTIPLE).unwrap_or(usize::MAX / LANES);
        // Words are counted in 32 bits by the shader, whatever larger bindings a device offers.
        let bound = limits.max_binding_bytes.min(u64::from(u32::MAX)) / tile_bytes;
        let workgroups = u64::from(limits.max_workgroups_per_dimension).pow(2);
        let dispatched = workgroups.saturating_mul(u64::from(WORKGROUP_SIZE)) / quads(1) as u64;
        let (slab_tiles, window_tiles) = (whole(limits.max_buffer_bytes / tile_bytes), whole(bound.min(dispatched)));
        if slab_tiles == 0 || window_tiles == 0 {
            return Err(format!(
                "the device's limits ({} workgroups, {} bytes per binding, {} bytes per buffer) are too small for {MULTIPLE} \
                 tiles of {shape} candidates, {} bytes",
                workgroups,
                limits.max_binding_bytes,
                limits.max_buffer_bytes,
                MULTIPLE * tile_bytes
            ));
        }
        Ok(BatchCut { tile_bytes, slab_tiles, window_tiles, max_workgroups: limits.max_workgroups_per_dimension })
    }

    /// The first tile and the number of tiles of each slab, or a message if there are too many.
    pub(super) fn slabs(self, tiles: usize) -> Result<impl Iterator<Item = (usize, usize)>, String> {
        if tiles.div_ceil(self.slab_tiles) > MAX_SLABS {
            let gib = tiles as f64 * self.tile_bytes as f64 / f64::from(1 << 30);
            return Err(format!("{gib:.0} GiB of candidates do not fit in {MAX_SLABS} buffers"));
        }
        Ok(parts(tiles, self.slab_tiles))
    }

    /// The first tile and the number of tiles of each window of a slab.
    pub(super) fn windows(self, tiles: usize) -> impl Iterator<Item = (usize, usize)> {
        parts(tiles, self.window_tiles)
    }

    /// Workgroups in x and y that cover some tiles of a window: as few rows as possible, and as short as possible, since
    /// workgroups past the tiles are wasted.
    pub(super) fn workgroups(self, tiles: usize) -> (u32, u32) {
        let workgroups = quads(tiles).div_ceil(WORKGROUP_SIZE);
        let rows = workgroups.div_ceil(self.max_workgroups);
        (workgroups.div_ceil(rows.max(1)), rows)
    }
}

/// Invocations for these tiles.
fn quads(tiles: usize) -> u32 {
    (tiles * (LANES / QUAD)) as u32
}

/// The first tile and the number of tiles of each part.
fn parts(tiles: usize, part: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..tiles).step_by(part).map(move |first| (first, part.min(tiles - first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: GpuLimits =
        GpuLimits { max_workgroups_per_dimension: 65_535, max_binding_bytes: 128 << 20, max_buffer_bytes: 256 << 20 };

    fn cut_by(limits: GpuLimits) -> BatchCut {
        BatchCut::new(Shape::NINE, limits).unwrap()
    }

    #[test]
    fn a_batch_within_all_limits_is_one_dispatch() {
        let cut = cut_by(DEFAULTS);
        assert_eq!(cut.slabs(50_000).unwrap().collect::<Vec<_>>(), [(0, 50_000)]);
        assert_eq!(cut.windows(50_000).collect::<Vec<_>>(), [(0, 50_000)]);
        assert_eq!(cut.workgroups(50_000), (6_250, 1));
    }

    #[test]
    fn windows_are_cut_where_a_binding_ends_and_begin_at_multiples_of_256_bytes() {
        let cut = cut_by(DEFAULTS);
        let windows: Vec<_> = cut.windows(62_500).collect();
        assert_eq!(windows, [(0, 51_776), (51_776, 10_724)]);
        for (first, tiles) in windows {
            let offsets = [first as u64 * cut.tile_bytes, first as u64 * SCORE_BYTES];
            assert!(offsets.iter().all(|offset| offset.is_multiple_of(256)), "{offsets:?}");
            assert!(tiles as u64 * cut.tile_bytes <= DEFAULTS.max_binding_bytes);
        }
    }

    #[test]
    fn slabs_are_cut_where_a_buffer_ends_and_lose_no_tile() {
        let cut = cut_by(GpuLimits { max_buffer_bytes: 100_000, ..DEFAULTS });
        assert_eq!(cut.slabs(70).unwrap().collect::<Vec<_>>(), [(0, 32), (32, 32), (64, 6)]);
        assert!(cut.slab_tiles as u64 * cut.tile_bytes <= 100_000);
    }

    #[test]
    fn a_capacity_beyond_all_memory_is_refused_before_allocation() {
        let message = cut_by(DEFAULTS).slabs(usize::MAX / LANES).err().unwrap();
        assert!(message.contains("GiB of candidates"), "{message}");
        assert!(cut_by(DEFAULTS).slabs(MAX_SLABS * cut_by(DEFAULTS).slab_tiles).is_ok());
    }

    #[test]
    fn workgroups_are_folded_into_rows_past_the_limit_and_cut_past_its_square() {
        let cut = cut_by(GpuLimits { max_workgroups_per_dimension: 3, ..DEFAULTS });
        assert_eq!(cut.workgroups(24), (3, 1));
        assert_eq!(cut.workgroups(25), (2, 2), "four workgroups, not six");
        assert_eq!(cut.workgroups(41), (3, 2));
        assert_eq!(cut.workgroups(0), (0, 0));
        assert_eq!(cut.windows(100).collect::<Vec<_>>(), [(0, 72), (72, 28)]);
        assert_eq!(cut.workgroups(72), (3, 3));
    }

    #[test]
    fn limits_that_allow_nothing_are_named() {
        for limits in [
            GpuLimits { max_workgroups_per_dimension: 0, ..DEFAULTS },
            GpuLimits { max_binding_bytes: 20_735, ..DEFAULTS },
            GpuLimits { max_buffer_bytes: 20_735, ..DEFAULTS },
        ] {
            let message = BatchCut::new(Shape::NINE, limits).unwrap_err();
            assert!(message.contains("20736 bytes"), "{message}");
        }
        assert_eq!(cut_by(GpuLimits { max_binding_bytes: 20_736, ..DEFAULTS }).window_tiles, 8);
    }

    #[test]
    fn every_shape_is_cut_within_the_least_limits_a_device_may_have() {
        for shape in Shape::all() {
            let cut = BatchCut::new(shape, DEFAULTS).unwrap();
            assert!(cut.tile_bytes >= SCORE_BYTES, "scores of {shape} are not larger than candidates");
        }
    }
}
