//! An algorithm with the engine that runs it, kept from puzzle to puzzle: for `solve` and `compare`.

use swarmdoku::experiment::{Record, Setting};
use swarmdoku::fitness::backends::{BackendRow, OpenBackend, Workload};
use swarmdoku::search::{Advance, Engine, Turn};
use swarmdoku::{Error, Puzzle, Scalar};

use super::CommonArgs;
use super::algorithm::BudgetedVariant;
use super::progress::SearchBar;

/// An algorithm, and the engine for the shape that it met last.
pub struct Runner<'a> {
    common: &'a CommonArgs,
    setup: &'a BudgetedVariant,
    side_by_side: usize,
    prepared: Option<Prepared>,
}

/// An engine and why its backend was taken.
struct Prepared {
    engine: Engine,
    reason: String,
}

impl<'a> Runner<'a> {
    /// A runner whose runs have all threads.
    pub fn new(common: &'a CommonArgs, setup: &'a BudgetedVariant) -> Runner<'a> {
        Runner { common, setup, side_by_side: 1, prepared: None }
    }

    /// One of so many runners that run side by side, each on the thread that calls it.
    pub fn side_by_side(self, runners: usize) -> Runner<'a> {
        Runner { side_by_side: runners, ..self }
    }

    /// The algorithm's name.
    pub fn name(&self) -> &'static str {
        self.setup.variant.name()
    }

    /// True if a second run on a puzzle would come to the same whatever its seed.
    pub fn is_deterministic(&self) -> bool {
        self.setup.variant.algorithm().is_deterministic()
    }

    /// Makes the engine for a puzzle's shape unless it is there.
    ///
    /// # Errors
    /// What choosing a backend reports.
    pub fn prepare(&mut self, puzzle: &Puzzle) -> Result<(), Error> {
        let (shape, variant) = (puzzle.shape(), &self.setup.variant);
        if self.prepared.as_ref().is_none_or(|prepared| prepared.engine.evaluator().shape() != shape) {
            let OpenBackend { evaluator, reason } = match variant.algorithm().scores() {
                true => {
                    let workload = Workload { side_by_side: self.side_by_side, ..variant.workload(puzzle)? };
                    self.common.backend.open(&workload)?
                }
                false => OpenBackend { evaluator: Box::new(Scalar::new(shape)), reason: String::new() },
            };
            self.prepared = Some(Prepared { engine: Engine::new(evaluator), reason });
        }
        Ok(())
    }

    /// Runs that this machine does best side by side on puzzles like this one, for which the runner is prepared: one per
    /// thread where a population has no work for all of them, else 1.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter that no run on this puzzle can have.
    pub fn best_side_by_side(&self, puzzle: &Puzzle) -> Result<usize, Error> {
        let threads = rayon::current_num_threads();
        let backend = self.prepared.as_ref().and_then(|prepared| {
            let name = prepared.engine.evaluator().backend().name();
            BackendRow::named(name)
        });
        let on_adapter = backend.is_some_and(|row| row.on_adapters);
        let is_small = self.setup.variant.population(puzzle)? <= threads.saturating_mul(Engine::CHUNK);
        Ok(if is_small && !on_adapter { threads } else { 1 })
    }

    /// The algorithm with its parameters on this puzzle, for people.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter that no run on this puzzle can have.
    pub fn algorithm(&self, puzzle: &Puzzle) -> Result<String, Error> {
        self.setup.variant.describe(puzzle)
    }

    /// The backend and its unit, for people; none if nothing is scored.
    pub fn backend(&self) -> Option<String> {
        let prepared = self.prepared.as_ref().filter(|_| self.setup.variant.algorithm().scores())?;
        let evaluator = prepared.engine.evaluator();
        Some(format!("{}: {}", evaluator.backend().name(), evaluator.describe()))
    }

    /// What defines a run on a puzzle for which the runner is prepared.
    ///
    /// # Errors
    /// [`Error::Setting`] for a parameter that no run on this puzzle can have.
    pub fn setting(&self, puzzle: &Puzzle, seed: u64) -> Result<Setting, Error> {
        let BudgetedVariant { variant, budget } = self.setup;
        let setting = Setting::new(variant.name(), variant.record(puzzle, budget)?);
        Ok(match &self.prepared {
            Some(Prepared { engine, reason }) if variant.algorithm().scores() => {
                let evaluator = engine.evaluator();
                setting.on(evaluator.backend(), evaluator.describe(), reason.clone()).seeded(seed)
            }
            _ => setting,
        })
    }

    /// Makes a run.
    ///
    /// # Errors
    /// What choosing a backend and running report.
    pub fn run(
        &mut self,
        name: Option<String>,
        puzzle: &Puzzle,
        seed: u64,
        mut bar: SearchBar,
    ) -> Result<Record, Error> {
        self.prepare(puzzle)?;
        let setting = self.setting(puzzle, seed)?;
        let BudgetedVariant { variant, budget } = self.setup;
        let Some(Prepared { engine, .. }) = &mut self.prepared else {
            return Err(Error::Internal("a runner was not prepared".into()));
        };
        let mut alone = OneThread(engine);
        let engine: &mut dyn Advance = if self.side_by_side > 1 { &mut alone } else { alone.0 };
        let outcome = variant.run(puzzle, seed, engine, budget, |progress| bar.observe(progress))?;
        Ok(Record::new(name, puzzle.givens(), setting, &outcome))
    }
}

/// An engine that keeps all its work on the calling thread.
struct OneThread<'a>(&'a mut Engine);

impl Advance for OneThread<'_> {
    fn advance(&mut self, turns: &mut [Turn<'_>]) -> Result<(), Error> {
        self.0.advance(turns)
    }

    fn set_parallel(&mut self, _parallel: bool) {
        self.0.set_parallel(false);
    }
}
