//! How fast whole epochs are: algorithm x population, in candidates, on one thread and on all; and what the steps of the
//! swarm's workers take.
//!
//! Floors, at 9x9: a candidate's 81 bytes pass the caches once, where its score costs 21 instructions a candidate (see
//! `scoring`), its words a third of a Threefry block (see `rng`), and its swap two loads and two stores (see `moves`).
//!
//! Before an algorithm is timed, its first epochs on SIMD are compared with those on the scalar backend.

mod support;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use support::{puzzle, short};
use swarmdoku::fitness::{Backend, Evaluator};
use swarmdoku::search::{
    ALGORITHMS, Algorithm, Engine, EpochTimes, Run, SearchRun, Swarm, SwarmParameters, Trajectory, Turn,
};
use swarmdoku::{Candidates, Cpu, Error, Scalar, Score, Shape};

/// A population in the second-level cache, and one past it.
const POPULATIONS: [usize; 2] = [1_000, 100_000];

/// A population in no cache of a usual machine, for those that are fast enough.
const LARGE: usize = 1_000_000;

/// Workers only: the default of `solve -a swarm`, with another population.
fn workers(population: usize) -> SwarmParameters {
    SwarmParameters { population, ..SwarmParameters::TUNED }
}

/// A run of an algorithm with default parameters but for the population.
fn run_of(algorithm: &'static Algorithm, population: usize) -> Box<dyn Run> {
    const VALID: &str = "the parameters are valid";
    let mut variant = algorithm.variant();
    variant.set_value("population", &population.into()).expect(VALID);
    variant.search(&puzzle(), 1).expect(VALID).expect("it has epochs")
}

/// The trajectory of the first epochs on an evaluator.
fn trajectory(run: Box<dyn Run + '_>, evaluator: Box<dyn Evaluator>) -> u64 {
    let mut engine = Engine::new(evaluator);
    let mut turn = begun(run);
    let mut trajectory = Trajectory::default();
    for epoch in 0..3 {
        trajectory.chain_epoch(0, epoch, turn.epoch(&mut engine).expect(WORKS).sums);
    }
    turn.run().finish(trajectory).expect(WORKS)
}

/// A run that begins anew.
fn begun<'a>(run: Box<dyn Run + 'a>) -> Turn<'a> {
    let mut turn = Turn::new(run);
    turn.run().begin(0).expect(WORKS);
    turn
}

const WORKS: &str = "the host's evaluators do not fail";

/// A group of one number of threads.
struct Group<'a> {
    criterion: &'a mut Criterion,
    name: String,
    pool: ThreadPool,
}

impl Group<'_> {
    fn bench(&mut self, algorithm: &str, len: usize, make: &(dyn Fn() -> Box<dyn Run> + Sync)) {
        let (first, second) = (
            trajectory(make(), Box::new(Cpu::new(Shape::NINE))),
            trajectory(make(), Box::new(Scalar::new(Shape::NINE))),
        );
        assert_eq!(first, second, "{algorithm} on cpu and scalar");
        let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
        let mut group = self.criterion.benchmark_group(&self.name);
        group.throughput(Throughput::Elements(len as u64));
        group.bench_function(BenchmarkId::new(algorithm, len), |b| {
            self.pool.install(|| {
                let mut turn = begun(make());
                turn.epoch(&mut engine).expect(WORKS);
                b.iter(|| turn.epoch(&mut engine).expect(WORKS));
            });
        });
    }

    fn swarm(&mut self, name: &str, parameters: SwarmParameters) {
        let make = || SearchRun::boxed(Swarm::new(&puzzle(), &parameters, 1).expect("the parameters are valid"));
        self.bench(name, parameters.population, &make);
    }

    fn all(&mut self) {
        self.swarm("swarm workers", workers(LARGE));
        for population in POPULATIONS {
            self.swarm("swarm workers", workers(population));
            let seed = SwarmParameters { population, ..SwarmParameters::SEED };
            self.swarm("swarm with a tenth of explorers", seed);
            for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.scores() && algorithm.name != "swarm") {
                self.bench(algorithm.name, population, &|| run_of(algorithm, population));
            }
        }
    }
}

fn algorithms(criterion: &mut Criterion) {
    for (threads, name) in [(1, "epochs, 1 thread"), (0, "epochs, all threads")] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        Group { criterion, name: name.to_owned(), pool }.all();
    }
}

/// The CPU's scores by the batch: an epoch then has a propose and an accept sweep, which the engine times apart.
struct ByTheBatch(Cpu);

impl Evaluator for ByTheBatch {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn backend(&self) -> Backend {
        self.0.backend()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        self.0.score(candidates, scores)
    }
}

/// The parts of a worker's step, in cache, on one thread. `scoring` tells what scoring takes, `rng` what words take.
fn parts(c: &mut Criterion) {
    const LEN: usize = 2048;
    let (puzzle, cpu) = (puzzle(), Cpu::new(Shape::NINE));
    let mut swarm = Swarm::new(&puzzle, &workers(LEN), 1).expect("the parameters are valid");
    let mut of = |evaluator: Box<dyn Evaluator>| trajectory(SearchRun::boxed(&mut swarm), evaluator);
    assert_eq!(of(Box::new(ByTheBatch(cpu))), of(Box::new(Scalar::new(Shape::NINE))));
    let mut engine = Engine::new(Box::new(ByTheBatch(cpu)));
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread starts");
    let mut group = c.benchmark_group("steps of swarm workers, 1 thread");
    group.throughput(Throughput::Elements(LEN as u64));
    let mut bench = |name, part: fn(&EpochTimes) -> Duration| {
        group.bench_function(name, |b| {
            b.iter_custom(|iterations| {
                pool.install(|| {
                    let mut turn = begun(SearchRun::boxed(&mut swarm));
                    turn.epoch(&mut engine).expect(WORKS);
                    let mut spent = || {
                        turn.epoch(&mut engine).expect(WORKS);
                        part(&engine.last_epoch_times().expect("batches are timed"))
                    };
                    (0..iterations).map(|_| spent()).sum()
                })
            })
        });
    };
    bench("propose", |times| times.propose);
    bench("accept", |times| times.accept);
    bench("conclude", |times| times.conclude);
}

criterion_group! { name = epochs; config = short(); targets = parts, algorithms }
criterion_main!(epochs);
