//! The crossovers of this machine's adapters: the population size at which a GPU becomes faster than the CPU, as `bench
//! --save` measured it and `--backend auto` uses it.
//!
//! One JSON file in the user's configuration folder holds one [`KnownCrossover`] for each adapter, algorithm, engine, shape and
//! number of threads, of which the last one measured stands. An entry counts for the very adapter, driver, processor and
//! threads it was measured with, and for its algorithm and engine alone: the host's part of an epoch differs from
//! algorithm to algorithm. Software adapters are neither kept nor taken: they are the processor, by a longer way.

use std::cell::LazyCell;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::backends::{BATCH_ENGINE, SearchKind, Workload};
use super::gpu::AdapterSummary;
use crate::error::Error;

/// Seconds that an epoch of one population takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Candidates in an epoch.
    pub population: usize,
    /// Seconds on the CPU, all cores.
    pub cpu: f64,
    /// Seconds on the GPU, transfers included.
    pub gpu: f64,
}

/// The population size at which the GPU's epochs become faster, and the range of populations measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CrossoverPoint {
    /// The least population from which on the GPU is faster; none if it is slower at the largest one measured. If the GPU
    /// is faster everywhere this is the smallest population measured, since nothing is known below.
    pub population: Option<u64>,
    /// The smallest population measured.
    pub from: u64,
    /// The largest.
    pub to: u64,
}

impl CrossoverPoint {
    /// The crossover of points in ascending order of population; none without a point.
    ///
    /// The ratio of the two times is taken to change as a power of the population between two points: a straight line
    /// where both axes are logarithmic. If it crosses 1 several times, the last crossing counts: past it the GPU was
    /// faster wherever it was measured.
    pub fn of(points: &[Point]) -> Option<CrossoverPoint> {
        let (first, last) = (points.first()?, points.last()?);
        let slower = points.iter().rposition(|point| point.gpu >= point.cpu);
        let population = match slower {
            None => Some(first.population as u64),
            Some(at) => points.get(at + 1).map(|faster| crossing(&points[at], faster)),
        };
        Some(CrossoverPoint { population, from: first.population as u64, to: last.population as u64 })
    }
}

/// The population between two points at which both take equally long.
fn crossing(slower: &Point, faster: &Point) -> u64 {
    let lag = |point: &Point| (point.gpu / point.cpu).ln();
    let part = lag(slower) / (lag(slower) - lag(faster));
    let (from, to) = (slower.population as f64, faster.population as f64);
    let population = (from.ln() + part * (to / from).ln()).exp().round() as u64;
    population.clamp(slower.population as u64, faster.population as u64)
}

/// The environment variable that names another configuration folder.
pub const FOLDER_VARIABLE: &str = "SWARMDOKU_CONFIG_DIR";

/// The file's name in the configuration folder.
const FILE_NAME: &str = "crossovers.json";

/// The version of the file's format.
const FORMAT: u32 = 2;

/// The format before, whose entries name neither algorithm nor engine: all were measured on a swarm, batch by batch.
const FORMAT_OF_SWARMS: u32 = 1;

const REMEDY: &str = "remove it, and measure again with `swarmdoku bench --save`";

/// The file that holds this user's crossovers, there or not; none where the system names no configuration folder.
pub fn path() -> Option<PathBuf> {
    let named = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let usual =
        || directories::ProjectDirs::from("", "", "swarmdoku").map(|folders| folders.config_dir().to_path_buf());
    Some(named.or_else(usual)?.join(FILE_NAME))
}

/// The adapter of a crossover.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AdapterIdentity {
    /// Its name.
    pub name: String,
    /// The interface through which it is driven.
    pub api: String,
    /// Its driver and the driver's version.
    pub driver: String,
    /// Its PCI address, where the interface tells.
    pub pci_address: Option<String>,
}

impl From<&AdapterSummary> for AdapterIdentity {
    fn from(adapter: &AdapterSummary) -> AdapterIdentity {
        AdapterIdentity {
            name: adapter.name.clone(),
            api: adapter.api.name().to_owned(),
            driver: adapter.driver.clone(),
            pci_address: adapter.pci_address.clone(),
        }
    }
}

/// One adapter's crossover.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownCrossover {
    /// The adapter.
    pub adapter: AdapterIdentity,
    /// The algorithm, with default parameters.
    #[serde(default = "swarm")]
    pub algorithm: String,
    /// The engine.
    #[serde(default = "batch_engine")]
    pub engine: String,
    /// The shape, as `9x9`.
    pub shape: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// The processor's name.
    pub processor: String,
    /// The crossover, if there was one.
    #[serde(flatten)]
    pub crossover: CrossoverPoint,
    /// When it was measured, as RFC 3339 in UTC.
    pub measured: String,
}

fn swarm() -> String {
    "swarm".into()
}

fn batch_engine() -> String {
    BATCH_ENGINE.into()
}

impl KnownCrossover {
    fn is_of_the_same(&self, other: &KnownCrossover) -> bool {
        let KnownCrossover { adapter, algorithm, engine, shape, threads, processor, .. } = self;
        (adapter, algorithm, engine) == (&other.adapter, &other.algorithm, &other.engine)
            && (shape, threads, processor) == (&other.shape, &other.threads, &other.processor)
    }
}

/// The crossovers in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossovers {
    /// [`FORMAT`]
    format: u32,
    /// One for each adapter, algorithm, engine, shape, processor and number of threads.
    entries: Vec<KnownCrossover>,
}

impl Default for Crossovers {
    fn default() -> Crossovers {
        Crossovers { format: FORMAT, entries: Vec::new() }
    }
}

impl Crossovers {
    /// The crossovers of a file; none if there is no file.
    ///
    /// # Errors
    /// [`Error::Read`] if it cannot be read or is not a file of crossovers.
    pub fn load(path: &Path) -> Result<Option<Crossovers>, Error> {
        let failed = |source| Error::Read { path: path.into(), source };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(failed)?,
        };
        let foreign = |what: String| failed(std::io::Error::new(ErrorKind::InvalidData, what));
        let found: Crossovers = serde_json::from_str(&text)
            .map_err(|error| foreign(format!("this is no file of crossovers ({error}); {REMEDY}")))?;
        match found.format {
            FORMAT | FORMAT_OF_SWARMS => Ok(Some(Crossovers { format: FORMAT, ..found })),
            format => Err(foreign(format!(
                "its format is {format}, but this program reads formats {FORMAT_OF_SWARMS} and {FORMAT}; {REMEDY}"
            ))),
        }
    }

    /// Puts an entry in the place of the one that was measured with the same.
    pub fn put(&mut self, entry: KnownCrossover) {
        self.entries.retain(|old| !old.is_of_the_same(&entry));
        self.entries.push(entry);
    }

    /// Writes the file, whole or not at all, and its folder where there is none.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn store(&self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::Write { path: path.into(), source };
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Internal(format!("crossovers: {error}")))?;
        writeln!(file, "{text}").and_then(|()| file.as_file().sync_all()).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// The backend that `--backend auto` should take, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The CPU.
    Cpu(String),
    /// This adapter.
    Gpu(Box<AdapterSummary>, String),
}

/// The machine's facts that advice depends on, each asked for once and only if it matters: to list adapters means to load
/// the GPU's libraries.
struct Here<P: FnOnce() -> String, A: FnOnce() -> Vec<AdapterSummary>> {
    threads: usize,
    processor: LazyCell<String, P>,
    adapters: LazyCell<Vec<AdapterSummary>, A>,
}

/// The advice for a workload: a pure function, so that it is tested with adapters that no single machine has. An adapter is
/// taken where it is past its crossover for each of the workload's algorithms.
pub fn advise(
    crossovers: &Crossovers,
    workload: &Workload,
    threads: usize,
    processor: impl FnOnce() -> String,
    adapters: impl FnOnce() -> Vec<AdapterSummary>,
) -> Advice {
    let here = Here { threads, processor: LazyCell::new(processor), adapters: LazyCell::new(adapters) };
    let [first, others @ ..] = &workload.searches[..] else {
        return Advice::Cpu("crossovers are those of a search's epochs, and this is scoring alone".into());
    };
    let reached = |search: &SearchKind| here.reached(crossovers, workload, search);
    let all = |all: Vec<_>, search| Ok(in_both(all, reached(search)?));
    match reached(first).and_then(|first| others.iter().try_fold(first, all)) {
        Err(reason) => Advice::Cpu(reason),
        Ok(adapters) => match adapters.into_iter().min_by_key(|reached| reached.population) {
            Some(Reached { adapter, reason, .. }) => Advice::Gpu(Box::new(adapter.clone()), reason),
            None => Advice::Cpu("no adapter is past its crossover for each of the algorithms".into()),
        },
    }
}

/// An adapter whose crossover is reached.
struct Reached<'a> {
    adapter: &'a AdapterSummary,
    /// The crossover.
    population: u64,
    reason: String,
}

/// The adapters in both lists, each with both reasons.
fn in_both<'a>(some: Vec<Reached<'a>>, others: Vec<Reached<'a>>) -> Vec<Reached<'a>> {
    let joined = |one: Reached<'a>| {
        let other = others.iter().find(|other| other.adapter == one.adapter)?;
        let reason = format!("{}; {}", one.reason, other.reason);
        Some(Reached { population: one.population.max(other.population), reason, ..one })
    };
    some.into_iter().filter_map(joined).collect()
}

impl<P: FnOnce() -> String, A: FnOnce() -> Vec<AdapterSummary>> Here<P, A> {
    /// The adapters of this machine that are faster for this search of the workload, or why there is none.
    fn reached(
        &self,
        crossovers: &Crossovers,
        workload: &Workload,
        search: &SearchKind,
    ) -> Result<Vec<Reached<'_>>, String> {
        let Workload { shape, in_flight, engine, .. } = workload;
        let (algorithm, threads) = (search.algorithm, self.threads);
        let fits = |entry: &&KnownCrossover| {
            (entry.algorithm.as_str(), entry.engine.as_str()) == (algorithm, *engine)
                && (&entry.shape, entry.threads) == (&shape.to_string(), threads)
        };
        let measured: Vec<&KnownCrossover> = crossovers.entries.iter().filter(fits).collect();
        if measured.is_empty() {
            return Err(format!(
                "no crossover to a GPU has been measured for {algorithm} ({engine}) at {shape} with {threads} threads"
            ));
        }
        let by_default = if search.has_default_parameters { "" } else { " (measured with default parameters)" };
        let is_reached = |entry: &&KnownCrossover| least(entry).is_some_and(|least| *in_flight as u64 >= least);
        let reached: Vec<&KnownCrossover> = measured.iter().copied().filter(is_reached).collect();
        if reached.is_empty() {
            return Err(format!("{in_flight} candidates are before {}{by_default}", each(&measured, crossover_of)));
        }
        let processor = &*self.processor;
        let here: Vec<&KnownCrossover> =
            reached.iter().copied().filter(|entry| entry.processor == *processor).collect();
        if here.is_empty() {
            let other = each(&reached, |entry| format!("`{}`", entry.processor));
            return Err(format!("the crossovers were measured on {other}, but the processor is `{processor}`"));
        }
        let found = here.iter().filter_map(|entry| {
            let reason = format!("{in_flight} candidates are past {}{by_default}", crossover_of(entry));
            Some(Reached { adapter: find(entry, &self.adapters)?, population: least(entry)?, reason })
        });
        let found: Vec<Reached<'_>> = found.collect();
        if found.is_empty() {
            return Err(format!(
                "{in_flight} candidates are past {}, but no such hardware adapter with that driver is here",
                each(&here, crossover_of)
            ));
        }
        Ok(found)
    }
}

fn least(entry: &KnownCrossover) -> Option<u64> {
    entry.crossover.population
}

/// The very adapter that an entry belongs to; never a software one, whatever the file says.
fn find<'a>(entry: &KnownCrossover, adapters: &'a [AdapterSummary]) -> Option<&'a AdapterSummary> {
    let may = |adapter: &&AdapterSummary| adapter.computes && !adapter.is_software();
    adapters.iter().filter(may).find(|adapter| AdapterIdentity::from(*adapter) == entry.adapter)
}

/// `the crossover of RTX 4090 for swarm at 5000`
fn crossover_of(entry: &KnownCrossover) -> String {
    let (name, algorithm) = (&entry.adapter.name, &entry.algorithm);
    match least(entry) {
        Some(population) => format!("the crossover of {name} for {algorithm} at {population}"),
        None => format!("any crossover of {name} for {algorithm} (none was measured up to {})", entry.crossover.to),
    }
}

fn each(entries: &[&KnownCrossover], text: impl Fn(&KnownCrossover) -> String) -> String {
    entries.iter().map(|entry| text(entry)).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::fitness::gpu::testing::adapter;
    use crate::fitness::gpu::{AdapterKind, Api};

    /// The swarm's crossover of `adapter(1, name, Vulkan, _)` at 9x9 with 8 threads of "a processor", looked for up to
    /// 1,000,000.
    pub(crate) fn entry(name: &str, population: Option<u64>) -> KnownCrossover {
        KnownCrossover {
            adapter: AdapterIdentity::from(&adapter(1, name, Api::Vulkan, AdapterKind::Discrete)),
            algorithm: "swarm".into(),
            engine: BATCH_ENGINE.into(),
            shape: "9x9".into(),
            threads: 8,
            processor: "a processor".into(),
            crossover: CrossoverPoint { population, from: 1_000, to: 1_000_000 },
            measured: "2026-01-01T00:00:00Z".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::entry;
    use super::*;
    use crate::fitness::gpu::testing::adapter;
    use crate::fitness::gpu::{AdapterKind, Api};
    use crate::sudoku::Shape;

    fn points(gpu_over_cpu: &[(usize, f64)]) -> Vec<Point> {
        gpu_over_cpu.iter().map(|&(population, ratio)| Point { population, cpu: 0.5, gpu: 0.5 * ratio }).collect()
    }

    fn population(gpu_over_cpu: &[(usize, f64)]) -> Option<u64> {
        CrossoverPoint::of(&points(gpu_over_cpu)).unwrap().population
    }

    #[test]
    fn the_crossing_is_interpolated_where_both_axes_are_logarithmic() {
        // From 10 times as long at 1,000 to a tenth at 100,000: as long in the middle of the exponents.
        assert_eq!(population(&[(1_000, 10.0), (100_000, 0.1)]), Some(10_000));
        // A quarter of the way from ln 2 to -3 ln 2: 1,000 times the fourth root of 10,000.
        assert_eq!(population(&[(1_000, 2.0), (10_000_000, 0.125)]), Some(10_000));
        assert_eq!(population(&[(1_000, 1.0), (10_000, 0.5)]), Some(1_000), "equally long at a point");
    }

    #[test]
    fn a_gpu_that_is_never_faster_at_the_end_has_none_and_says_how_far_that_was_seen() {
        let expected = CrossoverPoint { population: None, from: 1_000, to: 10_000 };
        assert_eq!(CrossoverPoint::of(&points(&[(1_000, 3.0), (10_000, 1.0)])), Some(expected));
        assert_eq!(CrossoverPoint::of(&points(&[(1_000, 0.9), (10_000, 1.1)])), Some(expected));
    }

    #[test]
    fn a_gpu_that_is_always_faster_is_so_from_the_least_that_was_measured() {
        assert_eq!(population(&[(64, 0.9), (1_000, 0.2)]), Some(64));
        assert_eq!(CrossoverPoint::of(&[]), None);
    }

    #[test]
    fn of_several_crossings_the_last_counts() {
        let found = population(&[(10, 2.0), (100, 0.5), (1_000, 2.0), (10_000, 0.5), (100_000, 0.1)]).unwrap();
        assert_eq!(found, 3_162);
    }

    fn message(path: &Path) -> String {
        Crossovers::load(path).unwrap_err().to_string()
    }

    #[test]
    fn what_is_stored_is_loaded_and_a_folder_is_made_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join(FILE_NAME);
        assert_eq!(Crossovers::load(&path).unwrap(), None);
        let mut crossovers = Crossovers::default();
        crossovers.put(entry("RTX 4090", Some(5_000)));
        crossovers.put(entry("UHD 770", None));
        crossovers.store(&path).unwrap();
        assert_eq!(Crossovers::load(&path).unwrap(), Some(crossovers));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn the_last_measured_stands_and_where_anything_else_differs_is_another_entry() {
        let mut crossovers = Crossovers::default();
        let first = entry("RTX 4090", Some(5_000));
        let mut driver = first.clone();
        driver.adapter.driver = "2.0".into();
        let others = [
            KnownCrossover { threads: 1, ..first.clone() },
            KnownCrossover { shape: "16x16".into(), ..first.clone() },
            KnownCrossover { processor: "another".into(), ..first.clone() },
            KnownCrossover { algorithm: "anneal".into(), ..first.clone() },
            KnownCrossover { engine: "resident".into(), ..first.clone() },
            driver,
        ];
        let again = entry("RTX 4090", Some(7_000));
        for entry in std::iter::once(&first).chain(&others).chain([&again]) {
            crossovers.put(entry.clone());
        }
        assert_eq!(crossovers.entries[..], [&others[..], &[again]].concat());
    }

    #[test]
    fn a_foreign_file_is_an_error_with_its_place_and_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        for text in ["", "{}", "[1]", "not json", r#"{"format":1,"entries":[{"adapter":3}]}"#] {
            fs::write(&path, text).unwrap();
            let message = message(&path);
            for part in [FILE_NAME, "no file of crossovers", "bench --save"] {
                assert!(message.contains(part), "{text}: {message}");
            }
        }
        fs::write(&path, r#"{"format":3,"entries":[]}"#).unwrap();
        assert!(
            message(&path).contains("its format is 3, but this program reads formats 1 and 2"),
            "{}",
            message(&path)
        );
        assert!(matches!(Crossovers::load(folder.path()), Err(Error::Read { .. })), "a folder is no file");
    }

    #[test]
    fn a_file_of_format_1_holds_crossovers_of_the_swarm_and_is_stored_as_format_2() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let mut crossovers = Crossovers::default();
        crossovers.put(entry("RTX 4090", Some(5_000)));
        let mut old = serde_json::to_value(&crossovers).unwrap();
        old["format"] = 1.into();
        let fields = old["entries"][0].as_object_mut().unwrap();
        assert!(fields.remove("algorithm").is_some() && fields.remove("engine").is_some());
        fs::write(&path, old.to_string()).unwrap();
        let loaded = Crossovers::load(&path).unwrap().unwrap();
        assert_eq!(loaded, crossovers);
        assert_eq!((&*loaded.entries[0].algorithm, &*loaded.entries[0].engine), ("swarm", "batch"));
        loaded.store(&path).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("\"format\": 2"));
    }

    fn crossovers(entries: &[KnownCrossover]) -> Crossovers {
        let mut crossovers = Crossovers::default();
        entries.iter().for_each(|entry| crossovers.put(entry.clone()));
        crossovers
    }

    /// A workstation whose second adapter is the one that `entry("RTX 4090", _)` belongs to.
    fn workstation() -> Vec<AdapterSummary> {
        vec![
            adapter(0, "llvmpipe", Api::Vulkan, AdapterKind::Software),
            adapter(1, "RTX 4090", Api::Vulkan, AdapterKind::Discrete),
            adapter(1, "UHD 770", Api::Vulkan, AdapterKind::Integrated),
        ]
    }

    fn work(shape: Shape, in_flight: usize, algorithms: &[&'static str]) -> Workload {
        let kind = |algorithm: &&'static str| SearchKind { algorithm, has_default_parameters: true };
        Workload { searches: algorithms.iter().map(kind).collect(), ..Workload::scoring(shape, in_flight) }
    }

    fn on_workstation_of(entries: &[KnownCrossover], workload: &Workload) -> Advice {
        advise(&crossovers(entries), workload, 8, || "a processor".into(), workstation)
    }

    fn on_workstation(entries: &[KnownCrossover], population: usize) -> Advice {
        on_workstation_of(entries, &work(Shape::NINE, population, &["swarm"]))
    }

    fn cpu_reason(advice: Advice) -> String {
        match advice {
            Advice::Cpu(reason) => reason,
            Advice::Gpu(..) => panic!("{advice:?}"),
        }
    }

    #[test]
    fn a_gpu_is_taken_from_its_crossover_on() {
        let entries = [entry("RTX 4090", Some(5_000))];
        let reason = "5000 candidates are past the crossover of RTX 4090 for swarm at 5000".to_string();
        let card = Box::new(workstation().swap_remove(1));
        assert_eq!(on_workstation(&entries, 5_000), Advice::Gpu(card, reason));
        assert!(cpu_reason(on_workstation(&entries, 4_999)).contains("4999 candidates are before"));
    }

    #[test]
    fn of_two_gpus_the_one_with_the_smaller_crossover_is_taken() {
        let mut laptop = workstation();
        laptop[2].index = 2;
        let entries = crossovers(&[entry("RTX 4090", Some(5_000)), entry("UHD 770", Some(3_000))]);
        let taken = advise(&entries, &work(Shape::NINE, 9_000, &["swarm"]), 8, || "a processor".into(), || laptop);
        assert!(matches!(&taken, Advice::Gpu(adapter, _) if adapter.index == 2), "{taken:?}");
    }

    #[test]
    fn nothing_is_asked_of_the_machine_before_a_crossover() {
        let processor = || -> String { panic!("the processor was asked for") };
        let adapters = || -> Vec<AdapterSummary> { panic!("the GPU's libraries were loaded") };
        let entries = [entry("RTX 4090", Some(5_000)), entry("UHD 770", None)];
        let ask = |shape, population, threads| {
            let workload = work(shape, population, &["swarm"]);
            cpu_reason(advise(&crossovers(&entries), &workload, threads, processor, adapters))
        };
        assert!(ask(Shape::NINE, 4_999, 8).contains("none was measured up to 1000000"));
        assert!(ask(Shape::NINE, 1_000_000, 4).contains("for swarm (batch) at 9x9 with 4 threads"));
        assert!(ask(Shape::of_side(16).unwrap(), 1_000_000, 8).contains("at 16x16"));
    }

    #[test]
    fn another_processor_is_another_machine() {
        let entries = crossovers(&[entry("RTX 4090", Some(5_000))]);
        let advice =
            advise(&entries, &work(Shape::NINE, 9_000, &["swarm"]), 8, || "another".into(), || panic!("not asked for"));
        assert!(cpu_reason(advice).contains("measured on `a processor`, but the processor is `another`"));
    }

    #[test]
    fn neither_another_driver_nor_a_software_adapter_is_taken_whatever_the_file_says() {
        let mut old_driver = entry("RTX 4090", Some(5_000));
        old_driver.adapter.driver = "1.1".into();
        let mut software = entry("llvmpipe", Some(1));
        software.adapter.pci_address = Some("0000:00:00.0".into());
        let mut elsewhere = entry("RTX 4090", Some(5_000));
        elsewhere.adapter.pci_address = None;
        for entry in [old_driver, software, elsewhere] {
            let reason = cpu_reason(on_workstation(std::slice::from_ref(&entry), 9_000));
            assert!(reason.contains("no such hardware adapter"), "{entry:?}: {reason}");
        }
    }

    #[test]
    fn a_crossover_counts_for_its_algorithm_and_engine_alone() {
        let entries = [entry("RTX 4090", Some(5_000))];
        let genetic = on_workstation_of(&entries, &work(Shape::NINE, 9_000, &["genetic"]));
        assert!(cpu_reason(genetic).contains("measured for genetic (batch)"));
        let resident = Workload { engine: "resident", ..work(Shape::NINE, 9_000, &["swarm"]) };
        assert!(cpu_reason(on_workstation_of(&entries, &resident)).contains("measured for swarm (resident)"));
        let scoring = on_workstation_of(&entries, &work(Shape::NINE, 9_000, &[]));
        assert!(cpu_reason(scoring).contains("scoring alone"));
    }

    #[test]
    fn several_algorithms_take_a_gpu_that_is_past_the_crossovers_of_all() {
        let anneal = KnownCrossover { algorithm: "anneal".into(), ..entry("RTX 4090", Some(7_000)) };
        let entries = [entry("RTX 4090", Some(5_000)), anneal];
        let both = |population| on_workstation_of(&entries, &work(Shape::NINE, population, &["swarm", "anneal"]));
        assert!(cpu_reason(both(6_999)).contains("before the crossover of RTX 4090 for anneal at 7000"));
        let Advice::Gpu(card, reason) = both(7_000) else { panic!("{:?}", both(7_000)) };
        assert_eq!(card.index, 1);
        assert!(reason.contains("for swarm at 5000; ") && reason.ends_with("for anneal at 7000"), "{reason}");
        let one_each = [
            entry("RTX 4090", Some(5_000)),
            KnownCrossover { algorithm: "anneal".into(), ..entry("UHD 770", Some(1)) },
        ];
        let apart = advise(
            &crossovers(&one_each),
            &work(Shape::NINE, 9_000, &["swarm", "anneal"]),
            8,
            || "a processor".into(),
            || vec![workstation().swap_remove(1), adapter(1, "UHD 770", Api::Vulkan, AdapterKind::Discrete)],
        );
        assert!(cpu_reason(apart).contains("each of the algorithms"));
    }

    #[test]
    fn other_parameters_than_those_measured_are_told() {
        let mut workload = work(Shape::NINE, 5_000, &["swarm"]);
        workload.searches[0].has_default_parameters = false;
        for population in [5_000, 4_999] {
            workload.in_flight = population;
            let advice = on_workstation_of(&[entry("RTX 4090", Some(5_000))], &workload);
            let (Advice::Cpu(reason) | Advice::Gpu(_, reason)) = advice;
            assert!(reason.ends_with("(measured with default parameters)"), "{reason}");
        }
    }
}
