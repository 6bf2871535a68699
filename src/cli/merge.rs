//! `swarmdoku merge`: the folders of an experiment's parts joined into one.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;
use swarmdoku::Error;
use swarmdoku::experiment::{Conflict, Merged, Missing, merge};

use super::{GeneralArgs, Verdict, print_line};

/// Join the folders of an experiment's parts into one.
///
/// All folders must be of the same plan. The order of the folders does not matter, and parts can be added later. A run that
/// is in several folders with the same results is kept once. A run with conflicting results is reported with file and line,
/// and left out. `swarmdoku run --resume` on the joined folder runs what is missing.
#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 joined, even if runs are missing; 1 some runs have conflicting results; 2 folders of different plans; \
3 a damaged folder; 5 a file could not be written, or another process uses the folder.")]
pub struct MergeArgs {
    /// Folders of the parts
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Folder of all runs; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub fn run(args: &MergeArgs, general: &GeneralArgs) -> Result<Verdict, Error> {
    let Merged { name, runs, present, folded, conflicts, missing } = merge(&args.folders, &args.output)?;
    let (present, runs) = (HumanCount(present), HumanCount(runs));
    let folded = if folded > 0 { format!(", {} copies left out", HumanCount(folded)) } else { String::new() };
    print_line(&format!("{name}: {present} of {runs} runs are in {}{folded}", args.output.display()))?;
    for Missing { variant, puzzle, runs } in missing.iter().filter(|_| !general.quiet) {
        print_line(&format!("missing: {variant} on {puzzle}: {}", ranges(runs)))?;
    }
    for Conflict { variants, puzzle, run, places } in &conflicts {
        let [first, second] = places.each_ref().map(|(file, line)| format!("{}:{line}", file.display()));
        let variants = variants.join(" and ");
        eprintln!("error: run {run} of {variants} on {puzzle} differs in {first} and {second}; it is left out");
    }
    Ok(if conflicts.is_empty() { Verdict::Yes } else { Verdict::No })
}

/// Ascending numbers with ranges: `run(s) 0, 3-7`.
fn ranges(runs: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for run in runs {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *run => *last = *run,
            _ => ranges.push((*run, *run)),
        }
    }
    let range = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    format!("run(s) {}", ranges.iter().map(range).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(ranges(&[0, 3, 4, 5, 7]), "run(s) 0, 3-5, 7");
        assert_eq!(ranges(&[2]), "run(s) 2");
    }
}
