//! Contenders: an evaluator, and the cores of the host that work for it.

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use super::Setup;
use crate::error::Error;
use crate::fitness::backends::{BACKENDS, BackendRow, Unit, Workload};
use crate::fitness::gpu::{AdapterRequest, AdapterSummary, Api};
use crate::fitness::{Backend, Evaluator};
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
    pub(super) fn each() -> Result<Vec<Host>, Error> {
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

    pub(super) fn threads(&self) -> usize {
        match self {
            Host::One(_) => 1,
            Host::All => rayon::current_num_threads(),
        }
    }

    /// Works on these cores.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Host::One(pool) => pool.install(work),
            Host::All => rayon::scope(|_| work()),
        }
    }
}

/// An evaluator, and the cores that its host side works on.
pub struct Contender {
    /// Its name, its cores, and what it computes with.
    pub profile: Profile,
    pub(super) host: Host,
    pub(super) engine: Engine,
}

/// The facts about a contender.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Profile {
    /// Unique in a benchmark: `cpu, 2 threads`.
    pub name: String,
    /// The backend.
    pub backend: Backend,
    /// The instruction set or the adapter, for people.
    pub describe: String,
    /// Threads of the host that score, or that propose and accept for an adapter.
    pub threads: usize,
    /// The adapter, where there is one.
    pub adapter: Option<AdapterSummary>,
}

impl Profile {
    /// True if the CPU computes, with SIMD.
    pub fn is_cpu(&self) -> bool {
        self.backend.is_reference()
    }
}

impl Contender {
    /// Contenders of the backend that was named, or of all, and always the CPU on one thread and on all: the last of
    /// these is what others are held against. Of a backend on the host the best unit takes part; of adapters the one that
    /// was named, or those of [`adapters_to_measure`].
    ///
    /// # Errors
    /// [`Error::Parameter`] for an adapter that nothing uses, [`Error::Memory`], and what opening a unit reports.
    pub fn choose(setup: &Setup, backend: &BackendRow, request: &AdapterRequest) -> Result<Vec<Contender>, Error> {
        if !backend.is_auto() {
            backend.refuse_unused(request)?;
        }
        let takes_part =
            |row: &&&BackendRow| row.backend.is_reference() || row.backend == backend.backend || backend.is_auto();
        let mut units = Vec::new();
        for row in BACKENDS.iter().rev().filter(takes_part) {
            units.extend(row.units_to_measure(backend, request)?.into_iter().map(|unit| (*row, unit)));
        }
        let all: Vec<Unit> = units.iter().map(|(_, unit)| unit.clone()).collect();
        setup.check_memory(&all)?;
        let mut contenders = Vec::new();
        for (row, unit) in units {
            contenders.extend(Contender::of(setup, row, &unit)?);
        }
        Ok(contenders)
    }

    /// A unit on all threads, and on the host also on a single one; on that alone where it uses no more.
    fn of(setup: &Setup, row: &BackendRow, unit: &Unit) -> Result<Vec<Contender>, Error> {
        let hosts = match (&unit.adapter, row.on_all_threads) {
            (Some(_), _) => vec![Host::All],
            (None, true) => Host::each()?,
            (None, false) => vec![Host::one()?],
        };
        let contender = |host: Host| {
            let name = match (&unit.adapter, host.threads()) {
                (Some(adapter), _) => format!("{} #{}, {}", row.name(), adapter.index, adapter.api.name()),
                (None, _) if !row.on_all_threads => unit.name.clone(),
                (None, 1) => format!("{}, 1 thread", unit.name),
                (None, threads) => format!("{}, {threads} threads", unit.name),
            };
            Ok(Contender::new(name, unit.open(setup.shape, setup.largest())?, host, unit.adapter.clone()))
        };
        hosts.into_iter().map(contender).collect()
    }

    pub(super) fn new(
        name: String,
        evaluator: Box<dyn Evaluator>,
        host: Host,
        adapter: Option<AdapterSummary>,
    ) -> Contender {
        let (backend, describe, threads) = (evaluator.backend(), evaluator.describe(), host.threads());
        let profile = Profile { name, backend, describe, threads, adapter };
        Contender { profile, host, engine: Engine::new(evaluator) }
    }
}

impl BackendRow {
    /// The units of this backend that a sweep measures if `wanted` was named.
    fn units_to_measure(&self, wanted: &BackendRow, request: &AdapterRequest) -> Result<Vec<Unit>, Error> {
        if !self.on_adapters {
            return Ok((self.units)().into_iter().take(1).collect());
        }
        let picked = || Ok(vec![(self.pick)(&Workload::scoring(Shape::NINE, 0), request)?.0]);
        if request.name.is_some() {
            return picked();
        }
        let mut units = (self.units)();
        let adapters: Vec<AdapterSummary> = units.iter().filter_map(|unit| unit.adapter.clone()).collect();
        let found = adapters_to_measure(&adapters, request.allow_software);
        units.retain(|unit| unit.adapter.as_ref().is_some_and(|adapter| found.contains(&adapter)));
        if units.is_empty() && !wanted.is_auto() {
            return picked();
        }
        if units.is_empty() {
            log::info!(
                "no hardware adapter was found, so there is no crossover; --allow-software measures software ones"
            );
        }
        Ok(units)
    }
}

/// The adapters that a sweep measures if none is named: those with compute shaders, software ones only if allowed, and each
/// card once. OpenGL is used only if no other interface drives an adapter of the same kind.
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
    use crate::bench::testing::cpus;
    use crate::fitness::gpu::AdapterKind;
    use crate::fitness::gpu::testing::adapter;

    #[test]
    fn each_card_is_measured_once_and_software_only_if_allowed() {
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
        let names: Vec<(usize, String)> =
            cpus(Shape::NINE).into_iter().map(|cpu| (cpu.profile.threads, cpu.profile.name)).collect();
        let all = rayon::current_num_threads();
        assert_eq!(names[0], (1, "cpu, 1 thread".to_string()));
        assert_eq!((names.len(), names[names.len() - 1].0), (all.min(2), all));
    }
}
