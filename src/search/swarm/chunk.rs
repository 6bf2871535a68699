//! The swarm's step: what every slot proposes and accepts, tile by tile.

use super::{AcceptanceTable, Rule, SwarmTally};
use crate::fitness::Score;
use crate::population::moves::{LaneSet, lanes_below};
use crate::population::{LANES, Lanes};
use crate::search::Chunk;
use crate::search::step::{Decisions, Moves, StepWords};
use crate::search::tiles::{Tile, Tiles};

/// How the lanes of a tile get their proposals; those in no set hold no individual.
#[derive(Clone, Copy)]
struct Proposals {
    /// Their grids with two cells swapped, to be accepted or undone.
    steps: LaneSet,
    /// Fresh fills, taken whatever their scores: epoch 0, explorers, resets.
    fills: LaneSet,
    /// The merge child, or an improved grid in its stead, taken whatever its score.
    child: LaneSet,
}

impl Rule {
    /// The proposals of the tile that begins at slot `first`.
    #[inline(always)]
    fn proposals(&self, first: usize, ages: &[u32; LANES]) -> Proposals {
        let child = self.child_slot.map_or(0, |slot| lanes_below(slot + 1, first) & !lanes_below(slot, first));
        let workers = if self.epoch == 0 { 0 } else { lanes_below(self.workers, first) };
        let old = self.past_max_age(ages);
        let steps = workers & !old & !child;
        Proposals { steps, fills: lanes_below(self.population, first) & !steps & !child, child }
    }

    /// The lanes past the maximum age. There are seldom any, and that is found out for all lanes at once.
    #[inline(always)]
    fn past_max_age(&self, ages: &[u32; LANES]) -> LaneSet {
        if ages.iter().fold(0, |oldest, age| oldest.max(*age)) <= self.max_age {
            return 0;
        }
        (0..LANES).filter(|lane| ages[*lane] > self.max_age).fold(0, |set, lane| set | 1 << lane)
    }
}

/// Successive tiles of a swarm.
pub struct SwarmChunk<'a> {
    pub(super) rule: &'a Rule,
    pub(super) tiles: Tiles<'a>,
    /// One array a tile.
    pub(super) ages: &'a mut [[u32; LANES]],
}

impl SwarmChunk<'_> {
    #[inline(always)]
    fn proposals(&self, tile: usize) -> Proposals {
        self.rule.proposals(self.tiles.first_slot(tile), &self.ages[tile])
    }
}

impl Chunk for SwarmChunk<'_> {
    type Tally = SwarmTally;

    fn tiles(&self) -> usize {
        self.tiles.len()
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let SwarmChunk { rule, tiles: all, ages } = self;
        let (ages, other_ages) = ages.split_at_mut(tiles);
        let (tiles, others) = all.split_at(tiles);
        (SwarmChunk { rule, tiles, ages }, SwarmChunk { rule, tiles: others, ages: other_ages })
    }

    #[inline(always)]
    fn prefetch(&self, tile: usize) {
        self.tiles.prefetch(tile);
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Proposals { steps, fills, child } = self.proposals(tile);
        let Tile { lanes, moves, .. } = self.tiles.tile(tile);
        if steps != 0 {
            let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
            *moves = Moves::propose(&rule.blocks, &words, lanes, steps);
        }
        if fills != 0 {
            rule.blocks.fill_lanes(lanes, fills, rule.fill_key, rule.epoch, first as u32);
        }
        if child != 0 {
            rule.blocks.place(&rule.child, lanes, child.trailing_zeros() as usize);
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        self.tiles.lanes(tile)
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut SwarmTally) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Proposals { steps, .. } = self.proposals(tile);
        let Tile { lanes, scores: old, moves } = self.tiles.tile(tile);
        let ages = &mut self.ages[tile];
        let AcceptanceTable { mutation, by_delta } = &rule.acceptance;
        let Decisions { improves, totals, refused } = moves.decide(by_delta, !steps, old, scores);
        let mutated = moves.accepted_by(*mutation);
        for lane in 0..LANES {
            ages[lane] = (ages[lane] + 1 - mutated[lane]) & improves[lane].wrapping_sub(1);
        }
        let workers = lanes_below(rule.workers, first);
        tally.workers.add_lanes(&totals, workers, first as u32);
        tally.explorers.add_lanes(&totals, lanes_below(rule.population, first) & !workers, first as u32);
        moves.undo(lanes, refused);
    }
}
