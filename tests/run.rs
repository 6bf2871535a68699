//! The loop that drives a search: budgets, stops, traces, and what it refuses to believe.

use std::ops::ControlFlow;
use std::time::Duration;

use swarmdoku::fitness::{Backend, Evaluator};
use swarmdoku::search::{
    Acceptance, Budget, Convergence, Engine, Outcome, Progress, Stop, Swarm, SwarmParameters, run,
};
use swarmdoku::{Candidates, Cpu, Error, Grid, Puzzle, Scalar, Score, Shape};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const EASY_SOLUTION: &str = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn nine(text: &str) -> Puzzle {
    let digits: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    Puzzle::new(Grid::new(Shape::NINE, digits).unwrap()).unwrap()
}

fn outcome_of(text: &str, budget: Budget, observe: impl FnMut(&Progress) -> ControlFlow<()> + Send) -> Outcome {
    let puzzle = nine(text);
    let mut swarm = Swarm::new(&puzzle, &SwarmParameters::SEED, 1).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
    run(&mut swarm, &mut engine, &puzzle, &budget, observe).unwrap()
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_seed_rule_solves_the_easy_puzzle_along_its_pinned_trajectory_on_every_host_backend() {
    let puzzle = nine(EASY);
    let engines: [(usize, Box<dyn Evaluator>); 4] = [
        (1, Box::new(Scalar::new(Shape::NINE))),
        (1, Box::new(Cpu::new(Shape::NINE))),
        (2, Box::new(Cpu::new(Shape::NINE))),
        (2, Box::new(Cpu::portable(Shape::NINE))),
    ];
    for (threads, evaluator) in engines {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut swarm = Swarm::new(&puzzle, &SwarmParameters::SEED, 1).unwrap();
        let mut engine = Engine::new(evaluator).with_chunk_tiles(2);
        let budget = Budget { epochs: Some(5000), restarts: Some(20), ..Budget::default() };
        let outcome = pool.install(|| run(&mut swarm, &mut engine, &puzzle, &budget, go_on)).unwrap();
        assert_eq!((outcome.stop, outcome.grid.to_string().as_str()), (Stop::Solved, EASY_SOLUTION));
        assert_eq!((outcome.evaluations, outcome.epochs, outcome.restarts), (17_600, 87, 1));
        assert_eq!(format!("{:016x}", outcome.trajectory), "f3406f8290d4dfb3");
    }
}

#[test]
fn the_metropolis_rule_solves_along_its_pinned_trajectory() {
    let puzzle = nine(EASY);
    let acceptance = Acceptance::Metropolis { temperature: 0.35 };
    let parameters = SwarmParameters { population: 100, worker_ratio: 0.95, acceptance, ..SwarmParameters::SEED };
    let mut swarm = Swarm::new(&puzzle, &parameters, 1 << 40).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
    let budget = Budget { evaluations: Some(10_000_000), ..Budget::default() };
    let outcome = run(&mut swarm, &mut engine, &puzzle, &budget, go_on).unwrap();
    assert_eq!((outcome.stop, outcome.grid.to_string().as_str()), (Stop::Solved, EASY_SOLUTION));
    assert_eq!(format!("{:016x}", outcome.trajectory), "551d204595ff6318");
}

#[test]
fn an_epoch_that_would_exceed_the_evaluations_is_not_begun() {
    for (evaluations, expected) in [(200, 200), (399, 200), (400, 400), (999, 800)] {
        let outcome = outcome_of(HARD, Budget { evaluations: Some(evaluations), ..Budget::default() }, go_on);
        assert_eq!((outcome.stop, outcome.evaluations), (Stop::Evaluations, expected));
    }
}

#[test]
fn epochs_count_anew_in_each_restart_and_the_first_fill_is_epoch_0() {
    let budget = Budget { epochs: Some(9), restarts: Some(3), ..Budget::default() };
    let mut places = Vec::new();
    let outcome = outcome_of(HARD, budget, |progress| {
        places.push((progress.restart, progress.epoch));
        ControlFlow::Continue(())
    });
    assert_eq!(places, (0..3).flat_map(|restart| (0..=9).map(move |epoch| (restart, epoch))).collect::<Vec<_>>());
    assert_eq!((outcome.stop, outcome.restarts, outcome.epochs), (Stop::Restarts, 3, 9));
    assert_eq!(outcome.evaluations, 3 * 10 * 200);
    let single = outcome_of(HARD, Budget { restarts: Some(1), ..budget }, go_on);
    assert_eq!((single.stop, single.evaluations), (Stop::Epochs, 10 * 200));
}

#[test]
fn restarts_differ_from_each_other() {
    let budget = Budget { epochs: Some(0), restarts: Some(2), ..Budget::default() };
    let mut bests = Vec::new();
    let puzzle = nine(HARD);
    let parameters = SwarmParameters { population: 1, worker_ratio: 0.0, ..SwarmParameters::SEED };
    let mut swarm = Swarm::new(&puzzle, &parameters, 1).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
    for restarts in [1, 2] {
        let budget = Budget { restarts: Some(restarts), ..budget };
        run(&mut swarm, &mut engine, &puzzle, &budget, go_on).unwrap();
        bests.push(swarmdoku::search::Search::population(&swarm).get(0));
    }
    assert_ne!(bests[0], bests[1]);
}

#[test]
fn an_observer_that_breaks_off_interrupts_after_the_epoch() {
    let budget = Budget { evaluations: Some(1_000_000), ..Budget::default() };
    let outcome =
        outcome_of(
            HARD,
            budget,
            |progress| {
                if progress.epoch == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
    assert_eq!((outcome.stop, outcome.epochs, outcome.evaluations), (Stop::Interrupted, 4, 1000));
}

#[test]
fn wall_time_ends_a_run_after_an_epoch() {
    let outcome = outcome_of(HARD, Budget { time: Some(Duration::ZERO), ..Budget::default() }, go_on);
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Timeout, 200));
}

#[test]
fn a_run_converges_when_its_best_has_stood_for_patience_epochs_through_restarts() {
    let convergence = Some(Convergence { patience: 30, threshold: 0 });
    for epochs in [None, Some(8)] {
        let budget = Budget { convergence, epochs, evaluations: Some(10_000_000), ..Budget::default() };
        let mut totals = Vec::new();
        let outcome = outcome_of(HARD, budget, |progress| {
            totals.push(progress.best.total());
            ControlFlow::Continue(())
        });
        assert_eq!(outcome.stop, Stop::Converged);
        let stands = |end: usize| end > 30 && totals[end - 1] == totals[end - 31];
        assert_eq!((1..=totals.len()).find(|end| stands(*end)), Some(totals.len()), "{totals:?}");
    }
}

#[test]
fn a_full_valid_grid_is_solved_without_an_evaluation() {
    let outcome = outcome_of(EASY_SOLUTION, Budget { evaluations: Some(1000), ..Budget::default() }, go_on);
    assert_eq!((outcome.stop, outcome.evaluations, outcome.restarts), (Stop::Solved, 0, 0));
    assert_eq!((outcome.grid.to_string().as_str(), outcome.score), (EASY_SOLUTION, Score::default()));
}

#[test]
fn the_trace_holds_each_improvement_and_ends_at_the_best() {
    let budget = Budget { epochs: Some(300), restarts: Some(2), ..Budget::default() };
    let outcome = outcome_of(HARD, budget, go_on);
    let totals: Vec<u32> = outcome.trace.iter().map(|point| point.score.total()).collect();
    assert!(totals.len() > 3 && totals.windows(2).all(|pair| pair[1] < pair[0]), "{totals:?}");
    assert_eq!(outcome.trace[0].evaluations, 200);
    assert_eq!(outcome.trace.last().unwrap().score, outcome.score);
    assert_eq!(swarmdoku::fitness::oracle::score(&outcome.grid), outcome.score);
    for point in &outcome.trace {
        let epochs_before = u64::from(point.restart) * 301 + u64::from(point.epoch);
        assert_eq!(point.evaluations, (epochs_before + 1) * 200);
    }
}

/// Says that everything is solved.
struct Liar;

impl Evaluator for Liar {
    fn shape(&self) -> Shape {
        Shape::NINE
    }

    fn backend(&self) -> Backend {
        Backend::GPU
    }

    fn describe(&self) -> String {
        "liar".into()
    }

    fn score(&mut self, _: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        scores.fill(Score::default());
        Ok(())
    }
}

#[test]
fn a_score_of_0_is_not_believed_unless_the_puzzle_accepts_the_grid() {
    let puzzle = nine(HARD);
    let mut swarm = Swarm::new(&puzzle, &SwarmParameters::SEED, 1).unwrap();
    let budget = Budget { evaluations: Some(1000), ..Budget::default() };
    let error = run(&mut swarm, &mut Engine::new(Box::new(Liar)), &puzzle, &budget, go_on).unwrap_err();
    assert!(matches!(&error, Error::Internal(message) if message.contains("slot 0 scored 0")), "{error}");
}
