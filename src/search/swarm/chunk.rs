//! The swarm's step: what every slot proposes and accepts, tile by tile.

use super::{AcceptanceTable, Rule, SwarmTally};
use crate::fitness::Score;
use crate::population::{LANES, Lanes};
use crate::rng::Words;
use crate::search::Chunk;
use crate::search::step::{self, Move, StepWords};

/// How a slot gets its proposal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proposal {
    /// Its grid with two cells swapped, to be accepted or undone.
    Step,
    /// A fresh fill, taken whatever its score: epoch 0, explorers, resets.
    Fill,
    /// The merge child, or an improved grid in its stead, taken whatever its score.
    Child,
}

impl Rule {
    #[inline(always)]
    fn proposal(&self, slot: usize, age: u32) -> Proposal {
        if self.child_slot == Some(slot) {
            Proposal::Child
        } else if self.epoch == 0 || slot >= self.workers || age > self.max_age {
            Proposal::Fill
        } else {
            Proposal::Step
        }
    }
}

/// Successive tiles of a swarm.
pub struct SwarmChunk<'a> {
    pub(super) rule: &'a Rule,
    /// The first slot.
    pub(super) first: usize,
    pub(super) lanes: &'a mut [Lanes],
    pub(super) scores: &'a mut [Score],
    pub(super) ages: &'a mut [u32],
    pub(super) moves: &'a mut [Move],
}

impl SwarmChunk<'_> {
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

impl Chunk for SwarmChunk<'_> {
    type Tally = SwarmTally;

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let slots = tiles * LANES;
        let (lanes, other_lanes) = self.lanes.split_at_mut(tiles * self.rule.blocks.puzzle().shape().cells());
        let (scores, other_scores) = self.scores.split_at_mut(slots);
        let (ages, other_ages) = self.ages.split_at_mut(slots);
        let (moves, other_moves) = self.moves.split_at_mut(slots);
        let rule = self.rule;
        (
            SwarmChunk { rule, first: self.first, lanes, scores, ages, moves },
            SwarmChunk {
                rule,
                first: self.first + slots,
                lanes: other_lanes,
                scores: other_scores,
                ages: other_ages,
                moves: other_moves,
            },
        )
    }

    fn propose(&mut self, tile: usize) {
        let (first, used) = self.slots(tile);
        let rule = self.rule;
        let cells = self.tile_cells(tile);
        let lanes = &mut self.lanes[cells];
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        for lane in 0..used {
            let (slot, at) = (first + lane, tile * LANES + lane);
            match rule.proposal(slot, self.ages[at]) {
                Proposal::Step => self.moves[at] = words.propose(&rule.blocks, lanes, lane),
                Proposal::Fill => {
                    rule.blocks.fill(lanes, lane, &mut Words::new(rule.fill_key, rule.epoch, slot as u32));
                }
                Proposal::Child => rule.blocks.place(&rule.child, lanes, lane),
            }
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut SwarmTally) {
        let (first, used) = self.slots(tile);
        for (lane, score) in scores[..used].iter().enumerate() {
            let slot = first + lane;
            self.accept_slot(tile, lane, self.rule.proposal(slot, self.ages[tile * LANES + lane]), *score);
            let total = self.scores[tile * LANES + lane].total();
            let role = if slot < self.rule.workers { &mut tally.workers } else { &mut tally.explorers };
            role.add(total, slot as u32);
        }
    }
}

impl SwarmChunk<'_> {
    #[inline(always)]
    fn accept_slot(&mut self, tile: usize, lane: usize, proposal: Proposal, score: Score) {
        let at = tile * LANES + lane;
        let age = &mut self.ages[at];
        if proposal != Proposal::Step || score.total() < self.scores[at].total() {
            (self.scores[at], *age) = (score, 0);
            return;
        }
        let Move { swap, draw } = self.moves[at];
        let AcceptanceTable { mutation, by_delta } = &self.rule.acceptance;
        if step::accepts(by_delta, self.scores[at].total(), score.total(), draw) {
            self.scores[at] = score;
            *age += u32::from(!mutation.accepts(draw));
        } else {
            *age += 1;
            let cells = self.tile_cells(tile);
            swap.apply(&mut self.lanes[cells], lane);
        }
    }
}
