//! The generated sets of `puzzles/` have the properties that its README states.

use std::collections::HashSet;
use std::path::Path;

use swarmdoku::exact::generate::is_minimal;
use swarmdoku::exact::grade::{Difficulty, grade};
use swarmdoku::exact::{self, Limits};
use swarmdoku::sudoku::text::{ReadOptions, read};
use swarmdoku::{Grid, Puzzle};

fn set(file: &str, count: usize) -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let entries = read(file, text.as_bytes(), ReadOptions::default());
    let puzzles: Vec<Puzzle> = entries.map(|entry| Puzzle::new(entry.unwrap().grid).unwrap()).collect();
    let different: HashSet<&Grid> = puzzles.iter().map(Puzzle::givens).collect();
    assert_eq!((puzzles.len(), different.len()), (count, count), "{file}");
    puzzles
}

/// The only solution.
fn solution(puzzle: &Puzzle) -> Grid {
    let mut found = exact::search(puzzle, Limits::default());
    assert!(found.is_unique(), "{}: {:?}", puzzle.givens(), found.stop);
    found.solutions.remove(0)
}

#[test]
fn puzzles_of_9x9_are_minimal_and_of_their_difficulty() {
    for difficulty in Difficulty::ALL {
        for puzzle in set(&format!("9x9-{difficulty}.txt"), 100) {
            assert_eq!(grade(&puzzle).difficulty, difficulty, "{}", puzzle.givens());
            assert_eq!(is_minimal(&puzzle, &solution(&puzzle)), Some(true), "{}", puzzle.givens());
            let theirs = sudoku::Sudoku::from_str_line(&puzzle.givens().to_string()).unwrap();
            assert!(theirs.is_uniquely_solvable(), "{}", puzzle.givens());
        }
    }
}

#[test]
fn large_puzzles_are_unique_and_filled_as_their_names_say() {
    for (file, shape, givens) in [
        ("16x16-40.txt", "16x16", 102),
        ("16x16-45.txt", "16x16", 115),
        ("16x16-50.txt", "16x16", 128),
        ("25x25-45.txt", "25x25", 281),
        ("25x25-50.txt", "25x25", 312),
        ("25x25-55.txt", "25x25", 344),
    ] {
        for puzzle in set(file, 20) {
            assert_eq!((puzzle.shape().to_string().as_str(), puzzle.given_count()), (shape, givens), "{file}");
            solution(&puzzle);
        }
    }
}
