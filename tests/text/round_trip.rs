//! Whatever is written reads back as the same grid, for every shape and any cells.

use proptest::prelude::*;
use swarmdoku::sudoku::render;
use swarmdoku::sudoku::text::{Alphabet, ReadOptions, read};
use swarmdoku::{Grid, Puzzle, Shape};

use crate::{OPEN, of_alphabet};

/// Any grid: full, sparse or empty.
fn grids(of: fn(&Shape) -> bool) -> impl Strategy<Value = Grid> {
    let shapes: Vec<Shape> = Shape::all().filter(of).collect();
    (prop::sample::select(shapes), 0..=100_u32).prop_flat_map(|(shape, filled)| {
        let cell =
            (0..100_u32, 1..=shape.side() as u8).prop_map(move |(draw, digit)| if draw < filled { digit } else { 0 });
        prop::collection::vec(cell, shape.cells())
            .prop_map(move |cells| Grid::new(shape, cells).expect("digits of the shape"))
    })
}

/// Everything that is written of a grid, by what it is called.
fn written(grid: &Grid) -> [(&'static str, String); 6] {
    let mut csv = Vec::new();
    render::csv(&mut csv, [(Some("any"), grid)]).expect("memory takes it");
    let first = grid.cells().iter().position(|digit| *digit > 0);
    let mut givens = Grid::empty(grid.shape());
    first.into_iter().for_each(|cell| givens.set(cell, grid.get(cell)));
    let puzzle = Puzzle::new(givens).expect("one given has no conflict");
    [
        ("line", render::line(grid)),
        ("rows", render::rows(grid)),
        ("sdk", render::sdk(grid)),
        ("pretty", render::pretty(grid, None, false)),
        ("pretty with givens", render::pretty(grid, Some(&puzzle), false)),
        ("csv", String::from_utf8(csv).expect("a CSV is text")),
    ]
}

/// The only grid of a text.
fn back(text: &str, options: ReadOptions) -> Result<Grid, String> {
    let grids: Result<Vec<Grid>, _> =
        read("back", text.as_bytes(), options).map(|entry| entry.map(|entry| entry.grid)).collect();
    match grids.map_err(|error| error.to_string())?.as_slice() {
        [grid] => Ok(grid.clone()),
        grids => Err(format!("{} grids", grids.len())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_of_any_grid_reads_back_under_its_shape_and_alphabet(grid in grids(|_| true)) {
        let options = ReadOptions { shape: Some(grid.shape()), alphabet: Some(Alphabet::FromOne) };
        for (form, text) in written(&grid) {
            prop_assert_eq!(back(&text, options), Ok(grid.clone()), "{}", form);
        }
    }

    #[test]
    fn without_options_a_grid_of_usual_blocks_reads_back_or_the_error_names_the_option(grid in grids(|shape| shape.is_default())) {
        for (form, text) in written(&grid) {
            match back(&text, OPEN) {
                Ok(read) => prop_assert_eq!(&read, &grid, "{}", form),
                Err(error) => {
                    let by_letters = error.contains("--alphabet 1-9A-G") && grid.cells().iter().all(|digit| *digit == 0 || *digit > 9);
                    let by_side = error.contains("--shape 16x16") && grid.shape().side() == 16 && form != "line";
                    prop_assert!(by_letters || by_side, "{}: {}", form, error);
                }
            }
        }
    }
}

#[test]
fn grids_with_all_digits_of_usual_shapes_read_back_without_options() {
    for shape in Shape::all().filter(|shape| shape.is_default()) {
        let n = shape.side();
        let cells: Vec<u8> = (0..shape.cells()).map(|cell| ((cell + cell / n) % (n + 1)) as u8).collect();
        let grid = Grid::new(shape, cells).unwrap();
        for (form, text) in written(&grid) {
            assert_eq!(back(&text, OPEN), Ok(grid.clone()), "{form} of {shape}");
        }
    }
}

#[test]
fn a_25x25_grid_reads_back_in_its_letters_up_to_p() {
    let shape = Shape::of_side(25).unwrap();
    let grid = Grid::new(shape, (0..625).map(|cell| (cell % 25 + 1) as u8).collect::<Vec<u8>>()).unwrap();
    let line = render::line(&grid);
    assert!(line.starts_with("123456789ABCDEFGHIJKLMNOP1"));
    assert_eq!(back(&line, OPEN), Ok(grid.clone()));
    assert_eq!(back(&line.to_lowercase(), of_alphabet(Alphabet::FromOne)), Ok(grid));
}
