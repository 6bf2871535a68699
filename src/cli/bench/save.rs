//! `--save`: crossovers for `--backend auto`.

use std::path::PathBuf;

use swarmdoku::Error;
use swarmdoku::bench::{Contender, Report};
use swarmdoku::fitness::crossovers::{self, Crossovers};

/// The file that crossovers are kept in, with what it holds already.
pub struct SaveFile {
    path: PathBuf,
    crossovers: Crossovers,
}

impl SaveFile {
    /// Reads what is kept.
    ///
    /// # Errors
    /// [`Error::Read`] for a file that is something else, which is not overwritten; [`Error::Parameter`] where the system
    /// names no folder.
    pub fn open() -> Result<SaveFile, Error> {
        let path = crossovers::path().ok_or_else(|| Error::Parameter {
            name: "save",
            found: "given where the system names no configuration folder".into(),
            expected: "used with a home folder, or with the environment variable SWARMDOKU_CONFIG_DIR",
        })?;
        let crossovers = Crossovers::load(&path)?.unwrap_or_default();
        Ok(SaveFile { path, crossovers })
    }

    /// Adds what a report says of hardware adapters, and says where.
    ///
    /// # Errors
    /// [`Error::Write`] with what the system said.
    pub fn keep(mut self, report: &Report, quiet: bool) -> Result<(), Error> {
        let entries = report.entries();
        let kept = entries.len();
        entries.into_iter().for_each(|entry| self.crossovers.put(entry));
        self.crossovers.store(&self.path)?;
        if !quiet {
            eprintln!("{kept} crossover(s) kept in {}", self.path.display());
        }
        Ok(())
    }
}

/// Says at once that nothing will be kept, rather than after the measuring.
///
/// # Errors
/// [`Error::NoAdapter`] if no contender is a hardware adapter.
pub fn refuse_without_hardware(contenders: &[Contender]) -> Result<(), Error> {
    let is_hardware = |contender: &Contender| contender.profile.adapter.as_ref().is_some_and(|it| !it.is_software());
    if contenders.iter().any(is_hardware) {
        return Ok(());
    }
    Err(Error::NoAdapter(
        "--save keeps the crossovers of hardware adapters, and none takes part; software adapters are never taken by \
         --backend auto. `swarmdoku devices` lists what there is; leave out --save to measure without"
            .into(),
    ))
}
