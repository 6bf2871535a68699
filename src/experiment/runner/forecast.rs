//! A forecast of the time and memory that a plan takes on this machine.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::super::plan::{Estimate, Plan, RunId, Target};
use super::super::study::Shard;
use super::queue::BATCH_SLOTS;
use super::{Open, open_target};
use crate::error::Error;
use crate::fitness::{Backend, Cpu, Evaluator, Score};
use crate::population::Population;
use crate::search::{Engine, run_one};
use crate::sudoku::Puzzle;

/// How long each thing is timed.
const SAMPLE: Duration = Duration::from_millis(40);

/// Variants that are timed; further ones count as the slowest of these.
const TIMED: usize = 50;

/// The most that runs of a plan take on this machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// Bytes of the runs that are made side by side: one a thread, or as many as share a batch, and the batch.
    pub bytes: u64,
    /// Wall time; none if nothing but time bounds a run.
    pub time: Option<Duration>,
}

/// What the runs of a part, or all runs, take at most on so many threads. A few epochs of each variant are made for it on
/// the plan's first puzzle, and forgotten.
///
/// # Errors
/// What making evaluators and runs reports.
pub fn forecast(plan: &Plan, shard: Option<Shard>, threads: usize, open: &Open<'_>) -> Result<Forecast, Error> {
    let seconds = seconds_of_variants(plan)?;
    let (mut most_bytes, mut time) = (0, Some(0.0));
    for backend in plan.backends() {
        let runs = (0..plan.runs()).map(|index| plan.run(index));
        let runs: Vec<RunId> = runs.filter(|id| plan.backend(*id) == backend && plan.is_in(*id, shard)).collect();
        let (bytes, device) = of_backend(plan, backend, plan.estimate_of(runs.iter().copied()), threads, open)?;
        most_bytes = most_bytes.max(bytes);
        for id in runs {
            let seconds = seconds[id.variant] / threads as f64 + device;
            time = time.zip(plan.most_evaluations(id)).map(|(time, evaluations)| time + evaluations as f64 * seconds);
        }
    }
    Ok(Forecast { bytes: most_bytes, time: time.and_then(|time| Duration::try_from_secs_f64(time).ok()) })
}

/// The bytes of the runs of a backend, and seconds of its device for an evaluation.
fn of_backend(
    plan: &Plan,
    backend: Option<Backend>,
    Estimate { runs, largest_run, .. }: Estimate,
    threads: usize,
    open: &Open<'_>,
) -> Result<(u64, f64), Error> {
    let puzzle = &plan.puzzles()[0];
    let mut opened = open_target(open, Target { shape: puzzle.shape(), backend }, BATCH_SLOTS)?;
    if opened.evaluator.tile_scorer().is_some() {
        return Ok((largest_run * runs.min(threads as u64), 0.0));
    }
    let batch = runs.saturating_mul(largest_run).min((BATCH_SLOTS * puzzle.shape().cells()) as u64);
    Ok((2 * batch.max(largest_run), seconds_to_score(&mut *opened.evaluator, puzzle)?))
}

/// By variant, seconds of one thread for an evaluation.
fn seconds_of_variants(plan: &Plan) -> Result<Vec<f64>, Error> {
    let timed = plan.variants().min(TIMED);
    let mut seconds =
        (0..timed).map(|variant| seconds_of_epochs(plan, variant)).collect::<Result<Vec<f64>, Error>>()?;
    let slowest = seconds.iter().copied().fold(0.0, f64::max);
    seconds.resize(plan.variants(), slowest);
    Ok(seconds)
}

/// Seconds of one thread for an evaluation of this variant.
fn seconds_of_epochs(plan: &Plan, variant: usize) -> Result<f64, Error> {
    let puzzle = &plan.puzzles()[0];
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape()))).with_chunk_tiles(usize::MAX);
    let first = RunId { variant, puzzle: 0, run: 0 };
    if !plan.variant(first).algorithm().scores() {
        return Ok(0.0);
    }
    let begun = Instant::now();
    let run = plan.variant(first).start(puzzle, 0, plan.budget(first))?.observed(move |_| match begun.elapsed() {
        elapsed if elapsed < SAMPLE => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    let outcome = run_one(run, &mut engine)?;
    Ok(begun.elapsed().as_secs_f64() / outcome.evaluations.max(1) as f64)
}

/// Seconds of a device for an evaluation, in batches as large as runs share.
fn seconds_to_score(evaluator: &mut dyn Evaluator, puzzle: &Puzzle) -> Result<f64, Error> {
    let batch = Population::copies(puzzle.givens(), BATCH_SLOTS);
    let mut scores = vec![Score::default(); batch.slots()];
    evaluator.score(batch.candidates(), &mut scores)?;
    let begun = Instant::now();
    let mut scored = 0;
    while begun.elapsed() < SAMPLE {
        evaluator.score(batch.candidates(), &mut scores)?;
        scored += batch.len();
    }
    Ok(begun.elapsed().as_secs_f64() / scored as f64)
}
