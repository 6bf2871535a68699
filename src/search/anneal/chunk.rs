//! Annealing's step: what every slot proposes and accepts, tile by tile.

use super::Rule;
use crate::fitness::Score;
use crate::population::moves::{LaneSet, Swaps, lanes_below};
use crate::population::{LANES, Lanes};
use crate::search::Chunk;
use crate::search::rank::Extremes;
use crate::search::step::{Decisions, Moves, StepWords};
use crate::search::tiles::{Tile, Tiles};

/// Successive tiles of an annealing.
pub struct AnnealChunk<'a> {
    pub(super) rule: &'a Rule,
    pub(super) tiles: Tiles<'a>,
}

impl Chunk for AnnealChunk<'_> {
    type Tally = Extremes;

    fn tiles(&self) -> usize {
        self.tiles.len()
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let AnnealChunk { rule, tiles: all } = self;
        let (tiles, others) = all.split_at(tiles);
        (AnnealChunk { rule, tiles }, AnnealChunk { rule, tiles: others })
    }

    #[inline(always)]
    fn prefetch(&self, tile: usize) {
        self.tiles.prefetch(tile);
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Tile { lanes, moves, .. } = self.tiles.tile(tile);
        let used = lanes_below(rule.population, first);
        if rule.fills {
            rule.blocks.fill_lanes(lanes, used, rule.fill_key, rule.epoch, first as u32);
            return;
        }
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        *moves = match &rule.conflicts {
            None => Moves::propose(&rule.blocks, &words, lanes, used),
            Some(conflicts) => Moves::apply(Swaps::new(&conflicts.pick(lanes, words.moves)), &words, lanes, used),
        };
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        self.tiles.lanes(tile)
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Tile { lanes, scores: old, moves } = self.tiles.tile(tile);
        let forced = if rule.fills { LaneSet::MAX } else { 0 };
        let Decisions { totals, refused, .. } = moves.decide(&rule.thresholds, forced, old, scores);
        tally.add_lanes(&totals, lanes_below(rule.population, first), first as u32);
        moves.undo(lanes, refused);
    }
}
