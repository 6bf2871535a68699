//! The runs of a comparison, one after another.

use swarmdoku::experiment::{Record, Setting, run_seed};
use swarmdoku::search::Engine;
use swarmdoku::{Error, Puzzle, Shape};

use crate::cli::CommonArgs;
use crate::cli::algorithm::Plan;
use crate::cli::backend::Chosen;
use crate::cli::progress::{SearchBar, interrupted};

/// The runs of each algorithm, in the algorithms' order.
pub type RunsByAlgorithm = Vec<Vec<Record>>;

/// The algorithms of a comparison and all their runs so far.
pub struct Contest<'a> {
    common: &'a CommonArgs,
    entrants: Vec<Entrant>,
    runs: u32,
    seed: u64,
    kept: RunsByAlgorithm,
}

/// An algorithm with its budget, and the engine for the shape met last.
struct Entrant {
    plan: Plan,
    engine: Option<Prepared>,
}

/// An engine and why its backend was taken.
struct Prepared {
    engine: Engine,
    reason: String,
}

impl Contest<'_> {
    /// A comparison of `runs` runs of each plan on each puzzle.
    pub fn new(common: &CommonArgs, plans: Vec<Plan>, runs: u32, seed: u64) -> Contest<'_> {
        let kept = plans.iter().map(|_| Vec::new()).collect();
        let entrants = plans.into_iter().map(|plan| Entrant { plan, engine: None }).collect();
        Contest { common, entrants, runs, seed, kept }
    }

    /// The seed that all runs' seeds are derived from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The names of the algorithms.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.entrants.iter().map(|entrant| entrant.plan.algorithm.name())
    }

    /// Makes the engines for a shape.
    ///
    /// # Errors
    /// What choosing a backend reports.
    pub fn prepare(&mut self, shape: Shape) -> Result<(), Error> {
        self.entrants.iter_mut().try_for_each(|entrant| entrant.prepare(self.common, shape))
    }

    /// The algorithms with their parameters and the backends of those that are prepared, for people.
    pub fn descriptions(&self) -> impl Iterator<Item = String> {
        self.entrants.iter().map(|Entrant { plan, engine }| match engine {
            None => plan.algorithm.to_string(),
            Some(Prepared { engine, .. }) => {
                let backend = engine.evaluator().backend().name();
                format!("{}, on {backend}: {}", plan.algorithm, engine.evaluator().describe())
            }
        })
    }

    /// What defines an algorithm's runs beside the puzzle; none before it is prepared.
    ///
    /// # Errors
    /// [`Error::Internal`] if a parameter has no JSON form.
    pub fn setting(&self, algorithm: usize) -> Result<Option<Setting>, Error> {
        let Entrant { plan, engine } = &self.entrants[algorithm];
        let Some(Prepared { engine, reason }) = engine else { return Ok(None) };
        let evaluator = engine.evaluator();
        Ok(Some(
            Setting::new(plan.algorithm.name(), plan.to_json()?)
                .on(evaluator.backend(), evaluator.describe(), reason.clone())
                .seeded(self.seed),
        ))
    }

    /// Runs every algorithm on a puzzle as often as wanted. Algorithms take turns, so that what disturbs the machine for
    /// a while disturbs them all. A run that the user interrupted is dropped, and no other follows.
    ///
    /// # Errors
    /// What choosing a backend and running report.
    pub fn hold(&mut self, number: usize, puzzle: &Puzzle) -> Result<RunsByAlgorithm, Error> {
        self.prepare(puzzle.shape())?;
        let mut all: RunsByAlgorithm = self.entrants.iter().map(|_| Vec::new()).collect();
        for run in 0..self.runs {
            for (entrant, runs) in self.entrants.iter_mut().zip(&mut all) {
                let seed = run_seed(self.seed, run);
                let prefix = format!("puzzle {number} · run {} of {} · ", run + 1, self.runs);
                let run = entrant.run(self.common.quiet, puzzle, seed, &prefix)?;
                if interrupted() {
                    return Ok(all);
                }
                runs.push(run);
            }
        }
        Ok(all)
    }

    /// Adds runs to those of all puzzles.
    pub fn keep(&mut self, runs: RunsByAlgorithm) {
        self.kept.iter_mut().zip(runs).for_each(|(kept, runs)| kept.extend(runs));
    }

    /// The runs on all puzzles.
    pub fn kept(&self) -> &RunsByAlgorithm {
        &self.kept
    }
}

impl Entrant {
    /// Makes the engine for a shape unless it is there.
    fn prepare(&mut self, common: &CommonArgs, shape: Shape) -> Result<(), Error> {
        if self.engine.as_ref().is_none_or(|prepared| prepared.engine.evaluator().shape() != shape) {
            let Chosen { evaluator, reason } = common.backend.choose(shape, self.plan.algorithm.population())?;
            self.engine = Some(Prepared { engine: Engine::new(evaluator), reason });
        }
        Ok(())
    }

    fn run(&mut self, quiet: bool, puzzle: &Puzzle, seed: u64, prefix: &str) -> Result<Record, Error> {
        let Entrant { plan: Plan { algorithm, budget }, engine } = self;
        let Prepared { engine, reason } = engine.as_mut().expect("engines are prepared before runs");
        let mut bar = SearchBar::new(quiet, format!("{prefix}{} · ", algorithm.name()));
        let outcome = algorithm.run(puzzle, seed, engine, budget, |progress| bar.observe(progress))?;
        let evaluator = engine.evaluator();
        let setting = Setting::new(algorithm.name(), serde_json::Value::Null)
            .on(evaluator.backend(), evaluator.describe(), reason.clone())
            .seeded(seed);
        Ok(Record::new(None, puzzle.givens(), setting, &outcome))
    }
}
