//! What is written, to the letter.

use swarmdoku::sudoku::render;
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Grid, Puzzle};

use crate::{LINE, OPEN, nine_rows, shape};

/// A grid of a shape: a digit in every other cell.
fn checkered(name: &str) -> Grid {
    let shape = shape(name);
    let digit = |cell: usize| ((cell + cell / shape.side()) % 2 * (cell % shape.side() + 1)) as u8;
    Grid::new(shape, (0..shape.cells()).map(digit).collect::<Vec<u8>>()).unwrap()
}

#[test]
fn lines_rows_and_sections_are_written() {
    let grid = read_one(LINE, OPEN).unwrap();
    assert_eq!(render::line(&grid), LINE);
    assert_eq!(render::rows(&grid), nine_rows());
    assert_eq!(render::sdk(&grid), format!("[Puzzle]\n{}", nine_rows()));
    assert_eq!(&render::line(&checkered("25x25:5x5"))[..26], ".2.4.6.8.A.C.E.G.I.K.M.O..");
}

#[test]
fn a_csv_has_names_that_need_quotes_in_quotes() {
    let grid = read_one("1...2...3...4...", OPEN).unwrap();
    let mut out = Vec::new();
    render::csv(&mut out, [(None, &grid), (Some("#1, the \"first\"\nof all"), &grid)]).unwrap();
    let expected = "puzzle,name\n1...2...3...4...,\n1...2...3...4...,\"#1, the \"\"first\"\" of all\"\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn pretty_9x9_has_borders() {
    let expected = "\
┌───────┬───────┬───────┐
│ 5 3 . │ . 7 . │ . . . │
│ 6 . . │ 1 9 5 │ . . . │
│ . 9 8 │ . . . │ . 6 . │
├───────┼───────┼───────┤
│ 8 . . │ . 6 . │ . . 3 │
│ 4 . . │ 8 . 3 │ . . 1 │
│ 7 . . │ . 2 . │ . . 6 │
├───────┼───────┼───────┤
│ . 6 . │ . . . │ 2 8 . │
│ . . . │ 4 1 9 │ . . 5 │
│ . . . │ . 8 . │ . 7 9 │
└───────┴───────┴───────┘
";
    assert_eq!(render::pretty(&read_one(LINE, OPEN).unwrap(), None, false), expected);
}

#[test]
fn pretty_marks_givens_and_a_terminal_may_have_them_bold() {
    let tall = ReadOptions { shape: Some(shape("6x6:3x2")), alphabet: None };
    let puzzle = Puzzle::new(read_one(&format!("1.....{}6", ".".repeat(29)), tall).unwrap()).unwrap();
    let grid = read_one(&format!("123456{}", ".....6".repeat(5)), tall).unwrap();
    let expected = "\
┌───────┬───────┬───────┐
│ 1' 2  │ 3  4  │ 5  6  │
│ .  .  │ .  .  │ .  6  │
│ .  .  │ .  .  │ .  6  │
├───────┼───────┼───────┤
│ .  .  │ .  .  │ .  6  │
│ .  .  │ .  .  │ .  6  │
│ .  .  │ .  .  │ .  6' │
└───────┴───────┴───────┘
";
    assert_eq!(render::pretty(&grid, Some(&puzzle), false), expected);
    let bold = expected.replace("1'", "\x1b[1m1'\x1b[0m").replace("6'", "\x1b[1m6'\x1b[0m");
    assert_eq!(render::pretty(&grid, Some(&puzzle), true), bold);
    let other = Puzzle::new(read_one(LINE, OPEN).unwrap()).unwrap();
    assert_eq!(render::pretty(&grid, Some(&other), true), render::pretty(&grid, None, true));
}

#[test]
fn pretty_numbers_past_nine_are_aligned_to_the_right() {
    let text = render::pretty(&checkered("16x16"), None, false);
    let first: Vec<&str> = text.lines().take(6).collect();
    assert_eq!(
        first,
        [
            "┌─────────────┬─────────────┬─────────────┬─────────────┐",
            "│  .  2  .  4 │  .  6  .  8 │  . 10  . 12 │  . 14  . 16 │",
            "│  1  .  3  . │  5  .  7  . │  9  . 11  . │ 13  . 15  . │",
            "│  .  2  .  4 │  .  6  .  8 │  . 10  . 12 │  . 14  . 16 │",
            "│  1  .  3  . │  5  .  7  . │  9  . 11  . │ 13  . 15  . │",
            "├─────────────┼─────────────┼─────────────┼─────────────┤",
        ]
    );
    for name in ["9x9", "6x6", "16x16", "25x25", "7x7:1x7"] {
        let text = render::pretty(&checkered(name), Puzzle::new(Grid::empty(shape(name))).ok().as_ref(), false);
        let mut widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        widths.dedup();
        assert_eq!(widths.len(), 1, "all lines of {name} are equally wide");
    }
}
