//! Results of `solve` as text and as JSON.

use std::io::{IsTerminal, stdout};
use std::time::Duration;

use indicatif::HumanCount;
use swarmdoku::experiment::{Record, ScoreRecord};
use swarmdoku::sudoku::{render, text};
use swarmdoku::{Error, Puzzle};

use super::Tally;
use crate::cli::print_line;

/// One object on one line.
pub fn json(record: &Record) -> Result<(), Error> {
    let line = serde_json::to_string(record).map_err(|error| Error::Internal(format!("a record: {error}")))?;
    print_line(&line)
}

/// The grid found, pretty and in one line, and what it cost.
pub fn single(puzzle: &Puzzle, record: &Record) -> Result<(), Error> {
    if let Some(best) = &record.best {
        let options = text::ReadOptions { shape: Some(puzzle.shape()), alphabet: None };
        let bold = stdout().is_terminal();
        print_line(render::pretty(&text::read_one(best, options)?, Some(puzzle), bold).trim_end())?;
        print_line(best)?;
    }
    print_line(&format!("{}: {}", headline(record), cost(record)))?;
    let trajectory = record.trajectory.as_deref().unwrap_or("none");
    let seed = record.seed.unwrap_or_default();
    print_line(&format!("seed {seed}, trajectory {trajectory}"))
}

/// One line of a list: number, outcome, grid, cost, name.
pub fn listed(number: u64, record: &Record) -> Result<(), Error> {
    let grid = record.solution.as_ref().unwrap_or(&record.puzzle);
    let name = record.name.as_ref().map(|name| format!("  {name}")).unwrap_or_default();
    print_line(&format!("{number:>4}  {:<26}  {grid}  {}{name}", headline(record), cost(record)))
}

/// The last line of a list. With JSON on standard output it goes to standard error.
pub fn summary(tally: &Tally, wall: Duration, json: bool, quiet: bool) -> Result<(), Error> {
    let bad = match tally.bad {
        0 => String::new(),
        bad => format!(", {bad} refused"),
    };
    let line = format!(
        "{} of {} solved{bad}; {} evaluations in {:.2} s",
        tally.solved,
        tally.searched,
        HumanCount(tally.evaluations),
        wall.as_secs_f64()
    );
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
    let rate = match record.evaluations_per_s {
        Some(rate) => format!(" ({:.1} million/s)", rate / 1e6),
        None => String::new(),
    };
    format!("{} evaluations in {:.3} s{rate}", HumanCount(record.evaluations), record.wall_s.unwrap_or_default())
}
