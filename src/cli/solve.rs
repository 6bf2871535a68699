//! `swarmdoku solve`: puzzles in, solutions and what they cost out.

mod exact_side;
mod print;
mod trace;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use swarmdoku::experiment::{Record, Setting};
use swarmdoku::report::Curve;
use swarmdoku::search::{Engine, Stop};
use swarmdoku::sudoku::text::{self, Entry};
use swarmdoku::{Error, Puzzle, exact};

use super::algorithm::{self, ParameterArgs, Setup};
use super::backend::Chosen;
use super::input::{self, TextArgs};
use super::plot::PlotFile;
use super::progress::{SearchBar, catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, drawn_seed, git_revision, report};
use trace::TraceFile;

/// Nodes that the check for a solution may visit before a puzzle is searched; its solution never reaches the search.
pub const CHECK_NODES: u64 = 20_000;

/// Solve one puzzle, or every puzzle in a file, with a population search.
///
/// Without options annealing, which solves most, is taken. A puzzle that can be shown to have no solution is refused.
/// The same puzzle, options and seed give the same trajectory on every backend and number of threads.
#[derive(Args)]
#[command(after_help = "\
Algorithms: anneal, swarm, hybrid, random-key, ga-naive, ga-columns, genetic, backtracking, exact.
`swarmdoku algorithms` tells what each is, `swarmdoku algorithms NAME` lists its other options:
--temperature, --worker-ratio, --acceptance, --mutation-rate and the like, with defaults and ranges.")]
pub struct SolveArgs {
    /// The puzzle: its cells row by row, `.` or 0 for a free cell
    #[arg(value_name = "PUZZLE", required_unless_present = "file", conflicts_with = "file")]
    puzzle: Option<String>,

    /// A file of puzzles, in any of the usual text forms; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Only the K-th puzzle of the file, from 1
    #[arg(long, value_name = "K", conflicts_with = "puzzle", value_parser = clap::value_parser!(u64).range(1..))]
    index: Option<u64>,

    /// The seed of all randomness; drawn and printed if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// One JSON object a puzzle and line instead of text
    #[arg(long)]
    json: bool,

    /// Write each improvement of the best score to a CSV file; for one puzzle
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Draw the best total over evaluations of this one run into an SVG file; with --file, name the puzzle by --index
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    text: TextArgs,

    /// The search [default: anneal, or swarm where an option is the swarm's and not anneal's]
    #[arg(
        short,
        long,
        value_name = "ALGORITHM",
        hide_possible_values = true,
        value_parser = algorithm::names(),
        help_heading = "Algorithm"
    )]
    algorithm: Option<String>,

    #[command(flatten)]
    parameters: ParameterArgs,
}

/// Everything that stays the same from puzzle to puzzle.
struct Solver<'a> {
    args: &'a SolveArgs,
    common: &'a CommonArgs,
    setup: Setup,
    seed: u64,
    trace: Option<TraceFile>,
    /// The engine for the shape met last, and why its backend was taken.
    engine: Option<(Engine, String)>,
    plot: Option<PlotFile>,
}

pub fn run(args: &SolveArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let setup = Setup::new(args.algorithm.as_deref(), &args.parameters)?;
    if let Some(method) = setup.variant.algorithm().exact_method() {
        return exact_side::run(args, common, method, &setup);
    }
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let trace = TraceFile::create(args)?;
    let plot = plot_file(args)?;
    let mut solver = Solver { args, common, setup, seed, trace, engine: None, plot };
    catch_interrupts();
    match (&args.puzzle, &args.file) {
        (_, Some(file)) => solver.file(file),
        (Some(text), None) => solver.argument(text),
        (None, None) => unreachable!("clap requires one of them"),
    }
}

/// The file to plot into, if one is named and one run is meant.
fn plot_file(args: &SolveArgs) -> Result<Option<PlotFile>, Error> {
    if args.plot.is_some() && args.file.is_some() && args.index.is_none() {
        let expected = "used with one puzzle: name it by --index";
        return Err(Error::Parameter { name: "plot", found: "given for a whole file".into(), expected });
    }
    args.plot.as_deref().map(PlotFile::new).transpose()
}

impl Solver<'_> {
    fn argument(&mut self, text: &str) -> Result<Verdict, Error> {
        let puzzle = Puzzle::new(text::read_one(text, self.args.text.options())?)?;
        let record = self.solve(&puzzle, None, "PUZZLE", String::new())?;
        if self.args.json {
            print::json(&record)?;
        } else if record.stop != Stop::Unsolvable {
            print::single(&puzzle, &record)?;
        }
        Ok(Tally::of(&record).verdict())
    }

    fn file(&mut self, file: &Path) -> Result<Verdict, Error> {
        let started = Instant::now();
        let name = file.display().to_string();
        let mut tally = Tally::default();
        let mut last = 0;
        for (number, entry) in (1..).zip(text::read(&name, input::open(file)?, self.args.text.options())) {
            last = number;
            if self.args.index.is_none_or(|index| index == number) {
                tally = tally.merge(self.entry(&name, number, entry)?);
            }
            if interrupted() || self.args.index == Some(number) {
                break;
            }
        }
        if let Some(index) = self.args.index.filter(|index| *index > last) {
            let expected = "the number of a puzzle in the file";
            return Err(Error::Parameter { name: "index", found: index.to_string(), expected });
        }
        print::summary(&tally, started.elapsed(), self.args.json, self.common.quiet)?;
        Ok(tally.verdict())
    }

    /// Solves one entry of a file; what is bad about it is reported, so that the others run.
    fn entry(&mut self, file: &str, number: u64, entry: Result<Entry, Error>) -> Result<Tally, Error> {
        let prepared = entry.and_then(|Entry { name, line, grid }| {
            let place = format!("{file}:{line}");
            Puzzle::new(grid).map(|puzzle| (puzzle, name, place.clone())).map_err(|error| error.at(place))
        });
        match prepared {
            Ok((puzzle, name, place)) => {
                let record = self.solve(&puzzle, name, &place, format!("puzzle {number} · "))?;
                if self.args.json {
                    print::json(&record)?
                } else {
                    print::listed(number, &record)?
                };
                Ok(Tally::of(&record))
            }
            Err(error @ Error::Read { .. }) => Err(error),
            Err(error) => {
                report(&error);
                Ok(Tally { bad: 1, ..Tally::default() })
            }
        }
    }

    /// Searches one puzzle, or reports that it has no solution; `place` says where it came from.
    fn solve(&mut self, puzzle: &Puzzle, name: Option<String>, place: &str, prefix: String) -> Result<Record, Error> {
        let setting = self.prepare(puzzle)?;
        if let Err(error) = exact::refute(puzzle, CHECK_NODES) {
            report(&error.at(place));
            return Ok(made_here(Record::unsolvable(name, puzzle.givens(), setting)));
        }
        let (engine, _) = self.engine.as_mut().expect("prepared above");
        let mut bar = SearchBar::new(self.common.quiet, prefix);
        let Setup { variant, budget } = &self.setup;
        let outcome = variant.run(puzzle, self.seed, engine, budget, |progress| bar.observe(progress))?;
        if let Some(trace) = &mut self.trace {
            trace.write(&outcome.trace)?;
        }
        if let Some(plot) = &self.plot {
            let name = variant.name();
            let curve = Curve::new(name, &[&outcome.trace], outcome.evaluations);
            let (seed, total, stop) = (self.seed, outcome.score.total(), outcome.stop.name());
            plot.write(&format!("{name}, seed {seed}: best {total} ({stop})"), &[curve])?;
        }
        Ok(made_here(Record::new(name, puzzle.givens(), setting, &outcome)))
    }

    /// Makes the engine for the puzzle's shape unless it is there, and says what will run.
    fn prepare(&mut self, puzzle: &Puzzle) -> Result<Setting, Error> {
        let shape = puzzle.shape();
        if self.engine.as_ref().is_none_or(|(engine, _)| engine.evaluator().shape() != shape) {
            let Chosen { evaluator, reason } = self.common.backend.open(&self.setup.variant.workload(puzzle)?)?;
            if self.engine.is_none() && !self.common.quiet {
                let backend = evaluator.backend().name();
                let algorithm = self.setup.variant.describe(puzzle)?;
                eprintln!("{algorithm}, seed {}, on {backend}: {}", self.seed, evaluator.describe());
            }
            self.engine = Some((Engine::new(evaluator), reason));
        }
        let (engine, reason) = self.engine.as_ref().expect("made above");
        let evaluator = engine.evaluator();
        let parameters = self.setup.variant.record(puzzle, &self.setup.budget)?;
        Ok(Setting::new(self.setup.variant.name(), parameters)
            .on(evaluator.backend(), evaluator.describe(), reason.clone())
            .seeded(self.seed))
    }
}

/// The record with the commit that this program was built from.
fn made_here(record: Record) -> Record {
    Record { git_revision: git_revision().map(str::to_owned), ..record }
}

/// How many puzzles came to what.
#[derive(Clone, Copy, Default)]
struct Tally {
    solved: u64,
    searched: u64,
    bad: u64,
    interrupted: bool,
    evaluations: u64,
}

impl Tally {
    fn of(record: &Record) -> Tally {
        let unsolvable = record.stop == Stop::Unsolvable;
        Tally {
            solved: record.solved.into(),
            searched: (!unsolvable).into(),
            bad: unsolvable.into(),
            interrupted: record.stop == Stop::Interrupted,
            evaluations: record.evaluations,
        }
    }

    fn merge(self, other: Tally) -> Tally {
        Tally {
            solved: self.solved + other.solved,
            searched: self.searched + other.searched,
            bad: self.bad + other.bad,
            interrupted: self.interrupted || other.interrupted,
            evaluations: self.evaluations + other.evaluations,
        }
    }

    fn verdict(&self) -> Verdict {
        if self.interrupted {
            Verdict::Interrupted
        } else if self.bad > 0 {
            Verdict::BadInput
        } else if self.solved < self.searched {
            Verdict::No
        } else {
            Verdict::Yes
        }
    }
}
