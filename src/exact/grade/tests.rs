//! Each technique on marks made for it: what it finds, and that it leaves alone what only resembles it.

use super::marks::Marks;
use super::*;
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// Marks of an empty 9x9 with some cells narrowed to these digits. Cells are (row, column), everything from 1.
fn narrowed(cells: &[((usize, usize), &[u32])]) -> Marks {
    let mut marks = Marks::new(&Grid::empty(Shape::NINE));
    for (cell, digits) in cells {
        let kept = mask(digits);
        marks.remove(at(*cell), !kept & mask(&[1, 2, 3, 4, 5, 6, 7, 8, 9]));
    }
    marks
}

/// Takes a digit off every cell of a unit but these.
fn only_in(marks: &mut Marks, digit: u32, unit: impl IntoIterator<Item = (usize, usize)>, kept: &[(usize, usize)]) {
    for cell in unit {
        if !kept.contains(&cell) {
            marks.remove(at(cell), mask(&[digit]));
        }
    }
}

fn row(row: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=9).map(move |column| (row, column))
}

fn column(column: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=9).map(move |row| (row, column))
}

fn block_one() -> impl Iterator<Item = (usize, usize)> {
    (1..=9).map(|k| ((k - 1) / 3 + 1, (k - 1) % 3 + 1))
}

fn at((row, column): (usize, usize)) -> usize {
    (row - 1) * 9 + column - 1
}

fn mask(digits: &[u32]) -> u32 {
    digits.iter().fold(0, |mask, digit| mask | 1 << (digit - 1))
}

fn has(marks: &Marks, cell: (usize, usize), digit: u32) -> bool {
    marks.of(at(cell)) & mask(&[digit]) != 0
}

/// Asserts that a technique takes exactly this digit off these cells, and then, applied until it finds no more, nothing
/// else.
fn takes(technique: Technique, marks: &mut Marks, digit: u32, from: &[(usize, usize)]) {
    let before = marks.clone();
    while technique.apply(marks) {}
    for cell in 0..81 {
        let gone = before.of(cell) & !marks.of(cell);
        let expected = if from.iter().any(|place| at(*place) == cell) { mask(&[digit]) } else { 0 };
        assert_eq!(gone, expected, "{technique} in row {}, column {}", cell / 9 + 1, cell % 9 + 1);
    }
}

#[test]
fn a_naked_single_fills_its_cell() {
    let mut marks = narrowed(&[((4, 5), &[7])]);
    assert!(Technique::NakedSingle.apply(&mut marks));
    assert_eq!(marks.of(at((4, 5))), 0);
    assert!(!has(&marks, (4, 9), 7) && !has(&marks, (9, 5), 7) && !has(&marks, (6, 6), 7) && has(&marks, (7, 7), 7));
    assert!(!Technique::NakedSingle.apply(&mut marks));
}

#[test]
fn a_hidden_single_fills_its_cell() {
    let mut marks = narrowed(&[]);
    only_in(&mut marks, 7, column(5), &[(4, 5)]);
    assert!(!Technique::NakedSingle.apply(&mut marks));
    assert!(Technique::HiddenSingle.apply(&mut marks));
    assert_eq!(marks.of(at((4, 5))), 0);
    assert!(!Technique::HiddenSingle.apply(&mut marks));
}

#[test]
fn pointing_takes_a_digit_from_the_rest_of_the_line() {
    let mut marks = narrowed(&[]);
    only_in(&mut marks, 3, block_one(), &[(2, 1), (2, 3)]);
    takes(Technique::LockedCandidates, &mut marks, 3, &[(2, 4), (2, 5), (2, 6), (2, 7), (2, 8), (2, 9)]);
}

#[test]
fn claiming_takes_a_digit_from_the_rest_of_the_block() {
    let mut marks = narrowed(&[]);
    only_in(&mut marks, 3, row(2), &[(2, 1), (2, 3)]);
    takes(Technique::LockedCandidates, &mut marks, 3, &[(1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)]);
}

#[test]
fn naked_subsets_take_their_digits_from_the_rest_of_the_unit() {
    let mut pair = narrowed(&[((1, 1), &[1, 2]), ((1, 9), &[1, 2])]);
    assert!(Technique::NakedPair.apply(&mut pair));
    assert!((2..=8).all(|column| pair.of(at((1, column))) == mask(&[3, 4, 5, 6, 7, 8, 9])));
    assert!(has(&pair, (2, 1), 1));

    let mut triple = narrowed(&[((1, 4), &[1, 2]), ((5, 4), &[2, 3]), ((9, 4), &[1, 3])]);
    assert!(!Technique::NakedPair.apply(&mut triple));
    assert!(Technique::NakedTriple.apply(&mut triple));
    assert!([2, 3, 4, 6, 7, 8].iter().all(|row| triple.of(at((*row, 4))) == mask(&[4, 5, 6, 7, 8, 9])));

    let cells: [((usize, usize), &[u32]); 4] =
        [((1, 1), &[1, 2]), ((1, 2), &[2, 3]), ((2, 3), &[3, 4]), ((3, 3), &[1, 4])];
    let mut quad = narrowed(&cells);
    assert!(!Technique::NakedTriple.apply(&mut quad));
    assert!(Technique::NakedQuad.apply(&mut quad));
    assert_eq!(quad.of(at((3, 1))), mask(&[5, 6, 7, 8, 9]));
    assert!(has(&quad, (3, 9), 1));
}

#[test]
fn hidden_subsets_take_other_digits_from_their_cells() {
    let places = [(1, 2), (1, 5), (1, 8), (1, 9)];
    for (size, technique) in [(2, Technique::HiddenPair), (3, Technique::HiddenTriple), (4, Technique::HiddenQuad)] {
        let mut marks = narrowed(&[]);
        let digits: Vec<u32> = (1..=size as u32).collect();
        digits.iter().for_each(|digit| only_in(&mut marks, *digit, row(1), &places[..size]));
        assert!(!Technique::NakedPair.apply(&mut marks) && !Technique::HiddenSingle.apply(&mut marks));
        assert!(technique.apply(&mut marks), "{technique}");
        assert!(places[..size].iter().all(|cell| marks.of(at(*cell)) == mask(&digits)), "{technique}");
        assert!(has(&marks, (1, 1), 9) && has(&marks, (2, 2), 9), "{technique}");
    }
}

#[test]
fn an_x_wing_takes_its_digit_from_its_columns() {
    let mut marks = narrowed(&[]);
    only_in(&mut marks, 5, row(2), &[(2, 3), (2, 7)]);
    only_in(&mut marks, 5, row(8), &[(8, 3), (8, 7)]);
    let rest: Vec<(usize, usize)> = [1, 3, 4, 5, 6, 7, 9].iter().flat_map(|row| [(*row, 3), (*row, 7)]).collect();
    takes(Technique::XWing, &mut marks, 5, &rest);
}

#[test]
fn a_swordfish_takes_its_digit_from_its_rows() {
    let mut marks = narrowed(&[]);
    only_in(&mut marks, 5, column(1), &[(2, 1), (5, 1)]);
    only_in(&mut marks, 5, column(5), &[(5, 5), (9, 5)]);
    only_in(&mut marks, 5, column(9), &[(2, 9), (9, 9)]);
    assert!(!Technique::XWing.apply(&mut marks.clone()));
    let rest: Vec<(usize, usize)> =
        [2, 5, 9].iter().flat_map(|row| [2, 3, 4, 6, 7, 8].map(|column| (*row, column))).collect();
    takes(Technique::Swordfish, &mut marks, 5, &rest);
}

#[test]
fn a_jellyfish_takes_its_digit_from_four_lines() {
    let mut marks = narrowed(&[]);
    for (row_index, places) in [(1, [1, 4]), (4, [4, 7]), (7, [7, 9]), (9, [9, 1])] {
        only_in(&mut marks, 5, row(row_index), &places.map(|column| (row_index, column)));
    }
    assert!(!Technique::Swordfish.apply(&mut marks.clone()));
    let rest: Vec<(usize, usize)> =
        [2, 3, 5, 6, 8].iter().flat_map(|row| [1, 4, 7, 9].map(|column| (*row, column))).collect();
    takes(Technique::Jellyfish, &mut marks, 5, &rest);
}

#[test]
fn an_xy_wing_takes_the_third_digit_from_what_sees_both_pincers() {
    let mut marks = narrowed(&[((1, 1), &[1, 2]), ((1, 7), &[1, 3]), ((5, 1), &[2, 3])]);
    takes(Technique::XyWing, &mut marks, 3, &[(5, 7)]);
    // Pincers that share the same digit of the pivot prove nothing.
    let mut marks = narrowed(&[((1, 1), &[1, 2]), ((1, 7), &[1, 3]), ((5, 1), &[1, 3])]);
    takes(Technique::XyWing, &mut marks, 3, &[]);
}

#[test]
fn a_contradiction_is_seen() {
    let mut no_digit = narrowed(&[((1, 1), &[1]), ((1, 2), &[1])]);
    assert!(!no_digit.is_dead());
    Technique::NakedSingle.apply(&mut no_digit);
    assert!(no_digit.is_dead() && !no_digit.is_solved());
    let mut no_place = narrowed(&[]);
    only_in(&mut no_place, 1, row(1), &[]);
    assert!(no_place.is_dead());
}

#[test]
fn the_ladder_rises_in_difficulty() {
    let difficulties = Technique::ALL.map(Technique::difficulty);
    assert!(difficulties.is_sorted());
    assert!(Technique::ALL.is_sorted());
}
