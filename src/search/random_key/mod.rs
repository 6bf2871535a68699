//! Particle swarm optimisation over random keys.
//!
//! Why: the swarm that its inventors described moves through real numbers, and a Sudoku grid is none. A *random key* for
//! every free cell bridges that: the keys of a unit are ranked, and the ranks say which missing digit goes where (see the
//! module `decode`). What comes of it is an honest yardstick for the searches that work on grids themselves: neighbouring
//! keys seldom mean neighbouring grids, and on all but the easiest puzzles some conflicts are left.
//!
//! Sources: J. Kennedy and R. Eberhart, "Particle swarm optimization", ICNN 1995; Y. Shi and R. Eberhart, "A modified
//! particle swarm optimizer", ICEC 1998 (the inertia weight). Coefficients, the start of positions and velocities, and
//! what happens at the bounds are those of `OriginalPSO` in mealpy 3.0.3. A particle has a position x (its keys), a
//! velocity v, its own best position and the total there; the swarm has a leader, the best position of all. An epoch:
//!
//! 1. every key moves: `v = w v + c1 r1 (own - x) + c2 r2 (leader - x)`, `x = x + v`, with r1 and r2 fresh for each key; a
//!    key that leaves `0..=1` is drawn anew, and its velocity stays;
//! 2. the keys are decoded and the batch is scored;
//! 3. accept: where the total is lower than the particle's best, the position becomes its best;
//! 4. conclude: the lowest total of the epoch, if lower than the leader's, makes the leader.
//!
//! Epoch 0 starts keys within `0..1` and velocities within `-1/2..1/2`; velocities are not bounded later. The leader is
//! that of the last epoch for every particle, never one that another particle of the same epoch has just found (as in
//! mealpy, whose leader also changes after a whole epoch; sequential forms of the rule differ there). One thing does differ
//! from mealpy: its particle stays where it was unless its score improves, so that position and own best are always the
//! same and the pull towards the own best is nothing. [`Movement::Better`] is that rule, [`Movement::Always`] the canonical
//! one.
//!
//! A particle takes 12 bytes a free cell beside its candidate. Words: see [`Stream::Particle`].

mod decode;
mod motion;
mod parameters;
mod state;

pub use parameters::{Decoding, Movement, RandomKeyParameters};

use super::rank::Extremes;
use super::{Best, Chunk, Search};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::rng::{Key, Stream};
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::Puzzle;
use decode::KeyDecoder;
use motion::{Coefficients, KeyLanes, KeyMotion, Place, start};

/// A random-key swarm on one puzzle. Keys, velocities and own bests lie as candidates do: tile by tile, key by key, the
/// 32 lanes side by side.
pub struct RandomKey {
    rule: Rule,
    seed: u64,
    /// The candidate of each particle's position.
    population: Population,
    scores: Vec<Score>,
    best_totals: Vec<u32>,
    keys: Vec<KeyLanes>,
    velocities: Vec<KeyLanes>,
    bests: Vec<KeyLanes>,
}

/// What every particle's step reads and none writes.
struct Rule {
    decoder: KeyDecoder,
    coefficients: Coefficients,
    movement: Movement,
    cells: usize,
    population: usize,
    epoch: u32,
    key: Key,
    /// The best position of the swarm.
    leader: Vec<f32>,
    leader_total: u32,
}

impl RandomKey {
    /// Bytes of a particle: its cells, score and best total, and for each free cell a key, a velocity and the best key.
    pub(super) const fn bytes_per_slot(cells: usize, free_cells: usize) -> usize {
        cells + size_of::<Score>() + size_of::<u32>() + 3 * free_cells * size_of::<f32>()
    }

    /// A swarm on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`RandomKeyParameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &RandomKeyParameters, seed: u64) -> Result<RandomKey, Error> {
        parameters.validate()?;
        let mut population = Population::new(puzzle.shape(), parameters.population);
        (0..population.len()).for_each(|slot| population.set(slot, puzzle.givens()));
        let decoder = KeyDecoder::new(puzzle, parameters.decoding);
        let lanes = vec![[0.0; LANES]; population.tiles() * decoder.keys()];
        let slots = population.slots();
        let rule = Rule {
            leader: vec![0.0; decoder.keys()],
            leader_total: u32::MAX,
            decoder,
            coefficients: Coefficients::new(parameters),
            movement: parameters.movement,
            cells: puzzle.shape().cells(),
            population: parameters.population,
            epoch: 0,
            key: Key::new(seed, 0, Stream::Particle),
        };
        Ok(RandomKey {
            rule,
            seed,
            population,
            scores: vec![Score::default(); slots],
            best_totals: vec![0; slots],
            keys: lanes.clone(),
            velocities: lanes.clone(),
            bests: lanes,
        })
    }

    /// The keys of a particle's position, in the order of their cells: row after row or block after block.
    ///
    /// # Panics
    /// If `slot` is not below the population.
    pub fn position(&self, slot: usize) -> impl ExactSizeIterator<Item = f32> {
        assert!(slot < self.rule.population, "slot {slot} of {} particles", self.rule.population);
        let keys = self.rule.decoder.keys();
        self.keys[slot / LANES * keys..][..keys].iter().map(move |lanes| lanes[slot % LANES])
    }
}

impl Search for RandomKey {
    type Chunk<'a> = RandomKeyChunk<'a>;
    type Tally = Extremes;

    fn begin(&mut self, restart: u32) {
        self.rule.epoch = 0;
        self.rule.leader_total = u32::MAX;
        self.rule.key = Key::new(self.seed, restart, Stream::Particle);
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> RandomKeyChunk<'_> {
        RandomKeyChunk {
            rule: &self.rule,
            first: 0,
            lanes: self.population.lanes_mut(),
            scores: &mut self.scores,
            best_totals: &mut self.best_totals,
            keys: &mut self.keys,
            velocities: &mut self.velocities,
            bests: &mut self.bests,
        }
    }

    fn conclude(&mut self, tally: Extremes) -> Best {
        let (total, slot) = tally.best().expect("a population is not empty");
        if total < self.rule.leader_total {
            self.rule.leader_total = total;
            let keys = self.rule.decoder.keys();
            let position = &self.keys[slot / LANES * keys..][..keys];
            self.rule.leader.iter_mut().zip(position).for_each(|(leader, lanes)| *leader = lanes[slot % LANES]);
        }
        self.rule.epoch += 1;
        Best { score: self.scores[slot], slot }
    }
}

/// Successive tiles of a random-key swarm.
pub struct RandomKeyChunk<'a> {
    rule: &'a Rule,
    /// The first slot.
    first: usize,
    lanes: &'a mut [Lanes],
    scores: &'a mut [Score],
    best_totals: &'a mut [u32],
    keys: &'a mut [KeyLanes],
    velocities: &'a mut [KeyLanes],
    bests: &'a mut [KeyLanes],
}

impl RandomKeyChunk<'_> {
    fn tile_cells(&self, tile: usize) -> std::ops::Range<usize> {
        tile * self.rule.cells..(tile + 1) * self.rule.cells
    }

    fn tile_keys(&self, tile: usize) -> std::ops::Range<usize> {
        let keys = self.rule.decoder.keys();
        tile * keys..(tile + 1) * keys
    }

    /// How many lanes of a tile hold particles.
    fn used(&self, tile: usize) -> usize {
        LANES.min(self.rule.population - self.first - tile * LANES)
    }

    /// Moves every key of a tile, or starts it in epoch 0.
    fn advance(&mut self, tile: usize) {
        let rule = self.rule;
        let range = self.tile_keys(tile);
        let slot = (self.first + tile * LANES) as u32;
        let keys = self.keys[range.clone()].iter_mut().zip(&mut self.velocities[range.clone()]);
        for (at, ((keys, velocities), own)) in keys.zip(&self.bests[range]).enumerate() {
            let place = Place { key: rule.key, epoch: rule.epoch, slot, draw: at as u32 };
            if rule.epoch == 0 {
                start(place, keys, velocities);
                continue;
            }
            if rule.movement == Movement::Better {
                *keys = *own;
            }
            rule.coefficients.step(place, KeyMotion { keys, velocities, own, leader: rule.leader[at] });
        }
    }
}

impl Chunk for RandomKeyChunk<'_> {
    type Tally = Extremes;

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let (slots, cells, keys) = (tiles * LANES, self.tile_cells(tiles).start, self.tile_keys(tiles).start);
        let RandomKeyChunk { rule, first, .. } = self;
        let (lanes, other_lanes) = self.lanes.split_at_mut(cells);
        let (scores, other_scores) = self.scores.split_at_mut(slots);
        let (best_totals, other_best_totals) = self.best_totals.split_at_mut(slots);
        let (own_keys, other_keys) = self.keys.split_at_mut(keys);
        let (velocities, other_velocities) = self.velocities.split_at_mut(keys);
        let (bests, other_bests) = self.bests.split_at_mut(keys);
        (
            RandomKeyChunk { rule, first, lanes, scores, best_totals, keys: own_keys, velocities, bests },
            RandomKeyChunk {
                rule,
                first: first + slots,
                lanes: other_lanes,
                scores: other_scores,
                best_totals: other_best_totals,
                keys: other_keys,
                velocities: other_velocities,
                bests: other_bests,
            },
        )
    }

    fn propose(&mut self, tile: usize) {
        self.advance(tile);
        let (cells, keys, used) = (self.tile_cells(tile), self.tile_keys(tile), self.used(tile));
        self.rule.decoder.decode(&self.keys[keys], &mut self.lanes[cells], used);
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (range, first, used) = (self.tile_keys(tile), self.first + tile * LANES, self.used(tile));
        let (keys, bests) = (&self.keys[range.clone()], &mut self.bests[range]);
        let best_totals = &mut self.best_totals[tile * LANES..][..used];
        self.scores[tile * LANES..][..used].copy_from_slice(&scores[..used]);
        for (lane, (score, best_total)) in scores.iter().zip(best_totals).enumerate() {
            let total = score.total();
            tally.add(total, (first + lane) as u32);
            if self.rule.epoch == 0 || total < *best_total {
                *best_total = total;
                bests.iter_mut().zip(keys).for_each(|(best, key)| best[lane] = key[lane]);
            }
        }
    }
}
