//! `solve` without a population: plain backtracking, and the exact solver.

use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;
use std::time::Instant;

use indicatif::HumanCount;
use swarmdoku::Error;
use swarmdoku::exact::Method;
use swarmdoku::experiment::{Record, Setting};
use swarmdoku::search::exact::search_one;
use swarmdoku::search::{Progress, Stop};
use swarmdoku::sudoku::{render, text};

use super::{SolveArgs, made_here};
use crate::cli::algorithm::Setup;
use crate::cli::progress::{catch_interrupts, interrupted};
use crate::cli::source::{Item, puzzles};
use crate::cli::{CommonArgs, Verdict, print_line, report};

/// How many puzzles came to what.
#[derive(Default)]
struct Tally {
    solved: u64,
    searched: u64,
    refused: u64,
    nodes: u64,
}

/// A method without a population, and its budget.
struct Exact<'a> {
    method: Method,
    setup: &'a Setup,
}

pub fn run(args: &SolveArgs, common: &CommonArgs, method: Method, setup: &Setup) -> Result<Verdict, Error> {
    for (name, is_given) in
        [("backend", common.backend.is_given()), ("trace", args.trace.is_some()), ("plot", args.plot.is_some())]
    {
        refuse(name, is_given, method)?;
    }
    let plan = Exact { method, setup };
    catch_interrupts();
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut last = 0;
    for item in puzzles(args.puzzle.as_deref(), args.file.as_deref(), &args.text)? {
        last += 1;
        if args.index.is_none_or(|index| index == last) {
            tally.add(item, args, &plan)?;
        }
        if interrupted() {
            return Ok(Verdict::Interrupted);
        }
        if args.index == Some(last) {
            break;
        }
    }
    if let Some(index) = args.index.filter(|index| *index > last) {
        let expected = "the number of a puzzle in the file";
        return Err(Error::Parameter { name: "index", found: index.to_string(), expected });
    }
    if args.file.is_some() && !args.json {
        let wall = started.elapsed().as_secs_f64();
        print_line(&format!("{}; {} nodes in {wall:.2} s", tally.counts(), HumanCount(tally.nodes)))?;
    }
    Ok(tally.verdict())
}

/// # Errors
/// [`Error::Setting`] for an option that was given although nothing is scored.
fn refuse(name: &'static str, is_given: bool, method: Method) -> Result<(), Error> {
    match is_given {
        false => Ok(()),
        true => Err(Error::Setting { name, problem: format!("is set, but {} scores nothing", method.name()) }),
    }
}

impl Tally {
    /// Searches a puzzle, prints what came of it, and counts it; what is bad about it is reported.
    fn add(&mut self, item: Result<Item, Error>, args: &SolveArgs, plan: &Exact) -> Result<(), Error> {
        let item = match item {
            Err(error @ Error::Read { .. }) => return Err(error),
            Err(error) => {
                self.refused += 1;
                report(&error);
                return Ok(());
            }
            Ok(item) => item,
        };
        let record = search(&item, plan)?;
        print(&item, &record, args.json)?;
        let nodes = record.nodes.unwrap_or_default();
        self.nodes += nodes;
        if record.stop == Stop::Unsolvable {
            self.refused += 1;
            let reason = format!("shown by an exhaustive search of {nodes} nodes; check the givens");
            report(&Error::Unsolvable(reason).at(&item.place));
        } else {
            self.searched += 1;
            self.solved += u64::from(record.solved);
        }
        Ok(())
    }

    fn counts(&self) -> String {
        let refused = if self.refused == 0 { String::new() } else { format!(", {} refused", self.refused) };
        format!("{} of {} solved{refused}", self.solved, self.searched)
    }

    fn verdict(&self) -> Verdict {
        if self.refused > 0 {
            Verdict::BadInput
        } else if self.solved < self.searched {
            Verdict::No
        } else {
            Verdict::Yes
        }
    }
}

fn search(item: &Item, plan: &Exact) -> Result<Record, Error> {
    let Setup { variant, budget } = plan.setup;
    let mut go_on = |_: &Progress| if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let outcome = search_one(plan.method, &item.puzzle, budget, &mut go_on);
    let setting = Setting::new(variant.name(), variant.record(&item.puzzle, budget)?);
    Ok(made_here(Record::new(item.name.clone(), item.puzzle.givens(), setting, &outcome)))
}

fn print(item: &Item, record: &Record, json: bool) -> Result<(), Error> {
    if json {
        let line = serde_json::to_string(record).map_err(|error| Error::Internal(format!("a record: {error}")))?;
        return print_line(&line);
    }
    match item.number {
        Some(number) => listed(number, item, record),
        None => single(item, record),
    }
}

/// The solution, pretty and in one line, and what it cost.
fn single(item: &Item, record: &Record) -> Result<(), Error> {
    if let Some(solution) = &record.solution {
        let options = text::ReadOptions { shape: Some(item.puzzle.shape()), alphabet: None };
        let grid = text::read_one(solution, options)?;
        print_line(render::pretty(&grid, Some(&item.puzzle), stdout().is_terminal()).trim_end())?;
        print_line(solution)?;
    }
    print_line(&outcome(record))
}

/// One line of a list: number, outcome, grid, name.
fn listed(number: u64, item: &Item, record: &Record) -> Result<(), Error> {
    let name = item.name.as_ref().map(|name| format!("  {name}")).unwrap_or_default();
    let grid = record.solution.as_ref().unwrap_or(&record.puzzle);
    print_line(&format!("{number:>4}  {grid}  {}{name}", outcome(record)))
}

fn outcome(record: &Record) -> String {
    let headline = if record.solved { "solved".into() } else { format!("not solved ({})", record.stop.name()) };
    format!(
        "{headline}: {} nodes in {:.3} s",
        HumanCount(record.nodes.unwrap_or_default()),
        record.wall_s.unwrap_or_default()
    )
}
