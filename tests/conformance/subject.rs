//! What is tested: an evaluator as a way to make one for any shape.

use std::collections::BTreeMap;
use std::sync::Mutex;

use swarmdoku::fitness::gpu::{AdapterRequest, GpuLimits};
use swarmdoku::fitness::{Evaluator, GpuEvaluator};
use swarmdoku::{Error, Shape};

/// Makes an evaluator for a shape, ready for batches of so many candidates.
type Make = Box<dyn Fn(Shape, usize) -> Result<Box<dyn Evaluator>, Error> + Send + Sync>;

pub struct Subject {
    /// The name under which its cases are listed.
    pub name: &'static str,
    /// Why it cannot run on this machine, if it cannot.
    pub unavailable: Option<String>,
    /// What it computes on.
    on: String,
    make: Make,
}

impl Subject {
    /// A backend that computes on the host and so runs anywhere.
    pub fn host(name: &'static str, make: fn(Shape) -> Box<dyn Evaluator>) -> Subject {
        let on = make(Shape::NINE).describe();
        Subject { name, unavailable: None, on, make: Box::new(move |shape, _| Ok(make(shape))) }
    }

    /// The GPU backend on the best adapter there is: a software one if there is no other, deliberately.
    pub fn gpu() -> Subject {
        let probe = gpu_evaluator(Shape::NINE, 0, None);
        let unavailable = match &probe {
            Err(Error::NoAdapter(reason)) => Some(reason.lines().collect::<Vec<_>>().join(" ")),
            _ => None,
        };
        let on = probe.map_or_else(|error| error.to_string(), |evaluator| evaluator.describe());
        let make: Make = Box::new(|shape, capacity| Ok(Box::new(gpu_evaluator(shape, capacity, None)?)));
        Subject { name: "gpu", unavailable, on, make }
    }

    /// True for the subject that has cases of its own.
    pub fn is_gpu(&self) -> bool {
        self.name == "gpu"
    }

    /// True if being unavailable is a failure.
    pub fn is_required(&self) -> bool {
        self.is_gpu() && std::env::var_os("REQUIRE_GPU").is_some_and(|value| value == "1")
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
pub struct Tally(Mutex<BTreeMap<&'static str, usize>>);

impl Tally {
    pub fn add(&self, subject: &'static str, compared: usize) {
        *self.0.lock().unwrap().entry(subject).or_default() += compared;
    }

    /// Says what was compared, or why nothing was.
    pub fn print(&self, subject: &Subject) {
        let compared = self.0.lock().unwrap().get(subject.name).copied().unwrap_or(0);
        match &subject.unavailable {
            Some(reason) => {
                let outcome = if subject.is_required() { "FAILED" } else { "IGNORED" };
                println!("{}: {outcome}, not one score was compared: {reason}", subject.name);
            }
            None => println!("{}: {compared} scores equal the oracle, on {}", subject.name, subject.on),
        }
    }
}
