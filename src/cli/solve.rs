//! `swarmdoku solve`: puzzles in, solutions and what they cost out.

use std::fs::File;
use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanCount;
use swarmdoku::experiment::{Record, ScoreRecord, write_trace};
use swarmdoku::parallel::in_order_on;
use swarmdoku::report::Curve;
use swarmdoku::search::Stop;
use swarmdoku::sudoku::{self, Puzzles, render, text};
use swarmdoku::{Error, Puzzle, exact};

use super::algorithm::{self, BudgetedVariant, ParameterArgs};
use super::input::{Item, SourceArgs, TextArgs};
use super::plot::PlotFile;
use super::progress::{SearchBar, catch_interrupts, interrupted};
use super::runner::Runner;
use super::{CommonArgs, Verdict, drawn_seed, git_revision, print_line, report};

/// Nodes that the check for a solution may visit before a puzzle is searched; its solution never reaches the search.
pub const CHECK_NODES: u64 = 20_000;

/// Solve one puzzle, or every puzzle in a file
#[derive(Args)]
#[command(after_help = "\
`swarmdoku algorithms` lists the algorithms; `swarmdoku algorithms NAME` lists the other options of one, such as \
--temperature, with defaults and ranges.

The same puzzle, options and seed give the same trajectory on every backend and number of threads. A puzzle that is shown \
to have no solution is refused. With --file, small populations are solved side by side, one per thread; --threads 1 solves \
them one after another.")]
pub struct SolveArgs {
    #[command(flatten)]
    source: SourceArgs,

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
    setup: &'a BudgetedVariant,
    seed: u64,
    /// Puzzles solved at the same time.
    side_by_side: usize,
}

/// A puzzle, the record of its run, and the reason why it has no solution.
struct Solved {
    item: Item,
    record: Record,
    refuted: Option<Error>,
}

pub fn run(args: &SolveArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let setup = &BudgetedVariant::new(args.algorithm.as_deref(), &args.parameters)?;
    refuse_unused(args, common, setup)?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let files = Files::create(args)?;
    catch_interrupts();
    let started = Instant::now();
    let mut puzzles = args.source.puzzles(&args.text)?;
    let first = match args.index {
        Some(index) => vec![only(&mut puzzles, index)?],
        None => up_to_a_good_one(&mut puzzles),
    };
    let mut solver = Solver { args, common, setup, seed, side_by_side: 1 };
    let puzzle = first.last().and_then(|item| item.puzzle.as_ref().ok());
    let runner = puzzle.map(|puzzle| solver.first_runner(puzzle)).transpose()?;
    let others = args.index.is_none().then_some(puzzles).into_iter().flatten();
    let tally = solver.solve_all(first.into_iter().chain(others), runner, &files)?;
    if args.source.file.is_some() {
        print_summary(&tally, started.elapsed(), setup, args.json, common.quiet)?;
    }
    Ok(tally.verdict())
}

/// # Errors
/// [`Error::Setting`] for an option of searches that was given although nothing is scored.
fn refuse_unused(args: &SolveArgs, common: &CommonArgs, setup: &BudgetedVariant) -> Result<(), Error> {
    let algorithm = setup.variant.algorithm();
    let options =
        [("backend", common.backend.is_given()), ("trace", args.trace.is_some()), ("plot", args.plot.is_some())];
    match options.into_iter().find(|(_, is_given)| *is_given && !algorithm.scores()) {
        None => Ok(()),
        Some((name, _)) => {
            Err(Error::Setting { name, problem: format!("is set, but {} scores nothing", algorithm.name) })
        }
    }
}

/// The puzzle of this number.
fn only(puzzles: &mut Puzzles, index: u64) -> Result<sudoku::Item, Error> {
    for item in puzzles {
        match item {
            item if item.number == Some(index) => return Ok(item),
            sudoku::Item { puzzle: Err(error @ Error::Read { .. }), .. } => return Err(error),
            _ => {}
        }
    }
    let expected = "the number of a puzzle in the file";
    Err(Error::Parameter { name: "index", found: index.to_string(), expected })
}

/// The puzzles up to the first that can be read.
fn up_to_a_good_one(puzzles: &mut Puzzles) -> Vec<sudoku::Item> {
    let mut items = Vec::new();
    for item in puzzles {
        let is_good = item.puzzle.is_ok();
        items.push(item);
        if is_good {
            break;
        }
    }
    items
}

impl<'a> Solver<'a> {
    /// The runner that the first puzzle needs; says what will run, and decides how many puzzles are solved side by side.
    fn first_runner(&mut self, puzzle: &Puzzle) -> Result<Runner<'a>, Error> {
        let mut runner = Runner::new(self.common, self.setup);
        runner.prepare(puzzle)?;
        if self.args.source.file.is_some() && self.args.index.is_none() {
            self.side_by_side = runner.best_side_by_side(puzzle)?;
        }
        if let Some(backend) = runner.backend().filter(|_| !self.common.quiet) {
            eprintln!("{}, seed {}, on {backend}", runner.algorithm(puzzle)?, self.seed);
        }
        Ok(runner.side_by_side(self.side_by_side))
    }

    /// Solves puzzles, prints and counts each in its order; what is bad about one is reported, so that the others run.
    fn solve_all(
        &self,
        items: impl Iterator<Item = sudoku::Item> + Send,
        first: Option<Runner<'a>>,
        files: &Files,
    ) -> Result<Tally, Error> {
        let first = Mutex::new(first);
        let start = || {
            let kept = first.lock().ok().and_then(|mut first| first.take());
            kept.unwrap_or_else(|| Runner::new(self.common, self.setup).side_by_side(self.side_by_side))
        };
        let mut tally = Tally::default();
        let end = in_order_on(
            self.side_by_side,
            items.take_while(|_| !interrupted()),
            start,
            |runner, item| item.read().map(|item| self.solve(runner, item)),
            |solved| match self.take(solved, &mut tally, files) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
        );
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(Tally { interrupted: interrupted(), ..tally }),
        }
    }

    /// Makes the run of a puzzle, unless it is shown to have no solution.
    fn solve(&self, runner: &mut Runner, item: Item) -> Result<Solved, Error> {
        runner.prepare(&item.puzzle)?;
        let name = item.name.clone();
        if self.setup.variant.algorithm().scores()
            && let Err(error) = exact::refute(&item.puzzle, CHECK_NODES)
        {
            let record = Record::unsolvable(name, item.puzzle.givens(), runner.setting(&item.puzzle, self.seed)?);
            let refuted = Some(error.at(&item.place));
            return Ok(Solved { item, record, refuted });
        }
        let prefix = item.number.map(|number| format!("puzzle {number} · ")).unwrap_or_default();
        let bar = SearchBar::new(self.common.quiet || self.side_by_side > 1, prefix);
        let record = runner.run(name, &item.puzzle, self.seed, bar)?;
        let refuted = (record.stop == Stop::Unsolvable).then(|| {
            let nodes = record.nodes.unwrap_or_default();
            let reason = format!("shown by an exhaustive search of {nodes} nodes; check the givens");
            Error::Unsolvable(reason).at(&item.place)
        });
        Ok(Solved { item, record, refuted })
    }

    /// Prints, counts and writes what came of a puzzle.
    fn take(
        &self,
        solved: Result<Result<Solved, Error>, Error>,
        tally: &mut Tally,
        files: &Files,
    ) -> Result<(), Error> {
        match solved {
            Err(error @ Error::Read { .. }) => Err(error),
            Err(error) => {
                report(&error);
                tally.bad += 1;
                Ok(())
            }
            Ok(solved) => {
                let Solved { item, record, refuted } = solved?;
                let record = Record { git_revision: git_revision().map(str::to_owned), ..record };
                tally.add(&record);
                refuted.iter().for_each(report);
                self.print(&item, &record)?;
                files.write(&record)
            }
        }
    }

    fn print(&self, item: &Item, record: &Record) -> Result<(), Error> {
        if self.args.json {
            let line = serde_json::to_string(record).map_err(|error| Error::Internal(format!("a record: {error}")))?;
            return print_line(&line);
        }
        match item.number {
            Some(number) => print_listed(number, record),
            None if record.stop == Stop::Unsolvable && record.nodes.is_none() => Ok(()),
            None => print_single(&item.puzzle, record),
        }
    }
}

/// The files that one run fills. They are created before the search begins, so that none is made in vain.
struct Files {
    trace: Option<(PathBuf, File)>,
    plot: Option<PlotFile>,
}

impl Files {
    /// # Errors
    /// [`Error::Parameter`] if a whole file of puzzles is to be solved, [`Error::Write`] if a file cannot be created.
    fn create(args: &SolveArgs) -> Result<Files, Error> {
        let is_one = args.source.file.is_none() || args.index.is_some();
        let refuse = |name, expected| Err(Error::Parameter { name, found: "given for a whole file".into(), expected });
        if args.trace.is_some() && !is_one {
            return refuse("trace", "used with one puzzle: PUZZLE, or --file with --index");
        }
        if args.plot.is_some() && !is_one {
            return refuse("plot", "used with one puzzle: name it by --index");
        }
        let create = |path: &PathBuf| match File::create(path) {
            Ok(file) => Ok((path.clone(), file)),
            Err(source) => Err(Error::Write { path: path.clone(), source }),
        };
        let plot = args.plot.as_deref().map(PlotFile::new).transpose()?;
        Ok(Files { trace: args.trace.as_ref().map(create).transpose()?, plot })
    }

    /// Writes the improvements of the one run, unless it was not made.
    fn write(&self, record: &Record) -> Result<(), Error> {
        let Some(total) = record.total() else { return Ok(()) };
        if let Some((path, file)) = &self.trace {
            write_trace(&record.trace, file).map_err(|source| Error::Write { path: path.clone(), source })?;
        }
        if let Some(plot) = &self.plot {
            let (name, seed, stop) = (&record.algorithm, record.seed.unwrap_or_default(), record.stop.name());
            let curve = Curve::new(name.as_str(), &[&record.trace], record.evaluations);
            plot.write(&format!("{name}, seed {seed}: best {total} ({stop})"), &[curve])?;
        }
        Ok(())
    }
}

/// How many puzzles came to what.
#[derive(Clone, Copy, Default)]
struct Tally {
    solved: u64,
    searched: u64,
    bad: u64,
    interrupted: bool,
    evaluations: u64,
    nodes: u64,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        let is_unsolvable = record.stop == Stop::Unsolvable;
        self.solved += u64::from(record.solved);
        self.searched += u64::from(!is_unsolvable);
        self.bad += u64::from(is_unsolvable);
        self.evaluations += record.evaluations;
        self.nodes += record.nodes.unwrap_or_default();
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

/// The grid found, pretty and in one line, and what it cost.
fn print_single(puzzle: &Puzzle, record: &Record) -> Result<(), Error> {
    if let Some(best) = record.best.as_ref().or(record.solution.as_ref()) {
        let options = text::ReadOptions { shape: Some(puzzle.shape()), alphabet: None };
        let bold = stdout().is_terminal();
        print_line(render::pretty(&text::read_one(best, options)?, Some(puzzle), bold).trim_end())?;
        print_line(best)?;
    }
    print_line(&format!("{}: {}", headline(record), cost(record)))?;
    match (record.seed, &record.trajectory) {
        (Some(seed), Some(trajectory)) => print_line(&format!("seed {seed}, trajectory {trajectory}")),
        _ => Ok(()),
    }
}

/// One line of a list: number, outcome, grid, cost, name.
fn print_listed(number: u64, record: &Record) -> Result<(), Error> {
    let grid = record.solution.as_ref().unwrap_or(&record.puzzle);
    let name = record.name.as_ref().map(|name| format!("  {name}")).unwrap_or_default();
    print_line(&format!("{number:>4}  {:<26}  {grid}  {}{name}", headline(record), cost(record)))
}

/// The last line of a list. With JSON on standard output it goes to standard error.
fn print_summary(tally: &Tally, wall: Duration, setup: &BudgetedVariant, json: bool, quiet: bool) -> Result<(), Error> {
    let bad = match tally.bad {
        0 => String::new(),
        bad => format!(", {bad} refused"),
    };
    let work = match setup.variant.algorithm().scores() {
        true => format!("{} evaluations", HumanCount(tally.evaluations)),
        false => format!("{} nodes", HumanCount(tally.nodes)),
    };
    let (solved, searched, seconds) = (tally.solved, tally.searched, wall.as_secs_f64());
    let line = format!("{solved} of {searched} solved{bad}; {work} in {seconds:.2} s");
    match (json, quiet) {
        (false, _) => print_line(&line)?,
        (true, false) => eprintln!("{line}"),
        (true, true) => {}
    }
    Ok(())
}

fn headline(record: &Record) -> String {
    match record.score {
        _ if record.solved => "solved".into(),
        Some(ScoreRecord { rows, columns, blocks, total }) => {
            let parts = format!("(rows {rows}, columns {columns}, blocks {blocks})");
            format!("not solved ({}), best {total} {parts}", record.stop.name())
        }
        None => format!("not solved ({})", record.stop.name()),
    }
}

fn cost(record: &Record) -> String {
    let seconds = record.wall_s.unwrap_or_default();
    if let Some(nodes) = record.nodes {
        return format!("{} nodes in {seconds:.3} s", HumanCount(nodes));
    }
    let rate = match record.evaluations_per_s {
        Some(rate) => format!(" ({:.1} million/s)", rate / 1e6),
        None => String::new(),
    };
    format!("{} evaluations in {seconds:.3} s{rate}", HumanCount(record.evaluations))
}
