//! An experiment on every evaluator: on one that wants batches, runs share them, and each is the run that it is alone.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use swarmdoku::experiment::plan::{Plan, RunId, Target};
use swarmdoku::experiment::{Experiment, Record, StartMode, Status};
use swarmdoku::fitness::backends::{BACKENDS, OpenBackend, Workload};
use swarmdoku::fitness::gpu::AdapterRequest;
use swarmdoku::fitness::{Backend, Evaluator};
use swarmdoku::report::Report;
use swarmdoku::search::{ALGORITHMS, Engine};
use swarmdoku::{Cpu, Error, Shape};

use crate::cases::Case;
use crate::gate::{Gate, Gated};
use crate::subject::Subject;

pub const ALL: &[Case] = &[
    Case::without_scores("runs_of_an_experiment_are_those_that_each_makes_alone", alone),
    Case::without_scores("an_experiment_that_names_backends_makes_equal_runs_on_each_in_one_folder", side_by_side),
    Case::without_scores("an_experiment_put_away_in_the_middle_goes_on_to_the_same_runs", resumed),
];

/// Populations of one tile and of several, a run that ends at once, two shapes.
const PLAN: &str = r#"
name = "shared"
seed = 5
runs = 4

[budget]
evaluations = 6_000

[[puzzles]]
name = "easy"
puzzle = "902005403100063025508407060026309001057010290090670530240530600705200304080041950"

[[puzzles]]
name = "six"
puzzle = "1.........2...3........4......5.6..."
shape = "6x6"

[[puzzles]]
name = "full"
puzzle = "1234341221434321"

[[puzzles]]
name = "hard"
puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

[[algorithm]]
algorithm = "anneal"
population = [20, 70]

[[algorithm]]
algorithm = "hybrid"
rule = "seed"
stagnation-limit = 5

[[algorithm]]
algorithm = "random-key"

[[algorithm]]
algorithm = ["ga-naive", "ga-columns", "genetic"]
population = 100
"#;

/// That plan, and every other algorithm that scores.
fn plan() -> Result<Plan, String> {
    let scoring = ALGORITHMS.iter().filter(|algorithm| algorithm.scores()).map(|algorithm| algorithm.name);
    let others: Vec<&str> = scoring.filter(|name| !PLAN.contains(&format!("\"{name}\""))).collect();
    let text = format!("{PLAN}\n[[algorithm]]\nalgorithm = {others:?}\n");
    Plan::parse("shared.toml", &text, Path::new("")).map_err(|error| error.to_string())
}

/// Runs the plan on the subject's evaluator until the gate is reached, which is opened then.
fn run(subject: &Subject, plan: &Plan, folder: &Path, entry: StartMode, gate: &Arc<Gate>) -> Result<Status, String> {
    let own = backend_of(subject)?;
    let open = |Target { shape, backend }: Target, capacity| {
        let evaluator = match backend.filter(|named| *named != own) {
            None => subject.evaluator(shape, capacity).map_err(Error::Internal)?,
            Some(other) => on_host(other, shape, capacity)?,
        };
        Ok(OpenBackend { evaluator: Box::new(Gated::new(evaluator, gate)), reason: "a test".into() })
    };
    let experiment = Experiment {
        plan,
        folder: folder.into(),
        entry,
        shard: None,
        timing: false,
        threads: 2,
        checkpoint_every: Duration::from_millis(1),
        git_revision: None,
    };
    let mut observe = |_: &Status| {
        if gate.is_reached() {
            gate.open();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    experiment.run(&open, &mut observe).map_err(|error| error.to_string())
}

/// Compares every line of the folder with the run that its algorithm makes alone on the CPU.
fn compare(plan: &Plan, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(folder.join("runs.jsonl")).map_err(|error| error.to_string())?;
    let mut compared = 0;
    for line in text.lines() {
        let line: Record = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let of = |id: &RunId| line.id() == Ok((plan.names(*id).0, plan.names(*id).1, id.run));
        let id = (0..plan.runs()).map(|index| plan.run(index)).find(of).ok_or("a run that is not in the plan")?;
        let puzzle = &plan.puzzles()[id.puzzle];
        let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
        let alone = plan
            .variant(id)
            .run(puzzle, plan.seed(id), &mut engine, plan.budget(id), |_| ControlFlow::Continue(()))
            .map_err(|error| error.to_string())?;
        let expected = (Some(format!("{:016x}", alone.trajectory)), alone.evaluations, alone.stop);
        if (line.trajectory.clone(), line.evaluations, line.stop) != expected {
            return Err(format!("{expected:?} is expected of {line:?}"));
        }
        compared += 1;
    }
    match compared == plan.runs() {
        true => Ok(()),
        false => Err(format!("{compared} of {} runs were compared", plan.runs())),
    }
}

fn backend_of(subject: &Subject) -> Result<Backend, String> {
    Ok(subject.evaluator(Shape::NINE, 1)?.backend())
}

fn on_host(backend: Backend, shape: Shape, capacity: usize) -> Result<Box<dyn Evaluator>, Error> {
    let row = BACKENDS.iter().find(|row| row.backend == backend).expect("a plan names rows of the list");
    Ok(row.open(&Workload::scoring(shape, capacity), &AdapterRequest::default())?.evaluator)
}

/// Some of the algorithms on `scalar`, `cpu` and the subject's backend, put away once in the middle. The report refuses
/// results that differ.
fn side_by_side(subject: &Subject) -> Result<usize, String> {
    let mut backends = vec!["scalar", "cpu"];
    let own = backend_of(subject)?.name();
    if !backends.contains(&own) {
        backends.push(own);
    }
    let text = PLAN.replace("[[algorithm]]", &format!("[[algorithm]]\nbackend = {backends:?}"));
    let plan = Plan::parse("named.toml", &text, Path::new("")).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let put_away = run(subject, &plan, folder.path(), StartMode::New, &Gate::after(9_000))?;
    if put_away.ended == plan.runs() {
        return Err("nothing was interrupted".into());
    }
    run(subject, &plan, folder.path(), StartMode::Resume, &Gate::after(usize::MAX))?;
    compare(&plan, folder.path())?;
    let report = Report::read(folder.path()).map_err(|error| error.to_string())?;
    let made: Vec<_> = report.study.provenance.iter().map(|(made, runs)| (made.backend.clone(), *runs)).collect();
    let each = plan.runs() / backends.len() as u64;
    let expected: Vec<_> = backends.iter().map(|backend| (Some(backend.to_string()), each)).collect();
    match expected.iter().all(|expected| made.contains(expected)) && made.len() == expected.len() {
        true => Ok(0),
        false => Err(format!("{expected:?} is expected of {made:?}")),
    }
}

fn alone(subject: &Subject) -> Result<usize, String> {
    let (plan, folder) = (plan()?, tempfile::tempdir().map_err(|error| error.to_string())?);
    run(subject, &plan, folder.path(), StartMode::New, &Gate::after(usize::MAX))?;
    compare(&plan, folder.path()).map(|()| 0)
}

fn resumed(subject: &Subject) -> Result<usize, String> {
    let (plan, folder) = (plan()?, tempfile::tempdir().map_err(|error| error.to_string())?);
    let scorings = if subject.is_adapter() { 50 } else { 4_000 };
    let mut in_the_middle = 0;
    while run(subject, &plan, folder.path(), StartMode::Resume, &Gate::after(scorings))?.ended < plan.runs() {
        in_the_middle += u32::from(folder.path().join("checkpoint").exists());
    }
    if in_the_middle < 3 {
        return Err(format!("runs were put away {in_the_middle} times; three at least are needed"));
    }
    compare(&plan, folder.path()).map(|()| 0)
}
