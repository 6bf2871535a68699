//! The worker/explorer swarm.
//!
//! Source: the notebook "Sudoku-05-PSO" (after J. McCaffrey's combinatorial evolution): workers improve their own grid
//! by swaps inside blocks, explorers draw fresh fills, and the best of both are merged. Here each epoch is one batch:
//!
//! 1. every slot proposes: a worker its grid with one [`Swap`], an explorer a fresh fill, a *forced* slot its reset or
//!    its merge child;
//! 2. the batch is scored;
//! 3. accept: forced and explorer grids are taken with age 0; a worker takes a lower total (age 0) or what its
//!    [`Acceptance`] allows (age + 1), or anything with the mutation rate (age kept); else it undoes its swap (age + 1);
//! 4. conclude: of the best worker and the best explorer, each block from either with probability 1/2 makes a child,
//!    forced into the worst worker's slot for the next epoch.
//!
//! Two things differ from the notebook's sequential loop, and follow from scoring once an epoch: a worker past the
//! maximum age is reset, and a child takes its place, one epoch later than there; and both cost that slot its move.
//! A reset needs no stored grid, its fill is drawn from the counter. Words: see [`Stream`].

use std::fmt;

use super::rank::Extremes;
use super::{Best, Chunk, Search, Tally};
use crate::error::Error;
use crate::fitness::Score;
use crate::moves::{FreeUnits, Swap};
use crate::population::{LANES, Lanes, Population};
use crate::puzzle::Puzzle;
use crate::rng::{Key, Stream, Threshold, Words};

/// The part of a population that are workers, in parts per million, so that it is the same number everywhere.
const RATIO_UNIT: u64 = 1_000_000;

/// What a worker accepts besides a lower total.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(tag = "acceptance", rename_all = "lowercase")]
pub enum Acceptance {
    /// Nothing.
    Strict,
    /// An equal total.
    Plateau,
    /// A total higher by `d` with probability `exp(-d / temperature)`, an equal one always.
    Metropolis {
        /// In units of the score.
        temperature: f64,
    },
}

/// What defines a swarm beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct SwarmParameters {
    /// Slots: workers first, then explorers.
    pub population: usize,
    /// The part of the population that are workers, within `0..=1`; counted in whole parts per million.
    pub worker_ratio: f64,
    /// Epochs without a lower total after which a worker is reset.
    pub max_age: u32,
    /// Probability that a worker takes its proposal whatever its score.
    pub mutation_rate: f64,
    /// What a worker accepts besides.
    #[serde(flatten)]
    pub acceptance: Acceptance,
}

impl SwarmParameters {
    /// The notebook's parameters: 200 slots, 90 % workers, strict acceptance.
    pub const SEED: SwarmParameters = SwarmParameters {
        population: 200,
        worker_ratio: 0.90,
        max_age: 1000,
        mutation_rate: 0.001,
        acceptance: Acceptance::Strict,
    };

    /// The temperature at which Metropolis acceptance solves most.
    pub const TUNED_TEMPERATURE: f64 = 0.29;

    /// What solves most puzzles.
    pub const TUNED: SwarmParameters = SwarmParameters {
        population: 64,
        worker_ratio: 1.0,
        max_age: 1_000_000,
        mutation_rate: 0.0,
        acceptance: Acceptance::Metropolis { temperature: Self::TUNED_TEMPERATURE },
    };

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, a ratio or rate outside `0..=1`, a temperature that
    /// is not positive.
    pub fn validate(&self) -> Result<(), Error> {
        let refuse = |name, found: String, expected| Err(Error::Parameter { name, found, expected });
        if !(1..=MAX_POPULATION).contains(&self.population) {
            return refuse("population", self.population.to_string(), "1 to 2,147,483,648");
        }
        if !(0.0..=1.0).contains(&self.worker_ratio) {
            return refuse("worker-ratio", self.worker_ratio.to_string(), "0 to 1");
        }
        if !(0.0..=1.0).contains(&self.mutation_rate) {
            return refuse("mutation-rate", self.mutation_rate.to_string(), "0 to 1");
        }
        if self.max_age > MAX_AGE {
            return refuse("max-age", self.max_age.to_string(), "at most 2,147,483,648");
        }
        match self.acceptance {
            Acceptance::Metropolis { temperature } if !(temperature > 0.0 && temperature.is_finite()) => {
                refuse("temperature", temperature.to_string(), "a positive number")
            }
            _ => Ok(()),
        }
    }

    /// The number of workers: the whole parts per million of the ratio, of the population, rounded down.
    pub fn workers(&self) -> usize {
        let ratio = (self.worker_ratio * RATIO_UNIT as f64).round() as u64;
        (self.population as u64 * ratio / RATIO_UNIT) as usize
    }
}

/// `metropolis acceptance at temperature 0.3, 180 workers and 20 explorers`
impl fmt::Display for SwarmParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.acceptance {
            Acceptance::Strict => f.write_str("strict acceptance")?,
            Acceptance::Plateau => f.write_str("plateau acceptance")?,
            Acceptance::Metropolis { temperature } => write!(f, "metropolis acceptance at temperature {temperature}")?,
        }
        write!(f, ", {} workers and {} explorers", self.workers(), self.population - self.workers())
    }
}

/// Slots are counted in 32 bits with room to spare.
pub(super) const MAX_POPULATION: usize = 1 << 31;

/// Ages are counted in 32 bits, one past the maximum included.
const MAX_AGE: u32 = 1 << 31;

/// The most a swap inside a block can add to a total: one digit in each of two rows and two columns.
const MAX_DELTA: usize = 4;

/// Thresholds of acceptance by how much higher the total would be.
#[derive(Clone, Copy, Debug)]
struct AcceptanceTable {
    mutation: Threshold,
    by_delta: [Threshold; MAX_DELTA + 1],
}

impl AcceptanceTable {
    fn new(parameters: &SwarmParameters) -> AcceptanceTable {
        let mutation = Threshold::new(parameters.mutation_rate);
        let by_delta = std::array::from_fn(|delta| {
            mutation.max(match parameters.acceptance {
                Acceptance::Strict => Threshold::NEVER,
                Acceptance::Plateau if delta == 0 => Threshold::ALWAYS,
                Acceptance::Plateau => Threshold::NEVER,
                Acceptance::Metropolis { temperature } => Threshold::new(libm::exp(-(delta as f64) / temperature)),
            })
        });
        AcceptanceTable { mutation, by_delta }
    }
}

/// The swarm on one puzzle.
pub struct Swarm {
    rule: Rule,
    seed: u64,
    population: Population,
    scores: Vec<Score>,
    ages: Vec<u32>,
    moves: Vec<Move>,
}

/// What every slot's step reads and none writes.
struct Rule {
    blocks: FreeUnits,
    acceptance: AcceptanceTable,
    max_age: u32,
    population: usize,
    workers: usize,
    epoch: u32,
    fill_key: Key,
    step_key: Key,
    merge_key: Key,
    /// The slot that the last merge's child is forced into, or none.
    child_slot: Option<usize>,
    /// The child's digits in the free cells.
    child: Vec<u8>,
}

/// A worker's proposal: how to undo it, and the word that decides.
#[derive(Clone, Copy, Default)]
struct Move {
    swap: Swap,
    draw: u32,
}

impl Swarm {
    /// A swarm on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`SwarmParameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64) -> Result<Swarm, Error> {
        parameters.validate()?;
        let population = Population::new(puzzle.shape(), parameters.population);
        let slots = population.slots();
        let rule = Rule {
            blocks: FreeUnits::blocks(puzzle),
            acceptance: AcceptanceTable::new(parameters),
            max_age: parameters.max_age,
            population: parameters.population,
            workers: parameters.workers(),
            epoch: 0,
            fill_key: Key::new(seed, 0, Stream::Fill),
            step_key: Key::new(seed, 0, Stream::Step),
            merge_key: Key::new(seed, 0, Stream::Merge),
            child_slot: None,
            child: Vec::new(),
        };
        let (scores, ages, moves) = (vec![Score::default(); slots], vec![0; slots], vec![Move::default(); slots]);
        let mut swarm = Swarm { rule, seed, population, scores, ages, moves };
        swarm.place_givens();
        Ok(swarm)
    }

    fn place_givens(&mut self) {
        let cells = self.population.shape().cells();
        for slot in 0..self.population.len() {
            let tile = &mut self.population.lanes_mut()[slot / LANES * cells..][..cells];
            self.rule.blocks.place_givens(tile, slot % LANES);
        }
    }

    /// The child of the best worker and the best explorer, for the worst worker's slot.
    fn merge(&mut self, tally: &SwarmTally) {
        let rule = &mut self.rule;
        rule.child_slot = None;
        if let (Some((_, worker)), Some((_, explorer)), Some((_, worst))) =
            (tally.workers.best(), tally.explorers.best(), tally.workers.worst())
        {
            let [choice, ..] = rule.merge_key.words(rule.epoch, 0, 0);
            rule.blocks.merge(&self.population, worker, explorer, choice, &mut rule.child);
            rule.child_slot = Some(worst);
        }
    }
}

impl Search for Swarm {
    type Chunk<'a> = SwarmChunk<'a>;
    type Tally = SwarmTally;

    fn begin(&mut self, restart: u32) {
        self.rule.epoch = 0;
        self.rule.child_slot = None;
        self.rule.fill_key = Key::new(self.seed, restart, Stream::Fill);
        self.rule.step_key = Key::new(self.seed, restart, Stream::Step);
        self.rule.merge_key = Key::new(self.seed, restart, Stream::Merge);
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> SwarmChunk<'_> {
        SwarmChunk {
            rule: &self.rule,
            first: 0,
            lanes: self.population.lanes_mut(),
            scores: &mut self.scores,
            ages: &mut self.ages,
            moves: &mut self.moves,
        }
    }

    fn conclude(&mut self, tally: SwarmTally) -> Best {
        self.merge(&tally);
        self.rule.epoch += 1;
        let (_, slot) = tally.workers.merge(tally.explorers).best().expect("a population is not empty");
        Best { score: self.scores[slot], slot }
    }
}

/// Best and worst of each role, after acceptance.
#[derive(Default)]
pub struct SwarmTally {
    workers: Extremes,
    explorers: Extremes,
}

impl Tally for SwarmTally {
    fn merge(self, other: SwarmTally) -> SwarmTally {
        SwarmTally { workers: self.workers.merge(other.workers), explorers: self.explorers.merge(other.explorers) }
    }
}

/// How a slot gets its proposal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proposal {
    /// Its grid with two cells swapped, to be accepted or undone.
    Step,
    /// A fresh fill, taken whatever its score: epoch 0, explorers, resets.
    Fill,
    /// The merge child, taken whatever its score.
    Child,
}

impl Rule {
    #[inline(always)]
    fn proposal(&self, slot: usize, age: u32) -> Proposal {
        if self.child_slot == Some(slot) {
            Proposal::Child
        } else if self.epoch == 0 || slot >= self.workers || age > self.max_age {
            Proposal::Fill
        } else {
            Proposal::Step
        }
    }
}

/// Successive tiles of a swarm.
pub struct SwarmChunk<'a> {
    rule: &'a Rule,
    /// The first slot.
    first: usize,
    lanes: &'a mut [Lanes],
    scores: &'a mut [Score],
    ages: &'a mut [u32],
    moves: &'a mut [Move],
}

impl SwarmChunk<'_> {
    fn tile_cells(&self, tile: usize) -> std::ops::Range<usize> {
        let cells = self.rule.blocks.puzzle().shape().cells();
        tile * cells..(tile + 1) * cells
    }

    /// The first slot of a tile, and how many of its lanes hold individuals.
    fn slots(&self, tile: usize) -> (usize, usize) {
        let first = self.first + tile * LANES;
        (first, LANES.min(self.rule.population - first))
    }
}

impl Chunk for SwarmChunk<'_> {
    type Tally = SwarmTally;

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let slots = tiles * LANES;
        let (lanes, other_lanes) = self.lanes.split_at_mut(tiles * self.rule.blocks.puzzle().shape().cells());
        let (scores, other_scores) = self.scores.split_at_mut(slots);
        let (ages, other_ages) = self.ages.split_at_mut(slots);
        let (moves, other_moves) = self.moves.split_at_mut(slots);
        let rule = self.rule;
        (
            SwarmChunk { rule, first: self.first, lanes, scores, ages, moves },
            SwarmChunk {
                rule,
                first: self.first + slots,
                lanes: other_lanes,
                scores: other_scores,
                ages: other_ages,
                moves: other_moves,
            },
        )
    }

    fn propose(&mut self, tile: usize) {
        let (first, used) = self.slots(tile);
        let rule = self.rule;
        let cells = self.tile_cells(tile);
        let lanes = &mut self.lanes[cells];
        let words = rule.step_key.words_of_lanes::<{ LANES / 2 }>(rule.epoch, first as u32 / 2, 0);
        for lane in 0..used {
            let (slot, at) = (first + lane, tile * LANES + lane);
            match rule.proposal(slot, self.ages[at]) {
                Proposal::Step => {
                    let (pair, odd) = (lane / 2, lane % 2);
                    let swap = rule.blocks.pick_swap(words[2 * odd][pair]);
                    swap.apply(lanes, lane);
                    self.moves[at] = Move { swap, draw: words[2 * odd + 1][pair] };
                }
                Proposal::Fill => {
                    rule.blocks.fill(lanes, lane, &mut Words::new(rule.fill_key, rule.epoch, slot as u32));
                }
                Proposal::Child => rule.blocks.place(&rule.child, lanes, lane),
            }
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut SwarmTally) {
        let (first, used) = self.slots(tile);
        for (lane, score) in scores[..used].iter().enumerate() {
            let slot = first + lane;
            self.accept_slot(tile, lane, self.rule.proposal(slot, self.ages[tile * LANES + lane]), *score);
            let total = self.scores[tile * LANES + lane].total();
            let role = if slot < self.rule.workers { &mut tally.workers } else { &mut tally.explorers };
            role.add(total, slot as u32);
        }
    }
}

impl SwarmChunk<'_> {
    #[inline(always)]
    fn accept_slot(&mut self, tile: usize, lane: usize, proposal: Proposal, score: Score) {
        let at = tile * LANES + lane;
        let age = &mut self.ages[at];
        if proposal != Proposal::Step || score.total() < self.scores[at].total() {
            (self.scores[at], *age) = (score, 0);
            return;
        }
        let Move { swap, draw } = self.moves[at];
        let delta = (score.total() - self.scores[at].total()) as usize;
        let AcceptanceTable { mutation, by_delta } = &self.rule.acceptance;
        if by_delta[delta.min(MAX_DELTA)].accepts(draw) {
            self.scores[at] = score;
            *age += u32::from(!mutation.accepts(draw));
        } else {
            *age += 1;
            let cells = self.tile_cells(tile);
            swap.apply(&mut self.lanes[cells], lane);
        }
    }
}
