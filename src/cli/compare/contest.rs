//! The runs of a comparison, one after another.

use swarmdoku::experiment::{Record, Setting, run_seed};
use swarmdoku::search::Engine;
use swarmdoku::{Error, Puzzle, Scalar};

use crate::cli::CommonArgs;
use crate::cli::algorithm::Setup;
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
    setup: Setup,
    engine: Option<Prepared>,
}

/// An engine and why its backend was taken.
struct Prepared {
    engine: Engine,
    reason: String,
}

impl Contest<'_> {
    /// A comparison of `runs` runs of each algorithm on each puzzle.
    pub fn new(common: &CommonArgs, setups: Vec<Setup>, runs: u32, seed: u64) -> Contest<'_> {
        let kept = setups.iter().map(|_| Vec::new()).collect();
        let entrants = setups.into_iter().map(|setup| Entrant { setup, engine: None }).collect();
        Contest { common, entrants, runs, seed, kept }
    }

    /// The seed that all runs' seeds are derived from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The names of the algorithms.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.entrants.iter().map(|entrant| entrant.setup.variant.name())
    }

    /// Makes the engines for the shape of a puzzle.
    ///
    /// # Errors
    /// What choosing a backend reports.
    pub fn prepare(&mut self, puzzle: &Puzzle) -> Result<(), Error> {
        self.entrants.iter_mut().try_for_each(|entrant| entrant.prepare(self.common, puzzle))
    }

    /// The algorithms with their parameters on this puzzle and their backends, for people.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter that no run on this puzzle can have.
    pub fn descriptions(&self, puzzle: &Puzzle) -> Result<Vec<String>, Error> {
        let describe = |Entrant { setup, engine }: &Entrant| {
            let algorithm = setup.variant.describe(puzzle)?;
            Ok(match engine.as_ref().filter(|_| setup.variant.algorithm().scores()) {
                None => algorithm,
                Some(Prepared { engine, .. }) => {
                    let backend = engine.evaluator().backend().name();
                    format!("{algorithm}, on {backend}: {}", engine.evaluator().describe())
                }
            })
        };
        self.entrants.iter().map(describe).collect()
    }

    /// What defines an algorithm's runs on a puzzle; none before it is prepared.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter that no run on this puzzle can have.
    pub fn setting(&self, algorithm: usize, puzzle: &Puzzle) -> Result<Option<Setting>, Error> {
        let Entrant { setup, engine } = &self.entrants[algorithm];
        let Some(Prepared { engine, reason }) = engine else { return Ok(None) };
        let evaluator = engine.evaluator();
        let setting = Setting::new(setup.variant.name(), setup.variant.record(puzzle, &setup.budget)?);
        Ok(Some(match setup.variant.algorithm().scores() {
            true => setting.on(evaluator.backend(), evaluator.describe(), reason.clone()).seeded(self.seed),
            false => setting,
        }))
    }

    /// Runs every algorithm on a puzzle as often as wanted. Algorithms take turns, so that what disturbs the machine for
    /// a while disturbs them all. A run that the user interrupted is dropped, and no other follows.
    ///
    /// # Errors
    /// What choosing a backend and running report.
    pub fn hold(&mut self, number: usize, puzzle: &Puzzle) -> Result<RunsByAlgorithm, Error> {
        self.prepare(puzzle)?;
        let mut all: RunsByAlgorithm = self.entrants.iter().map(|_| Vec::new()).collect();
        for run in 0..self.runs {
            for (entrant, runs) in self.entrants.iter_mut().zip(&mut all) {
                if run > 0 && entrant.setup.variant.algorithm().is_deterministic() {
                    continue;
                }
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
    /// Makes the engine for a puzzle's shape unless it is there.
    fn prepare(&mut self, common: &CommonArgs, puzzle: &Puzzle) -> Result<(), Error> {
        let (shape, variant) = (puzzle.shape(), &self.setup.variant);
        if self.engine.as_ref().is_none_or(|prepared| prepared.engine.evaluator().shape() != shape) {
            let Chosen { evaluator, reason } = match variant.algorithm().scores() {
                true => common.backend.open(&variant.workload(puzzle)?)?,
                false => Chosen { evaluator: Box::new(Scalar::new(shape)), reason: String::new() },
            };
            self.engine = Some(Prepared { engine: Engine::new(evaluator), reason });
        }
        Ok(())
    }

    fn run(&mut self, quiet: bool, puzzle: &Puzzle, seed: u64, prefix: &str) -> Result<Record, Error> {
        let Entrant { setup: Setup { variant, budget }, engine } = self;
        let Prepared { engine, reason } = engine.as_mut().expect("engines are prepared before runs");
        let mut bar = SearchBar::new(quiet, format!("{prefix}{} · ", variant.name()));
        let outcome = variant.run(puzzle, seed, engine, budget, |progress| bar.observe(progress))?;
        let evaluator = engine.evaluator();
        let setting = Setting::new(variant.name(), serde_json::Value::Null);
        let setting = match variant.algorithm().scores() {
            true => setting.on(evaluator.backend(), evaluator.describe(), reason.clone()).seeded(seed),
            false => setting,
        };
        Ok(Record::new(None, puzzle.givens(), setting, &outcome))
    }
}
