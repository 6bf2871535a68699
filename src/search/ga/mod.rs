//! Genetic algorithms: every generation is made of children of the one before.
//!
//! [`Generations`] is what they share; an algorithm is its parameters and a [`Breed`], which says how a child is made:
//!
//! - [`naive`] (`ga-naive`) and [`columns`] (`ga-columns`): the two approaches of the notebook "Solving Sudokus with a
//!   Genetic Algorithm", both by [`reshuffle`];
//! - [`genetic`] (`genetic`): encodings, selections, crossovers, mutation, elites and local search to choose from.
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
//! generations of a run go on counting, and [`Budget::epochs`](super::Budget::epochs) and
//! [`Budget::restarts`](super::Budget::restarts) bound the run from outside, with random streams of their own for each
//! outer restart.
//!
//! **Words.** A fill takes the words of [`FreeUnits::fill_genome`] from [`Stream::Fill`] at counter (generation, slot,
//! draw, 0). A child takes [`Draws`] from [`Stream::Breed`]: its first two words are half of the block that it shares with
//! the other slot of its pair, which is all that most children of `ga-naive` and `ga-columns` need. Each algorithm lists
//! its draws in their order.

pub mod columns;
mod descent;
pub mod genetic;
pub mod naive;
mod parents;
pub mod reshuffle;
mod stagnation;
mod state;

pub use parents::Parents;

use self::stagnation::Stagnation;
use super::state::{StateReader, StateWriter};
use super::{Best, Chunk, Search};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::moves::FreeUnits;
use crate::population::rng::{Draws, Key, Stream, Words};
use crate::population::{LANES, Lanes, Population};

/// How a genetic algorithm makes the children of a generation.
pub trait Breed: Send + Sync {
    /// Words that a child usually takes.
    const WORDS: usize;

    /// How many of the best the next generation may be bred from: the ranks that [`Parents`] will know.
    fn ranks(&self) -> usize;

    /// Makes the child for a slot. `child` holds anything before, and a genome after.
    fn breed(&self, parents: &Parents, slot: usize, draws: Draws, child: &mut [u8]);

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
    stagnation: Stagnation,
}

/// What every slot's child depends on and none writes.
struct Rule<B> {
    breed: B,
    parents: Parents,
    population: usize,
    generation: u32,
    /// True if this generation is filled at random.
    fresh: bool,
    fill_key: Key,
    breed_key: Key,
}

/// Bytes of an individual: its cells, score and rank, and the genomes of two generations.
pub(super) const fn bytes_per_slot(cells: usize, free_cells: usize) -> usize {
    cells + size_of::<Score>() + size_of::<u32>() + 2 * free_cells
}

impl<B: Breed> Generations<B> {
    /// `population` slots bred by `breed`, begun at restart 0; validated parameters only.
    fn new(units: FreeUnits, population: usize, restart_after: u32, breed: B, seed: u64) -> Generations<B> {
        let individuals = Population::copies(units.puzzle().givens(), population);
        let slots = individuals.slots();
        let genomes = slots * units.genome_len();
        let rule = Rule {
            breed,
            parents: Parents::new(units, genomes),
            population,
            generation: 0,
            fresh: true,
            fill_key: Key::new(seed, 0, Stream::Fill),
            breed_key: Key::new(seed, 0, Stream::Breed),
        };
        Generations {
            rule,
            seed,
            population: individuals,
            children: vec![0; genomes],
            scores: vec![Score::default(); slots],
            stagnation: Stagnation::new(restart_after),
        }
    }
}

impl<B: Breed> Search for Generations<B> {
    type Chunk<'a>
        = Brood<'a, B>
    where
        B: 'a;
    type Tally = ();

    fn begin(&mut self, restart: u32) {
        self.rule.generation = 0;
        self.rule.fresh = true;
        self.rule.fill_key = Key::new(self.seed, restart, Stream::Fill);
        self.rule.breed_key = Key::new(self.seed, restart, Stream::Breed);
        self.stagnation.forget();
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
        let slot = rule.parents.succeed(&mut self.children, &self.scores[..rule.population], rule.breed.ranks());
        let best = Best { score: self.scores[slot], slot };
        rule.breed.conclude(slot, rule.fresh);
        rule.fresh = self.stagnation.observe(best.score.total());
        rule.generation += 1;
        best
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

impl<B: Breed> Brood<'_, B> {
    /// Lanes, and bytes of genomes, of this many tiles.
    fn extent(&self, tiles: usize) -> (usize, usize) {
        let units = self.rule.parents.units();
        (tiles * units.puzzle().shape().cells(), tiles * LANES * units.genome_len())
    }
}

impl<B: Breed> Chunk for Brood<'_, B> {
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

impl<B: Breed> Rule<B> {
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
        let shared = self.breed_key.words_of_lanes::<{ LANES / 2 }>(self.generation, first as u32 / 2, 0);
        for half in [0, LANES / 2] {
            // The next words of many lanes at once, if most of them take any; no more lanes than fit in registers.
            let own = (B::WORDS > 2)
                .then(|| self.breed_key.words_of_lanes::<{ LANES / 2 }>(self.generation, (first + half) as u32, 1));
            for lane in half..used.min(half + LANES / 2) {
                let (slot, pair, odd) = (first + lane, lane / 2, lane % 2);
                let first_words = [shared[2 * odd][pair], shared[2 * odd + 1][pair]];
                let mut words = Words::after(first_words, self.breed_key, self.generation, slot as u32);
                if let Some([a, b, c, d]) = &own {
                    let at = lane - half;
                    words = words.with_next_block([a[at], b[at], c[at], d[at]]);
                }
                self.breed.breed(&self.parents, slot, Draws::new(words), &mut children[child(lane)]);
            }
        }
    }
}
