//! Arguments in, exit codes out; one command a file. The only place that knows clap.

/// `eprintln` of this program: a closed standard error is no bug, and what was worked out must still be kept.
macro_rules! eprintln {
    ($($argument:tt)*) => { $crate::cli::say(&format!($($argument)*)) };
}

mod algorithm;
mod algorithms;
mod backend;
mod bench;
mod check;
mod compare;
mod completions;
mod devices;
mod generate;
mod input;
mod merge;
mod output;
mod plot;
mod progress;
mod report;
mod run;
mod runner;
mod score;
mod solve;
mod source;
mod verify;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use rand::TryRng;
use rand::rngs::SysRng;
use swarmdoku::Error;
use swarmdoku::error::ErrorKind;
use swarmdoku::search::parameter::parse_count;

use backend::BackendArgs;

/// Large-population metaheuristics on Sudoku.
///
/// Scores whole populations of candidate grids at once, on a GPU or by SIMD on the CPU, with the same results bit for
/// bit, and searches with them.
#[derive(Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "\
Exit codes: 0 done, and solved or equal; 1 done, but not solved or not equal; 2 wrong usage; 3 bad input; \
4 no such device, or it failed; 5 an output could not be written; 70 a bug in swarmdoku; 130 interrupted.

Try:  swarmdoku solve 902005403100063025508407060026309001057010290090670530240530600705200304080041950")]
struct Cli {
    #[command(flatten)]
    common: CommonArgs,

    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct CommonArgs {
    #[command(flatten)]
    backend: BackendArgs,

    /// Threads of the CPU backend and of everything done on the host [default: all cores]
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print results and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Say more about what was chosen, and why
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Solve one puzzle, or every puzzle in a file, with a population search
    Solve(Box<solve::SolveArgs>),
    /// Compare algorithms on the same puzzles, seeds and budget
    Compare(compare::CompareArgs),
    /// Make the runs of a plan, many at once, in a folder that survives being killed
    Run(run::RunArgs),
    /// Join the folders of an experiment's parts into one
    Merge(merge::MergeArgs),
    /// Tell whether puzzles are valid, how many solutions they have, and how hard they are
    Check(check::CheckArgs),
    /// Make random puzzles with exactly one solution, or random full grids
    Generate(generate::GenerateArgs),
    Report(report::ReportArgs),
    /// Score candidate grids: digits missing from rows, columns and blocks
    Score(score::ScoreArgs),
    /// Compare every backend with the plain definition of the score
    Verify(verify::VerifyArgs),
    /// Measure how fast this machine is, and the population size at which a GPU becomes faster
    Bench(bench::BenchArgs),
    /// List the algorithms, or the parameters of one
    Algorithms(algorithms::AlgorithmsArgs),
    /// List the adapters that --backend gpu can choose from
    Devices(devices::DevicesArgs),
    /// Print what a shell needs to complete the arguments of this program
    Completions(completions::CompletionsArgs),
}

/// How a command that did not fail ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Done, and solved, equal, valid.
    Yes,
    /// Done, but not solved, not equal.
    No,
    /// Done, but some input was bad; that was reported where it was met.
    BadInput,
    /// Stopped by the user.
    Interrupted,
}

/// Parses the arguments, runs the command, and maps what came of it to an exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(&cli.common);
    match start_threads(&cli.common).and_then(|()| run(&cli)) {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Ok(Verdict::BadInput) => ExitCode::from(3),
        Ok(Verdict::Interrupted) => ExitCode::from(130),
        Err(error) => {
            if !reader_has_gone(&error) {
                report(&error);
            }
            ExitCode::from(exit_code(error.kind()))
        }
    }
}

fn run(cli: &Cli) -> Result<Verdict, Error> {
    match &cli.command {
        Command::Solve(args) => solve::run(args, &cli.common),
        Command::Compare(args) => compare::run(args, &cli.common),
        Command::Run(args) => run::run(args, &cli.common),
        Command::Merge(args) => merge::run(args, &cli.common),
        Command::Check(args) => check::run(args),
        Command::Generate(args) => generate::run(args, &cli.common),
        Command::Report(args) => report::run(args, &cli.common),
        Command::Score(args) => score::run(args, &cli.common),
        Command::Verify(args) => verify::run(args, &cli.common),
        Command::Bench(args) => bench::run(args, &cli.common),
        Command::Algorithms(args) => algorithms::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

/// Prints an error where results do not go.
fn report(error: &Error) {
    say(&format!("error: {error}"));
}

/// Prints a line where results do not go. Nobody can be told that nobody reads there.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// True if nobody reads the output any more, as after `| head`: nobody needs to be told either.
fn reader_has_gone(error: &Error) -> bool {
    matches!(error, Error::Write { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The exit code of a failure.
fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Usage => 2,
        ErrorKind::Input | ErrorKind::Read => 3,
        ErrorKind::Device => 4,
        ErrorKind::Write | ErrorKind::Busy => 5,
        ErrorKind::Bug => 70,
    }
}

fn start_log(common: &CommonArgs) {
    let level = if common.verbose { "info" } else { "warn" };
    let environment = env_logger::Env::default().default_filter_or(format!("error,swarmdoku={level}"));
    env_logger::Builder::from_env(environment).format_timestamp(None).init();
}

fn start_threads(common: &CommonArgs) -> Result<(), Error> {
    let Some(threads) = common.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| Error::Internal(format!("{threads} threads could not be started: {error}")))
}

/// A count as people write it: `6000000`, `6_000_000`, `6e6`.
fn count(text: &str) -> Result<u64, String> {
    parse_count(text)
        .ok_or_else(|| format!("`{text}` was found, but a whole number is needed, like 6000000, 6_000_000 or 6e6"))
}

/// Seconds of wall time, as in `10` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` was found, but seconds are needed, like 10 or 0.5"))
}

/// A seed below 2^53, so that every JSON reader keeps it whole.
fn drawn_seed() -> Result<u64, Error> {
    SysRng
        .try_next_u64()
        .map(|word| word >> 11)
        .map_err(|error| Error::Internal(format!("the system gave no random seed ({error}); give one with --seed")))
}

/// Writes a line of results to standard output.
fn print_line(line: &str) -> Result<(), Error> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}").map_err(output_error)
}

/// The error of a failed write to standard output.
fn output_error(source: std::io::Error) -> Error {
    Error::Write { path: "standard output".into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["-1", "NaN", "inf", "1e300", "soon"] {
            assert!(seconds(text).unwrap_err().contains("seconds are needed"), "{text}");
        }
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        assert_eq!(count("6000000"), Ok(6_000_000));
        assert_eq!(count("6_000_000"), Ok(6_000_000));
        assert_eq!(count("6e6"), Ok(6_000_000));
        for text in ["", "-1", "1.5", "1e99", "99999999999999999999", "e6", "ten"] {
            assert!(count(text).unwrap_err().contains("whole number"), "{text}");
        }
    }
}
