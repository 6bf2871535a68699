//! `swarmdoku compare`: algorithms against each other on the same puzzles, seeds and budget.

mod contest;
mod print;
mod puzzles;

use std::path::PathBuf;

use clap::Args;
use swarmdoku::Error;
use swarmdoku::experiment::Record;
use swarmdoku::report::Curve;
use swarmdoku::search::TracePoint;

use super::algorithm::{AlgorithmName, Plan};
use super::input::TextArgs;
use super::plot::PlotFile;
use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, count, drawn_seed};
use contest::Contest;

/// Compare algorithms on the same puzzles with the same seeds and budget.
///
/// Each algorithm runs on each puzzle with its default parameters, as often as --runs says, until it has solved the
/// puzzle or scored --evaluations candidates; where it has epochs, it restarts after them without limit. Run k has the
/// same seed for all of them. Runs take place one after another, each on all threads, so that their times are their own.
/// A run that does not solve counts as one that takes longer than any budget.
#[derive(Args)]
pub struct CompareArgs {
    /// The puzzles: cells row by row, `.` or 0 for a free cell
    #[arg(value_name = "PUZZLE", required_unless_present = "file", conflicts_with = "file")]
    puzzles: Vec<String>,

    /// A file of puzzles, in any of the usual text forms; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Algorithms, separated by commas, each with its default parameters [default: all]
    #[arg(short, long, alias = "algorithm", value_name = "LIST", value_delimiter = ',')]
    algorithms: Vec<AlgorithmName>,

    /// Runs of each algorithm on each puzzle
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    /// Candidates that a run may score
    #[arg(long, value_name = "N", default_value = "1_000_000", value_parser = count)]
    evaluations: u64,

    /// The seed that the runs' seeds are derived from; drawn and printed if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// One JSON object a puzzle, algorithm and line instead of tables
    #[arg(long)]
    json: bool,

    /// Draw the best total over evaluations, median and quartiles of the runs, into this SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    text: TextArgs,
}

pub fn run(args: &CompareArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let plans = plans(args)?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let plot = args.plot.as_deref().map(PlotFile::new).transpose()?;
    let (puzzles, bad) = puzzles::read(args)?;
    catch_interrupts();
    let mut contest = Contest::new(common, plans, args.runs, seed);
    if let Some(first) = puzzles.first() {
        contest.prepare(first.puzzle.shape())?;
    }
    if !args.json {
        print::head(&contest, args)?;
    }
    for (number, named) in (1..).zip(&puzzles) {
        if interrupted() {
            break;
        }
        let runs = contest.hold(number, &named.puzzle)?;
        if args.json {
            print::json(&contest, named, &runs)?;
        } else {
            print::table(&named.to_string(), &contest, &runs)?;
        }
        contest.keep(runs);
    }
    if puzzles.len() > 1 && !args.json {
        print::table(&format!("all {} puzzles", puzzles.len()), &contest, contest.kept())?;
    }
    if let Some(plot) = plot {
        let title = format!("{} puzzle(s), seed {seed}: median and quartiles of the runs", puzzles.len());
        plot.write(&title, &curves(&contest, args.evaluations))?;
    }
    Ok(match (interrupted(), bad) {
        (true, _) => Verdict::Interrupted,
        (false, 0) => Verdict::Yes,
        (false, _) => Verdict::BadInput,
    })
}

/// The plan of each algorithm that was named, each once, in the order given.
fn plans(args: &CompareArgs) -> Result<Vec<Plan>, Error> {
    let all = match args.algorithms.is_empty() {
        true => AlgorithmName::with_population().collect(),
        false => args.algorithms.clone(),
    };
    let mut plans: Vec<(AlgorithmName, Plan)> = Vec::new();
    for name in all {
        if plans.iter().all(|(planned, _)| *planned != name) {
            plans.push((name, Plan::of_evaluations(name, args.evaluations)?));
        }
    }
    Ok(plans.into_iter().map(|(_, plan)| plan).collect())
}

/// One curve an algorithm, of all its runs on all puzzles.
fn curves(contest: &Contest, evaluations: u64) -> Vec<Curve> {
    let curve = |(name, runs): (&'static str, &Vec<Record>)| {
        let traces: Vec<&[TracePoint]> = runs.iter().map(|run| &run.trace[..]).collect();
        Curve::new(format!("{name} ({} runs)", runs.len()), &traces, evaluations)
    };
    contest.names().zip(contest.kept()).map(curve).collect()
}
