//! `swarmdoku report`: tables, charts and tests of an experiment.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use swarmdoku::Error;
use swarmdoku::report::Report;
use swarmdoku::report::exporters::{EXPORTERS, Exported, Exporter};

use super::{GeneralArgs, Verdict, output_error, say};

/// Make tables, charts and statistical tests of an experiment.
///
/// Reads a folder that `swarmdoku run` or `swarmdoku merge` wrote. It may be unfinished: missing runs are named at the top.
/// The page is one file that needs no network. It has tables that can be sorted, convergence curves, run-length
/// distributions, success rates by population size and heat maps, each with its data as CSV. Runs that did not solve within
/// their budget are included: they count as longer than any budget.
#[derive(Args)]
#[command(after_help = "\
Examples:
  swarmdoku report results                          writes results/report.html
  swarmdoku report results -o paper.html --csv tables --iohanalyzer ioh
  swarmdoku report results --markdown -             tables to standard output")]
pub struct ReportArgs {
    /// Folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    outputs: Outputs,
}

/// The outputs that were named; each exporter of the library has an option.
struct Outputs(Vec<(&'static Exporter, PathBuf)>);

impl Args for Outputs {
    fn augment_args(command: Command) -> Command {
        EXPORTERS.iter().fold(command, |command, exporter| {
            let argument = Arg::new(exporter.option).long(exporter.option).value_name(exporter.value);
            let argument = argument.value_parser(value_parser!(PathBuf)).help(exporter.help);
            command.arg(match exporter.letter {
                Some(letter) => argument.short(letter),
                None => argument,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Outputs::augment_args(command)
    }
}

impl FromArgMatches for Outputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Outputs, clap::Error> {
        let named =
            |exporter: &&'static Exporter| Some((*exporter, matches.get_one::<PathBuf>(exporter.option)?.clone()));
        Ok(Outputs(EXPORTERS.iter().filter_map(named).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Outputs::from_arg_matches(matches)?;
        Ok(())
    }
}

pub fn run(args: &ReportArgs, general: &GeneralArgs) -> Result<Verdict, Error> {
    let outputs = outputs(args)?;
    let report = Report::read(&args.folder)?;
    let tell = |line: &str| {
        if !general.quiet {
            say(line);
        }
    };
    tell(&report.summary);
    report.remarks.iter().for_each(|remark| tell(&format!("note: {remark}")));
    for (exporter, path) in outputs {
        match exporter.form {
            Exported::Document { make, .. } => write(&path, &make(&report)?)?,
            Exported::Folder(write) => write(&report, &path)?,
        }
        tell(&format!("{}: {}", exporter.name, path.display()));
    }
    Ok(Verdict::Yes)
}

/// The outputs to write: those that were named, or else the page in the folder.
fn outputs(args: &ReportArgs) -> Result<Vec<(&'static Exporter, PathBuf)>, Error> {
    let named = args.outputs.0.clone();
    if named.is_empty() {
        return Ok(vec![(EXPORTERS[0], args.folder.join("report.html"))]);
    }
    named.iter().try_for_each(|(exporter, path)| check_ending(exporter, path))?;
    let mut streams = named.iter().filter(|(_, path)| is_stream(path));
    match (streams.next(), streams.next()) {
        (Some((first, _)), Some((second, _))) => Err(Error::Parameter {
            name: second.option,
            found: format!("`-`, and so is {}", first.option),
            expected: "a file, since standard output takes one of them",
        }),
        _ => Ok(named),
    }
}

/// Refuses a file name with the ending of another format.
fn check_ending(exporter: &Exporter, path: &Path) -> Result<(), Error> {
    let Exported::Document { endings, .. } = exporter.form else { return Ok(()) };
    match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()) {
        Some(ending) if !endings.contains(&ending.as_str()) && !is_stream(path) => Err(Error::Parameter {
            name: exporter.option,
            found: path.display().to_string(),
            expected: match exporter.option {
                "output" => "a name that ends in .html: the page is HTML, which a browser prints as PDF",
                _ => "a name that ends in .md: the tables are Markdown",
            },
        }),
        _ => Ok(()),
    }
}

fn is_stream(file: &Path) -> bool {
    file == Path::new("-")
}

/// Writes a document to a file or to standard output.
fn write(file: &Path, document: &str) -> Result<(), Error> {
    if is_stream(file) {
        return std::io::stdout().write_all(document.as_bytes()).map_err(output_error);
    }
    fs::write(file, document).map_err(|source| Error::Write { path: file.into(), source })
}
