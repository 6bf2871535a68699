//! Annealing's step: what every slot proposes and accepts, tile by tile.

use super::Rule;
use crate::fitness::Score;
use crate::population::{LANES, Lanes};
use crate::rng::Words;
use crate::search::Chunk;
use crate::search::rank::Extremes;
use crate::search::step::{self, Move, StepWords};

/// Successive tiles of an annealing.
pub struct AnnealChunk<'a> {
    pub(super) rule: &'a Rule,
    /// The first slot.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lanes],
    pub(super) scores: &'a mut [Score],
    pub(super) moves: &'a mut [Move],
}

impl AnnealChunk<'_> {
    fn tile_cells(&self, tile: usize) -> std::ops::Range<usize> {
        let cells = self.rule.blocks.puzzle().shape().cells();
        tile * cells..(tile + 1) * cells
    }

    /// The first slot of a tile, and how many of its lanes hold individuals.
    fn slots(&self, tile: usize) -> (usize, usize) {
        let first = self.first + tile * LANES;
        (first, LANES.min(self.rule.population - first))
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
        let (moves, other_moves) = moves.split_at_mut(slots);
        let other =
            AnnealChunk { rule, first: first + slots, lanes: other_lanes, scores: other_scores, moves: other_moves };
        (AnnealChunk { rule, first, lanes, scores, moves }, other)
    }

    fn propose(&mut self, tile: usize) {
        let (first, used) = self.slots(tile);
        let (rule, cells) = (self.rule, self.tile_cells(tile));
        let lanes = &mut self.lanes[cells];
        if rule.fills {
            for lane in 0..used {
                let mut words = Words::new(rule.fill_key, rule.epoch, (first + lane) as u32);
                rule.blocks.fill(lanes, lane, &mut words);
            }
            return;
        }
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        let moves = &mut self.moves[tile * LANES..][..used];
        match &rule.conflicts {
            None => {
                moves.iter_mut().enumerate().for_each(|(lane, made)| *made = words.propose(&rule.blocks, lanes, lane))
            }
            Some(conflicts) => {
                let swaps = conflicts.pick(lanes, std::array::from_fn(|lane| words.of_move(lane)));
                for ((lane, made), swap) in moves.iter_mut().enumerate().zip(swaps) {
                    *made = words.apply(swap.unwrap_or_default(), lanes, lane);
                }
            }
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (first, used) = self.slots(tile);
        let (rule, cells) = (self.rule, self.tile_cells(tile));
        let lanes = &mut self.lanes[cells];
        let moves = &self.moves[tile * LANES..][..used];
        let olds = &mut self.scores[tile * LANES..][..used];
        for (lane, ((old, new), made)) in olds.iter_mut().zip(&scores[..used]).zip(moves).enumerate() {
            let (was, is) = (old.total(), new.total());
            if rule.fills || is < was || step::accepts(&rule.thresholds, was, is, made.draw) {
                *old = *new;
            } else {
                made.swap.apply(lanes, lane);
            }
            tally.add(old.total(), (first + lane) as u32);
        }
    }
}
