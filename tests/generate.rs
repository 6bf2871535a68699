//! Generated puzzles against what was asked for, with uniqueness proved by two independent solvers.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use swarmdoku::exact::generate::{Generated, Generation, Request, Symmetry, full_grid, is_minimal, puzzle};
use swarmdoku::exact::grade::{Difficulty, grade};
use swarmdoku::exact::{self, Limits};
use swarmdoku::{Error, Grid, Puzzle, Shape};

fn made(request: &Request, seed: u64, index: u32) -> Generated {
    match puzzle(request, seed, index, &|| true).unwrap() {
        Generation::Met(made) => made,
        Generation::Unmet { attempts, .. } => panic!("{request:?} not met in {attempts} attempts"),
    }
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// By our solver and, at 9x9, by the `sudoku` crate.
fn assert_unique(made: &Generated) {
    let found = exact::search(&made.puzzle, Limits::default());
    assert!(found.is_unique() && found.solutions[0] == made.solution, "{}", made.puzzle.givens());
    if made.puzzle.shape() == Shape::NINE {
        let theirs = sudoku::Sudoku::from_str_line(&made.puzzle.givens().to_string()).unwrap();
        assert_eq!(theirs.solution().map(|grid| grid.to_str_line().to_string()), Some(made.solution.to_string()));
    }
}

#[test]
fn puzzles_of_each_difficulty_are_of_it_and_unique_by_two_solvers() {
    for difficulty in Difficulty::ALL {
        let request = Request { difficulty: Some(difficulty), ..Request::any(Shape::NINE) };
        let all: Vec<Generated> = (0..50).map(|index| made(&request, 1, index)).collect();
        for made in &all {
            assert_unique(made);
            assert_eq!(grade(&made.puzzle).difficulty, difficulty);
        }
        let different: HashSet<String> = all.iter().map(|made| made.puzzle.givens().to_string()).collect();
        assert_eq!(different.len(), all.len());
    }
}

#[test]
fn minimal_puzzles_lose_their_uniqueness_with_any_given() {
    let request = Request { minimal: true, ..Request::any(Shape::NINE) };
    for index in 0..100 {
        let made = made(&request, 2, index);
        assert_unique(&made);
        for cell in (0..81).filter(|cell| made.puzzle.givens().get(*cell) != 0) {
            let mut fewer = made.puzzle.givens().clone();
            fewer.set(cell, 0);
            let found = exact::search(&Puzzle::new(fewer).unwrap(), Limits::default());
            assert_eq!(found.solutions.len(), 2, "{} without cell {cell}", made.puzzle.givens());
        }
    }
}

#[test]
fn givens_are_placed_by_the_symmetry_and_counted() {
    for symmetry in Symmetry::ALL {
        for (shape, givens) in [(Shape::NINE, 32), (shape("6x6"), 18), (shape("6x6:3x2"), 18), (shape("12x12"), 80)] {
            let request = Request { symmetry, givens: Some(givens), ..Request::any(shape) };
            let made = made(&request, 3, 0);
            assert_unique(&made);
            assert_eq!(made.puzzle.given_count(), givens, "{shape} {symmetry}");
            let is_given = |cell: usize| made.puzzle.givens().get(cell) != 0;
            assert!((0..shape.cells()).all(|cell| is_given(cell) == is_given(symmetry.partner(shape, cell))));
        }
    }
}

#[test]
fn every_shape_has_puzzles() {
    for shape in Shape::all().filter(|shape| shape.side() <= 16) {
        let made = made(&Request::any(shape), 1, 0);
        assert_eq!(made.puzzle.shape(), shape);
        assert_unique(&made);
    }
}

#[test]
fn a_25x25_with_half_of_its_cells_given_takes_less_than_a_minute() {
    let started = Instant::now();
    let made = made(&Request { givens: Some(312), ..Request::any(shape("25x25")) }, 1, 0);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert_eq!(made.puzzle.given_count(), 312);
    assert_unique(&made);
}

#[test]
fn full_grids_are_solutions_and_differ() {
    for shape in ["4x4", "6x6", "9x9", "16x16", "25x25"].map(shape) {
        let empty = Puzzle::new(Grid::empty(shape)).unwrap();
        let grids: Vec<Grid> = (0..4).map(|index| full_grid(shape, 1, index, &|| true).unwrap()).collect();
        assert!(grids.iter().all(|grid| empty.accepts(grid)), "{shape}");
        let different: HashSet<String> = grids.iter().map(Grid::to_string).collect();
        assert!(different.len() > 2, "{shape}");
    }
}

#[test]
fn what_cannot_be_met_ends_with_the_nearest() {
    let sixteen = Request { givens: Some(16), ..Request::any(Shape::NINE) };
    let Generation::Unmet { nearest, attempts } = puzzle(&sixteen, 1, 0, &|| true).unwrap() else {
        panic!("there is no 9x9 puzzle with 16 givens")
    };
    assert_eq!(attempts, sixteen.attempts());
    let nearest = nearest.unwrap();
    assert_unique(&nearest);
    assert!((17..25).contains(&nearest.puzzle.given_count()));
    let ended = puzzle(&sixteen, 1, 0, &|| false).unwrap();
    assert_eq!(ended, Generation::Unmet { nearest: None, attempts: 0 });
}

#[test]
fn what_cannot_be_at_all_is_refused() {
    let refused = |request: Request| match puzzle(&request, 1, 0, &|| true) {
        Err(Error::Parameter { name: "givens", found, .. }) => found,
        other => panic!("{request:?}: {other:?}"),
    };
    assert_eq!(refused(Request { givens: Some(82), ..Request::any(Shape::NINE) }), "82");
    let odd = Request { symmetry: Symmetry::Rotational, givens: Some(101), ..Request::any(shape("16x16")) };
    assert_eq!(refused(odd), "101");
}

#[test]
fn minimality_is_told_apart() {
    let made = made(&Request { minimal: true, ..Request::any(Shape::NINE) }, 4, 0);
    assert_eq!(is_minimal(&made.puzzle, &made.solution), Some(true));
    let mut more = made.puzzle.givens().clone();
    let free = made.puzzle.free_cells().next().unwrap();
    more.set(free, made.solution.get(free));
    assert_eq!(is_minimal(&Puzzle::new(more).unwrap(), &made.solution), Some(false));
}

/// A change here is a change of what a seed gives, to be listed in the changelog.
#[test]
fn value_stability_of_generated_puzzles() {
    let line = |shape: Shape, seed, index| made(&Request::any(shape), seed, index).puzzle.givens().to_string();
    assert_eq!(
        line(Shape::NINE, 1, 0),
        "...1....6....73........9.....2..63..5.3.8......8..4.128...1..2..243...81....6..34"
    );
    assert_eq!(line(shape("4x4"), 1, 0), "....2.3.....41..");
}
