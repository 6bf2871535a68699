//! Searches on every evaluator: the same trajectory, pinned.

use std::ops::ControlFlow;

use swarmdoku::parse::{ReadOptions, read_one};
use swarmdoku::search::{
    Acceptance, Algorithm, AnnealParameters, Budget, Engine, OnStagnation, Outcome, Reheat, SwarmParameters,
};
use swarmdoku::{Puzzle, Shape};

use crate::cases::Case;
use crate::subject::Subject;

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";

pub const ALL: &[Case] = &[
    Case::without_scores("the_seed_rule_solves_along_its_pinned_trajectory", seed_rule),
    Case::without_scores("every_acceptance_follows_its_pinned_trajectory_at_16x16", acceptances),
    Case::without_scores("annealing_follows_its_pinned_trajectories", annealing),
    Case::without_scores("adaptive_hybrid_and_refining_swarms_follow_their_pinned_trajectories", extras),
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
    let budget = Budget { epochs: Some(5000), restarts: Some(20), ..Budget::default() };
    let outcome = outcome(subject, &easy()?, &Algorithm::Swarm(SwarmParameters::SEED), &budget)?;
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

fn easy() -> Result<Puzzle, String> {
    read_one(EASY, ReadOptions::default()).and_then(Puzzle::new).map_err(|error| error.to_string())
}

fn annealing(subject: &Subject) -> Result<usize, String> {
    let parameters = AnnealParameters {
        population: 100,
        temperature: 0.6,
        end_temperature: 0.2,
        cooling_epochs: 50,
        reheat: Reheat::Keep,
    };
    let budget = Budget { epochs: Some(130), restarts: Some(2), ..Budget::default() };
    for (reheat, trajectory) in [(Reheat::Keep, 0x0), (Reheat::Fresh, 0x0)] {
        let algorithm = Algorithm::Anneal(AnnealParameters { reheat, ..parameters });
        expect(&outcome(subject, &easy()?, &algorithm, &budget)?, trajectory)?;
    }
    Ok(0)
}

fn extras(subject: &Subject) -> Result<usize, String> {
    let hybrid = OnStagnation { stagnation_limit: 4, local_search: true, ..OnStagnation::NOTHING };
    let refining = OnStagnation { stagnation_limit: 4, stagnation_boost: 0.05, refine: 70, ..OnStagnation::NOTHING };
    let budget = Budget { epochs: Some(40), restarts: Some(2), ..Budget::default() };
    let seed = SwarmParameters { population: 100, ..SwarmParameters::SEED };
    for (parameters, trajectory) in [
        (SwarmParameters { adaptive: true, ..seed }, 0x0),
        (SwarmParameters { on_stagnation: Some(hybrid), ..seed }, 0x0),
        (SwarmParameters { on_stagnation: Some(refining), ..seed }, 0x0),
    ] {
        expect(&outcome(subject, &easy()?, &Algorithm::Swarm(parameters), &budget)?, trajectory)?;
    }
    Ok(0)
}
