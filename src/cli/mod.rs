//! The command line: one command per file, arguments in, exit codes out. No other module uses clap.

/// `eprintln` of this program: a closed standard error must not end it.
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
/// Searches with whole populations of candidate grids, which are scored at once on a GPU, or with SIMD on the CPU. The
/// results are the same bit for bit.
#[derive(Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "\
Exit codes: 0 done, and solved or equal; 1 done, but not solved or not equal; 2 wrong usage; 3 bad input; \
4 no such device, or the device failed; 5 an output could not be written; 70 a bug in swarmdoku; 130 interrupted.

Try:  swarmdoku solve 902005403100063025508407060026309001057010290090670530240530600705200304080041950")]
struct Cli {
    #[command(flatten)]
    general: GeneralArgs,

    #[command(subcommand)]
    command: Command,
}

/// The options of every command.
#[derive(Args)]
#[command(next_help_heading = "General")]
struct GeneralArgs {
    /// Number of threads on the CPU [default: all cores]
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print results and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Print more: what was chosen, and why
    #[arg(short, long, global = true)]
    verbose: bool,
}

// A command that scores candidates: its own options and those of the backend. No doc comment, which would be its help.
#[derive(Args)]
struct Scoring<T: Args> {
    #[command(flatten)]
    args: T,

    #[command(flatten)]
    backend: BackendArgs,
}

impl<T: Args> Scoring<T> {
    fn common(&self, general: &GeneralArgs) -> CommonArgs {
        CommonArgs { backend: self.backend.clone(), quiet: general.quiet }
    }
}

/// The options that commands share.
struct CommonArgs {
    backend: BackendArgs,
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Solve one puzzle, or every puzzle in a file
    Solve(Box<Scoring<solve::SolveArgs>>),
    /// Compare algorithms on the same puzzles, seeds and budget
    Compare(Scoring<compare::CompareArgs>),
    Run(Scoring<run::RunArgs>),
    Merge(merge::MergeArgs),
    Report(report::ReportArgs),
    Check(check::CheckArgs),
    Generate(generate::GenerateArgs),
    Score(Scoring<score::ScoreArgs>),
    Verify(Scoring<verify::VerifyArgs>),
    Bench(Scoring<bench::BenchArgs>),
    /// List the algorithms, or the parameters of one
    Algorithms(algorithms::AlgorithmsArgs),
    Devices(devices::DevicesArgs),
    Completions(completions::CompletionsArgs),
}

/// The result of a command that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Done, and solved, equal, valid.
    Yes,
    /// Done, but not solved, not equal.
    No,
    /// Done, but some input was bad and was reported.
    BadInput,
    /// Stopped by the user.
    Interrupted,
}

/// Parses the arguments, runs the command, and returns the exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(&cli.general);
    match start_threads(&cli.general).and_then(|()| run(&cli)) {
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
    let general = &cli.general;
    match &cli.command {
        Command::Solve(command) => solve::run(&command.args, &command.common(general)),
        Command::Compare(command) => compare::run(&command.args, &command.common(general)),
        Command::Run(command) => run::run(&command.args, &command.common(general)),
        Command::Merge(args) => merge::run(args, general),
        Command::Report(args) => report::run(args, general),
        Command::Check(args) => check::run(args),
        Command::Generate(args) => generate::run(args, general),
        Command::Score(command) => score::run(&command.args, &command.common(general)),
        Command::Verify(command) => verify::run(&command.args, &command.common(general)),
        Command::Bench(command) => bench::run(&command.args, &command.common(general)),
        Command::Algorithms(args) => algorithms::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

/// Prints an error to standard error.
fn report(error: &Error) {
    say(&format!("error: {error}"));
}

/// Prints a line to standard error; a failure is ignored.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// True if the reader of standard output has closed it, as `head` does; that is no error to report.
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

fn start_log(general: &GeneralArgs) {
    let level = if general.verbose { "info" } else { "warn" };
    let environment = env_logger::Env::default().default_filter_or(format!("error,swarmdoku={level}"));
    env_logger::Builder::from_env(environment).format_timestamp(None).init();
}

fn start_threads(general: &GeneralArgs) -> Result<(), Error> {
    let Some(threads) = general.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| Error::Internal(format!("{threads} threads could not be started: {error}")))
}

/// Parses a count: `6000000`, `6_000_000` or `6e6`.
fn count(text: &str) -> Result<u64, String> {
    parse_count(text)
        .ok_or_else(|| format!("`{text}` was found, but a whole number is needed, like 6000000, 6_000_000 or 6e6"))
}

/// Parses seconds: `10` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` was found, but seconds are needed, like 10 or 0.5"))
}

/// The commit that this program was built from, if it was built in a repository. It is read here and not in the library,
/// so that a commit does not recompile the library.
fn git_revision() -> Option<&'static str> {
    const REVISION: &str = git_version::git_version!(
        args = ["--always", "--abbrev=40", "--dirty=-modified", "--exclude=*"],
        fallback = ""
    );
    Some(REVISION).filter(|revision| !revision.is_empty())
}

/// A random seed below 2^53, so that every JSON reader keeps it exactly.
fn drawn_seed() -> Result<u64, Error> {
    SysRng
        .try_next_u64()
        .map(|word| word >> 11)
        .map_err(|error| Error::Internal(format!("the system has no random seed ({error}); use --seed")))
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
