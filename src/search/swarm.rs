//! The worker/explorer swarm.
//!
//! Source: the notebook "Sudoku-05-PSO" (after J. McCaffrey's combinatorial evolution): workers improve their own grid
//! by swaps inside blocks, explorers draw fresh fills, and the best of both are merged. Here each epoch is one batch:
//!
//! 1. every slot proposes: a worker its grid with one swap, an explorer a fresh fill, a *forced* slot its reset or
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
//! age 0.
//!
//! Without a GPU several epochs of 9x9 grids are made at once: see `strides`.

mod strides;

pub use super::parts::roles::adaptive_ratio;

use std::fmt;

use self::strides::Lines;
use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, Preset, configure};
use super::parameter::{Needs, Parameter};
use super::parts;
use super::parts::counted_grid::CountedGrid;
use super::parts::line_swarm::{self, LineTile};
use super::parts::local::descend;
use super::parts::rank::Extremes;
use super::parts::refine::refine;
use super::parts::roles::{Roles, part_of, parts_per_million};
use super::parts::stagnation::Stagnation;
use super::parts::step::{self, Decisions, Moves, StepWords, Thresholds};
use super::parts::tiles::{Tile, Tiles};
use super::state::{Resumable, StateReader, StateWriter};
use super::{Best, Chunk, Details, Improvement, ImprovementLimits, Search, Sums, Tally, stops};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::moves::{FreeUnits, LaneSet, lanes_below};
use crate::population::pages::Pages;
use crate::population::rng::{Key, Stream, Threshold};
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::{Grid, Puzzle, Shape};

/// What a worker accepts besides a lower total.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
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
    /// Whether the worker ratio follows the best total instead, see [`adaptive_ratio`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// What is done when the best total does not fall any more, if anything.
    #[serde(flatten)]
    pub on_stagnation: Option<OnStagnation>,
}

/// What a swarm does when its best total has not fallen for some epochs.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct OnStagnation {
    /// Epochs without a lower best total of the restart after which it is done, and again after as many more.
    pub stagnation_limit: u32,
    /// What the worker ratio loses each time until the best total falls, down to 0.70.
    pub stagnation_boost: f64,
    /// Whether the best individual then descends to a local optimum: this makes the swarm a *hybrid*.
    pub local_search: bool,
    /// Steps of an annealing of the best individual, then and in the last epoch of a restart; 0 for none.
    pub refine: u32,
}

impl OnStagnation {
    /// Nothing, every 500 epochs.
    pub const NOTHING: OnStagnation =
        OnStagnation { stagnation_limit: 500, stagnation_boost: 0.0, local_search: false, refine: 0 };
}

impl SwarmParameters {
    /// The notebook's parameters: 200 slots, 90 % workers, strict acceptance.
    pub const SEED: SwarmParameters = SwarmParameters {
        population: 200,
        worker_ratio: 0.90,
        max_age: 1000,
        mutation_rate: 0.001,
        acceptance: Acceptance::Strict,
        adaptive: false,
        on_stagnation: None,
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
        adaptive: false,
        on_stagnation: None,
    };

    /// The number of workers: the whole parts per million of the ratio, of the population, rounded down. An adaptive or
    /// stagnating swarm has others as it goes on.
    pub fn workers(&self) -> usize {
        part_of(self.population, parts_per_million(self.worker_ratio))
    }

    /// True if the best individual descends to a local optimum on stagnation.
    pub fn is_hybrid(&self) -> bool {
        self.on_stagnation.is_some_and(|on| on.local_search)
    }
}

/// Ages are counted in 32 bits, one past the maximum included.
const MAX_AGE: u64 = 1 << 31;

const PARAMETERS: &[Parameter] = &SwarmParameters::table(Needs::AnyOf(&["refine", "stagnation-boost"]));

const PRESETS: &[Preset] = &[
    Preset { name: "conservative", population: 100, budget: stops::epochs_and_restarts(2000, 5) },
    Preset { name: "standard", population: 200, budget: stops::epochs_and_restarts(3000, 10) },
    Preset { name: "aggressive", population: 300, budget: stops::epochs_and_restarts(5000, 20) },
];

const RULES: &[NamedRule] = &[
    NamedRule {
        name: "tuned",
        defaults: |_| SwarmParameters::TUNED.defaults(),
        budget: stops::evaluations(1_000_000_000),
    },
    NamedRule {
        name: "seed",
        defaults: |_| SwarmParameters::SEED.defaults(),
        budget: stops::epochs_and_restarts(5000, 20),
    },
];

/// The worker/explorer swarm.
pub(super) static SWARM: Algorithm = Algorithm {
    name: "swarm",
    aliases: &[],
    help: "Workers improve their grids by swaps, explorers draw fresh ones, the best are merged",
    note: "The notebook's own \"PSO\" is this algorithm with --rule seed.",
    parameters: PARAMETERS,
    rules: RULES,
    presets: PRESETS,
    stops: stops::OF_POPULATIONS,
    fixed: &[("local_search", false)],
    slot_bytes: |cells, _| Swarm::bytes_per_slot(cells),
    configure: configure::<SwarmParameters>,
};

/// The swarm whose best individual descends to a local optimum when it stagnates.
pub(super) static HYBRID: Algorithm = Algorithm {
    name: "hybrid",
    aliases: &[],
    help: "The swarm with a local search of its best grid on stagnation",
    note: "",
    parameters: &SwarmParameters::table(Needs::Nothing),
    rules: RULES,
    presets: PRESETS,
    stops: stops::OF_POPULATIONS,
    fixed: &[("local_search", true)],
    slot_bytes: |cells, _| Swarm::bytes_per_slot(cells),
    configure: configure::<SwarmParameters>,
};

impl SwarmParameters {
    /// The table of a swarm; on stagnation it acts where `on_stagnation` holds.
    const fn table(on_stagnation: Needs) -> [Parameter; 10] {
        [
            parts::POPULATION,
            Parameter::ratio("worker-ratio", "RATIO", "Part of the population that are workers")
                .needing(Needs::Without("adaptive")),
            Parameter::count(
                "max-age",
                "EPOCHS",
                (0, MAX_AGE),
                "Epochs without a better score after which a worker starts anew",
            ),
            parts::MUTATION_RATE,
            Parameter::choice(
                "acceptance",
                "RULE",
                &["strict", "plateau", "metropolis"],
                "A worker accepts a better score, an equal one too, or a worse one by d with probability exp(-d / temperature)",
            ),
            Parameter::temperature("temperature", "Temperature of metropolis acceptance, in units of the score")
                .needing(Needs::Value("acceptance", "metropolis")),
            Parameter::flag("adaptive", "Let the part of workers follow the best score: 0.70 at its first value, 0.95 at 0"),
            Parameter::count(
                "stagnation-limit",
                "EPOCHS",
                parts::POSITIVE,
                "Epochs without a better best score after which local search, refine and stagnation-boost act, and act again",
            )
            .needing(on_stagnation),
            Parameter::ratio(
                "stagnation-boost",
                "RATIO",
                "Loss of the worker ratio on each stagnation until the best score improves, down to 0.70",
            )
            .needing(on_stagnation),
            Parameter::count(
                "refine",
                "EVALUATIONS",
                parts::SMALL,
                "Anneal the best grid for so many evaluations on stagnation and at the end of each restart",
            )
            .needing(on_stagnation),
        ]
    }

    /// These values, and those of parameters that exist only beside certain others.
    fn defaults(&self) -> Defaults {
        let metropolis = Acceptance::Metropolis { temperature: SwarmParameters::TUNED_TEMPERATURE };
        Defaults::of(&OnStagnation::NOTHING).and(&metropolis).and(self)
    }
}

impl Parameters for SwarmParameters {
    type Search = Swarm;

    fn algorithm(&self) -> &'static Algorithm {
        if self.is_hybrid() { &HYBRID } else { &SWARM }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> Swarm {
        Swarm::of(puzzle, self, seed)
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
        match self.adaptive {
            false => write!(f, ", {} workers and {} explorers", self.workers(), self.population - self.workers())?,
            true => write!(f, ", {} slots with an adaptive part of workers", self.population)?,
        }
        self.on_stagnation.map_or(Ok(()), |on| write!(f, "{on}"))
    }
}

/// `; when the best stands for 500 epochs: local search, 20000 steps of annealing`
impl fmt::Display for OnStagnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut done = Vec::new();
        if self.local_search {
            done.push("local search".to_string());
        }
        if self.refine > 0 {
            done.push(format!("{} steps of annealing", self.refine));
        }
        if self.stagnation_boost > 0.0 {
            done.push(format!("worker ratio less {}", self.stagnation_boost));
        }
        write!(f, "; when the best stands for {} epochs: {}", self.stagnation_limit, done.join(", "))
    }
}

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
    scores: Pages<Score>,
    ages: Pages<u32>,
    moves: Vec<Moves>,
    roles: Roles,
    on_stagnation: Option<OnStagnation>,
    stagnation: Stagnation,
    refine_key: Key,
    /// The best individual of the last epoch, and whom a child replaces.
    best_slot: usize,
    worst_slot: usize,
    /// For several epochs at once, where the shape allows them.
    lines: Option<Lines>,
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
    /// Bytes of an individual: its cells, score, age and last move, and where there are strides the masks of its lines.
    pub(super) fn bytes_per_slot(cells: usize) -> usize {
        let has_masks = cells == Shape::NINE.cells() && line_swarm::runs_on(Instructions::best());
        let masks = if has_masks { size_of::<LineTile>() / LANES } else { 0 };
        cells + size_of::<Score>() + size_of::<u32>() + size_of::<Moves>() / LANES + masks
    }

    /// A swarm on `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`Parameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64) -> Result<Swarm, Error> {
        parameters.search(puzzle, seed)
    }

    fn of(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64) -> Swarm {
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
        let (scores, ages, moves) = (Pages::zeroed(slots), Pages::zeroed(slots), vec![Moves::NONE; population.tiles()]);
        let lines = Lines::new(&rule);
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
            lines,
        };
        swarm.begin(0);
        swarm
    }

    /// The child of the best worker and the best explorer, for the worst worker's slot.
    fn merge(&mut self, tally: &SwarmTally) {
        let rule = &mut self.rule;
        rule.child_slot = None;
        if let Some(Parents { worker, explorer, worst }) = tally.parents() {
            let [choice, ..] = rule.merge_key.words(rule.epoch, 0, 0);
            rule.blocks.merge(&self.population, worker, explorer, choice, &mut rule.child);
            rule.child_slot = Some(worst);
        }
    }

    /// Ends an epoch for all but the child, and gives the slot of the best individual.
    fn note_epoch(&mut self, tally: &SwarmTally) -> usize {
        self.rule.epoch += 1;
        let (total, slot) = tally.workers.merge(tally.explorers).best().expect("a population is not empty");
        self.best_slot = slot;
        self.worst_slot = tally.workers.worst().or(tally.explorers.worst()).expect("a population is not empty").1;
        self.stagnation.observe(total);
        self.rule.workers = self.roles.workers(&self.stagnation);
        slot
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
        self.leave_lines();
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> SwarmChunk<'_> {
        self.leave_lines();
        SwarmChunk {
            rule: &self.rule,
            tiles: Tiles::new(&mut self.population, &mut self.scores, &mut self.moves),
            ages: self.ages.as_chunks_mut().0,
        }
    }

    fn conclude(&mut self, tally: SwarmTally) -> Best {
        self.merge(&tally);
        let slot = self.note_epoch(&tally);
        Best { score: self.scores[slot], slot }
    }

    fn stride(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        each: &mut dyn FnMut(Sums, Best),
    ) {
        self.go_on(instructions, epochs, chunk_tiles, each);
    }

    fn grid_in_stride(&self, epoch: u32, slot: usize) -> Option<Grid> {
        self.best_within(epoch, slot)
    }

    fn settle(&mut self, epoch: u32) -> bool {
        self.go_back_to(epoch)
    }

    fn catch_up(&mut self) {
        self.write_cells();
    }

    fn epochs_ahead(&self) -> u32 {
        self.epochs_to_improvement()
    }

    fn improve(&mut self, limits: &ImprovementLimits) -> Option<Improvement> {
        self.improve_best(limits)
    }

    fn details(&self) -> Details {
        let rule = &self.rule;
        let ages = &self.ages[..rule.workers];
        let is_reset = |(slot, age): (usize, &u32)| *age > rule.max_age && rule.child_slot != Some(slot);
        let resets = ages.iter().enumerate().filter(|slot| is_reset(*slot)).count() as u64;
        let workers = rule.workers as f64;
        let mean_age = ages.iter().map(|age| f64::from(*age)).sum::<f64>() / workers.max(1.0);
        let oldest = f64::from(ages.iter().copied().max().unwrap_or_default());
        Details {
            resets,
            merges: u64::from(rule.child_slot.is_some()),
            values: vec![
                ("workers", workers),
                ("ratio", workers / rule.population as f64),
                ("mean_age", mean_age),
                ("oldest", oldest),
            ],
        }
    }
}

/// Best and worst of each role, after acceptance.
#[derive(Default)]
pub struct SwarmTally {
    workers: Extremes,
    explorers: Extremes,
}

/// Of whom a child is made, and whom it replaces.
struct Parents {
    worker: usize,
    explorer: usize,
    worst: usize,
}

impl SwarmTally {
    /// The best worker, the best explorer and the worst worker, if there are both.
    fn parents(&self) -> Option<Parents> {
        let ((_, worker), (_, explorer)) = (self.workers.best()?, self.explorers.best()?);
        self.workers.worst().map(|(_, worst)| Parents { worker, explorer, worst })
    }
}

impl Tally for SwarmTally {
    fn merge(self, other: SwarmTally) -> SwarmTally {
        SwarmTally { workers: self.workers.merge(other.workers), explorers: self.explorers.merge(other.explorers) }
    }
}

impl Resumable for Swarm {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put_scores(&self.scores);
        state.put(&*self.ages);
        state.put(&self.rule.epoch);
        state.put(&self.rule.child_slot);
        state.put(&self.rule.child);
        state.put(&self.stagnation);
        state.put(&(self.best_slot, self.worst_slot));
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill_scores(&mut self.scores)?;
        state.fill(&mut self.ages)?;
        self.rule.epoch = state.get()?;
        self.rule.child_slot = state.get()?;
        self.rule.child = state.get()?;
        self.stagnation = state.get()?;
        (self.best_slot, self.worst_slot) = state.get()?;
        self.rule.workers = self.roles.workers(&self.stagnation);
        Ok(())
    }
}

/// How the lanes of a tile get their proposals; those in no set hold no individual.
#[derive(Clone, Copy)]
struct Proposals {
    /// Their grids with two cells swapped, to be accepted or undone.
    steps: LaneSet,
    /// Fresh fills, taken whatever their scores: epoch 0, explorers, resets.
    fills: LaneSet,
    /// The merge child, or an improved grid in its stead, taken whatever its score.
    child: LaneSet,
}

impl Rule {
    /// The proposals of the tile that begins at slot `first`.
    #[inline(always)]
    fn proposals(&self, first: usize, ages: &[u32; LANES]) -> Proposals {
        let child = self.child_slot.map_or(0, |slot| lanes_below(slot + 1, first) & !lanes_below(slot, first));
        let workers = if self.epoch == 0 { 0 } else { lanes_below(self.workers, first) };
        let old = self.past_max_age(ages);
        let steps = workers & !old & !child;
        Proposals { steps, fills: lanes_below(self.population, first) & !steps & !child, child }
    }

    /// The lanes past the maximum age. There are seldom any, and that is found out for all lanes at once.
    #[inline(always)]
    fn past_max_age(&self, ages: &[u32; LANES]) -> LaneSet {
        if ages.iter().fold(0, |oldest, age| oldest.max(*age)) <= self.max_age {
            return 0;
        }
        (0..LANES).filter(|lane| ages[*lane] > self.max_age).fold(0, |set, lane| set | 1 << lane)
    }
}

/// Successive tiles of a swarm.
pub struct SwarmChunk<'a> {
    rule: &'a Rule,
    tiles: Tiles<'a>,
    /// One array a tile.
    ages: &'a mut [[u32; LANES]],
}

impl SwarmChunk<'_> {
    #[inline(always)]
    fn proposals(&self, tile: usize) -> Proposals {
        self.rule.proposals(self.tiles.first_slot(tile), &self.ages[tile])
    }
}

impl Chunk for SwarmChunk<'_> {
    type Tally = SwarmTally;

    fn tiles(&self) -> usize {
        self.tiles.len()
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let SwarmChunk { rule, tiles: all, ages } = self;
        let (ages, other_ages) = ages.split_at_mut(tiles);
        let (tiles, others) = all.split_at(tiles);
        (SwarmChunk { rule, tiles, ages }, SwarmChunk { rule, tiles: others, ages: other_ages })
    }

    #[inline(always)]
    fn prefetch(&self, tile: usize) {
        self.tiles.prefetch(tile);
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Proposals { steps, fills, child } = self.proposals(tile);
        let Tile { lanes, moves, .. } = self.tiles.tile(tile);
        if steps != 0 {
            let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
            *moves = Moves::propose(&rule.blocks, &words, lanes, steps);
        }
        if fills != 0 {
            rule.blocks.fill_lanes(lanes, fills, rule.fill_key, rule.epoch, first as u32);
        }
        if child != 0 {
            rule.blocks.place(&rule.child, lanes, child.trailing_zeros() as usize);
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        self.tiles.lanes(tile)
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut SwarmTally) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Proposals { steps, .. } = self.proposals(tile);
        let Tile { lanes, scores: old, moves } = self.tiles.tile(tile);
        let ages = &mut self.ages[tile];
        let AcceptanceTable { mutation, by_delta } = &rule.acceptance;
        let Decisions { improves, totals, refused } = moves.decide(by_delta, !steps, old, scores);
        let mutated = moves.accepted_by(*mutation);
        for lane in 0..LANES {
            ages[lane] = (ages[lane] + 1 - mutated[lane]) & improves[lane].wrapping_sub(1);
        }
        let workers = lanes_below(rule.workers, first);
        tally.workers.add_lanes(&totals, workers, first as u32);
        tally.explorers.add_lanes(&totals, lanes_below(rule.population, first) & !workers, first as u32);
        moves.undo(lanes, refused);
    }
}

// What a swarm does for its best individual on the host: local search and annealing.
//
// An improved grid goes where a merge's child goes, into the worst worker's slot (without workers, the worst
// explorer's) for the next epoch, and takes the child's place there.

impl Swarm {
    /// Epochs until the next improvement at the earliest: a lower best total only puts it off.
    fn epochs_to_improvement(&self) -> u32 {
        self.on_stagnation.map_or(u32::MAX, |on| self.stagnation.epochs_until(on.stagnation_limit))
    }

    /// The best individual's improvement, if it is time for one and the evaluations left suffice.
    fn improve_best(&mut self, limits: &ImprovementLimits) -> Option<Improvement> {
        let on = self.on_stagnation?;
        let due = self.stagnation.is_due(on.stagnation_limit);
        let descends = due && on.local_search;
        let anneals = on.refine > 0 && (due || limits.last_epoch);
        if !descends && !anneals {
            return None;
        }
        self.catch_up();
        let mut counted = CountedGrid::new(self.population().get(self.best_slot));
        let total = counted.score().total();
        let blocks = &self.rule.blocks;
        let mut evaluations = 0;
        if descends {
            evaluations += descend(blocks, &mut counted, limits.evaluations);
        }
        if anneals {
            let words = (self.refine_key, self.rule.epoch);
            evaluations += refine(blocks, &mut counted, words, on.refine, limits.evaluations - evaluations);
        }
        if counted.score().total() < total {
            blocks.digits(counted.grid(), &mut self.rule.child);
            self.rule.child_slot = Some(self.worst_slot);
        }
        (evaluations > 0).then(|| Improvement { evaluations, score: counted.score(), grid: counted.grid().clone() })
    }
}
