//! Runs spread over the cores: one run a thread, each tile proposed, scored and accepted while it lies in cache.

use super::work::Work;
use super::{Backing, Computer, MakeBacking};
use crate::error::Error;
use crate::search::Engine;
use crate::sudoku::Shape;

/// Makes one run after another until none is left, beside `workers - 1` other threads. A run has this thread alone as long
/// as there are enough of them for all; the last ones, and one that is timed, share their epochs among all threads.
///
/// # Errors
/// What runs and their records report.
pub fn work(work: &Work<'_>, workers: usize, first: Option<Backing>, make: &MakeBacking<'_>) -> Result<(), Error> {
    let mut engines = Engines { made: Vec::new(), make };
    if let Some(backing) = first {
        engines.add(backing);
    }
    while let Some(index) = work.next() {
        let id = work.plan.run(index);
        let shape = work.plan.puzzles()[id.puzzle].shape();
        let slots = work.plan.population(id);
        let (engine, computer) = engines.of(shape, slots)?;
        if !one_run(work, workers, index, engine, computer)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Makes a run to its end; false if it was put away before.
fn one_run(
    work: &Work<'_>,
    workers: usize,
    index: u64,
    engine: &mut Engine,
    computer: &Computer,
) -> Result<bool, Error> {
    let mut run = work.start(index)?;
    let mut round = work.round();
    while run.begin_epoch() {
        engine.confine(!work.timing && work.left() >= workers as u64);
        run.epoch(engine)?;
        let asked = work.round();
        if (asked != round || work.is_stopping()) && !run.is_over() {
            work.put_away(index, &*run);
            round = asked;
            if work.is_stopping() {
                return Ok(false);
            }
        }
    }
    work.end(index, &run.finish(), computer)?;
    Ok(true)
}

/// The engines of one thread, one a shape.
struct Engines<'a> {
    made: Vec<(Engine, Computer)>,
    make: &'a MakeBacking<'a>,
}

impl Engines<'_> {
    fn add(&mut self, backing: Backing) {
        let computer = Computer::of(&backing);
        self.made.push((Engine::new(backing.evaluator), computer));
    }

    fn of(&mut self, shape: Shape, slots: usize) -> Result<&mut (Engine, Computer), Error> {
        let made = self.made.iter().position(|(engine, _)| engine.evaluator().shape() == shape);
        let at = match made {
            Some(at) => at,
            None => {
                self.add((self.make)(shape, slots)?);
                self.made.len() - 1
            }
        };
        Ok(&mut self.made[at])
    }
}
