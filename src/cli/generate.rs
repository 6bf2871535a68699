//! `swarmdoku generate`: random puzzles with one solution, and random full grids.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::json;
use swarmdoku::exact::generate::{self, Generated, Generation, Request, Symmetry};
use swarmdoku::exact::grade::Difficulty;
use swarmdoku::{Error, Grid, Shape};

use super::output::note;
use super::progress::{catch_interrupts, interrupted};
use super::{GeneralArgs, Verdict, count, drawn_seed, print_line, seconds};

/// Puzzles generated between two writes: enough to keep all threads busy. It does not change the puzzles.
const CHUNK: u32 = 64;

/// Generate random puzzles with exactly one solution, or random full grids.
///
/// The K-th puzzle of a seed does not depend on the number of puzzles or threads. Each puzzle begins as a random full grid;
/// givens are removed as long as the solution stays the only one. If no puzzle meets the request after a limited number of
/// attempts, the nearest puzzle is printed and the exit code is 1.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 all puzzles were generated; 1 a request was not met; 2 wrong usage; 5 an output could not be written; 130 interrupted.")]
pub struct GenerateArgs {
    /// Shape of the grids: `9x9`, or with its blocks `6x6:3x2`
    #[arg(long, value_name = "SHAPE", default_value = "9x9")]
    shape: Shape,

    /// Number of puzzles or grids
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    count: u64,

    /// Difficulty for a person; `swarmdoku check --help` explains the levels
    #[arg(long, value_name = "DIFFICULTY")]
    difficulty: Option<DifficultyName>,

    /// Number of givens of each puzzle; without it, givens are removed until no more can be
    #[arg(long, value_name = "N", value_parser = count)]
    givens: Option<u64>,

    /// Symmetry of the cells that hold givens
    #[arg(long, value_name = "SYMMETRY", default_value = "none")]
    symmetry: SymmetryName,

    /// Accept only minimal puzzles: no given can be removed
    #[arg(long)]
    minimal: bool,

    /// Generate full grids instead of puzzles
    #[arg(long, conflicts_with_all = ["difficulty", "givens", "symmetry", "minimal"])]
    full: bool,

    /// Seed of all random numbers; if not given, it is drawn and printed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Print JSON instead of text: one object per puzzle, one per line, with solution, difficulty and seed
    #[arg(long)]
    json: bool,

    /// Stop after this many seconds in all; without it, only the number of attempts is limited
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

#[derive(Clone, Copy, ValueEnum)]
enum DifficultyName {
    Easy,
    Medium,
    Hard,
    Expert,
}

#[derive(Clone, Copy, ValueEnum)]
enum SymmetryName {
    None,
    Rotational,
    Mirror,
    Diagonal,
}

/// The arguments that all puzzles share.
struct Job<'a> {
    args: &'a GenerateArgs,
    request: Request,
    seed: u64,
    deadline: Option<Instant>,
}

pub fn run(args: &GenerateArgs, general: &GeneralArgs) -> Result<Verdict, Error> {
    catch_interrupts();
    let request = request(args);
    request.validate()?;
    let count = u32::try_from(args.count).ok().filter(|count| *count > 0).ok_or_else(|| Error::Parameter {
        name: "count",
        found: args.count.to_string(),
        expected: "at least 1 and below 2^32; use another seed for more",
    })?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    if args.seed.is_none() && !general.quiet {
        note(format_args!("seed {seed}"));
    }
    let deadline = args.timeout.and_then(|time| Instant::now().checked_add(time));
    Job { args, request, seed, deadline }.run(count)
}

fn request(args: &GenerateArgs) -> Request {
    Request {
        shape: args.shape,
        givens: args.givens.map(|givens| usize::try_from(givens).unwrap_or(usize::MAX)),
        difficulty: args.difficulty.map(|name| match name {
            DifficultyName::Easy => Difficulty::Easy,
            DifficultyName::Medium => Difficulty::Medium,
            DifficultyName::Hard => Difficulty::Hard,
            DifficultyName::Expert => Difficulty::Expert,
        }),
        symmetry: match args.symmetry {
            SymmetryName::None => Symmetry::None,
            SymmetryName::Rotational => Symmetry::Rotational,
            SymmetryName::Mirror => Symmetry::Mirror,
            SymmetryName::Diagonal => Symmetry::Diagonal,
        },
        minimal: args.minimal,
    }
}

impl Job<'_> {
    /// Generates puzzles in parallel, chunk by chunk, and prints them in order; ends after a chunk in which a request was
    /// not met.
    fn run(&self, count: u32) -> Result<Verdict, Error> {
        let mut first = 0;
        while first < count {
            let end = first.saturating_add(CHUNK).min(count);
            let all_met = if self.args.full { self.grids(first, end)? } else { self.puzzles(first, end)? };
            if interrupted() {
                return Ok(Verdict::Interrupted);
            }
            if !all_met {
                return Ok(Verdict::No);
            }
            first = end;
        }
        Ok(Verdict::Yes)
    }

    fn go_on(&self) -> bool {
        !interrupted() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    fn puzzles(&self, first: u32, end: u32) -> Result<bool, Error> {
        let make = |index| generate::puzzle(&self.request, self.seed, index, &|| self.go_on());
        let outcomes: Vec<Generation> = (first..end).into_par_iter().map(make).collect::<Result<_, _>>()?;
        let mut all_met = true;
        for (index, outcome) in (first..).zip(outcomes) {
            match outcome {
                Generation::Met(made) if self.args.json => print_json(&self.request, self.seed, index, &made)?,
                Generation::Met(made) => print_line(&made.puzzle.givens().to_string())?,
                Generation::Unmet { nearest, attempts } => {
                    all_met = false;
                    report_unmet(&self.request, index, nearest.as_ref(), attempts);
                }
            }
        }
        Ok(all_met)
    }

    fn grids(&self, first: u32, end: u32) -> Result<bool, Error> {
        let make = |index| generate::full_grid(self.request.shape, self.seed, index, &|| self.go_on());
        let grids: Vec<_> = (first..end).into_par_iter().map(make).collect();
        for (index, grid) in (first..).zip(&grids) {
            match grid {
                Some(grid) if self.args.json => print_json_grid(grid, self.seed, index)?,
                Some(grid) => print_line(&grid.to_string())?,
                None => note(format_args!("grid {}: not filled within --timeout", index + 1)),
            }
        }
        Ok(grids.iter().all(Option::is_some))
    }
}

/// The fewest givens that a 9x9 puzzle with one solution can have (McGuire, Tugemann, Civario 2012).
const FEWEST_AT_NINE: usize = 17;

/// Prints a puzzle as an object on one line.
fn print_json(request: &Request, seed: u64, index: u32, made: &Generated) -> Result<(), Error> {
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

/// Prints a full grid as an object on one line.
fn print_json_grid(grid: &Grid, seed: u64, index: u32) -> Result<(), Error> {
    let line = json!({
        "solution": grid.to_string(),
        "shape": grid.shape().to_string(),
        "seed": seed,
        "index": index,
        "version": env!("CARGO_PKG_VERSION"),
    });
    print_line(&line.to_string())
}

/// Reports a request that was not met, with the nearest puzzle and a remedy.
fn report_unmet(request: &Request, index: u32, nearest: Option<&Generated>, attempts: u32) {
    let number = index + 1;
    let ended = if attempts < request.attempts() { "then --timeout was reached" } else { "the most that are made" };
    let (wanted, remedy) = (wanted(request), remedy(request));
    note(format_args!("puzzle {number}: no puzzle with {wanted} was found in {attempts} attempts, {ended}; {remedy}"));
    if let Some(made) = nearest {
        let (givens, difficulty) = (made.puzzle.given_count(), made.grade.difficulty);
        let puzzle = made.puzzle.givens();
        note(format_args!("puzzle {number}: the nearest has {givens} givens and is {difficulty}: {puzzle}"));
    }
}

fn wanted(request: &Request) -> String {
    let givens = request.givens.map(|givens| format!("{givens} givens"));
    let difficulty = request.difficulty.map(|difficulty| format!("difficulty {difficulty}"));
    let minimal = request.minimal.then(|| "no removable given".to_string());
    let all: Vec<String> = [givens, difficulty, minimal].into_iter().flatten().collect();
    if all.is_empty() { "one solution".into() } else { all.join(", ") }
}

fn remedy(request: &Request) -> String {
    match request.givens {
        Some(givens) if request.shape == Shape::NINE && givens < FEWEST_AT_NINE => {
            format!("a 9x9 puzzle with one solution has at least {FEWEST_AT_NINE} givens: use a larger --givens")
        }
        Some(_) => "use a larger --givens or another --seed".into(),
        None => "use fewer conditions or another --seed".into(),
    }
}
