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

mod chunk;
mod parameters;
mod state;

pub use chunk::AnnealChunk;
pub use parameters::{AnnealParameters, Neighbours, Reheat};

use super::conflicts::ConflictSwaps;
use super::cooling::Cooling;
use super::rank::Extremes;
use super::step::{Moves, Thresholds};
use super::tiles::Tiles;
use super::{Best, Search};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::Population;
use crate::population::moves::FreeUnits;
use crate::population::rng::{Key, Stream};
use crate::sudoku::Puzzle;

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
    moves: Vec<Moves>,
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
    /// Bytes of an individual: its cells, score and last move.
    pub(super) const fn bytes_per_slot(cells: usize) -> usize {
        cells + size_of::<Score>() + size_of::<Moves>() / crate::LANES
    }

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
        let (scores, moves) = (vec![Score::default(); population.slots()], vec![Moves::NONE; population.tiles()]);
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
        let tiles = Tiles::new(&mut self.population, &mut self.scores, &mut self.moves);
        AnnealChunk { rule: &self.rule, tiles }
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
