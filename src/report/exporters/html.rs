//! The report as a page.

use askama::Template;

use super::{Exported, Exporter};
use crate::error::Error;
use crate::report::page::{self, data_uri};
use crate::report::{Citation, Report, Reproduction};

/// The page.
pub(super) const PAGE: Exporter = Exporter {
    option: "output",
    letter: Some('o'),
    value: "FILE.html",
    help: "Write the page to this file; `-` is standard output [default: DIR/report.html, if no other output is named]",
    name: "page",
    form: Exported::Document { endings: &["html", "htm"], make: to_html },
};

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    report: &'a Report,
    sections: String,
    citation: &'a Citation,
    reproduction: &'a Reproduction,
    plan_uri: String,
    manifest_uri: String,
}

fn to_html(report: &Report) -> Result<String, Error> {
    let page = ReportPage {
        report,
        sections: page::to_html(&report.sections)?,
        citation: &report.citation,
        reproduction: &report.reproduction,
        plan_uri: data_uri("application/toml", &report.reproduction.plan),
        manifest_uri: data_uri("application/json", &report.reproduction.manifest),
    };
    page.render().map_err(|error| Error::Internal(format!("a report's page: {error}")))
}
