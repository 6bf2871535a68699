//! Tables as CSV: full precision, one file per table.

use std::fs;
use std::path::Path;

use super::{Exported, Exporter};
use crate::error::Error;
use crate::report::table::{Table, Value};

/// The tables and the data of the charts.
pub(super) const CSV: Exporter = Exporter {
    option: "csv",
    letter: None,
    value: "FOLDER",
    help: "Write every table and every chart's data as CSV into this folder",
    name: "CSV",
    form: Exported::Folder(|report, folder| write_csv(report.tables(), folder)),
};

/// A table as CSV. A range takes two columns, whose names end with `_low` and `_high`; an infinite number is `inf`, one that
/// is not there an empty field.
///
/// # Errors
/// [`Error::Internal`] if writing to memory fails, which is a bug.
pub(crate) fn to_csv(table: &Table) -> Result<String, Error> {
    let broken = |error: String| Error::Internal(format!("a table as CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let ranges: Vec<bool> = (0..table.columns.len()).map(|column| is_range(table, column)).collect();
    let heads = table.columns.iter().zip(&ranges).flat_map(|(column, is_range)| match is_range {
        true => vec![format!("{}_low", column.key), format!("{}_high", column.key)],
        false => vec![column.key.to_string()],
    });
    writer.write_record(heads).map_err(|error| broken(error.to_string()))?;
    for row in &table.rows {
        let fields = row.iter().zip(&ranges).flat_map(|(value, is_range)| fields(value, *is_range));
        writer.write_record(fields).map_err(|error| broken(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| broken(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| broken(error.to_string()))
}

/// Writes each table to a file of its name in a folder, which is created if it does not exist.
///
/// # Errors
/// [`Error::Write`] with the file and the reason.
fn write_csv<'a>(tables: impl IntoIterator<Item = &'a Table>, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| Error::Write { path: folder.into(), source })?;
    tables.into_iter().try_for_each(|table| {
        let path = folder.join(format!("{}.csv", table.id));
        fs::write(&path, to_csv(table)?).map_err(|source| Error::Write { path, source })
    })
}

fn is_range(table: &Table, column: usize) -> bool {
    table.rows.iter().any(|row| matches!(row[column], Value::Range(..)))
}

fn fields(value: &Value, is_range: bool) -> Vec<String> {
    match value {
        Value::Range(low, high) => vec![low.to_string(), high.to_string()],
        Value::None if is_range => vec![String::new(); 2],
        Value::None => vec![String::new()],
        Value::Text(words) => vec![words.clone()],
        Value::Number(number) => vec![number.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::{Format, column, number, text};

    #[test]
    fn files_hold_names_as_they_are_and_numbers_in_full() {
        let columns = [
            column("name", "Name", Format::Text),
            column("ert", "ERT", Format::Cost),
            column("ci", "CI", Format::Cost),
        ];
        let mut table = Table::new("numbers", "", "", &columns);
        table.push([text("a, \"b\" <ü>"), number(1.0 / 3.0), Value::Range(0.5, f64::INFINITY)]);
        table.push([text("plain"), Value::None, Value::None]);
        let expected = "name,ert,ci_low,ci_high\n\"a, \"\"b\"\" <ü>\",0.3333333333333333,0.5,inf\nplain,,,\n";
        assert_eq!(to_csv(&table).unwrap(), expected);
        let folder = tempfile::tempdir().unwrap();
        write_csv([&table], &folder.path().join("new")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("new/numbers.csv")).unwrap(), expected);
    }
}
