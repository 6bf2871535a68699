//! `swarmdoku bench`: how fast this machine is, and the population size at which a GPU becomes faster.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use swarmdoku::bench::{
    self, AdapterCrossover, Contender, Figures, Measured, MeasuredWork, Measurement, Parts, Profile, Setup, Step, page,
    short, time,
};
use swarmdoku::fitness::crossovers::{self, Crossovers};
use swarmdoku::{Error, Shape};

use super::output::OutputFile;
use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, count, print_line, seconds};

/// Measure how fast candidates are scored and epochs run, and the population size at which a GPU becomes faster.
///
/// Measures `scalar`, `cpu` on one thread and on all threads, and every hardware adapter: first scoring alone, then whole
/// epochs of searches. Each figure is the median of many samples with its 95 % bootstrap interval; the rate at which this
/// machine reads memory is measured beside it. The time of a GPU includes all transfers, and is compared with `cpu` on all
/// threads. The crossover is the population size at which the GPU's epochs become faster; it holds for one algorithm.
/// Every score is compared with the plain definition. If one is wrong, no figure is printed and the exit code is 1.
///
/// With --backend, only that backend and `cpu` are measured; with --adapter, only that adapter and `cpu`. Software adapters
/// are measured with --allow-software only.
#[derive(Args)]
pub struct BenchArgs {
    /// Population sizes to measure, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1e3,1e4,1e5,1e6", value_parser = count)]
    populations: Vec<u64>,

    /// Shape of the grids: `9x9`, or with its blocks `6x6:3x2`
    #[arg(long, value_name = "SHAPE", default_value = "9x9")]
    shape: Shape,

    /// Algorithms to measure with their default parameters, separated by commas
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', default_values = Setup::ALGORITHMS)]
    algorithm: Vec<String>,

    /// Seconds of measuring in all; warming up and checking take more time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time: Duration,

    /// Seed of the candidates, the puzzle and the searches
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Write all figures and samples to a JSON file; `-` prints the JSON instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a page with charts, for a browser; it needs no network
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Save the crossovers of hardware adapters in your configuration folder, for --backend auto
    #[arg(long)]
    save: bool,
}

pub fn run(args: &BenchArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let algorithms: Vec<&str> = args.algorithm.iter().map(String::as_str).collect();
    let setup = Setup::new(args.shape, &populations(args)?, &algorithms, args.time, args.seed)?;
    let files = Files::open(args)?;
    let mut contenders = Contender::choose(&setup, common.backend.backend, &common.backend.request())?;
    if args.save {
        refuse_without_hardware(&contenders)?;
    }
    catch_interrupts();
    let bar = Bar::new(common.quiet);
    let measured = bench::measure(&setup, &mut contenders, command(), &mut |step| bar.observe(step))?;
    drop(bar);
    match measured {
        Measured::Figures(figures) => files.write(&figures, common.quiet),
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

/// The command as it was given, so that it can be repeated.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("swarmdoku".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The output files, which are known to be writable before the measurement begins.
struct Files {
    /// True if JSON is printed instead of the tables.
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

    fn write(self, figures: &Figures, quiet: bool) -> Result<Verdict, Error> {
        if self.json_only {
            print_line(&json(figures)?)?;
        } else {
            print_figures(figures)?;
        }
        if let Some(file) = &self.json {
            file.write(&json(figures)?)?;
        }
        if let Some(file) = &self.html {
            file.write(&page::render(figures)?)?;
        }
        if !figures.complete {
            return Ok(Verdict::Interrupted);
        }
        self.save.map_or(Ok(()), |file| file.keep(figures, quiet))?;
        Ok(Verdict::Yes)
    }
}

fn json(figures: &Figures) -> Result<String, Error> {
    serde_json::to_string(figures).map_err(|error| Error::Internal(format!("a benchmark: {error}")))
}

/// A progress bar on standard error; hidden unless that is a terminal.
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
            None => "streaming read of memory".to_owned(),
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

const HEADINGS: [&str; 7] =
    ["contender", "population", "candidates/s", "95 % interval", "bytes/s", "of read", "vs cpu"];

/// Prints the machine, a table per task, the stages of a GPU's epochs, and the crossovers.
fn print_figures(figures: &Figures) -> Result<(), Error> {
    head(figures)?;
    if !figures.complete {
        print_line("interrupted: only finished populations are shown")?;
    }
    for task in figures.tasks() {
        print_line("")?;
        print_line(&match task {
            MeasuredWork::Scoring => format!("scoring alone, {} candidates", figures.shape),
            MeasuredWork::Epoch(algorithm) => {
                format!("whole epochs, {} individuals: {}", figures.shape, figures.description(algorithm))
            }
        })?;
        let rows: Vec<Vec<String>> = figures.contenders.iter().flat_map(|who| figures.of(task, who).map(row)).collect();
        print_table(&HEADINGS, 1, &rows)?;
    }
    print_line("")?;
    print_line(
        "of read: relative to the streaming read on as many threads; above 100 % where caches hold the population",
    )?;
    print_line("vs cpu: relative to cpu on all threads")?;
    for contender in figures.contenders.iter().filter(|contender| contender.adapter.is_some()) {
        for search in &figures.searches {
            parts(figures, search.algorithm, contender)?;
        }
    }
    print_line("")?;
    crossovers(figures)?;
    print_line(&format!(
        "checked: {} scores equal the oracle's, {} trajectories equal those of other backends; {:.0} s in all",
        HumanCount(figures.scores_compared),
        figures.trajectories_compared,
        figures.wall_s
    ))
}

fn head(figures: &Figures) -> Result<(), Error> {
    let machine = &figures.machine;
    print_line(&format!(
        "swarmdoku {} on {}, {} threads, {:.1} GiB, {}",
        figures.version,
        machine.processor,
        machine.threads,
        machine.memory as f64 / f64::from(1 << 30),
        machine.system
    ))?;
    for read in &figures.reads {
        let estimate = read.bytes_per_s;
        let [median, low, high] = [estimate.median, estimate.low, estimate.high].map(short);
        print_line(&format!(
            "streaming read, {} thread(s): {median}B/s ({low} to {high}), {}B/s at best; {}",
            read.threads,
            short(read.limit()),
            read.reader
        ))?;
    }
    figures.contenders.iter().try_for_each(|who| print_line(&format!("{}: {}", who.name, who.describe)))
}

fn row(measured: &Measurement) -> Vec<String> {
    let rate = measured.candidates_per_s;
    vec![
        measured.contender.clone(),
        HumanCount(measured.population as u64).to_string(),
        short(rate.median),
        format!("{} to {}", short(rate.low), short(rate.high)),
        format!("{}B", short(measured.bytes_per_s)),
        format!("{:.0} %", 100.0 * measured.share_of_read),
        format!("{:.3}", measured.ratio_to_cpu),
    ]
}

/// Prints the stages of one adapter's epochs.
fn parts(figures: &Figures, algorithm: &'static str, contender: &Profile) -> Result<(), Error> {
    let split: Vec<_> =
        figures.of(MeasuredWork::Epoch(algorithm), contender).filter_map(|it| Some((it, it.parts?))).collect();
    let Some((_, first)) = split.first() else { return Ok(()) };
    print_line("")?;
    print_line(&format!(
        "stages of an epoch of {} ({algorithm}); {} bytes per candidate cross the link",
        contender.name, figures.bytes_over_link
    ))?;
    let stages = first.stages();
    let headings: Vec<&str> = ["population", "epoch"].into_iter().chain(stages.iter().map(|(name, _)| *name)).collect();
    let row = |(measured, parts): &(&Measurement, Parts)| {
        let first = [HumanCount(measured.population as u64).to_string(), time(measured.seconds.median)];
        first.into_iter().chain(parts.stages().into_iter().map(|(_, seconds)| time(seconds))).collect()
    };
    print_table(&headings, 0, &split.iter().map(row).collect::<Vec<_>>())
}

fn crossovers(figures: &Figures) -> Result<(), Error> {
    if figures.crossovers.is_empty() {
        return print_line("no crossover: no adapter was measured");
    }
    figures.crossovers.iter().try_for_each(|of| print_line(&crossover(of)))
}

fn crossover(AdapterCrossover { adapter, algorithm, crossover, .. }: &AdapterCrossover) -> String {
    let name = format!("{} for {algorithm}", adapter.describe());
    let count = |population| HumanCount(population).to_string();
    match crossover.population {
        None => format!("crossover of {name}: none up to {}", count(crossover.to)),
        Some(least) if least == crossover.from => {
            format!("crossover of {name}: at or below {}, the smallest population measured", count(least))
        }
        Some(least) => format!("crossover of {name}: {}", count(least)),
    }
}

/// Prints rows under their headings. The first `left` columns are aligned to the left, the others to the right.
fn print_table(headings: &[&str], left: usize, rows: &[Vec<String>]) -> Result<(), Error> {
    let headings: Vec<String> = headings.iter().map(|heading| heading.to_string()).collect();
    let all = || std::iter::once(&headings).chain(rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    all().try_for_each(|row| print_line(&aligned(row, left, &widths)))
}

fn aligned(row: &[String], left: usize, widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate().map(|(column, (text, width))| {
        if column < left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// The file of saved crossovers, with its present contents.
struct SaveFile {
    path: PathBuf,
    crossovers: Crossovers,
}

impl SaveFile {
    /// Reads the file.
    ///
    /// # Errors
    /// [`Error::Read`] for a file of another kind, which is not overwritten; [`Error::Parameter`] if the system names no
    /// configuration folder.
    fn open() -> Result<SaveFile, Error> {
        let path = crossovers::path().ok_or_else(|| Error::Parameter {
            name: "save",
            found: "given where the system names no configuration folder".into(),
            expected: "used with a home folder, or with the environment variable SWARMDOKU_CONFIG_DIR",
        })?;
        let crossovers = Crossovers::load(&path)?.unwrap_or_default();
        Ok(SaveFile { path, crossovers })
    }

    /// Adds the report's crossovers of hardware adapters, writes the file and names it.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    fn keep(mut self, figures: &Figures, quiet: bool) -> Result<(), Error> {
        let entries = figures.known_crossovers();
        let kept = entries.len();
        entries.into_iter().for_each(|entry| self.crossovers.put(entry));
        self.crossovers.store(&self.path)?;
        if !quiet {
            eprintln!("{kept} crossover(s) saved in {}", self.path.display());
        }
        Ok(())
    }
}

/// Refuses `--save` before the measurement if there will be nothing to save.
///
/// # Errors
/// [`Error::NoAdapter`] if no contender is a hardware adapter.
fn refuse_without_hardware(contenders: &[Contender]) -> Result<(), Error> {
    let is_hardware = |contender: &Contender| contender.profile.adapter.as_ref().is_some_and(|it| !it.is_software());
    if contenders.iter().any(is_hardware) {
        return Ok(());
    }
    Err(Error::NoAdapter(
        "--save saves the crossovers of hardware adapters, and none is measured (--backend auto never takes a software \
         adapter). `swarmdoku devices` lists the adapters; leave out --save to measure without one"
            .into(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_aligned_left_and_numbers_right() {
        let row = ["cpu", "5 µs", "1.0"].map(String::from);
        assert_eq!(aligned(&row, 1, &[5, 6, 3]), "cpu      5 µs  1.0");
    }
}
