//! Staging memory: tiles that the host writes once and never reads.

use rayon::join;
use wgpu::WriteOnly;

use crate::population::Lanes;
use crate::sudoku::Shape;

/// Bytes that one thread copies at a time.
const TASK_BYTES: usize = 1 << 20;

/// Successive tiles of staging memory, which any thread can fill.
pub struct Staged<'a> {
    tile_bytes: usize,
    tiles: usize,
    memory: Memory<'a>,
}

/// The memory of the tiles.
enum Memory<'a> {
    Mapped(Bytes<'a>),
    /// None: the device is lost, and writing has no effect. The batch reports the loss when it is finished.
    Lost,
}

/// Bytes that are only written.
struct Bytes<'a>(WriteOnly<'a, [u8]>);

// SAFETY: a `WriteOnly<[u8]>` is an exclusive borrow of bytes, like `&mut [u8]`, which can be sent to another thread; wgpu
// implements `Send` for sized contents only.
unsafe impl Send for Bytes<'_> {}

impl<'a> Staged<'a> {
    /// Whole tiles in mapped memory.
    pub(super) fn mapped(tile_bytes: usize, bytes: WriteOnly<'a, [u8]>) -> Staged<'a> {
        Staged { tile_bytes, tiles: bytes.len() / tile_bytes, memory: Memory::Mapped(Bytes(bytes)) }
    }

    /// Tiles of a lost device.
    pub(super) fn lost(tile_bytes: usize, tiles: usize) -> Staged<'a> {
        Staged { tile_bytes, tiles, memory: Memory::Lost }
    }

    /// Tiles in the host's memory, for scorers without a memory of their own.
    ///
    /// # Panics
    /// If `lanes` does not hold whole tiles of this shape.
    pub fn on_host(shape: Shape, lanes: &'a mut [Lanes]) -> Staged<'a> {
        assert!(lanes.len().is_multiple_of(shape.cells()), "{} lanes of {shape}", lanes.len());
        Staged::mapped(size_of::<Lanes>() * shape.cells(), WriteOnly::from_mut(bytemuck::cast_slice_mut(lanes)))
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Splits after the first `tiles` tiles.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn split_at(self, tiles: usize) -> (Staged<'a>, Staged<'a>) {
        let Staged { tile_bytes, tiles: all, memory } = self;
        assert!(tiles <= all, "{tiles} of {all} tiles");
        let (front, back) = match memory {
            Memory::Mapped(Bytes(bytes)) => {
                let (front, back) = bytes.split_at(tiles * tile_bytes);
                (Memory::Mapped(Bytes(front)), Memory::Mapped(Bytes(back)))
            }
            Memory::Lost => (Memory::Lost, Memory::Lost),
        };
        (Staged { tile_bytes, tiles, memory: front }, Staged { tile_bytes, tiles: all - tiles, memory: back })
    }

    /// Fills one tile.
    ///
    /// # Panics
    /// If there is no such tile, or `lanes` is not one.
    pub fn write(&mut self, tile: usize, lanes: &[Lanes]) {
        if let Memory::Mapped(Bytes(bytes)) = &mut self.memory {
            let begin = tile * self.tile_bytes;
            bytes.slice(begin..begin + self.tile_bytes).copy_from_slice(bytemuck::cast_slice(lanes));
        }
    }

    /// Fills all tiles, on all cores.
    ///
    /// # Panics
    /// If `lanes` does not hold as many tiles.
    pub fn write_all(mut self, lanes: &[Lanes]) {
        if self.tiles > 1 && self.tiles * self.tile_bytes > TASK_BYTES {
            let tiles = self.tiles / 2;
            let lanes = lanes.split_at(tiles * (self.tile_bytes / size_of::<Lanes>()));
            let (front, back) = self.split_at(tiles);
            join(|| front.write_all(lanes.0), || back.write_all(lanes.1));
        } else if let Memory::Mapped(Bytes(bytes)) = &mut self.memory {
            bytes.copy_from_slice(bytemuck::cast_slice(lanes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::sample::{CandidateKind, candidate};
    use crate::population::{LANES, Population};

    fn population(len: usize) -> Population {
        let grids: Vec<_> = (0..len as u32).map(|k| candidate(Shape::NINE, CandidateKind::Random, 1, k)).collect();
        Population::from_grids(Shape::NINE, &grids).unwrap()
    }

    #[test]
    fn tiles_are_written_to_their_places_in_every_cut() {
        let source = population(5 * LANES);
        let mut target = Population::new(Shape::NINE, 5 * LANES);
        let (mut front, back) = Staged::on_host(Shape::NINE, target.lanes_mut()).split_at(2);
        assert_eq!((front.tiles(), back.tiles()), (2, 3));
        for tile in [1, 0] {
            front.write(tile, &source.lanes()[tile * 81..][..81]);
        }
        back.write_all(&source.lanes()[2 * 81..]);
        assert_eq!(target, source);
    }

    #[test]
    fn a_copy_by_several_threads_is_complete() {
        let pattern = population(37);
        let len = 4 * TASK_BYTES / 81;
        let mut source = Population::new(Shape::NINE, len);
        (0..len).for_each(|slot| source.set(slot, &pattern.get(slot % 37)));
        let mut target = Population::new(Shape::NINE, len);
        Staged::on_host(Shape::NINE, target.lanes_mut()).write_all(source.lanes());
        assert_eq!(target, source);
    }

    #[test]
    fn writing_to_a_lost_device_has_no_effect() {
        let source = population(3 * LANES);
        let (mut front, back) = Staged::lost(81 * LANES, 3).split_at(1);
        assert_eq!((front.tiles(), back.tiles()), (1, 2));
        front.write(0, &source.lanes()[..81]);
        back.write_all(&source.lanes()[81..]);
    }
}
