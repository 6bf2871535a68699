//! Simulated annealing: independent chains, one a slot, all at one temperature.
//!
//! Source: R. Lewis, "Metaheuristics can solve sudoku puzzles", Journal of Heuristics 13, 2007: blocks are permutations,
//! a neighbour swaps two free cells of a block, the cost is what rows and columns miss, cooling is geometric, and the
//! search is reheated. Here a population of chains is scored as one batch an epoch:
//!
//! 1. epoch 0, and with [`Reheat::Fresh`] the first epoch of every cycle: each slot is filled afresh;
//! 2. every other epoch: each slot proposes its grid with one swap, any one or one that begins at a conflict
//!    ([`Neighbours`]), and after scoring takes it if its total is not
//!    higher, or by the rule of Metropolis at the epoch's temperature; else it undoes the swap;
//! 3. the temperature falls from `temperature` to `end_temperature` over `cooling_epochs` such epochs; then a new cycle
//!    begins at the first temperature, from fresh fills or from the grids as they are.
//!
//! A slot's state is its grid and score, and the temperature is a function of the epoch: nothing passes between slots. So a
//! tile may go through several epochs before the next tile is touched: a *stride*, see `parts/strides.rs`.
//! Words: those of the swarm, [`Stream::Fill`] and [`Stream::Step`].

use std::fmt;

use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, configure};
use super::parameter::{Limit, Parameter};
use super::parts;
use super::parts::conflicts::ConflictSwaps;
use super::parts::cooling::Cooling;
use super::parts::rank::Extremes;
use super::parts::step::{Decisions, Moves, StepWords, Thresholds};
use super::parts::strides::{self, Stride, StrideEpoch, StrideEpochs, StrideTables, StrideTiles, ThresholdBits};
use super::parts::tiles::{Tile, Tiles};
use super::state::{Resumable, StateReader, StateWriter};
use super::{Best, Chunk, Engine, Search, Sums, stops};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::moves::{FreeUnits, LaneSet, Swaps, lanes_below};
use crate::population::pages::Pages;
use crate::population::rng::{Key, Stream};
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::{Grid, Puzzle};

/// From what a new cycle of cooling starts. To keep the grids solves more: fresh fills have to come down again first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reheat {
    /// From the grids as they are.
    Keep,
    /// From fresh fills, which take an epoch.
    Fresh,
}

/// Which swaps a chain proposes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Neighbours {
    /// Any two free cells of a block: see [`FreeUnits::pick_swap`](crate::population::moves::FreeUnits::pick_swap).
    Any,
    /// A free cell whose digit stands twice in its row or column, with any other free cell of its block. A grid without
    /// such a cell is a solution.
    Conflicts,
}

/// What defines an annealing beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct AnnealParameters {
    /// Chains.
    pub population: usize,
    /// Where cooling starts, in units of the score.
    pub temperature: f64,
    /// Where it ends.
    pub end_temperature: f64,
    /// Steps of each chain from the one to the other.
    pub cooling_epochs: u32,
    /// From what the next cycle starts.
    pub reheat: Reheat,
    /// Which swaps are proposed.
    pub neighbours: Neighbours,
}

impl AnnealParameters {
    /// What solves most puzzles.
    pub const TUNED: AnnealParameters = AnnealParameters {
        population: 32,
        temperature: 0.6,
        end_temperature: 0.3,
        cooling_epochs: 1000,
        reheat: Reheat::Keep,
        neighbours: Neighbours::Conflicts,
    };
}

/// Simulated annealing.
pub(super) static ANNEAL: Algorithm = Algorithm {
    name: "anneal",
    aliases: &["sa"],
    help: "Simulated annealing: independent chains, one per slot; solves most",
    note: "",
    parameters: &[
        parts::POPULATION,
        Parameter::temperature("temperature", "Temperature where cooling starts, in units of the score"),
        Parameter::temperature("end-temperature", "Temperature where cooling ends")
            .limited(Limit::AtMost("temperature")),
        Parameter::count("cooling-epochs", "EPOCHS", parts::POSITIVE, "Epochs from the one temperature to the other"),
        Parameter::choice(
            "reheat",
            "FROM",
            &["keep", "fresh"],
            "Start of the next cooling: the grids as they are, or fresh fills",
        ),
        Parameter::choice(
            "neighbours",
            "WHICH",
            &["any", "conflicts"],
            "Swaps: any two free cells of a block, or one in conflict with any other",
        ),
    ],
    rules: &[NamedRule {
        name: "tuned",
        defaults: |_| Defaults::of(&AnnealParameters::TUNED),
        budget: stops::evaluations(1_000_000_000),
    }],
    presets: &[],
    stops: stops::OF_POPULATIONS,
    fixed: &[],
    slot_bytes: |cells, _| Anneal::bytes_per_slot(cells),
    configure: configure::<AnnealParameters>,
};

impl Parameters for AnnealParameters {
    type Search = Anneal;

    fn algorithm(&self) -> &'static Algorithm {
        &ANNEAL
    }

    fn population(&self) -> usize {
        self.population
    }

    fn describe(&self) -> String {
        format!("annealing of {self}")
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> Anneal {
        Anneal::of(puzzle, self, seed)
    }
}

/// `32 chains cooling from 0.4 to 0.25 over 30000 epochs, again and again from fresh fills`
impl fmt::Display for AnnealParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnnealParameters { population, temperature, end_temperature, cooling_epochs, reheat, neighbours } = self;
        write!(
            f,
            "{population} chains cooling from {temperature} to {end_temperature} over {cooling_epochs} epochs, "
        )?;
        f.write_str(match reheat {
            Reheat::Keep => "reheated as they are",
            Reheat::Fresh => "again and again from fresh fills",
        })?;
        f.write_str(match neighbours {
            Neighbours::Any => ", any swaps",
            Neighbours::Conflicts => ", swaps at conflicts",
        })
    }
}

/// An annealing of one puzzle.
pub struct Anneal {
    rule: Rule,
    seed: u64,
    cooling: Cooling,
    cooling_epochs: u32,
    reheat: Reheat,
    /// Epochs of this cycle's cooling so far.
    cooled: u32,
    population: Population,
    scores: Pages<Score>,
    moves: Vec<Moves>,
    /// For several epochs at once.
    stride_tables: StrideTables,
    before: Option<Before>,
}

/// The state before the last stride, from which every epoch of it can be reached again.
struct Before {
    population: Population,
    scores: Pages<Score>,
    epoch: u32,
    cooled: u32,
    cooling: Cooling,
    /// Those of each epoch since.
    thresholds: Vec<ThresholdBits>,
}

/// What every slot's step reads and none writes.
struct Rule {
    blocks: FreeUnits,
    /// Where swaps begin, if not anywhere.
    conflicts: Option<ConflictSwaps>,
    population: usize,
    epoch: u32,
    /// Whether this epoch fills every slot afresh.
    fills: bool,
    thresholds: Thresholds,
    fill_key: Key,
    step_key: Key,
}

impl Anneal {
    /// Bytes of an individual: its cells and score, the same before a stride where there are strides, and its last move.
    pub(super) fn bytes_per_slot(cells: usize) -> usize {
        let states = if strides::exist(Instructions::best(), cells) { 2 } else { 1 };
        states * (cells + size_of::<Score>()) + size_of::<Moves>() / LANES
    }

    /// An annealing of `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`Parameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &AnnealParameters, seed: u64) -> Result<Anneal, Error> {
        parameters.search(puzzle, seed)
    }

    fn of(puzzle: &Puzzle, parameters: &AnnealParameters, seed: u64) -> Anneal {
        let AnnealParameters { temperature, end_temperature, cooling_epochs, reheat, neighbours, .. } = *parameters;
        let blocks = FreeUnits::blocks(puzzle);
        let population = blocks.population(parameters.population);
        let cooling = Cooling::new(temperature, end_temperature, cooling_epochs);
        let rule = Rule {
            conflicts: (neighbours == Neighbours::Conflicts).then(|| ConflictSwaps::new(&blocks)),
            blocks,
            population: parameters.population,
            epoch: 0,
            fills: true,
            thresholds: cooling.thresholds(),
            fill_key: Key::new(seed, 0, Stream::Fill),
            step_key: Key::new(seed, 0, Stream::Step),
        };
        let (scores, moves) = (Pages::zeroed(population.slots()), vec![Moves::NONE; population.tiles()]);
        let stride_tables = StrideTables::new(&rule.blocks);
        Anneal {
            rule,
            seed,
            cooling,
            cooling_epochs,
            reheat,
            cooled: 0,
            population,
            scores,
            moves,
            stride_tables,
            before: None,
        }
    }
}

impl Search for Anneal {
    type Chunk<'a> = AnnealChunk<'a>;
    type Tally = Extremes;

    fn begin(&mut self, restart: u32) {
        self.rule.epoch = 0;
        self.rule.fill_key = Key::new(self.seed, restart, Stream::Fill);
        self.rule.step_key = Key::new(self.seed, restart, Stream::Step);
        self.begin_cycle(true);
    }

    fn population(&self) -> &Population {
        &self.population
    }

    fn chunk(&mut self) -> AnnealChunk<'_> {
        let tiles = Tiles::new(&mut self.population, &mut self.scores, &mut self.moves);
        AnnealChunk { rule: &self.rule, tiles }
    }

    fn conclude(&mut self, tally: Extremes) -> Best {
        self.rule.epoch += 1;
        self.cool();
        let (_, slot) = tally.best().expect("a population is not empty");
        Best { score: self.scores[slot], slot }
    }

    fn stride(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        each: &mut dyn FnMut(Sums, Best),
    ) {
        let epochs = self.stride_epochs(instructions, epochs);
        if epochs < strides::SHORTEST {
            return;
        }
        self.note_before();
        let chunk_tiles = strides::chunk_tiles(chunk_tiles, epochs);
        let made = self.walk(instructions, epochs, chunk_tiles).expect("the state before the stride was kept");
        for StrideEpoch { sums, best } in &made {
            let (_, slot, score) = best.expect("a population is not empty");
            each(*sums, Best { score, slot });
        }
    }

    fn grid_in_stride(&self, epoch: u32, slot: usize) -> Option<Grid> {
        self.before.as_ref()?.grid(&self.rule, &self.stride_tables, epoch, slot)
    }

    fn settle(&mut self, epoch: u32) -> bool {
        let Some(Before { epoch: first, cooled, cooling, .. }) = &self.before else { return false };
        (self.rule.epoch, self.cooled, self.cooling) = (*first, *cooled, *cooling);
        self.rule.thresholds = self.cooling.thresholds();
        self.rule.fills = false;
        self.walk(Instructions::best(), epoch, Engine::CHUNK / LANES).is_some()
    }
}

impl Anneal {
    /// Epochs of the next stride: none past the end of a cycle.
    fn stride_epochs(&self, instructions: Instructions, most: u32) -> u32 {
        if self.rule.fills {
            return 0;
        }
        let longest = self.stride_tables.most_epochs(instructions, self.rule.conflicts.is_some());
        let epochs = strides::epochs(self.population.slots(), self.rule.epoch, longest);
        epochs.min(most).min(self.cooling_epochs - self.cooled)
    }

    /// Keeps the state as that before a stride, and the room of the one before for the next.
    fn note_before(&mut self) {
        let before = self.before.get_or_insert_with(|| Before {
            population: self.population.clone(),
            scores: self.scores.clone(),
            epoch: 0,
            cooled: 0,
            cooling: self.cooling,
            thresholds: Vec::new(),
        });
        std::mem::swap(&mut before.population, &mut self.population);
        std::mem::swap(&mut before.scores, &mut self.scores);
        (before.epoch, before.cooled, before.cooling) = (self.rule.epoch, self.cooled, self.cooling);
    }

    /// Goes this many epochs on from the state before the stride, in which all but the slots still is.
    fn walk(&mut self, instructions: Instructions, epochs: u32, chunk_tiles: usize) -> Option<StrideEpochs> {
        let mut thresholds = std::mem::take(&mut self.before.as_mut()?.thresholds);
        thresholds.clear();
        for _ in 0..epochs {
            thresholds.push(strides::threshold_bits(&self.rule.thresholds));
            self.rule.epoch += 1;
            self.cool();
        }
        let before = self.before.as_mut()?;
        before.thresholds = thresholds;
        let tiles = StrideTiles {
            first: 0,
            from: before.population.lanes(),
            to: self.population.lanes_mut(),
            old_scores: &before.scores,
            scores: &mut self.scores,
        };
        let stride = self.rule.stride(&self.stride_tables, before.epoch, &before.thresholds);
        Some(stride.advance(instructions, tiles, chunk_tiles))
    }
}

impl Rule {
    fn stride<'a>(&self, tables: &'a StrideTables, epoch: u32, thresholds: &'a [ThresholdBits]) -> Stride<'a> {
        let (key, population, at_conflicts) = (self.step_key, self.population, self.conflicts.is_some());
        Stride { tables, at_conflicts, key, epoch, thresholds, population }
    }
}

impl Before {
    /// The grid of a slot so many epochs later.
    fn grid(&self, rule: &Rule, tables: &StrideTables, epochs: u32, slot: usize) -> Option<Grid> {
        let shape = self.population.shape();
        let (tile, cells) = (slot / LANES, shape.cells());
        let (mut grids, mut scores) = (Population::new(shape, LANES), [Score::default(); LANES]);
        let tiles = StrideTiles {
            first: tile * LANES,
            from: &self.population.lanes()[tile * cells..][..cells],
            to: grids.lanes_mut(),
            old_scores: &self.scores[tile * LANES..][..LANES],
            scores: &mut scores,
        };
        let thresholds = self.thresholds.get(..epochs as usize)?;
        rule.stride(tables, self.epoch, thresholds).advance(Instructions::best(), tiles, 1);
        Some(grids.get(slot % LANES))
    }
}

impl Anneal {
    /// Sets the next epoch's temperature, or begins a new cycle.
    fn cool(&mut self) {
        if self.rule.fills {
            self.rule.fills = false;
            return;
        }
        self.cooled += 1;
        if self.cooled == self.cooling_epochs {
            return self.begin_cycle(self.reheat == Reheat::Fresh);
        }
        self.cooling.cool();
        self.rule.thresholds = self.cooling.thresholds();
    }

    fn begin_cycle(&mut self, fills: bool) {
        self.cooled = 0;
        self.cooling.reheat();
        self.rule.thresholds = self.cooling.thresholds();
        self.rule.fills = fills;
    }
}

/// Successive tiles of an annealing.
pub struct AnnealChunk<'a> {
    rule: &'a Rule,
    tiles: Tiles<'a>,
}

impl Chunk for AnnealChunk<'_> {
    type Tally = Extremes;

    fn tiles(&self) -> usize {
        self.tiles.len()
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let AnnealChunk { rule, tiles: all } = self;
        let (tiles, others) = all.split_at(tiles);
        (AnnealChunk { rule, tiles }, AnnealChunk { rule, tiles: others })
    }

    #[inline(always)]
    fn prefetch(&self, tile: usize) {
        self.tiles.prefetch(tile);
    }

    #[inline(always)]
    fn propose(&mut self, tile: usize) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Tile { lanes, moves, .. } = self.tiles.tile(tile);
        let used = lanes_below(rule.population, first);
        if rule.fills {
            rule.blocks.fill_lanes(lanes, used, rule.fill_key, rule.epoch, first as u32);
            return;
        }
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        *moves = match &rule.conflicts {
            None => Moves::propose(&rule.blocks, &words, lanes, used),
            Some(conflicts) => Moves::apply(Swaps::new(&conflicts.pick(lanes, words.moves)), &words, lanes, used),
        };
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        self.tiles.lanes(tile)
    }

    #[inline(always)]
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (rule, first) = (self.rule, self.tiles.first_slot(tile));
        let Tile { lanes, scores: old, moves } = self.tiles.tile(tile);
        let forced = if rule.fills { LaneSet::MAX } else { 0 };
        let Decisions { totals, refused, .. } = moves.decide(&rule.thresholds, forced, old, scores);
        tally.add_lanes(&totals, lanes_below(rule.population, first), first as u32);
        moves.undo(lanes, refused);
    }
}

impl Resumable for Anneal {
    fn save(&self, state: &mut StateWriter) {
        state.put_cells(&self.population);
        state.put_scores(&self.scores);
        state.put(&(self.rule.epoch, self.rule.fills, self.cooled));
        state.put(&self.cooling.temperature());
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        self.begin(restart);
        state.fill_cells(&mut self.population)?;
        state.fill_scores(&mut self.scores)?;
        (self.rule.epoch, self.rule.fills, self.cooled) = state.get()?;
        self.cooling.resume(state.get()?);
        self.rule.thresholds = self.cooling.thresholds();
        Ok(())
    }
}
