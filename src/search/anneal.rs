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
//! A slot's state is its grid and score, and the temperature is a function of the epoch: nothing passes between slots.
//! Words: those of the swarm, [`Stream::Fill`] and [`Stream::Step`].

use std::fmt;

use super::conflicts::ConflictSwaps;
use super::cooling::{self, Cooling};
use super::range;
use super::rank::Extremes;
use super::step::{self, Move, StepWords, Thresholds};
use super::{Best, Chunk, Search};
use crate::error::Error;
use crate::fitness::Score;
use crate::moves::FreeUnits;
use crate::population::{LANES, Lanes, Population};
use crate::puzzle::Puzzle;
use crate::rng::{Key, Stream, Words};

/// From what a new cycle of cooling starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reheat {
    /// From the grids as they are.
    Keep,
    /// From fresh fills, which take an epoch.
    Fresh,
}

/// Which swaps a chain proposes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Neighbours {
    /// Any two free cells of a block: see [`FreeUnits::pick_swap`].
    Any,
    /// A free cell whose digit stands twice in its row or column, with any other free cell of its block. A grid without
    /// such a cell is a solution.
    Conflicts,
}

/// What defines an annealing beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
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
        temperature: 0.4,
        end_temperature: 0.25,
        cooling_epochs: 30_000,
        reheat: Reheat::Keep,
        neighbours: Neighbours::Conflicts,
    };

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, a temperature that is not positive, an end hotter than
    /// the start, a cooling without an epoch.
    pub fn validate(&self) -> Result<(), Error> {
        range::population(self.population)?;
        if self.cooling_epochs == 0 {
            return Err(Error::Parameter { name: "cooling-epochs", found: "0".into(), expected: "at least 1" });
        }
        cooling::validate(self.temperature, self.end_temperature)
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
    scores: Vec<Score>,
    moves: Vec<Move>,
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
    /// An annealing of `puzzle`, begun at restart 0.
    ///
    /// # Errors
    /// What [`AnnealParameters::validate`] refuses.
    pub fn new(puzzle: &Puzzle, parameters: &AnnealParameters, seed: u64) -> Result<Anneal, Error> {
        parameters.validate()?;
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
        let (scores, moves) = (vec![Score::default(); population.slots()], vec![Move::default(); population.slots()]);
        Ok(Anneal { rule, seed, cooling, cooling_epochs, reheat, cooled: 0, population, scores, moves })
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
        AnnealChunk {
            rule: &self.rule,
            first: 0,
            lanes: self.population.lanes_mut(),
            scores: &mut self.scores,
            moves: &mut self.moves,
        }
    }

    fn conclude(&mut self, tally: Extremes) -> Best {
        self.rule.epoch += 1;
        self.cool();
        let (_, slot) = tally.best().expect("a population is not empty");
        Best { score: self.scores[slot], slot }
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
    /// The first slot.
    first: usize,
    lanes: &'a mut [Lanes],
    scores: &'a mut [Score],
    moves: &'a mut [Move],
}

impl AnnealChunk<'_> {
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

impl Chunk for AnnealChunk<'_> {
    type Tally = Extremes;

    fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    fn split_at(self, tiles: usize) -> (Self, Self) {
        let AnnealChunk { rule, first, lanes, scores, moves } = self;
        let slots = tiles * LANES;
        let (lanes, other_lanes) = lanes.split_at_mut(tiles * rule.blocks.puzzle().shape().cells());
        let (scores, other_scores) = scores.split_at_mut(slots);
        let (moves, other_moves) = moves.split_at_mut(slots);
        let other =
            AnnealChunk { rule, first: first + slots, lanes: other_lanes, scores: other_scores, moves: other_moves };
        (AnnealChunk { rule, first, lanes, scores, moves }, other)
    }

    fn propose(&mut self, tile: usize) {
        let (first, used) = self.slots(tile);
        let (rule, cells) = (self.rule, self.tile_cells(tile));
        let lanes = &mut self.lanes[cells];
        if rule.fills {
            for lane in 0..used {
                let mut words = Words::new(rule.fill_key, rule.epoch, (first + lane) as u32);
                rule.blocks.fill(lanes, lane, &mut words);
            }
            return;
        }
        let words = StepWords::of_tile(rule.step_key, rule.epoch, first);
        let moves = &mut self.moves[tile * LANES..][..used];
        match &rule.conflicts {
            None => {
                moves.iter_mut().enumerate().for_each(|(lane, made)| *made = words.propose(&rule.blocks, lanes, lane))
            }
            Some(conflicts) => {
                let swaps = conflicts.pick(lanes, std::array::from_fn(|lane| words.of_move(lane)));
                for ((lane, made), swap) in moves.iter_mut().enumerate().zip(swaps) {
                    *made = words.apply(swap.unwrap_or_default(), lanes, lane);
                }
            }
        }
    }

    fn lanes(&self, tile: usize) -> &[Lanes] {
        &self.lanes[self.tile_cells(tile)]
    }

    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Extremes) {
        let (first, used) = self.slots(tile);
        let (rule, cells) = (self.rule, self.tile_cells(tile));
        let lanes = &mut self.lanes[cells];
        let moves = &self.moves[tile * LANES..][..used];
        let olds = &mut self.scores[tile * LANES..][..used];
        for (lane, ((old, new), made)) in olds.iter_mut().zip(&scores[..used]).zip(moves).enumerate() {
            let (was, is) = (old.total(), new.total());
            if rule.fills || is < was || step::accepts(&rule.thresholds, was, is, made.draw) {
                *old = *new;
            } else {
                made.swap.apply(lanes, lane);
            }
            tally.add(old.total(), (first + lane) as u32);
        }
    }
}
