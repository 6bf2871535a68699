//! `swarmdoku generate`: random puzzles with one solution, and random full grids.

mod print;

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use swarmdoku::exact::generate::{self, Outcome, Request, Symmetry};
use swarmdoku::exact::grade::Difficulty;
use swarmdoku::{Error, Shape};

use super::output::note;
use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, count, drawn_seed, print_line, seconds};

/// Puzzles made between two writes; large enough to keep all threads busy, and of no influence on what is made.
const CHUNK: u32 = 64;

/// Make random puzzles with exactly one solution, or random full grids, of any shape.
///
/// Puzzle K of a seed is the same whatever the number of puzzles or threads. Each is made from a random full grid by
/// taking givens away as long as the solution is proved to stay the only one. A request that is not met after a bounded
/// number of attempts ends with code 1 and the nearest puzzle that was found.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 all were made; 1 a request was not met; 2 wrong usage; 5 an output could not be written; 130 interrupted.")]
pub struct GenerateArgs {
    /// Shape of the grids: `9x9`, or with its blocks `6x6:3x2`
    #[arg(long, value_name = "SHAPE", default_value = "9x9")]
    shape: Shape,

    /// How many
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    count: u64,

    /// How hard for a person: easy needs singles, medium locked candidates and pairs, hard triples, quads, fish and wings
    #[arg(long, value_name = "DIFFICULTY")]
    difficulty: Option<DifficultyName>,

    /// Givens of each puzzle; without it, as few as taking them away leads to
    #[arg(long, value_name = "N", value_parser = count)]
    givens: Option<u64>,

    /// Symmetry of the cells that hold givens
    #[arg(long, value_name = "SYMMETRY", default_value = "none")]
    symmetry: SymmetryName,

    /// Only puzzles none of whose givens can be removed
    #[arg(long)]
    minimal: bool,

    /// Full grids instead of puzzles
    #[arg(long, conflicts_with_all = ["difficulty", "givens", "symmetry", "minimal"])]
    full: bool,

    /// The seed of all randomness; drawn and printed if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// One JSON object a line, with solution, givens, difficulty, nodes, symmetry and seed
    #[arg(long)]
    json: bool,

    /// Seconds of wall time in all; without it, the number of attempts is the only limit
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

/// What stays the same from puzzle to puzzle.
struct Job<'a> {
    args: &'a GenerateArgs,
    request: Request,
    seed: u64,
    deadline: Option<Instant>,
}

pub fn run(args: &GenerateArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    catch_interrupts();
    let request = request(args);
    request.validate()?;
    let count = u32::try_from(args.count).ok().filter(|count| *count > 0).ok_or_else(|| Error::Parameter {
        name: "count",
        found: args.count.to_string(),
        expected: "at least 1 and below 2^32; use another seed for more",
    })?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    if args.seed.is_none() && !common.quiet {
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
    /// Makes puzzles chunk by chunk, in parallel inside a chunk, and prints them in order; ends behind a chunk in which
    /// a request was not met.
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
        let outcomes: Vec<Outcome> = (first..end).into_par_iter().map(make).collect::<Result<_, _>>()?;
        let mut all_met = true;
        for (index, outcome) in (first..).zip(outcomes) {
            match outcome {
                Outcome::Met(made) if self.args.json => print::json(&self.request, self.seed, index, &made)?,
                Outcome::Met(made) => print_line(&made.puzzle.givens().to_string())?,
                Outcome::Unmet { nearest, attempts } => {
                    all_met = false;
                    print::unmet(&self.request, index, nearest.as_ref(), attempts);
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
                Some(grid) if self.args.json => print::json_grid(grid, self.seed, index)?,
                Some(grid) => print_line(&grid.to_string())?,
                None => note(format_args!("grid {}: the time was over before it was filled", index + 1)),
            }
        }
        Ok(grids.iter().all(Option::is_some))
    }
}
