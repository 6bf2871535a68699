//! Searches on every evaluator: the same trajectory, pinned.

use std::ops::ControlFlow;

use swarmdoku::parse::{ReadOptions, read_one};
use swarmdoku::search::{
    Acceptance, Algorithm, Budget, Crossover, Encoding, Engine, GaColumnsParameters, GaNaiveParameters,
    GeneticParameters, Outcome, Selection, SwarmParameters,
};
use swarmdoku::{Puzzle, Shape};

use crate::cases::Case;
use crate::subject::Subject;

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";

pub const ALL: &[Case] = &[
    Case::without_scores("the_seed_rule_solves_along_its_pinned_trajectory", seed_rule),
    Case::without_scores("every_acceptance_follows_its_pinned_trajectory_at_16x16", acceptances),
    Case::without_scores("the_genetic_algorithms_follow_their_pinned_trajectories", genetic_algorithms),
];

/// Runs an algorithm with seed 1 on the subject's evaluator.
fn outcome(subject: &Subject, puzzle: &Puzzle, algorithm: &Algorithm, budget: &Budget) -> Result<Outcome, String> {
    let mut engine = Engine::new(subject.evaluator(puzzle.shape(), algorithm.population())?);
    let go_on = |_: &_| ControlFlow::Continue(());
    algorithm.run(puzzle, 1, &mut engine, budget, go_on).map_err(|error| error.to_string())
}

fn expect(found: &Outcome, trajectory: u64) -> Result<(), String> {
    if found.trajectory == trajectory {
        return Ok(());
    }
    Err(format!("trajectory {:#018x} was found, {trajectory:#018x} is pinned", found.trajectory))
}

fn seed_rule(subject: &Subject) -> Result<usize, String> {
    let puzzle = read_one(EASY, ReadOptions::default()).and_then(Puzzle::new).map_err(|error| error.to_string())?;
    let budget = Budget { epochs: Some(5000), restarts: Some(20), ..Budget::default() };
    let outcome = outcome(subject, &puzzle, &Algorithm::Swarm(SwarmParameters::SEED), &budget)?;
    assert!(outcome.solved() && outcome.evaluations == 17_600);
    expect(&outcome, 0xf340_6f82_90d4_dfb3).map(|()| 0)
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
        expect(&outcome(subject, &empty, &Algorithm::Swarm(parameters), &budget)?, trajectory)?;
    }
    Ok(0)
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
            Algorithm::GaNaive(GaNaiveParameters { restart_after: 3, ..GaNaiveParameters::SEED }),
            0xb0fa_8d53_8b7c_1aea,
            0x43ee_707a_cbf9_950e,
        ),
        (
            Algorithm::GaColumns(GaColumnsParameters { restart_after: 3, ..GaColumnsParameters::SEED }),
            0x90aa_480b_ddb5_4f18,
            0x3176_3686_d93d_6a24,
        ),
        (Algorithm::Genetic(genetic), 0xc7cc_bd55_a8f1_3392, 0x826f_8dd8_9dd8_ad9d),
        (Algorithm::Genetic(others), 0x5f79_e678_2118_966f, 0xa9bd_2995_b0d4_9c4e),
    ] {
        expect(&outcome(subject, &puzzle, &algorithm, &budget)?, easy)?;
        expect(&outcome(subject, &empty, &algorithm, &budget)?, open)?;
    }
    Ok(0)
}
