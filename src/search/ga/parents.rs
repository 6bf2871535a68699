//! The generation that children are bred from.

use crate::error::Error;
use crate::fitness::Score;
use crate::population::moves::FreeUnits;
use crate::search::state::{StateReader, StateWriter};

/// The genomes of the last generation, and which of them are the best.
///
/// A genome lies whole in one or two cache lines, where the cells of a slot lie far apart in their tile: parents are read
/// from here at random places of a large population.
pub struct Parents {
    units: FreeUnits,
    genomes: Vec<u8>,
    /// Slots in order of their totals, equal ones in their own order; as many as the algorithm breeds from.
    ranked: Vec<u32>,
    /// By total, the rank that the next slot with it gets.
    next_rank: Vec<u32>,
}

impl Parents {
    /// Nobody yet, with room for `genomes` digits.
    pub(super) fn new(units: FreeUnits, genomes: usize) -> Parents {
        Parents { units, genomes: vec![0; genomes], ranked: Vec::new(), next_rank: Vec::new() }
    }

    /// The units of a genome.
    #[inline]
    pub fn units(&self) -> &FreeUnits {
        &self.units
    }

    /// The genome of the `rank`th best, from 0.
    ///
    /// # Panics
    /// If `rank` is not below the algorithm's [`ranks`](super::Breed::ranks).
    #[inline]
    pub fn ranked(&self, rank: u32) -> &[u8] {
        let len = self.units.genome_len();
        &self.genomes[self.ranked[rank as usize] as usize * len..][..len]
    }

    /// Makes parents of the children, ranks the `ranks` best by their scores, and names the slot of the best; `children`
    /// gets the old parents' memory.
    pub(super) fn succeed(&mut self, children: &mut Vec<u8>, scores: &[Score], ranks: usize) -> usize {
        std::mem::swap(&mut self.genomes, children);
        self.rank(scores, ranks);
        self.ranked[0] as usize
    }

    /// Writes the genomes and their order.
    pub(super) fn save(&self, state: &mut StateWriter) {
        state.put_bytes(&self.genomes);
        state.put(&self.ranked);
    }

    /// Takes up saved genomes and their order.
    pub(super) fn restore(&mut self, state: &mut StateReader<'_>) -> Result<(), Error> {
        state.fill_bytes(&mut self.genomes)?;
        let ranked: Vec<u32> = state.get()?;
        let slots = self.genomes.len() / self.units.genome_len().max(1);
        if let Some(slot) = ranked.iter().find(|slot| **slot as usize >= slots) {
            return Err(Error::State(format!("parent {slot} of {slots}")));
        }
        self.ranked = ranked;
        Ok(())
    }

    /// A counting sort by total, which keeps the order of equal slots, cut after the `ranks` best: totals are few.
    fn rank(&mut self, scores: &[Score], ranks: usize) {
        let highest = scores.iter().map(|score| score.total()).max().unwrap_or_default();
        self.next_rank.clear();
        self.next_rank.resize(highest as usize + 1, 0);
        scores.iter().for_each(|score| self.next_rank[score.total() as usize] += 1);
        let mut better = 0;
        for slots in &mut self.next_rank {
            better += std::mem::replace(slots, better);
        }
        self.ranked.resize(ranks.min(scores.len()), 0);
        for (slot, score) in (0u32..).zip(scores) {
            let rank = &mut self.next_rank[score.total() as usize];
            if let Some(place) = self.ranked.get_mut(*rank as usize) {
                *place = slot;
            }
            *rank += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::rng::{Key, Stream};
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;
    use crate::sudoku::Shape;

    fn parents() -> Parents {
        let units = FreeUnits::blocks(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        Parents::new(units, 0)
    }

    #[test]
    fn ranks_are_those_of_a_sort_by_total_and_slot() {
        let mut parents = parents();
        for (epoch, len) in [1, 2, 31, 1000].into_iter().enumerate() {
            let score = |slot| Score::new(Key::new(1, 0, Stream::Sample).words(epoch as u32, slot, 0)[0] % 50, 3, 0);
            let scores: Vec<Score> = (0..len).map(score).collect();
            let mut expected: Vec<u32> = (0..len).collect();
            expected.sort_by_key(|slot| (scores[*slot as usize].total(), *slot));
            for ranks in [1, 2, len as usize / 3 + 1, len as usize, len as usize + 1] {
                let best = parents.succeed(&mut Vec::new(), &scores, ranks);
                assert_eq!(best, expected[0] as usize);
                assert_eq!(parents.ranked, expected[..ranks.min(len as usize)], "{ranks} of {len}");
            }
        }
    }

    #[test]
    fn children_become_parents_by_rank() {
        let mut parents = parents();
        let mut children: Vec<u8> = (0..3 * 81).map(|place| (place / 81) as u8 + 1).collect();
        parents.succeed(&mut children, &[Score::new(5, 0, 0), Score::new(0, 0, 2), Score::new(0, 2, 0)], 3);
        assert_eq!([0, 1, 2].map(|rank| parents.ranked(rank).to_vec()), [[2; 81], [3; 81], [1; 81]].map(Vec::from));
        assert!(children.is_empty());
    }
}
