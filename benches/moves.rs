//! The rate of moves on candidates of a 9x9 puzzle, a tile of 32 at a time: fills, swaps, merges.
//!
//! The floor of a swap is two loads and two stores of a byte in lines that lie in the first-level cache; that of a fill the
//! shuffle of each block and a store for each free cell.
//!
//! This code is compiled for the instructions that every machine has. Epochs are compiled for the instructions of the
//! machine, and are faster: see `epochs`.
//!
//! Every result is checked before it is timed.

mod support;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use support::{puzzle, short};
use swarmdoku::fitness::oracle;
use swarmdoku::population::moves::{FreeUnits, Swap};
use swarmdoku::population::rng::{Key, Stream, Words};
use swarmdoku::{LANES, Population};

/// A tile of fills.
fn filled(blocks: &FreeUnits, epoch: u32) -> Population {
    let mut population = blocks.population(LANES);
    fill(blocks, epoch, &mut population);
    population
}

fn fill(blocks: &FreeUnits, epoch: u32, population: &mut Population) {
    let key = Key::new(1, 0, Stream::Fill);
    for lane in 0..LANES {
        blocks.fill(population.lanes_mut(), lane, &mut Words::new(key, epoch, lane as u32));
    }
}

/// Panics unless every candidate keeps the givens and holds each digit once in each block.
fn assert_fills(blocks: &FreeUnits, population: &Population) {
    for slot in 0..population.len() {
        let grid = population.get(slot);
        assert!(grid.is_complete() && oracle::score(&grid).blocks() == 0, "slot {slot}: {grid}");
        let givens = blocks.puzzle().givens().cells().iter().zip(grid.cells());
        assert!(givens.into_iter().all(|(given, digit)| *given == 0 || given == digit), "slot {slot}: {grid}");
    }
}

fn fills(c: &mut Criterion) {
    let blocks = FreeUnits::blocks(&puzzle());
    let mut population = filled(&blocks, 0);
    assert_fills(&blocks, &population);
    assert_ne!(population, filled(&blocks, 1));
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(LANES as u64));
    group.bench_function("fill", |b| b.iter(|| fill(&blocks, black_box(2), black_box(&mut population))));
}

/// A swap in every lane, each named by a word, applied and so undone in every second round.
fn swaps(c: &mut Criterion) {
    let blocks = FreeUnits::blocks(&puzzle());
    let words: [[u32; LANES]; 4] = Key::new(1, 0, Stream::Step).words_of_lanes(0, 0, 0);
    let apply = |population: &mut Population, words: &[u32; LANES]| {
        for (lane, word) in words.iter().enumerate() {
            blocks.pick_swap(*word).apply(population.lanes_mut(), lane);
        }
    };
    let before = filled(&blocks, 0);
    let mut population = before.clone();
    apply(&mut population, &words[0]);
    assert_fills(&blocks, &population);
    assert_ne!(population, before);
    apply(&mut population, &words[0]);
    assert_eq!(population, before);
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(LANES as u64));
    let mut swaps = [Swap::default(); LANES];
    group.bench_function("pick a swap", |b| {
        b.iter(|| swaps = black_box(&words[0]).map(|word| blocks.pick_swap(word)));
    });
    assert_eq!(swaps, words[0].map(|word| blocks.pick_swap(word)));
    group.bench_function("pick and apply a swap", |b| {
        b.iter(|| apply(black_box(&mut population), black_box(&words[0])))
    });
}

/// The child of two candidates, put into a third's place.
fn merges(c: &mut Criterion) {
    let blocks = FreeUnits::blocks(&puzzle());
    let mut population = filled(&blocks, 0);
    let mut child = Vec::new();
    let merge = |population: &mut Population, child: &mut Vec<u8>, choice: u32| {
        blocks.merge(population, 0, 1, choice, child);
        blocks.place(child, population.lanes_mut(), 2);
    };
    for (choice, parent) in [(0, 0), (u32::MAX, 1)] {
        merge(&mut population, &mut child, choice);
        assert_eq!(population.get(2), population.get(parent));
    }
    merge(&mut population, &mut child, 0b101);
    assert_fills(&blocks, &population);
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(1));
    group.bench_function("merge", |b| b.iter(|| merge(black_box(&mut population), &mut child, black_box(0b101))));
}

criterion_group! { name = moves; config = short(); targets = fills, swaps, merges }
criterion_main!(moves);
