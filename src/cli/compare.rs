//! `swarmdoku compare`: algorithms against each other on the same puzzles, seeds and budget.

mod print;

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use swarmdoku::experiment::{Record, Setting, run_seed};
use swarmdoku::parallel::in_order;
use swarmdoku::report::Curve;
use swarmdoku::search::{ALGORITHMS, Algorithm, Budget, TracePoint, sample_puzzle};
use swarmdoku::sudoku::{self, Puzzles};
use swarmdoku::{Error, Puzzle, exact};

use super::algorithm::{self, BudgetedVariant, ParameterArgs};
use super::input::{Item, TextArgs};
use super::plot::PlotFile;
use super::progress::{SearchBar, catch_interrupts, interrupted};
use super::runner::Runner;
use super::solve::CHECK_NODES;
use super::{CommonArgs, Verdict, drawn_seed, report};

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

    /// A file of puzzles, text in any of the usual forms or a .npy array; `-` is standard input
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
    let variants = variants(args, &algorithms, evaluations)?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let plot = args.plot.as_deref().map(PlotFile::new).transpose()?;
    let (puzzles, bad) = read(args)?;
    catch_interrupts();
    let mut comparison = Comparison::new(common, &variants, args.runs, seed);
    if let Some(first) = puzzles.first() {
        comparison.prepare(&first.puzzle)?;
    }
    if !args.json {
        print::head(&comparison, evaluations, puzzles.first().map(|first| &first.puzzle))?;
        print::partly_used(&args.parameters.partly_used(&algorithms))?;
    }
    for (number, named) in (1..).zip(&puzzles) {
        if interrupted() {
            break;
        }
        let runs = comparison.run(number, &named.puzzle)?;
        if args.json {
            print::json(&comparison, named, &runs)?;
        } else {
            print::table(&named.to_string(), &comparison, &runs)?;
        }
        comparison.keep(runs);
    }
    if puzzles.len() > 1 && !args.json {
        print::table(&format!("all {} puzzles", puzzles.len()), &comparison, &comparison.kept)?;
    }
    if let Some(plot) = plot {
        let title = format!("{} puzzle(s), seed {seed}: median and quartiles of the runs", puzzles.len());
        plot.write(&title, &curves(&comparison, evaluations))?;
    }
    Ok(match (interrupted(), bad) {
        (true, _) => Verdict::Interrupted,
        (false, 0) => Verdict::Yes,
        (false, _) => Verdict::BadInput,
    })
}

/// A puzzle to be searched, with its number among all that were read.
struct NumberedPuzzle {
    number: u64,
    name: Option<String>,
    puzzle: Puzzle,
}

/// `puzzle 3 (name): 9..2...`
impl fmt::Display for NumberedPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzle {}", self.number)?;
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ": {}", self.puzzle.givens())
    }
}

/// The puzzles that can be searched, and how many others were reported before any runs.
fn read(args: &CompareArgs) -> Result<(Vec<NumberedPuzzle>, usize), Error> {
    let options = args.text.options();
    let items = match &args.file {
        Some(file) => Puzzles::of_file(file, options)?,
        None => Puzzles::of_arguments(&args.puzzles, options),
    };
    let (mut puzzles, mut bad) = (Vec::new(), 0);
    let take = |checked| {
        match checked {
            Ok(named) => puzzles.push(named),
            Err(error @ Error::Read { .. }) => return ControlFlow::Break(error),
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
        ControlFlow::Continue(())
    };
    match in_order(items, || (), |(), item| searchable(item), take) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok((puzzles, bad)),
    }
}

/// The puzzle of an item, unless it can be shown to have no solution.
fn searchable(item: sudoku::Item) -> Result<NumberedPuzzle, Error> {
    let Item { number, name, place, puzzle } = item.read()?;
    exact::refute(&puzzle, CHECK_NODES).map_err(|error| error.at(place))?;
    Ok(NumberedPuzzle { number: number.unwrap_or(1), name, puzzle })
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
fn variants(
    args: &CompareArgs,
    algorithms: &[&'static Algorithm],
    evaluations: u64,
) -> Result<Vec<BudgetedVariant>, Error> {
    let mut variants = args.parameters.shared(algorithms)?;
    for BudgetedVariant { variant, budget } in &mut variants {
        if variant.algorithm().scores() {
            let restarts = args.parameters.restarts()?;
            *budget = Budget { evaluations: Some(evaluations), restarts, ..*budget };
            variant.check_budget(&sample_puzzle(), budget)?;
        }
    }
    Ok(variants)
}

/// One curve an algorithm, of all its runs on all puzzles.
fn curves(comparison: &Comparison, evaluations: u64) -> Vec<Curve> {
    let curve = |(name, runs): (&'static str, &Vec<Record>)| {
        let traces: Vec<&[TracePoint]> = runs.iter().map(|run| &run.trace[..]).collect();
        Curve::new(format!("{name} ({} runs)", runs.len()), &traces, evaluations)
    };
    comparison.names().zip(&comparison.kept).map(curve).collect()
}

/// The runs of each algorithm, in the algorithms' order.
type RunsByAlgorithm = Vec<Vec<Record>>;

/// The algorithms of a comparison and all their runs so far.
struct Comparison<'a> {
    quiet: bool,
    runners: Vec<Runner<'a>>,
    runs: u32,
    seed: u64,
    kept: RunsByAlgorithm,
}

impl Comparison<'_> {
    /// A comparison of `runs` runs of each algorithm on each puzzle; all seeds are derived from `seed`.
    fn new<'a>(common: &'a CommonArgs, variants: &'a [BudgetedVariant], runs: u32, seed: u64) -> Comparison<'a> {
        let runners: Vec<Runner> = variants.iter().map(|variant| Runner::new(common, variant)).collect();
        let kept = runners.iter().map(|_| Vec::new()).collect();
        Comparison { quiet: common.quiet, runners, runs, seed, kept }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.runners.iter().map(Runner::name)
    }

    /// Makes the engines for the shape of a puzzle.
    fn prepare(&mut self, puzzle: &Puzzle) -> Result<(), Error> {
        self.runners.iter_mut().try_for_each(|runner| runner.prepare(puzzle))
    }

    /// The algorithms with their parameters on this puzzle and their backends, for people.
    fn descriptions(&self, puzzle: &Puzzle) -> Result<Vec<String>, Error> {
        let describe = |runner: &Runner| {
            let algorithm = runner.algorithm(puzzle)?;
            Ok(match runner.backend() {
                None => algorithm,
                Some(backend) => format!("{algorithm}, on {backend}"),
            })
        };
        self.runners.iter().map(describe).collect()
    }

    /// What defines an algorithm's runs on a puzzle.
    fn setting(&self, algorithm: usize, puzzle: &Puzzle) -> Result<Setting, Error> {
        self.runners[algorithm].setting(puzzle, self.seed)
    }

    /// Runs every algorithm on a puzzle as often as wanted. Algorithms take turns, so that what disturbs the machine for
    /// a while disturbs them all. A run that the user interrupted is dropped, and no other follows.
    fn run(&mut self, number: usize, puzzle: &Puzzle) -> Result<RunsByAlgorithm, Error> {
        self.prepare(puzzle)?;
        let mut all: RunsByAlgorithm = self.runners.iter().map(|_| Vec::new()).collect();
        for run in 0..self.runs {
            for (runner, runs) in self.runners.iter_mut().zip(&mut all) {
                if run > 0 && runner.is_deterministic() {
                    continue;
                }
                let name = runner.name();
                let prefix = format!("puzzle {number} · run {} of {} · {name} · ", run + 1, self.runs);
                let bar = SearchBar::new(self.quiet, prefix);
                let record = runner.run(None, puzzle, run_seed(self.seed, run), bar)?;
                if interrupted() {
                    return Ok(all);
                }
                runs.push(record);
            }
        }
        Ok(all)
    }

    /// Adds runs to those of all puzzles.
    fn keep(&mut self, runs: RunsByAlgorithm) {
        self.kept.iter_mut().zip(runs).for_each(|(kept, runs)| kept.extend(runs));
    }
}
