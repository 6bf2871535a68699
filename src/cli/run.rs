//! `swarmdoku run`: a plan in, a folder of runs out.

mod describe;
mod progress;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use swarmdoku::Error;
use swarmdoku::experiment::plan::{Plan, Target};
use swarmdoku::experiment::study::Shard;
use swarmdoku::experiment::{Entry, Experiment, Status, slots_in_flight};

use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, git_revision, seconds};
use progress::StudyProgress;

/// Make the runs of a plan: algorithms and settings on puzzles, each with many seeds.
///
/// The folder holds manifest.json, runs.jsonl and traces.jsonl, a line a run, written as the run ends. Kill the process
/// whenever you like and start it again with --resume: what had ended stays, and unfinished runs go on from their last
/// checkpoint and end exactly as uninterrupted ones. Every run's seed derives from the master seed, the puzzle, the
/// algorithm with its parameters and the run's number alone.
///
/// On the CPU each thread makes a run of its own; on a GPU the populations of many runs share one dispatch an epoch. The
/// runs are the same either way. A plan may name backends for its algorithms; the runs of one backend follow those of
/// another. Seconds of a run mean something only with --timing, and are null without it.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 all runs are there; 2 wrong usage, or a folder of another plan; 3 a bad plan or puzzle, or a damaged folder; \
4 the device failed; 5 a file could not be written, or another process works in the folder; 130 interrupted. After 4, 5 \
and 130, and after a kill, the same command with --resume goes on; 2 and 3 need a hand.

Job arrays: --shard auto/N takes K from SLURM_ARRAY_TASK_ID (submit with --array=1-N), JOB_COMPLETION_INDEX (Kubernetes, \
0 to N-1) or HQ_TASK_ID (HyperQueue, --array 1-N). Give each part a folder of its own, and join them with `swarmdoku merge`.

Try:  swarmdoku run examples/plans/acceptance.toml -o /tmp/acceptance --dry-run")]
pub struct RunArgs {
    /// The plan, a TOML file; see examples/plans/
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,

    /// The folder of results; made if it is not there
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// Print the cells, the runs and what they take at most, and start nothing
    #[arg(long, conflicts_with_all = ["resume", "extend"])]
    dry_run: bool,

    /// Make part K of N of the runs, counted from 1: `3/16`, or `auto/16` inside a job array
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,

    /// Go on in a folder that was begun with the same plan; begin it if it was not
    #[arg(long)]
    resume: bool,

    /// Go on in a folder whose plan has got more runs, puzzles or algorithms; nothing that is done is done again
    #[arg(long)]
    extend: bool,

    /// One run at a time on all threads, and its seconds recorded
    #[arg(long)]
    timing: bool,

    /// Seconds between two checkpoints of unfinished runs
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
        return describe::dry_run(&plan, shard, side_by_side, &open);
    };
    catch_interrupts();
    let experiment = Experiment {
        plan: &plan,
        folder: output.clone(),
        entry: args.entry(),
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
    describe::ending(&plan, &status, output)?;
    Ok(if status.ended < status.runs { Verdict::Interrupted } else { Verdict::Yes })
}

impl RunArgs {
    fn entry(&self) -> Entry {
        match (self.extend, self.resume) {
            (true, _) => Entry::Extend,
            (false, true) => Entry::Resume,
            (false, false) => Entry::New,
        }
    }
}
