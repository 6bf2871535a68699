//! The report as one page that needs nothing else: no network, no server, no font.

use std::fmt::Write;

use askama::Template;

use super::chart::{Chart, Key};
use super::cite::{Citation, Reproduction};
use super::content::{Content, Part, Section};
use super::csv::to_csv;
use super::table::{Table, Value};
use crate::error::Error;

/// Rows that a page holds of a table, so that hundreds of cells do not make it too large to open; `--csv` writes all.
const ROWS_SHOWN: usize = 1000;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    content: &'a Content,
    sections: Vec<SectionView<'a>>,
    citation: &'a Citation,
    reproduction: &'a Reproduction,
    plan_uri: String,
    manifest_uri: String,
}

struct SectionView<'a> {
    id: &'static str,
    title: &'static str,
    open: PartView<'a>,
    folded: Vec<(&'a str, PartView<'a>)>,
}

struct PartView<'a> {
    text: &'a str,
    charts: Vec<ChartView<'a>>,
    tables: Vec<TableView<'a>>,
}

struct ChartView<'a> {
    title: &'a str,
    caption: &'a str,
    svg: &'a str,
    width: u32,
    legend: &'a [Key],
    file: FileView<'a>,
}

struct TableView<'a> {
    id: &'a str,
    title: &'a str,
    note: &'a str,
    columns: Vec<ColumnView<'a>>,
    rows: Vec<Vec<CellView>>,
    left_out: usize,
    /// All rows, if the page shows all.
    file: Option<FileView<'a>>,
}

struct ColumnView<'a> {
    title: &'a str,
    is_number: bool,
}

struct CellView {
    words: String,
    /// What it is sorted by, where that is not its words.
    order: Option<String>,
    class: &'static str,
}

/// A file inside the page.
struct FileView<'a> {
    id: &'a str,
    uri: String,
}

/// The page.
///
/// # Errors
/// [`Error::Internal`] if the template fails, which no input should bring about.
pub fn to_html(content: &Content, citation: &Citation, reproduction: &Reproduction) -> Result<String, Error> {
    let sections = content.sections.iter().map(section).collect::<Result<_, Error>>()?;
    let page = Page {
        content,
        sections,
        citation,
        reproduction,
        plan_uri: data_uri("application/toml", &reproduction.plan),
        manifest_uri: data_uri("application/json", &reproduction.manifest),
    };
    page.render().map_err(|error| Error::Internal(format!("a report's page: {error}")))
}

fn section(section: &Section) -> Result<SectionView<'_>, Error> {
    let folded = section.folded.iter().map(|(title, inner)| Ok((title.as_str(), part(inner)?)));
    let folded = folded.collect::<Result<_, Error>>()?;
    Ok(SectionView { id: section.id, title: section.title, open: part(&section.open)?, folded })
}

fn part(part: &Part) -> Result<PartView<'_>, Error> {
    Ok(PartView {
        text: &part.text,
        charts: part.charts.iter().map(chart).collect::<Result<_, Error>>()?,
        tables: part.tables.iter().map(table).collect::<Result<_, Error>>()?,
    })
}

fn chart(chart: &Chart) -> Result<ChartView<'_>, Error> {
    let Chart { title, caption, svg, width, legend, data } = chart;
    Ok(ChartView { title, caption, svg, width: *width, legend, file: file(data)? })
}

fn table(table: &Table) -> Result<TableView<'_>, Error> {
    let Table { id, title, note, columns, rows } = table;
    let shown = |row: &Vec<Value>| {
        row.iter()
            .zip(columns)
            .map(|(value, column)| CellView {
                words: column.format.show(value),
                order: order(value),
                class: column.format.class(),
            })
            .collect()
    };
    Ok(TableView {
        id,
        title,
        note,
        columns: columns
            .iter()
            .map(|column| ColumnView { title: column.title, is_number: column.format.is_number() })
            .collect(),
        rows: rows.iter().take(ROWS_SHOWN).map(shown).collect(),
        left_out: rows.len().saturating_sub(ROWS_SHOWN),
        file: if rows.len() <= ROWS_SHOWN { Some(file(table)?) } else { None },
    })
}

/// Numbers as JavaScript reads them; what is not there is empty and comes last.
fn order(value: &Value) -> Option<String> {
    match value {
        Value::Text(_) => None,
        Value::None => Some(String::new()),
        Value::Number(number) | Value::Range(number, _) if number.is_infinite() => Some("Infinity".into()),
        Value::Number(number) | Value::Range(number, _) => Some(number.to_string()),
    }
}

fn file(table: &Table) -> Result<FileView<'_>, Error> {
    Ok(FileView { id: &table.id, uri: data_uri("text/csv", &to_csv(table)?) })
}

/// A file as an address (RFC 2397): bytes other than letters, digits and a few signs as `%` and two digits.
fn data_uri(kind: &str, content: &str) -> String {
    let mut uri = format!("data:{kind};charset=utf-8,");
    for byte in content.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b',' => uri.push(byte.into()),
            _ => write!(uri, "%{byte:02X}").expect("writing to a string does not fail"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_inside_the_page_keep_every_byte() {
        let uri = data_uri("text/csv", "a,\"ü\"\n<&>#%");
        assert_eq!(uri, "data:text/csv;charset=utf-8,a,%22%C3%BC%22%0A%3C%26%3E%23%25");
    }

    #[test]
    fn what_is_not_there_is_sorted_last_and_infinity_as_such() {
        let orders =
            [Value::None, Value::Number(1.5), Value::Range(f64::INFINITY, f64::INFINITY), Value::Text("a".into())];
        let expected = [Some(String::new()), Some("1.5".into()), Some("Infinity".into()), None];
        assert_eq!(orders.each_ref().map(order), expected);
    }
}
