//! A benchmark's report as one page, by the charts, tables and sections of all pages.
//!
//! The page is `templates/bench.html`. Charts come twice, for wide and for narrow windows, since text that shrinks with a
//! chart cannot be read.

mod stages;
mod throughput;

use askama::Template;
use indicatif::HumanCount;

use super::{AdapterCrossover, Figures, MeasuredWork, short};
use crate::error::Error;
use crate::report::page::{self, Section};

/// The window that a chart is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    /// A screen, or paper.
    Wide,
    /// A phone.
    Narrow,
}

impl Size {
    /// Pixels from left to right: text keeps its size where a chart is shown at this width.
    fn width(self) -> u32 {
        match self {
            Size::Wide => 900,
            Size::Narrow => 350,
        }
    }
}

/// The page of a report.
///
/// # Errors
/// [`Error::Internal`] if drawing fails, which no report should bring about.
pub fn render(figures: &Figures) -> Result<String, Error> {
    let page = BenchPage {
        figures,
        facts: facts(figures),
        sections: page::to_html(&sections(figures)?)?,
        checks: format!(
            "{} scores were compared with the plain definition of the score and {} trajectories with those of other \
             contenders: all were equal.",
            HumanCount(figures.scores_compared),
            figures.trajectories_compared
        ),
        setting: setting(figures),
    };
    page.render().map_err(|error| Error::Internal(format!("a page: {error}")))
}

#[derive(Template)]
#[template(path = "bench.html")]
struct BenchPage<'a> {
    figures: &'a Figures,
    facts: Vec<Fact>,
    sections: String,
    checks: String,
    setting: Vec<Fact>,
}

struct Fact {
    what: String,
    value: String,
}

fn sections(figures: &Figures) -> Result<Vec<Section>, Error> {
    let tasks = figures.tasks();
    let mut sections: Vec<Section> =
        tasks.iter().map(|task| throughput::section(figures, *task)).collect::<Result<_, _>>()?;
    for task in tasks.into_iter().filter(|task| task.algorithm().is_some()) {
        for (place, contender) in figures.contenders.iter().enumerate() {
            sections.extend(stages::section(figures, task, place, contender)?);
        }
    }
    Ok(sections)
}

/// The main results.
fn facts(figures: &Figures) -> Vec<Fact> {
    let fact = |what: String, value: String| Fact { what, value };
    let mut facts: Vec<Fact> = figures.crossovers.iter().map(crossover_fact).collect();
    for task in figures.tasks() {
        let what = match task {
            MeasuredWork::Scoring => "scored".to_owned(),
            MeasuredWork::Epoch(algorithm) => format!("in whole epochs of {algorithm}"),
        };
        let best = figures.measurements.iter().filter(|it| it.task == task);
        if let Some(best) = best.max_by(|a, b| a.candidates_per_s.median.total_cmp(&b.candidates_per_s.median)) {
            let rate = format!("{}/s", short(best.candidates_per_s.median));
            facts.push(fact(format!("candidates {what} at most: {}", best.contender), rate));
        }
    }
    facts.extend(figures.reads.last().map(|read| {
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

fn count(population: usize) -> String {
    HumanCount(population as u64).to_string()
}

fn setting(figures: &Figures) -> Vec<Fact> {
    let machine = &figures.machine;
    let fact = |what: &str, value: String| Fact { what: what.into(), value };
    let cores = machine.cores.map_or(String::new(), |cores| format!("{cores} cores, "));
    let mut facts = vec![
        fact("processor", format!("{} ({cores}{} threads used)", machine.processor, machine.threads)),
        fact("memory", format!("{:.1} GiB", machine.memory as f64 / f64::from(1 << 30))),
        fact("system", machine.system.clone()),
    ];
    for read in &figures.reads {
        let rate = read.bytes_per_s;
        let [median, low, high] = [rate.median, rate.low, rate.high].map(short);
        let what = format!("streaming read, {} thread(s)", read.threads);
        facts.push(fact(
            &what,
            format!(
                "{median}B/s ({low} to {high}), {}B/s at best, {}, {} MiB at a time",
                short(read.limit()),
                read.reader,
                read.bytes >> 20
            ),
        ));
    }
    facts.extend(figures.contenders.iter().map(|who| fact(&who.name, who.describe.clone())));
    facts.push(fact("puzzle", figures.puzzle.clone()));
    facts.push(fact("seed", figures.seed.to_string()));
    facts.push(fact("took", format!("{:.0} s", figures.wall_s)));
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing::figures;

    #[test]
    fn names_are_escaped_wherever_they_stand() {
        let page = render(&figures()).unwrap();
        assert_eq!(page.matches("<script>").count(), 1, "the page's own");
        for raw in ["<b>&", "& \"more\""] {
            assert!(!page.contains(raw), "{raw} is not escaped");
        }
        assert!(page.contains("Card &#60;b&#62;&#38;&#34;&#39;"), "{page}");
    }

    #[test]
    fn an_adapter_has_its_crossover_and_its_epochs_parts() {
        let page = render(&figures()).unwrap();
        for part in [
            "<b>12,345</b>",
            "Where an epoch of swarm on gpu #1, vulkan",
            "link and wait",
            "4.00 ms",
            "20 bytes",
            "42 %",
        ] {
            assert!(page.contains(part), "{part} is missing");
        }
        assert!(!page.contains("broken off"));
    }

    #[test]
    fn a_report_without_figures_is_a_page_that_says_so() {
        let mut figures = figures();
        (figures.complete, figures.measurements, figures.crossovers) = (false, Vec::new(), Vec::new());
        assert!(render(&figures).unwrap().contains("Measuring was broken off"));
    }
}
