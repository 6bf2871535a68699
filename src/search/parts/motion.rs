//! How keys move: the arithmetic of one epoch, the same bits on every platform.
//!
//! Only IEEE single-precision additions and multiplications in the order written here, each rounded on its own; a
//! compiler may neither reorder nor fuse them. Numbers in `0..1` are the high 24 bits of a word times 2^-24, which is
//! exact.

use crate::population::LANES;
use crate::population::rng::Key;
use crate::search::RandomKeyParameters;

/// The same key, or velocity of a key, of the 32 particles of a tile.
pub(crate) type KeyLanes = [f32; LANES];

/// Half of a tile's lanes.
const HALF: usize = LANES / 2;

/// w, c1 and c2, rounded once to single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coefficients {
    inertia: f32,
    cognitive: f32,
    social: f32,
}

/// One key of every particle of a tile.
pub(crate) struct KeyMotion<'a> {
    pub keys: &'a mut KeyLanes,
    pub velocities: &'a mut KeyLanes,
    /// The particles' own best keys.
    pub own: &'a KeyLanes,
    /// The swarm's best key.
    pub leader: f32,
}

/// Where a tile's words for one key stand; see [`crate::population::rng::Stream::Particle`].
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub key: Key,
    pub epoch: u32,
    /// The tile's first slot.
    pub slot: u32,
    /// The key's number in its particle.
    pub draw: u32,
}

impl Place {
    /// The words of a lane.
    #[inline(always)]
    fn words(self, lane: usize) -> [u32; 4] {
        self.key.words(self.epoch, self.slot.wrapping_add(lane as u32), self.draw)
    }
}

impl Coefficients {
    pub(crate) fn new(parameters: &RandomKeyParameters) -> Coefficients {
        Coefficients {
            inertia: parameters.inertia as f32,
            cognitive: parameters.cognitive as f32,
            social: parameters.social as f32,
        }
    }

    /// Moves one key of a tile: `v = w v + c1 r1 (own - x) + c2 r2 (leader - x)`, `x = x + v`; a key that leaves
    /// `0..=1` is drawn anew.
    ///
    /// Each turn of the loop moves two lanes, one of each half: in vectors, two chains of instructions that do not wait for
    /// each other. The arrays are copied first, so that no code has to find out whether they overlap.
    #[inline(always)]
    pub(crate) fn step(&self, place: Place, motion: KeyMotion<'_>) {
        let KeyMotion { keys, velocities, own, leader } = motion;
        let mut moved = (*keys, *velocities);
        for lane in 0..HALF {
            self.step_lane(place, lane, &mut moved, own, leader);
            self.step_lane(place, lane + HALF, &mut moved, own, leader);
        }
        (*keys, *velocities) = moved;
    }

    #[inline(always)]
    fn step_lane(
        &self,
        place: Place,
        lane: usize,
        (keys, velocities): &mut (KeyLanes, KeyLanes),
        own: &KeyLanes,
        leader: f32,
    ) {
        let [own_draw, leader_draw, fresh, _] = place.words(lane);
        let from = keys[lane];
        let own_pull = self.cognitive * unit(own_draw) * (own[lane] - from);
        let leader_pull = self.social * unit(leader_draw) * (leader - from);
        let velocity = self.inertia * velocities[lane] + own_pull + leader_pull;
        let to = from + velocity;
        velocities[lane] = velocity;
        // Both sides and both numbers are computed, so that lanes need no branch.
        let (inside, fresh) = (to == to.clamp(0.0, 1.0), unit(fresh));
        keys[lane] = if inside { to } else { fresh };
    }
}

/// Starts one key of a tile: a position within `0..1`, a velocity within `-1/2..1/2`.
#[inline(always)]
pub(crate) fn start(place: Place, keys: &mut KeyLanes, velocities: &mut KeyLanes) {
    for lane in 0..LANES {
        let [position, velocity, ..] = place.words(lane);
        keys[lane] = unit(position);
        velocities[lane] = unit(velocity) - 0.5;
    }
}

/// A number in `0..1`: the high 24 bits of a word, times 2^-24.
#[inline(always)]
fn unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / (1 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::rng::Stream;

    #[test]
    fn words_become_numbers_exactly() {
        assert_eq!([0, 0xFF, 0x100, 0x8000_0000].map(unit), [0.0, 0.0, 2f32.powi(-24), 0.5]);
        assert_eq!(unit(u32::MAX), 1.0 - 2f32.powi(-24));
    }

    #[test]
    fn a_key_moves_by_its_formula_in_the_order_written() {
        let coefficients = Coefficients { inertia: 0.4, cognitive: 2.05, social: 1.5 };
        let key = Key::new(5, 0, Stream::Particle);
        let place = Place { key, epoch: 3, slot: 64, draw: 7 };
        let mut keys: KeyLanes = std::array::from_fn(|lane| lane as f32 / 32.0);
        let mut velocities: KeyLanes = std::array::from_fn(|lane| 0.05 - lane as f32 / 300.0);
        let own: KeyLanes = std::array::from_fn(|lane| 0.9 - lane as f32 / 70.0);
        let (old_keys, old_velocities) = (keys, velocities);
        let motion = KeyMotion { keys: &mut keys, velocities: &mut velocities, own: &own, leader: 0.25 };
        coefficients.step(place, motion);
        let mut redrawn = 0;
        for lane in 0..LANES {
            let [r1, r2, r3, _] = key.words(3, 64 + lane as u32, 7).map(|word| (word >> 8) as f32 / 16_777_216.0);
            let from = old_keys[lane];
            let velocity =
                (0.4f32 * old_velocities[lane] + 2.05f32 * r1 * (own[lane] - from)) + 1.5f32 * r2 * (0.25 - from);
            assert_eq!(velocities[lane].to_bits(), velocity.to_bits());
            let to = from + velocity;
            let inside = (0.0..=1.0).contains(&to);
            assert_eq!(keys[lane].to_bits(), if inside { to } else { r3 }.to_bits());
            redrawn += usize::from(!inside);
        }
        assert!(redrawn > 0, "the case must draw a key anew");
    }
}
