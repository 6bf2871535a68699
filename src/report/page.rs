//! Self-contained pages for reports and benchmarks: sections of charts and tables, without a network, a server or a font.
//!
//! The frame, the style and the script of all pages are `templates/page.*`, a section is `templates/sections.html`.

use std::fmt::Write;

use askama::Template;

use super::chart::{Chart, LegendKey};
use super::exporters::to_csv;
use super::table::{Table, Value};
use crate::error::Error;

/// The most rows of a table that a page shows, so that the page stays small; `--csv` writes all.
const ROWS_SHOWN: usize = 1000;

/// A section of a page.
pub struct Section {
    /// Letters and `-`; unique in a page.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Always shown.
    pub open: Part,
    /// Shown on demand, under a heading each.
    pub folded: Vec<(String, Part)>,
}

/// Some charts and tables.
#[derive(Default)]
pub struct Part {
    /// The text above them.
    pub text: String,
    /// Charts first.
    pub charts: Vec<Chart>,
    /// Then tables.
    pub tables: Vec<Table>,
}

impl Section {
    /// An empty section.
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Section {
        Section { id: id.into(), title: title.into(), open: Part::default(), folded: Vec::new() }
    }

    /// Adds a part that is shown on demand under a heading.
    pub fn fold(&mut self, heading: String, part: Part) {
        match self.folded.iter_mut().find(|(other, _)| *other == heading) {
            Some((_, folded)) => folded.append(part),
            None => self.folded.push((heading, part)),
        }
    }
}

impl Part {
    /// Adds another part behind this one.
    pub fn append(&mut self, other: Part) {
        self.text.push_str(&other.text);
        self.charts.extend(other.charts);
        self.tables.extend(other.tables);
    }
}

#[derive(Template)]
#[template(path = "sections.html")]
struct SectionsView<'a> {
    sections: Vec<SectionView<'a>>,
}

struct SectionView<'a> {
    id: &'a str,
    title: &'a str,
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
    narrow: Option<&'a str>,
    legend: &'a [LegendKey],
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
    /// The value by which it is sorted, where that is not its words.
    order: Option<String>,
    class: &'static str,
}

/// A file inside the page.
struct FileView<'a> {
    id: &'a str,
    uri: String,
}

/// Sections as HTML.
///
/// # Errors
/// [`Error::Internal`] if the template fails, which is a bug.
pub(crate) fn to_html(sections: &[Section]) -> Result<String, Error> {
    let sections = SectionsView { sections: sections.iter().map(section).collect::<Result<_, Error>>()? };
    sections.render().map_err(|error| Error::Internal(format!("a page's sections: {error}")))
}

fn section(section: &Section) -> Result<SectionView<'_>, Error> {
    let folded = section.folded.iter().map(|(title, inner)| Ok((title.as_str(), part(inner)?)));
    let folded = folded.collect::<Result<_, Error>>()?;
    Ok(SectionView { id: &section.id, title: &section.title, open: part(&section.open)?, folded })
}

fn part(part: &Part) -> Result<PartView<'_>, Error> {
    Ok(PartView {
        text: &part.text,
        charts: part.charts.iter().map(chart).collect::<Result<_, Error>>()?,
        tables: part.tables.iter().map(table).collect::<Result<_, Error>>()?,
    })
}

fn chart(chart: &Chart) -> Result<ChartView<'_>, Error> {
    let Chart { title, caption, svg, width, narrow, legend, data } = chart;
    Ok(ChartView { title, caption, svg, width: *width, narrow: narrow.as_deref(), legend, file: file(data)? })
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

/// Numbers as JavaScript reads them; a missing value is empty and comes last.
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
pub(crate) fn data_uri(kind: &str, content: &str) -> String {
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
    fn missing_values_are_sorted_last_and_infinity_as_infinity() {
        let orders =
            [Value::None, Value::Number(1.5), Value::Range(f64::INFINITY, f64::INFINITY), Value::Text("a".into())];
        let expected = [Some(String::new()), Some("1.5".into()), Some("Infinity".into()), None];
        assert_eq!(orders.each_ref().map(order), expected);
    }
}
