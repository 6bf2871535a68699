//! `swarmdoku devices`: what `--backend gpu` can choose from.

use clap::Args;
use swarmdoku::Error;
use swarmdoku::fitness::gpu;

use super::{Verdict, print_line};

/// List the adapters that --backend gpu can choose from.
#[derive(Args)]
pub struct DevicesArgs {
    /// One JSON object an adapter and line
    #[arg(long)]
    json: bool,
}

pub fn run(args: &DevicesArgs) -> Result<Verdict, Error> {
    for adapter in gpu::adapters() {
        let line = if args.json {
            serde_json::to_string(&adapter).map_err(|error| Error::Internal(format!("an adapter: {error}")))?
        } else {
            adapter.to_string()
        };
        print_line(&line)?;
    }
    Ok(Verdict::Yes)
}
