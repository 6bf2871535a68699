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
//! Read [`Search`] and [`Chunk`], then [`anneal`] and [`swarm`] for algorithms (their steps are in `step`, `tiles`
//! and `conflicts`, what they do for a single grid on the host in `local` and `refine`), [`ga`] for several that share their
//! frame, and [`random_key`]; then [`run`] for budgets, stops and records (kept by `course`), [`Epochs`] for none of
//! these, the modules `engine` and `sweeps` for where and how an epoch's work is done, [`run_alternately`] for runs that
//! keep host and device busy at once, and [`Stepped`] for runs that are made side by side, put away and taken up again.

mod algorithm;
mod alternate;
pub mod anneal;
mod budget;
mod conflicts;
mod convergence;
mod cooling;
mod course;
mod engine;
mod epoch_times;
mod epochs;
pub mod ga;
mod local;
pub mod random_key;
mod range;
mod rank;
mod refine;
mod run;
mod single;
mod stagnation;
mod state;
mod step;
mod stepped;
pub mod swarm;
mod sweeps;
mod tiles;
mod trajectory;
mod workload;

pub use algorithm::Algorithm;
pub use alternate::run_alternately;
pub use anneal::{Anneal, AnnealParameters, Neighbours, Reheat};
pub use budget::{Budget, Stop};
pub use convergence::{Convergence, Improvements};
pub use engine::Engine;
pub use epoch_times::EpochTimes;
pub use epochs::Epochs;
pub use ga::columns::GaColumnsParameters;
pub use ga::genetic::{Crossover, Encoding, GeneticParameters, Selection};
pub use ga::naive::GaNaiveParameters;
pub use random_key::{Decoding, Movement, RandomKey, RandomKeyParameters};
pub use run::{Outcome, Progress, TracePoint, run};
pub use state::{Resumable, StateReader, StateWriter};
pub use stepped::Stepped;
pub use swarm::{Acceptance, OnStagnation, Swarm, SwarmParameters};

use crate::fitness::Score;
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

    /// The individuals of all slots, as the last epoch left them.
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

    /// Works on single grids on the host after an epoch that did not solve the puzzle; most searches do not. What is
    /// found may enter the population in the next epoch, and counts as found at once.
    fn improve(&mut self, _leeway: &Leeway) -> Option<Improvement> {
        None
    }
}

/// What [`Search::improve`] may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leeway {
    /// The candidates it may score, so that neither it nor the next epoch exceeds the budget.
    pub evaluations: u64,
    /// True if no epoch of this restart follows.
    pub last_epoch: bool,
}

/// What [`Search::improve`] did.
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
