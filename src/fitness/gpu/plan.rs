//! How a batch is cut to a device's limits, as arithmetic alone.
//!
//! ```text
//! batch   | slab                      | slab                      | slab      |   a buffer each: at most a buffer's limit
//! slab    | window  | window  | win.  |                                         a dispatch each: at most a binding's limit
//! window  workgroups folded into rows: at most the limit of workgroups in each dimension
//! ```
//!
//! Slabs and windows are cut at multiples of 8 tiles: then a window's candidates and its scores begin at multiples of
//! 256 bytes, as bindings must. All slabs and windows but the last are full.

use super::kernel::WORKGROUP_SIZE;
use super::limits::GpuLimits;
use crate::population::{LANES, Lanes};
use crate::sudoku::Shape;

/// Candidates that one invocation scores: the bytes of a word.
const QUAD: usize = 4;

/// Tiles are cut in multiples of so many.
const CUT: u64 = 8;

/// More buffers than this, and a capacity is a mistake: without a bound, a driver that only promises memory, as lavapipe
/// does, would be asked for buffer after buffer until addresses run out.
const MAX_SLABS: usize = 256;

/// Bytes of a tile's scores.
pub(super) const SCORE_BYTES: u64 = (LANES * size_of::<crate::Score>()) as u64;

/// The cutting rule for candidates of one shape on one device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Bytes of a tile's candidates.
    pub tile_bytes: u64,
    /// Tiles of a full slab.
    pub slab_tiles: usize,
    /// Tiles of a full window.
    pub window_tiles: usize,
    max_workgroups: u32,
}

impl Plan {
    /// The rule that these limits allow, or which limit is too small.
    pub fn new(shape: Shape, limits: GpuLimits) -> Result<Plan, String> {
        let tile_bytes = (shape.cells() * size_of::<Lanes>()) as u64;
        let whole = |tiles: u64| usize::try_from(tiles / CUT * CUT).unwrap_or(usize::MAX / LANES);
        // Words are counted in 32 bits by the shader, whatever larger bindings a device offers.
        let bound = limits.max_binding_bytes.min(u64::from(u32::MAX)) / tile_bytes;
        let workgroups = u64::from(limits.max_workgroups_per_dimension).pow(2);
        let dispatched = workgroups.saturating_mul(u64::from(WORKGROUP_SIZE)) / quads(1) as u64;
        let (slab_tiles, window_tiles) = (whole(limits.max_buffer_bytes / tile_bytes), whole(bound.min(dispatched)));
        if slab_tiles == 0 || window_tiles == 0 {
            return Err(format!(
                "the device's limits ({} workgroups, {} bytes a binding, {} bytes a buffer) do not even allow {CUT} \
                 tiles of {shape} candidates, {} bytes",
                workgroups,
                limits.max_binding_bytes,
                limits.max_buffer_bytes,
                CUT * tile_bytes
            ));
        }
        Ok(Plan { tile_bytes, slab_tiles, window_tiles, max_workgroups: limits.max_workgroups_per_dimension })
    }

    /// The first tile and the tiles of each slab of a capacity of so many tiles, or why no device can have it.
    pub fn slabs(self, tiles: usize) -> Result<impl Iterator<Item = (usize, usize)>, String> {
        if tiles.div_ceil(self.slab_tiles) > MAX_SLABS {
            let gib = tiles as f64 * self.tile_bytes as f64 / f64::from(1 << 30);
            return Err(format!("{gib:.0} GiB of candidates do not fit in {MAX_SLABS} buffers"));
        }
        Ok(cut(tiles, self.slab_tiles))
    }

    /// The first tile and the tiles of each window of a slab of so many tiles.
    pub fn windows(self, tiles: usize) -> impl Iterator<Item = (usize, usize)> {
        cut(tiles, self.window_tiles)
    }

    /// Workgroups in x and y that cover some tiles of a window: as few rows as there may be, and those as short as they
    /// may be, since workgroups past the tiles work in vain.
    pub fn workgroups(self, tiles: usize) -> (u32, u32) {
        let workgroups = quads(tiles).div_ceil(WORKGROUP_SIZE);
        let rows = workgroups.div_ceil(self.max_workgroups);
        (workgroups.div_ceil(rows.max(1)), rows)
    }
}

/// Invocations that so many tiles take.
fn quads(tiles: usize) -> u32 {
    (tiles * (LANES / QUAD)) as u32
}

/// First tile and tiles of each part when `tiles` are cut every `part`.
fn cut(tiles: usize, part: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..tiles).step_by(part).map(move |first| (first, part.min(tiles - first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: GpuLimits =
        GpuLimits { max_workgroups_per_dimension: 65_535, max_binding_bytes: 128 << 20, max_buffer_bytes: 256 << 20 };

    fn plan(limits: GpuLimits) -> Plan {
        Plan::new(Shape::NINE, limits).unwrap()
    }

    #[test]
    fn a_batch_within_all_limits_is_one_dispatch() {
        let plan = plan(DEFAULTS);
        assert_eq!(plan.slabs(50_000).unwrap().collect::<Vec<_>>(), [(0, 50_000)]);
        assert_eq!(plan.windows(50_000).collect::<Vec<_>>(), [(0, 50_000)]);
        assert_eq!(plan.workgroups(50_000), (6_250, 1));
    }

    #[test]
    fn windows_are_cut_where_a_binding_ends_and_begin_at_multiples_of_256_bytes() {
        let plan = plan(DEFAULTS);
        let windows: Vec<_> = plan.windows(62_500).collect();
        assert_eq!(windows, [(0, 51_776), (51_776, 10_724)]);
        for (first, tiles) in windows {
            let offsets = [first as u64 * plan.tile_bytes, first as u64 * SCORE_BYTES];
            assert!(offsets.iter().all(|offset| offset.is_multiple_of(256)), "{offsets:?}");
            assert!(tiles as u64 * plan.tile_bytes <= DEFAULTS.max_binding_bytes);
        }
    }

    #[test]
    fn slabs_are_cut_where_a_buffer_ends_and_lose_no_tile() {
        let plan = plan(GpuLimits { max_buffer_bytes: 100_000, ..DEFAULTS });
        assert_eq!(plan.slabs(70).unwrap().collect::<Vec<_>>(), [(0, 32), (32, 32), (64, 6)]);
        assert!(plan.slab_tiles as u64 * plan.tile_bytes <= 100_000);
    }

    #[test]
    fn a_capacity_past_all_memory_is_refused_before_anything_is_allocated() {
        let message = plan(DEFAULTS).slabs(usize::MAX / LANES).err().unwrap();
        assert!(message.contains("GiB of candidates"), "{message}");
        assert!(plan(DEFAULTS).slabs(MAX_SLABS * plan(DEFAULTS).slab_tiles).is_ok());
    }

    #[test]
    fn workgroups_are_folded_into_rows_past_the_limit_and_cut_past_its_square() {
        let plan = plan(GpuLimits { max_workgroups_per_dimension: 3, ..DEFAULTS });
        assert_eq!(plan.workgroups(24), (3, 1));
        assert_eq!(plan.workgroups(25), (2, 2), "four workgroups, not six");
        assert_eq!(plan.workgroups(41), (3, 2));
        assert_eq!(plan.workgroups(0), (0, 0));
        assert_eq!(plan.windows(100).collect::<Vec<_>>(), [(0, 72), (72, 28)]);
        assert_eq!(plan.workgroups(72), (3, 3));
    }

    #[test]
    fn limits_that_allow_nothing_are_named() {
        for limits in [
            GpuLimits { max_workgroups_per_dimension: 0, ..DEFAULTS },
            GpuLimits { max_binding_bytes: 20_735, ..DEFAULTS },
            GpuLimits { max_buffer_bytes: 20_735, ..DEFAULTS },
        ] {
            let message = Plan::new(Shape::NINE, limits).unwrap_err();
            assert!(message.contains("20736 bytes"), "{message}");
        }
        assert_eq!(plan(GpuLimits { max_binding_bytes: 20_736, ..DEFAULTS }).window_tiles, 8);
    }

    #[test]
    fn every_shape_has_a_plan_within_the_least_limits_a_device_may_have() {
        for shape in Shape::all() {
            let plan = Plan::new(shape, DEFAULTS).unwrap();
            assert!(plan.tile_bytes >= SCORE_BYTES, "scores of {shape} need no more room than candidates");
        }
    }
}
