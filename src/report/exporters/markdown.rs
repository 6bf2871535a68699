//! The report as Markdown: its tables, for a repository or a pull request.

use super::{Exported, Exporter};
use crate::error::Error;
use crate::report::Report;
use crate::report::page::Part;
use crate::report::table::Table;

/// The tables.
pub(super) const MARKDOWN: Exporter = Exporter {
    option: "markdown",
    letter: None,
    value: "FILE.md",
    help: "Write the tables as Markdown to this file; `-` is standard output",
    name: "Markdown",
    form: Exported::Document { endings: &["md", "markdown"], make: to_markdown },
};

fn to_markdown(report: &Report) -> Result<String, Error> {
    let Report { citation, reproduction, .. } = report;
    let mut lines = vec![format!("# {}", escaped(&report.title)), String::new(), report.summary.clone(), String::new()];
    for remark in &report.remarks {
        lines.extend([format!("> **Note:** {}", remark), String::new()]);
    }
    lines.extend(["| what | value |", "|---|---|"].map(String::from));
    lines.extend(report.facts.iter().map(|(name, value)| format!("| {name} | {} |", escaped(value))));
    lines.push(String::new());
    for section in &report.sections {
        lines.extend(part(&section.open));
        for (_, folded) in &section.folded {
            lines.extend(part(folded));
        }
    }
    lines.extend(["## How to cite".into(), String::new(), escaped(&citation.text), String::new()]);
    lines.extend(["```bibtex", &citation.bibtex, "```", "", "## How to reproduce", ""].map(String::from));
    lines.extend(reproduction.steps.iter().zip(1..).map(|(step, number)| format!("{number}. {}", escaped(step))));
    lines.extend(["", "```toml", reproduction.plan.trim_end(), "```"].map(String::from));
    Ok(lines.join("\n") + "\n")
}

fn part(part: &Part) -> Vec<String> {
    part.tables.iter().filter(|table| !table.rows.is_empty()).flat_map(table).collect()
}

fn table(table: &Table) -> Vec<String> {
    let mut lines = vec![format!("## {}", escaped(&table.title)), String::new()];
    if !table.note.is_empty() {
        lines.extend([escaped(&table.note), String::new()]);
    }
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    lines.push(row(table.columns.iter().map(|column| column.title.to_string()).collect()));
    let rule = |is_number: bool| if is_number { "---:".into() } else { "---".into() };
    lines.push(row(table.columns.iter().map(|column| rule(column.format.is_number())).collect()));
    for values in &table.rows {
        let cells = values.iter().zip(&table.columns).map(|(value, column)| escaped(&column.format.show(value)));
        lines.push(row(cells.collect()));
    }
    lines.push(String::new());
    lines
}

/// Words that Markdown leaves as they are.
fn escaped(words: &str) -> String {
    let mut escaped = String::new();
    for sign in words.chars() {
        match sign {
            '\n' | '\r' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => escaped.extend(['\\', sign]),
            plain => escaped.push(plain),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::{Format, Value, column, number, text};

    #[test]
    fn a_table_has_a_rule_and_names_stay_words() {
        let mut sample =
            Table::new("id", "A <b>", "", &[column("a", "name", Format::Text), column("b", "ERT", Format::Cost)]);
        sample.push([text("x|y <i> *z* ü"), number(1234.0)]);
        sample.push([text("none"), Value::None]);
        let expected = [
            "## A &lt;b>",
            "",
            "| name | ERT |",
            "| --- | ---: |",
            "| x\\|y &lt;i> \\*z\\* ü | 1,234 |",
            "| none | – |",
            "",
        ];
        assert_eq!(table(&sample), expected);
    }
}
