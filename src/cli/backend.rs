//! The options of the backend.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use swarmdoku::Error;
use swarmdoku::fitness::Backend;
use swarmdoku::fitness::backends::{AUTO, BACKENDS, BackendRow, OpenBackend, Workload};
use swarmdoku::fitness::gpu::AdapterRequest;

// No doc comment, which would be the help of every command that has these options.
#[derive(Args, Clone)]
#[command(next_help_heading = "Backend")]
pub struct BackendArgs {
    /// The backend that scores the candidates; all give the same results (see `swarmdoku devices --help`)
    #[arg(long, value_name = "BACKEND", default_value = AUTO.name(), value_parser = backends())]
    pub backend: &'static BackendRow,

    /// Adapter of --backend gpu: a part of its name, its index or its PCI address (see `swarmdoku devices`)
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,

    /// Allow software adapters (Mesa's lavapipe, WARP) for --backend gpu; they are slower than `cpu`
    #[arg(long)]
    pub allow_software: bool,
}

/// The names of all backends. Their help is left out: with it every command's help would take two lines per option.
fn backends() -> impl TypedValueParser<Value = &'static BackendRow> {
    PossibleValuesParser::new(BACKENDS.iter().map(|row| row.name()))
        .try_map(|name| BackendRow::named(&name).ok_or("no such backend"))
}

impl BackendArgs {
    /// The request for an adapter.
    pub fn request(&self) -> AdapterRequest {
        AdapterRequest { name: self.adapter.clone(), allow_software: self.allow_software }
    }

    /// True if an option was given.
    pub fn is_given(&self) -> bool {
        !self.backend.is_auto() || self.adapter.is_some() || self.allow_software
    }

    /// Refuses another backend than those that a plan names, and an adapter that none of them uses.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Parameter`] that name the option.
    pub fn check_named(&self, backends: &[Option<Backend>]) -> Result<(), Error> {
        let named: Vec<&BackendRow> =
            backends.iter().flatten().filter_map(|name| BackendRow::named(name.name())).collect();
        if !self.backend.is_auto()
            && let Some(row) = named.iter().find(|row| row.name() != self.backend.name())
        {
            let problem =
                format!("is {}, but this plan names {}; leave --backend out", self.backend.name(), row.name());
            return Err(Error::Setting { name: "backend", problem });
        }
        match named.iter().all(|row| !row.on_adapters) && !backends.contains(&None) {
            true => named.iter().try_for_each(|row| row.refuse_unused(&self.request())),
            false => Ok(()),
        }
    }

    /// Opens the backend that a plan names, or else the one asked for.
    ///
    /// # Errors
    /// As [`BackendRow::open`].
    pub fn open_named(&self, named: Option<Backend>, workload: &Workload) -> Result<OpenBackend, Error> {
        let Some(row) = named.and_then(|named| BackendRow::named(named.name())) else { return self.open(workload) };
        let request = if row.on_adapters { self.request() } else { AdapterRequest::default() };
        Ok(OpenBackend { reason: "named by the plan".into(), ..row.open(workload, &request)? })
    }

    /// Opens the backend for a workload.
    ///
    /// # Errors
    /// As [`BackendRow::open`].
    pub fn open(&self, workload: &Workload) -> Result<OpenBackend, Error> {
        self.backend.open(workload, &self.request())
    }
}
