//! Who is measured: an evaluator, and the cores of the host that work for it.

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use crate::error::Error;
use crate::fitness::gpu::{AdapterRequest, AdapterSummary, Api};
use crate::fitness::{Backend, Cpu, Evaluator, GpuEvaluator, Scalar};
use crate::search::Engine;
use crate::sudoku::Shape;

/// Cores of the host.
pub(super) enum Host {
    /// A single one.
    One(ThreadPool),
    /// All that the current rayon pool has.
    All,
}

impl Host {
    /// A single core and, where there are more, all of them.
    pub fn each() -> Result<Vec<Host>, Error> {
        let mut hosts = vec![Host::one()?];
        if rayon::current_num_threads() > 1 {
            hosts.push(Host::All);
        }
        Ok(hosts)
    }

    fn one() -> Result<Host, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        pool.map(Host::One).map_err(|error| Error::Internal(format!("a thread could not be started: {error}")))
    }

    pub fn threads(&self) -> usize {
        match self {
            Host::One(_) => 1,
            Host::All => rayon::current_num_threads(),
        }
    }

    /// Works on these cores.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Host::One(pool) => pool.install(work),
            Host::All => work(),
        }
    }
}

/// An evaluator, and where its host side works.
pub struct Contender {
    /// Its name, its cores, and what it computes with.
    pub profile: Profile,
    pub(super) host: Host,
    pub(super) engine: Engine,
}

/// What is to be known about a contender.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Profile {
    /// Unique in a benchmark: `cpu, 2 threads`.
    pub name: String,
    /// Who computes.
    pub backend: Backend,
    /// What computes: the instruction set or the adapter.
    pub describe: String,
    /// Threads of the host that score, or that propose and accept for an adapter.
    pub threads: usize,
    /// The adapter, where there is one.
    pub adapter: Option<AdapterSummary>,
}

impl Profile {
    /// True if the CPU computes, with SIMD.
    pub fn is_cpu(&self) -> bool {
        self.backend == Backend::Cpu
    }
}

impl Contender {
    /// One thread without SIMD.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system starts no thread.
    pub fn scalar(shape: Shape) -> Result<Contender, Error> {
        Ok(Contender::new("scalar".into(), Scalar::new(shape), Host::one()?, None))
    }

    /// SIMD on one core and, where there are more, on all of the current rayon pool: the last is what others are held
    /// against.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system starts no thread.
    pub fn cpus(shape: Shape) -> Result<Vec<Contender>, Error> {
        let cpu = |host: Host| {
            let threads = host.threads();
            let name = if threads == 1 { "cpu, 1 thread".into() } else { format!("cpu, {threads} threads") };
            Contender::new(name, Cpu::new(shape), host, None)
        };
        Ok(Host::each()?.into_iter().map(cpu).collect())
    }

    /// An adapter with room for populations of `capacity`.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] and [`Error::Device`], as [`GpuEvaluator::new`] reports them.
    pub fn gpu(shape: Shape, capacity: usize, request: &AdapterRequest) -> Result<Contender, Error> {
        let evaluator = GpuEvaluator::new(shape, capacity, request, None)?;
        let adapter = evaluator.adapter().clone();
        let name = format!("gpu #{}, {}", adapter.index, adapter.api.name());
        Ok(Contender::new(name, evaluator, Host::All, Some(adapter)))
    }

    pub(super) fn new(
        name: String,
        evaluator: impl Evaluator + 'static,
        host: Host,
        adapter: Option<AdapterSummary>,
    ) -> Contender {
        let (backend, describe, threads) = (evaluator.backend(), evaluator.describe(), host.threads());
        let profile = Profile { name, backend, describe, threads, adapter };
        Contender { profile, host, engine: Engine::new(Box::new(evaluator)) }
    }
}

/// The adapters that a sweep measures where none is named: those that compute, software ones only where they are allowed,
/// and each card once: through OpenGL only where nothing else drives one of its
/// kind.
pub fn adapters_to_measure(adapters: &[AdapterSummary], allow_software: bool) -> Vec<&AdapterSummary> {
    let takes = |adapter: &&AdapterSummary| adapter.computes && (allow_software || !adapter.is_software());
    let other_way = |adapter: &AdapterSummary| {
        adapters.iter().filter(takes).any(|other| other.api != Api::Gl && other.kind == adapter.kind)
    };
    adapters.iter().filter(takes).filter(|adapter| adapter.api != Api::Gl || !other_way(adapter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing::adapter;
    use crate::fitness::gpu::AdapterKind;

    #[test]
    fn each_card_is_measured_once_and_software_only_where_it_is_allowed() {
        let list = [
            adapter(0, "llvmpipe", Api::Vulkan, AdapterKind::Software),
            adapter(1, "llvmpipe", Api::Gl, AdapterKind::Software),
            adapter(2, "RTX 4090/PCIe", Api::Gl, AdapterKind::Discrete),
            adapter(3, "RTX 4090", Api::Vulkan, AdapterKind::Discrete),
            adapter(4, "UHD 770", Api::Gl, AdapterKind::Integrated),
            AdapterSummary { computes: false, ..adapter(5, "Old", Api::Vulkan, AdapterKind::Integrated) },
        ];
        let indices = |allow_software| -> Vec<usize> {
            adapters_to_measure(&list, allow_software).iter().map(|adapter| adapter.index).collect()
        };
        assert_eq!(indices(false), [3, 4]);
        assert_eq!(indices(true), [0, 3, 4]);
    }

    #[test]
    fn the_cpu_on_all_threads_comes_last() {
        let names: Vec<(usize, String)> = Contender::cpus(Shape::NINE)
            .unwrap()
            .into_iter()
            .map(|cpu| (cpu.profile.threads, cpu.profile.name))
            .collect();
        let all = rayon::current_num_threads();
        assert_eq!(names[0], (1, "cpu, 1 thread".to_string()));
        assert_eq!((names.len(), names[names.len() - 1].0), (all.min(2), all));
    }
}
