//! Generated puzzles as JSON, and what is said about a request that was not met.

use serde_json::json;
use swarmdoku::exact::generate::{Generated, Request};
use swarmdoku::{Error, Grid, Shape};

use crate::cli::output::note;
use crate::cli::print_line;

/// The fewest givens that a 9x9 puzzle with one solution can have (McGuire, Tugemann, Civario 2012).
const FEWEST_AT_NINE: usize = 17;

/// One object on one line.
pub fn json(request: &Request, seed: u64, index: u32, made: &Generated) -> Result<(), Error> {
    let line = json!({
        "puzzle": made.puzzle.givens().to_string(),
        "shape": request.shape.to_string(),
        "solution": made.solution.to_string(),
        "givens": made.puzzle.given_count(),
        "difficulty": made.grade.difficulty,
        "hardest": made.grade.hardest.map(|technique| technique.name()),
        "techniques_suffice": made.grade.techniques_suffice(),
        "nodes": made.nodes,
        "symmetry": request.symmetry.name(),
        "attempts": made.attempts,
        "seed": seed,
        "index": index,
        "version": env!("CARGO_PKG_VERSION"),
    });
    print_line(&line.to_string())
}

/// A full grid as one object on one line.
pub fn json_grid(grid: &Grid, seed: u64, index: u32) -> Result<(), Error> {
    let line = json!({
        "solution": grid.to_string(),
        "shape": grid.shape().to_string(),
        "seed": seed,
        "index": index,
        "version": env!("CARGO_PKG_VERSION"),
    });
    print_line(&line.to_string())
}

/// Says on standard error what was not met, what came nearest, and what to do.
pub fn unmet(request: &Request, index: u32, nearest: Option<&Generated>, attempts: u32) {
    let number = index + 1;
    let ended = if attempts < request.attempts() { "when the time was over" } else { "and no more are made" };
    let (wish, remedy) = (wish(request), remedy(request));
    note(format_args!("puzzle {number}: no puzzle with {wish} in {attempts} attempts, {ended}; {remedy}"));
    if let Some(made) = nearest {
        let (givens, difficulty) = (made.puzzle.given_count(), made.grade.difficulty);
        let puzzle = made.puzzle.givens();
        note(format_args!("puzzle {number}: the nearest has {givens} givens and is {difficulty}: {puzzle}"));
    }
}

fn wish(request: &Request) -> String {
    let givens = request.givens.map(|givens| format!("{givens} givens"));
    let difficulty = request.difficulty.map(|difficulty| format!("difficulty {difficulty}"));
    let minimal = request.minimal.then(|| "no given to spare".to_string());
    let all: Vec<String> = [givens, difficulty, minimal].into_iter().flatten().collect();
    if all.is_empty() { "one solution".into() } else { all.join(", ") }
}

fn remedy(request: &Request) -> String {
    match request.givens {
        Some(givens) if request.shape == Shape::NINE && givens < FEWEST_AT_NINE => {
            format!("a 9x9 puzzle with one solution has at least {FEWEST_AT_NINE}: give more")
        }
        Some(_) => "give more givens, or another seed".into(),
        None => "ask for less, or give another seed".into(),
    }
}
