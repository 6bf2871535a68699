//! Runs made an epoch at a time: alone, put away after every epoch, and in one batch with others, each comes to what it
//! comes to in one go.

use std::ops::ControlFlow;
use std::sync::Arc;

use swarmdoku::fitness::Evaluator;
use swarmdoku::search::{
    Acceptance, AnnealParameters, Budget, Engine, GaColumnsParameters, GaNaiveParameters, GeneticParameters,
    Neighbours, OnStagnation, Outcome, Parameters, RandomKeyParameters, Reheat, Stepped, SwarmParameters, Variant,
};
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Candidates, Cpu, Lanes, Puzzle, Score};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SEED: u64 = 7;

fn puzzle(text: &str) -> Arc<Puzzle> {
    Arc::new(Puzzle::new(read_one(text, ReadOptions::default()).unwrap()).unwrap())
}

/// The variant that has these parameters.
fn variant(parameters: impl Parameters) -> Variant {
    Variant::of(&parameters).unwrap()
}

/// Every algorithm, with what each keeps from epoch to epoch in use.
fn algorithms() -> Vec<Variant> {
    let stagnating = OnStagnation { stagnation_limit: 3, stagnation_boost: 0.04, local_search: true, refine: 40 };
    let seed = SwarmParameters { population: 100, max_age: 6, ..SwarmParameters::SEED };
    let swarms = [
        seed,
        SwarmParameters { adaptive: true, ..seed },
        SwarmParameters { on_stagnation: Some(stagnating), acceptance: Acceptance::Plateau, ..seed },
        SwarmParameters { population: 33, ..SwarmParameters::TUNED },
    ];
    let anneal = AnnealParameters { population: 40, cooling_epochs: 9, ..AnnealParameters::TUNED };
    let anneals = [anneal, AnnealParameters { reheat: Reheat::Fresh, neighbours: Neighbours::Any, ..anneal }];
    let genetic = GeneticParameters { population: 70, restart_after: 4, ..GeneticParameters::TUNED };
    let others = [
        variant(RandomKeyParameters { population: 45, ..RandomKeyParameters::CANONICAL }),
        variant(RandomKeyParameters { population: 45, ..RandomKeyParameters::MEALPY }),
        variant(GaNaiveParameters { population: 65, restart_after: 3, ..GaNaiveParameters::SEED }),
        variant(GaColumnsParameters { restart_after: 3, ..GaColumnsParameters::SEED }),
        variant(genetic),
        variant(GeneticParameters { local_search: true, ..genetic }),
    ];
    swarms.map(variant).into_iter().chain(anneals.map(variant)).chain(others).collect()
}

fn budget() -> Budget {
    Budget { epochs: Some(35), restarts: Some(2), evaluations: Some(7000), ..Budget::default() }
}

/// The outcome without its time.
fn timeless(outcome: Outcome) -> Outcome {
    Outcome { wall: Default::default(), ..outcome }
}

fn in_one_go(algorithm: &Variant, puzzle: &Puzzle) -> Outcome {
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
    timeless(algorithm.run(puzzle, SEED, &mut engine, &budget(), |_| ControlFlow::Continue(())).unwrap())
}

#[test]
fn a_run_put_away_after_every_epoch_ends_as_an_uninterrupted_one() {
    for text in [EASY, HARD] {
        let puzzle = puzzle(text);
        let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
        for algorithm in algorithms() {
            let mut run = algorithm.start(&puzzle, SEED, &budget()).unwrap();
            let mut saves = 0;
            while run.begin_epoch() {
                run.epoch(&mut engine).unwrap();
                if !run.is_over() {
                    run = algorithm.resume(&puzzle, SEED, &budget(), &run.save()).unwrap();
                    saves += 1;
                }
            }
            assert!(saves > 10, "{algorithm}: {saves}");
            assert_eq!(timeless(run.finish()), in_one_go(&algorithm, &puzzle), "{algorithm}");
        }
    }
}

#[test]
fn runs_that_share_a_batch_end_as_each_does_alone() {
    let algorithms = algorithms();
    let (easy, hard) = (puzzle(EASY), puzzle(HARD));
    let settings: Vec<_> = algorithms.iter().flat_map(|algorithm| [(algorithm, &easy), (algorithm, &hard)]).collect();
    let mut runs: Vec<(usize, Box<dyn Stepped>)> = Vec::new();
    for (index, (algorithm, puzzle)) in settings.iter().enumerate() {
        runs.push((index, algorithm.start(puzzle, SEED, &budget()).unwrap()));
    }
    let mut ended = 0;
    while !runs.is_empty() {
        let (going, over): (Vec<_>, Vec<_>) = runs.into_iter().partition(|(_, run)| !run.is_over());
        runs = Vec::new();
        let mut finish = |index: usize, run: Box<dyn Stepped>| {
            let (algorithm, puzzle) = settings[index];
            assert_eq!(timeless(run.finish()), in_one_go(algorithm, puzzle), "{algorithm}");
            ended += 1;
        };
        over.into_iter().for_each(|(index, run)| finish(index, run));
        for (index, mut run) in going {
            if run.begin_epoch() { runs.push((index, run)) } else { finish(index, run) }
        }
        share_an_epoch(&mut runs);
    }
    assert_eq!(ended, settings.len());
}

/// One batch for the epoch of all runs.
fn share_an_epoch(runs: &mut [(usize, Box<dyn Stepped>)]) {
    let mut lanes: Vec<Lanes> = Vec::new();
    for (_, run) in runs.iter_mut() {
        run.propose();
        lanes.extend_from_slice(run.proposals().lanes());
    }
    let mut cpu = Cpu::new(swarmdoku::Shape::NINE);
    let slots = lanes.len() / 81 * 32;
    let mut scores = vec![Score::default(); slots];
    cpu.score(Candidates::new(swarmdoku::Shape::NINE, slots, &lanes), &mut scores).unwrap();
    let mut rest = &scores[..];
    for (_, run) in runs {
        let (own, others) = rest.split_at(run.proposals().slots());
        run.accept(own).unwrap();
        rest = others;
    }
    assert!(rest.is_empty());
}

#[test]
fn the_state_of_another_run_is_refused() {
    let puzzle = puzzle(HARD);
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
    let anneal = |population| variant(AnnealParameters { population, ..AnnealParameters::TUNED });
    let mut run = anneal(40).start(&puzzle, SEED, &budget()).unwrap();
    assert!(run.begin_epoch());
    run.epoch(&mut engine).unwrap();
    let state = run.save();
    let refused = |algorithm: Variant, state: &[u8]| {
        let error = algorithm.resume(&puzzle, SEED, &budget(), state).err().expect("another run's state");
        assert!(error.to_string().contains("a saved run cannot be taken up"), "{error}");
    };
    refused(anneal(80), &state);
    refused(variant(SwarmParameters { population: 40, ..SwarmParameters::TUNED }), &state);
    refused(anneal(40), &state[..state.len() - 1]);
    refused(anneal(40), &[&state[..], &[0]].concat());
}
