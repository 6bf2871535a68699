//! The exact methods as algorithms: no population, no randomness, nodes for a budget, and one run per puzzle.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

use super::algorithm::{Algorithm, Configured, Defaults, NamedRule};
use super::{Budget, Engine, Outcome, Progress, Stepped, Stop, stops};
use crate::error::Error;
use crate::exact::{self, Limits, Method};
use crate::fitness::{Evaluator, Scalar, Score};
use crate::population::{Candidates, Population};
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
    slot_bytes: |_| 0,
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

    fn run(
        &self,
        puzzle: &Puzzle,
        _seed: u64,
        _engine: &mut Engine,
        budget: &Budget,
        observe: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let at = Progress { restart: 0, epoch: 0, evaluations: 0, best: score(puzzle.givens()) };
        Ok(outcome(*self, puzzle, budget, &mut |_| observe(&at)))
    }

    fn stepped(
        &self,
        puzzle: &Arc<Puzzle>,
        _seed: u64,
        budget: &Budget,
        _state: Option<&[u8]>,
    ) -> Result<Box<dyn Stepped>, Error> {
        let none = Population::new(puzzle.shape(), 0);
        Ok(Box::new(ExactRun { method: *self, puzzle: Arc::clone(puzzle), budget: *budget, none, outcome: None }))
    }
}

/// Searches for one solution; `observe` is asked every few hundred nodes whether to go on.
fn outcome(
    method: Method,
    puzzle: &Puzzle,
    budget: &Budget,
    observe: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Outcome {
    let started = Instant::now();
    let found = method.search(puzzle, limits(budget), observe);
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
    }
}

/// The score of a grid, which may have empty cells.
fn score(grid: &Grid) -> Score {
    let one = Population::copies(grid, 1);
    let mut scores = vec![Score::default(); one.slots()];
    match Scalar::new(grid.shape()).score(one.candidates(), &mut scores) {
        Ok(()) => scores[0],
        Err(_) => Score::default(),
    }
}

/// The same reason in the words of a run that ends at its first solution.
pub(crate) fn stop(stop: exact::Stop) -> Stop {
    match stop {
        exact::Stop::SolutionLimit => Stop::Solved,
        exact::Stop::Exhausted => Stop::Unsolvable,
        exact::Stop::NodeLimit => Stop::Nodes,
        exact::Stop::TimeLimit => Stop::Timeout,
        exact::Stop::Interrupted => Stop::Interrupted,
    }
}

/// A run without epochs: it is over when its first would begin.
struct ExactRun {
    method: Method,
    puzzle: Arc<Puzzle>,
    budget: Budget,
    none: Population,
    outcome: Option<Outcome>,
}

impl Stepped for ExactRun {
    fn begin_epoch(&mut self) -> bool {
        let mut go_on = |_| ControlFlow::Continue(());
        self.outcome = Some(outcome(self.method, &self.puzzle, &self.budget, &mut go_on));
        false
    }

    fn epoch(&mut self, _engine: &mut Engine) -> Result<(), Error> {
        Ok(())
    }

    fn propose(&mut self) {}

    fn proposals(&self) -> Candidates<'_> {
        self.none.candidates()
    }

    fn accept(&mut self, _scores: &[Score]) -> Result<(), Error> {
        Ok(())
    }

    fn evaluations(&self) -> u64 {
        0
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Outcome {
        self.outcome.expect("a run is finished when it is over")
    }
}
