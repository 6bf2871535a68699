//! Searches on every evaluator: the same trajectory, pinned.

use std::ops::ControlFlow;
use std::sync::Arc;

use swarmdoku::fitness::Evaluator;
use swarmdoku::search::{
    ALGORITHMS, Acceptance, ActiveRun, AnnealParameters, Budget, Crossover, Decoding, Encoding, Engine,
    GaColumnsParameters, GaNaiveParameters, GeneticParameters, Neighbours, OnStagnation, Outcome, Parameters,
    RandomKeyParameters, Reheat, RunQueue, Selection, SwarmParameters, Variant, run_all,
};
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Error, Puzzle, Scalar, Shape};

use crate::cases::Case;
use crate::subject::Subject;

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";

pub const ALL: &[Case] = &[
    Case::without_scores("the_stages_of_an_epoch_take_no_longer_than_the_epoch", epoch_times),
    Case::without_scores("runs_that_share_dispatches_come_to_what_each_comes_to_alone", shared_dispatches),
    Case::without_scores("every_algorithm_of_the_table_comes_to_what_it_comes_to_on_the_scalar_backend", whole_table),
    Case::without_scores("the_seed_rule_solves_along_its_pinned_trajectory", seed_rule),
    Case::without_scores("random_keys_follow_their_pinned_trajectories", random_keys),
    Case::without_scores("every_acceptance_follows_its_pinned_trajectory_at_16x16", acceptances),
    Case::without_scores("annealing_follows_its_pinned_trajectories", annealing),
    Case::without_scores("adaptive_hybrid_and_refining_swarms_follow_their_pinned_trajectories", extras),
    Case::without_scores("the_genetic_algorithms_follow_their_pinned_trajectories", genetic_algorithms),
];

/// The variant that has these parameters.
fn variant(parameters: impl Parameters) -> Variant {
    Variant::of(&parameters).expect("parameters of a run")
}

/// Runs an algorithm with seed 1 on the subject's evaluator.
fn outcome(subject: &Subject, puzzle: &Puzzle, algorithm: &Variant, budget: &Budget) -> Result<Outcome, String> {
    let population = algorithm.population(puzzle).map_err(|error| error.to_string())?;
    outcome_on(subject.evaluator(puzzle.shape(), population)?, puzzle, algorithm, budget)
}

fn outcome_on(
    evaluator: Box<dyn Evaluator>,
    puzzle: &Puzzle,
    algorithm: &Variant,
    budget: &Budget,
) -> Result<Outcome, String> {
    let mut engine = Engine::new(evaluator);
    let go_on = |_: &_| ControlFlow::Continue(());
    algorithm.run(puzzle, 1, &mut engine, budget, go_on).map_err(|error| error.to_string())
}

fn expect(found: &Outcome, trajectory: u64) -> Result<(), String> {
    if found.trajectory == trajectory {
        return Ok(());
    }
    Err(format!("trajectory {:#018x} was found, {trajectory:#018x} is pinned", found.trajectory))
}

/// All algorithms that score, by all their rules, on a puzzle with givens and on one without.
fn whole_table(subject: &Subject) -> Result<usize, String> {
    let empty = Puzzle::new(swarmdoku::Grid::empty("6x6".parse().expect("a shape"))).expect("no conflict");
    let budget = Budget { epochs: Some(25), restarts: Some(2), ..Budget::default() };
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.scores()) {
        for rule in algorithm.rules {
            let mut variant = algorithm.variant();
            variant.set_rule(rule.name).map_err(|error| error.to_string())?;
            for puzzle in [&easy()?, &empty] {
                let expected = outcome_on(Box::new(Scalar::new(puzzle.shape())), puzzle, &variant, &budget)?;
                let found = outcome(subject, puzzle, &variant, &budget)?;
                assert!(expected.evaluations > 0 && puzzle.accepts(&expected.grid) == expected.solved(), "{variant}");
                assert_eq!(Outcome { wall: expected.wall, ..found }, expected, "{variant}");
            }
        }
    }
    Ok(0)
}

fn seed_rule(subject: &Subject) -> Result<usize, String> {
    let budget = Budget { epochs: Some(5000), restarts: Some(20), ..Budget::default() };
    let outcome = outcome(subject, &easy()?, &variant(SwarmParameters::SEED), &budget)?;
    assert!(outcome.solved() && outcome.evaluations == 17_600);
    expect(&outcome, 0xf340_6f82_90d4_dfb3).map(|()| 0)
}

fn random_keys(subject: &Subject) -> Result<usize, String> {
    let puzzle = read_one(EASY, ReadOptions::default()).and_then(Puzzle::new).map_err(|error| error.to_string())?;
    let empty = Puzzle::new(swarmdoku::Grid::empty(Shape::of_side(16).expect("a side"))).expect("no conflict");
    let budget = Budget { epochs: Some(30), restarts: Some(2), ..Budget::default() };
    let by_blocks = RandomKeyParameters { decoding: Decoding::Blocks, ..RandomKeyParameters::CANONICAL };
    for (puzzle, parameters, trajectory) in [
        (&puzzle, RandomKeyParameters::CANONICAL, 0xbd22_0542_67a2_fc5f),
        (&puzzle, RandomKeyParameters::MEALPY, 0xcd93_2e58_1988_a55c),
        (&puzzle, RandomKeyParameters { population: 777, ..by_blocks }, 0x370c_afe4_ffcb_754b),
        (&empty, RandomKeyParameters { population: 100, ..by_blocks }, 0x27b0_de01_7483_78d0),
    ] {
        expect(&outcome(subject, puzzle, &variant(parameters), &budget)?, trajectory)?;
    }
    Ok(0)
}

fn acceptances(subject: &Subject) -> Result<usize, String> {
    let empty = Puzzle::new(swarmdoku::Grid::empty(Shape::of_side(16).expect("a side"))).expect("no conflict");
    let budget = Budget { epochs: Some(30), restarts: Some(2), ..Budget::default() };
    for (acceptance, trajectory) in [
        (Acceptance::Strict, 0x6717_91e1_b5ac_6c09),
        (Acceptance::Plateau, 0x2b75_861c_6810_0a99),
        (Acceptance::Metropolis { temperature: 0.5 }, 0x92b4_e787_a4ab_bbc9),
    ] {
        let parameters = SwarmParameters { population: 777, max_age: 5, acceptance, ..SwarmParameters::SEED };
        expect(&outcome(subject, &empty, &variant(parameters), &budget)?, trajectory)?;
    }
    Ok(0)
}

/// The runs of one set, and their outcomes.
struct Set {
    joining: Vec<(u64, ActiveRun<'static>)>,
    outcomes: Vec<Option<Outcome>>,
}

impl RunQueue<'static> for Set {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        Ok(std::mem::take(&mut self.joining))
    }

    fn end(&mut self, number: u64, outcome: Outcome) -> Result<(), Error> {
        self.outcomes[number as usize] = Some(outcome);
        Ok(())
    }
}

fn shared_dispatches(subject: &Subject) -> Result<usize, String> {
    let [easy, empty] = [easy()?, Puzzle::new(swarmdoku::Grid::empty(Shape::NINE)).expect("no conflict")].map(Arc::new);
    let budget = Budget { epochs: Some(100), restarts: Some(1), ..Budget::default() };
    // One run is over before the others; of the first set all share one batch, of the second each half has its own.
    for populations in [[200, 2_100, 77], [200, 9_000, 8_500]] {
        let (mut alone, mut joining) = (Vec::new(), Vec::new());
        for (number, puzzle) in [&easy, &empty, &easy].into_iter().enumerate() {
            let parameters = SwarmParameters { population: populations[number], ..SwarmParameters::SEED };
            let (algorithm, seed) = (variant(parameters), number as u64 + 1);
            let mut engine = Engine::new(subject.evaluator(Shape::NINE, 0)?);
            let outcome = algorithm.run(puzzle, seed, &mut engine, &budget, |_| ControlFlow::Continue(()));
            alone.push(outcome.map_err(|error| error.to_string())?);
            let run = algorithm.start(puzzle, seed, &budget).map_err(|error| error.to_string())?;
            joining.push((number as u64, run));
        }
        assert!(alone[0].epochs != alone[1].epochs, "one ends before the others");
        let mut set = Set { joining, outcomes: vec![None; 3] };
        let mut engine = Engine::new(subject.evaluator(Shape::NINE, 0)?);
        run_all(&mut set, &mut engine).map_err(|error| error.to_string())?;
        for (alone, together) in alone.into_iter().zip(set.outcomes) {
            let together = together.ok_or("a run without an outcome")?;
            assert!(together.shared && !alone.shared);
            assert_eq!(Outcome { wall: alone.wall, shared: false, ..together }, alone);
        }
    }
    Ok(0)
}

fn epoch_times(subject: &Subject) -> Result<usize, String> {
    let evaluator = subject.evaluator(Shape::NINE, 10_000)?;
    let in_batches = evaluator.tile_scorer().is_none();
    let mut engine = Engine::new(evaluator);
    assert_eq!(engine.last_epoch_times(), None, "no epoch has run");
    let parameters = SwarmParameters { population: 10_000, ..SwarmParameters::SEED };
    let budget = Budget { epochs: Some(0), restarts: Some(1), ..Budget::default() };
    let go_on = |_: &_| ControlFlow::Continue(());
    let outcome = variant(parameters).run(&easy()?, 1, &mut engine, &budget, go_on);
    let wall = outcome.map_err(|error| error.to_string())?.wall;
    let times = engine.last_epoch_times();
    assert_eq!(times.is_some(), in_batches, "times are told where an epoch has stages");
    if let Some(times) = times {
        assert!(!times.propose.is_zero() && !times.device.is_zero() && !times.accept.is_zero(), "{times:?}");
        assert!(times.total() <= wall, "{times:?} of {wall:?}");
        assert!(times.kernel.unwrap_or_default() <= times.device, "{times:?}");
    }
    Ok(0)
}

fn easy() -> Result<Puzzle, String> {
    read_one(EASY, ReadOptions::default()).and_then(Puzzle::new).map_err(|error| error.to_string())
}

/// Compares the trajectories of several algorithms on the easy puzzle with the pinned ones.
fn expect_all<const N: usize>(
    subject: &Subject,
    algorithms: [Variant; N],
    budget: &Budget,
    pinned: [u64; N],
) -> Result<usize, String> {
    let puzzle = easy()?;
    let run = |algorithm| outcome(subject, &puzzle, algorithm, budget).map(|outcome| outcome.trajectory);
    let found = algorithms.iter().map(run).collect::<Result<Vec<u64>, String>>()?;
    if found == pinned {
        return Ok(0);
    }
    Err(format!("trajectories {found:#018x?} were found, {pinned:#018x?} are pinned"))
}

fn annealing(subject: &Subject) -> Result<usize, String> {
    let parameters = AnnealParameters {
        population: 100,
        temperature: 0.6,
        end_temperature: 0.2,
        cooling_epochs: 50,
        reheat: Reheat::Keep,
        neighbours: Neighbours::Any,
    };
    let budget = Budget { epochs: Some(130), restarts: Some(2), ..Budget::default() };
    let annealings = [
        parameters,
        AnnealParameters { reheat: Reheat::Fresh, ..parameters },
        AnnealParameters { neighbours: Neighbours::Conflicts, temperature: 2.0, end_temperature: 1.0, ..parameters },
    ];
    let pinned = [0x2823_0729_880e_c49b, 0x9920_2944_00a7_b079, 0x2088_e7b2_c0ec_f483];
    expect_all(subject, annealings.map(variant), &budget, pinned)
}

fn extras(subject: &Subject) -> Result<usize, String> {
    let hybrid = OnStagnation { stagnation_limit: 4, local_search: true, ..OnStagnation::NOTHING };
    let refining = OnStagnation { stagnation_limit: 4, stagnation_boost: 0.05, refine: 70, ..OnStagnation::NOTHING };
    let budget = Budget { epochs: Some(40), restarts: Some(2), ..Budget::default() };
    let seed = SwarmParameters { population: 100, ..SwarmParameters::SEED };
    let swarms = [
        SwarmParameters { adaptive: true, ..seed },
        SwarmParameters { on_stagnation: Some(hybrid), ..seed },
        SwarmParameters { on_stagnation: Some(refining), ..seed },
    ];
    let pinned = [0xa7d6_5a94_cb1a_5dcb, 0x86f6_3dd4_bb86_868c, 0x675a_6158_0d41_49c4];
    expect_all(subject, swarms.map(variant), &budget, pinned)
}

fn genetic_algorithms(subject: &Subject) -> Result<usize, String> {
    let puzzle = read_one(EASY, ReadOptions::default()).and_then(Puzzle::new).map_err(|error| error.to_string())?;
    let empty = Puzzle::new(swarmdoku::Grid::empty(Shape::of_side(16).expect("a side"))).expect("no conflict");
    let budget = Budget { epochs: Some(30), restarts: Some(2), ..Budget::default() };
    let genetic = GeneticParameters {
        population: 777,
        encoding: Encoding::Blocks,
        selection: Selection::Tournament { tournament: 3 },
        crossover: Crossover::Uniform,
        crossover_rate: 0.5,
        mutation_rate: 0.9,
        swaps: 1,
        elites: 1,
        restart_after: 3,
        local_search: false,
    };
    let others = GeneticParameters {
        encoding: Encoding::Rows,
        selection: Selection::Truncation { survivors: 70 },
        crossover: Crossover::OnePoint,
        swaps: 2,
        elites: 5,
        local_search: true,
        ..genetic
    };
    for (algorithm, easy, open) in [
        (
            variant(GaNaiveParameters { restart_after: 3, ..GaNaiveParameters::SEED }),
            0xb0fa_8d53_8b7c_1aea,
            0x43ee_707a_cbf9_950e,
        ),
        (
            variant(GaColumnsParameters { restart_after: 3, ..GaColumnsParameters::SEED }),
            0x90aa_480b_ddb5_4f18,
            0x3176_3686_d93d_6a24,
        ),
        (variant(genetic), 0xc7cc_bd55_a8f1_3392, 0x826f_8dd8_9dd8_ad9d),
        (variant(others), 0x5f79_e678_2118_966f, 0xa9bd_2995_b0d4_9c4e),
    ] {
        expect(&outcome(subject, &puzzle, &algorithm, &budget)?, easy)?;
        expect(&outcome(subject, &empty, &algorithm, &budget)?, open)?;
    }
    Ok(0)
}
