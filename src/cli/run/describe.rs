//! A plan before it runs and after, for people.

use std::path::Path;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration};
use swarmdoku::Error;
use swarmdoku::experiment::plan::{Estimate, Plan, RunId};
use swarmdoku::experiment::study::{Shard, Variant};
use swarmdoku::experiment::{Forecast, Open, Status, forecast};

use crate::cli::{Verdict, print_line};

/// What would run, and what it takes.
pub fn dry_run(plan: &Plan, shard: Option<Shard>, threads: usize, open: &Open<'_>) -> Result<Verdict, Error> {
    let resolved = plan.resolved();
    let Estimate { runs, evaluations, .. } = plan.estimate(shard);
    print_line(&format!("{}, master seed {}, plan {}", resolved.name, resolved.seed, plan.hash()))?;
    print_line(&format!("{} variants:", resolved.variants.len()))?;
    for (number, variant) in resolved.variants.iter().enumerate() {
        let first = RunId { variant: number, puzzle: 0, run: 0 };
        let backend = variant.backend.as_ref().map(|backend| format!(" on {backend}")).unwrap_or_default();
        print_line(&format!("  {}: {}{backend}", variant.name, plan.variant(first).describe(plan.puzzle(first))?))?;
    }
    print_line(&format!("{} puzzles:", resolved.puzzles.len()))?;
    for puzzle in &resolved.puzzles {
        print_line(&format!("  {}: {} {}", puzzle.name, puzzle.shape, puzzle.puzzle))?;
    }
    let part = shard.map_or(String::new(), |shard| format!(" in part {}/{}", shard.index, shard.count));
    let (cells, each) = (plan.cells() as u64, u64::from(resolved.runs));
    let once = if resolved.variants.iter().any(Variant::is_exact) { " (one where nothing is random)" } else { "" };
    print_line(&format!("cells        {}, of {each} runs each{once}", HumanCount(cells)))?;
    print_line(&format!("runs         {}{part}", HumanCount(runs)))?;
    print_line(&format!(
        "evaluations  {}",
        evaluations.map_or("bounded by time alone".into(), |all| format!("at most {}", HumanCount(all)))
    ))?;
    let Forecast { bytes, time: needed } = forecast(plan, shard, threads, open)?;
    print_line(&format!("memory       about {}", HumanBytes(bytes)))?;
    print_line(&format!("time         {}", time(plan, runs, threads, needed)))?;
    Ok(Verdict::Yes)
}

/// What the evaluations take at most, or what the budget's seconds allow, whichever is less.
fn time(plan: &Plan, runs: u64, threads: usize, evaluations: Option<Duration>) -> String {
    let allowed = most_time(plan).map(|time| time.mul_f64(runs as f64 / threads as f64));
    match [evaluations, allowed].into_iter().flatten().min() {
        None => "not known".into(),
        Some(time) => format!("at most {} on {threads} thread(s), by a short trial here", HumanDuration(time)),
    }
}

/// The wall time of the longest run, if time bounds all of them.
fn most_time(plan: &Plan) -> Option<Duration> {
    let time = |variant| plan.budget(RunId { variant, puzzle: 0, run: 0 }).time;
    (0..plan.variants()).map(time).collect::<Option<Vec<Duration>>>()?.into_iter().max()
}

/// What is in the folder now.
pub fn ending(plan: &Plan, status: &Status, folder: &Path) -> Result<(), Error> {
    let Status { runs, ended, ended_before, evaluations, .. } = status;
    print_line(&format!(
        "{}: {} of {} runs are in {} ({} made now, {} evaluations){}",
        plan.resolved().name,
        HumanCount(*ended),
        HumanCount(*runs),
        folder.display(),
        HumanCount(ended - ended_before),
        HumanCount(*evaluations),
        if ended < runs { "; go on with --resume" } else { "" },
    ))
}
