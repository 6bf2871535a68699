//! The time to solve 9x9 puzzles and to prove them unique, compared with the `sudoku` crate.
//!
//! That crate (a descendant of JCZSolve) is among the fastest general 9x9 solvers in Rust. Only the ratio of two lines of
//! one run counts, since absolute times vary with the machine. Sets of puzzles:
//!
//! - `minimal`: generated, no given can be removed;
//! - `seventeen`: the puzzle `17 givens` of `puzzles/named.csv` under random symmetries, which change what a solver that
//!   goes by cell and digit numbers meets;
//! - `file`: the puzzles of the file that `SWARMDOKU_PUZZLES` names, one per line, if it is set.
//!
//! `one` stops at the first solution, `unique` proves that there is no second. Every answer is compared with the
//! crate's before anything is timed.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudoku::Sudoku;
use swarmdoku::exact::generate::{self, Generation, Request, scrambled};
use swarmdoku::exact::{Limits, search};
use swarmdoku::population::rng::{Key, Stream, Words};
use swarmdoku::sudoku::text::{self, ReadOptions};
use swarmdoku::{Grid, Puzzle, Shape};

const ONE: Limits = Limits { solutions: 1, nodes: u64::MAX, time: None };
const UNIQUE: Limits = Limits { solutions: 2, nodes: u64::MAX, time: None };

const SEVENTEEN: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

/// The same puzzles for both solvers.
struct Set {
    name: &'static str,
    ours: Vec<Puzzle>,
    theirs: Vec<Sudoku>,
}

impl Set {
    fn new(name: &'static str, grids: Vec<Grid>) -> Set {
        let theirs = grids.iter().map(|grid| Sudoku::from_str_line(&grid.to_string()).expect("it is a 9x9")).collect();
        let ours = grids.into_iter().map(|grid| Puzzle::new(grid).expect("no givens conflict")).collect();
        let set = Set { name, ours, theirs };
        set.assert_answers();
        set
    }

    fn assert_answers(&self) {
        for (ours, theirs) in self.ours.iter().zip(&self.theirs) {
            let found = search(ours, UNIQUE);
            assert!(found.is_unique(), "{}", ours.givens());
            let solution = theirs.solution().expect("ours is unique");
            assert_eq!(found.solutions[0].to_string(), solution.to_str_line()[..]);
        }
    }
}

fn minimal() -> Vec<Grid> {
    let request = Request { minimal: true, ..Request::any(Shape::NINE) };
    let made = |index| match generate::puzzle(&request, 1, index, &|| true) {
        Ok(Generation::Met(made)) => made.puzzle.givens().clone(),
        other => panic!("9x9 puzzles without symmetry come out minimal: {other:?}"),
    };
    (0..500).map(made).collect()
}

fn seventeen() -> Vec<Grid> {
    let puzzle = text::read_one(SEVENTEEN, ReadOptions::default()).expect("it is well formed");
    let mut words = Words::new(Key::new(1, 0, Stream::Sample), 0, 0);
    (0..500).map(|_| scrambled(&puzzle, &mut words)).collect()
}

fn file() -> Option<Vec<Grid>> {
    let path = std::env::var("SWARMDOKU_PUZZLES").ok()?;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let entries = text::read(&path, text.as_bytes(), ReadOptions::default());
    Some(entries.map(|entry| entry.expect("a puzzle").grid).collect())
}

fn bench_nine(c: &mut Criterion) {
    let mut sets = vec![Set::new("minimal", minimal()), Set::new("seventeen", seventeen())];
    sets.extend(file().map(|grids| Set::new("file", grids)));
    for Set { name, ours, theirs } in sets {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(ours.len() as u64));
        for (question, limits) in [("one", ONE), ("unique", UNIQUE)] {
            group.bench_function(format!("{question}/swarmdoku"), |b| {
                b.iter(|| ours.iter().map(|puzzle| search(black_box(puzzle), limits).solutions.len()).sum::<usize>())
            });
            group.bench_function(format!("{question}/sudoku"), |b| {
                b.iter(|| {
                    let solve = |puzzle: &Sudoku| match question {
                        "one" => black_box(*puzzle).some_solution(),
                        _ => black_box(*puzzle).solution(),
                    };
                    theirs.iter().filter(|puzzle| solve(puzzle).is_some()).count()
                })
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = bench_nine
}
criterion_main!(benches);
