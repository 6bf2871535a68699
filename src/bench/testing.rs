//! Adapters that no single machine has, and their crossovers.

use super::Crossover;
use super::saved::{AdapterIdentity, Entry};
use crate::fitness::gpu::{AdapterKind, AdapterSummary, Api, GpuLimits};

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
