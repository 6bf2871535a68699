//! Annealing's rule, told a second time: one chain after another, scored by the oracle.

mod retold;

use std::ops::ControlFlow;

use retold::{chance, fill, puzzle, step_words, swapped, temperatures};
use swarmdoku::fitness::oracle;
use swarmdoku::population::moves::{FreeUnits, Swap};
use swarmdoku::population::rng::{Key, Stream};
use swarmdoku::search::{Anneal, AnnealParameters, Budget, Engine, Neighbours, Outcome, Reheat, Search, run};
use swarmdoku::{Cpu, Grid, Puzzle, Scalar, Shape};

const FEW: AnnealParameters = AnnealParameters {
    population: 40,
    temperature: 1.5,
    end_temperature: 0.3,
    cooling_epochs: 12,
    reheat: Reheat::Keep,
    neighbours: Neighbours::Any,
};

/// The swap that a word names among those of a cell in conflict with another free cell of its block.
fn conflict_swap(blocks: &FreeUnits, grid: &Grid, mut word: u64) -> Swap {
    let shape = grid.shape();
    let givens = blocks.puzzle().givens();
    let free_in = |block| shape.block_cells(block).filter(|cell| givens.get(*cell) == 0).collect::<Vec<usize>>();
    let is_in_conflict = |cell: &usize| {
        let (row, column) = (shape.row_cells(shape.row(*cell)), shape.column_cells(shape.column(*cell)));
        row.chain(column).any(|other| other != *cell && grid.get(other) == grid.get(*cell))
    };
    let movable = (0..shape.side()).map(free_in).filter(|cells| cells.len() > 1).flatten();
    let conflicts: Vec<usize> = movable.filter(is_in_conflict).collect();
    let mut draw = |bound: usize| {
        let product = word * bound as u64;
        word = product & 0xFFFF_FFFF;
        (product >> 32) as usize
    };
    let first = conflicts[draw(conflicts.len())];
    let mut others = free_in(shape.block(first));
    let place = others.iter().position(|cell| *cell == first).unwrap();
    others.rotate_left(place);
    Swap { first: first as u16, second: others[1 + draw(others.len() - 1)] as u16 }
}

/// One chain after this many epochs, epoch 0 included.
fn chain(puzzle: &Puzzle, parameters: &AnnealParameters, seed: u64, slot: usize, epochs: u32) -> Grid {
    let blocks = FreeUnits::blocks(puzzle);
    let AnnealParameters { temperature, end_temperature, cooling_epochs, .. } = *parameters;
    let temperatures = temperatures(temperature, end_temperature, cooling_epochs);
    let mut grid = fill(&blocks, seed, 0, slot);
    let mut steps = 0;
    for epoch in 1..=epochs {
        if parameters.reheat == Reheat::Fresh && epoch % (cooling_epochs + 1) == 0 {
            grid = fill(&blocks, seed, epoch, slot);
            continue;
        }
        let temperature = temperatures[steps % temperatures.len()];
        steps += 1;
        let (word, draw) = step_words(Key::new(seed, 0, Stream::Step), epoch, slot as u32);
        let swap = match parameters.neighbours {
            Neighbours::Any => blocks.pick_swap(word),
            Neighbours::Conflicts => conflict_swap(&blocks, &grid, word.into()),
        };
        let other = swapped(&grid, swap);
        let worse = f64::from(oracle::score(&other).total()) - f64::from(oracle::score(&grid).total());
        if worse <= 0.0 || chance(draw, libm::exp(-worse / temperature)) {
            grid = other;
        }
    }
    grid
}

fn anneal(
    puzzle: &Puzzle,
    parameters: &AnnealParameters,
    seed: u64,
    budget: &Budget,
    engine: Engine,
) -> (Anneal, Outcome) {
    let mut engine = engine;
    let mut anneal = Anneal::new(puzzle, parameters, seed).unwrap();
    let outcome = run(&mut anneal, &mut engine, puzzle, budget, |_| ControlFlow::Continue(())).unwrap();
    (anneal, outcome)
}

fn cpu(shape: Shape) -> Engine {
    Engine::new(Box::new(Cpu::new(shape)))
}

#[test]
fn every_chain_does_what_its_rule_says_epoch_by_epoch() {
    let conflicts = AnnealParameters { neighbours: Neighbours::Conflicts, ..FEW };
    let cases = [
        ("9x9", conflicts),
        ("16x16", AnnealParameters { population: 35, ..conflicts }),
        ("12x12", AnnealParameters { reheat: Reheat::Fresh, temperature: 0.5, ..conflicts }),
        ("9x9", FEW),
        ("9x9", AnnealParameters { reheat: Reheat::Fresh, ..FEW }),
        ("9x9", AnnealParameters { reheat: Reheat::Fresh, cooling_epochs: 1, population: 1, ..FEW }),
        ("9x9", AnnealParameters { end_temperature: 1.5, ..FEW }),
        ("6x6:3x2", AnnealParameters { temperature: 0.4, population: 33, ..FEW }),
        ("16x16", AnnealParameters { cooling_epochs: 100, population: 32, ..FEW }),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.2);
        for epochs in [0, 1, 12, 13, 14, 40] {
            let budget = Budget { epochs: Some(epochs), restarts: Some(1), ..Budget::default() };
            let (anneal, outcome) = anneal(&puzzle, &parameters, case, &budget, cpu(puzzle.shape()));
            assert!(!outcome.solved(), "case {case} is too easy to compare all its epochs");
            for slot in 0..parameters.population {
                let expected = chain(&puzzle, &parameters, case, slot, epochs);
                assert_eq!(anneal.population().get(slot), expected, "case {case}, epoch {epochs}, slot {slot}");
            }
        }
    }
}

#[test]
fn the_trajectory_does_not_depend_on_how_the_work_is_cut_or_who_scores() {
    let puzzle = puzzle(Shape::NINE, 3, 0.2);
    let parameters = AnnealParameters { population: 1000, reheat: Reheat::Fresh, ..FEW };
    let budget = Budget { epochs: Some(60), restarts: Some(2), ..Budget::default() };
    let trajectory = |engine, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| anneal(&puzzle, &parameters, 11, &budget, engine).1.trajectory)
    };
    let scalar = trajectory(Engine::new(Box::new(Scalar::new(Shape::NINE))), 1);
    for chunk_tiles in [0, 1, 3, 7, usize::MAX] {
        for threads in [1, 3] {
            let engine = cpu(Shape::NINE).with_chunk_tiles(chunk_tiles);
            assert_eq!(trajectory(engine, threads), scalar, "chunks of {chunk_tiles} tiles, {threads} threads");
        }
    }
}

#[test]
fn restarts_begin_anew_and_the_budget_is_never_exceeded() {
    let puzzle = puzzle(Shape::NINE, 5, 0.2);
    let of = |restarts| Budget { epochs: Some(20), restarts: Some(restarts), ..Budget::default() };
    let (first, _) = anneal(&puzzle, &FEW, 1, &of(1), cpu(Shape::NINE));
    let (second, outcome) = anneal(&puzzle, &FEW, 1, &of(2), cpu(Shape::NINE));
    assert_ne!(first.population().get(0), second.population().get(0));
    assert_eq!(outcome.evaluations, 2 * 21 * 40);
    for evaluations in [40, 79, 80, 1000] {
        let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
        let (_, outcome) = anneal(&puzzle, &FEW, 1, &budget, cpu(Shape::NINE));
        assert_eq!(outcome.evaluations, evaluations / 40 * 40);
    }
}
