//! The backends of this machine, the choice of one, and the reason for it.
//!
//! [`BACKENDS`] is the one list of them. Command line, `verify`, `bench`, `devices` and the conformance tests go through it;
//! a new backend is a folder with its evaluator and its [`BackendRow`], and a line here. A row lists its [`Unit`]s, the
//! instruction sets or adapters of this machine, and picks one for a [`Workload`]; then the memory is checked and the unit
//! is opened.

use std::sync::{Arc, OnceLock};

use serde::Serialize;

use super::crossovers::{self, Advice, Crossovers, advise};
use super::gpu::{self, AdapterRequest, AdapterSummary};
use super::{Evaluator, Score, cpu};
use crate::error::Error;
use crate::machine::{MemoryLimit, processor};
use crate::population::LANES;
use crate::sudoku::Shape;

/// A backend by its name on the command line and in results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Backend(&'static str);

impl Backend {
    /// The backend of this name.
    pub const fn new(name: &'static str) -> Backend {
        Backend(name)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// False if its row says that it works on one thread.
    pub(crate) fn is_on_all_threads(self) -> bool {
        BackendRow::named(self.0).is_none_or(|row| row.on_all_threads)
    }

    /// True for the backend that the others are compared with.
    pub(crate) fn is_reference(self) -> bool {
        self == REFERENCE.backend
    }
}

/// The backend that `bench` compares the others with, and that `auto` takes where no GPU is faster.
static REFERENCE: &BackendRow = &cpu::ROW;

/// All backends, in the order in which help lists them.
pub static BACKENDS: &[&BackendRow] = &[&AUTO, &gpu::ROW, &cpu::ROW, &super::scalar::ROW];

/// The backend that chooses another one by what was measured on this machine.
pub static AUTO: BackendRow = BackendRow {
    backend: Backend::new("auto"),
    help: "`gpu` if the population is above the crossover that `swarmdoku bench --save` measured for the algorithm, else \
           `cpu`; never a software adapter",
    on_adapters: false,
    on_all_threads: false,
    units: Vec::new,
    pick: pick_auto,
};

/// Gives a unit and the reason for it.
pub type PickUnit = fn(&Workload, &AdapterRequest) -> Result<(Unit, String), Error>;

/// One backend.
pub struct BackendRow {
    /// The name.
    pub backend: Backend,
    /// One line of help, shown by `devices --help`.
    pub help: &'static str,
    /// True if its units are adapters, of which a request names one.
    pub on_adapters: bool,
    /// True if it spreads its work over all threads of the host.
    pub on_all_threads: bool,
    /// All units of this machine, the best first; none of [`AUTO`].
    pub units: fn() -> Vec<Unit>,
    /// Picks the unit for a workload and gives the reason.
    pub pick: PickUnit,
}

impl BackendRow {
    /// The backend of this name.
    pub fn named(name: &str) -> Option<&'static BackendRow> {
        BACKENDS.iter().copied().find(|row| row.name() == name)
    }

    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        self.backend.name()
    }

    /// True if it leaves the choice to this program.
    pub fn is_auto(&self) -> bool {
        self.backend == AUTO.backend
    }

    /// Picks a unit, refuses what the memory cannot hold, and opens the unit.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an adapter that this backend does not use, [`Error::Memory`], [`Error::NoAdapter`] and
    /// [`Error::Device`].
    pub fn open(&self, workload: &Workload, request: &AdapterRequest) -> Result<OpenBackend, Error> {
        self.refuse_unused(request)?;
        let (unit, reason) = (self.pick)(workload, request)?;
        workload.check_memory(&unit, MemoryLimit::here())?;
        let evaluator = unit.open(workload.shape, workload.capacity)?;
        log::info!("backend {}, {} ({reason})", evaluator.backend().name(), evaluator.describe());
        Ok(OpenBackend { evaluator, reason })
    }

    /// Refuses a request for an adapter where the backend uses none.
    ///
    /// # Errors
    /// [`Error::Parameter`] that names the option.
    pub fn refuse_unused(&self, request: &AdapterRequest) -> Result<(), Error> {
        let expected = "left out, or used with --backend gpu";
        match request {
            _ if self.on_adapters => Ok(()),
            AdapterRequest { name: Some(found), .. } => {
                Err(Error::Parameter { name: "adapter", found: found.clone(), expected })
            }
            AdapterRequest { allow_software: true, .. } => {
                Err(Error::Parameter { name: "allow-software", found: "given".into(), expected })
            }
            _ => Ok(()),
        }
    }
}

/// An opened evaluator and the reason for the choice of its backend.
pub struct OpenBackend {
    /// The evaluator.
    pub evaluator: Box<dyn Evaluator>,
    /// The reason, for logs and results.
    pub reason: String,
}

impl OpenBackend {
    /// The backend.
    pub fn backend(&self) -> Backend {
        self.evaluator.backend()
    }

    /// The instruction set or the adapter, for people.
    pub fn description(&self) -> String {
        self.evaluator.describe()
    }
}

/// Opens a unit for a shape and a batch size.
type OpenUnit = dyn Fn(Shape, usize) -> Result<Box<dyn Evaluator>, Error> + Send + Sync;

/// One way in which a backend computes on this machine: an instruction set or an adapter.
#[derive(Clone)]
pub struct Unit {
    /// Unique among all units: `cpu`, `cpu-portable`, `gpu-0`.
    pub name: String,
    /// The adapter, if it is one.
    pub adapter: Option<AdapterSummary>,
    buffers: Buffers,
    open: Arc<OpenUnit>,
}

/// Host memory of a unit and the engine around it, as multiples of a batch's candidates and of its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Buffers {
    candidates: u64,
    scores: u64,
}

impl Unit {
    /// A unit that computes on the host, where the candidates lie.
    pub fn on_host(name: &str, open: fn(Shape) -> Box<dyn Evaluator>) -> Unit {
        let buffers = Buffers { candidates: 0, scores: 1 };
        Unit { name: name.into(), adapter: None, buffers, open: Arc::new(move |shape, _| Ok(open(shape))) }
    }

    /// An adapter. Its staging buffers are in the host's memory; those of the device as well, where the adapter has no
    /// memory of its own.
    pub fn on_adapter(
        backend: Backend,
        adapter: AdapterSummary,
        open: impl Fn(Shape, usize) -> Result<Box<dyn Evaluator>, Error> + Send + Sync + 'static,
    ) -> Unit {
        let copies = if adapter.shares_host_memory() { 2 } else { 1 };
        Unit {
            name: format!("{}-{}", backend.name(), adapter.index),
            adapter: Some(adapter),
            buffers: Buffers { candidates: copies, scores: 1 + copies },
            open: Arc::new(open),
        }
    }

    /// Makes the evaluator for batches of `capacity` candidates.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] and [`Error::Device`], if it is an adapter.
    pub fn open(&self, shape: Shape, capacity: usize) -> Result<Box<dyn Evaluator>, Error> {
        (self.open)(shape, capacity)
    }

    /// Bytes of host memory that the unit and the scores of its engine need for batches of `capacity` candidates.
    pub fn bytes(&self, shape: Shape, capacity: usize) -> u64 {
        let Buffers { candidates, scores } = self.buffers;
        let slot = candidates * shape.cells() as u64 + scores * size_of::<Score>() as u64;
        whole_tiles(capacity).saturating_mul(slot)
    }
}

/// The slots of this many candidates.
fn whole_tiles(candidates: usize) -> u64 {
    (candidates as u64).div_ceil(LANES as u64).saturating_mul(LANES as u64)
}

/// A search among those that a backend is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchKind {
    /// The algorithm's full name.
    pub algorithm: &'static str,
    /// True if its parameters are those that crossovers are measured with.
    pub has_default_parameters: bool,
}

/// The name of the engine that scores an epoch as one batch.
pub const BATCH_ENGINE: &str = "batch";

/// The work that a backend is opened for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workload {
    /// The shape of all candidates.
    pub shape: Shape,
    /// Candidates of the largest batch.
    pub capacity: usize,
    /// Individuals of the largest run.
    pub population: usize,
    /// Runs that are made side by side, each on a thread, where the host scores.
    pub side_by_side: usize,
    /// Individuals of all runs that share a dispatch where an adapter scores.
    pub in_flight: usize,
    /// The algorithms; none for scoring alone.
    pub searches: Vec<SearchKind>,
    /// The engine.
    pub engine: &'static str,
    /// Bytes that the searches, or whoever holds the candidates, keep for an individual.
    pub bytes_per_slot: u64,
}

impl Workload {
    /// A batch to be scored once.
    pub fn scoring(shape: Shape, candidates: usize) -> Workload {
        Workload {
            shape,
            capacity: candidates,
            population: candidates,
            side_by_side: 1,
            in_flight: candidates,
            searches: Vec::new(),
            engine: BATCH_ENGINE,
            bytes_per_slot: shape.cells() as u64,
        }
    }

    /// Bytes of host memory that the work needs on a unit: what the searches keep, and the buffers of batches.
    pub fn bytes(&self, unit: &Unit) -> u64 {
        let (slots, batch) = if unit.adapter.is_some() {
            (whole_tiles(self.in_flight), self.capacity)
        } else {
            let side_by_side = self.population.saturating_mul(self.side_by_side);
            (whole_tiles(self.population).saturating_mul(self.side_by_side as u64), side_by_side)
        };
        slots.saturating_mul(self.bytes_per_slot).saturating_add(unit.bytes(self.shape, batch))
    }

    /// # Errors
    /// [`Error::Memory`] if this needs more than the process may use.
    fn check_memory(&self, unit: &Unit, limit: MemoryLimit) -> Result<(), Error> {
        let what = || {
            let names: Vec<&str> = self.searches.iter().map(|search| search.algorithm).collect();
            let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(" and ")) };
            let on = unit.adapter.as_ref().map_or_else(|| unit.name.clone(), AdapterSummary::describe);
            format!("a population of {}{of} on {on}", self.population.max(self.capacity))
        };
        limit.check(self.bytes(unit), what, "take a smaller population, or more memory")
    }
}

/// The GPU where the saved crossovers say that it is faster, else the CPU.
fn pick_auto(workload: &Workload, _: &AdapterRequest) -> Result<(Unit, String), Error> {
    let (unit, reason) = match advice(workload) {
        Advice::Cpu(reason) => (cpu::unit(), reason),
        Advice::Gpu(adapter, reason) => (gpu::unit(*adapter), reason),
    };
    Ok((unit, format!("auto: {reason}")))
}

/// The advice of the saved crossovers. A file that cannot be read is reported, and then counts as none.
fn advice(workload: &Workload) -> Advice {
    const NONE: &str = "no crossover to a GPU has been measured on this machine (`swarmdoku bench --save` does)";
    match saved_crossovers() {
        SavedCrossovers::None => Advice::Cpu(NONE.into()),
        SavedCrossovers::Unreadable => Advice::Cpu("the saved crossovers could not be read".into()),
        SavedCrossovers::Crossovers(crossovers) => {
            advise(crossovers, workload, rayon::current_num_threads(), processor, gpu::adapters)
        }
    }
}

/// The crossovers that `bench --save` has written.
enum SavedCrossovers {
    None,
    Unreadable,
    Crossovers(Crossovers),
}

/// Reads the file once, so that a bad file is reported once for any number of evaluators.
fn saved_crossovers() -> &'static SavedCrossovers {
    static SAVED: OnceLock<SavedCrossovers> = OnceLock::new();
    SAVED.get_or_init(|| match crossovers::path().map(|path| Crossovers::load(&path)) {
        None | Some(Ok(None)) => SavedCrossovers::None,
        Some(Ok(Some(crossovers))) => SavedCrossovers::Crossovers(crossovers),
        Some(Err(error)) => {
            log::warn!("auto: {error}");
            SavedCrossovers::Unreadable
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::gpu::testing::adapter;
    use crate::fitness::gpu::{AdapterKind, Api};

    fn unit(kind: AdapterKind) -> Unit {
        gpu::unit(adapter(0, "a card", Api::Vulkan, kind))
    }

    fn workload(population: usize) -> Workload {
        let search = SearchKind { algorithm: "swarm", has_default_parameters: true };
        Workload { searches: vec![search], bytes_per_slot: 95, ..Workload::scoring(Shape::NINE, population) }
    }

    #[test]
    fn every_backend_is_found_by_its_name_and_lists_its_units_but_auto() {
        for row in BACKENDS {
            assert_eq!(BackendRow::named(row.name()).map(BackendRow::name), Some(row.name()));
            if !row.is_auto() && !row.on_adapters {
                let units = (row.units)();
                assert!(units.iter().all(|unit| unit.name.starts_with(row.name())), "{}", row.name());
                let evaluator = units[0].open(Shape::NINE, 0).unwrap();
                assert_eq!(evaluator.backend(), row.backend);
            }
        }
        assert!(BackendRow::named("cuda").is_none());
    }

    #[test]
    fn device_buffers_count_where_the_adapter_has_no_memory_of_its_own() {
        let of = |unit: &Unit| workload(3_200).bytes(unit) / 3_200;
        assert_eq!(of(&cpu::unit()), 95 + 4, "the swarm's 99 bytes");
        assert_eq!(of(&unit(AdapterKind::Discrete)), 95 + 81 + 8);
        for shared in [AdapterKind::Integrated, AdapterKind::Software] {
            assert_eq!(of(&unit(shared)), 95 + 2 * 81 + 12, "{shared:?}");
        }
    }

    #[test]
    fn runs_count_side_by_side_on_the_host_and_in_flight_on_an_adapter() {
        let plan = Workload { side_by_side: 4, in_flight: 640, capacity: 640, ..workload(32) };
        assert_eq!(plan.bytes(&cpu::unit()), 4 * 32 * 99);
        assert_eq!(plan.bytes(&unit(AdapterKind::Software)), 640 * (95 + 174));
    }

    #[test]
    fn what_needs_more_than_the_process_may_use_is_refused_with_both_numbers_and_a_remedy() {
        let limit = MemoryLimit { bytes: 24 << 30, source: "a limit" };
        let refused = workload(400_000_000).check_memory(&unit(AdapterKind::Software), limit).unwrap_err();
        let message = refused.to_string();
        for part in ["a population of 400000000 of swarm on a card", "needs 102615 MiB", "24576 MiB", "smaller"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(workload(80_000_000).check_memory(&unit(AdapterKind::Software), limit).is_ok());
        let past_all_numbers = workload(usize::MAX).check_memory(&cpu::unit(), limit);
        assert!(matches!(past_all_numbers, Err(Error::Memory { .. })));
    }

    #[test]
    fn an_adapter_is_refused_by_name_where_none_is_used() {
        let named = AdapterRequest { name: Some("0".into()), allow_software: false };
        let software = AdapterRequest { name: None, allow_software: true };
        for row in BACKENDS.iter().filter(|row| !row.on_adapters) {
            for (request, option) in [(&named, "adapter is 0"), (&software, "allow-software is given")] {
                let message = row.refuse_unused(request).unwrap_err().to_string();
                assert!(message.contains(option) && message.contains("--backend gpu"), "{message}");
            }
        }
        assert!(gpu::ROW.refuse_unused(&named).is_ok());
    }
}
