//! Particle swarm optimisation over random keys.
//!
//! Why: the swarm that its inventors described moves through real numbers, and a Sudoku grid is none. A *random key* for
//! every free cell bridges that: the keys of a unit are ranked, and the ranks say which missing digit goes where (see the
//! module `keys`). What comes of it is an honest yardstick for the searches that work on grids themselves: neighbouring
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

use std::fmt;

use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, Preset, configure};
use super::parameter::Parameter;
use super::parts;
use super::parts::keys::KeyDecoder;
use super::parts::motion::{Coefficients, KeyLanes, KeyMotion, Place, start};
use super::parts::rank::Extremes;
use super::parts::step::totals;
use super::state::{Resumable, StateReader, StateWriter};
use super::{Best, Chunk, Search, stops};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::moves::{LaneWords, lanes_below};
use crate::population::rng::{Key, Stream};
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::Puzzle;

/// Whose free cells share out their missing digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoding {
    /// Each row's: every row holds each digit once, whatever the keys.
    Rows,
    /// Each block's: every block holds each digit once, whatever the keys.
    Blocks,
}

/// Where a particle's next step starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Movement {
    /// From the last position, whatever its score was: the canonical rule.
    Always,
    /// From the best own position: a step that does not improve on it is taken back. The pull towards the own best is
    /// nothing then. This is what mealpy's `OriginalPSO` does.
    Better,
}

/// Size, coefficients and encoding of a random-key swarm.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct RandomKeyParameters {
    /// Particles.
    pub population: usize,
    /// The part of the velocity that is kept, within `0..=1`: w.
    pub inertia: f64,
    /// The pull towards the particle's own best position, within `0..=5`: c1.
    pub cognitive: f64,
    /// The pull towards the swarm's best position, within `0..=5`: c2.
    pub social: f64,
    /// Where steps start.
    pub movement: Movement,
    /// How keys become digits.
    pub decoding: Decoding,
}

impl RandomKeyParameters {
    /// The canonical rule with the coefficients that mealpy's `OriginalPSO` has by default and the size that the
    /// notebook "Sudoku-05-PSO" gives it. It leaves fewer conflicts than [`RandomKeyParameters::MEALPY`].
    pub const CANONICAL: RandomKeyParameters = RandomKeyParameters {
        population: 60,
        inertia: 0.4,
        cognitive: 2.05,
        social: 2.05,
        movement: Movement::Always,
        decoding: Decoding::Rows,
    };

    /// What the notebook runs: mealpy's `OriginalPSO`, with its movement too.
    pub const MEALPY: RandomKeyParameters = RandomKeyParameters { movement: Movement::Better, ..Self::CANONICAL };
}

/// Particle swarm optimisation over random keys.
pub(super) static RANDOM_KEY: Algorithm = Algorithm {
    name: "random-key",
    aliases: &["pso"],
    help: "Canonical particle swarm over one key per free cell, decoded to permutations",
    note: "The notebook runs it with mealpy; the notebook's own \"PSO\" is the algorithm `swarm`.",
    parameters: &[
        parts::POPULATION,
        Parameter::ratio("inertia", "W", "Part of a particle's velocity that is kept"),
        Parameter::number("cognitive", "C1", (0.0, 5.0), "Pull towards the particle's own best position"),
        Parameter::number("social", "C2", (0.0, 5.0), "Pull towards the swarm's best position"),
        Parameter::choice(
            "movement",
            "RULE",
            &["always", "better"],
            "A step starts where the particle is, or at its own best position",
        ),
        Parameter::choice(
            "decoding",
            "UNITS",
            &["rows", "blocks"],
            "Units whose free cells take their missing digits by keys",
        ),
    ],
    rules: &[
        NamedRule { name: "tuned", defaults: |_| Defaults::of(&RandomKeyParameters::CANONICAL), budget: MEALPY.budget },
        NamedRule { name: "seed", defaults: |_| Defaults::of(&RandomKeyParameters::MEALPY), budget: MEALPY.budget },
    ],
    presets: &[MEALPY],
    stops: stops::OF_POPULATIONS,
    fixed: &[],
    slot_bytes: RandomKey::bytes_per_slot,
    configure: configure::<RandomKeyParameters>,
};

/// The sizes that the notebook gives to mealpy.
const MEALPY: Preset = Preset {
    name: "mealpy",
    population: RandomKeyParameters::MEALPY.population as u64,
    budget: stops::epochs_and_restarts(300, 1),
};

impl Parameters for RandomKeyParameters {
    type Search = RandomKey;

    fn algorithm(&self) -> &'static Algorithm {
        &RANDOM_KEY
    }

    fn population(&self) -> usize {
        self.population
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> RandomKey {
        RandomKey::of(puzzle, self, seed)
    }
}

/// `60 particles, inertia 0.4, pulls 2.05 (own best) and 2.05 (swarm's best), keys by rows`
impl fmt::Display for RandomKeyParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RandomKeyParameters { population, inertia, cognitive, social, .. } = self;
        write!(
            f,
            "{population} particles, inertia {inertia}, pulls {cognitive} (own best) and {social} (swarm's best)"
        )?;
        if self.movement == Movement::Better {
            f.write_str(", better steps only")?;
        }
        match self.decoding {
            Decoding::Rows => f.write_str(", keys by rows"),
            Decoding::Blocks => f.write_str(", keys by blocks"),
        }
    }
}

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
    /// What [`Parameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &RandomKeyParameters, seed: u64) -> Result<RandomKey, Error> {
        parameters.search(puzzle, seed)
    }

    fn of(puzzle: &Puzzle, parameters: &RandomKeyParameters, seed: u64) -> RandomKey {
        let population = Population::copies(puzzle.givens(), parameters.population);
        let decoder = KeyDecoder::new(puzzle, parameters.decoding);
        // Memory that is zero from the start is given page by page, when epoch 0 writes it on all threads; a clone is
        // written here.
        let lanes = || vec![[0.0; LANES]; population.tiles() * decoder.keys()];
        let (keys, velocities, bests) = (lanes(), lanes(), lanes());
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
        RandomKey {
            rule,
            seed,
            population,
            scores: vec![Score::default(); slots],
            best_totals: vec![0; slots],
            keys,
            velocities,
            bests,
        }
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

impl Resumable for RandomKey {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put(&self.best_totals);
        for keys in [&self.keys, &self.velocities, &self.bests] {
            state.put(keys.as_flattened());
        }
        state.put(&self.rule.epoch);
        state.put(&self.rule.leader);
        state.put(&self.rule.leader_total);
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill(&mut self.best_totals)?;
        for keys in [&mut self.keys, &mut self.velocities, &mut self.bests] {
            state.fill(keys.as_flattened_mut())?;
        }
        self.rule.epoch = state.get()?;
        state.fill(&mut self.rule.leader)?;
        self.rule.leader_total = state.get()?;
        Ok(())
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
    #[inline(always)]
    fn tile_cells(&self, tile: usize) -> std::ops::Range<usize> {
        tile * self.rule.cells..(tile + 1) * self.rule.cells
    }

    #[inline(always)]
    fn tile_keys(&self, tile: usize) -> std::ops::Range<usize> {
        let keys = self.rule.decoder.keys();
        tile * keys..(tile + 1) * keys
    }

    /// How many lanes of a tile hold particles.
    #[inline(always)]
    fn used(&self, tile: usize) -> usize {
        LANES.min(self.rule.population - self.first - tile * LANES)
    }

    /// Starts every key of a tile.
    #[inline(always)]
    fn start(&mut self, tile: usize) {
        let (rule, range) = (self.rule, self.tile_keys(tile));
        let slot = (self.first + tile * LANES) as u32;
        let keys = self.keys[range.clone()].iter_mut().zip(&mut self.velocities[range]);
        for (draw, (keys, velocities)) in (0..).zip(keys) {
            start(Place { key: rule.key, epoch: rule.epoch, slot, draw }, keys, velocities);
        }
    }

    /// Moves every key of a tile.
    #[inline(always)]
    fn advance(&mut self, tile: usize) {
        let (rule, range) = (self.rule, self.tile_keys(tile));
        let slot = (self.first + tile * LANES) as u32;
        let keys = self.keys[range.clone()].iter_mut().zip(&mut self.velocities[range.clone()]);
        let pulls = self.bests[range].iter().zip(&rule.leader);
        for (draw, ((keys, velocities), (own, leader))) in (0..).zip(keys.zip(pulls)) {
            if rule.movement == Movement::Better {
                *keys = *own;
            }
            let place = Place { key: rule.key, epoch: rule.epoch, slot, draw };
            rule.coefficients.step(place, KeyMotion { keys, velocities, own, leader: *leader });
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

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        if self.rule.epoch == 0 {
            self.start(tile);
        } else {
            self.advance(tile);
        }
        let (cells, keys, used) = (self.tile_cells(tile), self.tile_keys(tile), self.used(tile));
        self.rule.decoder.decode(&self.keys[keys], &mut self.lanes[cells], used);
    }

    #[inline(always)]
    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (range, slots) = (self.tile_keys(tile), tile * LANES..(tile + 1) * LANES);
        let (first, used) = (self.first + slots.start, self.used(tile));
        self.scores[slots.clone()][..used].copy_from_slice(&scores[..used]);
        let totals = totals(scores);
        tally.add_lanes(&totals, lanes_below(self.rule.population, first), first as u32);
        let improves = improvements(&totals, &mut self.best_totals[slots][..used], self.rule.epoch == 0);
        if improves != [0; LANES] {
            keep(&improves, &self.keys[range.clone()], &mut self.bests[range]);
        }
    }
}

/// For each lane all bits if its total enters the best totals, as a lower one does and any if all are `forced`; else none.
#[inline(always)]
fn improvements(totals: &LaneWords, best_totals: &mut [u32], forced: bool) -> LaneWords {
    let mut improves = [0; LANES];
    for (lane, best_total) in best_totals.iter_mut().enumerate() {
        improves[lane] = (u32::from(totals[lane] < *best_total) | u32::from(forced)).wrapping_neg();
        *best_total ^= (*best_total ^ totals[lane]) & improves[lane];
    }
    improves
}

/// Makes the keys of these lanes their best ones.
#[inline(always)]
fn keep(lanes: &LaneWords, keys: &[KeyLanes], bests: &mut [KeyLanes]) {
    for (best, key) in bests.iter_mut().zip(keys) {
        for lane in 0..LANES {
            let (old, new) = (best[lane].to_bits(), key[lane].to_bits());
            best[lane] = f32::from_bits(old ^ (old ^ new) & lanes[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let good = RandomKeyParameters::CANONICAL;
        assert!(good.validate().is_ok());
        for (bad, part) in [
            (RandomKeyParameters { population: 0, ..good }, "population is 0"),
            (RandomKeyParameters { inertia: 1.5, ..good }, "inertia is 1.5"),
            (RandomKeyParameters { inertia: f64::NAN, ..good }, "inertia is NaN or infinite"),
            (RandomKeyParameters { cognitive: -0.1, ..good }, "cognitive is -0.1"),
            (RandomKeyParameters { social: f64::INFINITY, ..good }, "social is NaN or infinite"),
        ] {
            assert!(bad.validate().unwrap_err().to_string().contains(part), "{part}");
        }
    }

    #[test]
    fn the_rule_is_told_in_one_line() {
        let by_blocks = RandomKeyParameters {
            movement: Movement::Better,
            decoding: Decoding::Blocks,
            ..RandomKeyParameters::CANONICAL
        };
        assert_eq!(
            by_blocks.to_string(),
            "60 particles, inertia 0.4, pulls 2.05 (own best) and 2.05 (swarm's best), better steps only, keys by blocks"
        );
    }
}
