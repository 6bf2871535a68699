//! One loop, many engines: a run that is saved after every dispatch, that shares dispatches with others, or whose state is
//! elsewhere and goes several epochs per dispatch, comes to what it comes to alone on the host.

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use swarmdoku::fitness::{Backend, BatchScorer, Evaluator, Staged, Ticket};
use swarmdoku::search::{
    ALGORITHMS, Acceptance, ActiveRun, Advance, AnnealParameters, Budget, Convergence, Demand, Details, Engine,
    GaColumnsParameters, GaNaiveParameters, GeneticParameters, Improvement, ImprovementLimits, Neighbours,
    OnStagnation, Outcome, Parameters, Progress, RandomKeyParameters, Reheat, Run, RunQueue, StateReader, StateWriter,
    Stop, SwarmParameters, Trajectory, Turn, Variant, run_all, run_one,
};
use swarmdoku::sudoku::text::{ReadOptions, read_one};
use swarmdoku::{Candidates, Cpu, Error, Grid, LANES, Lanes, Population, Puzzle, Scalar, Score, Shape};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SEED: u64 = 7;

/// The variant that has these parameters.
fn variant(parameters: impl Parameters) -> Variant {
    Variant::of(&parameters).unwrap()
}

fn puzzle(text: &str) -> Arc<Puzzle> {
    Arc::new(Puzzle::new(read_one(text, ReadOptions::default()).unwrap()).unwrap())
}

/// Variants that use all that the algorithms keep from epoch to epoch, and each algorithm of the table with a small population.
fn algorithms() -> Vec<Variant> {
    let stagnating = OnStagnation { stagnation_limit: 3, stagnation_boost: 0.04, local_search: true, refine: 40 };
    let seed = SwarmParameters { population: 100, max_age: 6, ..SwarmParameters::SEED };
    let swarms = [
        seed,
        SwarmParameters { adaptive: true, ..seed },
        SwarmParameters { on_stagnation: Some(stagnating), acceptance: Acceptance::Plateau, ..seed },
        SwarmParameters { population: 33, ..SwarmParameters::TUNED },
    ];
    let anneal = AnnealParameters { population: 40, cooling_epochs: 9, ..AnnealParameters::TUNED };
    let anneals = [anneal, AnnealParameters { reheat: Reheat::Fresh, neighbours: Neighbours::Any, ..anneal }];
    let genetic = GeneticParameters { population: 70, restart_after: 4, ..GeneticParameters::TUNED };
    let others = [
        variant(RandomKeyParameters { population: 45, ..RandomKeyParameters::CANONICAL }),
        variant(RandomKeyParameters { population: 45, ..RandomKeyParameters::MEALPY }),
        variant(GaNaiveParameters { population: 65, restart_after: 3, ..GaNaiveParameters::SEED }),
        variant(GaColumnsParameters { restart_after: 3, ..GaColumnsParameters::SEED }),
        variant(genetic),
        variant(GeneticParameters { local_search: true, ..genetic }),
    ];
    let table = ALGORITHMS.iter().filter(|algorithm| algorithm.scores()).map(|algorithm| {
        let mut small = algorithm.variant();
        small.set_value("population", &64.into()).unwrap();
        small
    });
    swarms.map(variant).into_iter().chain(anneals.map(variant)).chain(others).chain(table).collect()
}

fn budget() -> Budget {
    Budget { epochs: Some(35), restarts: Some(2), evaluations: Some(7000), ..Budget::default() }
}

/// The outcome without its time.
fn timeless(outcome: Outcome) -> Outcome {
    Outcome { wall: Duration::ZERO, shared: false, ..outcome }
}

fn cpu() -> Engine {
    Engine::new(Box::new(Cpu::new(Shape::NINE)))
}

fn in_one_go(algorithm: &Variant, puzzle: &Puzzle) -> Outcome {
    timeless(algorithm.run(puzzle, SEED, &mut cpu(), &budget(), |_| ControlFlow::Continue(())).unwrap())
}

/// A queue of one run, which is saved after its first dispatch.
struct Once {
    run: Option<ActiveRun<'static>>,
    result: Result<Outcome, Vec<u8>>,
}

impl RunQueue<'static> for Once {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        Ok(self.run.take().map(|run| (3, run)).into_iter().collect())
    }

    fn after_dispatch(&mut self) -> Demand {
        Demand::SaveAndStop
    }

    fn take_states(&mut self, states: Vec<(u64, Vec<u8>)>) {
        for (number, state) in states {
            assert_eq!(number, 3);
            self.result = Err(state);
        }
    }

    fn end(&mut self, number: u64, outcome: Outcome) -> Result<(), Error> {
        assert_eq!(number, 3);
        self.result = Ok(outcome);
        Ok(())
    }
}

/// Drives a run for one dispatch: its outcome, or its state.
fn one_dispatch(run: ActiveRun<'static>, engine: &mut dyn Advance) -> Result<Outcome, Vec<u8>> {
    let mut once = Once { run: Some(run), result: Err(Vec::new()) };
    run_all(&mut once, engine).unwrap();
    once.result
}

#[test]
fn a_run_saved_after_every_epoch_ends_as_an_uninterrupted_one() {
    for text in [EASY, HARD] {
        let puzzle = puzzle(text);
        for algorithm in algorithms() {
            let mut run = algorithm.start(&puzzle, SEED, &budget()).unwrap();
            let mut saves = 0;
            let outcome = loop {
                match one_dispatch(run, &mut cpu()) {
                    Ok(outcome) => break outcome,
                    Err(state) => run = algorithm.resume(&puzzle, SEED, &budget(), &state).unwrap(),
                }
                saves += 1;
            };
            assert!(saves > 10, "{algorithm}: {saves}");
            assert_eq!(timeless(outcome), in_one_go(&algorithm, &puzzle), "{algorithm}");
        }
    }
}

#[test]
fn the_state_of_another_run_is_refused() {
    let puzzle = puzzle(HARD);
    let anneal = |population| variant(AnnealParameters { population, ..AnnealParameters::TUNED });
    let state = one_dispatch(anneal(40).start(&puzzle, SEED, &budget()).unwrap(), &mut cpu()).unwrap_err();
    let refused = |algorithm: Variant, state: &[u8]| {
        let error = algorithm.resume(&puzzle, SEED, &budget(), state).err().expect("another run's state");
        assert!(error.to_string().contains("a saved run cannot be taken up"), "{error}");
    };
    refused(anneal(80), &state);
    refused(variant(SwarmParameters { population: 40, ..SwarmParameters::TUNED }), &state);
    refused(anneal(40), &state[..state.len() - 1]);
    refused(anneal(40), &[&state[..], &[0]].concat());
}

/// Scores batches that are staged in pieces of seven tiles; nothing is scored before a batch is finished.
struct Batches {
    cpu: Cpu,
    under_way: Vec<(u64, Population)>,
    submitted: u64,
    seen: Arc<Seen>,
}

/// The batches that were submitted, and the most that were under way at once.
#[derive(Default)]
struct Seen {
    batches: AtomicUsize,
    at_once: AtomicUsize,
}

impl Evaluator for Batches {
    fn shape(&self) -> Shape {
        Shape::NINE
    }

    fn backend(&self) -> Backend {
        Backend::GPU
    }

    fn describe(&self) -> String {
        "batches".into()
    }

    fn score(&mut self, _: Candidates<'_>, _: &mut [Score]) -> Result<(), Error> {
        panic!("batches are staged")
    }

    fn batch_scorer(&mut self) -> Option<&mut dyn BatchScorer> {
        Some(self)
    }
}

impl BatchScorer for Batches {
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error> {
        let mut population = Population::new(Shape::NINE, tiles * LANES);
        for piece in population.lanes_mut().chunks_mut(7 * 81) {
            write(Staged::on_host(Shape::NINE, piece));
        }
        self.submitted += 1;
        self.under_way.push((self.submitted, population));
        self.seen.batches.fetch_add(1, Ordering::Relaxed);
        self.seen.at_once.fetch_max(self.under_way.len(), Ordering::Relaxed);
        Ok(Ticket::new(self.submitted))
    }

    /// Stages every third batch once more, as for a device that was lost.
    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error> {
        let at = self.under_way.iter().position(|(number, _)| *number == ticket.number()).unwrap();
        let (number, mut population) = self.under_way.remove(at);
        if number.is_multiple_of(3) {
            population.lanes_mut().fill(Lanes([0; LANES]));
            for piece in population.lanes_mut().chunks_mut(5 * 81) {
                rewrite(Staged::on_host(Shape::NINE, piece));
            }
        }
        self.cpu.score(population.candidates(), scores)
    }
}

fn batches() -> (Engine, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let evaluator =
        Batches { cpu: Cpu::new(Shape::NINE), under_way: Vec::new(), submitted: 0, seen: Arc::clone(&seen) };
    (Engine::new(Box::new(evaluator)), seen)
}

/// A queue that lets at most so many runs join at a time.
struct Company {
    waiting: Vec<(u64, ActiveRun<'static>)>,
    places: usize,
    ended: Vec<(u64, Outcome)>,
}

impl RunQueue<'static> for Company {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'static>)>, Error> {
        let joining = self.places.min(self.waiting.len());
        self.places -= joining;
        Ok(self.waiting.drain(..joining).collect())
    }

    fn end(&mut self, number: u64, outcome: Outcome) -> Result<(), Error> {
        self.places += 1;
        self.ended.push((number, outcome));
        Ok(())
    }
}

/// Drives runs in company.
fn together(runs: Vec<ActiveRun<'static>>, places: usize, engine: &mut dyn Advance) -> Vec<(u64, Outcome)> {
    let mut company = Company { waiting: (0..).zip(runs).collect(), places, ended: Vec::new() };
    run_all(&mut company, engine).unwrap();
    company.ended
}

#[test]
fn runs_that_come_and_go_in_shared_dispatches_end_as_each_does_alone() {
    let puzzles = [puzzle(EASY), puzzle(HARD)];
    let settings: Vec<_> = algorithms()
        .into_iter()
        .flat_map(|algorithm| puzzles.iter().map(move |puzzle| (algorithm.clone(), puzzle)))
        .collect();
    let start = |(algorithm, puzzle): &(Variant, &Arc<Puzzle>)| algorithm.start(puzzle, SEED, &budget()).unwrap();
    let (mut staged, seen) = batches();
    for engine in [&mut staged as &mut dyn Advance, &mut cpu()] {
        for places in [1, 5, settings.len()] {
            let ended = together(settings.iter().map(start).collect(), places, engine);
            assert_eq!(ended.len(), settings.len());
            for (number, outcome) in ended {
                let (algorithm, puzzle) = &settings[number as usize];
                assert_eq!(outcome.shared, places > 1, "{algorithm}");
                assert_eq!(outcome.seconds().is_none(), outcome.shared);
                assert_eq!(timeless(outcome), in_one_go(algorithm, puzzle), "{algorithm} among {places}");
            }
        }
    }
    assert_eq!(seen.at_once.load(Ordering::Relaxed), 1, "small runs share one batch");
}

#[test]
fn two_halves_of_enough_work_are_under_way_at_once() {
    let puzzle = puzzle(HARD);
    let anneal = |population| variant(AnnealParameters { population, ..AnnealParameters::TUNED });
    let budget = Budget { epochs: Some(4), restarts: Some(1), ..Budget::default() };
    for (populations, at_once, batches_seen) in
        [(&[8_192, 8_192][..], 2, 10), (&[8_192, 8_100], 1, 5), (&[20_000], 1, 5)]
    {
        let (mut engine, seen) = batches();
        let start = |population: &usize| anneal(*population).start(&puzzle, SEED, &budget).unwrap();
        let ended = together(populations.iter().map(start).collect(), 9, &mut engine);
        for (number, outcome) in ended {
            let algorithm = anneal(populations[number as usize]);
            let alone = algorithm.run(&puzzle, SEED, &mut cpu(), &budget, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(timeless(outcome), timeless(alone));
        }
        let found = (seen.at_once.load(Ordering::Relaxed), seen.batches.load(Ordering::Relaxed));
        assert_eq!(found, (at_once, batches_seen), "{populations:?}");
    }
}

/// Makes a run on the host that has not begun.
type Make = Arc<dyn Fn() -> Box<dyn Run> + Send + Sync>;

/// A run whose state is packed words, like one on a device: no array of it is on the host. What lies in the middle of an
/// advance is found by replaying from its beginning.
struct PackedRun {
    make: Make,
    restart: u32,
    /// Before the last advance, and after it; none where a restart begins.
    before: Option<Vec<u64>>,
    after: Option<Vec<u64>>,
    settled: Arc<AtomicUsize>,
}

impl PackedRun {
    fn new(make: Make, settled: &Arc<AtomicUsize>) -> Box<PackedRun> {
        Box::new(PackedRun { make, restart: 0, before: None, after: None, settled: Arc::clone(settled) })
    }

    fn unpack(&self, words: &Option<Vec<u64>>) -> Box<dyn Run> {
        let mut run = (self.make)();
        match words {
            None => run.begin(self.restart).unwrap(),
            Some(words) => {
                let bytes: Vec<u8> = words.iter().map(|word| (word >> 7) as u8).collect();
                run.restore(self.restart, &mut StateReader::new(&bytes)).unwrap();
            }
        }
        run
    }

    fn replay(&self, epochs: u32) -> Box<dyn Run> {
        let mut run = self.unpack(&self.before);
        for _ in 0..epochs {
            let mut turn = Turn::new(run);
            turn.epoch(&mut Engine::new(Box::new(Scalar::new(Shape::NINE)))).unwrap();
            let words = pack(turn.run());
            run = self.unpack(&Some(words));
        }
        run
    }
}

fn pack(run: &mut dyn Run) -> Vec<u64> {
    let mut state = StateWriter::default();
    run.save(&mut state).unwrap();
    state.into_bytes().into_iter().map(|byte| u64::from(byte) << 7).collect()
}

impl Run for PackedRun {
    fn epoch_evaluations(&self) -> u64 {
        (self.make)().epoch_evaluations()
    }

    fn begin(&mut self, restart: u32) -> Result<(), Error> {
        (self.restart, self.before, self.after) = (restart, None, None);
        Ok(())
    }

    fn epochs_ahead(&self) -> u32 {
        self.unpack(&self.after).epochs_ahead()
    }

    fn grid(&mut self, epoch: u32, slot: usize) -> Result<Grid, Error> {
        self.replay(epoch).grid(1, slot)
    }

    fn improve(&mut self, limits: &ImprovementLimits) -> Result<Option<Improvement>, Error> {
        let mut run = self.unpack(&self.after);
        let improvement = run.improve(limits)?;
        self.after = Some(pack(&mut *run));
        Ok(improvement)
    }

    fn settle(&mut self, epoch: u32) -> Result<(), Error> {
        self.settled.fetch_add(1, Ordering::Relaxed);
        self.after = Some(pack(&mut *self.replay(epoch)));
        Ok(())
    }

    fn save(&mut self, state: &mut StateWriter) -> Result<(), Error> {
        self.unpack(&self.after).save(state)
    }

    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error> {
        let mut run = (self.make)();
        run.restore(restart, state)?;
        (self.restart, self.before, self.after) = (restart, None, Some(pack(&mut *run)));
        Ok(())
    }

    fn finish(&mut self, trajectory: Trajectory) -> Result<u64, Error> {
        self.unpack(&self.after).finish(trajectory)
    }

    fn as_any(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }
}

/// Advances packed runs by up to so many epochs per dispatch.
struct Packed(u32);

impl Advance for Packed {
    fn advance(&mut self, turns: &mut [Turn<'_>]) -> Result<(), Error> {
        for turn in turns {
            let (epochs, details) = (self.0.min(turn.epochs()), turn.wants_details());
            let run = turn.run().as_any().and_then(|run| run.downcast_mut::<PackedRun>());
            let run = run.ok_or_else(|| Error::Internal("this engine advances packed runs".into()))?;
            run.before = run.after.take();
            let mut inner = Turn::new(run.unpack(&run.before));
            if details {
                inner = inner.with_details();
            }
            let mut cpu = cpu();
            let summaries: Vec<_> = (0..epochs).map(|_| inner.epoch(&mut cpu)).collect::<Result<_, Error>>()?;
            run.after = Some(pack(inner.run()));
            summaries.into_iter().for_each(|summary| turn.push(summary));
        }
        Ok(())
    }
}

fn make(algorithm: &Variant, puzzle: &Arc<Puzzle>) -> Make {
    let (algorithm, puzzle) = (algorithm.clone(), Arc::clone(puzzle));
    Arc::new(move || algorithm.search(&puzzle, SEED).unwrap().expect("it has epochs"))
}

/// The epochs per dispatch that are compared with the host's one.
const DISPATCHES: [u32; 4] = [1, 3, 8, 64];

/// A run on the host and one that is packed, from the same beginning, with the number of times that the latter settled.
fn pair(
    algorithm: &Variant,
    puzzle: &Arc<Puzzle>,
    budget: &Budget,
) -> (ActiveRun<'static>, ActiveRun<'static>, Arc<AtomicUsize>) {
    let settled = Arc::new(AtomicUsize::new(0));
    let packed = PackedRun::new(make(algorithm, puzzle), &settled);
    let host = algorithm.start(puzzle, SEED, budget).unwrap();
    (host, ActiveRun::start(packed, puzzle, budget).unwrap(), settled)
}

/// Compares the outcomes of both with the same observer, and gives the stop and how often the packed runs settled.
fn compare(
    algorithm: &Variant,
    puzzle: &Arc<Puzzle>,
    budget: &Budget,
    observe: fn(&Progress) -> ControlFlow<()>,
) -> (Stop, usize) {
    let mut all_settled = 0;
    let (host, ..) = pair(algorithm, puzzle, budget);
    let expected = timeless(run_one(host.observed(observe), &mut cpu()).unwrap());
    for epochs in DISPATCHES {
        let (_, packed, settled) = pair(algorithm, puzzle, budget);
        let found = run_one(packed.observed(observe), &mut Packed(epochs)).unwrap();
        assert_eq!(timeless(found), expected, "{algorithm}, {epochs} epochs per dispatch");
        let settled = settled.load(Ordering::Relaxed);
        assert!(epochs > 1 || settled == 0);
        all_settled += settled;
    }
    (expected.stop, all_settled)
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn a_run_of_many_epochs_per_dispatch_is_the_run_of_one_for_every_algorithm_to_the_end_of_its_budget() {
    let puzzle = puzzle(HARD);
    for algorithm in algorithms() {
        let (stop, settled) = compare(&algorithm, &puzzle, &budget(), go_on);
        assert!(matches!(stop, Stop::Evaluations | Stop::Restarts), "{algorithm}: {stop:?}");
        assert_eq!(settled, 0, "{algorithm}: a dispatch never passes the budget");
    }
}

#[test]
fn a_solution_in_the_middle_of_a_dispatch_ends_the_run_there() {
    let budget = Budget { epochs: Some(5000), restarts: Some(20), ..Budget::default() };
    let (stop, settled) = compare(&variant(SwarmParameters::SEED), &puzzle(EASY), &budget, go_on);
    assert_eq!(stop, Stop::Solved);
    assert!(settled > 0);
}

#[test]
fn a_run_converges_in_the_middle_of_a_dispatch() {
    let convergence = Some(Convergence { patience: 13, threshold: 0 });
    for algorithm in algorithms() {
        let budget = Budget { convergence, epochs: Some(30), ..Budget::default() };
        let (stop, settled) = compare(&algorithm, &puzzle(HARD), &budget, go_on);
        assert_eq!(stop, Stop::Converged, "{algorithm}");
        assert!(settled > 0 || algorithm.name() == "hybrid", "{algorithm}: dispatches of all but the hybrid are long");
    }
}

#[test]
fn an_observer_ends_a_run_in_the_middle_of_a_dispatch() {
    let observe = |progress: &Progress| match (progress.restart, progress.epoch) {
        (1, 4) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let budget = Budget { epochs: Some(11), restarts: Some(3), ..Budget::default() };
    for algorithm in algorithms() {
        let (stop, settled) = compare(&algorithm, &puzzle(HARD), &budget, observe);
        assert_eq!(stop, Stop::Interrupted, "{algorithm}");
        assert!(settled > 0 || algorithm.name() == "hybrid", "{algorithm}: dispatches of all but the hybrid are long");
    }
}

#[test]
fn interrupts_and_wall_time_end_a_run_at_the_last_epoch_of_a_dispatch() {
    let algorithm = variant(AnnealParameters { population: 40, ..AnnealParameters::TUNED });
    let budget = Budget { epochs: Some(1000), restarts: Some(1), ..Budget::default() };
    for (epochs, last) in [(1, 0), (3, 2), (8, 7), (64, 63)] {
        let timed = Budget { time: Some(Duration::ZERO), ..budget };
        let (_, packed, settled) = pair(&algorithm, &puzzle(HARD), &timed);
        let outcome = run_one(packed, &mut Packed(epochs)).unwrap();
        assert_eq!((outcome.stop, outcome.epochs), (Stop::Timeout, last));
        let (_, packed, _) = pair(&algorithm, &puzzle(HARD), &budget);
        let interrupt = |progress: &Progress| match progress.ends_dispatch {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let outcome = run_one(packed.observed(interrupt), &mut Packed(epochs)).unwrap();
        assert_eq!((outcome.stop, outcome.epochs), (Stop::Interrupted, last));
        assert_eq!(settled.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn a_run_goes_to_and_fro_between_host_and_device() {
    let puzzle = puzzle(HARD);
    for algorithm in algorithms() {
        let mut saves = 0;
        let (mut run, ..) = pair(&algorithm, &puzzle, &budget());
        let engines: [&mut dyn Advance; 2] = [&mut cpu(), &mut Packed(3)];
        let outcome = loop {
            match one_dispatch(run, &mut *engines[saves % 2]) {
                Ok(outcome) => break outcome,
                Err(state) => {
                    saves += 1;
                    run = match saves % 2 {
                        0 => algorithm.resume(&puzzle, SEED, &budget(), &state).unwrap(),
                        _ => {
                            let packed = PackedRun::new(make(&algorithm, &puzzle), &Arc::default());
                            ActiveRun::resume(packed, &puzzle, &budget(), &state).unwrap()
                        }
                    };
                }
            }
        };
        assert!(saves > 6, "{algorithm}: {saves}");
        assert_eq!(timeless(outcome), in_one_go(&algorithm, &puzzle), "{algorithm}");
    }
}

#[test]
fn packed_runs_of_any_company_end_as_each_does_alone() {
    let puzzle = puzzle(HARD);
    let packed = |algorithm: &Variant| pair(algorithm, &puzzle, &budget()).1;
    for (number, outcome) in together(algorithms().iter().map(packed).collect(), 5, &mut Packed(8)) {
        let algorithm = &algorithms()[number as usize];
        assert_eq!(timeless(outcome), in_one_go(algorithm, &puzzle), "{algorithm}");
    }
}

#[test]
fn an_engine_refuses_runs_that_another_holds() {
    let (host, packed, _) = pair(&algorithms()[0], &puzzle(HARD), &budget());
    assert!(matches!(run_one(packed, &mut cpu()), Err(Error::Internal(_))));
    assert!(matches!(run_one(host, &mut Packed(8)), Err(Error::Internal(_))));
}

/// The details that an observer is told, by epoch.
fn details(run: ActiveRun<'static>, engine: &mut dyn Advance) -> Vec<Option<Details>> {
    let (told, listen) = std::sync::mpsc::channel();
    let observe = move |progress: &Progress| {
        assert!(progress.epoch_best.total() >= progress.best.total());
        told.send(progress.details.clone()).unwrap();
        ControlFlow::Continue(())
    };
    run_one(run.observed(observe), engine).unwrap();
    listen.iter().collect()
}

#[test]
fn details_are_told_where_they_are_asked_for_and_are_the_same_on_every_engine() {
    for (algorithm, named) in [
        (algorithms()[0].clone(), &["workers", "ratio", "mean_age", "oldest"][..]),
        (algorithms()[8].clone(), &[]),
        (algorithms()[4].clone(), &[]),
    ] {
        let budget = Budget { epochs: Some(40), restarts: Some(1), ..Budget::default() };
        let (host, packed, _) = pair(&algorithm, &puzzle(HARD), &budget);
        let found = details(host.with_details(), &mut cpu());
        assert_eq!(found, details(packed.with_details(), &mut Packed(8)), "{algorithm}");
        assert_eq!(found.len(), 41);
        let names = |details: &Details| details.values.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert!(found.iter().flatten().all(|details| names(details) == named), "{algorithm}: {found:?}");
        let resets: u64 = found.iter().flatten().map(|details| details.resets).sum();
        assert_eq!(resets > 0, algorithm.name() != "anneal", "{algorithm}");
        let (host, packed, _) = pair(&algorithm, &puzzle(HARD), &budget);
        assert!(details(host, &mut cpu()).iter().chain(&details(packed, &mut Packed(8))).all(Option::is_none));
    }
}
