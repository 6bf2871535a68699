//! `swarmdoku completions`: shell completions.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use swarmdoku::Error;

use super::{Cli, Verdict, output_error};

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = "Try:  swarmdoku completions bash > ~/.local/share/bash-completion/completions/swarmdoku")]
pub struct CompletionsArgs {
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> Result<Verdict, Error> {
    use std::io::Write;
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), env!("CARGO_PKG_NAME"), &mut script);
    std::io::stdout().write_all(&script).map_err(output_error)?;
    Ok(Verdict::Yes)
}
