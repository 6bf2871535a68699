//! Random full grids and puzzles with exactly one solution, of any shape.
//!
//! Experiments need hundreds of puzzles of a given size, fill and difficulty that can be made again. A puzzle is made in
//! attempts. All randomness of attempt `a` of puzzle `i` comes from one stream of the seed, so puzzle `i` does not depend on
//! the other puzzles.
//!
//! An attempt
//! 1. fills an empty grid by exact search that tries options in random order, with restarts (heavy tails: Gomes, Selman,
//!    Kautz, "Boosting combinatorial search through randomization", 1998), and then applies random symmetries. Such
//!    grids are varied, but not uniform over all grids; no pattern grid is shuffled;
//! 2. takes givens away in random order, symmetric ones together, as long as it is proved that the solution stays the
//!    only one, down to the wanted number or to the last that can go;
//! 3. proves the solution's uniqueness once more on the puzzle as it is, and grades it.
//!
//! Attempts are repeated until one meets the request, a bounded number of times. Some requests cannot be met (no 9x9 puzzle
//! has 16 givens: McGuire, Tugemann, Civario, "There is no 16-clue Sudoku", 2012); the result is then the nearest puzzle.

mod symmetry;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::population::rng::{Key, Stream, Words, shuffle};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

use super::grade::{Difficulty, Grade, grade};
use super::solve::Walk;
use super::{Limits, Method, SearchEnd, Solutions, Watch, has_other};

pub use symmetry::{Symmetry, scrambled};

/// The properties that a puzzle must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The shape.
    pub shape: Shape,
    /// The number of givens; without it, as few as taking givens away leads to.
    pub givens: Option<usize>,
    /// The difficulty.
    pub difficulty: Option<Difficulty>,
    /// The symmetry of the cells that hold givens.
    pub symmetry: Symmetry,
    /// True if no given may be removable.
    pub minimal: bool,
}

impl Request {
    /// Any puzzle of a shape.
    pub fn any(shape: Shape) -> Request {
        Request { shape, givens: None, difficulty: None, symmetry: Symmetry::None, minimal: false }
    }

    /// The most attempts: 1,000 at 9x9, fewer in proportion to their cost for larger shapes.
    pub fn attempts(&self) -> u32 {
        let ratio = 81.0 / self.shape.cells() as f64;
        ((1000.0 * ratio * ratio) as u32).clamp(4, 1000)
    }

    /// Checks what can be checked before anything is tried.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more givens than cells, and for a number of givens that the symmetry does not allow.
    pub fn validate(&self) -> Result<(), Error> {
        let Some(givens) = self.givens else { return Ok(()) };
        if givens > self.shape.cells() {
            let expected = "at most the number of cells";
            return Err(Error::Parameter { name: "givens", found: givens.to_string(), expected });
        }
        if givens % 2 == 1 && self.symmetry.orbits(self.shape).iter().all(|orbit| orbit.len() == 2) {
            let expected = "even, since this symmetry pairs all cells of this shape";
            return Err(Error::Parameter { name: "givens", found: givens.to_string(), expected });
        }
        Ok(())
    }

    /// True if a puzzle is as requested, its symmetry taken for granted.
    fn is_met_by(&self, made: &Generated) -> bool {
        self.givens.is_none_or(|givens| givens == made.puzzle.given_count())
            && self.difficulty.is_none_or(|difficulty| difficulty == made.grade.difficulty)
            && (!self.minimal || is_minimal(&made.puzzle, &made.solution) == Some(true))
    }

    /// How far a puzzle is from the request: givens first, then difficulty.
    fn distance(&self, made: &Generated) -> (usize, u8) {
        let givens = self.givens.map_or(0, |givens| givens.abs_diff(made.puzzle.given_count()));
        let difficulty = self.difficulty.map_or(0, |wanted| (wanted as u8).abs_diff(made.grade.difficulty as u8));
        (givens, difficulty)
    }
}

/// A puzzle with one solution, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its only solution.
    pub solution: Grid,
    /// How hard it is for a person.
    pub grade: Grade,
    /// Nodes that the exact search visited to prove that there is one solution.
    pub nodes: u64,
    /// Attempts made, this one included.
    pub attempts: u32,
}

/// The result of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Generation {
    /// A puzzle as requested.
    Met(Generated),
    /// No attempt met the request, or `go_on` ended them; the nearest puzzle, if there is one.
    Unmet {
        /// The puzzle nearest to the request.
        nearest: Option<Generated>,
        /// Attempts made.
        attempts: u32,
    },
}

/// The words of one attempt at one puzzle (or grid) of a seed.
fn words(seed: u64, index: u32, attempt: u32) -> Words {
    Words::new(Key::new(seed, 0, Stream::Generate), attempt, index)
}

/// Makes the puzzle number `index` of a seed; `go_on` is asked often, and may end it early.
///
/// ```
/// use swarmdoku::Shape;
/// use swarmdoku::exact::generate::{Generation, Request, puzzle};
///
/// let request = Request { givens: Some(30), ..Request::any(Shape::NINE) };
/// let Generation::Met(made) = puzzle(&request, 1, 0, &|| true)? else { panic!("30 givens are easily met") };
/// assert_eq!(made.puzzle.given_count(), 30);
/// assert!(made.puzzle.accepts(&made.solution));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
///
/// # Errors
/// What [`Request::validate`] reports.
pub fn puzzle(request: &Request, seed: u64, index: u32, go_on: &dyn Fn() -> bool) -> Result<Generation, Error> {
    request.validate()?;
    let mut nearest: Option<Generated> = None;
    for attempt in 0..request.attempts() {
        let Some(made) = attempt_at(request, &mut words(seed, index, attempt), go_on) else {
            return Ok(Generation::Unmet { nearest, attempts: attempt });
        };
        let made = made.map(|made| Generated { attempts: attempt + 1, ..made });
        if let Some(made) = made {
            if request.is_met_by(&made) {
                return Ok(Generation::Met(made));
            }
            if nearest.as_ref().is_none_or(|nearest| request.distance(&made) < request.distance(nearest)) {
                nearest = Some(made);
            }
        }
    }
    Ok(Generation::Unmet { nearest, attempts: request.attempts() })
}

/// One attempt: `None` if it was ended early, `Some(None)` if the puzzle was not proved to have one solution.
fn attempt_at(request: &Request, words: &mut Words, go_on: &dyn Fn() -> bool) -> Option<Option<Generated>> {
    let solution = fill(request.shape, words, go_on)?;
    let givens = dig(&solution, request.symmetry, request.givens.unwrap_or(0), words, go_on)?;
    proved(givens, solution, go_on)
}

/// A puzzle with what is known about it, as [`attempt_at`] gives it.
fn proved(givens: Grid, solution: Grid, go_on: &dyn Fn() -> bool) -> Option<Option<Generated>> {
    let Ok(puzzle) = Puzzle::new(givens) else { return Some(None) };
    let found = Method::Exact.search(&puzzle, Limits::default(), |_| going_on(go_on));
    match found.stop {
        SearchEnd::Interrupted => None,
        _ if found.is_unique() => {
            let grade = grade(&puzzle);
            Some(Some(Generated { puzzle, solution, grade, nodes: found.nodes, attempts: 0 }))
        }
        _ => Some(None),
    }
}

/// What an observer of a search answers.
fn going_on(go_on: &dyn Fn() -> bool) -> ControlFlow<()> {
    if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Makes the full random grid number `index` of a seed; `None` if `go_on` ended it early.
pub fn full_grid(shape: Shape, seed: u64, index: u32, go_on: &dyn Fn() -> bool) -> Option<Grid> {
    fill(shape, &mut words(seed, index, 0), go_on)
}

/// A random full grid, drawn from `words`; `None` if `go_on` ended it early. Grids are varied, but not uniform over all grids
/// of the shape.
fn fill(shape: Shape, words: &mut Words, go_on: &dyn Fn() -> bool) -> Option<Grid> {
    let empty = Grid::empty(shape);
    let mut observe = |_| going_on(go_on);
    loop {
        // A walk that went wrong early seldom comes out again: begin anew after a few nodes a cell.
        let limits = Limits { nodes: 2 * shape.cells() as u64, ..Limits::default() };
        let mut watch = Watch::new(&limits, &mut observe);
        let mut walk = Walk::shuffled(&empty, words);
        match walk.next(&mut watch) {
            Ok(Some(grid)) => return Some(scrambled(&grid, words)),
            Err(SearchEnd::Interrupted) => return None,
            Ok(None) | Err(_) => {}
        }
    }
}

/// Nodes for the proof that one given can go. A proof at 9x9 takes tens; where a larger shape needs more than these,
/// the given stays, since most such proofs would take very long.
const PROOF_NODES: u64 = 1000;

/// The givens left once orbits have been taken away in random order, none of them leaving fewer than `fewest`.
///
/// `None` if `go_on` ended it early.
fn dig(
    solution: &Grid,
    symmetry: Symmetry,
    fewest: usize,
    words: &mut Words,
    go_on: &dyn Fn() -> bool,
) -> Option<Grid> {
    let mut orbits = symmetry.orbits(solution.shape());
    shuffle(&mut orbits, || words.next_word());
    let mut givens = solution.clone();
    let mut left = solution.shape().cells();
    for orbit in orbits {
        if left == fewest {
            break;
        }
        if left - orbit.len() >= fewest && take_away(&mut givens, solution, &orbit) {
            left -= orbit.len();
        }
        if !go_on() {
            return None;
        }
    }
    Some(givens)
}

/// Empties the cells of an orbit, unless the solution is then not proved to be the only one.
fn take_away(givens: &mut Grid, solution: &Grid, orbit: &[usize]) -> bool {
    orbit.iter().for_each(|cell| givens.set(*cell, 0));
    let unique = orbit.iter().all(|cell| has_other(givens, *cell, solution.get(*cell), PROOF_NODES) == Some(false));
    if !unique {
        orbit.iter().for_each(|cell| givens.set(*cell, solution.get(*cell)));
    }
    unique
}

/// True if no given can be removed from a puzzle with one solution; `None` if that was not shown within the nodes that
/// a proof may take.
pub fn is_minimal(puzzle: &Puzzle, solution: &Grid) -> Option<bool> {
    let mut givens = puzzle.givens().clone();
    let mut known = true;
    for cell in (0..givens.shape().cells()).filter(|cell| puzzle.givens().get(*cell) != 0) {
        givens.set(cell, 0);
        match has_other(&givens, cell, solution.get(cell), PROOF_NODES) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = false,
        }
        givens.set(cell, solution.get(cell));
    }
    known.then_some(true)
}
