//! `swarmdoku devices`: the adapters for `--backend gpu`, and in its help the backends.

use std::iter;

use clap::Args;
use swarmdoku::Error;
use swarmdoku::fitness::backends::BACKENDS;

use super::{Verdict, print_line};

/// List the adapters for --backend gpu
#[derive(Args)]
#[command(after_help = backends())]
pub struct DevicesArgs {
    /// Print JSON instead of text: one object per adapter, one per line
    #[arg(long)]
    json: bool,
}

/// All backends with a line of help each.
fn backends() -> String {
    let lines = BACKENDS.iter().map(|row| format!("  {:<8}{}", row.name(), row.help));
    iter::once("Backends:".into()).chain(lines).collect::<Vec<_>>().join("\n")
}

pub fn run(args: &DevicesArgs) -> Result<Verdict, Error> {
    let units = BACKENDS.iter().filter(|row| row.on_adapters).flat_map(|row| (row.units)());
    for adapter in units.filter_map(|unit| unit.adapter) {
        let line = if args.json {
            serde_json::to_string(&adapter).map_err(|error| Error::Internal(format!("an adapter: {error}")))?
        } else {
            adapter.to_string()
        };
        print_line(&line)?;
    }
    Ok(Verdict::Yes)
}
