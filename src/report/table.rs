//! Tables, and numbers as text: values with a meaning, in one form for people and in another for programs.

use crate::report::statistics::Interval;

/// A table, which can also be written to a file.
pub struct Table {
    /// Unique in a report, and the name of its file: letters, digits and `_`.
    pub id: String,
    /// The heading.
    pub title: String,
    /// An explanation.
    pub note: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one value per column.
    pub rows: Vec<Vec<Value>>,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name in files.
    pub key: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The format of its values.
    pub format: Format,
}

/// The kind of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Words.
    Text,
    /// A grid in one line.
    Grid,
    /// A number of things.
    Count,
    /// Evaluations; infinite if no run was successful.
    Cost,
    /// A share between 0 and 1.
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
    /// No value.
    None,
    /// Words.
    Text(String),
    /// A number, which may be infinite.
    Number(f64),
    /// The ends of a range.
    Range(f64, f64),
}

impl Table {
    /// An empty table.
    pub fn new(id: impl Into<String>, title: impl Into<String>, note: impl Into<String>, columns: &[Column]) -> Table {
        Table { id: id.into(), title: title.into(), note: note.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row with one value per column.
    pub fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.columns.len(), "{}", self.id);
        self.rows.push(row.into());
    }

    /// The table without empty columns and without those with these keys.
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
    /// True if values are aligned right and sorted as numbers.
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

/// The number without trailing zeros.
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

/// A number with three significant digits and the prefix of its thousands: `6.52 M`, `128 k`, `0.500`.
pub fn short(value: f64) -> String {
    let (scaled, prefix) = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")]
        .into_iter()
        .find(|(scale, _)| value >= 0.9995 * scale)
        .map_or((value, ""), |(scale, prefix)| (value / scale, prefix));
    format!("{}{prefix}", three_digits(scaled))
}

/// Seconds in the unit that leaves few digits before the point: `12.3 ms`, `4.56 s`.
pub fn time(seconds: f64) -> String {
    let (scale, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(scale, _)| seconds >= 0.9995 * scale)
        .unwrap_or((1e-9, "ns"));
    format!("{} {unit}", three_digits(seconds / scale))
}

fn three_digits(value: f64) -> String {
    match value {
        small if small < 9.995 => format!("{small:.2}"),
        middle if middle < 99.95 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

/// `1 k`, `100 M`, `1.5 k`: [`short`] without zeros after the point, for the labels of axes.
pub fn label(value: f64) -> String {
    let text = short(value);
    let (number, prefix) = text.split_at(text.find(' ').unwrap_or(text.len()));
    match number.contains('.') {
        true => format!("{}{prefix}", number.trim_end_matches('0').trim_end_matches('.')),
        false => text,
    }
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
    fn columns_are_removed_by_key_or_if_they_are_empty() {
        let columns = [column("a", "A", Format::Text), column("b", "B", Format::Cost), column("c", "C", Format::Cost)];
        let mut table = Table::new("id", "title", "", &columns);
        table.push([text("x"), Value::None, number(1.0)]);
        table.push([text("y"), Value::None, Value::None]);
        let table = table.without(&["a"]);
        assert_eq!(table.columns, [columns[2]]);
        assert_eq!(table.rows, [[number(1.0)], [Value::None]]);
    }

    #[test]
    fn numbers_keep_three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.5, "0.50"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (6_523_000.0, "6.52 M"),
            (17.5e9, "17.5 G"),
            (2.5e15, "2500 T"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        for (seconds, text) in
            [(4.556, "4.56 s"), (0.012_34, "12.3 ms"), (9.996e-4, "1.00 ms"), (5e-6, "5.00 µs"), (2e-8, "20.0 ns")]
        {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn labels_have_no_zeros_after_the_point() {
        let values = [500.0, 20.0, 1e3, 1_050.0, 1_500.0, 20_000.0, 1.2e6, 3e6, 1e8, 1e9];
        let labels = ["500", "20", "1 k", "1.05 k", "1.5 k", "20 k", "1.2 M", "3 M", "100 M", "1 G"];
        assert_eq!(values.map(label), labels);
    }
}
