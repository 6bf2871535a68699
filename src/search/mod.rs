//! Searches and the loop that drives them.
//!
//! A search proposes a candidate for every slot, learns their scores, and accepts; it never knows who scored them:
//!
//! ```text
//!            per tile, in any order, on any thread                 once an epoch
//!   ┌────────────────────────────────────────────────────┐
//!   │  Chunk::propose  ->  scores of the tile  ->  Chunk::accept  │  ->  tallies merged  ->  Search::conclude
//!   └────────────────────────────────────────────────────┘
//! ```
//!
//! Read [`Search`] and [`Chunk`], then `anneal` for an algorithm: parameters, rule, state and steps stand in this order in
//! the one file of each, and what several share is in `parts`. `algorithm`, `parameter` and `variant` are the table of
//! algorithms and what is made of it. A search becomes a [`Run`] by [`SearchRun`]; then `run` for the two traits [`Run`]
//! and [`Advance`], `engine` and `sweeps` for how an epoch's work is done on the host, `drive` for the loop over runs, and
//! `state` for what the loop knows of each: budget, stops and records.

pub mod algorithm;
mod anneal;
mod budget;
mod drive;
mod engine;
pub mod exact;
mod ga_columns;
mod ga_naive;
mod genetic;
mod host;
pub mod parameter;
mod parts;
mod random_key;
mod run;
mod state;
pub mod stops;
mod swarm;
mod sweeps;
mod trajectory;
mod variant;

pub use algorithm::{ALGORITHMS, Algorithm, Parameters};
pub use anneal::{Anneal, AnnealParameters, Neighbours, Reheat};
pub use budget::{Budget, Convergence, Improvements, Stop};
pub use drive::{ActiveRun, Demand, Observer, Outcome, Progress, RunQueue, TracePoint, Whole, run, run_all, run_one};
pub use engine::{Engine, EpochTimes};
pub use ga_columns::GaColumnsParameters;
pub use ga_naive::GaNaiveParameters;
pub use genetic::{Crossover, Encoding, GeneticParameters, Selection};
pub use host::SearchRun;
pub use random_key::{Decoding, Movement, RandomKey, RandomKeyParameters};
pub use run::{Advance, Details, Run, Summary, Turn};
pub use state::{Resumable, StateReader, StateWriter};
pub use swarm::{Acceptance, OnStagnation, Swarm, SwarmParameters, adaptive_ratio};
pub use trajectory::{Sums, Trajectory};
#[cfg(test)]
pub(crate) use variant::tests as tests_of_variants;
pub use variant::{OnPuzzle, Variant, sample_puzzle};

use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::Grid;

/// A population metaheuristic on one puzzle.
///
/// Its slots' state lies in plain arrays padded to tiles, which [`Search::chunk`] lends out to be cut into parts.
pub trait Search {
    /// The slots' state, or a part of it.
    type Chunk<'a>: Chunk<Tally = Self::Tally>
    where
        Self: 'a;

    /// What an epoch's acceptance adds up to: a few values, merged in any order.
    type Tally: Tally;

    /// Forgets everything and starts anew with the random streams of this restart; the next epoch is 0.
    fn begin(&mut self, restart: u32);

    /// The individuals of all slots, as the last epoch left them; after a stride once [`Search::catch_up`] was called.
    fn population(&self) -> &Population;

    /// The proposals of all slots, between propose and accept: what a backend scores that does not score tile by tile.
    /// A search that does not write its proposals over its individuals says where they are.
    fn proposals(&self) -> &Population {
        self.population()
    }

    /// All tiles, to be proposed and accepted.
    fn chunk(&mut self) -> Self::Chunk<'_>;

    /// Ends the epoch: draws the conclusions that need every slot, and names the best individual.
    fn conclude(&mut self, tally: Self::Tally) -> Best;

    /// Epochs that may follow each other, at least 1, before [`Search::improve`] may have work.
    fn epochs_ahead(&self) -> u32 {
        u32::MAX
    }

    /// Advances by at most this many epochs at once, and tells the sums and the best individual of each in their order; by
    /// none where the search has no form for that, on these instructions or now.
    fn stride(
        &mut self,
        _instructions: Instructions,
        _epochs: u32,
        _chunk_tiles: usize,
        _each: &mut dyn FnMut(Sums, Best),
    ) {
    }

    /// The grid of a slot that was the best after epoch `epoch`, from 1, of the last stride; none without one.
    fn grid_in_stride(&self, _epoch: u32, _slot: usize) -> Option<Grid> {
        None
    }

    /// Goes back to the state after epoch `epoch`, from 1, of the last stride; false without one.
    fn settle(&mut self, _epoch: u32) -> bool {
        false
    }

    /// Writes where everybody looks what a stride holds in a form of its own; the search calls it itself where it looks there.
    fn catch_up(&mut self) {}

    /// Works on single grids on the host after an epoch that did not solve the puzzle; most searches do not. What is
    /// found may enter the population in the next epoch, and counts as found at once.
    fn improve(&mut self, _limits: &ImprovementLimits) -> Option<Improvement> {
        None
    }

    /// More about the epoch that was concluded last; asked for only where somebody wants to know.
    fn details(&self) -> Details {
        Details::default()
    }
}

/// The limits of an improvement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImprovementLimits {
    /// The candidates it may score, so that neither it nor the next epoch exceeds the budget.
    pub evaluations: u64,
    /// True if no epoch of this restart follows.
    pub last_epoch: bool,
}

/// The result of [`Search::improve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Improvement {
    /// Candidates scored.
    pub evaluations: u64,
    /// The best of them, or the grid it started from.
    pub grid: Grid,
    /// Its score.
    pub score: Score,
}

/// Successive tiles of a search's slots. Where the cuts lie changes nothing.
pub trait Chunk: Sized + Send {
    /// What acceptance adds up to.
    type Tally: Tally;

    /// The number of tiles.
    fn tiles(&self) -> usize;

    /// The first `tiles` tiles, and the others.
    fn split_at(self, tiles: usize) -> (Self, Self);

    /// Asks the memory for a tile that is soon to be proposed, where this is the one at hand.
    #[inline(always)]
    fn prefetch(&self, _tile: usize) {}

    /// Makes a proposal for every slot of a tile, to be found by [`Chunk::lanes`].
    fn propose(&mut self, tile: usize);

    /// The lanes of a tile.
    fn lanes(&self, tile: usize) -> &[Lanes];

    /// Accepts or undoes each proposal of a tile, given their scores.
    fn accept(&mut self, tile: usize, scores: &[Score; LANES], tally: &mut Self::Tally);
}

/// A summary that does not depend on the order in which its parts are merged.
pub trait Tally: Default + Send {
    /// The summary of both parts.
    fn merge(self, other: Self) -> Self;
}

/// The best individual of an epoch; the lowest slot of those with the lowest total.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// Its score.
    pub score: Score,
    /// Its slot.
    pub slot: usize,
}
