//! `swarmdoku bench`: how fast this machine is, and the population size at which a GPU becomes faster.

mod print;
mod save;
mod table;

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use swarmdoku::bench::{self, Contender, Measured, Plan, Report, Step, page};
use swarmdoku::{Error, Shape};

use super::output::OutputFile;
use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, count, print_line, seconds};
use save::SaveFile;

/// Measure how fast candidates are scored and epochs run, and the population size at which a GPU becomes faster.
///
/// Measures `scalar`, `cpu` on one thread and on all, and every hardware adapter, on batches that are only scored and on
/// whole epochs of searches. Contenders take turns and are warmed up; what is printed is the median of many samples
/// with its 95 % bootstrap interval, beside what the fastest of several reads of memory reaches in the same run. A GPU is held
/// against `cpu` on all threads, transfers included; the crossover is the population size at which its epochs become faster,
/// and counts for that algorithm alone. Every score is compared with the plain definition: one wrong score, and the exit code is 1 and no figure is printed.
///
/// --backend measures one backend beside `cpu`, --adapter one adapter; software adapters take part where
/// --allow-software says so.
#[derive(Args)]
pub struct BenchArgs {
    /// Populations, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1e3,1e4,1e5,1e6", value_parser = count)]
    populations: Vec<u64>,

    /// The shape of all candidates
    #[arg(long, value_name = "S", default_value = "9x9")]
    shape: Shape,

    /// Algorithms whose epochs are measured, separated by commas, with their default parameters
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', default_values = Plan::ALGORITHMS)]
    algorithm: Vec<String>,

    /// Seconds that samples are taken for, all in all; warming up and checking come on top
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time: Duration,

    /// The seed of candidates, puzzle and searches
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Write everything, each sample too, to a JSON file; `-` prints it instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a page with charts that a browser shows without a network
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Keep the crossovers in your configuration folder, where --backend auto finds them. Software adapters are not kept
    #[arg(long)]
    save: bool,
}

pub fn run(args: &BenchArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let algorithms: Vec<&str> = args.algorithm.iter().map(String::as_str).collect();
    let plan = Plan::new(args.shape, &populations(args)?, &algorithms, args.time, args.seed)?;
    let files = Files::open(args)?;
    let mut contenders = Contender::choose(&plan, common.backend.backend, &common.backend.request())?;
    if args.save {
        save::refuse_without_hardware(&contenders)?;
    }
    catch_interrupts();
    let bar = Bar::new(common.quiet);
    let measured = bench::measure(&plan, &mut contenders, command(), &mut |step| bar.observe(step))?;
    drop(bar);
    match measured {
        Measured::Report(report) => files.write(&report, common.quiet),
        Measured::Wrong(wrong) => {
            print_line(&wrong.to_string())?;
            Ok(Verdict::No)
        }
    }
}

fn populations(args: &BenchArgs) -> Result<Vec<usize>, Error> {
    let fits = |population: &u64| {
        usize::try_from(*population).map_err(|_| Error::Parameter {
            name: "populations",
            found: population.to_string(),
            expected: "small enough for this machine's memory",
        })
    };
    args.populations.iter().map(fits).collect()
}

/// The command as it was given, for whoever wants to repeat it.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("swarmdoku".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Where results go, known to be writable before anything is measured.
struct Files {
    /// True if the tables give way to JSON on standard output.
    json_only: bool,
    json: Option<OutputFile>,
    html: Option<OutputFile>,
    save: Option<SaveFile>,
}

impl Files {
    fn open(args: &BenchArgs) -> Result<Files, Error> {
        let json_only = args.json.as_deref().is_some_and(|path| path.as_os_str() == "-");
        let json = args.json.as_deref().filter(|_| !json_only);
        Ok(Files {
            json_only,
            json: json.map(OutputFile::new).transpose()?,
            html: args.html.as_deref().map(OutputFile::new).transpose()?,
            save: args.save.then(SaveFile::open).transpose()?,
        })
    }

    fn write(self, report: &Report, quiet: bool) -> Result<Verdict, Error> {
        if self.json_only {
            print_line(&json(report)?)?;
        } else {
            print::tables(report)?;
        }
        if let Some(file) = &self.json {
            file.write(&json(report)?)?;
        }
        if let Some(file) = &self.html {
            file.write(&page::render(report)?)?;
        }
        if !report.complete {
            return Ok(Verdict::Interrupted);
        }
        self.save.map_or(Ok(()), |file| file.keep(report, quiet))?;
        Ok(Verdict::Yes)
    }
}

fn json(report: &Report) -> Result<String, Error> {
    serde_json::to_string(report).map_err(|error| Error::Internal(format!("a benchmark: {error}")))
}

/// A line on standard error that shows how far the measuring is; hidden unless that is a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(quiet: bool) -> Bar {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}").expect("the template is well formed");
        bar.set_style(style);
        Bar(bar)
    }

    fn observe(&self, step: Step<'_>) -> ControlFlow<()> {
        self.0.set_length(step.all as u64);
        self.0.set_position(step.done as u64);
        self.0.set_message(match step.task {
            None => "streaming read".to_owned(),
            Some(task) => {
                let (what, population) = (task.algorithm().unwrap_or(task.name()), HumanCount(step.population as u64));
                format!("{what} of {population}: {}", step.contender)
            }
        });
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
