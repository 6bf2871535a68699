//! The swarm's rule, told a second time: one plain grid after another, scored by the oracle.

mod retold;

use std::ops::ControlFlow;

use retold::{chance, fill, puzzle, step_words, swapped, temperatures};
use swarmdoku::fitness::oracle;
use swarmdoku::population::moves::{FreeUnits, Swap};
use swarmdoku::population::rng::{Key, Stream};
use swarmdoku::search::{Acceptance, Budget, Engine, OnStagnation, Outcome, Search, Stop, Swarm, SwarmParameters, run};
use swarmdoku::{Cpu, Grid, Puzzle, Scalar, Shape};

/// One individual of the reference.
#[derive(Clone)]
struct Individual {
    grid: Grid,
    total: u32,
    age: u32,
}

/// What the reference came to: the individuals after `epochs` epochs, epoch 0 included, unless a candidate with total 0
/// turned up before, and the evaluations.
struct Reference {
    grids: Vec<Grid>,
    evaluations: u64,
}

fn reference(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64, epochs: u32) -> Reference {
    let blocks = FreeUnits::blocks(puzzle);
    let mut workers = workers_after(parameters, &[]);
    let mut swarm: Vec<Individual> = Vec::new();
    let mut child: Option<(usize, Grid)> = None;
    let (mut bests, mut evaluations) = (Vec::new(), 0);
    for epoch in 0..=epochs {
        let next: Vec<Individual> = (0..parameters.population)
            .map(|slot| match (&child, swarm.get(slot)) {
                (Some((forced, grid)), _) if *forced == slot => fresh(grid.clone()),
                (_, Some(individual)) if slot < workers && individual.age <= parameters.max_age => {
                    step(&blocks, parameters, seed, epoch, slot, individual)
                }
                _ => fresh(fill(&blocks, seed, epoch, slot)),
            })
            .collect();
        swarm = next;
        evaluations += parameters.population as u64;
        let best = swarm.iter().min_by_key(|individual| individual.total).unwrap();
        if best.total == 0 {
            break;
        }
        bests.push(best.total);
        child = merge_child(&swarm, workers, seed, epoch);
        let (improved, cost) = improve(&blocks, parameters, &bests, seed, epoch == epochs, &best.grid);
        evaluations += cost;
        let improved_total = oracle::score(&improved).total();
        if improved_total < best.total {
            child = Some((worst(if workers > 0 { &swarm[..workers] } else { &swarm }), improved));
        }
        if improved_total == 0 {
            break;
        }
        workers = workers_after(parameters, &bests);
    }
    Reference { grids: swarm.into_iter().map(|individual| individual.grid).collect(), evaluations }
}

/// Epochs since the best total fell last.
fn stagnant(bests: &[u32]) -> usize {
    let lowest = bests.iter().min();
    lowest.map_or(0, |lowest| bests.len() - 1 - bests.iter().position(|best| best == lowest).unwrap())
}

/// The number of workers after epochs with these best totals.
fn workers_after(parameters: &SwarmParameters, bests: &[u32]) -> usize {
    let ratio = match (parameters.adaptive, bests.first(), bests.iter().min()) {
        (false, ..) => (parameters.worker_ratio * 1e6).round() as usize,
        (true, Some(first), Some(lowest)) => 950_000 - (250_000 * *lowest as usize).div_ceil(*first as usize),
        _ => 700_000,
    };
    let lost = parameters.on_stagnation.map_or(0, |on| {
        (on.stagnation_boost * 1e6).round() as usize * (stagnant(bests) / on.stagnation_limit as usize)
    });
    parameters.population * ratio.saturating_sub(lost).max(ratio.min(700_000)) / 1_000_000
}

/// The best grid after what is done for it on stagnation and in the last epoch, and the evaluations that this took.
fn improve(
    blocks: &FreeUnits,
    parameters: &SwarmParameters,
    bests: &[u32],
    seed: u64,
    last_epoch: bool,
    best: &Grid,
) -> (Grid, u64) {
    let (mut grid, mut evaluations) = (best.clone(), 0);
    let Some(on) = parameters.on_stagnation else { return (grid, 0) };
    let due = stagnant(bests) > 0 && stagnant(bests).is_multiple_of(on.stagnation_limit as usize);
    if due && on.local_search {
        loop {
            let neighbours: Vec<Grid> = blocks.swaps().map(|swap: Swap| swapped(&grid, swap)).collect();
            evaluations += neighbours.len() as u64;
            let total = |grid: &Grid| oracle::score(grid).total();
            match neighbours.into_iter().min_by_key(total) {
                Some(lowest) if total(&lowest) < total(&grid) => grid = lowest,
                _ => break,
            }
        }
    }
    if due || last_epoch {
        let (annealed, steps) =
            annealed(blocks, on.refine, Key::new(seed, 0, Stream::Refine), bests.len() as u32, grid);
        (grid, evaluations) = (annealed, evaluations + steps);
    }
    (grid, evaluations)
}

fn annealed(blocks: &FreeUnits, steps: u32, key: Key, epoch: u32, start: Grid) -> (Grid, u64) {
    let total = |grid: &Grid| oracle::score(grid).total();
    let (mut grid, mut best) = (start.clone(), start);
    for (step, temperature) in (0..).zip(temperatures(0.4, 0.2, steps)) {
        if total(&best) == 0 {
            return (best, step.into());
        }
        let (word, draw) = step_words(key, epoch, step);
        let other = swapped(&grid, blocks.pick_swap(word));
        let worse = f64::from(total(&other)) - f64::from(total(&grid));
        if worse < 0.0 || chance(draw, libm::exp(-worse / temperature)) {
            grid = other;
        }
        if total(&grid) < total(&best) {
            best = grid.clone();
        }
    }
    (best, steps.into())
}

fn fresh(grid: Grid) -> Individual {
    Individual { total: oracle::score(&grid).total(), grid, age: 0 }
}

fn step(
    blocks: &FreeUnits,
    parameters: &SwarmParameters,
    seed: u64,
    epoch: u32,
    slot: usize,
    old: &Individual,
) -> Individual {
    let (word, draw) = step_words(Key::new(seed, 0, Stream::Step), epoch, slot as u32);
    let new = fresh(swapped(&old.grid, blocks.pick_swap(word)));
    let chance = |probability| chance(draw, probability);
    let worse = f64::from(new.total) - f64::from(old.total);
    let mutated = chance(parameters.mutation_rate);
    let accepted = match parameters.acceptance {
        Acceptance::Strict => false,
        Acceptance::Plateau => worse == 0.0,
        Acceptance::Metropolis { temperature } => chance(libm::exp(-worse / temperature)),
    };
    if new.total < old.total {
        new
    } else if mutated {
        Individual { age: old.age, ..new }
    } else if accepted {
        Individual { age: old.age + 1, ..new }
    } else {
        Individual { age: old.age + 1, ..old.clone() }
    }
}

fn merge_child(swarm: &[Individual], workers: usize, seed: u64, epoch: u32) -> Option<(usize, Grid)> {
    let (worker_slots, explorer_slots) = swarm.split_at(workers);
    let best_worker = worker_slots.iter().min_by_key(|individual| individual.total)?;
    let best_explorer = explorer_slots.iter().min_by_key(|individual| individual.total)?;
    let [choice, ..] = Key::new(seed, 0, Stream::Merge).words(epoch, 0, 0);
    let mut child = best_worker.grid.clone();
    let shape = child.shape();
    for block in (0..shape.side()).filter(|block| choice >> block & 1 == 1) {
        shape.block_cells(block).for_each(|cell| child.set(cell, best_explorer.grid.get(cell)));
    }
    Some((worst(worker_slots), child))
}

/// The first of those with the highest total.
fn worst(individuals: &[Individual]) -> usize {
    let highest = individuals.iter().map(|individual| individual.total).max();
    individuals.iter().position(|individual| Some(individual.total) == highest).unwrap()
}

fn outcome(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64, budget: &Budget) -> (Swarm, Outcome) {
    let mut swarm = Swarm::new(puzzle, parameters, seed).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
    let outcome = run(&mut swarm, &mut engine, puzzle, budget, |_| ControlFlow::Continue(())).unwrap();
    (swarm, outcome)
}

/// Compares the swarm with the reference slot by slot.
fn compare(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64, epochs: u32) -> Outcome {
    let budget = Budget { epochs: Some(epochs), restarts: Some(1), ..Budget::default() };
    let (swarm, outcome) = outcome(puzzle, parameters, seed, &budget);
    let expected = reference(puzzle, parameters, seed, epochs);
    for (slot, grid) in expected.grids.iter().enumerate() {
        assert_eq!(&swarm.population().get(slot), grid, "case {seed}, epoch {epochs}, slot {slot}");
    }
    assert_eq!((swarm.population().len(), outcome.evaluations), (expected.grids.len(), expected.evaluations));
    outcome
}

#[test]
fn the_swarm_does_what_its_rule_says_epoch_by_epoch() {
    let seed_rule = SwarmParameters { population: 75, mutation_rate: 0.05, max_age: 9, ..SwarmParameters::SEED };
    let metropolis = Acceptance::Metropolis { temperature: 0.8 };
    let cases = [
        ("9x9", seed_rule),
        ("9x9", SwarmParameters { acceptance: Acceptance::Plateau, ..seed_rule }),
        ("9x9", SwarmParameters { acceptance: metropolis, population: 32, ..seed_rule }),
        ("9x9", SwarmParameters { acceptance: metropolis, worker_ratio: 1.0, mutation_rate: 0.0, ..seed_rule }),
        ("9x9", SwarmParameters { worker_ratio: 0.0, population: 33, ..seed_rule }),
        ("9x9", SwarmParameters { worker_ratio: 0.5, population: 3, max_age: 0, ..seed_rule }),
        ("9x9", SwarmParameters { population: 1, ..seed_rule }),
        ("6x6:3x2", SwarmParameters { mutation_rate: 1.0, ..seed_rule }),
        ("16x16", SwarmParameters { acceptance: metropolis, worker_ratio: 0.7, ..seed_rule }),
        ("25x25", SwarmParameters { population: 40, ..seed_rule }),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in [0, 1, 2, 40] {
            compare(&puzzle, &parameters, case, epochs);
        }
    }
}

#[test]
fn adaptive_stagnating_hybrid_and_refining_swarms_do_what_their_rules_say() {
    let seed_rule = SwarmParameters { population: 75, mutation_rate: 0.05, max_age: 9, ..SwarmParameters::SEED };
    let on = OnStagnation { stagnation_limit: 3, ..OnStagnation::NOTHING };
    let boost = OnStagnation { stagnation_boost: 0.07, ..on };
    let hybrid = OnStagnation { local_search: true, ..on };
    let refining = OnStagnation { refine: 300, ..on };
    let all = OnStagnation { stagnation_boost: 0.3, local_search: true, refine: 55, stagnation_limit: 1 };
    let adaptive = SwarmParameters { adaptive: true, ..seed_rule };
    let with = |on_stagnation, base| SwarmParameters { on_stagnation: Some(on_stagnation), ..base };
    let explorers = SwarmParameters { worker_ratio: 0.0, population: 33, ..seed_rule };
    let metropolis = Acceptance::Metropolis { temperature: 0.8 };
    let chains = SwarmParameters { worker_ratio: 1.0, acceptance: metropolis, population: 32, ..seed_rule };
    let cases = [
        ("9x9", adaptive),
        ("9x9", with(boost, seed_rule)),
        ("9x9", with(boost, adaptive)),
        ("9x9", with(hybrid, seed_rule)),
        ("9x9", with(hybrid, explorers)),
        ("9x9", with(hybrid, chains)),
        ("9x9", with(refining, seed_rule)),
        ("9x9", with(refining, chains)),
        ("6x6:3x2", with(all, SwarmParameters { population: 5, ..adaptive })),
        ("16x16", with(all, adaptive)),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in [0, 1, 5, 40] {
            let outcome = compare(&puzzle, &parameters, case, epochs);
            let batches = parameters.population as u64 * u64::from(outcome.epochs + 1);
            let improves = parameters.on_stagnation.is_some_and(|on| on.local_search || on.refine > 0);
            assert_eq!(improves && epochs == 40, outcome.evaluations > batches && epochs == 40, "case {case}");
        }
    }
}

#[test]
fn improvements_count_and_never_exceed_the_evaluations() {
    let puzzle = puzzle(Shape::NINE, 4, 0.2);
    let on = OnStagnation { stagnation_limit: 2, local_search: true, refine: 150, ..OnStagnation::NOTHING };
    let parameters = SwarmParameters { population: 20, on_stagnation: Some(on), ..SwarmParameters::SEED };
    let mut beside_batches = 0;
    for evaluations in (20..6000).step_by(37) {
        let budget = Budget { evaluations: Some(evaluations), epochs: Some(30), ..Budget::default() };
        let (_, outcome) = outcome(&puzzle, &parameters, 1, &budget);
        assert!(outcome.evaluations <= evaluations, "{} of {evaluations}", outcome.evaluations);
        assert!(outcome.stop != Stop::Evaluations || evaluations - outcome.evaluations < 20);
        beside_batches += u32::from(outcome.evaluations % 20 != 0);
    }
    assert!(beside_batches > 50, "{beside_batches}");
}

#[test]
fn the_trajectory_does_not_depend_on_how_the_work_is_cut_or_who_scores() {
    let puzzle = puzzle(Shape::NINE, 3, 0.25);
    let parameters = SwarmParameters { population: 1000, max_age: 20, ..SwarmParameters::SEED };
    let budget = Budget { epochs: Some(60), restarts: Some(2), ..Budget::default() };
    let trajectory = |engine: Engine, threads: usize| {
        let mut engine = engine;
        let mut swarm = Swarm::new(&puzzle, &parameters, 11).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())));
        outcome.unwrap().trajectory
    };
    let scalar = trajectory(Engine::new(Box::new(Scalar::new(Shape::NINE))), 1);
    for chunk_tiles in [0, 1, 2, 3, 7, 31, usize::MAX] {
        for threads in [1, 2, 3] {
            let engine = Engine::new(Box::new(Cpu::new(Shape::NINE))).with_chunk_tiles(chunk_tiles);
            assert_eq!(trajectory(engine, threads), scalar, "chunks of {chunk_tiles} tiles, {threads} threads");
        }
    }
}

#[test]
fn givens_never_change_in_any_slot() {
    let puzzle = puzzle(Shape::NINE, 5, 0.4);
    let parameters = SwarmParameters { population: 70, max_age: 5, ..SwarmParameters::SEED };
    let budget = Budget { epochs: Some(200), restarts: Some(1), ..Budget::default() };
    let (swarm, _) = outcome(&puzzle, &parameters, 1, &budget);
    for slot in 0..70 {
        let grid = swarm.population().get(slot);
        let kept = puzzle.givens().cells().iter().zip(grid.cells()).all(|(given, digit)| *given == 0 || given == digit);
        assert!(kept, "slot {slot}: {grid}");
    }
}
