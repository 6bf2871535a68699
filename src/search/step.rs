//! What one grid's steps are made of, shared by every search that walks by swaps: the proposal, the decision, the undo.
//!
//! A step takes two words: one names the swap, one decides. Slots `2k` and `2k + 1` share one Threefry block, words 0
//! and 1 the even slot's, words 2 and 3 the odd one's.

use crate::moves::{FreeUnits, Swap};
use crate::population::{LANES, Lanes};
use crate::rng::{Key, Threshold};

/// The most a swap inside a block can add to a total: one digit in each of two rows and two columns.
pub const MAX_DELTA: usize = 4;

/// Thresholds of acceptance by how much higher the total would be.
pub type Thresholds = [Threshold; MAX_DELTA + 1];

/// The rule of Metropolis: a total higher by `d` is accepted with probability `exp(-d / temperature)`.
///
/// The exponential is libm's, in software, so that the table is the same on every system.
///
/// Source: N. Metropolis et al., "Equation of state calculations by fast computing machines", 1953.
pub fn metropolis(temperature: f64) -> Thresholds {
    std::array::from_fn(|delta| Threshold::new(libm::exp(-(delta as f64) / temperature)))
}

/// True if a total that is not lower is accepted by this draw.
#[inline(always)]
pub fn accepts(thresholds: &Thresholds, old: u32, new: u32, draw: u32) -> bool {
    thresholds[((new - old) as usize).min(MAX_DELTA)].accepts(draw)
}

/// A proposed swap: how to undo it, and the word that decides.
#[derive(Clone, Copy, Default)]
pub struct Move {
    /// The swap; again, it undoes itself.
    pub swap: Swap,
    /// The word of the decision.
    pub draw: u32,
}

/// The words of the steps of one tile in one epoch.
pub struct StepWords([[u32; LANES / 2]; 4]);

impl StepWords {
    /// The words of the tile that begins at slot `first`.
    #[inline(always)]
    pub fn of_tile(key: Key, epoch: u32, first: usize) -> StepWords {
        StepWords(key.words_of_lanes(epoch, first as u32 / 2, 0))
    }

    /// The word of a lane's move.
    #[inline(always)]
    pub fn of_move(&self, lane: usize) -> u32 {
        self.0[lane % 2 * 2][lane / 2]
    }

    /// The word of a lane's decision.
    #[inline(always)]
    pub fn of_decision(&self, lane: usize) -> u32 {
        self.0[lane % 2 * 2 + 1][lane / 2]
    }

    /// Applies the swap that the words of this lane name.
    #[inline(always)]
    pub fn propose(&self, blocks: &FreeUnits, tile: &mut [Lanes], lane: usize) -> Move {
        self.apply(blocks.pick_swap(self.of_move(lane)), tile, lane)
    }

    /// Applies a swap to this lane, to be decided by its word.
    #[inline(always)]
    pub fn apply(&self, swap: Swap, tile: &mut [Lanes], lane: usize) -> Move {
        swap.apply(tile, lane);
        Move { swap, draw: self.of_decision(lane) }
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
