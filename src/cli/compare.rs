//! `swarmdoku compare`: algorithms against each other on the same puzzles, seeds and budget.

mod contest;
mod print;
mod puzzles;

use std::path::PathBuf;

use clap::Args;
use swarmdoku::Error;
use swarmdoku::experiment::Record;
use swarmdoku::report::Curve;
use swarmdoku::search::{ALGORITHMS, Algorithm, Budget, TracePoint, sample_puzzle};

use super::algorithm::{self, ParameterArgs, Setup};
use super::input::TextArgs;
use super::plot::PlotFile;
use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, drawn_seed};
use contest::Contest;

/// Compare algorithms on the same puzzles with the same seeds and budget.
///
/// Each algorithm runs on each puzzle as often as --runs says, until it has solved the puzzle or scored --evaluations
/// candidates [default: 1,000,000]; where it has epochs, it restarts after them without limit, unless --restarts is given.
/// An option goes to those algorithms that have it, and the output says so if not all do; one that none has is an error.
/// Run k has the same seed for all of them. Runs take place one after another, each on all threads, so that their times
/// are their own. A run that does not solve counts as one that takes longer than any budget. `exact` and `backtracking`
/// make one run per puzzle; their budget is --nodes.
#[derive(Args)]
#[command(after_help = "\
`swarmdoku algorithms NAME` lists the options of an algorithm, with defaults and ranges.")]
pub struct CompareArgs {
    /// The puzzles: cells row by row, `.` or 0 for a free cell
    #[arg(value_name = "PUZZLE", required_unless_present = "file", conflicts_with = "file")]
    puzzles: Vec<String>,

    /// A file of puzzles, in any of the usual text forms; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Algorithms, separated by commas [default: all that score a population]
    #[arg(
        short,
        long,
        alias = "algorithm",
        value_name = "LIST",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = algorithm::names()
    )]
    algorithms: Vec<String>,

    /// Runs of each algorithm on each puzzle
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

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

    #[command(flatten)]
    parameters: ParameterArgs,
}

/// Candidates that a run may score unless told otherwise.
const EVALUATIONS: u64 = 1_000_000;

pub fn run(args: &CompareArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let algorithms = algorithms(args)?;
    let evaluations = args.parameters.evaluations()?.unwrap_or(EVALUATIONS);
    let setups = setups(args, &algorithms, evaluations)?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let plot = args.plot.as_deref().map(PlotFile::new).transpose()?;
    let (puzzles, bad) = puzzles::read(args)?;
    catch_interrupts();
    let mut contest = Contest::new(common, setups, args.runs, seed);
    if let Some(first) = puzzles.first() {
        contest.prepare(&first.puzzle)?;
    }
    if !args.json {
        print::head(&contest, args.runs, evaluations, puzzles.first().map(|first| &first.puzzle))?;
        print::partly_used(&args.parameters.partly_used(&algorithms))?;
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
        plot.write(&title, &curves(&contest, evaluations))?;
    }
    Ok(match (interrupted(), bad) {
        (true, _) => Verdict::Interrupted,
        (false, 0) => Verdict::Yes,
        (false, _) => Verdict::BadInput,
    })
}

/// The algorithms that were named, each once, in the order given.
fn algorithms(args: &CompareArgs) -> Result<Vec<&'static Algorithm>, Error> {
    if args.algorithms.is_empty() {
        return Ok(ALGORITHMS.iter().copied().filter(|algorithm| algorithm.scores()).collect());
    }
    let mut named: Vec<&Algorithm> = Vec::new();
    for name in &args.algorithms {
        let algorithm = Algorithm::named(name)?;
        if !named.contains(&algorithm) {
            named.push(algorithm);
        }
    }
    Ok(named)
}

/// Each algorithm with the options that it has. Evaluations bound those that score, which restart without limit unless
/// restarts were given.
fn setups(args: &CompareArgs, algorithms: &[&'static Algorithm], evaluations: u64) -> Result<Vec<Setup>, Error> {
    let mut setups = args.parameters.shared(algorithms)?;
    for Setup { variant, budget } in &mut setups {
        if variant.algorithm().scores() {
            let restarts = args.parameters.restarts()?;
            *budget = Budget { evaluations: Some(evaluations), restarts, ..*budget };
            variant.check_budget(&sample_puzzle(), budget)?;
        }
    }
    Ok(setups)
}

/// One curve an algorithm, of all its runs on all puzzles.
fn curves(contest: &Contest, evaluations: u64) -> Vec<Curve> {
    let curve = |(name, runs): (&'static str, &Vec<Record>)| {
        let traces: Vec<&[TracePoint]> = runs.iter().map(|run| &run.trace[..]).collect();
        Curve::new(format!("{name} ({} runs)", runs.len()), &traces, evaluations)
    };
    contest.names().zip(contest.kept()).map(curve).collect()
}
