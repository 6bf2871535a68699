//! Works through a setup: every population, all tasks, all contenders in turns, and all answers checked.
//!
//! A machine is not equally fast all the time. So contenders take turns: each is timed for a short lap, then the next,
//! several times round, and what slows the machine for a while slows them all.

use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::read::{MemoryReader, Reads};
use super::{Contender, Figures, MeasuredWork, Measurement, Parts, Profile, Setup, figures};
use crate::error::Error;
use crate::fitness::verify::{Mismatch, ScoredCandidates};
use crate::machine::Machine;
use crate::search::{Advance, EpochTimes, Trajectory, Turn, Variant};
use crate::sudoku::Puzzle;

/// Evaluations of each contender whose trajectories are compared, where so few are enough epochs.
const COMPARED_EVALUATIONS: usize = 400_000;

/// The fewest epochs that are compared: the fill, and two that step.
const LEAST_COMPARED: usize = 3;

/// The most.
const MOST_COMPARED: usize = 40;

/// The part of the setup's time that streaming reads have, all of them together.
const READ_SHARE: u32 = 20;

/// Turns that each contender has.
const LAPS: u32 = 3;

/// Samples of a lap, where its time allows as many.
const SAMPLES: u32 = 12;

/// A sample is at least this long, so that the clock's grain does not count.
const LEAST_SAMPLE: Duration = Duration::from_millis(1);

/// What a contender did between two looks at the clock: a batch, or some epochs.
pub(super) struct Rounds {
    pub count: u32,
    /// Where the time went, if it is known.
    pub times: Option<EpochTimes>,
}

impl Rounds {
    const ONE: Rounds = Rounds { count: 1, times: None };
}

/// Samples so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Samples {
    /// Rounds that each sample is the mean of, or more where some are done at once; 0 before the first lap.
    pub rounds: u32,
    /// Seconds that a round takes.
    pub seconds: Vec<f64>,
    /// The stages of the samples, if they are known.
    pub parts: Vec<Parts>,
}

impl Samples {
    /// Warms up and takes samples until the time is over, at least one.
    ///
    /// # Errors
    /// Errors of the rounds.
    pub(super) fn lap(
        &mut self,
        time: Duration,
        mut rounds: impl FnMut() -> Result<Rounds, Error>,
    ) -> Result<(), Error> {
        rounds()?;
        let warm = warm_up(time / 10, &mut rounds)?;
        if self.rounds == 0 {
            self.rounds = rounds_for((time / SAMPLES).max(LEAST_SAMPLE), warm);
        }
        let lap = Instant::now();
        loop {
            let (mut done, mut times) = (0, Vec::new());
            let sample = Instant::now();
            while done < self.rounds {
                let Rounds { count, times: own } = rounds()?;
                done += count;
                times.extend(own);
            }
            self.seconds.push(sample.elapsed().as_secs_f64() / f64::from(done));
            self.parts.extend(Parts::mean(&times));
            if lap.elapsed() >= time {
                return Ok(());
            }
        }
    }
}

/// Rounds until the time is over, at least one; what one took.
fn warm_up(time: Duration, rounds: &mut impl FnMut() -> Result<Rounds, Error>) -> Result<Duration, Error> {
    let started = Instant::now();
    let mut done = 0;
    while done == 0 || started.elapsed() < time {
        done += rounds()?.count;
    }
    Ok(started.elapsed() / done)
}

/// Rounds that fill a sample, at least one; not more than a million, should a round seem to take no time.
fn rounds_for(sample: Duration, round: Duration) -> u32 {
    const MOST: u128 = 1_000_000;
    sample.as_nanos().checked_div(round.as_nanos()).unwrap_or(MOST).clamp(1, MOST) as u32
}

/// The step that comes next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step<'a> {
    /// The task; none for the streaming read.
    pub task: Option<MeasuredWork>,
    /// Candidates in a batch or an epoch.
    pub population: usize,
    /// The contender; empty for the streaming read.
    pub contender: &'a str,
    /// Steps before it.
    pub done: usize,
    /// Steps in all.
    pub all: usize,
}

/// The result of a benchmark.
#[derive(Debug)]
pub enum Measured {
    /// Everything was measured, or all populations before the one at which it was broken off.
    Figures(Box<Figures>),
    /// An answer was wrong: no figure counts.
    Wrong(Wrong),
}

/// An answer that was wrong.
#[derive(Debug)]
pub enum Wrong {
    /// A score that is not the oracle's.
    Score {
        /// The contender that gave it.
        contender: String,
        /// The candidate, and both scores.
        mismatch: Mismatch,
    },
    /// Epochs that went another way than those of the first contender.
    Trajectory {
        /// Whose.
        contender: String,
        /// Individuals.
        population: usize,
        /// The first contender's trajectory.
        expected: u64,
        /// This one's.
        found: u64,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Score { contender, mismatch } => write!(f, "{contender} differs from the oracle at {mismatch}"),
            Wrong::Trajectory { contender, population, expected, found } => write!(
                f,
                "{contender} went another way in the first {} epochs of {population} individuals:\n  \
                 expected {expected:016x}\n  found    {found:016x}",
                compared_epochs(*population)
            ),
        }
    }
}

/// Why measuring ends before all is done.
enum Break {
    Interrupted,
    Wrong(Wrong),
    Failed(Error),
}

impl From<Error> for Break {
    fn from(error: Error) -> Break {
        Break::Failed(error)
    }
}

/// Measures all contenders, among them the CPU on all cores, as planned. `observe` is called before each step and may break
/// off; the populations that were measured by then are reported. `command` is what the report names as its origin.
///
/// # Errors
/// [`Error::Device`] if a device fails.
///
/// # Panics
/// If the CPU is not among the contenders, or in another rayon pool than the one they were made in.
pub fn measure(
    setup: &Setup,
    contenders: &mut [Contender],
    command: String,
    observe: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<Measured, Error> {
    let machine = Machine::here();
    let started = Instant::now();
    let profiles = contenders.iter().map(|contender| contender.profile.clone()).collect();
    let mut figures = blank(setup, machine, profiles, command);
    let (reader, distinct, puzzle) = (MemoryReader::new()?, setup.distinct(), setup.puzzle());
    let mut reads = reader.none();
    let mut bench = Bench { setup, contenders, observe, reader: &reader, distinct, puzzle, done: 0 };
    match bench.all(&mut figures, &mut reads) {
        Ok(()) => figures.complete = true,
        Err(Break::Interrupted) => {}
        Err(Break::Wrong(wrong)) => return Ok(Measured::Wrong(wrong)),
        Err(Break::Failed(error)) => return Err(error),
    }
    figures.reads = reader.say(reads);
    figures.crossovers = figures.find_crossovers();
    figures.wall_s = started.elapsed().as_secs_f64();
    Ok(Measured::Figures(Box::new(figures)))
}

fn blank(setup: &Setup, machine: Machine, contenders: Vec<Profile>, command: String) -> Figures {
    Figures {
        version: env!("CARGO_PKG_VERSION"),
        command,
        started: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        wall_s: 0.0,
        complete: false,
        machine,
        shape: setup.shape,
        bytes_per_candidate: setup.bytes_per_candidate(),
        bytes_over_link: setup.bytes_over_link(),
        seed: setup.seed,
        searches: setup.timed_searches(),
        puzzle: setup.puzzle().givens().to_string(),
        reads: Vec::new(),
        contenders,
        measurements: Vec::new(),
        crossovers: Vec::new(),
        scores_compared: 0,
        trajectories_compared: 0,
    }
}

struct Bench<'a> {
    setup: &'a Setup,
    contenders: &'a mut [Contender],
    observe: &'a mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
    reader: &'a MemoryReader,
    distinct: ScoredCandidates,
    puzzle: Puzzle,
    done: usize,
}

impl Bench<'_> {
    fn all(&mut self, figures: &mut Figures, reads: &mut Reads) -> Result<(), Break> {
        for population in self.setup.populations() {
            let mut measured = self.scoring(*population, figures, reads)?;
            for search in self.setup.searches(*population)? {
                measured.extend(self.epochs(&search, *population, figures, reads)?);
            }
            figures.measurements.extend(measured);
        }
        Ok(())
    }

    fn scoring(
        &mut self,
        population: usize,
        figures: &mut Figures,
        reads: &mut Reads,
    ) -> Result<Vec<Measurement>, Break> {
        let batch = self.distinct.repeated(population);
        self.turns(MeasuredWork::Scoring, population, reads, |bench, index, series| {
            figures.scores_compared += batch.len() as u64;
            bench.score_lap(index, &batch, series)
        })
    }

    /// A lap of batches. The scores of the last one are compared with the oracle's.
    fn score_lap(&mut self, index: usize, batch: &ScoredCandidates, series: &mut Samples) -> Result<(), Break> {
        let time = self.lap();
        let Contender { profile, host, engine } = &mut self.contenders[index];
        let mut scores = batch.unwritten();
        host.run(|| {
            series.lap(time, || engine.evaluator_mut().score(batch.candidates(), &mut scores).map(|()| Rounds::ONE))
        })?;
        let wrong = |mismatch| Break::Wrong(Wrong::Score { contender: profile.name.clone(), mismatch });
        batch.compare(&scores).map_or(Ok(()), |mismatch| Err(wrong(mismatch)))
    }

    fn epochs(
        &mut self,
        search: &Variant,
        population: usize,
        figures: &mut Figures,
        reads: &mut Reads,
    ) -> Result<Vec<Measurement>, Break> {
        let run = search.search(&self.puzzle, self.setup.seed)?;
        let mut turn = Turn::new(run.ok_or_else(|| Error::Internal(format!("{search} has no epochs")))?);
        let mut first = None;
        self.turns(MeasuredWork::Epoch(search.name()), population, reads, |bench, index, series| {
            let time = bench.lap();
            let Contender { host, engine, .. } = &mut bench.contenders[index];
            let found = host.run(|| {
                let trajectory = first_epochs(&mut turn, engine, compared_epochs(population))?;
                series.lap(time, || {
                    let count = turn.advance(engine, u32::MAX)?.len() as u32;
                    Ok(Rounds { count, times: engine.last_epoch_times() })
                })?;
                Ok::<u64, Error>(trajectory)
            })?;
            let Some(expected) = first else {
                first = Some(found);
                return Ok(());
            };
            figures.trajectories_compared += 1;
            let contender = bench.contenders[index].profile.name.clone();
            let wrong = || Break::Wrong(Wrong::Trajectory { contender, population, expected, found });
            if found == expected { Ok(()) } else { Err(wrong()) }
        })
    }

    /// All laps of a task: the memory is read, then each contender has its turn, and so again. What the memory gave in these
    /// laps is what their figures are held against; it is added to `reads`.
    fn turns(
        &mut self,
        task: MeasuredWork,
        population: usize,
        reads: &mut Reads,
        mut turn: impl FnMut(&mut Self, usize, &mut Samples) -> Result<(), Break>,
    ) -> Result<Vec<Measurement>, Break> {
        let mut all = vec![Samples::default(); self.contenders.len()];
        let mut now = self.reader.none();
        for _ in 0..LAPS {
            self.step(None, population, 0)?;
            self.reader.lap(self.read_lap(), &mut now);
            for (index, series) in all.iter_mut().enumerate() {
                self.step(Some(task), population, index)?;
                turn(self, index, series)?;
            }
        }
        reads.iter_mut().zip(&now).for_each(|(reads, now)| reads.extend(now));
        let profiles = self.contenders.iter().map(|contender| &contender.profile);
        Ok(figures::measurements(self.setup, task, population, &self.reader.say(now), profiles.zip(all).collect()))
    }

    /// The time of one contender's lap: all laps together have the setup's, less what the reads take.
    fn lap(&self) -> Duration {
        (self.setup.time - self.setup.time / READ_SHARE) / (self.laps() * self.contenders.len()) as u32
    }

    /// The time of one read.
    fn read_lap(&self) -> Duration {
        self.setup.time / READ_SHARE / (self.laps() * self.reader.none().len()) as u32
    }

    /// Laps in all.
    fn laps(&self) -> usize {
        self.setup.populations().len() * (1 + self.setup.algorithms().len()) * LAPS as usize
    }

    /// Tells what comes next, and breaks off if that is wanted.
    fn step(&mut self, task: Option<MeasuredWork>, population: usize, index: usize) -> Result<(), Break> {
        let contender = if task.is_some() { &self.contenders[index].profile.name } else { "" };
        let all = self.laps() * (1 + self.contenders.len());
        let step = Step { task, population, contender, done: self.done, all };
        self.done += 1;
        if (self.observe)(step).is_break() { Err(Break::Interrupted) } else { Ok(()) }
    }
}

/// Epochs at the beginning of a lap whose trajectories are compared: so many that a search which does several epochs at once
/// has begun to, where the population is small enough for the slowest backend.
fn compared_epochs(population: usize) -> u32 {
    (COMPARED_EVALUATIONS / population).clamp(LEAST_COMPARED, MOST_COMPARED) as u32
}

/// The trajectory of the first epochs of a run that begins.
fn first_epochs(turn: &mut Turn<'_>, engine: &mut dyn Advance, epochs: u32) -> Result<u64, Error> {
    let mut trajectory = Trajectory::default();
    turn.run().begin(0)?;
    let mut done = 0;
    while done < epochs {
        for summary in turn.advance(engine, epochs - done)? {
            trajectory.chain_epoch(0, done, summary.sums);
            done += 1;
        }
    }
    turn.run().finish(trajectory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::contender::Host;
    use crate::bench::testing::cpus;
    use crate::fitness::{Backend, Cpu, Evaluator, Scalar, Score, TileScorer};
    use crate::population::{Candidates, LANES, Lanes};
    use crate::sudoku::Shape;

    /// The CPU, but wrong by one digit in one slot of every batch, or in every tile of an epoch.
    struct Wrong9x9 {
        cpu: Cpu,
        slot: Option<usize>,
    }

    impl Evaluator for Wrong9x9 {
        fn shape(&self) -> Shape {
            Shape::NINE
        }

        fn backend(&self) -> Backend {
            Backend::SCALAR
        }

        fn describe(&self) -> String {
            "wrong".to_owned()
        }

        fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
            self.cpu.score(candidates, scores)?;
            if let Some(score) = self.slot.and_then(|slot| scores.get_mut(slot)) {
                *score = Score::from_bits(score.bits() ^ 1);
            }
            Ok(())
        }

        fn tile_scorer(&self) -> Option<&dyn TileScorer> {
            Some(self)
        }
    }

    impl TileScorer for Wrong9x9 {
        fn score_tile(&self, tile: &[Lanes], scores: &mut [Score; LANES]) {
            self.cpu.score_tile(tile, scores);
            scores[0] = Score::from_bits(scores[0].bits() ^ 1);
        }
    }

    fn setup(populations: &[usize]) -> Setup {
        Setup::new(Shape::NINE, populations, &Setup::ALGORITHMS, Duration::ZERO, 1).unwrap()
    }

    /// A benchmark of the CPU and one more, broken off before the step `stop`.
    fn measured(setup: &Setup, other: impl Evaluator + 'static, stop: usize) -> Measured {
        let mut contenders = cpus(Shape::NINE);
        contenders.push(Contender::new("other".into(), Box::new(other), Host::All, None));
        let mut observe = |step: Step<'_>| match step.done == stop {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        measure(setup, &mut contenders, "test".into(), &mut observe).unwrap()
    }

    fn figures(measured: Measured) -> Figures {
        match measured {
            Measured::Figures(figures) => *figures,
            Measured::Wrong(wrong) => panic!("{wrong}"),
        }
    }

    fn wrong(slot: Option<usize>) -> Wrong9x9 {
        Wrong9x9 { cpu: Cpu::new(Shape::NINE), slot }
    }

    #[test]
    fn every_contender_is_measured_at_all_tasks_with_every_population_and_all_answers_are_compared() {
        let figures = figures(measured(&setup(&[100, 33]), Scalar::new(Shape::NINE), usize::MAX));
        let contenders = figures.contenders.len();
        assert!(figures.complete && figures.reads.len() == contenders - 1);
        assert_eq!(figures.measurements.len(), 2 * 3 * contenders);
        for contender in &figures.contenders {
            for task in figures.tasks() {
                let populations: Vec<usize> = figures.of(task, contender).map(|it| it.population).collect();
                assert_eq!(populations, [33, 100], "{task:?} of {}", contender.name);
            }
        }
        let laps = LAPS as usize * contenders;
        assert_eq!(figures.scores_compared, (laps * (33 + 100)) as u64);
        assert_eq!(figures.trajectories_compared, 2 * 2 * (laps - 1) as u64);
        assert!(figures.measurements.iter().all(|it| it.samples_s.len() >= LAPS as usize && it.parts.is_none()));
        let cpu = figures.contenders.iter().rfind(|contender| contender.is_cpu()).unwrap();
        assert!(figures.tasks().into_iter().all(|task| figures.of(task, cpu).all(|it| it.ratio_to_cpu == 1.0)));
    }

    #[test]
    fn one_wrong_score_ends_it_and_says_whose_and_which() {
        match measured(&setup(&[33]), wrong(Some(32)), usize::MAX) {
            Measured::Wrong(wrong @ Wrong::Score { .. }) => {
                let text = wrong.to_string();
                assert!(text.starts_with("other differs from the oracle at candidate 32 ("), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn epochs_that_go_another_way_end_it() {
        match measured(&setup(&[33]), wrong(None), usize::MAX) {
            Measured::Wrong(Wrong::Trajectory { contender, population, expected, found }) => {
                assert_eq!((contender.as_str(), population), ("other", 33));
                assert_ne!(expected, found);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn broken_off_it_reports_the_populations_that_were_finished() {
        let setup = setup(&[33, 100]);
        let contenders = cpus(Shape::NINE).len() + 1;
        let a_population = 3 * LAPS as usize * (1 + contenders);
        let figures = figures(measured(&setup, Scalar::new(Shape::NINE), a_population + 2));
        assert!(!figures.complete);
        assert_eq!(figures.measurements.len(), 3 * contenders);
        assert!(figures.measurements.iter().all(|it| it.population == 33));
    }

    #[test]
    fn a_sample_has_as_many_rounds_as_fill_it_and_at_least_one() {
        let micros = Duration::from_micros;
        assert_eq!(rounds_for(micros(1000), micros(3)), 333);
        assert_eq!(rounds_for(micros(1000), micros(5000)), 1);
        assert_eq!(rounds_for(micros(1000), Duration::ZERO), 1_000_000);
    }

    #[test]
    fn each_lap_adds_samples_of_as_many_rounds_as_the_first() {
        let mut series = Samples::default();
        let mut rounds = 0;
        let mut laps = Vec::new();
        for _ in 0..3 {
            let round = || {
                rounds += 1;
                Ok(Rounds::ONE)
            };
            series.lap(Duration::ZERO, round).unwrap();
            laps.push((series.rounds, series.seconds.len()));
        }
        assert_eq!(laps, [(series.rounds, 1), (series.rounds, 2), (series.rounds, 3)]);
        assert_eq!(rounds, 3 * (2 + series.rounds), "two rounds of each lap warm up");
        assert!(series.parts.is_empty());
    }

    #[test]
    fn rounds_done_at_once_are_counted_as_so_many() {
        let mut series = Samples::default();
        let rounds = || {
            std::thread::sleep(Duration::from_millis(1));
            Ok(Rounds { count: 1_000_000, times: None })
        };
        series.lap(Duration::ZERO, rounds).unwrap();
        assert!(series.seconds[0] < 0.001, "{series:?}: a millisecond is a million rounds");
    }

    #[test]
    fn what_a_round_reports_ends_the_lap() {
        let failed = Samples::default().lap(Duration::from_secs(9), || Err(Error::Internal("so".into())));
        assert!(matches!(failed, Err(Error::Internal(_))));
    }
}
