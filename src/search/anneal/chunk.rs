//! Annealing's step: what every slot proposes and accepts, tile by tile.

use super::Rule;
use crate::fitness::Score;
use crate::moves::{LaneSet, Swaps, lanes_below};
use crate::population::{LANES, Lanes};
use crate::prefetch::prefetch_ahead;
use crate::search::Chunk;
use crate::search::rank::Extremes;
use crate::search::step::{Decisions, Moves, StepWords};

/// Successive tiles of an annealing.
pub struct AnnealChunk<'a> {
    pub(super) rule: &'a Rule,
    /// The first slot.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lanes],
    pub(super) scores: &'a mut [Score],
    /// One a tile.
    pub(super) moves: &'a mut [Moves],
}

impl AnnealChunk<'_> {
    #[inline(always)]
    fn tile_cells(&self, tile: usize) -> std::ops::Range<usize> {
        let cells = self.rule.blocks.puzzle().shape().cells();
        tile * cells..(tile + 1) * cells
    }

    #[inline(always)]
    fn first_slot(&self, tile: usize) -> usize {
        self.first + tile * LANES
    }
}

impl Chunk for AnnealChunk<'_> {
    type Tally = Extremes;

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let AnnealChunk { rule, first, lanes, scores, moves } = self;
        let slots = tiles * LANES;
        let (lanes, other_lanes) = lanes.split_at_mut(tiles * rule.blocks.puzzle().shape().cells());
        let (scores, other_scores) = scores.split_at_mut(slots);
        let (moves, other_moves) = moves.split_at_mut(tiles);
        let other =
            AnnealChunk { rule, first: first + slots, lanes: other_lanes, scores: other_scores, moves: other_moves };
        (AnnealChunk { rule, first, lanes, scores, moves }, other)
    }

    #[inline(always)]
    fn prefetch(&self, tile: usize) {
        prefetch_ahead(self.lanes, tile, self.rule.blocks.puzzle().shape().cells());
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let (rule, first, cells) = (self.rule, self.first_slot(tile), self.tile_cells(tile));
        let lanes = &mut self.lanes[cells];
        let used = lanes_below(rule.population, first);
        if rule.fills {
            rule.blocks.fill_lanes(lanes, used, rule.fill_key, rule.epoch, first as u32);
            return;
        }
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        self.moves[tile] = match &rule.conflicts {
            None => Moves::propose(&rule.blocks, &words, lanes, used),
            Some(conflicts) => Moves::apply(Swaps::new(&conflicts.pick(lanes, words.moves)), &words, lanes, used),
        };
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (rule, first, cells) = (self.rule, self.first_slot(tile), self.tile_cells(tile));
        let moves = &self.moves[tile];
        let old = &mut self.scores.as_chunks_mut::<LANES>().0[tile];
        let forced = if rule.fills { LaneSet::MAX } else { 0 };
        let Decisions { totals, refused, .. } = moves.decide(&rule.thresholds, forced, old, scores);
        tally.add_lanes(&totals, lanes_below(rule.population, first), first as u32);
        moves.undo(&mut self.lanes[cells], refused);
    }
}
