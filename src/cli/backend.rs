//! The options that name a backend.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use swarmdoku::Error;
use swarmdoku::fitness::backends::{AUTO, BACKENDS, BackendRow, OpenBackend, Workload};
use swarmdoku::fitness::gpu::AdapterRequest;

pub use swarmdoku::fitness::backends::OpenBackend as Chosen;

/// The backend that scores the candidates.
#[derive(Args)]
#[command(next_help_heading = "Backend")]
pub struct BackendArgs {
    /// The backend that scores the candidates; the results are the same
    #[arg(long, value_name = "BACKEND", default_value = AUTO.name(), value_parser = backends(), global = true)]
    pub backend: &'static BackendRow,

    /// The adapter of --backend gpu: part of its name, its index or its PCI address (see `swarmdoku devices`)
    #[arg(long, value_name = "NAME", global = true)]
    pub adapter: Option<String>,

    /// Let --backend gpu take a software adapter (Mesa's lavapipe, WARP), which is slower than `cpu`
    #[arg(long, global = true)]
    pub allow_software: bool,
}

/// The names of all backends, each with its help.
fn backends() -> impl TypedValueParser<Value = &'static BackendRow> {
    let values = BACKENDS.iter().map(|row| PossibleValue::new(row.name()).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| BackendRow::named(&name).ok_or("no such backend"))
}

impl BackendArgs {
    /// The adapter asked for.
    pub fn request(&self) -> AdapterRequest {
        AdapterRequest { name: self.adapter.clone(), allow_software: self.allow_software }
    }

    /// True if anything was asked for.
    pub fn is_given(&self) -> bool {
        !self.backend.is_auto() || self.adapter.is_some() || self.allow_software
    }

    /// Opens the backend for a workload.
    ///
    /// # Errors
    /// As [`BackendRow::open`].
    pub fn open(&self, workload: &Workload) -> Result<OpenBackend, Error> {
        self.backend.open(workload, &self.request())
    }
}
