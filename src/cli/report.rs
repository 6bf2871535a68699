//! `swarmdoku report`: an experiment's folder in, a page with its figures out.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use swarmdoku::Error;
use swarmdoku::report::{
    Analysis, Citation, Content, Reproduction, Study, to_html, to_markdown, write_csv, write_iohanalyzer,
};

use super::{CommonArgs, Verdict, output_error};

/// Make tables, charts and tests of an experiment's runs.
///
/// Reads a folder that `run` or `merge` has written, finished or not: what is missing is said at the top. The page is one file
/// that needs no network: tables that sort, convergence curves, run lengths, success by population, heat maps, each with its
/// data as CSV. Runs that spent their budget count as longer than any budget, with what they spent; none is left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  swarmdoku report results                          writes results/report.html
  swarmdoku report results -o paper.html --csv tables --iohanalyzer ioh
  swarmdoku report results --markdown -             tables to standard output")]
pub struct ReportArgs {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Write the page to this file; `-` is standard output [default: DIR/report.html, if no other output is named]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,

    /// Write the tables as Markdown to this file; `-` is standard output
    #[arg(long, value_name = "FILE.md")]
    markdown: Option<PathBuf>,

    /// Write every table and every chart's data as CSV into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,

    /// Write every run in the format of IOHexperimenter 0.4.2 into this folder, for IOHanalyzer
    #[arg(long, value_name = "FOLDER")]
    iohanalyzer: Option<PathBuf>,
}

impl ReportArgs {
    /// The file of the page, if one is to be written.
    fn page(&self) -> Option<PathBuf> {
        let others = [&self.markdown, &self.csv, &self.iohanalyzer];
        let by_default = || others.iter().all(|other| other.is_none()).then(|| self.folder.join("report.html"));
        self.output.clone().or_else(by_default)
    }

    fn validate(&self) -> Result<(), Error> {
        let is_stream = |file: &Option<PathBuf>| file.as_deref().is_some_and(is_stream);
        match is_stream(&self.output) && is_stream(&self.markdown) {
            false => Ok(()),
            true => Err(Error::Parameter {
                name: "markdown",
                found: "`-`, and so is output".into(),
                expected: "a file, since standard output takes one of them",
            }),
        }
    }
}

pub fn run(args: &ReportArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    args.validate()?;
    let study = Study::read(&args.folder)?;
    let content = Content::new(&study, &Analysis::new(&study))?;
    let (citation, reproduction) = (Citation::new(&study.manifest), Reproduction::new(&study)?);
    let say = |line: &str| {
        if !common.quiet {
            eprintln!("{line}");
        }
    };
    say(&content.summary);
    content.remarks.iter().for_each(|remark| say(&format!("note: {remark}")));
    if let Some(page) = args.page() {
        write(&page, &to_html(&content, &citation, &reproduction)?)?;
        say(&format!("page: {}", page.display()));
    }
    if let Some(markdown) = &args.markdown {
        write(markdown, &to_markdown(&content, &citation, &reproduction))?;
        say(&format!("Markdown: {}", markdown.display()));
    }
    if let Some(folder) = &args.csv {
        write_csv(content.tables(), folder)?;
        say(&format!("CSV: {}", folder.display()));
    }
    if let Some(folder) = &args.iohanalyzer {
        write_iohanalyzer(&study, folder)?;
        say(&format!("IOHanalyzer: {}", folder.display()));
    }
    Ok(Verdict::Yes)
}

fn is_stream(file: &Path) -> bool {
    file == Path::new("-")
}

/// Writes a document to a file or to standard output.
fn write(file: &Path, document: &str) -> Result<(), Error> {
    use std::io::Write;
    if is_stream(file) {
        return std::io::stdout().write_all(document.as_bytes()).map_err(output_error);
    }
    fs::write(file, document).map_err(|source| Error::Write { path: file.into(), source })
}
