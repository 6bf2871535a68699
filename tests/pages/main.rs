//! Pages in a browser: tables sort, nothing is too wide for a telephone, and the console stays empty.
//!
//! Without a browser every test is reported as *ignored*, with the reason; `REQUIRE_BROWSER=1` turns that into failures.

mod browser;
#[path = "../report/folder.rs"]
#[allow(dead_code, reason = "shared with the tests of reports, which use all of it")]
mod folder;
#[path = "../shell/mod.rs"]
#[allow(dead_code, reason = "shared with all tests of the command line")]
mod shell;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use browser::Loaded;
use folder::Folder;
use shell::{err, swarmdoku};

/// A test: its name, and the checks, given the browser.
type Case = (&'static str, fn(&str) -> Result<(), Failed>);

const CASES: [Case; 4] = [
    ("a_report_sorts_its_tables_and_has_nothing_to_complain_about", a_report_sorts),
    ("a_report_fits_on_a_telephone", a_report_fits),
    ("a_benchmark_sorts_its_tables_and_has_nothing_to_complain_about", a_benchmark_sorts),
    ("a_benchmark_shows_the_chart_that_fits_the_window", a_benchmark_fits),
];

fn main() -> ExitCode {
    let browser = browser::find();
    let is_required = std::env::var("REQUIRE_BROWSER").is_ok_and(|value| value == "1");
    let trial = |(name, case): Case| {
        Trial::ignorable_test(name, move || match browser {
            Some(browser) => case(browser).map(|()| Completion::Completed),
            None if is_required => Err(format!("none of {:?} runs here", browser::NAMES).into()),
            None => Ok(Completion::ignored_with("no browser: install chromium")),
        })
    };
    libtest_mimic::run(&Arguments::from_args(), CASES.map(trial).into()).exit_code()
}

fn claim(holds: bool, what: impl Into<String>) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(what.into().into()) }
}

fn succeeds(arguments: &[&str]) -> Result<(), Failed> {
    let output = swarmdoku(arguments);
    claim(output.status.code() == Some(0), err(&output))
}

/// The page of a report, in its folder.
fn report(folder: &Folder) -> Result<PathBuf, Failed> {
    let path = folder.write().path().to_str().ok_or("a folder whose name is not UTF-8")?;
    succeeds(&["report", path])?;
    Ok(folder.file("report.html"))
}

/// The words of the first column of a table, as a browser shows its rows.
fn first_column(main: &str, table: &str) -> Result<Vec<String>, Failed> {
    let after = main.split_once(&format!("<table class=\"sorts\" id=\"{table}\"")).ok_or("the table is missing")?.1;
    let body = after.split_once("</table>").ok_or("the table does not end")?.0;
    let cell = |row: &str| row.split_once('>')?.1.split_once("</td>").map(|(words, _)| words.to_string());
    Ok(body.split("<tr><td class").skip(1).filter_map(cell).collect())
}

fn a_report_sorts(browser: &str) -> Result<(), Failed> {
    let mut folder = Folder::new(&[("z small", 20), ("large", 80)], &["first"], 6);
    let never = None;
    folder.runs_to_solve("z small", "first", &[Some(100), Some(250), Some(300), Some(420), never, never]);
    folder.runs_to_solve("large", "first", &[Some(500), Some(600), never, never, never, never]);
    let page = report(&folder)?;
    let load = |fragment: &str| browser::load(browser, &page, fragment, 1280);
    let Loaded { main, console, .. } = load("")?;
    claim(console.is_empty(), format!("{console:?}"))?;
    claim(first_column(&main, "results")? == ["z small", "large"], "the plan's order at first")?;
    claim(!main.contains(" aria-sort=") && main.contains("<button"), "headings are buttons, none pressed")?;
    claim(main.matches("<svg width").count() >= 4, "charts are drawn")?;
    let sorted = |order: &str| first_column(&load(&format!("#sort=results:{order}"))?.main, "results");
    claim(sorted("0:ascending")? == ["large", "z small"], "by name")?;
    claim(sorted("7:descending")? == ["large", "z small"], "the infinite median first")?;
    claim(sorted("7:ascending")? == ["z small", "large"], "the infinite median last")
}

/// Asserts that a page is not wider than a telephone, with everything on it opened.
fn fits(browser: &str, page: &Path) -> Result<(), Failed> {
    let measured = fs::read_to_string(page)?.replace("<details", "<details open").replace(
        "</body>",
        "<script>document.title = document.documentElement.scrollWidth <= innerWidth ? 'fits' : 'too wide'</script></body>",
    );
    let opened = page.with_extension("opened.html");
    fs::write(&opened, measured)?;
    let title = browser::load(browser, &opened, "", 390)?.title;
    claim(title == "fits", title)
}

fn a_report_fits(browser: &str) -> Result<(), Failed> {
    let endless = "x".repeat(70);
    let mut folder = Folder::new(&[(&endless, 20), ("short", 80)], &[&endless, "first"], 2);
    folder.manifest.plan.name.clone_from(&endless);
    folder.manifest.git_revision = Some(endless.clone());
    for (variant, puzzle) in [(&*endless, &*endless), (&endless, "first"), ("short", &endless), ("short", "first")] {
        folder.runs_to_solve(variant, puzzle, &[Some(100), None]);
    }
    folder.runs[0].host = Some(endless.clone());
    fits(browser, &report(&folder)?)
}

/// The page of a small benchmark, in a folder that goes with the first value.
fn benchmark() -> Result<(tempfile::TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let page = folder.path().join("bench.html");
    let html = page.to_str().ok_or("a folder whose name is not UTF-8")?;
    let sizes = ["bench", "--populations", "32,64", "--shape", "4x4", "--backend", "cpu", "--threads", "2"];
    succeeds(&[&sizes[..], &["--html", html, "--quiet"]].concat())?;
    Ok((folder, page))
}

fn a_benchmark_sorts(browser: &str) -> Result<(), Failed> {
    let (_folder, page) = benchmark()?;
    let Loaded { main, console, .. } = browser::load(browser, &page, "#sort=scoring:1:descending", 1280)?;
    claim(console.is_empty(), format!("{console:?}"))?;
    claim(main.matches(" aria-sort=\"descending\"").count() == 1, "one heading is pressed")?;
    let after = main.split_once("id=\"scoring\"").ok_or("no table")?.1;
    let (large, small) = (after.find(">64<").ok_or("no 64")?, after.find(">32<").ok_or("no 32")?);
    claim(large < small, "the larger population first")
}

fn a_benchmark_fits(browser: &str) -> Result<(), Failed> {
    let (_folder, page) = benchmark()?;
    fits(browser, &page)?;
    let counted = fs::read_to_string(&page)?.replace(
        "</body>",
        "<script>document.title = ['wide', 'narrow'].map((name) => [...document.querySelectorAll('.chart.' + name)]\
         .filter((chart) => chart.offsetParent).length).join(' ')</script></body>",
    );
    fs::write(&page, counted)?;
    let shown = |width| browser::load(browser, &page, "", width).map(|loaded| loaded.title);
    claim(shown(1280)? == "3 0", "three wide charts on a desk")?;
    claim(shown(600)? == "0 3", "three narrow charts on a telephone")
}
