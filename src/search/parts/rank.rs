//! The best and the worst of many slots, found in any order.

use crate::population::LANES;
use crate::population::moves::{LaneSet, LaneWords};
use crate::search::Tally;

/// The lowest and the highest total seen, each with its lowest slot, as integers whose minimum and maximum decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extremes {
    /// total * 2^32 + slot
    best: u64,
    /// total * 2^32 + (2^32 - 1 - slot)
    worst: u64,
}

impl Extremes {
    /// Takes one slot into account.
    #[inline(always)]
    pub fn add(&mut self, total: u32, slot: u32) {
        self.best = self.best.min(u64::from(total) << 32 | u64::from(slot));
        self.worst = self.worst.max(u64::from(total) << 32 | u64::from(!slot));
    }

    /// Takes these lanes of the tile that begins at slot `first` into account.
    #[inline(always)]
    pub fn add_lanes(&mut self, totals: &LaneWords, lanes: LaneSet, first: u32) {
        if lanes == 0 {
            return;
        }
        let (mut low, mut high) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let absent = (lanes >> lane & 1).wrapping_sub(1);
            low[lane] = (totals[lane] * LANES as u32 + lane as u32) | absent;
            high[lane] = (totals[lane] * LANES as u32 + (LANES - 1 - lane) as u32) & !absent;
        }
        let best = low.iter().fold(u32::MAX, |best, key| best.min(*key));
        let worst = high.iter().fold(0, |worst, key| worst.max(*key));
        self.add(best / LANES as u32, first + best % LANES as u32);
        self.add(worst / LANES as u32, first + (LANES as u32 - 1 - worst % LANES as u32));
    }

    /// The lowest total and its lowest slot, if any slot was added.
    pub fn best(self) -> Option<(u32, usize)> {
        (self.best != u64::MAX).then_some(((self.best >> 32) as u32, self.best as u32 as usize))
    }

    /// The highest total and its lowest slot, if any slot was added.
    pub fn worst(self) -> Option<(u32, usize)> {
        (self.best != u64::MAX).then_some(((self.worst >> 32) as u32, !(self.worst as u32) as usize))
    }
}

impl Default for Extremes {
    fn default() -> Extremes {
        Extremes { best: u64::MAX, worst: 0 }
    }
}

impl Tally for Extremes {
    fn merge(self, other: Extremes) -> Extremes {
        Extremes { best: self.best.min(other.best), worst: self.worst.max(other.worst) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(slots: &[(u32, u32)]) -> Extremes {
        let mut extremes = Extremes::default();
        slots.iter().for_each(|(total, slot)| extremes.add(*total, *slot));
        extremes
    }

    #[test]
    fn ties_go_to_the_lowest_slot_in_any_order() {
        let slots = [(7, 4), (3, 9), (7, 2), (3, 5), (4, 0)];
        for parts in 0..slots.len() {
            let (front, back) = slots.split_at(parts);
            let extremes = of(back).merge(of(front));
            assert_eq!((extremes.best(), extremes.worst()), (Some((3, 5)), Some((7, 2))));
        }
    }

    #[test]
    fn lanes_count_as_their_slots_one_by_one() {
        let totals = std::array::from_fn(|lane| (lane as u32 * 7 + 3) % 10);
        for lanes in [0, 1, 0x8000_0000, 0xF0F0_1234, LaneSet::MAX] {
            let slots: Vec<_> = (0..LANES as u32)
                .filter(|lane| lanes >> lane & 1 == 1)
                .map(|lane| (totals[lane as usize], 64 + lane))
                .collect();
            let mut extremes = Extremes::default();
            extremes.add_lanes(&totals, lanes, 64);
            assert_eq!(extremes, of(&slots), "{lanes:x}");
        }
    }

    #[test]
    fn no_slot_has_neither_best_nor_worst() {
        assert_eq!((Extremes::default().best(), Extremes::default().worst()), (None, None));
        assert_eq!(of(&[(0, 0)]).worst(), Some((0, 0)));
    }
}
