//! A report as one HTML page that needs nothing else: it opens from a file, without a network, on a phone, in a light or a
//! dark scheme, and on paper.
//!
//! The page is `templates/bench.html`; its frame and colours are those of all pages, `templates/page.html` and
//! `templates/page.css`.
//! Charts come twice, for wide and for narrow windows, since text that shrinks with a chart cannot be read.

mod bars;
mod chart;
mod mark;

use askama::Template;
use indicatif::HumanCount;

use self::chart::{Line, Size};
use self::mark::Legend;
use super::{AdapterCrossover, Measurement, Parts, Profile, Report, Task, short, time};
use crate::error::Error;

/// The page of a report.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no report should bring about.
pub fn render(report: &Report) -> Result<String, Error> {
    let epochs = report.tasks().into_iter().filter(|task| task.algorithm().is_some());
    let splits = epochs.flat_map(|task| report.contenders.iter().map(move |who| (task, who)));
    let splits = splits.filter_map(|(task, who)| split(report, task, who).transpose());
    let page = Page {
        report,
        facts: facts(report),
        tasks: report.tasks().into_iter().map(|task| task_section(report, task)).collect::<Result<_, _>>()?,
        splits: splits.collect::<Result<_, _>>()?,
        checks: format!(
            "{} scores were compared with the plain definition of the score and {} trajectories with those of other \
             contenders: all were equal.",
            HumanCount(report.scores_compared),
            report.trajectories_compared
        ),
        setting: setting(report),
    };
    page.render().map_err(|error| Error::Internal(format!("a page: {error}")))
}

#[derive(Template)]
#[template(path = "bench.html")]
struct Page<'a> {
    report: &'a Report,
    facts: Vec<Fact>,
    tasks: Vec<TaskSection>,
    splits: Vec<Split>,
    checks: String,
    setting: Vec<Fact>,
}

struct Fact {
    what: String,
    value: String,
}

/// One task: a chart of all contenders, and its figures.
struct TaskSection {
    title: String,
    text: String,
    wide: String,
    narrow: String,
    legend: Vec<Legend>,
    rows: Vec<Vec<String>>,
}

/// Where the epochs of one adapter spend their time.
struct Split {
    name: String,
    text: String,
    wide: String,
    narrow: String,
    legend: Vec<Legend>,
    rows: Vec<Vec<String>>,
}

/// What a reader wants to know first.
fn facts(report: &Report) -> Vec<Fact> {
    let fact = |what: String, value: String| Fact { what, value };
    let mut facts: Vec<Fact> = report.crossovers.iter().map(crossover_fact).collect();
    for task in report.tasks() {
        let what = match task {
            Task::Scoring => "scored".to_owned(),
            Task::Epoch(algorithm) => format!("in whole epochs of {algorithm}"),
        };
        let best = report.measurements.iter().filter(|it| it.task == task);
        if let Some(best) = best.max_by(|a, b| a.candidates_per_s.median.total_cmp(&b.candidates_per_s.median)) {
            let rate = format!("{}/s", short(best.candidates_per_s.median));
            facts.push(fact(format!("candidates {what} at most: {}", best.contender), rate));
        }
    }
    facts.extend(report.reads.last().map(|read| {
        let what = format!("read from memory by {} thread(s)", read.threads);
        fact(what, format!("{}B/s", short(read.bytes_per_s.median)))
    }));
    facts
}

fn crossover_fact(AdapterCrossover { adapter, algorithm, crossover, .. }: &AdapterCrossover) -> Fact {
    let value = match crossover.population {
        None => format!("none up to {}", HumanCount(crossover.to)),
        Some(least) if least == crossover.from => format!("{} or fewer", HumanCount(least)),
        Some(least) => HumanCount(least).to_string(),
    };
    Fact { what: format!("individuals of {algorithm} at which {} becomes faster than the CPU", adapter.name), value }
}

fn task_section(report: &Report, task: Task) -> Result<TaskSection, Error> {
    let lines: Vec<Line> = report
        .contenders
        .iter()
        .map(|who| Line { points: report.of(task, who).map(|it| (it.population, it.candidates_per_s)).collect() })
        .collect();
    let legend = report.contenders.iter().enumerate();
    let population = match task {
        Task::Scoring => "candidates in a batch",
        Task::Epoch(_) => "individuals in an epoch",
    };
    Ok(TaskSection {
        title: match task {
            Task::Scoring => "Scoring alone".to_owned(),
            Task::Epoch(algorithm) => format!("Whole epochs of {algorithm}"),
        },
        text: match task {
            Task::Scoring => "Batches of candidates scored, and nothing else.".into(),
            Task::Epoch(algorithm) => {
                format!("Every individual proposes, is scored and accepts: {}.", report.description(algorithm))
            }
        },
        wide: chart::throughput(&lines, population, Size::Wide)?,
        narrow: chart::throughput(&lines, population, Size::Narrow)?,
        legend: legend.map(|(index, who)| Legend::of_line(index, format!("{} ({})", who.name, who.describe))).collect(),
        rows: report.contenders.iter().flat_map(|who| report.of(task, who).map(row)).collect(),
    })
}

fn count(population: usize) -> String {
    HumanCount(population as u64).to_string()
}

fn row(measured: &Measurement) -> Vec<String> {
    let rate = measured.candidates_per_s;
    vec![
        measured.contender.clone(),
        count(measured.population),
        short(rate.median),
        format!("{} to {}", short(rate.low), short(rate.high)),
        format!("{}B", short(measured.bytes_per_s)),
        format!("{:.0} %", 100.0 * measured.share_of_read),
        format!("{:.3}", measured.ratio_to_cpu),
    ]
}

/// The parts of an adapter's epochs; none for a contender whose epochs have no parts.
fn split(report: &Report, task: Task, who: &Profile) -> Result<Option<Split>, Error> {
    let parts: Vec<(&Measurement, Parts)> = report.of(task, who).filter_map(|it| Some((it, it.parts?))).collect();
    let Some((_, first)) = parts.first() else { return Ok(None) };
    let names = first.stages().into_iter().map(|(name, _)| name);
    let bars: Vec<bars::Bar> = parts
        .iter()
        .map(|(measured, parts)| bars::Bar {
            label: format!("{} · {}", count(measured.population), time(measured.seconds.median)),
            stages: parts.stages(),
        })
        .collect();
    let row = |(measured, parts): &(&Measurement, Parts)| {
        let first = [count(measured.population), time(measured.seconds.median)];
        first.into_iter().chain(parts.stages().into_iter().map(|(_, seconds)| time(seconds))).collect()
    };
    Ok(Some(Split {
        name: format!("{} ({})", who.name, task.algorithm().unwrap_or_default()),
        text: format!(
            "On {}. Each bar is an epoch: the population, the time it took, and the share of each part. {} bytes a \
             candidate pass the link: its cells there, its score back.",
            who.describe, report.bytes_over_link
        ),
        wide: bars::stacked(&bars, Size::Wide)?,
        narrow: bars::stacked(&bars, Size::Narrow)?,
        legend: names.map(Legend::of_stage).collect(),
        rows: parts.iter().map(row).collect(),
    }))
}

fn setting(report: &Report) -> Vec<Fact> {
    let machine = &report.machine;
    let fact = |what: &str, value: String| Fact { what: what.into(), value };
    let cores = machine.cores.map_or(String::new(), |cores| format!("{cores} cores, "));
    let mut facts = vec![
        fact("processor", format!("{} ({cores}{} threads used)", machine.processor, machine.threads)),
        fact("memory", format!("{:.1} GiB", machine.memory as f64 / f64::from(1 << 30))),
        fact("system", machine.system.clone()),
    ];
    for read in &report.reads {
        let rate = read.bytes_per_s;
        let [median, low, high] = [rate.median, rate.low, rate.high].map(short);
        let what = format!("streaming read, {} thread(s)", read.threads);
        facts.push(fact(
            &what,
            format!("{median}B/s ({low} to {high}), {}, {} MiB at a time", read.reader, read.bytes >> 20),
        ));
    }
    facts.extend(report.contenders.iter().map(|who| fact(&who.name, who.describe.clone())));
    facts.push(fact("puzzle", report.puzzle.clone()));
    facts.push(fact("seed", report.seed.to_string()));
    facts.push(fact("took", format!("{:.0} s", report.wall_s)));
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing::report;

    #[test]
    fn names_are_escaped_wherever_they_stand() {
        let page = render(&report()).unwrap();
        for raw in ["<script>", "<b>&", "& \"more\""] {
            assert!(!page.contains(raw), "{raw} is not escaped");
        }
        assert!(page.contains("Card &#60;b&#62;&#38;&#34;&#39;"), "{page}");
    }

    #[test]
    fn an_adapter_has_its_crossover_and_its_epochs_parts() {
        let page = render(&report()).unwrap();
        for part in
            ["<b>12,345</b>", "Where an epoch of gpu #1, vulkan", "link and wait", "4.00 ms", "20 bytes", "42 %"]
        {
            assert!(page.contains(part), "{part} is missing");
        }
        assert!(!page.contains("broken off"));
    }

    #[test]
    fn a_report_without_figures_is_a_page_that_says_so() {
        let mut report = report();
        (report.complete, report.measurements, report.crossovers) = (false, Vec::new(), Vec::new());
        assert!(render(&report).unwrap().contains("Measuring was broken off"));
    }
}
