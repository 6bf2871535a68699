//! The crossovers of this machine's adapters, kept for `--backend auto`.
//!
//! One JSON file in the user's configuration folder holds one [`Entry`] for each adapter, shape and number of threads, of
//! which the last one measured stands. An entry counts for the very adapter, driver, processor and threads it was measured
//! with: a new driver or another machine that shares the folder is another case, and has to be measured. Software adapters
//! are neither kept nor taken: they are the processor, by a longer way.

mod advice;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

pub use advice::{Advice, advise};
use serde::{Deserialize, Serialize};

use super::{AdapterCrossover, Crossover, Report};
use crate::error::Error;
use crate::fitness::gpu::AdapterSummary;

/// The environment variable that names another configuration folder.
pub const FOLDER_VARIABLE: &str = "SWARMDOKU_CONFIG_DIR";

/// The file's name in the configuration folder.
const FILE_NAME: &str = "crossovers.json";

/// The version of the file's format.
const FORMAT: u32 = 1;

const REMEDY: &str = "remove it, and measure again with `swarmdoku bench --save`";

/// The file that holds this user's crossovers, there or not; none where the system names no configuration folder.
pub fn path() -> Option<PathBuf> {
    let named = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let usual =
        || directories::ProjectDirs::from("", "", "swarmdoku").map(|folders| folders.config_dir().to_path_buf());
    Some(named.or_else(usual)?.join(FILE_NAME))
}

/// Which adapter a crossover belongs to.
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
pub struct Entry {
    /// The adapter.
    pub adapter: AdapterIdentity,
    /// The shape, as `9x9`.
    pub shape: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// The processor's name.
    pub processor: String,
    /// The crossover, if there was one.
    #[serde(flatten)]
    pub crossover: Crossover,
    /// When it was measured, as RFC 3339 in UTC.
    pub measured: String,
}

impl Entry {
    /// What a report says of each hardware adapter.
    pub fn of_report(report: &Report) -> Vec<Entry> {
        let hardware = report.crossovers.iter().filter(|of| !of.adapter.is_software());
        let entry = |of: &AdapterCrossover| Entry {
            adapter: AdapterIdentity::from(&of.adapter),
            shape: report.shape.to_string(),
            threads: report.machine.threads,
            processor: report.machine.processor.clone(),
            crossover: of.crossover,
            measured: report.started.clone(),
        };
        hardware.map(entry).collect()
    }

    fn is_of_the_same(&self, other: &Entry) -> bool {
        let of = |entry: &Entry| (entry.shape.clone(), entry.threads, entry.processor.clone());
        self.adapter == other.adapter && of(self) == of(other)
    }
}

/// The crossovers in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossovers {
    /// [`FORMAT`]
    format: u32,
    /// One for each adapter, shape, processor and number of threads.
    entries: Vec<Entry>,
}

impl Default for Crossovers {
    fn default() -> Crossovers {
        Crossovers { format: FORMAT, entries: Vec::new() }
    }
}

impl Crossovers {
    /// What the file holds; none if there is no file.
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
        if found.format != FORMAT {
            let format = found.format;
            return Err(foreign(format!("its format is {format}, but this program reads format {FORMAT}; {REMEDY}")));
        }
        Ok(Some(found))
    }

    /// Puts an entry in the place of the one that was measured with the same.
    pub fn put(&mut self, entry: Entry) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing::{adapter, entry, report};
    use crate::fitness::gpu::{AdapterKind, Api};

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
    fn a_report_gives_an_entry_for_each_hardware_adapter_and_none_for_software() {
        let mut report = report();
        let mut software = report.crossovers[0].clone();
        software.adapter = adapter(0, "llvmpipe", Api::Vulkan, AdapterKind::Software);
        report.crossovers.insert(0, software);
        let expected = Entry {
            adapter: AdapterIdentity::from(&report.crossovers[1].adapter),
            shape: "4x4".into(),
            threads: rayon::current_num_threads(),
            processor: crate::bench::processor(),
            crossover: Crossover { population: Some(12_345), from: 32, to: 500 },
            measured: report.started.clone(),
        };
        assert_eq!(Entry::of_report(&report), [expected]);
    }

    #[test]
    fn the_last_measured_stands_and_other_threads_shapes_and_drivers_are_other_entries() {
        let mut crossovers = Crossovers::default();
        let first = entry("RTX 4090", Some(5_000));
        let mut driver = first.clone();
        driver.adapter.driver = "2.0".into();
        let others = [
            Entry { threads: 1, ..first.clone() },
            Entry { shape: "16x16".into(), ..first.clone() },
            Entry { processor: "another".into(), ..first.clone() },
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
        fs::write(&path, r#"{"format":2,"entries":[]}"#).unwrap();
        assert!(message(&path).contains("its format is 2, but this program reads format 1"), "{}", message(&path));
        assert!(matches!(Crossovers::load(folder.path()), Err(Error::Read { .. })), "a folder is no file");
    }
}
