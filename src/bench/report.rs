//! What a benchmark came to: every sample, and what they say.

use serde::Serialize;

use super::series::Series;
use super::{Crossover, Estimate, Machine, Parts, Plan, Point, Profile, StreamingRead};
use crate::fitness::gpu::AdapterSummary;
use crate::sudoku::Shape;

/// What was timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// A batch of candidates scored, and nothing else.
    Scoring,
    /// A whole epoch of the swarm's workers: proposed, scored, accepted, concluded.
    Epoch,
}

impl Task {
    /// Both, in the order in which they are measured and shown.
    pub const ALL: [Task; 2] = [Task::Scoring, Task::Epoch];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Task::Scoring => "scoring",
            Task::Epoch => "epoch",
        }
    }
}

/// One contender at one task with one population.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// What was timed.
    pub task: Task,
    /// The contender's name.
    pub contender: String,
    /// Candidates in a batch, individuals in an epoch.
    pub population: usize,
    /// Batches or epochs that each sample is the mean of.
    pub rounds: u32,
    /// Seconds that a batch or an epoch took, a sample each.
    pub samples_s: Vec<f64>,
    /// The median of the samples.
    pub seconds: Estimate,
    /// Candidates a second.
    pub candidates_per_s: Estimate,
    /// Bytes of candidates a second.
    pub bytes_per_s: f64,
    /// Those, as a part of what a streaming read reached on as many threads between the same laps; past 1 where caches hold
    /// the population.
    pub share_of_read: f64,
    /// Candidates a second, over those of the CPU on all cores.
    pub ratio_to_cpu: f64,
    /// Where an epoch's time went, the median of each part, if it was scored as a batch.
    pub parts: Option<Parts>,
    /// The same of each sample.
    pub parts_samples: Vec<Parts>,
}

/// From which population on the epochs of an adapter are faster than those of the CPU on all cores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AdapterCrossover {
    /// The adapter.
    pub adapter: AdapterSummary,
    /// The crossover.
    #[serde(flatten)]
    pub crossover: Crossover,
}

/// Everything that was measured, and on what.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// This program's version.
    pub version: &'static str,
    /// The command that was given.
    pub command: String,
    /// When it began, as RFC 3339 in UTC.
    pub started: String,
    /// Seconds that it took, warming up and checking included.
    pub wall_s: f64,
    /// True unless it was broken off.
    pub complete: bool,
    /// The machine.
    pub machine: Machine,
    /// The shape of all candidates.
    #[serde(serialize_with = "as_text")]
    pub shape: Shape,
    /// Bytes of a candidate.
    pub bytes_per_candidate: usize,
    /// Bytes of a candidate and its score, which pass the link to a device.
    pub bytes_over_link: usize,
    /// The seed of candidates, puzzle and swarm.
    pub seed: u64,
    /// The swarm whose epochs were timed, for people.
    pub swarm: String,
    /// The puzzle it worked on.
    pub puzzle: String,
    /// Streaming reads between all laps, on one thread and on all.
    pub reads: Vec<StreamingRead>,
    /// Who was measured.
    pub contenders: Vec<Profile>,
    /// Both tasks of each population and contender.
    pub measurements: Vec<Measurement>,
    /// One for each adapter.
    pub crossovers: Vec<AdapterCrossover>,
    /// Scores that were compared with the oracle's; all were equal.
    pub scores_compared: u64,
    /// Trajectories that were compared with those of other contenders; all were equal.
    pub trajectories_compared: u64,
}

fn as_text<S: serde::Serializer>(shape: &Shape, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(shape)
}

/// What was measured at one task and population, in the contenders' order.
pub(super) fn measurements(
    plan: &Plan,
    task: Task,
    population: usize,
    reads: &[StreamingRead],
    timed: Vec<(&Profile, Series)>,
) -> Vec<Measurement> {
    let rate = |series: &Series| {
        let seconds = Estimate::of(&series.seconds).expect("each contender has had its laps");
        (seconds, seconds.rate(population as f64))
    };
    let reference = timed.iter().rfind(|(profile, _)| profile.is_cpu()).expect("the CPU is always measured");
    let (_, reference) = rate(&reference.1);
    let measurement = |(profile, series): (&Profile, Series)| {
        let (seconds, candidates_per_s) = rate(&series);
        let bytes_per_s = candidates_per_s.median * plan.bytes_per_candidate() as f64;
        let read = reads.iter().find(|read| read.threads == profile.threads).expect("reads have the same cores");
        Measurement {
            task,
            contender: profile.name.clone(),
            population,
            rounds: series.rounds,
            samples_s: series.seconds,
            seconds,
            candidates_per_s,
            bytes_per_s,
            share_of_read: bytes_per_s / read.bytes_per_s.median,
            ratio_to_cpu: candidates_per_s.median / reference.median,
            parts: Parts::median(&series.parts),
            parts_samples: series.parts,
        }
    };
    timed.into_iter().map(measurement).collect()
}

impl Report {
    /// The measurements of a task and contender, by ascending population.
    pub fn of<'a>(&'a self, task: Task, contender: &'a Profile) -> impl Iterator<Item = &'a Measurement> {
        self.measurements.iter().filter(move |found| found.task == task && found.contender == contender.name)
    }

    /// The crossover of each adapter's epochs.
    pub(super) fn find_crossovers(&self) -> Vec<AdapterCrossover> {
        let Some(cpu) = self.contenders.iter().rfind(|contender| contender.is_cpu()) else { return Vec::new() };
        let of = |gpu: &Profile| {
            let both = self.of(Task::Epoch, cpu).zip(self.of(Task::Epoch, gpu));
            let points: Vec<Point> = both
                .map(|(cpu, gpu)| Point {
                    population: cpu.population,
                    cpu: cpu.seconds.median,
                    gpu: gpu.seconds.median,
                })
                .collect();
            Some(AdapterCrossover { adapter: gpu.adapter.clone()?, crossover: Crossover::of(&points)? })
        };
        self.contenders.iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing;

    #[test]
    fn a_crossover_is_that_of_whole_epochs_against_the_cpu_on_all_threads() {
        let mut report = testing::report();
        let cpu = report.contenders.iter().rfind(|contender| contender.is_cpu()).unwrap().clone();
        let of_cpu: Vec<f64> = report.of(Task::Epoch, &cpu).map(|it| it.seconds.median).collect();
        let gpu = report.measurements.iter_mut().filter(|it| it.contender.starts_with("gpu"));
        for measured in gpu {
            let (at, ratio) = if measured.population == 32 { (0, 2.0) } else { (1, 0.5) };
            measured.seconds.median = match measured.task {
                Task::Scoring => 1e-9,
                Task::Epoch => ratio * of_cpu[at],
            };
        }
        let expected = AdapterCrossover {
            adapter: report.crossovers[0].adapter.clone(),
            // The square root of 32 x 500.
            crossover: Crossover { population: Some(126), from: 32, to: 500 },
        };
        assert_eq!(report.find_crossovers(), [expected]);
        report.measurements.clear();
        assert_eq!(report.find_crossovers(), []);
    }

    #[test]
    fn figures_follow_from_the_samples_and_from_the_reads_between_them() {
        let plan = Plan::new(Shape::NINE, &[1_000], std::time::Duration::ZERO, 1).unwrap();
        let report = testing::report();
        let profile = |threads| Profile { threads, ..report.contenders[0].clone() };
        let read = |threads, rate| StreamingRead {
            threads,
            bytes: 1,
            samples_s: vec![1.0],
            bytes_per_s: Estimate { median: rate, low: rate, high: rate },
        };
        let series = |seconds| Series { rounds: 3, seconds: vec![seconds; 5], parts: Vec::new() };
        let (one, all) = (profile(1), profile(8));
        let timed = vec![(&one, series(0.01)), (&all, series(0.002))];
        let found = measurements(&plan, Task::Scoring, 1_000, &[read(1, 81e6), read(8, 810e6)], timed);
        let figures =
            |it: &Measurement| (it.candidates_per_s.median, it.bytes_per_s, it.share_of_read, it.ratio_to_cpu);
        assert_eq!(figures(&found[0]), (100e3, 8.1e6, 0.1, 0.2));
        assert_eq!(figures(&found[1]), (500e3, 40.5e6, 0.05, 1.0));
    }
}
