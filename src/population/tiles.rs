//! Populations of candidates in tiles: the layout that searches write and all backends read.
//!
//! ```text
//!                      lane 0   lane 1            lane 31
//! tile t   cell 0    [ digit  | digit  |  . . .  | digit ]   one `Lanes`: 32 bytes, one vector load,
//!          cell 1    [ digit  | digit  |  . . .  | digit ]   or eight u32 words of four candidates each
//!            .
//!          cell n²-1 [ digit  | digit  |  . . .  | digit ]
//! tile t+1 cell 0    [ ...
//!
//! byte of (cell c, slot s) = ((s / 32) * cells + c) * 32 + s % 32
//! ```
//!
//! A candidate's place in its population is its *slot*. Slots past the population's length, in the last tile, are
//! empty grids. Scores, ages and the like are plain arrays with one entry per slot, padded to whole tiles.

use bytemuck::{Pod, Zeroable};

use crate::error::Error;
use crate::population::pages::Pages;
use crate::sudoku::{Grid, Shape};

/// Candidates in a tile.
pub const LANES: usize = 32;

/// The same cell of the 32 candidates of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Lanes(pub [u8; LANES]);

/// The number of tiles that `len` candidates fill.
pub const fn tiles_for(len: usize) -> usize {
    len.div_ceil(LANES)
}

/// Candidates of one shape, owned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Population {
    shape: Shape,
    len: usize,
    lanes: Pages<Lanes>,
}

impl Population {
    /// `len` empty grids.
    pub fn new(shape: Shape, len: usize) -> Population {
        Population { shape, len, lanes: Pages::zeroed(tiles_for(len) * shape.cells()) }
    }

    /// `len` copies of one grid.
    pub fn copies(grid: &Grid, len: usize) -> Population {
        let mut population = Population::new(grid.shape(), len);
        let tile: Vec<Lanes> = grid.cells().iter().map(|digit| Lanes([*digit; LANES])).collect();
        population.lanes.for_each_piece(tile.len(), |number, lanes| {
            lanes.copy_from_slice(&tile);
            let used = LANES.min(len - number * LANES);
            if used < LANES {
                lanes.iter_mut().for_each(|lanes| lanes.0[used..].fill(0));
            }
        });
        population
    }

    /// The population of these grids, in their order.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if one of them has another shape.
    pub fn from_grids(shape: Shape, grids: &[Grid]) -> Result<Population, Error> {
        let mut population = Population::new(shape, grids.len());
        for (slot, grid) in grids.iter().enumerate() {
            if grid.shape() != shape {
                return Err(Error::ShapeMismatch {
                    what: "a population",
                    expected: shape.to_string(),
                    found: grid.shape().to_string(),
                });
            }
            population.set(slot, grid);
        }
        Ok(population)
    }

    /// `len` candidates in these tiles, whose digits must be `0..=n`, and 0 in the slots past `len`.
    ///
    /// # Panics
    /// If `lanes` does not hold exactly the tiles that `len` candidates fill.
    pub fn from_lanes(shape: Shape, len: usize, lanes: Vec<Lanes>) -> Population {
        assert_eq!(lanes.len(), tiles_for(len) * shape.cells(), "lanes for {len} candidates of {shape}");
        Population { shape, len, lanes: Pages::Usual(lanes) }
    }

    /// The shape of every candidate.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of tiles, the last of which may be partly empty.
    pub fn tiles(&self) -> usize {
        tiles_for(self.len)
    }

    /// The number of slots: `tiles() * LANES`.
    pub fn slots(&self) -> usize {
        self.tiles() * LANES
    }

    /// All candidates, to be scored.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { shape: self.shape, len: self.len, lanes: &self.lanes }
    }

    /// The lanes of all tiles, `shape.cells()` per tile.
    pub fn lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// The lanes of all tiles, to be written. Digits must be `0..=n`; other values give an unspecified score.
    pub fn lanes_mut(&mut self) -> &mut [Lanes] {
        &mut self.lanes
    }

    /// The candidate in a slot.
    ///
    /// # Panics
    /// If `slot` is not below `len()`.
    pub fn get(&self, slot: usize) -> Grid {
        self.candidates().get(slot)
    }

    /// The digit in one cell of the candidate in a slot, 0 if it is empty.
    ///
    /// # Panics
    /// If `slot` is not below `slots()` or `cell` not below `shape().cells()`.
    #[inline]
    pub fn digit(&self, slot: usize, cell: usize) -> u8 {
        let cells = self.shape.cells();
        self.lanes[slot / LANES * cells..][..cells][cell].0[slot % LANES]
    }

    /// Puts a candidate into a slot.
    ///
    /// # Panics
    /// If `slot` is not below `len()` or the grid has another shape.
    pub fn set(&mut self, slot: usize, grid: &Grid) {
        assert!(slot < self.len, "slot {slot} of a population of {}", self.len);
        assert_eq!(grid.shape(), self.shape, "a grid of another shape");
        let cells = self.shape.cells();
        let tile = &mut self.lanes[slot / LANES * cells..][..cells];
        for (lanes, digit) in tile.iter_mut().zip(grid.cells()) {
            lanes.0[slot % LANES] = *digit;
        }
    }
}

/// Candidates of one shape, borrowed: whole tiles, to be scored.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    shape: Shape,
    len: usize,
    lanes: &'a [Lanes],
}

impl<'a> Candidates<'a> {
    /// `len` candidates in these tiles.
    ///
    /// # Panics
    /// If `lanes` does not hold exactly the tiles that `len` candidates fill.
    pub fn new(shape: Shape, len: usize, lanes: &'a [Lanes]) -> Candidates<'a> {
        assert_eq!(lanes.len(), tiles_for(len) * shape.cells(), "lanes for {len} candidates of {shape}");
        Candidates { shape, len, lanes }
    }

    /// The shape of every candidate.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// The number of candidates.
    pub fn len(self) -> usize {
        self.len
    }

    /// True if there is no candidate.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The number of slots: candidates padded to whole tiles.
    pub fn slots(self) -> usize {
        tiles_for(self.len) * LANES
    }

    /// The lanes of all tiles, `shape.cells()` per tile.
    pub fn lanes(self) -> &'a [Lanes] {
        self.lanes
    }

    /// The tiles, each `shape.cells()` lanes.
    pub fn tiles(self) -> std::slice::ChunksExact<'a, Lanes> {
        self.lanes.chunks_exact(self.shape.cells())
    }

    /// The candidate in a slot.
    ///
    /// # Panics
    /// If `slot` is not below `len()`.
    pub fn get(self, slot: usize) -> Grid {
        assert!(slot < self.len, "slot {slot} of {} candidates", self.len);
        let cells = self.shape.cells();
        let tile = &self.lanes[slot / LANES * cells..][..cells];
        let digits: Vec<u8> = tile.iter().map(|lanes| lanes.0[slot % LANES]).collect();
        Grid::new(self.shape, digits).expect("a population holds only digits of its shape")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_lies_where_the_layout_says() {
        let mut population = Population::new(Shape::NINE, 70);
        let mut grid = Grid::empty(Shape::NINE);
        grid.set(13, 7);
        population.set(45, &grid);
        let bytes: &[u8] = bytemuck::cast_slice(population.lanes());
        let at = (81 + 13) * LANES + 45 % LANES;
        assert_eq!(bytes.iter().position(|byte| *byte != 0), Some(at));
        assert_eq!((bytes[at], bytes.len()), (7, 3 * 81 * LANES));
    }

    #[test]
    fn a_slot_gives_back_the_grid_put_there_and_leaves_its_neighbours() {
        let shape = Shape::new(2, 3).unwrap();
        let grids: Vec<Grid> =
            (0..LANES + 1).map(|slot| Grid::new(shape, vec![(slot % 7) as u8; shape.cells()]).unwrap()).collect();
        let population = Population::from_grids(shape, &grids).unwrap();
        assert_eq!((population.len(), population.tiles(), population.slots()), (33, 2, 64));
        for (slot, grid) in grids.iter().enumerate() {
            assert_eq!(&population.get(slot), grid);
        }
        assert!(population.lanes()[shape.cells()..].iter().all(|lanes| lanes.0[1..].iter().all(|digit| *digit == 0)));
    }

    #[test]
    fn copies_fill_every_slot_and_no_other() {
        let grid = Grid::new(Shape::of_side(4).unwrap(), (0..16).map(|cell| cell % 5).collect::<Vec<u8>>()).unwrap();
        for len in [0, 1, LANES, LANES + 1] {
            let grids = vec![grid.clone(); len];
            assert_eq!(Population::copies(&grid, len), Population::from_grids(grid.shape(), &grids).unwrap());
        }
    }

    #[test]
    fn grids_of_another_shape_are_refused() {
        let grids = [Grid::empty(Shape::NINE)];
        assert!(matches!(Population::from_grids(Shape::of_side(4).unwrap(), &grids), Err(Error::ShapeMismatch { .. })));
    }
}
