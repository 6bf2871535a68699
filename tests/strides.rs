//! Several epochs at once end as the same epochs one by one: random annealings and swarms on every set of instructions, cut in chunks
//! and over threads, stopped in every way, and saved and resumed elsewhere, against the scalar backend.
//!
//! `STRIDE_CASES` is the number of configurations.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use swarmdoku::population::rng::{Key, Stream, Words, bounded};
use swarmdoku::search::{
    Acceptance, ActiveRun, Advance, AnnealParameters, Budget, Convergence, Demand, Engine, Neighbours, OnStagnation,
    Outcome, Parameters, Progress, Reheat, RunQueue, SwarmParameters, Variant, run_all, run_one,
};
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Cpu, Error, Puzzle, Scalar, Shape};

const PUZZLES: [&str; 5] = [
    // Easy, hard, empty, with whole blocks given, and with a block that lacks one digit.
    "902005403100063025508407060026309001057010290090670530240530600705200304080041950",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    ".................................................................................",
    "123......456......789.........123......456......789.........123......456......789",
    "12.......456......789............................................................",
];

/// A large grid's puzzle, the first line of a file.
const LARGE_PUZZLES: [&str; 2] = [include_str!("../puzzles/16x16-45.txt"), include_str!("../puzzles/25x25-50.txt")];

/// Random numbers for the configurations.
struct Numbers(Words);

impl Numbers {
    /// A number of the range.
    fn among(&mut self, range: std::ops::Range<u32>) -> u32 {
        range.start + bounded(&mut self.0.next_word(), range.end - range.start)
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.among(0..count) == 0
    }

    /// One of several: the same for the same number.
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.among(0..all.len() as u32) as usize]
    }
}

fn annealing(numbers: &mut Numbers) -> Variant {
    let temperature = f64::from(numbers.among(1..20)) / 10.0;
    let parameters = AnnealParameters {
        population: numbers.among(1..140) as usize,
        temperature,
        end_temperature: temperature / f64::from(numbers.among(1..9)),
        cooling_epochs: numbers.among(1..300),
        reheat: numbers.one_of(&[Reheat::Keep, Reheat::Fresh]),
        neighbours: numbers.one_of(&[Neighbours::Any, Neighbours::Conflicts]),
    };
    Variant::of(&parameters).unwrap()
}

fn swarm(numbers: &mut Numbers) -> Variant {
    let temperature = f64::from(numbers.among(1..20)) / 10.0;
    let metropolis = Acceptance::Metropolis { temperature };
    let stagnation = OnStagnation {
        stagnation_limit: numbers.among(1..60),
        stagnation_boost: numbers.one_of(&[0.0, 0.05, 0.2]),
        local_search: numbers.one_in(3),
        refine: numbers.one_of(&[0, 0, 30]),
    };
    let acts = stagnation.local_search || stagnation.refine > 0 || stagnation.stagnation_boost > 0.0;
    let adaptive = numbers.one_in(5);
    let ratios: &[f64] = if adaptive { &[1.0] } else { &[0.0, 0.2, 0.7, 0.9, 1.0, 1.0, 1.0] };
    let parameters = SwarmParameters {
        population: numbers.among(1..140) as usize,
        worker_ratio: numbers.one_of(ratios),
        max_age: numbers.one_of(&[0, 3, 20, 100, 1_000_000]),
        mutation_rate: numbers.one_of(&[0.0, 0.001, 0.1, 1.0]),
        acceptance: numbers.one_of(&[Acceptance::Strict, Acceptance::Plateau, metropolis]),
        adaptive,
        on_stagnation: (acts && numbers.one_in(2)).then_some(stagnation),
    };
    Variant::of(&parameters).unwrap()
}

struct Case {
    puzzle: Arc<Puzzle>,
    variant: Variant,
    seed: u64,
    budget: Budget,
    /// Evaluations after which the observer ends the run.
    interrupt: u64,
    /// Dispatches after which the run is saved.
    save: u32,
}

impl Case {
    fn new(number: u32) -> Case {
        let mut numbers = Numbers(Words::new(Key::new(11, 0, Stream::Sample), number, 0));
        let text = match numbers.one_in(4) {
            true => numbers.one_of(&LARGE_PUZZLES.map(|text| text.lines().next().unwrap())),
            false => numbers.one_of(&PUZZLES),
        };
        let variant = if numbers.one_in(2) { annealing(&mut numbers) } else { swarm(&mut numbers) };
        let patience = numbers.among(20..120);
        let budget = Budget {
            epochs: Some(numbers.among(1..400)),
            restarts: Some(numbers.among(1..4)),
            evaluations: Some(u64::from(numbers.among(1000..40_000))),
            convergence: numbers.one_in(3).then_some(Convergence { patience, threshold: 0 }),
            ..Budget::default()
        };
        Case {
            puzzle: Arc::new(Puzzle::new(read_one(text, ReadOptions::default()).unwrap()).unwrap()),
            variant,
            seed: number.into(),
            budget,
            interrupt: if numbers.one_in(3) { numbers.among(100..20_000).into() } else { u64::MAX },
            save: numbers.among(1..60),
        }
    }

    fn start(&self) -> ActiveRun<'static> {
        self.variant.start(&self.puzzle, self.seed, &self.budget).unwrap()
    }

    /// Drives a run to its end, and gives with it the number of epochs that ended no dispatch.
    fn finish(&self, run: ActiveRun<'_>, engine: &mut dyn Advance) -> (Outcome, u64) {
        let mut within = 0;
        let observed = run.observed(|progress: &Progress| {
            within += u64::from(!progress.ends_dispatch);
            match progress.evaluations >= self.interrupt {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let outcome = run_one(observed, engine).unwrap();
        (Outcome { wall: Duration::ZERO, ..outcome }, within)
    }
}

/// A queue of one run that is saved after so many dispatches, if it has not ended.
struct Saving {
    run: Option<ActiveRun<'static>>,
    dispatches: u32,
    state: Option<Vec<u8>>,
}

impl RunQueue<'static> for Saving {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        Ok(self.run.take().map(|run| (0, run)).into_iter().collect())
    }

    fn after_dispatch(&mut self) -> Demand {
        self.dispatches -= 1;
        if self.dispatches == 0 { Demand::SaveAndStop } else { Demand::Continue }
    }

    fn take_states(&mut self, states: Vec<(u64, Vec<u8>)>) {
        self.state = states.into_iter().next().map(|(_, state)| state);
    }

    fn end(&mut self, _: u64, _: Outcome) -> Result<(), Error> {
        Ok(())
    }
}

fn scalar(shape: Shape) -> Engine {
    Engine::new(Box::new(Scalar::new(shape)))
}

#[test]
fn strides_end_as_their_epochs_one_by_one() {
    let cases = std::env::var("STRIDE_CASES").map_or(150, |cases| cases.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (mut within, mut resumed) = (0, 0);
    for number in 0..cases {
        let case = Case::new(number);
        let shape = case.puzzle.shape();
        let (expected, alone) = case.finish(case.start(), &mut scalar(shape));
        assert_eq!(alone, 0, "the scalar backend goes epoch by epoch");
        for cpu in Cpu::each(shape) {
            let mut engine = Engine::new(Box::new(cpu)).with_chunk_tiles(1 + number as usize % 3);
            let (found, inside) = pool.install(|| case.finish(case.start(), &mut engine));
            assert_eq!(found, expected, "case {number}");
            within += inside;

            let mut saving = Saving { run: Some(case.start()), dispatches: case.save, state: None };
            run_all(&mut saving, &mut engine).unwrap();
            let Some(state) = saving.state else { continue };
            let again = case.variant.resume(&case.puzzle, case.seed, &case.budget, &state).unwrap();
            // An interrupted run is one that had not come so far before.
            if expected.stop != swarmdoku::search::Stop::Interrupted {
                assert_eq!(case.finish(again, &mut scalar(shape)).0, expected, "case {number}, resumed");
                resumed += 1;
            }
        }
    }
    eprintln!("{cases} configurations, {resumed} resumed, {within} epochs within strides");
    assert!(resumed > cases / 20, "only {resumed} were resumed");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512vbmi") && std::arch::is_x86_feature_detected!("avx512vpopcntdq") {
        assert!(within > 100 * u64::from(cases), "only {within} epochs were within a stride");
    }
}

/// So many individuals that the best of a stride is found in several parts, on two threads.
#[test]
fn strides_of_a_large_population_end_as_their_epochs_one_by_one() {
    let population = 140_007;
    ends_alike(&AnnealParameters { population, ..AnnealParameters::TUNED });
    ends_alike(&SwarmParameters { population, ..SwarmParameters::TUNED });
    ends_alike(&SwarmParameters { population, max_age: 5, ..SwarmParameters::SEED });
}

fn ends_alike(parameters: &impl Parameters) {
    let case = Case {
        variant: Variant::of(parameters).unwrap(),
        puzzle: Arc::new(Puzzle::new(read_one(PUZZLES[1], ReadOptions::default()).unwrap()).unwrap()),
        seed: 5,
        budget: Budget { epochs: Some(11), restarts: Some(1), ..Budget::default() },
        interrupt: u64::MAX,
        save: 1,
    };
    let (expected, _) = case.finish(case.start(), &mut scalar(Shape::NINE));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for cpu in Cpu::each(Shape::NINE) {
        for chunk_tiles in [40, usize::MAX] {
            let mut engine = Engine::new(Box::new(cpu)).with_chunk_tiles(chunk_tiles);
            let (found, _) = pool.install(|| case.finish(case.start(), &mut engine));
            assert_eq!(found, expected, "chunks of {chunk_tiles}");
        }
    }
}
