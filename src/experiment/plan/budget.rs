//! The stops of a plan's runs: those of `[budget]`, which each algorithm takes as far as it has them, and its own.

use serde_json::{Map, Value};

use super::table::PlanTable;
use crate::error::Error;
use crate::search::parameter::{Parameter, Settings};
use crate::search::{Budget, stops};

/// Stops that stand in every resolved plan, set or not.
const ALWAYS: [&str; 4] = ["evaluations", "epochs", "restarts", "seconds"];

/// What a plan calls a stop: `seconds` is the option `--timeout`.
pub(super) fn key(stop: &Parameter) -> &'static str {
    if stop.name == "timeout" { "seconds" } else { stop.name }
}

/// Reads `[budget]`.
///
/// # Errors
/// [`Error::Plan`] for a key that is no stop and a value that no stop has.
pub(super) fn read(table: &mut PlanTable<'_>) -> Result<Settings, Error> {
    let set = stops(table, stops::ALL)?;
    table.clone().finish()?;
    Ok(set)
}

/// Reads those of these stops that a table has.
///
/// # Errors
/// [`Error::Plan`] for a value that no stop has.
pub(super) fn stops(table: &mut PlanTable<'_>, stops: &'static [Parameter]) -> Result<Settings, Error> {
    let mut set = Settings::default();
    for stop in stops {
        if let Some(value) = table.json(key(stop)) {
            let value = stop.read_value(&value).map_err(|error| table.place_at(key(stop), error))?;
            set.set(stop, value);
        }
    }
    match set.get("threshold").is_some() && set.get("patience").is_none() {
        true => Err(table.refuse("threshold", "left out, or used with patience")),
        false => Ok(set),
    }
}

/// The stops of a plan by its names.
pub(super) fn to_json(set: &Settings) -> Value {
    let budget = stops::budget(set, &Budget::default());
    let mut all = Map::new();
    for stop in stops::ALL {
        if ALWAYS.contains(&key(stop)) || set.get(stop.name).is_some() {
            all.insert(key(stop).to_owned(), stops::value(&budget, stop.name));
        }
    }
    all.into()
}

/// The stops that are an algorithm's own, by the names of a plan; none if it has none.
pub(super) fn own_to_json(set: &Settings) -> Option<Value> {
    let budget = stops::budget(set, &Budget::default());
    let own = stops::ALL.iter().filter(|stop| set.get(stop.name).is_some());
    let own: Map<String, Value> = own.map(|stop| (key(stop).to_owned(), stops::value(&budget, stop.name))).collect();
    (!own.is_empty()).then(|| own.into())
}
