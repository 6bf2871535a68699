//! How fast a GPU scores: the kernel alone by the device's clock, by shape, and whole epochs by population.
//!
//! It takes the best adapter there is, software ones included, since that is what machines without a GPU have; its name
//! is printed. Every answer is compared with the oracle before anything is timed.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use swarmdoku::fitness::gpu::AdapterRequest;
use swarmdoku::fitness::oracle;
use swarmdoku::sample::{Kind, candidate};
use swarmdoku::{Error, Evaluator, GpuEvaluator, Population, Score, Shape};

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
    let pattern: Vec<_> = (0..PATTERN.min(len)).map(|k| candidate(shape, Kind::Random, 1, k as u32)).collect();
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

fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10)
}

criterion_group! { name = gpu; config = short(); targets = kernel }
criterion_main!(gpu);
