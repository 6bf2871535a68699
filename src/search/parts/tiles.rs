//! Successive tiles of a search that walks by swaps: what every such search keeps of its slots, and how it is cut.

use super::step::Moves;
use crate::fitness::Score;
use crate::population::prefetch::prefetch_ahead;
use crate::population::{LANES, Lanes, Population};

/// The individuals of some tiles, their scores, and the moves that they made.
pub(crate) struct Tiles<'a> {
    /// The first slot.
    first: usize,
    /// Lanes of a tile.
    cells: usize,
    lanes: &'a mut [Lanes],
    scores: &'a mut [[Score; LANES]],
    moves: &'a mut [Moves],
}

/// One of them.
pub(crate) struct Tile<'a> {
    pub lanes: &'a mut [Lanes],
    pub scores: &'a mut [Score; LANES],
    pub moves: &'a mut Moves,
}

impl<'a> Tiles<'a> {
    /// All tiles of a population.
    pub(crate) fn new(population: &'a mut Population, scores: &'a mut [Score], moves: &'a mut [Moves]) -> Tiles<'a> {
        let cells = population.shape().cells();
        Tiles { first: 0, cells, lanes: population.lanes_mut(), scores: scores.as_chunks_mut().0, moves }
    }

    /// The number of tiles.
    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The first `tiles` tiles, and the others.
    pub(crate) fn split_at(self, tiles: usize) -> (Self, Self) {
        let Tiles { first, cells, lanes, scores, moves } = self;
        let (lanes, other_lanes) = lanes.split_at_mut(tiles * cells);
        let (scores, other_scores) = scores.split_at_mut(tiles);
        let (moves, other_moves) = moves.split_at_mut(tiles);
        let others = first + tiles * LANES;
        (
            Tiles { first, cells, lanes, scores, moves },
            Tiles { first: others, cells, lanes: other_lanes, scores: other_scores, moves: other_moves },
        )
    }

    /// The first slot of a tile.
    #[inline(always)]
    pub(crate) fn first_slot(&self, tile: usize) -> usize {
        self.first + tile * LANES
    }

    /// Asks the memory for a tile that is soon to be proposed, where this is the one at hand.
    #[inline(always)]
    pub(crate) fn prefetch(&self, tile: usize) {
        prefetch_ahead(self.lanes, tile, self.cells);
    }

    /// The lanes of a tile.
    #[inline(always)]
    pub(crate) fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[tile * self.cells..][..self.cells]
    }

    /// A tile, to be proposed or accepted.
    #[inline(always)]
    pub(crate) fn tile(&mut self, tile: usize) -> Tile<'_> {
        Tile {
            lanes: &mut self.lanes[tile * self.cells..][..self.cells],
            scores: &mut self.scores[tile],
            moves: &mut self.moves[tile],
        }
    }
}
