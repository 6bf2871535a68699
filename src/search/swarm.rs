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
//!
//! Beyond the rule, and after the notebook's exercises: the part of workers may follow the best total or fall while that
//! stagnates ([`SwarmParameters`], [`adaptive_ratio`]), and the best individual may then be improved on the host
//! ([`OnStagnation`]). Roles follow `slot < workers` in every epoch; a slot that becomes a worker keeps its grid with
//! age 0. In reading order: the parameters, this rule, `chunk` (the step), `roles`, `improve`.

mod chunk;
mod improve;
mod parameters;
mod roles;
mod state;

pub use chunk::SwarmChunk;
pub use parameters::{Acceptance, OnStagnation, SwarmParameters};
pub use roles::adaptive_ratio;

use self::roles::Roles;
use super::rank::Extremes;
use super::stagnation::Stagnation;
use super::step::{self, Moves, Thresholds};
use super::tiles::Tiles;
use super::{Best, Improvement, Leeway, Search, Tally};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::Population;
use crate::population::moves::FreeUnits;
use crate::population::rng::{Key, Stream, Threshold};
use crate::sudoku::Puzzle;

/// Thresholds of acceptance by how much higher the total would be, and of mutation, which each of them includes.
#[derive(Clone, Copy, Debug)]
struct AcceptanceTable {
    mutation: Threshold,
    by_delta: Thresholds,
}

impl AcceptanceTable {
    fn new(parameters: &SwarmParameters) -> AcceptanceTable {
        let mutation = Threshold::new(parameters.mutation_rate);
        let mut by_delta = match parameters.acceptance {
            Acceptance::Strict | Acceptance::Plateau => [Threshold::NEVER; step::MAX_DELTA + 1],
            Acceptance::Metropolis { temperature } => step::metropolis(temperature),
        };
        if parameters.acceptance == Acceptance::Plateau {
            by_delta[0] = Threshold::ALWAYS;
        }
        AcceptanceTable { mutation, by_delta: by_delta.map(|threshold| threshold.max(mutation)) }
    }
}

/// The swarm on one puzzle.
pub struct Swarm {
    rule: Rule,
    seed: u64,
    population: Population,
    scores: Vec<Score>,
    ages: Vec<u32>,
    moves: Vec<Moves>,
    roles: Roles,
    on_stagnation: Option<OnStagnation>,
    stagnation: Stagnation,
    refine_key: Key,
    /// The best individual of the last epoch, and whom a child replaces.
    best_slot: usize,
    worst_slot: usize,
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
    /// The slot that a merge's child, or an improved grid in its stead, is forced into, or none.
    child_slot: Option<usize>,
    /// The child's digits in the free cells.
    child: Vec<u8>,
}

impl Swarm {
    /// Bytes of an individual: its cells, score, age and last move.
    pub(super) const fn bytes_per_slot(cells: usize) -> usize {
        cells + size_of::<Score>() + size_of::<u32>() + size_of::<Moves>() / crate::LANES
    }

    /// A swarm on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`SwarmParameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64) -> Result<Swarm, Error> {
        parameters.validate()?;
        let blocks = FreeUnits::blocks(puzzle);
        let population = blocks.population(parameters.population);
        let slots = population.slots();
        let rule = Rule {
            blocks,
            acceptance: AcceptanceTable::new(parameters),
            max_age: parameters.max_age,
            population: parameters.population,
            workers: 0,
            epoch: 0,
            fill_key: Key::new(seed, 0, Stream::Fill),
            step_key: Key::new(seed, 0, Stream::Step),
            merge_key: Key::new(seed, 0, Stream::Merge),
            child_slot: None,
            child: Vec::new(),
        };
        let (scores, ages, moves) =
            (vec![Score::default(); slots], vec![0; slots], vec![Moves::NONE; population.tiles()]);
        let mut swarm = Swarm {
            rule,
            seed,
            population,
            scores,
            ages,
            moves,
            roles: Roles::new(parameters),
            on_stagnation: parameters.on_stagnation,
            stagnation: Stagnation::default(),
            refine_key: Key::new(seed, 0, Stream::Refine),
            best_slot: 0,
            worst_slot: 0,
        };
        swarm.begin(0);
        Ok(swarm)
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
        self.refine_key = Key::new(self.seed, restart, Stream::Refine);
        self.stagnation = Stagnation::default();
        self.rule.workers = self.roles.workers(&self.stagnation);
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> SwarmChunk<'_> {
        SwarmChunk {
            rule: &self.rule,
            tiles: Tiles::new(&mut self.population, &mut self.scores, &mut self.moves),
            ages: self.ages.as_chunks_mut().0,
        }
    }

    fn conclude(&mut self, tally: SwarmTally) -> Best {
        self.merge(&tally);
        self.rule.epoch += 1;
        let (total, slot) = tally.workers.merge(tally.explorers).best().expect("a population is not empty");
        self.best_slot = slot;
        self.worst_slot = tally.workers.worst().or(tally.explorers.worst()).expect("a population is not empty").1;
        self.stagnation.observe(total);
        self.rule.workers = self.roles.workers(&self.stagnation);
        Best { score: self.scores[slot], slot }
    }

    fn improve(&mut self, leeway: &Leeway) -> Option<Improvement> {
        self.improve_best(leeway)
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
