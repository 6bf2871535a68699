//! What is tested: an evaluator as a way to make one for any shape.

use std::collections::BTreeMap;
use std::sync::Mutex;

use swarmdoku::fitness::backends::{BackendRow, Unit, Workload};
use swarmdoku::fitness::gpu::{AdapterRequest, GpuLimits};
use swarmdoku::fitness::{Evaluator, GpuEvaluator};
use swarmdoku::{Error, Shape};

/// Makes an evaluator for a shape, ready for batches of so many candidates.
type Make = Box<dyn Fn(Shape, usize) -> Result<Box<dyn Evaluator>, Error> + Send + Sync>;

pub struct Subject {
    /// The name under which its cases are listed.
    pub name: String,
    /// Why it cannot run on this machine, if it cannot.
    pub unavailable: Option<String>,
    /// What it computes on.
    on: String,
    is_adapter: bool,
    make: Make,
}

impl Subject {
    /// A unit that computes on the host and so runs anywhere.
    pub fn host(unit: Unit) -> Subject {
        let on = unit.open(Shape::NINE, 0).expect("the host is always there").describe();
        let name = unit.name.clone();
        let make: Make = Box::new(move |shape, capacity| unit.open(shape, capacity));
        Subject { name, unavailable: None, on, is_adapter: false, make }
    }

    /// A backend on the best adapter there is: a software one if there is no other, deliberately.
    pub fn adapter(row: &'static BackendRow) -> Subject {
        let open = |shape, capacity| {
            let request = AdapterRequest { name: None, allow_software: true };
            row.open(&Workload::scoring(shape, capacity), &request).map(|opened| opened.evaluator)
        };
        let probe = open(Shape::NINE, 0);
        let unavailable = match &probe {
            Err(Error::NoAdapter(reason)) => Some(reason.lines().collect::<Vec<_>>().join(" ")),
            _ => None,
        };
        let on = probe.map_or_else(|error| error.to_string(), |evaluator| evaluator.describe());
        Subject { name: row.name().into(), unavailable, on, is_adapter: true, make: Box::new(open) }
    }

    /// True for an adapter, which has cases of its own.
    pub fn is_adapter(&self) -> bool {
        self.is_adapter
    }

    /// True if being unavailable is a failure.
    pub fn is_required(&self) -> bool {
        self.is_adapter && std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1")
    }

    pub fn evaluator(&self, shape: Shape, capacity: usize) -> Result<Box<dyn Evaluator>, String> {
        (self.make)(shape, capacity).map_err(|error| error.to_string())
    }
}

/// The GPU evaluator of the tests, with limits injected.
pub fn gpu_evaluator(shape: Shape, capacity: usize, limits: Option<GpuLimits>) -> Result<GpuEvaluator, Error> {
    GpuEvaluator::new(shape, capacity, &AdapterRequest { name: None, allow_software: true }, limits)
}

/// How many scores were compared with the oracle, by subject.
#[derive(Default)]
pub struct Tally(Mutex<BTreeMap<String, usize>>);

impl Tally {
    pub fn add(&self, subject: &str, compared: usize) {
        *self.0.lock().unwrap().entry(subject.to_owned()).or_default() += compared;
    }

    /// Says what was compared, or why nothing was.
    pub fn print(&self, subject: &Subject) {
        let compared = self.0.lock().unwrap().get(&subject.name).copied().unwrap_or(0);
        match &subject.unavailable {
            Some(reason) => {
                let outcome = if subject.is_required() { "FAILED" } else { "IGNORED" };
                println!("{}: {outcome}, not one score was compared: {reason}", subject.name);
            }
            None => println!("{}: {compared} scores equal the oracle, on {}", subject.name, subject.on),
        }
    }
}
