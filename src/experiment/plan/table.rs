//! A table of a plan's file, read key by key; what nobody asked for is an error that names the nearest key.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Error;

/// The file, to tell places in it.
#[derive(Clone, Copy)]
pub(super) struct PlanFile<'a> {
    /// Its name in errors.
    pub file: &'a str,
    /// All of it.
    pub text: &'a str,
}

impl PlanFile<'_> {
    /// An error at the first byte of a span.
    pub(super) fn error(&self, span: &Range<usize>, message: impl Into<String>) -> Error {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Error::Plan {
            file: self.file.to_owned(),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[start..].chars().count(),
            message: message.into(),
        }
    }
}

/// A key with its place and its value.
#[derive(Clone)]
struct KeyValue<'a> {
    key: &'a str,
    place: Range<usize>,
    value: &'a Spanned<DeValue<'a>>,
}

/// Keys that are still to be asked for, and those that were.
#[derive(Clone)]
pub(super) struct PlanTable<'a> {
    source: PlanFile<'a>,
    /// What it is, for errors: `[budget]`.
    name: &'static str,
    place: Range<usize>,
    entries: Vec<KeyValue<'a>>,
    known: Vec<&'static str>,
}

impl<'a> PlanTable<'a> {
    /// The entries of a table, in the order of the file.
    pub(super) fn new(
        source: PlanFile<'a>,
        name: &'static str,
        place: Range<usize>,
        table: &'a DeTable<'a>,
    ) -> PlanTable<'a> {
        let entry = |(key, value): (&'a Spanned<_>, _)| KeyValue { key: entry_key(key), place: key.span(), value };
        let mut entries: Vec<KeyValue<'a>> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.place.start);
        PlanTable { source, name, place, entries, known: Vec::new() }
    }

    /// True if the key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The value of a key, if it is there.
    pub(super) fn value(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.push(key);
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value)
    }

    /// The typed value of a key, if it is there.
    ///
    /// # Errors
    /// [`Error::Plan`] for a value of another type.
    pub(super) fn get<T: FromValue>(&mut self, key: &'static str) -> Result<Option<T>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        T::from_value(value.get_ref()).map(Some).ok_or_else(|| {
            let found = describe(value.get_ref());
            self.source.error(&value.span(), format!("{key} is {found}, but must be {}", T::EXPECTED))
        })
    }

    /// The typed value of a key, or what is taken if it is not there.
    ///
    /// # Errors
    /// [`Error::Plan`] for a value of another type.
    pub(super) fn or<T: FromValue>(&mut self, key: &'static str, default: T) -> Result<T, Error> {
        Ok(self.get(key)?.unwrap_or(default))
    }

    /// The typed value of a key that must be there.
    ///
    /// # Errors
    /// [`Error::Plan`] if it is not, or is of another type.
    pub(super) fn need<T: FromValue>(&mut self, key: &'static str) -> Result<T, Error> {
        self.get(key)?.ok_or_else(|| self.error(format!("{} lacks {key}, which must be {}", self.name, T::EXPECTED)))
    }

    /// The table at a key, under this name in errors.
    ///
    /// # Errors
    /// [`Error::Plan`] if there is none, or something else.
    pub(super) fn child(&mut self, key: &'static str, name: &'static str) -> Result<PlanTable<'a>, Error> {
        let value = self.value(key).ok_or_else(|| self.error(format!("{} lacks {name}", self.name)))?;
        match value.get_ref().as_table() {
            Some(table) => Ok(PlanTable::new(self.source, name, value.span(), table)),
            None => Err(self.refuse(key, "a table")),
        }
    }

    /// The tables of the array at a key, at least one.
    ///
    /// # Errors
    /// [`Error::Plan`] if there is none, or something else.
    pub(super) fn children(&mut self, key: &'static str, name: &'static str) -> Result<Vec<PlanTable<'a>>, Error> {
        let value = self.value(key).ok_or_else(|| self.error(format!("{} lacks {name}", self.name)))?;
        let table = |value: &'a Spanned<DeValue<'a>>| {
            let table = value.get_ref().as_table()?;
            Some(PlanTable::new(self.source, name, value.span(), table))
        };
        let tables = value.get_ref().as_array().and_then(|values| values.iter().map(table).collect::<Option<Vec<_>>>());
        match tables {
            Some(tables) if !tables.is_empty() => Ok(tables),
            _ => Err(self.refuse(key, &format!("tables, each under its own heading {name}"))),
        }
    }

    /// What the word at a key names, or the default.
    ///
    /// # Errors
    /// [`Error::Plan`] for a word that names nothing, with the nearest that does.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&'static str, T)],
        default: T,
    ) -> Result<T, Error> {
        let Some(word) = self.get::<String>(key)? else { return Ok(default) };
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(*choice);
        }
        let names = choices.iter().map(|(name, _)| *name);
        Err(self.refuse(key, &format!("one of {}{}", listed(names.clone()), nearest(&word, names))))
    }

    /// An error at the table.
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        self.source.error(&self.place, message)
    }

    /// An error about the value of a key: what it must be instead. At the table if the key is not there.
    pub(super) fn refuse(&self, key: &str, expected: &str) -> Error {
        match self.entries.iter().find(|entry| entry.key == key) {
            Some(entry) => {
                let found = describe(entry.value.get_ref());
                self.source.error(&entry.value.span(), format!("{key} is {found}, but must be {expected}"))
            }
            None => self.error(format!("{key} must be {expected}")),
        }
    }

    /// The value of a key as JSON, if it is there; null for what JSON has no value for.
    pub(super) fn json(&mut self, key: &'static str) -> Option<serde_json::Value> {
        self.value(key).map(|value| to_json(value.get_ref()))
    }

    /// The error of a value, at this key.
    pub(super) fn place_at(&self, key: &str, error: Error) -> Error {
        match self.entries.iter().find(|entry| entry.key == key) {
            Some(entry) => self.source.error(&entry.value.span(), with_nearest(entry, error)),
            None => self.error(error.to_string()),
        }
    }

    /// The parameter error of a check, at the key that it is about.
    pub(super) fn place_of(&self, error: Error) -> Error {
        match error {
            Error::Parameter { name, found, expected } if self.has(name) => {
                let entry = self.entries.iter().find(|entry| entry.key == name).expect("just looked up");
                self.source.error(&entry.value.span(), format!("{name} is {found}, but must be {expected}"))
            }
            Error::Setting { name, .. } if self.has(name) => self.place_at(name, error),
            Error::Parameter { .. } | Error::Setting { .. } => self.error(error.to_string()),
            other => other,
        }
    }

    /// # Errors
    /// [`Error::Plan`] for the first key that nobody asked for.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self.entries.iter().find(|entry| !self.known.contains(&entry.key)) {
            None => Ok(()),
            Some(KeyValue { key, place, .. }) => {
                let known = self.known.iter().copied();
                let nearest = nearest(key, known.clone());
                let message = format!("{} has no key `{key}`{nearest}; its keys are {}", self.name, listed(known));
                Err(self.source.error(place, message))
            }
        }
    }

    /// One table for each combination of the values of its arrays, and for each table those values in words.
    ///
    /// # Errors
    /// [`Error::Plan`] for an array without a value, and for more than `most` combinations.
    pub(super) fn spread(&self, most: usize) -> Result<Vec<(PlanTable<'a>, Vec<Chosen<'a>>)>, Error> {
        let mut spread = vec![(self.clone(), Vec::new())];
        for (at, KeyValue { key, value, .. }) in self.entries.iter().enumerate() {
            let Some(values) = value.get_ref().as_array() else { continue };
            if values.is_empty() {
                return Err(self
                    .source
                    .error(&value.span(), format!("{key} is swept over no value; name one at least")));
            }
            if spread.len().saturating_mul(values.len()) > most {
                let message = format!("the arrays of this algorithm have more than {most} combinations");
                return Err(self.source.error(&value.span(), message));
            }
            let with = |(table, chosen): (PlanTable<'a>, Vec<Chosen<'a>>)| {
                values.iter().map(move |value| {
                    let (mut table, mut chosen) = (table.clone(), chosen.clone());
                    table.entries[at].value = value;
                    chosen.push(Chosen { key, value: describe(value.get_ref()) });
                    (table, chosen)
                })
            };
            spread = spread.into_iter().flat_map(with).collect();
        }
        Ok(spread)
    }
}

fn entry_key<'a>(key: &'a Spanned<toml::de::DeString<'a>>) -> &'a str {
    key.get_ref()
}

/// One value of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chosen<'a> {
    /// The key whose array it is.
    pub key: &'a str,
    /// The value in words.
    pub value: String,
}

/// A type that a value of a plan may have.
pub(super) trait FromValue: Sized {
    /// What it is, for errors.
    const EXPECTED: &'static str;

    /// The value, if it has this type.
    fn from_value(value: &DeValue<'_>) -> Option<Self>;
}

impl FromValue for u64 {
    const EXPECTED: &'static str = "a whole number, 0 or more";

    /// `1000000`, `1_000_000` and `1e6` are the same.
    fn from_value(value: &DeValue<'_>) -> Option<u64> {
        if let Some(integer) = value.as_integer() {
            return u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        }
        let float: f64 = value.as_float()?.as_str().parse().ok()?;
        (float.fract() == 0.0 && (0.0..9.0e15).contains(&float)).then_some(float as u64)
    }
}

impl FromValue for u32 {
    const EXPECTED: &'static str = "a whole number from 0 to 4,294,967,295";

    fn from_value(value: &DeValue<'_>) -> Option<u32> {
        u64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for usize {
    const EXPECTED: &'static str = u64::EXPECTED;

    fn from_value(value: &DeValue<'_>) -> Option<usize> {
        u64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for f64 {
    const EXPECTED: &'static str = "a number";

    fn from_value(value: &DeValue<'_>) -> Option<f64> {
        match value.as_integer() {
            Some(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            Some(_) => None,
            None => value.as_float()?.as_str().parse().ok(),
        }
    }
}

impl FromValue for bool {
    const EXPECTED: &'static str = "true or false";

    fn from_value(value: &DeValue<'_>) -> Option<bool> {
        value.as_bool()
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "text in quotes";

    fn from_value(value: &DeValue<'_>) -> Option<String> {
        value.as_str().map(str::to_owned)
    }
}

/// The message of an error about a value, with the word that was likely meant.
fn with_nearest(entry: &KeyValue<'_>, error: Error) -> String {
    let message = error.to_string();
    let words = message.split_once("one of ").map(|(_, words)| words.split(", "));
    match (entry.value.get_ref().as_str(), words) {
        (Some(word), Some(words)) => {
            let near = nearest(word, words);
            message + &near
        }
        _ => message,
    }
}

/// Whole numbers that are written as decimals, `1e6`, are whole numbers.
fn to_json(value: &DeValue<'_>) -> serde_json::Value {
    if let Some(number) = u64::from_value(value) {
        return number.into();
    }
    if let Some(number) = f64::from_value(value) {
        return number.into();
    }
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Boolean(value) => (*value).into(),
        other => describe(other).into(),
    }
}

/// A value in words: as short as it can be written, so that equal values have equal words.
fn describe(value: &DeValue<'_>) -> String {
    if let Some(number) = u64::from_value(value) {
        return number.to_string();
    }
    if let Some(number) = f64::from_value(value) {
        return number.to_string();
    }
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Integer(integer) => integer.as_str().to_owned(),
        other => format!("of type {}", other.type_str()),
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    names.join(", ")
}

/// `, did you mean NAME?` if one is near.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = names.map(|name| (strsim::jaro_winkler(word, name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((likeness, name)) if likeness > 0.7 => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    }
}
