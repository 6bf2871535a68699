//! Adapters that no single machine has, their crossovers, and reports of them.

use std::ops::ControlFlow;
use std::time::Duration;

use super::saved::{AdapterIdentity, Entry};
use super::{
    AdapterCrossover, Contender, Crossover, Measured, Measurement, Parts, Plan, Profile, Report, Task, measure,
};
use crate::fitness::Backend;
use crate::fitness::gpu::{AdapterKind, AdapterSummary, Api, GpuLimits};
use crate::sudoku::Shape;

/// An adapter of this kind; through Vulkan it has a PCI address.
pub fn adapter(index: usize, name: &str, api: Api, kind: AdapterKind) -> AdapterSummary {
    let limits =
        GpuLimits { max_workgroups_per_dimension: 65_535, max_binding_bytes: 1 << 27, max_buffer_bytes: 1 << 28 };
    let pci_address = (api == Api::Vulkan).then(|| format!("0000:0{index}:00.0"));
    AdapterSummary { index, name: name.into(), api, kind, pci_address, driver: "1.2".into(), computes: true, limits }
}

/// The crossover of `adapter(1, name, Vulkan, _)` at 9x9 with 8 threads of "a processor", looked for up to 1,000,000.
pub fn entry(name: &str, population: Option<u64>) -> Entry {
    Entry {
        adapter: AdapterIdentity::from(&adapter(1, name, Api::Vulkan, AdapterKind::Discrete)),
        shape: "9x9".into(),
        threads: 8,
        processor: "a processor".into(),
        crossover: Crossover { population, from: 1_000, to: 1_000_000 },
        measured: "2026-01-01T00:00:00Z".into(),
    }
}

/// A report of the CPU, and of an adapter whose figures are made up from the CPU's.
pub fn report() -> Report {
    let plan = Plan::new(Shape::of_side(4).unwrap(), &[32, 500], Duration::ZERO, 1).unwrap();
    let mut contenders = Contender::cpus(plan.shape).unwrap();
    let measured =
        measure(&plan, &mut contenders, "bench <script> & \"more\"".into(), &mut |_| ControlFlow::Continue(()));
    let Ok(Measured::Report(mut report)) = measured else { panic!("{measured:?}") };
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
    let cpu = report.measurements.iter().filter(|it| it.contender == "cpu, 1 thread").cloned();
    let made_up = cpu.map(|cpu| Measurement {
        contender: name.clone(),
        parts: (cpu.task == Task::Epoch).then_some(parts),
        ..cpu
    });
    let made_up: Vec<Measurement> = made_up.collect();
    report.measurements.extend(made_up);
    let adapter = adapter(1, "Card <b>&\"'", Api::Vulkan, AdapterKind::Discrete);
    let describe = adapter.describe();
    let crossover = Crossover { population: Some(12_345), from: 32, to: 500 };
    report.crossovers.push(AdapterCrossover { adapter: adapter.clone(), crossover });
    report.contenders.push(Profile {
        name,
        backend: Backend::Gpu,
        describe,
        threads: report.machine.threads,
        adapter: Some(adapter),
    });
    *report
}
