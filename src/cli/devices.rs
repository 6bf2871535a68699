//! `swarmdoku devices`: the adapters that `--backend gpu` can choose from.

use clap::Args;
use swarmdoku::Error;
use swarmdoku::fitness::backends::BACKENDS;

use super::{Verdict, print_line};

/// List the adapters that --backend gpu can choose from.
#[derive(Args)]
pub struct DevicesArgs {
    /// One JSON object per adapter and line
    #[arg(long)]
    json: bool,
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
