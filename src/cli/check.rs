//! `swarmdoku check`: is it a puzzle, how many solutions has it, how hard is it?

mod findings;
mod print;

use std::ops::ControlFlow;
use std::time::Duration;

use clap::Args;
use swarmdoku::Error;
use swarmdoku::exact::Limits;
use swarmdoku::parallel::in_order;
use swarmdoku::sudoku;

use super::input::TextArgs;
use super::progress::{catch_interrupts, interrupted};
use super::source::{Item, SourceArgs};
use super::{Verdict, count, report, seconds};
use findings::{Findings, Solutions};

/// Tell whether puzzles are valid, how many solutions they have, and how hard they are.
///
/// A puzzle should have one solution, proved to be the only one. Where there are several, two are shown with the cells
/// in which they differ. The difficulty is that of the hardest technique a person needs: easy by singles alone, medium by
/// locked candidates and pairs, hard by triples, quads, fish and wings, expert where these are not enough.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 every puzzle has exactly one solution; 1 one has none or several, or a limit came before the proof; \
2 wrong usage; 3 bad input; 5 an output could not be written; 130 interrupted.")]
pub struct CheckArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// One JSON object a puzzle and line instead of text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    text: TextArgs,

    /// Solutions after which counting ends
    #[arg(long, value_name = "N", default_value = "1000", value_parser = at_least_two, help_heading = "Limits")]
    solutions: u64,

    /// Nodes a puzzle after which the search ends
    #[arg(long, value_name = "N", default_value = "1_000_000", value_parser = count, help_heading = "Limits")]
    nodes: u64,

    /// Seconds of wall time a puzzle after which the search ends
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Limits")]
    timeout: Duration,
}

pub fn run(args: &CheckArgs) -> Result<Verdict, Error> {
    catch_interrupts();
    let solutions = usize::try_from(args.solutions).unwrap_or(usize::MAX);
    let limits = Limits { solutions, nodes: args.nodes, time: Some(args.timeout) };
    let puzzles = args.source.puzzles(&args.text)?;
    let check = |(): &mut (), item: sudoku::Item| {
        item.read().map(|item| {
            let findings = Findings::of(&item.puzzle, limits);
            (item, findings)
        })
    };
    let mut worst = Verdict::Yes;
    let end = in_order(
        puzzles,
        || (),
        check,
        |checked| match print(args, checked) {
            Err(error) => ControlFlow::Break(Err(error)),
            Ok(_) if interrupted() => ControlFlow::Break(Ok(Verdict::Interrupted)),
            Ok(verdict) => {
                worst = worse(worst, verdict);
                ControlFlow::Continue(())
            }
        },
    );
    match end {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => Ok(worst),
    }
}

/// Prints what was found about a puzzle, or reports why it could not be read.
fn print(args: &CheckArgs, checked: Result<(Item, Findings), Error>) -> Result<Verdict, Error> {
    match checked {
        Ok((item, findings)) => {
            if args.json {
                print::json(&item, &findings)?
            } else {
                print::text(&item, &findings)?
            }
            Ok(if findings.solutions == Solutions::One { Verdict::Yes } else { Verdict::No })
        }
        Err(error @ Error::Read { .. }) => Err(error),
        Err(error) => {
            report(&error);
            Ok(Verdict::BadInput)
        }
    }
}

/// Bad input counts more than a puzzle that is not unique, and that more than one that is.
fn worse(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict| match verdict {
        Verdict::Yes => 0,
        Verdict::No => 1,
        Verdict::BadInput => 2,
        Verdict::Interrupted => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn at_least_two(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 | 1 => Err("at least 2 are needed to tell one solution from several".into()),
        solutions => Ok(solutions),
    }
}
