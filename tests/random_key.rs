//! The rule of random keys, told a second time: one plain particle after another, sorted keys, scored by the oracle.

use std::ops::ControlFlow;

use swarmdoku::fitness::oracle;
use swarmdoku::population::rng::{Key, Stream, Words};
use swarmdoku::population::sample::{self, CandidateKind};
use swarmdoku::search::{Budget, Decoding, Engine, Movement, RandomKey, RandomKeyParameters, Search, run};
use swarmdoku::{Cpu, Grid, Puzzle, Scalar, Shape};

/// A puzzle with about this part of a random solution's cells given.
fn puzzle(shape: Shape, seed: u64, given: f64) -> Puzzle {
    let solution = sample::candidate(shape, CandidateKind::Solved, seed, 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Sample), u32::MAX, 0);
    let cells = solution.cells().iter();
    let givens: Vec<u8> =
        cells.map(|digit| if f64::from(words.next_word()) < given * 2f64.powi(32) { *digit } else { 0 }).collect();
    Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap()
}

/// One particle of the reference.
#[derive(Clone)]
struct Particle {
    position: Vec<f32>,
    velocity: Vec<f32>,
    grid: Grid,
    best_position: Vec<f32>,
    best_total: u32,
}

/// The free cells of each unit that keys are ranked in.
fn units(puzzle: &Puzzle, decoding: Decoding) -> Vec<Vec<usize>> {
    let shape = puzzle.shape();
    let cells = |unit| match decoding {
        Decoding::Rows => shape.row_cells(unit).collect::<Vec<usize>>(),
        Decoding::Blocks => shape.block_cells(unit).collect(),
    };
    (0..shape.side())
        .map(|unit| cells(unit).into_iter().filter(|cell| puzzle.givens().get(*cell) == 0).collect())
        .collect()
}

/// The candidate of a position: sort the unit's cells by key, deal out the digits that it misses.
fn decode(puzzle: &Puzzle, decoding: Decoding, position: &[f32]) -> Grid {
    let (shape, mut grid) = (puzzle.shape(), puzzle.givens().clone());
    let mut keys = position.iter();
    for (unit, free) in units(puzzle, decoding).iter().enumerate() {
        let all: Vec<usize> = match decoding {
            Decoding::Rows => shape.row_cells(unit).collect(),
            Decoding::Blocks => shape.block_cells(unit).collect(),
        };
        let present: Vec<u8> = all.iter().map(|cell| puzzle.givens().get(*cell)).collect();
        let missing = (1..=shape.side() as u8).filter(|digit| !present.contains(digit));
        let mut order: Vec<(f32, usize)> = free.iter().map(|cell| (*keys.next().unwrap(), *cell)).collect();
        order.sort_by(|a, b| a.partial_cmp(b).unwrap());
        order.iter().zip(missing).for_each(|((_, cell), digit)| grid.set(*cell, digit));
    }
    grid
}

fn unit(word: u32) -> f32 {
    (f64::from(word >> 8) / f64::from(1 << 24)) as f32
}

/// The particles after `epochs` epochs, epoch 0 included, unless a candidate with total 0 turns up before.
fn reference(puzzle: &Puzzle, parameters: &RandomKeyParameters, seed: u64, epochs: u32) -> Vec<Particle> {
    let key = Key::new(seed, 0, Stream::Particle);
    let keys = puzzle.free_cells().len();
    let mut swarm: Vec<Particle> = (0..parameters.population as u32)
        .map(|slot| {
            let words = |at| key.words(0, slot, at as u32);
            let position: Vec<f32> = (0..keys).map(|at| unit(words(at)[0])).collect();
            let velocity = (0..keys).map(|at| unit(words(at)[1]) - 0.5).collect();
            let grid = decode(puzzle, parameters.decoding, &position);
            let best_total = oracle::score(&grid).total();
            Particle { best_position: position.clone(), position, velocity, grid, best_total }
        })
        .collect();
    let mut leader = swarm[0].clone();
    for epoch in 1..=epochs {
        for particle in &swarm {
            if particle.best_total < leader.best_total {
                leader = particle.clone();
            }
        }
        if leader.best_total == 0 {
            break;
        }
        for (slot, particle) in (0..).zip(&mut swarm) {
            let words: Vec<[u32; 4]> = (0..keys).map(|at| key.words(epoch, slot, at as u32)).collect();
            step(puzzle, parameters, particle, &leader.best_position, &words);
        }
    }
    swarm
}

fn step(
    puzzle: &Puzzle,
    parameters: &RandomKeyParameters,
    particle: &mut Particle,
    leader: &[f32],
    words: &[[u32; 4]],
) {
    let [w, c1, c2] = [parameters.inertia, parameters.cognitive, parameters.social].map(|value| value as f32);
    let start = match parameters.movement {
        Movement::Always => particle.position.clone(),
        Movement::Better => particle.best_position.clone(),
    };
    for (at, [r1, r2, fresh, _]) in words.iter().enumerate() {
        let x = start[at];
        let own_pull = c1 * unit(*r1) * (particle.best_position[at] - x);
        let leader_pull = c2 * unit(*r2) * (leader[at] - x);
        particle.velocity[at] = w * particle.velocity[at] + own_pull + leader_pull;
        let to = x + particle.velocity[at];
        particle.position[at] = if (0.0..=1.0).contains(&to) { to } else { unit(*fresh) };
    }
    particle.grid = decode(puzzle, parameters.decoding, &particle.position);
    let total = oracle::score(&particle.grid).total();
    if total < particle.best_total {
        (particle.best_total, particle.best_position) = (total, particle.position.clone());
    }
}

fn swarm_after(puzzle: &Puzzle, parameters: &RandomKeyParameters, seed: u64, epochs: u32) -> RandomKey {
    let mut swarm = RandomKey::new(puzzle, parameters, seed).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
    let budget = Budget { epochs: Some(epochs), restarts: Some(1), ..Budget::default() };
    run(&mut swarm, &mut engine, puzzle, &budget, |_| ControlFlow::Continue(())).unwrap();
    swarm
}

#[test]
fn random_keys_do_what_their_rule_says_epoch_by_epoch() {
    let canonical = RandomKeyParameters::CANONICAL;
    let better = RandomKeyParameters { movement: Movement::Better, ..canonical };
    let by_blocks = RandomKeyParameters { decoding: Decoding::Blocks, ..canonical };
    let cases = [
        ("9x9", canonical),
        ("9x9", better),
        ("9x9", RandomKeyParameters { population: 75, ..by_blocks }),
        ("9x9", RandomKeyParameters { population: 33, decoding: Decoding::Blocks, ..better }),
        ("9x9", RandomKeyParameters { population: 1, ..canonical }),
        ("9x9", RandomKeyParameters { inertia: 1.0, cognitive: 0.0, ..canonical }),
        ("9x9", RandomKeyParameters { inertia: 0.0, social: 5.0, ..canonical }),
        ("6x6:3x2", RandomKeyParameters { inertia: 0.7298, cognitive: 1.49618, social: 1.49618, ..by_blocks }),
        ("16x16", RandomKeyParameters { population: 40, ..canonical }),
        ("25x25", RandomKeyParameters { population: 32, ..by_blocks }),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in [0, 1, 25] {
            let swarm = swarm_after(&puzzle, &parameters, case, epochs);
            let expected = reference(&puzzle, &parameters, case, epochs);
            for (slot, particle) in expected.iter().enumerate() {
                let place = format!("case {case}, epoch {epochs}, slot {slot}");
                assert_eq!(swarm.population().get(slot), particle.grid, "{place}");
                let bits = |keys: &[f32]| keys.iter().map(|key| key.to_bits()).collect::<Vec<u32>>();
                let position: Vec<f32> = swarm.position(slot).collect();
                assert_eq!(bits(&position), bits(&particle.position), "{place}");
            }
            assert_eq!(swarm.population().len(), expected.len());
        }
    }
}

#[test]
fn keys_stay_within_0_and_1_and_candidates_keep_givens_and_units() {
    let puzzle = puzzle(Shape::NINE, 5, 0.2);
    for decoding in [Decoding::Rows, Decoding::Blocks] {
        let wild = RandomKeyParameters { inertia: 1.0, social: 5.0, decoding, ..RandomKeyParameters::CANONICAL };
        let swarm = swarm_after(&puzzle, &wild, 1, 200);
        for slot in 0..wild.population {
            assert!(swarm.position(slot).all(|key| (0.0..=1.0).contains(&key)), "slot {slot}");
            let grid = swarm.population().get(slot);
            let cells = puzzle.givens().cells().iter().zip(grid.cells());
            assert!(cells.clone().all(|(given, digit)| *given == 0 || given == digit), "slot {slot}: {grid}");
            let score = oracle::score(&grid);
            let kept = if decoding == Decoding::Rows { score.rows() } else { score.blocks() };
            assert!(grid.is_complete() && kept == 0, "slot {slot}: {grid}");
        }
    }
}

#[test]
fn the_trajectory_does_not_depend_on_how_the_work_is_cut_or_who_scores() {
    let puzzle = puzzle(Shape::NINE, 3, 0.25);
    let parameters = RandomKeyParameters { population: 500, ..RandomKeyParameters::CANONICAL };
    let budget = Budget { epochs: Some(25), restarts: Some(2), ..Budget::default() };
    let trajectory = |engine: Engine, threads: usize| {
        let mut engine = engine;
        let mut swarm = RandomKey::new(&puzzle, &parameters, 11).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())));
        outcome.unwrap().trajectory
    };
    let scalar = trajectory(Engine::new(Box::new(Scalar::new(Shape::NINE))), 1);
    for chunk_tiles in [0, 1, 2, 3, 7, usize::MAX] {
        for threads in [1, 2, 3] {
            let engine = Engine::new(Box::new(Cpu::new(Shape::NINE))).with_chunk_tiles(chunk_tiles);
            assert_eq!(trajectory(engine, threads), scalar, "chunks of {chunk_tiles} tiles, {threads} threads");
        }
    }
}

#[test]
fn a_restart_forgets_the_leader_and_the_bests() {
    let puzzle = puzzle(Shape::NINE, 3, 0.25);
    let outcome = |restarts, epochs| {
        let mut swarm = RandomKey::new(&puzzle, &RandomKeyParameters::CANONICAL, 2).unwrap();
        let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
        let budget = Budget { epochs: Some(epochs), restarts: Some(restarts), ..Budget::default() };
        run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())).unwrap();
        (0..60).map(|slot| swarm.population().get(slot)).collect::<Vec<Grid>>()
    };
    // The second restart's first epochs are the same whatever the first restart had found by then.
    let after_long_restart = {
        let mut swarm = RandomKey::new(&puzzle, &RandomKeyParameters::CANONICAL, 2).unwrap();
        let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
        let go_on = |_: &_| ControlFlow::Continue(());
        let long = Budget { epochs: Some(90), restarts: Some(1), ..Budget::default() };
        run(&mut swarm, &mut engine, &puzzle, &long, go_on).unwrap();
        let short = Budget { epochs: Some(3), restarts: Some(2), ..Budget::default() };
        run(&mut swarm, &mut engine, &puzzle, &short, go_on).unwrap();
        (0..60).map(|slot| swarm.population().get(slot)).collect::<Vec<Grid>>()
    };
    assert_eq!(outcome(2, 3), after_long_restart);
    assert_ne!(outcome(1, 3), after_long_restart);
}
