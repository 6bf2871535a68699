//! A parameter of an algorithm: its name, kind, range, help and dependence, each said once.
//!
//! The options of the command line, the keys of a plan, the checks of values and the list of `swarmdoku algorithms` are
//! made from these rows. Defaults are not here: they are the typed constants of each algorithm.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::Error;

/// One parameter of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name on the command line and in plans. In JSON `_` stands for `-`.
    pub name: &'static str,
    /// The values that it can have.
    pub kind: Kind,
    /// The word for its value in help: `EPOCHS`.
    pub value_name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// A bound that is the value of another parameter.
    pub limit: Option<Limit>,
    /// When the parameter can be set.
    pub needs: Needs,
}

/// The values that a parameter can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A whole number of this range.
    Count {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A part or a probability, 0 to 1.
    Ratio,
    /// A number of this range.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A positive number in units of the score.
    Temperature,
    /// Seconds of wall time.
    Seconds,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// On or off; off by default.
    Flag,
}

/// A bound that is the value of another parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// No more than that parameter's value.
    AtMost(&'static str),
    /// Less than that parameter's value.
    Below(&'static str),
}

/// When a parameter can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Always.
    Nothing,
    /// Where the parameter has this value; it does not exist otherwise.
    Value(&'static str, &'static str),
    /// Where one of these is set; it does not exist otherwise.
    AnyOf(&'static [&'static str]),
    /// Where this flag is off.
    Without(&'static str),
    /// Where this count is not 0.
    Positive(&'static str),
}

impl Parameter {
    const fn new(name: &'static str, value_name: &'static str, kind: Kind, help: &'static str) -> Parameter {
        Parameter { name, kind, value_name, help, limit: None, needs: Needs::Nothing }
    }

    /// A whole number, `least..=most`.
    pub const fn count(
        name: &'static str,
        value_name: &'static str,
        (least, most): (u64, u64),
        help: &'static str,
    ) -> Parameter {
        Parameter::new(name, value_name, Kind::Count { least, most }, help)
    }

    /// A part or a probability, 0 to 1.
    pub const fn ratio(name: &'static str, value_name: &'static str, help: &'static str) -> Parameter {
        Parameter::new(name, value_name, Kind::Ratio, help)
    }

    /// A number, `least..=most`.
    pub const fn number(
        name: &'static str,
        value_name: &'static str,
        (least, most): (f64, f64),
        help: &'static str,
    ) -> Parameter {
        Parameter::new(name, value_name, Kind::Number { least, most }, help)
    }

    /// A positive number in units of the score.
    pub const fn temperature(name: &'static str, help: &'static str) -> Parameter {
        Parameter::new(name, "T", Kind::Temperature, help)
    }

    /// Seconds of wall time.
    pub const fn seconds(name: &'static str, help: &'static str) -> Parameter {
        Parameter::new(name, "SECONDS", Kind::Seconds, help)
    }

    /// One of some words.
    pub const fn choice(
        name: &'static str,
        value_name: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> Parameter {
        Parameter::new(name, value_name, Kind::Choice(words), help)
    }

    /// On or off.
    pub const fn flag(name: &'static str, help: &'static str) -> Parameter {
        Parameter::new(name, "", Kind::Flag, help)
    }

    /// The same parameter, bounded by another one.
    pub const fn limited(self, limit: Limit) -> Parameter {
        Parameter { limit: Some(limit), ..self }
    }

    /// The same parameter, which cannot always be set.
    pub const fn needing(self, needs: Needs) -> Parameter {
        Parameter { needs, ..self }
    }

    /// The key in JSON.
    pub fn key(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The value that a text of the command line means.
    ///
    /// # Errors
    /// [`Error::Setting`] for a text that means none, or a value out of range.
    pub fn read_text(&self, text: &str) -> Result<Value, Error> {
        self.in_range(self.kind.read_text(text).ok_or_else(|| self.refuse(text))?)
    }

    /// The value in the form that records have: a ratio of `1` becomes `1.0`.
    ///
    /// # Errors
    /// [`Error::Setting`] for a value of another kind or out of range.
    pub fn read_value(&self, value: &Value) -> Result<Value, Error> {
        self.in_range(self.kind.read_value(value).ok_or_else(|| self.refuse(&in_words(value)))?)
    }

    fn in_range(&self, value: Value) -> Result<Value, Error> {
        if self.kind.holds(&value) { Ok(value) } else { Err(self.refuse(&in_words(&value))) }
    }

    fn refuse(&self, found: &str) -> Error {
        self.must_be(found, &self.kind.expected())
    }

    /// The error of a value that must be another.
    pub(super) fn must_be(&self, found: &str, expected: &str) -> Error {
        Error::Setting { name: self.name, problem: format!("is {found}, but must be {expected}") }
    }

    /// The range, for people: `1 to the population`.
    pub fn range(&self) -> String {
        match self.limit {
            None => self.kind.range(),
            Some(Limit::AtMost(other)) => format!("{}, at most the {other}", self.kind.range()),
            Some(Limit::Below(other)) => format!("{}, below the {other}", self.kind.range()),
        }
    }

    /// When it can be set, for people; empty if always.
    pub fn dependence(&self) -> String {
        match self.needs {
            Needs::Nothing => String::new(),
            Needs::Value(other, word) => format!("only with {other} {word}"),
            Needs::AnyOf(others) if others.contains(&self.name) => String::new(),
            Needs::AnyOf(others) => format!("only with {}", others.join(" or ")),
            Needs::Without(other) => format!("not with {other}"),
            Needs::Positive(other) => format!("only with {other} 1 or more"),
        }
    }

    /// True if a run with these values has the parameter; `set` are those that were given.
    pub(super) fn exists(&self, values: &Map<String, Value>, set: &Settings) -> bool {
        match self.needs {
            Needs::Value(other, word) => values.get(&key_of(other)).and_then(Value::as_str) == Some(word),
            Needs::AnyOf(others) => others.iter().any(|other| set.get(other).is_some()),
            Needs::Nothing | Needs::Without(_) | Needs::Positive(_) => true,
        }
    }

    /// Holds the value of a run against what it depends on.
    ///
    /// # Errors
    /// [`Error::Setting`] for the first dependence that does not hold.
    pub(super) fn check(&self, values: &Map<String, Value>, set: &Settings) -> Result<(), Error> {
        if let Some(given) = set.get(self.name) {
            self.check_needs(&in_words(given), values, set)?;
        }
        let number = |key: String| values.get(&key).and_then(Value::as_f64);
        match (self.limit, number(self.key())) {
            (Some(Limit::AtMost(other)), Some(own)) if number(key_of(other)).is_some_and(|most| own > most) => {
                Err(self.must_be(&own.to_string(), &format!("at most the {other}, {}", found_at(values, other))))
            }
            (Some(Limit::Below(other)), Some(own)) if number(key_of(other)).is_some_and(|most| own >= most) => {
                Err(self.must_be(&own.to_string(), &format!("less than the {other}, {}", found_at(values, other))))
            }
            _ => Ok(()),
        }
    }

    fn check_needs(&self, given: &str, values: &Map<String, Value>, set: &Settings) -> Result<(), Error> {
        let is = |other: &str, value: Value| values.get(&key_of(other)) == Some(&value);
        match self.needs {
            Needs::Value(other, word) if !self.exists(values, set) => {
                Err(self.must_be(given, &format!("left out, or used with {other} {word}")))
            }
            Needs::AnyOf(others) if !self.exists(values, set) => {
                Err(self.must_be(given, &format!("left out, or used with {}", others.join(" or "))))
            }
            Needs::Without(other) if is(other, true.into()) => {
                Err(self.must_be(given, &format!("left out: {other} sets it")))
            }
            Needs::Positive(other) if given == "true" && is(other, 0.into()) => {
                Err(Error::Setting { name: other, problem: format!("is 0, but must be at least 1 with {}", self.name) })
            }
            _ => Ok(()),
        }
    }
}

impl Kind {
    fn read_text(&self, text: &str) -> Option<Value> {
        match self {
            Kind::Count { .. } => parse_count(text).map(Value::from),
            Kind::Ratio | Kind::Number { .. } | Kind::Temperature | Kind::Seconds => finite(text.parse().ok()?),
            Kind::Choice(_) => Some(text.into()),
            Kind::Flag => text.parse::<bool>().ok().map(Value::from),
        }
    }

    fn read_value(&self, value: &Value) -> Option<Value> {
        match self {
            Kind::Count { .. } => value.as_u64().map(Value::from),
            Kind::Ratio | Kind::Number { .. } | Kind::Temperature | Kind::Seconds => finite(value.as_f64()?),
            Kind::Choice(_) => value.as_str().map(Value::from),
            Kind::Flag => value.as_bool().map(Value::from),
        }
    }

    /// True if a value of this kind is in range.
    fn holds(&self, value: &Value) -> bool {
        let number = value.as_f64().unwrap_or(f64::NAN);
        match *self {
            Kind::Count { least, most } => value.as_u64().is_some_and(|count| (least..=most).contains(&count)),
            Kind::Ratio => (0.0..=1.0).contains(&number),
            Kind::Number { least, most } => (least..=most).contains(&number),
            Kind::Temperature => number > 0.0,
            Kind::Seconds => Duration::try_from_secs_f64(number).is_ok(),
            Kind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Kind::Flag => value.is_boolean(),
        }
    }

    /// The word for the kind.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Count { .. } => "count",
            Kind::Ratio => "ratio",
            Kind::Number { .. } => "number",
            Kind::Temperature => "temperature",
            Kind::Seconds => "seconds",
            Kind::Choice(_) => "choice",
            Kind::Flag => "flag",
        }
    }

    fn range(&self) -> String {
        match *self {
            Kind::Count { least, most } if most >= u32::MAX.into() => format!("{} or more", grouped(least)),
            Kind::Count { least, most } => format!("{} to {}", grouped(least), grouped(most)),
            Kind::Ratio => "0 to 1".into(),
            Kind::Number { least, most } => format!("{least} to {most}"),
            Kind::Temperature => "more than 0".into(),
            Kind::Seconds => "0 or more".into(),
            Kind::Choice(words) => words.join(", "),
            Kind::Flag => "on or off".into(),
        }
    }

    fn expected(&self) -> String {
        match self {
            Kind::Count { .. } => format!("a whole number, {}", self.range()),
            Kind::Ratio | Kind::Number { .. } => format!("a number, {}", self.range()),
            Kind::Temperature => "a positive number".into(),
            Kind::Seconds => "seconds, 0 or more".into(),
            Kind::Choice(_) => format!("one of {}", self.range()),
            Kind::Flag => "true or false".into(),
        }
    }
}

/// The parameters that were set, each by its name.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Settings(BTreeMap<&'static str, Value>);

impl Settings {
    /// Sets a parameter to a value that was checked.
    pub fn set(&mut self, parameter: &Parameter, value: Value) {
        self.0.insert(parameter.name, value);
    }

    /// The value that a parameter was set to.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// All that was set, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// True if nothing was set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The key of a parameter in JSON.
pub(super) fn key_of(name: &str) -> String {
    name.replace('-', "_")
}

/// A count as people write it: `6000000`, `6_000_000`, `6e6`.
pub fn parse_count(text: &str) -> Option<u64> {
    let plain = text.replace('_', "");
    match plain.split_once(['e', 'E']) {
        None => plain.parse().ok(),
        Some((digits, zeros)) => {
            let scale = 10u64.checked_pow(zeros.parse().ok()?)?;
            digits.parse::<u64>().ok()?.checked_mul(scale)
        }
    }
}

fn finite(number: f64) -> Option<Value> {
    number.is_finite().then(|| number.into())
}

/// A value as short as it can be written: `1` for `1.0`. JSON has no other numbers than finite ones.
pub(super) fn in_words(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Null => "NaN or infinite".into(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

fn found_at(values: &Map<String, Value>, name: &str) -> String {
    values.get(&key_of(name)).map(in_words).unwrap_or_default()
}

/// `1,000,000`
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for text in ["6000000", "6_000_000", "6e6"] {
            assert_eq!(parse_count(text), Some(6_000_000));
        }
        for text in ["", "-1", "1.5", "1e99", "99999999999999999999", "e6", "ten"] {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_means_the_same_as_text_and_as_a_typed_value() {
        let ratio = Parameter::ratio("share", "RATIO", "a part");
        assert_eq!(ratio.read_text("1").unwrap().to_string(), "1.0");
        assert_eq!(ratio.read_value(&1.into()).unwrap().to_string(), "1.0");
        let count = Parameter::count("number", "N", (1, 1 << 31), "a count");
        assert_eq!(count.read_text("2e3").unwrap(), count.read_value(&2000.into()).unwrap());
    }

    #[test]
    fn values_out_of_range_are_refused_with_name_value_and_range() {
        let count = Parameter::count("number", "N", (1, 1 << 31), "a count");
        let heat = Parameter::temperature("heat", "a temperature");
        let rule = Parameter::choice("rule", "RULE", &["any", "none"], "a rule");
        for (error, expected) in [
            (count.read_text("0"), "number is 0, but must be a whole number, 1 to 2,147,483,648"),
            (count.read_text("-3"), "number is -3, but must be a whole number, 1 to 2,147,483,648"),
            (count.read_value(&"9".into()), "number is 9, but must be a whole number, 1 to 2,147,483,648"),
            (heat.read_text("NaN"), "heat is NaN, but must be a positive number"),
            (heat.read_value(&Value::Null), "heat is NaN or infinite, but must be a positive number"),
            (heat.read_value(&0.0.into()), "heat is 0, but must be a positive number"),
            (rule.read_text("all"), "rule is all, but must be one of any, none"),
        ] {
            assert_eq!(error.unwrap_err().to_string(), expected);
        }
    }
}
