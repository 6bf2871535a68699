//! What is found out about one puzzle.

use std::ops::ControlFlow;

use swarmdoku::exact::generate::is_minimal;
use swarmdoku::exact::grade::{Grade, grade};
use swarmdoku::exact::{Limits, Method, Stop, refute};
use swarmdoku::{Grid, Puzzle};

use crate::cli::progress::interrupted;

/// How many solutions a puzzle has, as far as that was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solutions {
    None,
    One,
    Several,
    /// A limit came before a second solution and before the proof that there is none.
    Unknown,
}

impl Solutions {
    /// The word of the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Solutions::None => "none",
            Solutions::One => "one",
            Solutions::Several => "several",
            Solutions::Unknown => "unknown",
        }
    }
}

/// Everything that `check` tells about a puzzle.
pub struct Findings {
    pub solutions: Solutions,
    /// Solutions found; all there are unless a limit is named.
    pub found: usize,
    /// What ended the count early: the limit's name and its value.
    pub limit: Option<(&'static str, String)>,
    /// Why there is no solution.
    pub reason: Option<String>,
    /// The first two solutions.
    pub shown: Vec<Grid>,
    pub nodes: u64,
    /// Whether no given can be removed; unknown if a limit came first.
    pub minimal: Option<bool>,
    /// Of a puzzle with one solution.
    pub grade: Option<Grade>,
}

impl Findings {
    pub fn of(puzzle: &Puzzle, limits: Limits) -> Findings {
        let go_on = |_| if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let mut found = Method::Exact.search(puzzle, limits, go_on);
        let solutions = match (found.solutions.len(), found.stop) {
            (0, Stop::Exhausted) => Solutions::None,
            (1, Stop::Exhausted) => Solutions::One,
            (0 | 1, _) => Solutions::Unknown,
            _ => Solutions::Several,
        };
        let count = found.solutions.len();
        found.solutions.truncate(2);
        let unique = solutions == Solutions::One;
        Findings {
            solutions,
            found: count,
            limit: limit(found.stop, limits),
            reason: (solutions == Solutions::None).then(|| reason(puzzle)).flatten(),
            minimal: if unique { is_minimal(puzzle, &found.solutions[0]) } else { None },
            grade: unique.then(|| grade(puzzle)),
            shown: found.solutions,
            nodes: found.nodes,
        }
    }

    /// The cells in which the two solutions shown differ.
    pub fn differing(&self) -> Vec<usize> {
        let [one, other] = &self.shown[..] else { return Vec::new() };
        (0..one.cells().len()).filter(|cell| one.get(*cell) != other.get(*cell)).collect()
    }
}

fn limit(stop: Stop, limits: Limits) -> Option<(&'static str, String)> {
    match stop {
        Stop::Exhausted => None,
        Stop::SolutionLimit => Some(("solutions", limits.solutions.to_string())),
        Stop::NodeLimit => Some(("nodes", limits.nodes.to_string())),
        Stop::TimeLimit => Some(("timeout", format!("{} s", limits.time.unwrap_or_default().as_secs_f64()))),
        Stop::Interrupted => Some(("interrupted", "by the user".into())),
    }
}

/// Why a puzzle that was shown to have no solution has none.
fn reason(puzzle: &Puzzle) -> Option<String> {
    const PLAIN_NODES: u64 = 1;
    refute(puzzle, PLAIN_NODES).err().map(|error| error.to_string())
}
