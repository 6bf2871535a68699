//! A fingerprint of everything a run did, to be equal wherever and however it was computed.
//!
//! Each epoch's scores enter two sums over the slots, of differently keyed mixes of slot and score. Sums do not depend
//! on the order of their terms, so tiles, chunks, threads and a GPU may each add their share. After the epoch the two
//! sums, the epoch and the restart are chained into 64 bits; at the end the final population's cells are mixed in.

use rayon::prelude::*;

use crate::fitness::Score;
use crate::population::instructions::{Instructions, Task};
use crate::population::{LANES, Lanes, Population};

/// Multipliers of slots and of words for the two sums: odd, with bits well spread.
const SLOT_KEYS: [u32; 2] = [0x9E37_79B1, 0x85EB_CA77];
const WORD_KEYS: [u32; 2] = [0xC2B2_AE3D, 0x27D4_EB2F];

/// Two sums over the slots of an epoch, or over a part of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sums([u32; 2]);

impl Sums {
    /// Multipliers of slots and of scores for the two sums, by which code beside this adds its own terms.
    pub(crate) const SLOT_KEYS: [u32; 2] = SLOT_KEYS;
    pub(crate) const WORD_KEYS: [u32; 2] = WORD_KEYS;

    /// Two sums that were made elsewhere, part by part.
    pub(crate) fn of_parts<const N: usize>(parts: &[[u32; N]; 2]) -> Sums {
        Sums(parts.map(|parts| parts.iter().fold(0u32, |sum, part| sum.wrapping_add(*part))))
    }

    /// Adds the scores of a tile's slots.
    #[inline(always)]
    pub fn add_tile(&mut self, first_slot: u32, scores: &[Score; LANES]) {
        for (sum, (slot_key, word_key)) in self.0.iter_mut().zip(SLOT_KEYS.into_iter().zip(WORD_KEYS)) {
            let mut terms = [0; LANES];
            for lane in 0..LANES {
                let slot = first_slot.wrapping_add(lane as u32);
                terms[lane] = term(slot.wrapping_mul(slot_key), scores[lane].bits(), word_key);
            }
            *sum = terms.iter().fold(*sum, |sum, term| sum.wrapping_add(*term));
        }
    }

    /// Adds the scores of successive slots.
    #[inline]
    pub fn add_scores(&mut self, first_slot: u32, scores: &[Score]) {
        for (slot, score) in (first_slot..).zip(scores) {
            self.add(slot, score.bits());
        }
    }

    /// The sums over both parts.
    #[inline]
    pub fn merge(self, other: Sums) -> Sums {
        Sums([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    #[inline(always)]
    fn add(&mut self, index: u32, word: u32) {
        for (sum, (slot_key, word_key)) in self.0.iter_mut().zip(SLOT_KEYS.into_iter().zip(WORD_KEYS)) {
            *sum = sum.wrapping_add(term(index.wrapping_mul(slot_key), word, word_key));
        }
    }
}

/// Words of the digits of one cell of a tile, four digits each.
const WORDS_OF_LANES: usize = LANES / 4;

/// Lanes whose words one thread adds at a time.
const PIECE: usize = 1 << 14;

/// The sums of the words of some lanes, the first of which has this index.
struct AddLanes<'a> {
    first: u32,
    lanes: &'a [Lanes],
}

impl Task for AddLanes<'_> {
    type Output = Sums;

    #[inline(always)]
    fn run(self) -> Sums {
        let mut sums = [[0u32; WORDS_OF_LANES]; 2];
        let mut indices: [u32; WORDS_OF_LANES] = std::array::from_fn(|word| self.first.wrapping_add(word as u32));
        for lanes in self.lanes {
            let (words, _) = lanes.0.as_chunks::<4>();
            for word in 0..WORDS_OF_LANES {
                let digits = u32::from_le_bytes(words[word]);
                for sum in 0..2 {
                    let place = indices[word].wrapping_mul(SLOT_KEYS[sum]);
                    sums[sum][word] = sums[sum][word].wrapping_add(term(place, digits, WORD_KEYS[sum]));
                }
                indices[word] = indices[word].wrapping_add(WORDS_OF_LANES as u32);
            }
        }
        Sums::of_parts(&sums)
    }
}

#[inline(always)]
fn term(place: u32, word: u32, word_key: u32) -> u32 {
    let product = (place ^ word).wrapping_mul(word_key);
    product ^ product >> 15
}

/// The chained fingerprint of a run so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
pub struct Trajectory(u64);

impl Trajectory {
    /// Chains one epoch's sums.
    pub fn chain_epoch(&mut self, restart: u32, epoch: u32, sums: Sums) {
        self.chain(u64::from(restart) << 32 | u64::from(epoch));
        self.chain_sums(sums);
    }

    /// Chains what an improvement on the host cost and came to.
    pub fn chain_improvement(&mut self, evaluations: u64, score: Score) {
        self.chain(evaluations);
        self.chain(u64::from(score.bits()));
    }

    /// The fingerprint once the final population is mixed in.
    pub fn finish(mut self, population: &Population) -> u64 {
        let piece = |(number, lanes): (usize, &[Lanes])| {
            let first = number * PIECE * WORDS_OF_LANES;
            Instructions::best().run(AddLanes { first: first as u32, lanes })
        };
        let lanes = population.lanes();
        let sums = if lanes.len() <= PIECE {
            piece((0, lanes))
        } else {
            lanes.par_chunks(PIECE).enumerate().map(piece).reduce(Sums::default, Sums::merge)
        };
        self.chain_sums(sums);
        self.0
    }

    fn chain_sums(&mut self, Sums([low, high]): Sums) {
        self.chain(u64::from(high) << 32 | u64::from(low));
    }

    /// The finalizer of splitmix64 (Steele, Lea, Flood 2014) over the old state and the new word.
    fn chain(&mut self, word: u64) {
        let mut x = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = x ^ x >> 31;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Grid;
    use crate::sudoku::Shape;

    fn sums(scores: &[Score]) -> Sums {
        let mut sums = Sums::default();
        sums.add_scores(100, scores);
        sums
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let scores: Vec<Score> = (0..96).map(|k| Score::new(k, 3 * k % 50, k / 2)).collect();
        let (mut front, mut back) = (Sums::default(), Sums::default());
        front.add_scores(100, &scores[..40]);
        back.add_scores(140, &scores[40..]);
        assert_eq!(front.merge(back), sums(&scores));
        assert_eq!(back.merge(front), sums(&scores));
    }

    #[test]
    fn any_other_score_or_place_gives_other_sums() {
        let scores: Vec<Score> = (0..64).map(|k| Score::new(k % 7, k % 5, 0)).collect();
        let whole = sums(&scores);
        for slot in 0..64 {
            let mut changed = scores.clone();
            changed[slot] = Score::from_bits(changed[slot].bits() ^ 1);
            assert_ne!(sums(&changed), whole);
            let mut exchanged = scores.clone();
            exchanged.swap(slot, (slot + 1) % 64);
            assert_ne!(sums(&exchanged), whole);
        }
    }

    #[test]
    fn restart_epoch_order_and_final_cells_count() {
        let population = Population::new(Shape::NINE, 1);
        let finish = |epochs: &[(u32, u32, Sums)], population: &Population| {
            let mut trajectory = Trajectory::default();
            epochs.iter().for_each(|(restart, epoch, sums)| trajectory.chain_epoch(*restart, *epoch, *sums));
            trajectory.finish(population)
        };
        let (a, b) = (sums(&[Score::new(1, 2, 0)]), sums(&[Score::new(2, 1, 0)]));
        let base = finish(&[(0, 0, a), (0, 1, b)], &population);
        assert_ne!(base, finish(&[(0, 0, b), (0, 1, a)], &population));
        assert_ne!(base, finish(&[(0, 1, a), (0, 0, b)], &population));
        assert_ne!(base, finish(&[(1, 0, a), (1, 1, b)], &population));
        let mut changed = population.clone();
        let mut grid = Grid::empty(Shape::NINE);
        grid.set(80, 1);
        changed.set(0, &grid);
        assert_ne!(base, finish(&[(0, 0, a), (0, 1, b)], &changed));
    }
}
