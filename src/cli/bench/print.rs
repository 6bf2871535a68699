//! A benchmark on the terminal.

use indicatif::HumanCount;
use swarmdoku::Error;
use swarmdoku::bench::{AdapterCrossover, Measurement, Profile, Report, Task, short, time};

use super::table;
use crate::cli::print_line;

const HEADINGS: [&str; 7] =
    ["contender", "population", "candidates/s", "95 % interval", "bytes/s", "of read", "vs cpu"];

/// The machine, a table a task, where the time of a GPU's epochs goes, and the crossovers.
pub fn tables(report: &Report) -> Result<(), Error> {
    head(report)?;
    if !report.complete {
        print_line("broken off: only populations that were finished by then are shown")?;
    }
    for task in report.tasks() {
        print_line("")?;
        print_line(&match task {
            Task::Scoring => format!("scoring {} candidates, and nothing else", report.shape),
            Task::Epoch(algorithm) => {
                format!("whole epochs of {} individuals: {}", report.shape, report.description(algorithm))
            }
        })?;
        let rows: Vec<Vec<String>> = report.contenders.iter().flat_map(|who| report.of(task, who).map(row)).collect();
        table::print(&HEADINGS, 1, &rows)?;
    }
    print_line("")?;
    print_line(
        "of read: over the fastest streaming read on as many threads, past 100 % where caches hold the population",
    )?;
    print_line("vs cpu: over the rate of cpu on all threads")?;
    for contender in report.contenders.iter().filter(|contender| contender.adapter.is_some()) {
        for search in &report.searches {
            parts(report, search.algorithm, contender)?;
        }
    }
    print_line("")?;
    crossovers(report)?;
    print_line(&format!(
        "{} scores equal the oracle's, {} trajectories equal those of other contenders; {:.0} s",
        HumanCount(report.scores_compared),
        report.trajectories_compared,
        report.wall_s
    ))
}

fn head(report: &Report) -> Result<(), Error> {
    let machine = &report.machine;
    print_line(&format!(
        "swarmdoku {} on {}, {} threads, {:.1} GiB, {}",
        report.version,
        machine.processor,
        machine.threads,
        machine.memory as f64 / f64::from(1 << 30),
        machine.system
    ))?;
    for read in &report.reads {
        let estimate = read.bytes_per_s;
        let [median, low, high] = [estimate.median, estimate.low, estimate.high].map(short);
        print_line(&format!(
            "streaming read, {} thread(s): {median}B/s ({low} to {high}), {}B/s at best; {}",
            read.threads,
            short(read.limit()),
            read.reader
        ))?;
    }
    report.contenders.iter().try_for_each(|who| print_line(&format!("{}: {}", who.name, who.describe)))
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

/// Where the time of one adapter's epochs goes.
fn parts(report: &Report, algorithm: &'static str, contender: &Profile) -> Result<(), Error> {
    let split: Vec<_> = report.of(Task::Epoch(algorithm), contender).filter_map(|it| Some((it, it.parts?))).collect();
    let Some((_, first)) = split.first() else { return Ok(()) };
    print_line("")?;
    print_line(&format!(
        "where the epochs of {} ({algorithm}) spend their time; {} bytes a candidate pass the link",
        contender.name, report.bytes_over_link
    ))?;
    let stages = first.stages();
    let headings: Vec<&str> = ["population", "epoch"].into_iter().chain(stages.iter().map(|(name, _)| *name)).collect();
    let row = |(measured, parts): &(&Measurement, swarmdoku::bench::Parts)| {
        let first = [HumanCount(measured.population as u64).to_string(), time(measured.seconds.median)];
        first.into_iter().chain(parts.stages().into_iter().map(|(_, seconds)| time(seconds))).collect()
    };
    table::print(&headings, 0, &split.iter().map(row).collect::<Vec<_>>())
}

fn crossovers(report: &Report) -> Result<(), Error> {
    if report.crossovers.is_empty() {
        return print_line("no crossover: no adapter was measured");
    }
    report.crossovers.iter().try_for_each(|of| print_line(&crossover(of)))
}

fn crossover(AdapterCrossover { adapter, algorithm, crossover, .. }: &AdapterCrossover) -> String {
    let name = format!("{} for {algorithm}", adapter.describe());
    let count = |population| HumanCount(population).to_string();
    match crossover.population {
        None => format!("crossover of {name}: none measured up to {}", count(crossover.to)),
        Some(least) if least == crossover.from => {
            format!("crossover of {name}: at or before {}, the least measured", count(least))
        }
        Some(least) => format!("crossover of {name}: {}", count(least)),
    }
}
