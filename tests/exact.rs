//! The exact solver against a search too simple to be wrong, against known counts, and against its own limits.

use proptest::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use swarmdoku::exact::{self, Found, Limits, Method, SearchEnd};
use swarmdoku::{Error, Grid, Puzzle, Shape};

/// A search too simple to be wrong: first empty cell, digits ascending, recursion.
mod oracle {
    use super::{Grid, Shape};

    /// The solutions of a grid without conflicts, or the first `limit` of them.
    pub fn solutions(givens: &Grid, limit: usize) -> Vec<Grid> {
        let mut found = Vec::new();
        extend(&mut givens.clone(), limit, &mut found);
        found
    }

    fn extend(grid: &mut Grid, limit: usize, found: &mut Vec<Grid>) {
        let Some(cell) = grid.cells().iter().position(|digit| *digit == 0) else { return found.push(grid.clone()) };
        for digit in 1..=grid.shape().side() as u8 {
            if found.len() < limit && fits(grid, cell, digit) {
                grid.set(cell, digit);
                extend(grid, limit, found);
                grid.set(cell, 0);
            }
        }
    }

    /// True if no cell that shares a unit with this one holds the digit.
    pub fn fits(grid: &Grid, cell: usize, digit: u8) -> bool {
        let shape = grid.shape();
        (0..shape.cells()).all(|other| grid.get(other) != digit || !share_a_unit(shape, cell, other))
    }

    fn share_a_unit(shape: Shape, a: usize, b: usize) -> bool {
        let n = shape.side();
        let block = |cell: usize| (cell / n / shape.block_rows(), cell % n / shape.block_columns());
        a / n == b / n || a % n == b % n || block(a) == block(b)
    }
}

fn small_shape() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![(2, 2), (2, 3), (3, 2), (1, 4), (5, 1)])
        .prop_map(|(rows, columns)| Shape::new(rows, columns).unwrap())
}

/// Digits thrown at cells and kept where they fit: none, one or many solutions.
fn scattered() -> impl Strategy<Value = Puzzle> {
    small_shape().prop_flat_map(|shape| {
        let throw = (0..shape.cells(), 1..=shape.side() as u8);
        prop::collection::vec(throw, 0..shape.cells() / 2).prop_map(move |throws| {
            let mut grid = Grid::empty(shape);
            for (cell, digit) in throws {
                if grid.get(cell) == 0 && oracle::fits(&grid, cell, digit) {
                    grid.set(cell, digit);
                }
            }
            Puzzle::new(grid).unwrap()
        })
    })
}

/// A solution with its digits renamed and some cells emptied: at least one solution.
fn dug() -> impl Strategy<Value = Puzzle> {
    small_shape().prop_flat_map(|shape| {
        let names = Just((1..=shape.side() as u8).collect::<Vec<_>>()).prop_shuffle();
        let kept = prop::collection::vec(any::<bool>(), shape.cells());
        (names, kept).prop_map(move |(names, kept)| {
            let digit = |cell| names[solved(shape, cell)];
            let cells: Vec<u8> = (0..shape.cells()).map(|cell| if kept[cell] { digit(cell) } else { 0 }).collect();
            Puzzle::new(Grid::new(shape, cells).unwrap()).unwrap()
        })
    })
}

/// A solution that every shape has: each row of a band is the one above moved on by a block's width.
fn solved(shape: Shape, cell: usize) -> usize {
    let (row, column) = (shape.row(cell), shape.column(cell));
    (row % shape.block_rows() * shape.block_columns() + row / shape.block_rows() + column) % shape.side()
}

fn sorted(mut grids: Vec<Grid>) -> Vec<Grid> {
    grids.sort_by(|a, b| a.cells().cmp(b.cells()));
    grids
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_solutions_are_those_of_plain_backtracking(puzzle in prop_oneof![scattered(), dug()]) {
        const LIMIT: usize = 300;
        let expected = oracle::solutions(puzzle.givens(), LIMIT);
        let found = exact::search(&puzzle, Limits { solutions: LIMIT, ..Limits::default() });
        prop_assert!(found.solutions.iter().all(|grid| puzzle.accepts(grid)));
        prop_assert_eq!(found.solutions.len(), expected.len());
        if expected.len() < LIMIT {
            prop_assert_eq!(sorted(found.solutions), sorted(expected));
            prop_assert_eq!(found.stop, SearchEnd::Exhausted);
        } else {
            prop_assert_eq!(found.stop, SearchEnd::SolutionLimit);
        }
    }

    #[test]
    fn plain_backtracking_finds_the_same_and_in_the_order_of_the_grids(puzzle in prop_oneof![scattered(), dug()]) {
        const LIMIT: usize = 300;
        let found = backtracking(&puzzle, Limits { solutions: LIMIT, nodes: u64::MAX, time: None });
        prop_assert_eq!(&found.solutions, &oracle::solutions(puzzle.givens(), LIMIT));
        prop_assert!(found.solutions.is_sorted_by(|a, b| a.cells() < b.cells()));
        let ended = if found.solutions.len() < LIMIT { SearchEnd::Exhausted } else { SearchEnd::SolutionLimit };
        prop_assert_eq!(found.stop, ended);
    }

    #[test]
    fn exactly_the_puzzles_without_a_solution_are_refuted(puzzle in prop_oneof![scattered(), dug()]) {
        let solvable = !oracle::solutions(puzzle.givens(), 1).is_empty();
        match exact::refute(&puzzle, u64::MAX) {
            Ok(()) => prop_assert!(solvable),
            Err(Error::Unsolvable(_)) => prop_assert!(!solvable),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

fn backtracking(puzzle: &Puzzle, limits: Limits) -> Found {
    Method::Backtracking.search(puzzle, limits, |_| ControlFlow::Continue(()))
}

fn nine(text: &str) -> Puzzle {
    let digits: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    Puzzle::new(Grid::new(Shape::NINE, digits).unwrap()).unwrap()
}

fn empty(side: usize) -> Puzzle {
    Puzzle::new(Grid::empty(Shape::of_side(side).unwrap())).unwrap()
}

/// Only the first row is given, as `1 2 3 ...`.
fn first_row_given(shape: &str) -> Puzzle {
    let mut grid = Grid::empty(shape.parse().unwrap());
    (0..grid.shape().side()).for_each(|column| grid.set(column, column as u8 + 1));
    Puzzle::new(grid).unwrap()
}

const ALL: Limits = Limits { solutions: usize::MAX, nodes: u64::MAX, time: None };

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const INKALA_2012: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

#[test]
fn whole_spaces_have_their_known_sizes() {
    assert_eq!(exact::search(&empty(4), ALL).solutions.len(), 288);
    // 28,200,960 grids of 6x6 and 161,280 Latin squares of order 5: the first row makes n! of each the same.
    for (shape, grids) in [("6x6", 28_200_960 / 720), ("6x6:3x2", 28_200_960 / 720), ("5x5:1x5", 161_280 / 120)] {
        let puzzle = first_row_given(shape);
        let found = exact::search(&puzzle, ALL);
        assert_eq!((found.solutions.len(), found.stop), (grids, SearchEnd::Exhausted), "{shape}");
        assert!(found.solutions.iter().all(|grid| puzzle.accepts(grid)), "{shape}");
    }
}

#[test]
fn no_solution_comes_twice() {
    let mut solutions = sorted(exact::search(&empty(4), ALL).solutions);
    solutions.dedup();
    assert_eq!(solutions.len(), 288);
}

#[test]
fn an_easy_puzzle_needs_singles_alone_and_gives_its_solution() {
    let found = exact::search(&nine(EASY), Limits::default());
    assert_eq!(found.nodes, 1);
    assert!(found.is_unique() && !found.proves_unsolvable());
    let line = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";
    assert_eq!(found.solutions[0].to_string(), line);
}

#[test]
fn a_full_grid_is_its_own_only_solution() {
    let solution = exact::search(&nine(EASY), Limits::default()).solutions.remove(0);
    let found = exact::search(&Puzzle::new(solution.clone()).unwrap(), Limits::default());
    assert!(found.is_unique());
    assert_eq!(found.solutions, [solution]);
}

#[test]
fn nodes_of_a_hard_puzzle_are_pinned() {
    let found = exact::search(&nine(INKALA_2012), Limits::default());
    assert!(found.is_unique());
    assert_eq!(found.nodes, 95);
}

#[test]
fn every_shape_is_searched_and_solved() {
    for shape in Shape::all() {
        let cells: Vec<u8> =
            (0..shape.cells()).map(|cell| if cell % 3 == 0 { 0 } else { solved(shape, cell) as u8 + 1 }).collect();
        let puzzle = Puzzle::new(Grid::new(shape, cells).unwrap()).unwrap();
        let found = exact::search(&puzzle, Limits { solutions: 1, ..Limits::default() });
        assert_eq!(found.stop, SearchEnd::SolutionLimit, "{shape}");
        assert!(puzzle.accepts(&found.solutions[0]), "{shape}");
    }
}

#[test]
fn the_solution_limit_is_honoured() {
    for (side, solutions) in [(4, 0), (4, 1), (4, 287), (4, 288), (6, 10_000), (9, 100), (16, 3)] {
        let found = exact::search(&empty(side), Limits { solutions, ..Limits::default() });
        assert_eq!((found.solutions.len(), found.stop), (solutions, SearchEnd::SolutionLimit), "{side}x{side}");
    }
    let one_more = exact::search(&empty(4), Limits { solutions: 289, ..Limits::default() });
    assert_eq!((one_more.solutions.len(), one_more.stop), (288, SearchEnd::Exhausted));
}

#[test]
fn the_node_limit_is_honoured_to_the_node() {
    let puzzle = nine(INKALA_2012);
    for nodes in [0, 1, 2, 94] {
        let found = exact::search(&puzzle, Limits { nodes, ..Limits::default() });
        assert_eq!((found.nodes, found.stop), (nodes, SearchEnd::NodeLimit));
        assert!(!found.is_unique() && !found.proves_unsolvable());
    }
    assert!(exact::search(&puzzle, Limits { nodes: 95, ..Limits::default() }).is_unique());
}

#[test]
fn an_empty_25x25_stops_at_the_node_limit() {
    let found = exact::search(&empty(25), Limits { solutions: usize::MAX, nodes: 20_000, time: None });
    assert_eq!((found.nodes, found.stop), (20_000, SearchEnd::NodeLimit));
    assert!(exact::refute(&empty(25), 20_000).is_ok());
}

fn refusal(puzzle: &Puzzle) -> String {
    exact::refute(puzzle, 1_000_000).unwrap_err().to_string()
}

#[test]
fn a_cell_without_a_digit_is_named_with_what_took_them() {
    let puzzle = nine(concat!(
        "12345678.",
        ".........",
        ".........",
        "........9",
        ".........",
        ".........",
        ".........",
        ".........",
        "........."
    ));
    let message = "the puzzle has no solution: row 1, column 9 has no digit left: \
                   its row holds 1 2 3 4 5 6 7 8, its column holds 9; check the givens";
    assert_eq!(refusal(&puzzle), message);
    assert!(exact::search(&puzzle, Limits::default()).proves_unsolvable());
    // A node limit of 0 leaves what is plain to see.
    assert!(exact::refute(&puzzle, 0).is_err());
}

#[test]
fn a_digit_without_a_place_is_named_with_its_unit() {
    let rows = ["7........", "...7.....", "......123"];
    let row = nine(&format!("{}{}", rows.concat(), ".".repeat(54)));
    assert!(refusal(&row).contains(": digit 7 has no place left in row 3;"), "{}", refusal(&row));

    let mut cells = Grid::empty(Shape::NINE);
    (0..81).for_each(|cell| cells.set(cell % 9 * 9 + cell / 9, row.givens().get(cell)));
    let column = Puzzle::new(cells).unwrap();
    assert!(refusal(&column).contains(": digit 7 has no place left in column 3;"), "{}", refusal(&column));

    let rows = ["...7.....", "7........", "....12...", "....34..."];
    let block = nine(&[rows[0], &".".repeat(18), &rows[1..].concat(), &".".repeat(27)].concat());
    assert!(refusal(&block).contains(": digit 7 has no place left in block 5;"), "{}", refusal(&block));
}

#[test]
fn a_solvable_puzzle_is_not_refused() {
    for text in [EASY, INKALA_2012] {
        assert!(exact::refute(&nine(text), 1_000_000).is_ok());
    }
}

#[test]
fn what_only_singles_show_is_said_so() {
    let puzzle = nine("53..7....62.195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    assert_eq!(exact::search(&puzzle, Limits::default()).nodes, 1);
    let reason = ": once every forced digit stands, row 5, column 2 has no digit left;";
    assert!(refusal(&puzzle).contains(reason), "{}", refusal(&puzzle));
}

#[test]
fn what_only_search_shows_is_told_with_its_size() {
    // The 2012 puzzle with a 2 given where its solution has another digit.
    let puzzle = nine(&INKALA_2012.replacen("8.", "82", 1));
    assert!(exact::search(&puzzle, Limits::default()).proves_unsolvable());
    assert!(refusal(&puzzle).contains(": shown by an exhaustive search of 139 nodes;"), "{}", refusal(&puzzle));
    assert!(exact::refute(&puzzle, 138).is_ok(), "138 nodes show nothing");
}

const ANTI_BRUTE_FORCE: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

#[test]
fn nodes_of_plain_backtracking_are_those_of_the_recursion() {
    // Counted with the tutorial's recursive function: one for each call.
    for (text, nodes) in [(EASY, 49), (INKALA_2012, 49_559)] {
        let found = backtracking(&nine(text), Limits { solutions: 1, ..Limits::default() });
        assert_eq!((found.nodes, found.stop), (nodes, SearchEnd::SolutionLimit));
        assert_eq!(found.solutions, exact::search(&nine(text), Limits::default()).solutions);
    }
}

#[test]
fn plain_backtracking_keeps_its_limits_too() {
    let puzzle = nine(ANTI_BRUTE_FORCE);
    let found = backtracking(&puzzle, Limits { nodes: 1000, ..Limits::default() });
    assert_eq!((found.nodes, found.stop), (1000, SearchEnd::NodeLimit));
    let full = exact::search(&nine(EASY), Limits::default()).solutions.remove(0);
    let found = backtracking(&Puzzle::new(full.clone()).unwrap(), Limits::default());
    assert!(found.is_unique() && found.solutions == [full]);
}

#[test]
fn the_time_limit_is_honoured_and_named() {
    for (method, puzzle) in [(Method::Backtracking, nine(ANTI_BRUTE_FORCE)), (Method::Exact, empty(25))] {
        let time = Duration::from_millis(50);
        let started = Instant::now();
        let limits = Limits { solutions: usize::MAX, nodes: u64::MAX, time: Some(time) };
        // Solutions of an empty grid have no end, and take memory: only backtracking is left to the clock alone.
        let limits = if method == Method::Exact { Limits { time: Some(Duration::ZERO), ..limits } } else { limits };
        let found = method.search(&puzzle, limits, |_| ControlFlow::Continue(()));
        assert_eq!(found.stop, SearchEnd::TimeLimit);
        assert!(!found.is_unique() && !found.proves_unsolvable());
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

#[test]
fn the_observer_sees_the_nodes_and_may_end_the_search() {
    let mut seen = Vec::new();
    let found = Method::Backtracking.search(&nine(ANTI_BRUTE_FORCE), Limits::default(), |nodes| {
        seen.push(nodes);
        if nodes < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(found.stop, SearchEnd::Interrupted);
    assert_eq!(seen.last(), Some(&found.nodes));
    assert!(seen.is_sorted() && (1000..2000).contains(&found.nodes));
}

/// Fills the first free cell that has one with a digit that conflicts with no given, but is not the solution's.
fn spoil(givens: &mut Grid, solution: &Grid) {
    for cell in (0..81).filter(|cell| givens.get(*cell) == 0).collect::<Vec<_>>() {
        for digit in (1..=9).filter(|digit| *digit != solution.get(cell)) {
            let mut spoilt = givens.clone();
            spoilt.set(cell, digit);
            if Puzzle::new(spoilt.clone()).is_ok() {
                *givens = spoilt;
                return;
            }
        }
    }
}

#[test]
fn the_sudoku_crate_agrees_on_solutions_and_their_number() {
    use swarmdoku::exact::generate::full_grid;
    let (mut none, mut one, mut several) = (0, 0, 0);
    for index in 0..300 {
        let full = full_grid(Shape::NINE, 5, index, &|| true).unwrap();
        // A quarter to seven twelfths of the cells are given: many solutions or one. A digit that is not the solution's, but
        // conflicts with no given, leaves some puzzles without any.
        let given = 3 + index as usize % 5;
        let mut givens = Grid::empty(Shape::NINE);
        (0..81)
            .filter(|cell| (cell * 7 + index as usize) % 12 < given)
            .for_each(|cell| givens.set(cell, full.get(cell)));
        if index % 2 == 0 {
            spoil(&mut givens, &full);
        }
        let puzzle = Puzzle::new(givens).unwrap();
        let theirs = sudoku::Sudoku::from_str_line(&puzzle.givens().to_string()).unwrap();
        let ours = exact::search(&puzzle, Limits { solutions: 50, ..Limits::default() });
        let theirs: Vec<String> =
            theirs.solutions_up_to(50).iter().map(|grid| grid.to_str_line().to_string()).collect();
        assert_eq!(ours.solutions.len(), theirs.len(), "{}", puzzle.givens());
        if theirs.len() < 50 {
            let mut ours: Vec<String> = ours.solutions.iter().map(Grid::to_string).collect();
            let mut theirs = theirs;
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{}", puzzle.givens());
        }
        match ours.solutions.len() {
            0 => none += 1,
            1 => one += 1,
            _ => several += 1,
        }
    }
    assert!(none > 5 && one > 50 && several > 50, "{none} without a solution, {one} with one, {several} with several");
}
