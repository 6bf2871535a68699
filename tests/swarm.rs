//! The swarm's rule, told a second time: one plain grid after another, scored by the oracle.

use std::ops::ControlFlow;

use swarmdoku::fitness::oracle;
use swarmdoku::moves::FreeUnits;
use swarmdoku::rng::{Key, Stream, Words};
use swarmdoku::sample::{self, Kind};
use swarmdoku::search::{Acceptance, Budget, Engine, Search, Swarm, SwarmParameters, run};
use swarmdoku::{Cpu, Grid, Population, Puzzle, Scalar, Shape};

/// A puzzle with about this part of a random solution's cells given.
fn puzzle(shape: Shape, seed: u64, given: f64) -> Puzzle {
    let solution = sample::candidate(shape, Kind::Solved, seed, 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Sample), u32::MAX, 0);
    let cells = solution.cells().iter();
    let givens: Vec<u8> =
        cells.map(|digit| if f64::from(words.next_word()) < given * 2f64.powi(32) { *digit } else { 0 }).collect();
    Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap()
}

/// One individual of the reference.
#[derive(Clone)]
struct Individual {
    grid: Grid,
    total: u32,
    age: u32,
}

/// The individuals after `epochs` epochs, epoch 0 included, unless a candidate with total 0 turns up before.
fn reference(puzzle: &Puzzle, parameters: &SwarmParameters, seed: u64, epochs: u32) -> Vec<Grid> {
    let blocks = FreeUnits::blocks(puzzle);
    let workers = (parameters.population as f64 * parameters.worker_ratio).floor() as usize;
    let mut swarm: Vec<Individual> = Vec::new();
    let mut child: Option<(usize, Grid)> = None;
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
        if swarm.iter().any(|individual| individual.total == 0) {
            break;
        }
        child = merge_child(&swarm, workers, seed, epoch);
    }
    swarm.into_iter().map(|individual| individual.grid).collect()
}

fn fresh(grid: Grid) -> Individual {
    Individual { total: oracle::score(&grid).total(), grid, age: 0 }
}

fn fill(blocks: &FreeUnits, seed: u64, epoch: u32, slot: usize) -> Grid {
    let mut population = Population::new(blocks.puzzle().shape(), 1);
    blocks.place_givens(population.lanes_mut(), 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Fill), epoch, slot as u32);
    blocks.fill(population.lanes_mut(), 0, &mut words);
    population.get(0)
}

fn step(
    blocks: &FreeUnits,
    parameters: &SwarmParameters,
    seed: u64,
    epoch: u32,
    slot: usize,
    old: &Individual,
) -> Individual {
    let words = Key::new(seed, 0, Stream::Step).words(epoch, slot as u32 / 2, 0);
    let (word, draw) = if slot.is_multiple_of(2) { (words[0], words[1]) } else { (words[2], words[3]) };
    let swap = blocks.pick_swap(word);
    let mut grid = old.grid.clone();
    grid.set(swap.first.into(), old.grid.get(swap.second.into()));
    grid.set(swap.second.into(), old.grid.get(swap.first.into()));
    let new = fresh(grid);
    let chance = |probability: f64| f64::from(draw >> 1) < (probability * 2f64.powi(31)).round();
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
    let highest = worker_slots.iter().map(|individual| individual.total).max()?;
    let worst = worker_slots.iter().position(|individual| individual.total == highest)?;
    let [choice, ..] = Key::new(seed, 0, Stream::Merge).words(epoch, 0, 0);
    let mut child = best_worker.grid.clone();
    let shape = child.shape();
    for block in (0..shape.side()).filter(|block| choice >> block & 1 == 1) {
        shape.block_cells(block).for_each(|cell| child.set(cell, best_explorer.grid.get(cell)));
    }
    Some((worst, child))
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
            let mut swarm = Swarm::new(&puzzle, &parameters, case).unwrap();
            let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
            let budget = Budget { epochs: Some(epochs), restarts: Some(1), ..Budget::default() };
            run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())).unwrap();
            let expected = reference(&puzzle, &parameters, case, epochs);
            for (slot, grid) in expected.iter().enumerate() {
                assert_eq!(&swarm.population().get(slot), grid, "case {case}, epoch {epochs}, slot {slot}");
            }
            assert_eq!(swarm.population().len(), expected.len());
        }
    }
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
    let mut swarm = Swarm::new(&puzzle, &parameters, 1).unwrap();
    let mut engine = Engine::new(Box::new(Cpu::new(Shape::NINE)));
    let budget = Budget { epochs: Some(200), restarts: Some(1), ..Budget::default() };
    run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(())).unwrap();
    for slot in 0..70 {
        let grid = swarm.population().get(slot);
        let kept = puzzle.givens().cells().iter().zip(grid.cells()).all(|(given, digit)| *given == 0 || given == digit);
        assert!(kept, "slot {slot}: {grid}");
    }
}
