//! Genetic algorithms: every generation is made of children of the one before.
//!
//! [`Generations`] is what they share; an algorithm is its parameters and a [`Variation`], which says how a child is made:
//!
//! - `ga-naive` and `ga-columns`: the two approaches of the notebook "Solving Sudokus with a
//!   Genetic Algorithm", both by [`super::reshuffle`];
//! - `genetic`: encodings, selections, crossovers, mutation, elites and local search to choose from.
//!
//! A generation is an epoch, and so one batch:
//!
//! 1. every slot proposes: a random fill in the first generation, a child afterwards. Children are bred on all cores as
//!    *genomes*, the digits of the free cells one after another ([`FreeUnits`]), and then spread over their tile;
//! 2. the batch is scored, and every child is accepted: it replaces whoever held its slot;
//! 3. conclude: the slots are ranked by total, equal ones by slot, and genomes and parents change places, so that
//!    parents stay readable while children are written.
//!
//! **Restart.** When the best total has been the same for `restart_after` generations after the first that had it, the
//! next generation is filled anew and the count begins again. That is a part of the rule, like a reset in the swarm: the
//! generations of a run go on counting, and [`Budget::epochs`](crate::search::Budget::epochs) and
//! [`Budget::restarts`](crate::search::Budget::restarts) bound the run from outside, with random streams of their own for each
//! outer restart.
//!
//! **Words.** A fill takes the words of [`FreeUnits::fill_genome`] from [`Stream::Fill`] at counter (generation, slot,
//! draw, 0). A child takes [`Draws`] from [`Stream::Variation`]: its first two words are half of the block that it shares with
//! the other slot of its pair, which is all that most children of `ga-naive` and `ga-columns` need. Each algorithm lists
//! its draws in their order.

use crate::error::Error;
use crate::fitness::Score;
use crate::population::moves::FreeUnits;
use crate::population::rng::{Draws, Key, Stream, Words};
use crate::population::{LANES, Lanes, Population};
use crate::search::state::{Resumable, StateReader, StateWriter};
use crate::search::{Best, Chunk, Details, Search};

/// How a genetic algorithm makes the children of a generation.
pub trait Variation: Send + Sync {
    /// Words that a child usually takes.
    const WORDS: usize;

    /// How many of the best the next generation may be bred from: the ranks that [`Parents`] will know.
    fn ranks(&self) -> usize;

    /// Makes the child for a slot. `child` holds anything before, and a genome after.
    fn vary(&self, parents: &Parents, slot: usize, draws: Draws, child: &mut [u8]);

    /// Learns which slot holds the best of the generation just scored, and whether that was filled anew.
    fn conclude(&mut self, _best: usize, _fresh: bool) {}

    /// Writes what it has learnt, if it keeps anything.
    fn save(&self, _state: &mut StateWriter) {}

    /// Takes up what was saved.
    ///
    /// # Errors
    /// [`Error::State`] if the bytes are those of another algorithm.
    fn restore(&mut self, _state: &mut StateReader<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// A genetic algorithm on one puzzle.
pub struct Generations<B> {
    rule: Rule<B>,
    seed: u64,
    population: Population,
    /// The genomes of the generation that is being made, one slot after another.
    children: Vec<u8>,
    scores: Vec<Score>,
    unchanged: Unchanged,
}

/// What every slot's child depends on and none writes.
struct Rule<B> {
    variation: B,
    parents: Parents,
    population: usize,
    generation: u32,
    /// True if this generation is filled at random.
    fresh: bool,
    fill_key: Key,
    variation_key: Key,
}

/// Bytes of an individual: its cells, score and rank, and the genomes of two generations.
pub(crate) const fn bytes_per_slot(cells: usize, free_cells: usize) -> usize {
    cells + size_of::<Score>() + size_of::<u32>() + 2 * free_cells
}

impl<B: Variation> Generations<B> {
    /// `population` slots bred by `variation`, begun at restart 0; validated parameters only.
    pub fn new(units: FreeUnits, population: usize, restart_after: u32, variation: B, seed: u64) -> Generations<B> {
        let individuals = Population::copies(units.puzzle().givens(), population);
        let slots = individuals.slots();
        let genomes = slots * units.genome_len();
        let rule = Rule {
            variation,
            parents: Parents::new(units, genomes),
            population,
            generation: 0,
            fresh: true,
            fill_key: Key::new(seed, 0, Stream::Fill),
            variation_key: Key::new(seed, 0, Stream::Variation),
        };
        Generations {
            rule,
            seed,
            population: individuals,
            children: vec![0; genomes],
            scores: vec![Score::default(); slots],
            unchanged: Unchanged::new(restart_after),
        }
    }
}

impl<B: Variation> Search for Generations<B> {
    type Chunk<'a>
        = Brood<'a, B>
    where
        B: 'a;
    type Tally = ();

    fn begin(&mut self, restart: u32) {
        self.rule.generation = 0;
        self.rule.fresh = true;
        self.rule.fill_key = Key::new(self.seed, restart, Stream::Fill);
        self.rule.variation_key = Key::new(self.seed, restart, Stream::Variation);
        self.unchanged.forget();
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> Brood<'_, B> {
        Brood {
            rule: &self.rule,
            first: 0,
            lanes: self.population.lanes_mut(),
            children: &mut self.children,
            scores: &mut self.scores,
        }
    }

    fn conclude(&mut self, (): ()) -> Best {
        let rule = &mut self.rule;
        let slot = rule.parents.succeed(&mut self.children, &self.scores[..rule.population], rule.variation.ranks());
        let best = Best { score: self.scores[slot], slot };
        rule.variation.conclude(slot, rule.fresh);
        rule.fresh = self.unchanged.observe(best.score.total());
        rule.generation += 1;
        best
    }

    fn details(&self) -> Details {
        Details { resets: u64::from(self.rule.fresh), ..Details::default() }
    }
}

/// Successive tiles of a generation.
pub struct Brood<'a, B> {
    rule: &'a Rule<B>,
    /// The first slot.
    first: usize,
    lanes: &'a mut [Lanes],
    children: &'a mut [u8],
    scores: &'a mut [Score],
}

impl<B: Variation> Brood<'_, B> {
    /// Lanes, and bytes of genomes, of this many tiles.
    fn extent(&self, tiles: usize) -> (usize, usize) {
        let units = self.rule.parents.units();
        (tiles * units.puzzle().shape().cells(), tiles * LANES * units.genome_len())
    }
}

impl<B: Variation> Chunk for Brood<'_, B> {
    type Tally = ();

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let (cells, digits) = self.extent(tiles);
        let (lanes, other_lanes) = self.lanes.split_at_mut(cells);
        let (children, other_children) = self.children.split_at_mut(digits);
        let (scores, other_scores) = self.scores.split_at_mut(tiles * LANES);
        let Brood { rule, first, .. } = self;
        (
            Brood { rule, first, lanes, children, scores },
            Brood {
                rule,
                first: first + tiles * LANES,
                lanes: other_lanes,
                children: other_children,
                scores: other_scores,
            },
        )
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let ((from, genomes), (cells, digits)) = (self.extent(tile), self.extent(1));
        let children = &mut self.children[genomes..][..digits];
        self.rule.tile(self.first + tile * LANES, children);
        self.rule.parents.units().place_tile(children, &mut self.lanes[from..][..cells]);
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        let ((from, _), (cells, _)) = (self.extent(tile), self.extent(1));
        &self.lanes[from..][..cells]
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], (): &mut ()) {
        self.scores[tile * LANES..][..LANES].copy_from_slice(scores);
    }
}

impl<B: Variation> Rule<B> {
    /// Makes the genomes of the tile that begins with slot `first`.
    #[inline(always)]
    fn tile(&self, first: usize, children: &mut [u8]) {
        let (used, len) = (LANES.min(self.population - first), self.parents.units().genome_len());
        let child = |lane: usize| lane * len..(lane + 1) * len;
        if self.fresh {
            for lane in 0..used {
                let mut words = Words::new(self.fill_key, self.generation, (first + lane) as u32);
                self.parents.units().fill_genome(&mut children[child(lane)], &mut words);
            }
            return;
        }
        let shared = self.variation_key.words_of_lanes::<{ LANES / 2 }>(self.generation, first as u32 / 2, 0);
        for half in [0, LANES / 2] {
            // The next words of many lanes at once, if most of them take any; no more lanes than fit in registers.
            let own = (B::WORDS > 2)
                .then(|| self.variation_key.words_of_lanes::<{ LANES / 2 }>(self.generation, (first + half) as u32, 1));
            for lane in half..used.min(half + LANES / 2) {
                let (slot, pair, odd) = (first + lane, lane / 2, lane % 2);
                let first_words = [shared[2 * odd][pair], shared[2 * odd + 1][pair]];
                let mut words = Words::after(first_words, self.variation_key, self.generation, slot as u32);
                if let Some([a, b, c, d]) = &own {
                    let at = lane - half;
                    words = words.with_next_block([a[at], b[at], c[at], d[at]]);
                }
                self.variation.vary(&self.parents, slot, Draws::new(words), &mut children[child(lane)]);
            }
        }
    }
}

impl<B: Variation> Resumable for Generations<B> {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        self.rule.parents.save(state);
        state.put(&(self.rule.generation, self.rule.fresh));
        state.put(&self.unchanged);
        self.rule.variation.save(state);
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        self.rule.parents.restore(state)?;
        (self.rule.generation, self.rule.fresh) = state.get()?;
        self.unchanged = state.get()?;
        self.rule.variation.restore(state)
    }
}

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
    pub fn new(units: FreeUnits, genomes: usize) -> Parents {
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
    /// If `rank` is not below the algorithm's [`ranks`](Variation::ranks).
    #[inline]
    pub fn ranked(&self, rank: u32) -> &[u8] {
        let len = self.units.genome_len();
        &self.genomes[self.ranked[rank as usize] as usize * len..][..len]
    }

    /// Makes parents of the children, ranks the `ranks` best by their scores, and names the slot of the best; `children`
    /// gets the old parents' memory.
    pub fn succeed(&mut self, children: &mut Vec<u8>, scores: &[Score], ranks: usize) -> usize {
        std::mem::swap(&mut self.genomes, children);
        self.rank(scores, ranks);
        self.ranked[0] as usize
    }

    /// Writes the genomes and their order.
    fn save(&self, state: &mut StateWriter) {
        state.put_bytes(&self.genomes);
        state.put(&self.ranked);
    }

    /// Takes up saved genomes and their order.
    fn restore(&mut self, state: &mut StateReader<'_>) -> Result<(), Error> {
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

/// Counts the generations whose best total was that of the generation before.
#[derive(serde::Serialize, serde::Deserialize)]
struct Unchanged {
    restart_after: u32,
    best: Option<u32>,
    unchanged: u32,
}

impl Unchanged {
    fn new(restart_after: u32) -> Unchanged {
        Unchanged { restart_after, best: None, unchanged: 0 }
    }

    /// Forgets every generation.
    fn forget(&mut self) {
        (self.best, self.unchanged) = (None, 0);
    }

    /// Takes a generation's best total into account. True, and everything is forgotten, if each of the `restart_after`
    /// generations before had the same.
    fn observe(&mut self, best: u32) -> bool {
        self.unchanged = if self.best.replace(best) == Some(best) { self.unchanged + 1 } else { 0 };
        let stuck = self.unchanged >= self.restart_after;
        if stuck {
            self.forget();
        }
        stuck
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

    fn stuck(restart_after: u32, bests: &[u32]) -> Vec<usize> {
        let mut unchanged = Unchanged::new(restart_after);
        (0..bests.len()).filter(|generation| unchanged.observe(bests[*generation])).collect()
    }

    #[test]
    fn as_many_generations_before_must_have_had_the_same_best() {
        assert_eq!(stuck(3, &[9, 7, 7, 7, 7, 7]), [4]);
        assert_eq!(stuck(1, &[9, 7, 7, 8, 8]), [2, 4]);
    }

    #[test]
    fn any_change_for_better_or_worse_begins_the_count_again() {
        assert!(stuck(3, &[5, 5, 5, 6, 6, 6, 5, 5, 5, 4]).is_empty());
    }

    #[test]
    fn what_was_before_a_restart_counts_no_more() {
        assert_eq!(stuck(2, &[5, 5, 5, 5, 5, 5]), [2, 5]);
    }
}
