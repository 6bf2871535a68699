//! Contenders and reports for tests.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{
    AdapterCrossover, Contender, Figures, Measured, MeasuredWork, Measurement, Parts, Profile, Setup, measure,
};
use crate::fitness::Backend;
use crate::fitness::backends::{BATCH_ENGINE, BackendRow};
use crate::fitness::crossovers::CrossoverPoint;
use crate::fitness::gpu::testing::adapter;
use crate::fitness::gpu::{AdapterKind, AdapterRequest, Api};
use crate::sudoku::Shape;

/// The CPU on one thread and on all, for small populations.
pub(super) fn cpus(shape: Shape) -> Vec<Contender> {
    let setup = Setup::new(shape, &[32], &["swarm"], Duration::ZERO, 1).unwrap();
    Contender::choose(&setup, BackendRow::named("cpu").unwrap(), &AdapterRequest::default()).unwrap()
}

/// A report of the CPU, and of an adapter whose figures are made up from the CPU's.
pub(super) fn figures() -> Figures {
    let setup = Setup::new(Shape::of_side(4).unwrap(), &[32, 500], &["swarm"], Duration::ZERO, 1).unwrap();
    let mut contenders = cpus(setup.shape);
    let measured =
        measure(&setup, &mut contenders, "bench <script> & \"more\"".into(), &mut |_| ControlFlow::Continue(()));
    let Ok(Measured::Figures(mut figures)) = measured else { panic!("{measured:?}") };
    let name = "gpu #1, vulkan".to_string();
    let parts = Parts {
        propose_s: 1e-3,
        upload_s: 2e-3,
        device_s: 5e-3,
        kernel_s: Some(4e-3),
        readback_s: 5e-4,
        accept_s: 1e-3,
        conclude_s: 1e-6,
    };
    let cpu = figures.measurements.iter().filter(|it| it.contender == "cpu, 1 thread").cloned();
    let made_up = cpu.map(|cpu| Measurement {
        contender: name.clone(),
        parts: (cpu.task != MeasuredWork::Scoring).then_some(parts),
        ..cpu
    });
    let made_up: Vec<Measurement> = made_up.collect();
    figures.measurements.extend(made_up);
    let adapter = adapter(1, "Card <b>&\"'", Api::Vulkan, AdapterKind::Discrete);
    let describe = adapter.describe();
    let crossover = CrossoverPoint { population: Some(12_345), from: 32, to: 500 };
    figures.crossovers.push(AdapterCrossover {
        adapter: adapter.clone(),
        algorithm: "swarm",
        engine: BATCH_ENGINE,
        crossover,
    });
    figures.contenders.push(Profile {
        name,
        backend: Backend::GPU,
        describe,
        threads: figures.machine.threads,
        adapter: Some(adapter),
    });
    *figures
}
