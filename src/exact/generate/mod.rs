//! Random full grids and puzzles with exactly one solution, of any shape.
//!
//! Experiments need puzzles by the hundred: of a given size, fill and difficulty, new to every algorithm, and the same
//! again tomorrow. A puzzle is made in attempts, and all randomness of attempt `a` of puzzle `i` comes from one stream
//! of the seed, so puzzle `i` is the same whoever makes it and whatever else is made.
//!
//! An attempt
//! 1. fills an empty grid by exact search that tries options in random order, with restarts (heavy tails: Gomes, Selman,
//!    Kautz, "Boosting combinatorial search through randomization", 1998), and then applies random symmetries. Such
//!    grids are varied, but not uniform over all grids; no pattern grid is shuffled;
//! 2. takes givens away in random order, symmetric ones together, as long as it is proved that the solution stays the
//!    only one, down to the wanted number or to the last that can go;
//! 3. proves the solution's uniqueness once more on the puzzle as it is, and grades it.
//!
//! Attempts are repeated until one is as requested, a bounded number of times. An arbitrary wish cannot be met (no 9x9
//! puzzle has 16 givens: McGuire, Tugemann, Civario, "There is no 16-clue Sudoku", 2012); then the nearest puzzle
//! comes back.
//!
//! Reading order: `fill`, `symmetry`, `dig`.

mod dig;
mod fill;
mod symmetry;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::population::rng::{Key, Stream, Words};
use crate::sudoku::Grid;
use crate::sudoku::Puzzle;
use crate::sudoku::Shape;

use super::grade::{Difficulty, Grade, grade};
use super::{Limits, Method, Stop};

pub use dig::is_minimal;
pub use fill::random_grid;
pub use symmetry::{Symmetry, scrambled};

/// What a puzzle is to be like.
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
    /// True if no given may be left that could be removed.
    pub minimal: bool,
}

impl Request {
    /// Any puzzle of a shape.
    pub fn any(shape: Shape) -> Request {
        Request { shape, givens: None, difficulty: None, symmetry: Symmetry::None, minimal: false }
    }

    /// Attempts after which a puzzle is given up: 1,000 at 9x9, fewer in proportion to their cost for larger shapes.
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
    /// Attempts it took, this one included.
    pub attempts: u32,
}

/// What came of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A puzzle as requested.
    Met(Generated),
    /// All attempts were made, or `go_on` said no; the nearest puzzle, if there is one.
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
/// use swarmdoku::exact::generate::{Outcome, Request, puzzle};
///
/// let request = Request { givens: Some(30), ..Request::any(Shape::NINE) };
/// let Outcome::Met(made) = puzzle(&request, 1, 0, &|| true)? else { panic!("30 givens are easily met") };
/// assert_eq!(made.puzzle.given_count(), 30);
/// assert!(made.puzzle.accepts(&made.solution));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
///
/// # Errors
/// What [`Request::validate`] reports.
pub fn puzzle(request: &Request, seed: u64, index: u32, go_on: &dyn Fn() -> bool) -> Result<Outcome, Error> {
    request.validate()?;
    let mut nearest: Option<Generated> = None;
    for attempt in 0..request.attempts() {
        let Some(made) = attempt_at(request, &mut words(seed, index, attempt), go_on) else {
            return Ok(Outcome::Unmet { nearest, attempts: attempt });
        };
        let made = made.map(|made| Generated { attempts: attempt + 1, ..made });
        if let Some(made) = made {
            if request.is_met_by(&made) {
                return Ok(Outcome::Met(made));
            }
            if nearest.as_ref().is_none_or(|nearest| request.distance(&made) < request.distance(nearest)) {
                nearest = Some(made);
            }
        }
    }
    Ok(Outcome::Unmet { nearest, attempts: request.attempts() })
}

/// One attempt: `None` if it was ended early, `Some(None)` if the puzzle was not proved to have one solution.
fn attempt_at(request: &Request, words: &mut Words, go_on: &dyn Fn() -> bool) -> Option<Option<Generated>> {
    let solution = fill::fill(request.shape, words, go_on)?;
    let givens = dig::dig(&solution, request.symmetry, request.givens.unwrap_or(0), words, go_on)?;
    proved(givens, solution, go_on)
}

/// A puzzle with what is known about it, as [`attempt_at`] gives it.
fn proved(givens: Grid, solution: Grid, go_on: &dyn Fn() -> bool) -> Option<Option<Generated>> {
    let Ok(puzzle) = Puzzle::new(givens) else { return Some(None) };
    let found = Method::Exact.search(&puzzle, Limits::default(), |_| going_on(go_on));
    match found.stop {
        Stop::Interrupted => None,
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
    fill::fill(shape, &mut words(seed, index, 0), go_on)
}
