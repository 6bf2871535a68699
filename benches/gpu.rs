//! How fast a GPU scores: the kernel alone by the device's clock, by shape; small populations each by itself and as one
//! batch; epochs of two searches one after the other and at once, so that host and device overlap.
//!
//! It takes the best adapter there is, software ones included, since that is what machines without a GPU have; its name
//! is printed. Every answer is compared with the oracle before anything is timed.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use swarmdoku::fitness::gpu::AdapterRequest;
use swarmdoku::fitness::oracle;
use swarmdoku::population::sample::{CandidateKind, candidate};
use swarmdoku::search::{
    ActiveRun, Anneal, AnnealParameters, Budget, Engine, Outcome, RunQueue, SearchRun, run_all, run_one,
};
use swarmdoku::{Candidates, Error, Evaluator, GpuEvaluator, Grid, Population, Puzzle, Score, Shape};

/// Candidates of which a batch is made by repetition: a prime, so that no two tiles are equal.
const PATTERN: usize = 1021;

/// A batch that keeps a device busy for some milliseconds.
const BATCH: usize = 1 << 16;

fn evaluator(shape: Shape, capacity: usize) -> Option<GpuEvaluator> {
    match GpuEvaluator::new(shape, capacity, &AdapterRequest { name: None, allow_software: true }, None) {
        Ok(evaluator) => Some(evaluator),
        Err(Error::NoAdapter(reason)) => {
            println!("not measured: {reason}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Complete grids with random digits, a few of them repeated.
fn population(shape: Shape, len: usize) -> Population {
    let mut population = Population::new(shape, len);
    let pattern: Vec<_> = (0..PATTERN.min(len)).map(|k| candidate(shape, CandidateKind::Random, 1, k as u32)).collect();
    (0..len).for_each(|slot| population.set(slot, &pattern[slot % pattern.len()]));
    population
}

/// Panics unless the evaluator scores the population as the oracle does.
fn assert_answers(evaluator: &mut dyn Evaluator, population: &Population) {
    let mut scores = vec![Score::default(); population.slots()];
    evaluator.score(population.candidates(), &mut scores).expect("the device works");
    let expected: Vec<Score> =
        (0..PATTERN.min(population.len())).map(|slot| oracle::score(&population.get(slot))).collect();
    for (slot, score) in scores[..population.len()].iter().enumerate() {
        assert_eq!(*score, expected[slot % PATTERN], "{} in slot {slot}", evaluator.describe());
    }
}

/// The kernel alone, where the adapter has timestamps.
fn kernel(c: &mut Criterion) {
    let mut group = c.benchmark_group("gpu kernel");
    for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (1, 25)] {
        let shape = Shape::new(rows, columns).expect("sides of 4 to 25");
        let Some(mut evaluator) = evaluator(shape, BATCH) else { return };
        let population = population(shape, BATCH);
        assert_answers(&mut evaluator, &population);
        if evaluator.last_batch_times().and_then(|times| times.kernel).is_none() {
            println!("not measured: {} has no timestamps", evaluator.describe());
            return;
        }
        let mut scores = vec![Score::default(); population.slots()];
        group.throughput(Throughput::Elements(BATCH as u64));
        group.bench_function(BenchmarkId::from_parameter(shape), |b| {
            b.iter_custom(|rounds| {
                let round = |_| {
                    evaluator.score(black_box(population.candidates()), &mut scores).expect("the device works");
                    evaluator.last_batch_times().and_then(|times| times.kernel).expect("the clock goes on")
                };
                (0..rounds).map(round).sum::<Duration>()
            })
        });
    }
}

/// Many small populations: a submission each, or one for all.
fn parts(c: &mut Criterion) {
    const PARTS: usize = 64;
    const LEN: usize = 200;
    let Some(mut evaluator) = evaluator(Shape::NINE, PARTS * LEN) else { return };
    let population = population(Shape::NINE, LEN);
    let parts: Vec<Candidates<'_>> = vec![population.candidates(); PARTS];
    let (mut together, mut alone) = (vec![Score::default(); PARTS * population.slots()], Vec::new());
    evaluator.score_parts(&parts, &mut together).expect("the device works");
    for part in &parts {
        let mut scores = vec![Score::default(); population.slots()];
        evaluator.score(*part, &mut scores).expect("the device works");
        alone.extend(scores);
    }
    assert_eq!(together, alone);
    assert_answers(&mut evaluator, &population);

    let mut group = c.benchmark_group(format!("gpu, {PARTS} populations of {LEN}"));
    group.throughput(Throughput::Elements((PARTS * LEN) as u64));
    group.bench_function("a batch each", |b| {
        b.iter(|| {
            for (part, scores) in black_box(&parts).iter().zip(together.chunks_mut(population.slots())) {
                evaluator.score(*part, scores).expect("the device works");
            }
        })
    });
    group.bench_function("one batch", |b| {
        b.iter(|| evaluator.score_parts(black_box(&parts), &mut together).expect("the device works"))
    });
}

/// An engine on which annealings of a puzzle make ten epochs each.
struct Setup {
    puzzle: Arc<Puzzle>,
    engine: Engine,
}

/// Runs that are all there from the beginning, and their outcomes.
struct Set {
    joining: Vec<(u64, ActiveRun<'static>)>,
    outcomes: Vec<Outcome>,
}

impl RunQueue<'static> for Set {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        Ok(std::mem::take(&mut self.joining))
    }

    fn end(&mut self, _: u64, outcome: Outcome) -> Result<(), Error> {
        self.outcomes.push(outcome);
        Ok(())
    }
}

impl Setup {
    const BUDGET: Budget =
        Budget { epochs: Some(9), evaluations: None, restarts: Some(1), time: None, convergence: None, nodes: None };

    fn start(&self, search: Anneal) -> ActiveRun<'static> {
        ActiveRun::start(SearchRun::boxed(search), &self.puzzle, &Self::BUDGET).expect("the budget is valid")
    }

    /// One after the other.
    fn alone(&mut self, searches: Vec<Anneal>) -> Vec<Outcome> {
        let runs: Vec<_> = searches.into_iter().map(|search| self.start(search)).collect();
        runs.into_iter().map(|run| run_one(run, &mut self.engine).expect("the device works")).collect()
    }

    /// All at once.
    fn together(&mut self, searches: Vec<Anneal>) -> Vec<Outcome> {
        let joining = (0..).zip(searches.into_iter().map(|search| self.start(search))).collect();
        let mut set = Set { joining, outcomes: Vec::new() };
        run_all(&mut set, &mut self.engine).expect("the device works");
        set.outcomes
    }
}

/// Annealings of so many candidates each, with seeds of their own.
fn annealings(puzzle: &Puzzle, count: usize, population: usize) -> Vec<Anneal> {
    let parameters = AnnealParameters { population, ..AnnealParameters::TUNED };
    let search = |seed| Anneal::new(puzzle, &parameters, seed).expect("parameters are valid");
    (1..=count as u64).map(search).collect()
}

/// Two populations one after the other and at once, and the same candidates as one population: what keeping host and
/// device busy at once brings, and what cutting one population in two for it would bring.
fn overlap(c: &mut Criterion) {
    for len in [1 << 13, 1 << 16] {
        let Some(evaluator) = evaluator(Shape::NINE, 2 * len) else { return };
        let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).expect("no conflict");
        let mut setup = Setup { puzzle: Arc::new(puzzle.clone()), engine: Engine::new(Box::new(evaluator)) };
        let two = || annealings(&puzzle, 2, len);
        let (alone, together) = (setup.alone(two()), setup.together(two()));
        assert_eq!((alone.len(), together.len()), (2, 2));
        for (alone, together) in alone.iter().zip(&together) {
            assert_eq!(alone.trajectory, together.trajectory);
        }

        let mut group = c.benchmark_group(format!("gpu, ten epochs of {} annealed candidates", 2 * len));
        group.throughput(Throughput::Elements(20 * len as u64));
        group.bench_function("two populations, one after the other", |b| {
            b.iter_batched(two, |searches| setup.alone(searches), BatchSize::LargeInput)
        });
        group.bench_function("two populations at once", |b| {
            b.iter_batched(two, |searches| setup.together(searches), BatchSize::LargeInput)
        });
        group.bench_function("one population", |b| {
            let one = || annealings(&puzzle, 1, 2 * len);
            b.iter_batched(one, |searches| setup.alone(searches), BatchSize::LargeInput)
        });
    }
}

fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10)
}

criterion_group! { name = gpu; config = short(); targets = kernel, parts, overlap }
criterion_main!(gpu);
