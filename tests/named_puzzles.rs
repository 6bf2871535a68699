//! Proofs of the numbers of solutions in `puzzles/named.csv`.

use std::collections::HashSet;
use std::path::Path;

use swarmdoku::exact::{self, Found, Limits};
use swarmdoku::{Grid, Puzzle, Shape};

struct Named {
    name: String,
    puzzle: Puzzle,
    solutions: String,
    source: String,
}

fn named_puzzles() -> Vec<Named> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/named.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    assert_eq!(reader.headers().unwrap(), &["name", "puzzle", "solutions", "source"][..]);
    let record = |row: csv::StringRecord| Named {
        name: row[0].into(),
        puzzle: puzzle(&row[1]),
        solutions: row[2].into(),
        source: row[3].into(),
    };
    reader.records().map(|row| record(row.unwrap())).collect()
}

fn puzzle(text: &str) -> Puzzle {
    let digit = |c: char| if c == '.' { 0 } else { c.to_digit(10).unwrap() as u8 };
    Puzzle::new(Grid::new(Shape::NINE, text.chars().map(digit).collect::<Vec<_>>()).unwrap()).unwrap()
}

/// The words of the `solutions` column.
fn solutions_proved(found: &Found) -> &'static str {
    match found.solutions.len() {
        1 if found.is_unique() => "1",
        2.. => "several",
        _ => "not proved",
    }
}

#[test]
fn every_named_puzzle_has_its_stated_number_of_solutions() {
    let puzzles = named_puzzles();
    assert_eq!(puzzles.len(), 14);
    for Named { name, puzzle, solutions, .. } in puzzles {
        let found = exact::search(&puzzle, Limits::default());
        println!("{name}: {} nodes", found.nodes);
        assert_eq!(solutions_proved(&found), solutions, "{name}: {:?} after {} nodes", found.stop, found.nodes);
        assert!(found.solutions.iter().all(|grid| puzzle.accepts(grid)), "{name}");
        assert!(found.nodes < 1000, "{name}: {} nodes", found.nodes);
    }
}

#[test]
fn names_are_unique_and_sources_stated() {
    let puzzles = named_puzzles();
    let names: HashSet<&str> = puzzles.iter().map(|named| named.name.as_str()).collect();
    assert_eq!(names.len(), puzzles.len());
    assert!(puzzles.iter().all(|named| !named.source.is_empty()));
}
