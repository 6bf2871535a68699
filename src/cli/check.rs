//! `swarmdoku check`: validity, number of solutions and difficulty of puzzles.

use std::ops::ControlFlow;
use std::time::Duration;

use clap::Args;
use indicatif::HumanCount;
use serde_json::json;
use swarmdoku::exact::generate::is_minimal;
use swarmdoku::exact::grade::{Grade, grade};
use swarmdoku::exact::{Limits, Method, SearchEnd, refute};
use swarmdoku::parallel::in_order;
use swarmdoku::sudoku::{self, render};
use swarmdoku::{Error, Grid, Puzzle};

use super::input::{Item, SourceArgs, TextArgs};
use super::progress::{catch_interrupts, interrupted};
use super::{Verdict, count, print_line, report, seconds};

/// Check puzzles: validity, number of solutions, difficulty.
///
/// A proper puzzle has exactly one solution. If a puzzle has several, two of them are shown with the cells in which they
/// differ. The difficulty is that of the hardest technique a person needs. Easy: singles. Medium: locked candidates and
/// pairs. Hard: triples, quads, fish and wings. Expert: these techniques are not enough.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 every puzzle has exactly one solution; 1 a puzzle has none or several, or a limit ended its search; \
2 wrong usage; 3 bad input; 5 an output could not be written; 130 interrupted.")]
pub struct CheckArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Print JSON instead of text: one object per puzzle, one per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    text: TextArgs,

    /// Stop counting at this many solutions
    #[arg(long, value_name = "N", default_value = "1000", value_parser = at_least_two, help_heading = "Limits")]
    solutions: u64,

    /// Search at most this many nodes per puzzle
    #[arg(long, value_name = "N", default_value = "1_000_000", value_parser = count, help_heading = "Limits")]
    nodes: u64,

    /// Search at most this many seconds per puzzle
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

/// Prints the findings about a puzzle, or reports why it could not be read.
fn print(args: &CheckArgs, checked: Result<(Item, Findings), Error>) -> Result<Verdict, Error> {
    match checked {
        Ok((item, findings)) => {
            if args.json {
                print_json(&item, &findings)?
            } else {
                print_text(&item, &findings)?
            }
            Ok(if findings.solutions == SolutionCount::One { Verdict::Yes } else { Verdict::No })
        }
        Err(error @ Error::Read { .. }) => Err(error),
        Err(error) => {
            report(&error);
            Ok(Verdict::BadInput)
        }
    }
}

/// The worse of two verdicts: bad input is worse than a puzzle without a unique solution.
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

/// The number of solutions, as far as it was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SolutionCount {
    None,
    One,
    Several,
    /// A limit ended the search before a second solution or the proof that there is none.
    Unknown,
}

impl SolutionCount {
    /// The word of the JSON output.
    fn name(self) -> &'static str {
        match self {
            SolutionCount::None => "none",
            SolutionCount::One => "one",
            SolutionCount::Several => "several",
            SolutionCount::Unknown => "unknown",
        }
    }
}

/// The findings about one puzzle.
struct Findings {
    solutions: SolutionCount,
    /// Solutions found: all of them, unless `limit` is set.
    found: usize,
    /// The limit that ended the search early, and its value.
    limit: Option<(&'static str, String)>,
    /// Why there is no solution.
    reason: Option<String>,
    /// The first two solutions.
    shown: Vec<Grid>,
    nodes: u64,
    /// True if no given can be removed; none if a limit ended the test.
    minimal: Option<bool>,
    /// Of a puzzle with one solution.
    grade: Option<Grade>,
}

impl Findings {
    fn of(puzzle: &Puzzle, limits: Limits) -> Findings {
        let progress = |_| if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let mut found = Method::Exact.search(puzzle, limits, progress);
        let solutions = match (found.solutions.len(), found.stop) {
            (0, SearchEnd::Exhausted) => SolutionCount::None,
            (1, SearchEnd::Exhausted) => SolutionCount::One,
            (0 | 1, _) => SolutionCount::Unknown,
            _ => SolutionCount::Several,
        };
        let count = found.solutions.len();
        found.solutions.truncate(2);
        let unique = solutions == SolutionCount::One;
        Findings {
            solutions,
            found: count,
            limit: limit(found.stop, limits),
            reason: (solutions == SolutionCount::None).then(|| reason(puzzle)).flatten(),
            minimal: if unique { is_minimal(puzzle, &found.solutions[0]) } else { None },
            grade: unique.then(|| grade(puzzle)),
            shown: found.solutions,
            nodes: found.nodes,
        }
    }

    /// The cells in which the two solutions shown differ.
    fn differing(&self) -> Vec<usize> {
        let [one, other] = &self.shown[..] else { return Vec::new() };
        (0..one.cells().len()).filter(|cell| one.get(*cell) != other.get(*cell)).collect()
    }
}

fn limit(stop: SearchEnd, limits: Limits) -> Option<(&'static str, String)> {
    match stop {
        SearchEnd::Exhausted => None,
        SearchEnd::SolutionLimit => Some(("solutions", limits.solutions.to_string())),
        SearchEnd::NodeLimit => Some(("nodes", limits.nodes.to_string())),
        SearchEnd::TimeLimit => Some(("timeout", format!("{} s", limits.time.unwrap_or_default().as_secs_f64()))),
        SearchEnd::Interrupted => Some(("interrupted", "by the user".into())),
    }
}

/// The reason why a puzzle has no solution, if a short one is found.
fn reason(puzzle: &Puzzle) -> Option<String> {
    const PLAIN_NODES: u64 = 1;
    refute(puzzle, PLAIN_NODES).err().map(|error| error.to_string())
}

/// Prints an object on one line.
fn print_json(item: &Item, findings: &Findings) -> Result<(), Error> {
    let shape = item.puzzle.shape();
    let cell = |cell: usize| json!([shape.row(cell) + 1, shape.column(cell) + 1]);
    let line = json!({
        "name": item.name,
        "place": item.place,
        "puzzle": item.puzzle.givens().to_string(),
        "shape": shape.to_string(),
        "solutions": findings.solutions.name(),
        "found": findings.found,
        "limit": findings.limit.as_ref().map(|(name, _)| name),
        "reason": findings.reason,
        "shown": findings.shown.iter().map(Grid::to_string).collect::<Vec<_>>(),
        "differing": findings.differing().into_iter().map(cell).collect::<Vec<_>>(),
        "givens": item.puzzle.given_count(),
        "minimal": findings.minimal,
        "difficulty": findings.grade.map(|grade| grade.difficulty),
        "hardest": findings.grade.and_then(|grade| grade.hardest).map(|technique| technique.name()),
        "techniques_suffice": findings.grade.map(|grade| grade.techniques_suffice()),
        "nodes": findings.nodes,
        "version": env!("CARGO_PKG_VERSION"),
    });
    print_line(&line.to_string())
}

/// Prints a line about the solutions, a line about the givens, and the solutions.
fn print_text(item: &Item, findings: &Findings) -> Result<(), Error> {
    let number = item.number.map(|number| format!("puzzle {number}, ")).unwrap_or_default();
    let name = item.name.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
    let place = if item.number.is_some() { item.place.as_str() } else { "the puzzle" };
    print_line(&format!("{number}{name}{place}: {}", headline(findings)))?;
    print_line(&format!("  {}", details(item, findings)))?;
    show(item, findings)
}

fn headline(findings: &Findings) -> String {
    let nodes = nodes(findings.nodes);
    let limit = || match &findings.limit {
        Some(("interrupted", _)) => "interrupted".to_string(),
        Some((name, value)) => format!("the limit --{name} {value} was reached"),
        None => String::new(),
    };
    match findings.solutions {
        SolutionCount::One => format!("exactly one solution, proved in {nodes}"),
        SolutionCount::None => match &findings.reason {
            Some(reason) => format!("no solution: {}", reason.trim_start_matches("the puzzle has no solution: ")),
            None => format!("no solution, proved by an exhaustive search of {nodes}; check the givens"),
        },
        SolutionCount::Several if findings.limit.is_none() => {
            format!("{} solutions", HumanCount(findings.found as u64))
        }
        SolutionCount::Several => {
            format!("several solutions, at least {}: {}", HumanCount(findings.found as u64), limit())
        }
        SolutionCount::Unknown => {
            let found = if findings.found == 0 { "no solution was found" } else { "a solution was found" };
            format!("not decided: {found} in {nodes}, then {}", limit())
        }
    }
}

fn nodes(nodes: u64) -> String {
    format!("{} {}", HumanCount(nodes), if nodes == 1 { "node" } else { "nodes" })
}

fn details(item: &Item, findings: &Findings) -> String {
    let givens = match item.puzzle.free_cells().len() {
        0 => "no free cell: the grid is full".to_string(),
        _ => format!("{} givens of {} cells", item.puzzle.given_count(), item.puzzle.shape().cells()),
    };
    if findings.solutions != SolutionCount::One {
        return givens;
    }
    let minimal = match findings.minimal {
        Some(true) => "minimal: no given can be removed",
        Some(false) => "not minimal: a given can be removed",
        None => "not known whether minimal: a limit was reached",
    };
    let Some(grade) = findings.grade else { return format!("{givens}, {minimal}") };
    format!("{givens}, {minimal}; {grade}")
}

/// Prints the solution, or two solutions with the cells marked in which they differ.
fn show(item: &Item, findings: &Findings) -> Result<(), Error> {
    for solution in &findings.shown {
        print_line(&format!("  {solution}"))?;
    }
    let differing = findings.differing();
    if differing.is_empty() {
        return Ok(());
    }
    let marks: String =
        (0..item.puzzle.shape().cells()).map(|cell| if differing.contains(&cell) { '^' } else { ' ' }).collect();
    print_line(&format!("  {}", marks.trim_end()))?;
    for solution in &findings.shown {
        print_line(render::marked(solution, &differing).trim_end())?;
    }
    print_line(&format!("  they differ in {} marked cells", differing.len()))
}
