//! Tables: values with a meaning, shown to people in one way and to programs in another.

use crate::report::statistics::Interval;
use crate::report::units::{short, time};

/// A table, and the name of the file that holds the same.
pub struct Table {
    /// Letters, digits and `_`; unique in a report.
    pub id: String,
    /// What it tells.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What stands in its columns.
    pub columns: Vec<Column>,
    /// A value a column, each.
    pub rows: Vec<Vec<Value>>,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name in files.
    pub key: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// How its values are shown.
    pub format: Format,
}

/// What the values of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Words.
    Text,
    /// A grid in one line.
    Grid,
    /// A number of things.
    Count,
    /// Evaluations, infinite where nothing was enough.
    Cost,
    /// A share of all.
    Percent,
    /// A total, or a mean or median of some.
    Score,
    /// Wall time.
    Seconds,
    /// A p-value.
    P,
    /// An effect size between 0 and 1.
    Effect,
    /// A rate or an amount with a prefix, as in `1.05 M`, and this unit behind it.
    Prefixed(&'static str),
    /// A time in the unit that fits it.
    Time,
    /// A ratio.
    Ratio,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// There is none.
    None,
    /// Words.
    Text(String),
    /// A number, which may be infinite.
    Number(f64),
    /// From here to there.
    Range(f64, f64),
}

impl Table {
    /// An empty table.
    pub fn new(id: impl Into<String>, title: impl Into<String>, note: impl Into<String>, columns: &[Column]) -> Table {
        Table { id: id.into(), title: title.into(), note: note.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, which has a value a column.
    pub fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.columns.len(), "{}", self.id);
        self.rows.push(row.into());
    }

    /// The same without the columns in which no row has a value, or whose key is named.
    pub fn without(mut self, keys: &[&str]) -> Table {
        for column in (0..self.columns.len()).rev() {
            let is_empty = self.rows.iter().all(|row| row[column] == Value::None);
            if keys.contains(&self.columns[column].key) || (is_empty && !self.rows.is_empty()) {
                self.columns.remove(column);
                self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            }
        }
        self
    }
}

/// A column; see [`Column`].
pub const fn column(key: &'static str, title: &'static str, format: Format) -> Column {
    Column { key, title, format }
}

/// Words.
pub fn text(words: impl Into<String>) -> Value {
    Value::Text(words.into())
}

/// A whole number.
pub fn count(number: u64) -> Value {
    Value::Number(number as f64)
}

/// A number, if there is one.
pub fn number(number: impl Into<Option<f64>>) -> Value {
    number.into().map_or(Value::None, Value::Number)
}

/// An interval.
pub fn interval(Interval { low, high }: Interval) -> Value {
    Value::Range(low, high)
}

impl Format {
    /// True if values stand to the right and are sorted as numbers.
    pub fn is_number(self) -> bool {
        !matches!(self, Format::Text | Format::Grid)
    }

    /// The class of its cells in a page.
    pub fn class(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Grid => "grid",
            _ => "number",
        }
    }

    /// A value as people read it.
    pub fn show(self, value: &Value) -> String {
        match value {
            Value::None => "–".into(),
            Value::Text(words) => words.clone(),
            Value::Number(number) => format!("{}{}", self.digits(*number), self.unit()),
            Value::Range(low, high) => match (self.digits(*low), self.digits(*high)) {
                (low, high) if low == high => low + self.unit(),
                (low, high) => format!("{low} to {high}{}", self.unit()),
            },
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Format::Percent => " %",
            Format::Seconds => " s",
            Format::Prefixed(unit) => unit,
            _ => "",
        }
    }

    fn digits(self, number: f64) -> String {
        match self {
            _ if number.is_infinite() => "∞".into(),
            Format::Percent => trimmed(format!("{:.1}", 100.0 * number)),
            Format::Prefixed(_) => short(number),
            Format::Time => time(number),
            Format::Ratio => format!("{number:.3}"),
            Format::Score => trimmed(format!("{number:.2}")),
            Format::Effect => format!("{number:.2}"),
            Format::P if number < 1e-4 => "< 0.0001".into(),
            Format::P => format!("{number:.4}"),
            Format::Seconds => format!("{number:.*}", if number < 0.1 { 5 } else { 2 }),
            Format::Count | Format::Cost | Format::Text | Format::Grid => grouped(number),
        }
    }
}

/// Without zeros after the point that tell nothing.
fn trimmed(digits: String) -> String {
    digits.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A whole number with a comma before each three digits.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_numbers_with_units_and_without_needless_digits() {
        for (format, value, shown) in [
            (Format::Count, count(1_234_567), "1,234,567"),
            (Format::Cost, number(999.5), "1,000"),
            (Format::Cost, Value::Range(10.0, f64::INFINITY), "10 to ∞"),
            (Format::Cost, Value::Range(f64::INFINITY, f64::INFINITY), "∞"),
            (Format::Percent, Value::Number(0.85), "85 %"),
            (Format::Percent, Value::Range(0.0, 0.1611), "0 to 16.1 %"),
            (Format::Percent, Value::Number(0.0), "0 %"),
            (Format::Score, number(10.0), "10"),
            (Format::Score, number(2.25), "2.25"),
            (Format::Seconds, number(0.00123), "0.00123 s"),
            (Format::P, number(3e-21), "< 0.0001"),
            (Format::P, number(0.05), "0.0500"),
            (Format::Effect, number(0.5), "0.50"),
            (Format::Text, text("a|b"), "a|b"),
            (Format::Cost, Value::None, "–"),
        ] {
            assert_eq!(format.show(&value), shown);
        }
    }

    #[test]
    fn columns_go_by_name_or_because_nothing_stands_in_them() {
        let columns = [column("a", "A", Format::Text), column("b", "B", Format::Cost), column("c", "C", Format::Cost)];
        let mut table = Table::new("id", "title", "", &columns);
        table.push([text("x"), Value::None, number(1.0)]);
        table.push([text("y"), Value::None, Value::None]);
        let table = table.without(&["a"]);
        assert_eq!(table.columns, [columns[2]]);
        assert_eq!(table.rows, [[number(1.0)], [Value::None]]);
    }
}
