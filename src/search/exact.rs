//! The exact methods as algorithms: no population, no randomness, nodes for a budget, and one run per puzzle.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

use super::algorithm::{Algorithm, Configured, Defaults, NamedRule};
use super::{ActiveRun, Budget, Outcome, Progress, Run, Stop, stops};
use crate::error::Error;
use crate::exact::{self, Limits, Method};
use crate::fitness::{Scalar, Score, TileScorer};
use crate::population::{LANES, Population};
use crate::sudoku::{Grid, Puzzle};

/// Plain backtracking.
pub static BACKTRACKING: Algorithm = Algorithm {
    name: "backtracking",
    help: "The search of the tutorials: first empty cell, digits ascending; no population",
    // Some seconds at 9x9, since a node of plain backtracking is that much cheaper.
    rules: &[NamedRule { name: "tuned", defaults: |_| Defaults::default(), budget: stops::nodes(1_000_000_000) }],
    configure: |_| Ok(Box::new(Method::Backtracking)),
    ..WITHOUT_POPULATION
};

/// The fast exact solver.
pub static EXACT: Algorithm = Algorithm {
    name: "exact",
    help: "Exhaustive search with fewest candidates first, for any shape; no population",
    rules: &[NamedRule { name: "tuned", defaults: |_| Defaults::default(), budget: stops::nodes(10_000_000) }],
    configure: |_| Ok(Box::new(Method::Exact)),
    ..WITHOUT_POPULATION
};

const WITHOUT_POPULATION: Algorithm = Algorithm {
    name: "",
    aliases: &[],
    help: "",
    note: "Deterministic: one run per puzzle, whatever the seed.",
    parameters: &[],
    rules: &[],
    presets: &[],
    stops: stops::OF_EXACT,
    fixed: &[],
    slot_bytes: |_, _| 0,
    configure: |_| Ok(Box::new(Method::Exact)),
};

/// The exact method of an algorithm, if it is one.
pub fn method(algorithm: &Algorithm) -> Option<Method> {
    [Method::Backtracking, Method::Exact].into_iter().find(|method| method.name() == algorithm.name)
}

/// The limits of a search for one solution within a budget.
pub fn limits(budget: &Budget) -> Limits {
    Limits { solutions: 1, nodes: budget.nodes.unwrap_or(u64::MAX), time: budget.time }
}

impl Configured for Method {
    fn describe(&self) -> String {
        self.name().to_owned()
    }

    fn to_json(&self) -> Result<Value, Error> {
        Ok(Map::new().into())
    }

    fn population(&self) -> usize {
        0
    }

    fn search(&self, _puzzle: &Puzzle, _seed: u64) -> Result<Option<Box<dyn Run>>, Error> {
        Ok(None)
    }

    fn start(
        &self,
        puzzle: &Arc<Puzzle>,
        _seed: u64,
        budget: &Budget,
        _state: Option<&[u8]>,
    ) -> Result<ActiveRun<'static>, Error> {
        let (method, puzzle, budget) = (*self, Arc::clone(puzzle), *budget);
        Ok(ActiveRun::whole(move |go_on| search_one(method, &puzzle, &budget, go_on)))
    }
}

/// Searches for one solution within a budget of nodes and time; `go_on` is asked every few hundred nodes.
pub fn search_one(
    method: Method,
    puzzle: &Puzzle,
    budget: &Budget,
    go_on: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Outcome {
    let started = Instant::now();
    let best = score(puzzle.givens());
    let progress =
        Progress { restart: 0, epoch: 0, evaluations: 0, best, epoch_best: best, ends_dispatch: true, details: None };
    let found = method.search(puzzle, limits(budget), |_| go_on(&progress));
    let grid = found.solutions.first().filter(|grid| puzzle.accepts(grid)).unwrap_or(puzzle.givens()).clone();
    Outcome {
        stop: stop(found.stop),
        score: score(&grid),
        grid,
        evaluations: 0,
        nodes: Some(found.nodes),
        epochs: 0,
        restarts: 0,
        trajectory: 0,
        trace: Vec::new(),
        wall: started.elapsed(),
        shared: false,
    }
}

/// The score of a grid, which may have empty cells.
fn score(grid: &Grid) -> Score {
    let mut scores = [Score::default(); LANES];
    Scalar::new(grid.shape()).score_tile(Population::copies(grid, 1).lanes(), &mut scores);
    scores[0]
}

/// The same reason in the words of a run that ends at its first solution.
fn stop(stop: exact::SearchEnd) -> Stop {
    match stop {
        exact::SearchEnd::SolutionLimit => Stop::Solved,
        exact::SearchEnd::Exhausted => Stop::Unsolvable,
        exact::SearchEnd::NodeLimit => Stop::Nodes,
        exact::SearchEnd::TimeLimit => Stop::Timeout,
        exact::SearchEnd::Interrupted => Stop::Interrupted,
    }
}
