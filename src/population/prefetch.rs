//! Prefetching of tiles. A kernel reads a tile in strips and more than once, which no hardware prefetcher follows.
//!
//! Lines are asked for one at a time between the loads of the tile at hand. All lines of a tile at once would fill the
//! processor's list of lines under way, which holds 16 or so, and every load behind them would wait.

use crate::population::{LANES, Lanes};

/// The size of a population, in bytes, that is taken to fit in cache. Prefetching costs a fifth there and gains nothing.
pub(crate) const IN_CACHE: usize = 8 * 1024 * 1024;

/// Lanes between the tile that is proposed and the one prefetched: two 9x9 tiles, 5 KiB, some hundred nanoseconds of work.
const AHEAD: usize = 162;

/// Lanes between the end of the tile that is read and the line that its reader asks for: three 9x9 tiles, 8 KiB, half a
/// microsecond at the memory's bandwidth.
const READ_AHEAD: usize = 243;

/// Lanes in a cache line of 64 bytes.
const LINE: usize = 64 / LANES;

/// The place that tiles are read from: says what a kernel does beside each load.
pub(crate) trait Source: Copy {
    /// Asks for a line of a tile to come. To be called for `cell` 0, 1, 2 up to the number of lanes of the tile at hand.
    fn ask_ahead(self, tile: &[Lanes], cell: usize);
}

/// Tiles are in cache: nothing is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Cache;

impl Source for Cache {
    #[inline(always)]
    fn ask_ahead(self, _tile: &[Lanes], _cell: usize) {}
}

/// Tiles are in memory. Lines are brought to the second-level cache, which has more of them under way than the first.
#[derive(Clone, Copy)]
pub(crate) struct Memory;

impl Source for Memory {
    #[inline(always)]
    fn ask_ahead(self, tile: &[Lanes], cell: usize) {
        if cell.is_multiple_of(LINE) {
            prefetch_line_to_second_level(tile.as_ptr().wrapping_add(tile.len() + READ_AHEAD + cell));
        }
    }
}

/// Prefetches the tile that lies [`AHEAD`] of this one, if there is one.
#[inline(always)]
pub(crate) fn prefetch_ahead(lanes: &[Lanes], tile: usize, cells: usize) {
    let ahead = lanes.get(tile * cells + AHEAD..).unwrap_or_default();
    for line in ahead[..cells.min(ahead.len())].chunks(LINE) {
        prefetch_line(line.as_ptr());
    }
}

/// Asks for a line where the machine can, for all caches.
#[inline(always)]
pub(crate) fn prefetch_line<T>(line: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and faults at no address, and SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Asks for a line where the machine can, for the second-level cache and those behind it.
#[inline(always)]
fn prefetch_line_to_second_level<T>(line: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and faults at no address, and SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
