//! The figures of a benchmark: every sample, and the estimates, rates and crossovers that follow from them.

use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::measure::Samples;
use super::{Profile, Setup, StreamingRead};
use crate::fitness::backends::BATCH_ENGINE;
use crate::fitness::crossovers::{AdapterIdentity, CrossoverPoint, KnownCrossover, Point};
use crate::fitness::gpu::AdapterSummary;
use crate::machine::Machine;
use crate::report::statistics::{Interval, Quartiles, bootstrap};
use crate::search::EpochTimes;
use crate::sudoku::Shape;

/// Choices with repetition behind an interval.
const RESAMPLES: u32 = 1000;

/// A median with its 95 % bootstrap interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Median {
    /// The samples' median: a machine that does other work as well disturbs a mean more.
    pub median: f64,
    /// The lower bound of the interval.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Median {
    /// The estimate of these samples; none of none.
    pub fn of(samples: &[f64]) -> Option<Median> {
        let median = |values: &mut dyn Iterator<Item = f64>| Quartiles::of(values).map(|quartiles| quartiles.median);
        let Interval { low, high } = bootstrap(samples.len(), RESAMPLES, |chosen| {
            median(&mut chosen.iter().map(|index| samples[*index])).expect("as many as there are samples")
        })?;
        Some(Median { median: median(&mut samples.iter().copied())?, low, high })
    }

    /// The rate at which an amount is done in these seconds.
    pub fn rate(self, amount: f64) -> Median {
        Median { median: amount / self.median, low: amount / self.high, high: amount / self.low }
    }
}

/// Seconds of each part of an epoch that is scored as a batch. All but `kernel_s` follow one another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Parts {
    /// Proposals made, on all cores.
    pub propose_s: f64,
    /// Candidates copied to where the device fetches them.
    pub upload_s: f64,
    /// From submission until the scores lay ready.
    pub device_s: f64,
    /// The kernel alone by the device's clock, a part of `device_s`; none where it has no timestamps.
    pub kernel_s: Option<f64>,
    /// The scores copied back.
    pub readback_s: f64,
    /// Proposals accepted or undone, on all cores.
    pub accept_s: f64,
    /// The search's summary of the epoch.
    pub conclude_s: f64,
}

impl Parts {
    /// The mean of some epochs; none of none.
    pub fn mean(epochs: &[EpochTimes]) -> Option<Parts> {
        let mean = |part: fn(&EpochTimes) -> Duration| {
            epochs.iter().map(|epoch| part(epoch).as_secs_f64()).sum::<f64>() / epochs.len() as f64
        };
        let kernels: Option<Duration> = epochs.iter().map(|epoch| epoch.kernel).sum();
        (!epochs.is_empty()).then(|| Parts {
            propose_s: mean(|epoch| epoch.propose),
            upload_s: mean(|epoch| epoch.upload),
            device_s: mean(|epoch| epoch.device),
            kernel_s: kernels.map(|kernels| kernels.as_secs_f64() / epochs.len() as f64),
            readback_s: mean(|epoch| epoch.readback),
            accept_s: mean(|epoch| epoch.accept),
            conclude_s: mean(|epoch| epoch.conclude),
        })
    }

    /// The median of each part over some samples; none of none.
    pub fn median(samples: &[Parts]) -> Option<Parts> {
        let median = |values: Vec<f64>| Quartiles::of(values).map(|quartiles| quartiles.median);
        let of = |part: fn(&Parts) -> f64| median(samples.iter().map(part).collect());
        Some(Parts {
            propose_s: of(|parts| parts.propose_s)?,
            upload_s: of(|parts| parts.upload_s)?,
            device_s: of(|parts| parts.device_s)?,
            kernel_s: median(samples.iter().filter_map(|parts| parts.kernel_s).collect()),
            readback_s: of(|parts| parts.readback_s)?,
            accept_s: of(|parts| parts.accept_s)?,
            conclude_s: of(|parts| parts.conclude_s)?,
        })
    }

    /// All parts by name, one after the other as they come in an epoch, and together as long as it. What the device did
    /// beside the kernel is a part of its own: the copies over the link, and waiting.
    pub fn stages(&self) -> Vec<(&'static str, f64)> {
        let device = match self.kernel_s {
            Some(kernel) => vec![("kernel", kernel), ("link and wait", (self.device_s - kernel).max(0.0))],
            None => vec![("device", self.device_s)],
        };
        let before = [("propose", self.propose_s), ("upload", self.upload_s)];
        let after = [("readback", self.readback_s), ("accept", self.accept_s), ("conclude", self.conclude_s)];
        before.into_iter().chain(device).chain(after).collect()
    }
}

/// The work that is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasuredWork {
    /// A batch of candidates scored, and nothing else.
    Scoring,
    /// A whole epoch of this algorithm: proposed, scored, accepted, concluded.
    Epoch(&'static str),
}

impl MeasuredWork {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            MeasuredWork::Scoring => "scoring",
            MeasuredWork::Epoch(_) => "epoch",
        }
    }

    /// The algorithm whose epochs are timed, if it is epochs.
    pub fn algorithm(self) -> Option<&'static str> {
        match self {
            MeasuredWork::Scoring => None,
            MeasuredWork::Epoch(algorithm) => Some(algorithm),
        }
    }
}

/// Two fields: the name and the algorithm.
impl Serialize for MeasuredWork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Task", 2)?;
        fields.serialize_field("task", self.name())?;
        fields.serialize_field("algorithm", &self.algorithm())?;
        fields.end()
    }
}

/// One contender at one task with one population.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// The task.
    #[serde(flatten)]
    pub task: MeasuredWork,
    /// The contender's name.
    pub contender: String,
    /// Candidates in a batch, individuals in an epoch.
    pub population: usize,
    /// Batches or epochs that each sample is the mean of.
    pub rounds: u32,
    /// Seconds that a batch or an epoch took, a sample each.
    pub samples_s: Vec<f64>,
    /// The median of the samples.
    pub seconds: Median,
    /// Candidates a second.
    pub candidates_per_s: Median,
    /// Bytes of candidates a second.
    pub bytes_per_s: f64,
    /// Those, as a part of what the fastest streaming read reached on as many threads between the same laps; past 1 where caches hold
    /// the population.
    pub share_of_read: f64,
    /// Candidates a second, over those of the CPU on all cores.
    pub ratio_to_cpu: f64,
    /// The stages of an epoch, the median of each, if it was scored as a batch.
    pub parts: Option<Parts>,
    /// The same of each sample.
    pub parts_samples: Vec<Parts>,
}

/// The population size at which the epochs of an adapter become faster than those of the CPU on all cores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AdapterCrossover {
    /// The adapter.
    pub adapter: AdapterSummary,
    /// The algorithm.
    pub algorithm: &'static str,
    /// The engine.
    pub engine: &'static str,
    /// The crossover.
    #[serde(flatten)]
    pub crossover: CrossoverPoint,
}

/// A search whose epochs are timed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TimedSearch {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The algorithm with its parameters, for people.
    pub description: String,
}

/// All figures, and what they were measured on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
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
    /// The seed of candidates, puzzle and searches.
    pub seed: u64,
    /// The searches whose epochs were timed.
    pub searches: Vec<TimedSearch>,
    /// The puzzle they worked on.
    pub puzzle: String,
    /// Streaming reads between all laps, on one thread and on all.
    pub reads: Vec<StreamingRead>,
    /// All contenders.
    pub contenders: Vec<Profile>,
    /// All tasks of each population and contender.
    pub measurements: Vec<Measurement>,
    /// One for each adapter and algorithm.
    pub crossovers: Vec<AdapterCrossover>,
    /// Scores that were compared with the oracle's; all were equal.
    pub scores_compared: u64,
    /// Trajectories that were compared with those of other contenders; all were equal.
    pub trajectories_compared: u64,
}

fn as_text<S: Serializer>(shape: &Shape, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(shape)
}

/// The figures of one task and population, in the contenders' order.
pub(super) fn measurements(
    setup: &Setup,
    task: MeasuredWork,
    population: usize,
    reads: &[StreamingRead],
    timed: Vec<(&Profile, Samples)>,
) -> Vec<Measurement> {
    let rate = |series: &Samples| {
        let seconds = Median::of(&series.seconds).expect("each contender has had its laps");
        (seconds, seconds.rate(population as f64))
    };
    let reference = timed.iter().rfind(|(profile, _)| profile.is_cpu()).expect("the CPU is always measured");
    let (_, reference) = rate(&reference.1);
    let measurement = |(profile, series): (&Profile, Samples)| {
        let (seconds, candidates_per_s) = rate(&series);
        let bytes_per_s = candidates_per_s.median * setup.bytes_per_candidate() as f64;
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
            share_of_read: bytes_per_s / read.limit(),
            ratio_to_cpu: candidates_per_s.median / reference.median,
            parts: Parts::median(&series.parts),
            parts_samples: series.parts,
        }
    };
    timed.into_iter().map(measurement).collect()
}

impl Figures {
    /// All tasks, in the order in which they are measured and shown.
    pub fn tasks(&self) -> Vec<MeasuredWork> {
        let epochs = self.searches.iter().map(|search| MeasuredWork::Epoch(search.algorithm));
        std::iter::once(MeasuredWork::Scoring).chain(epochs).collect()
    }

    /// The search of this algorithm, for people.
    pub fn description(&self, algorithm: &str) -> &str {
        let found = self.searches.iter().find(|search| search.algorithm == algorithm);
        found.map_or("", |search| &search.description)
    }

    /// The measurements of a task and contender, by ascending population.
    pub fn of<'a>(&'a self, task: MeasuredWork, contender: &'a Profile) -> impl Iterator<Item = &'a Measurement> {
        self.measurements.iter().filter(move |found| found.task == task && found.contender == contender.name)
    }

    /// The crossover of each adapter's epochs.
    pub(super) fn find_crossovers(&self) -> Vec<AdapterCrossover> {
        let Some(cpu) = self.contenders.iter().rfind(|contender| contender.is_cpu()) else { return Vec::new() };
        let of = |(gpu, search): (&Profile, &TimedSearch)| {
            let task = MeasuredWork::Epoch(search.algorithm);
            let both = self.of(task, cpu).zip(self.of(task, gpu));
            let points: Vec<Point> = both
                .map(|(cpu, gpu)| Point {
                    population: cpu.population,
                    cpu: cpu.seconds.median,
                    gpu: gpu.seconds.median,
                })
                .collect();
            let (algorithm, engine, crossover) = (search.algorithm, BATCH_ENGINE, CrossoverPoint::of(&points)?);
            Some(AdapterCrossover { adapter: gpu.adapter.clone()?, algorithm, engine, crossover })
        };
        let pairs = self.contenders.iter().flat_map(|gpu| self.searches.iter().map(move |search| (gpu, search)));
        pairs.filter_map(of).collect()
    }

    /// The crossovers of hardware adapters, to be kept for `--backend auto`.
    pub fn known_crossovers(&self) -> Vec<KnownCrossover> {
        let hardware = self.crossovers.iter().filter(|of| !of.adapter.is_software());
        let entry = |of: &AdapterCrossover| KnownCrossover {
            adapter: AdapterIdentity::from(&of.adapter),
            algorithm: of.algorithm.into(),
            engine: of.engine.into(),
            shape: self.shape.to_string(),
            threads: self.machine.threads,
            processor: self.machine.processor.clone(),
            crossover: of.crossover,
            measured: self.started.clone(),
        };
        hardware.map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing;
    use crate::fitness::gpu::testing::adapter;
    use crate::fitness::gpu::{AdapterKind, Api};

    #[test]
    fn the_interval_holds_the_median_and_one_wild_sample_moves_neither() {
        let mut samples: Vec<f64> = (0..41).map(|k| 1.0 + f64::from(k % 5) / 100.0).collect();
        let calm = Median::of(&samples).unwrap();
        assert_eq!(calm.median, 1.02);
        assert!(1.0 < calm.low && calm.low <= 1.02 && 1.02 <= calm.high && calm.high < 1.04, "{calm:?}");
        samples[0] = 1000.0;
        assert!(Median::of(&samples).unwrap().high < 1.04);
        assert_eq!(Median::of(&[]), None);
    }

    #[test]
    fn a_rate_turns_the_interval_round() {
        let seconds = Median { median: 0.5, low: 0.25, high: 1.0 };
        assert_eq!(seconds.rate(100.0), Median { median: 200.0, low: 100.0, high: 400.0 });
    }

    fn times(millis: u64, kernel: Option<u64>) -> EpochTimes {
        let [propose, upload, device, readback, accept, conclude] =
            [1, 2, 4, 8, 16, 32].map(|part| Duration::from_millis(part * millis));
        EpochTimes { propose, upload, device, kernel: kernel.map(Duration::from_millis), readback, accept, conclude }
    }

    #[test]
    fn epochs_are_averaged_and_their_stages_add_up_to_the_whole() {
        let parts = Parts::mean(&[times(1, Some(1)), times(3, Some(3))]).unwrap();
        let expected = [
            ("propose", 0.002),
            ("upload", 0.004),
            ("kernel", 0.002),
            ("link and wait", 0.006),
            ("readback", 0.016),
            ("accept", 0.032),
            ("conclude", 0.064),
        ];
        for ((name, seconds), (expected_name, expected)) in parts.stages().into_iter().zip(expected) {
            assert!(name == expected_name && (seconds - expected).abs() < 1e-12, "{name} {seconds}");
        }
        assert_eq!(Parts::mean(&[]), None);
    }

    #[test]
    fn a_kernel_that_was_not_timed_every_time_has_no_mean_and_the_device_is_one_stage() {
        let parts = Parts::mean(&[times(1, Some(1)), times(1, None)]).unwrap();
        assert_eq!((parts.kernel_s, parts.stages()[2]), (None, ("device", 0.004)));
    }

    #[test]
    fn medians_are_taken_part_by_part() {
        let samples =
            [times(1, None), times(9, Some(5)), times(2, Some(7))].map(|epoch| Parts::mean(&[epoch]).unwrap());
        let median = Parts::median(&samples).unwrap();
        assert_eq!((median.propose_s, median.conclude_s, median.kernel_s), (0.002, 0.064, Some(0.006)));
        assert_eq!(Parts::median(&[]), None);
    }

    #[test]
    fn a_crossover_is_that_of_whole_epochs_against_the_cpu_on_all_threads() {
        let mut figures = testing::figures();
        let cpu = figures.contenders.iter().rfind(|contender| contender.is_cpu()).unwrap().clone();
        let of_cpu: Vec<f64> = figures.of(MeasuredWork::Epoch("swarm"), &cpu).map(|it| it.seconds.median).collect();
        let gpu = figures.measurements.iter_mut().filter(|it| it.contender.starts_with("gpu"));
        for measured in gpu {
            let (at, ratio) = if measured.population == 32 { (0, 2.0) } else { (1, 0.5) };
            measured.seconds.median = match measured.task {
                MeasuredWork::Scoring => 1e-9,
                MeasuredWork::Epoch(_) => ratio * of_cpu[at],
            };
        }
        let expected = AdapterCrossover {
            adapter: figures.crossovers[0].adapter.clone(),
            // The square root of 32 x 500.
            algorithm: "swarm",
            engine: "batch",
            crossover: CrossoverPoint { population: Some(126), from: 32, to: 500 },
        };
        assert_eq!(figures.find_crossovers(), [expected]);
        figures.measurements.clear();
        assert_eq!(figures.find_crossovers(), []);
    }

    #[test]
    fn figures_follow_from_the_samples_and_from_the_reads_between_them() {
        let setup = Setup::new(Shape::NINE, &[1_000], &["swarm"], Duration::ZERO, 1).unwrap();
        let figures = testing::figures();
        let profile = |threads| Profile { threads, ..figures.contenders[0].clone() };
        let read = |threads, bytes: usize| StreamingRead {
            threads,
            reader: "one of them".into(),
            bytes,
            samples_s: vec![2.0, 1.0, 4.0],
            bytes_per_s: Median::of(&[2.0, 1.0, 4.0]).unwrap().rate(bytes as f64),
        };
        let series = |seconds| Samples { rounds: 3, seconds: vec![seconds; 5], parts: Vec::new() };
        let (one, all) = (profile(1), profile(8));
        let timed = vec![(&one, series(0.01)), (&all, series(0.002))];
        let found =
            measurements(&setup, MeasuredWork::Scoring, 1_000, &[read(1, 81_000_000), read(8, 810_000_000)], timed);
        let figures =
            |it: &Measurement| (it.candidates_per_s.median, it.bytes_per_s, it.share_of_read, it.ratio_to_cpu);
        assert_eq!(figures(&found[0]), (100e3, 8.1e6, 0.1, 0.2));
        assert_eq!(figures(&found[1]), (500e3, 40.5e6, 0.05, 1.0));
    }

    #[test]
    fn a_report_gives_an_entry_for_each_hardware_adapter_and_none_for_software() {
        let mut figures = testing::figures();
        let mut software = figures.crossovers[0].clone();
        software.adapter = adapter(0, "llvmpipe", Api::Vulkan, AdapterKind::Software);
        figures.crossovers.insert(0, software);
        let expected = KnownCrossover {
            adapter: AdapterIdentity::from(&figures.crossovers[1].adapter),
            algorithm: "swarm".into(),
            engine: "batch".into(),
            shape: "4x4".into(),
            threads: rayon::current_num_threads(),
            processor: crate::machine::processor(),
            crossover: CrossoverPoint { population: Some(12_345), from: 32, to: 500 },
            measured: figures.started.clone(),
        };
        assert_eq!(figures.known_crossovers(), [expected]);
    }
}
