//! What one grid's steps are made of, shared by every search that walks by swaps: the proposal, the decision, the undo.
//!
//! A step takes two words: one names the swap, one decides. Slots `2k` and `2k + 1` share one Threefry block, words 0
//! and 1 the even slot's, words 2 and 3 the odd one's.

use crate::fitness::Score;
use crate::population::moves::{FreeUnits, LaneSet, LaneWords, Swaps};
use crate::population::rng::{Key, Threshold};
use crate::population::{LANES, Lanes};

/// The most a swap inside a block can add to a total: one digit in each of two rows and two columns.
pub(crate) const MAX_DELTA: usize = 4;

/// Thresholds of acceptance by how much higher the total would be.
pub(crate) type Thresholds = [Threshold; MAX_DELTA + 1];

/// The rule of Metropolis: a total higher by `d` is accepted with probability `exp(-d / temperature)`.
///
/// The exponential is libm's, in software, so that the table is the same on every system.
///
/// Source: N. Metropolis et al., "Equation of state calculations by fast computing machines", 1953.
pub(crate) fn metropolis(temperature: f64) -> Thresholds {
    std::array::from_fn(|delta| Threshold::new(libm::exp(-(delta as f64) / temperature)))
}

/// True if a total that is not lower is accepted by this draw.
#[inline(always)]
pub(crate) fn accepts(thresholds: &Thresholds, old: u32, new: u32, draw: u32) -> bool {
    thresholds[((new - old) as usize).min(MAX_DELTA)].accepts(draw)
}

/// For each lane 1 if its draw accepts a total that is not lower, else 0; anything where it is lower.
///
/// The threshold is found by comparing the difference with each that has one of its own, and without a branch.
#[inline(always)]
fn accepts_lanes(thresholds: &Thresholds, old: &LaneWords, new: &LaneWords, draws: &LaneWords) -> LaneWords {
    let mut bits = [thresholds[0].bits(); LANES];
    for (delta, threshold) in (1..).zip(&thresholds[1..]) {
        let own = threshold.bits();
        for lane in 0..LANES {
            let reached = u32::from(new[lane].wrapping_sub(old[lane]) >= delta).wrapping_neg();
            bits[lane] ^= (bits[lane] ^ own) & reached;
        }
    }
    let mut accepted = [0; LANES];
    for lane in 0..LANES {
        accepted[lane] = u32::from(draws[lane] >> 1 < bits[lane]);
    }
    accepted
}

/// What the lanes of a tile proposed: how to undo it, and the words that decide.
#[derive(Clone, Copy)]
pub(crate) struct Moves {
    swaps: Swaps,
    draws: LaneWords,
}

impl Moves {
    /// Nothing proposed.
    pub(crate) const NONE: Moves = Moves { swaps: Swaps::NONE, draws: [0; LANES] };

    /// Applies to these lanes the swaps that their words name, any of two free cells of a unit.
    #[inline(always)]
    pub(crate) fn propose(units: &FreeUnits, words: &StepWords, tile: &mut [Lanes], lanes: LaneSet) -> Moves {
        Moves::apply(units.pick_swaps(words.moves), words, tile, lanes)
    }

    /// Applies these swaps to these lanes, to be decided by their words.
    #[inline(always)]
    pub(crate) fn apply(swaps: Swaps, words: &StepWords, tile: &mut [Lanes], lanes: LaneSet) -> Moves {
        swaps.apply(tile, lanes);
        Moves { swaps, draws: words.decisions }
    }

    /// Decides each lane: a lower total is accepted, and any in the lanes of `forced`; else the lane's word and the
    /// threshold of the difference decide. Accepted scores enter `scores`.
    ///
    /// Flags are integers, and nothing is skipped: a loop over lanes is then one over vectors.
    #[inline(always)]
    pub(crate) fn decide(
        &self,
        thresholds: &Thresholds,
        forced: LaneSet,
        scores: &mut [Score; LANES],
        new: &[Score; LANES],
    ) -> Decisions {
        let (was, is) = (totals(scores), totals(new));
        let mut decisions = Decisions { improves: [0; LANES], totals: [0; LANES], refused: 0 };
        let mut accepted = accepts_lanes(thresholds, &was, &is, &self.draws);
        for lane in 0..LANES {
            decisions.improves[lane] = u32::from(is[lane] < was[lane]) | forced >> lane & 1;
            accepted[lane] |= decisions.improves[lane];
        }
        for lane in 0..LANES {
            let mask = accepted[lane].wrapping_neg();
            decisions.totals[lane] = was[lane] ^ (was[lane] ^ is[lane]) & mask;
            let (old, new) = (scores[lane].bits(), new[lane].bits());
            scores[lane] = Score::from_bits(old ^ (old ^ new) & mask);
        }
        decisions.refused = !set_of(&accepted);
        decisions
    }

    /// For each lane 1 if its word is below the threshold, else 0.
    #[inline(always)]
    pub(crate) fn accepted_by(&self, threshold: Threshold) -> LaneWords {
        let mut accepted = [0; LANES];
        for lane in 0..LANES {
            accepted[lane] = u32::from(threshold.accepts(self.draws[lane]));
        }
        accepted
    }

    /// Undoes the swaps of these lanes.
    #[inline(always)]
    pub(crate) fn undo(&self, tile: &mut [Lanes], lanes: LaneSet) {
        self.swaps.apply(tile, lanes);
    }
}

/// What the lanes of a tile decided.
pub(crate) struct Decisions {
    /// 1 where the total is lower or the lane was forced, else 0.
    pub improves: LaneWords,
    /// The totals after the decision.
    pub totals: LaneWords,
    /// The lanes that keep what they had.
    pub refused: LaneSet,
}

/// The lanes with a 1, of lanes with 0 or 1.
#[inline(always)]
fn set_of(flags: &LaneWords) -> LaneSet {
    let mut bits = [0; LANES];
    for lane in 0..LANES {
        bits[lane] = flags[lane] << lane;
    }
    // Halves joined with halves: a few vector instructions, where joining one by one takes one for each lane.
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half {
            bits[lane] |= bits[lane + half];
        }
    }
    bits[0]
}

/// The total of each lane.
#[inline(always)]
pub(crate) fn totals(scores: &[Score; LANES]) -> LaneWords {
    let mut totals = [0; LANES];
    for lane in 0..LANES {
        totals[lane] = scores[lane].total();
    }
    totals
}

/// The words of the steps of one tile in one epoch.
pub(crate) struct StepWords {
    /// What is moved.
    pub moves: LaneWords,
    /// Whether it is accepted.
    decisions: LaneWords,
}

impl StepWords {
    /// The words of the tile that begins at slot `first`.
    #[inline(always)]
    pub(crate) fn of_tile(key: Key, epoch: u32, first: usize) -> StepWords {
        let [even_moves, even_decisions, odd_moves, odd_decisions] =
            key.words_of_lanes::<{ LANES / 2 }>(epoch, first as u32 / 2, 0);
        let (mut moves, mut decisions) = ([0; LANES], [0; LANES]);
        for pair in 0..LANES / 2 {
            (moves[2 * pair], moves[2 * pair + 1]) = (even_moves[pair], odd_moves[pair]);
            (decisions[2 * pair], decisions[2 * pair + 1]) = (even_decisions[pair], odd_decisions[pair]);
        }
        StepWords { moves, decisions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hotter_rule_accepts_more_and_every_rule_accepts_an_equal_total() {
        let [cold, hot] = [0.2, 0.5].map(metropolis);
        assert_eq!((cold[0], hot[0]), (Threshold::ALWAYS, Threshold::ALWAYS));
        assert!((1..=MAX_DELTA).all(|delta| cold[delta] < hot[delta] && hot[delta] < hot[delta - 1]));
        assert_eq!(hot[1], Threshold::new(0.135_335_283_236_612_7));
    }

    #[test]
    fn what_a_swap_cannot_add_is_decided_like_the_most_it_can() {
        let thresholds = metropolis(0.5);
        let draw = (0.9 * 2f64.powi(32) * libm::exp(-8.0)) as u32;
        assert!(accepts(&thresholds, 10, 14, draw) && accepts(&thresholds, 10, 30, draw));
        assert!(!accepts(&thresholds, 10, 14, 2 * draw));
    }
}
