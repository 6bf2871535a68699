//! The best and the worst of many slots, found in any order.

use super::Tally;

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
    fn no_slot_has_neither_best_nor_worst() {
        assert_eq!((Extremes::default().best(), Extremes::default().worst()), (None, None));
        assert_eq!(of(&[(0, 0)]).worst(), Some((0, 0)));
    }
}
