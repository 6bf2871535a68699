//! `swarmdoku run`: the runs of a plan, kept in a folder.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanBytes, HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use swarmdoku::Error;
use swarmdoku::experiment::plan::{Estimate, Plan, RunId, Target};
use swarmdoku::experiment::study::{PlannedVariant, Shard};
use swarmdoku::experiment::{CellStatus, Experiment, Forecast, Open, StartMode, Status, forecast, slots_in_flight};

use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, git_revision, print_line, seconds};

/// Run a plan: many runs of algorithms on puzzles, with the results in a folder.
///
/// The folder holds manifest.json, and runs.jsonl and traces.jsonl with one line per run. A run's lines are written when it
/// ends. You can stop the process at any time, even with a kill, and start it again with --resume: finished runs are kept,
/// and unfinished runs continue from their last checkpoint, with the same results as without the interruption. The seed of
/// a run depends only on the master seed, the puzzle, the algorithm with its parameters, and the run's number.
///
/// On the CPU, each thread works on its own run; on a GPU, many runs share one dispatch per epoch. The results are the
/// same. A plan may name backends for its algorithms; the runs of one backend follow those of another. The time of each run
/// is recorded with --timing only.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 all runs are done; 2 wrong usage, or a folder of another plan; 3 a bad plan or puzzle, or a damaged folder; \
4 the device failed; 5 a file could not be written, or another process uses the folder; 130 interrupted. After 4, 5, 130 \
or a kill, the same command with --resume continues; after 2 or 3, correct the cause first.

Job arrays: --shard auto/N reads K from SLURM_ARRAY_TASK_ID (submit with --array=1-N), JOB_COMPLETION_INDEX (Kubernetes, \
0 to N-1) or HQ_TASK_ID (HyperQueue, --array 1-N). Use one folder per part, and join them with `swarmdoku merge`.

Try:  swarmdoku run examples/plans/acceptance.toml -o /tmp/acceptance --dry-run")]
pub struct RunArgs {
    /// The plan, a TOML file; examples are in examples/plans/
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,

    /// Folder of the results; created if it does not exist
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// Print the number of runs and an estimate of their time, and run nothing
    #[arg(long, conflicts_with_all = ["resume", "extend"])]
    dry_run: bool,

    /// Run part K of N only, counted from 1: `3/16`, or `auto/16` in a job array
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,

    /// Continue in a folder of the same plan, or start it if it does not exist
    #[arg(long)]
    resume: bool,

    /// Continue in the folder after runs, puzzles or algorithms were added to the plan; finished runs are kept
    #[arg(long)]
    extend: bool,

    /// Run one at a time on all threads, and record the time of each run
    #[arg(long)]
    timing: bool,

    /// Save a checkpoint of unfinished runs every so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    checkpoint: Duration,
}

pub fn run(args: &RunArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let variable = |name: &str| std::env::var(name).ok();
    let shard = args.shard.as_deref().map(|text| Shard::parse(text, variable)).transpose()?;
    let plan = Plan::read(&args.plan)?;
    let threads = rayon::current_num_threads();
    let side_by_side = if args.timing { 1 } else { threads };
    common.backend.check_named(&plan.backends())?;
    let open = |target: Target, capacity: usize| {
        let in_flight = slots_in_flight(&plan, target.backend, args.timing);
        common.backend.open_named(target.backend, &plan.workload(target, capacity, in_flight, side_by_side)?)
    };
    let Some(output) = args.output.as_ref().filter(|_| !args.dry_run) else {
        return dry_run(&plan, shard, side_by_side, &open);
    };
    catch_interrupts();
    let experiment = Experiment {
        plan: &plan,
        folder: output.clone(),
        entry: args.start_mode(),
        shard,
        timing: args.timing,
        threads,
        checkpoint_every: args.checkpoint,
        git_revision: git_revision(),
    };
    let mut progress = StudyProgress::new(common.quiet, &plan);
    let status = experiment.run(&open, &mut |status: &Status| {
        progress.show(status);
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    drop(progress);
    print_end(&plan, &status, output)?;
    Ok(if status.ended < status.runs { Verdict::Interrupted } else { Verdict::Yes })
}

impl RunArgs {
    fn start_mode(&self) -> StartMode {
        match (self.extend, self.resume) {
            (true, _) => StartMode::Extend,
            (false, true) => StartMode::Resume,
            (false, false) => StartMode::New,
        }
    }
}

/// Prints the runs of a plan and an estimate of their time and memory.
fn dry_run(plan: &Plan, shard: Option<Shard>, threads: usize, open: &Open<'_>) -> Result<Verdict, Error> {
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
    let once =
        if resolved.variants.iter().any(PlannedVariant::is_exact) { " (one run where nothing is random)" } else { "" };
    print_line(&format!("cells        {}, of {each} runs each{once}", HumanCount(cells)))?;
    print_line(&format!("runs         {}{part}", HumanCount(runs)))?;
    print_line(&format!(
        "evaluations  {}",
        evaluations.map_or("limited by time only".into(), |all| format!("at most {}", HumanCount(all)))
    ))?;
    let Forecast { bytes, time: needed } = forecast(plan, shard, threads, open)?;
    print_line(&format!("memory       about {}", HumanBytes(bytes)))?;
    print_line(&format!("time         {}", time(plan, runs, threads, needed)))?;
    Ok(Verdict::Yes)
}

/// The time that the evaluations take at most, or that the budget allows, whichever is less.
fn time(plan: &Plan, runs: u64, threads: usize, evaluations: Option<Duration>) -> String {
    let allowed = most_time(plan).map(|time| time.mul_f64(runs as f64 / threads as f64));
    match [evaluations, allowed].into_iter().flatten().min() {
        None => "not known".into(),
        Some(time) => {
            format!("about {} at most on {threads} thread(s), from a short trial on this machine", HumanDuration(time))
        }
    }
}

/// The time limit of the longest run, if all runs have one.
fn most_time(plan: &Plan) -> Option<Duration> {
    let time = |variant| plan.budget(RunId { variant, puzzle: 0, run: 0 }).time;
    (0..plan.variants()).map(time).collect::<Option<Vec<Duration>>>()?.into_iter().max()
}

/// Prints the number of runs that are in the folder.
fn print_end(plan: &Plan, status: &Status, folder: &Path) -> Result<(), Error> {
    let Status { runs, ended, ended_before, evaluations, .. } = status;
    print_line(&format!(
        "{}: {} of {} runs are in {} ({} made now, {} evaluations){}",
        plan.resolved().name,
        HumanCount(*ended),
        HumanCount(*runs),
        folder.display(),
        HumanCount(ended - ended_before),
        HumanCount(*evaluations),
        if ended < runs { "; continue with --resume" } else { "" },
    ))
}

/// The interval of progress lines without a terminal: the log of a batch system must not grow without bound.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The progress of an experiment: bars on a terminal, elsewhere a line from time to time.
enum StudyProgress {
    Quiet,
    /// A bar for the whole and a line for the cell.
    Bars {
        /// All runs.
        whole: ProgressBar,
        /// The cell in which a run ended last.
        cell: ProgressBar,
        _bars: MultiProgress,
    },
    /// A line from time to time.
    Lines {
        name: String,
        started: Instant,
        written: Instant,
    },
}

impl StudyProgress {
    fn new(quiet: bool, plan: &Plan) -> StudyProgress {
        let name = plan.resolved().name.clone();
        let now = Instant::now();
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => StudyProgress::Quiet,
            (false, false) => StudyProgress::Lines { name, started: now, written: now },
            (false, true) => StudyProgress::bars(name),
        }
    }

    fn bars(name: String) -> StudyProgress {
        let template = |template| ProgressStyle::with_template(template).expect("the template is well formed");
        let bars = MultiProgress::new();
        let whole = bars.add(ProgressBar::no_length().with_prefix(name));
        whole.set_style(template("{prefix} {wide_bar} {human_pos} of {human_len} runs, {eta} left"));
        let cell = bars.add(ProgressBar::no_length());
        cell.set_style(template("{msg}"));
        StudyProgress::Bars { whole, cell, _bars: bars }
    }

    fn show(&mut self, status: &Status) {
        match self {
            StudyProgress::Quiet => {}
            StudyProgress::Bars { whole, cell, .. } => {
                if whole.length().is_none() {
                    whole.set_length(status.runs);
                    whole.set_position(status.ended_before);
                    whole.reset_eta();
                }
                whole.set_position(status.ended);
                cell.set_message(cell_line(status.cell.as_ref()));
            }
            StudyProgress::Lines { name, started, written } => {
                if written.elapsed() >= LINE_EVERY {
                    *written = Instant::now();
                    eprintln!("{}", line(name, status, started.elapsed()));
                }
            }
        }
    }
}

impl Drop for StudyProgress {
    fn drop(&mut self) {
        if let StudyProgress::Bars { whole, cell, .. } = self {
            cell.finish_and_clear();
            whole.finish_and_clear();
        }
    }
}

/// `acceptance rules: 120 of 240 runs after 60 s; swarm on hard-3: 5 of 20 runs, 4 solved`
fn line(name: &str, status: &Status, elapsed: Duration) -> String {
    let (ended, runs, seconds) = (HumanCount(status.ended), HumanCount(status.runs), elapsed.as_secs());
    let cell = status.cell.as_ref().map_or(String::new(), |cell| format!("; {}", cell_line(Some(cell))));
    format!("{name}: {ended} of {runs} runs after {seconds} s{cell}")
}

fn cell_line(cell: Option<&CellStatus>) -> String {
    cell.map_or(String::new(), |CellStatus { variant, puzzle, runs, ended, solved }| {
        format!("{variant} on {puzzle}: {ended} of {runs} runs, {solved} solved")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_all_runs_and_the_cell() {
        let cell = CellStatus { variant: "swarm".into(), puzzle: "hard-3".into(), runs: 20, ended: 5, solved: 4 };
        let status = Status { runs: 2400, ended: 1200, ended_before: 0, evaluations: 9, cell: None };
        let after = Duration::from_secs(61);
        assert_eq!(line("try", &status, after), "try: 1,200 of 2,400 runs after 61 s");
        let status = Status { cell: Some(cell), ..status };
        let expected = "try: 1,200 of 2,400 runs after 61 s; swarm on hard-3: 5 of 20 runs, 4 solved";
        assert_eq!(line("try", &status, after), expected);
    }
}
