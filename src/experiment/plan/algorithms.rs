//! From a table of a plan to a variant: every key is an option of the command line and means the same.
//!
//! What is not named has the value that `solve` gives it, but for the stops: those are the plan's `[budget]`, and those
//! that the table or its preset names, which are its own.

use super::budget;
use super::table::PlanTable;
use crate::error::Error;
use crate::fitness::Backend;
use crate::fitness::backends::BACKENDS;
use crate::search::parameter::Settings;
use crate::search::{ALGORITHMS, Algorithm, Budget, Variant, stops};
use crate::sudoku::Puzzle;

/// A variant of the plan under its name.
pub(super) struct Planned {
    /// Unique in the plan.
    pub name: String,
    /// The algorithm and its settings.
    pub variant: Variant,
    /// The stops that are its own.
    pub own: Settings,
    /// All its stops.
    pub budget: Budget,
    /// The backend that its runs must have; none if any.
    pub backend: Option<Backend>,
}

/// The variant that a table describes.
///
/// # Errors
/// [`Error::Plan`] for an unknown algorithm, a key that it does not use, a value that it cannot have, and stops that do not
/// bound its runs.
pub(super) fn read(mut table: PlanTable<'_>, plan: &Settings, sample: &Puzzle) -> Result<Planned, Error> {
    let algorithm = named(&mut table)?;
    let label: Option<String> = table.get("label")?;
    let mut variant = algorithm.variant();
    for (key, set) in
        [("rule", Variant::set_rule as fn(&mut Variant, &str) -> Result<(), Error>), ("preset", Variant::set_preset)]
    {
        if let Some(name) = table.get::<String>(key)? {
            set(&mut variant, &name).map_err(|error| table.place_at(key, error))?;
        }
    }
    for parameter in algorithm.parameters {
        if let Some(value) = table.json(parameter.name) {
            variant.set_value(parameter.name, &value).map_err(|error| table.place_at(parameter.name, error))?;
        }
    }
    let own = own_stops(&mut table, &variant)?;
    let backend = backend(&mut table, algorithm)?;
    refuse_unused(&table, algorithm)?;
    table.clone().finish()?;
    variant.resolve(sample).map_err(|error| table.place_of(error))?;
    let budget = stops::budget(&own, &of_plan(plan, algorithm));
    variant.check_budget(sample, &budget).map_err(|error| table.place_of(unbounded(error, algorithm)))?;
    let name = label.unwrap_or_else(|| algorithm.name.to_owned());
    Ok(Planned { name, variant, own, budget, backend })
}

fn named(table: &mut PlanTable<'_>) -> Result<&'static Algorithm, Error> {
    let name: String = table.need("algorithm")?;
    Algorithm::named(&name).or_else(|_| {
        let names: Vec<_> = ALGORITHMS.iter().map(|algorithm| (algorithm.name, *algorithm)).collect();
        table.choice("algorithm", &names, ALGORITHMS[0])
    })
}

/// The backend that the table names; and the engine, of which there is one so far.
fn backend(table: &mut PlanTable<'_>, algorithm: &Algorithm) -> Result<Option<Backend>, Error> {
    for key in ["backend", "engine"] {
        if table.has(key) && !algorithm.scores() {
            table.value(key);
            return Err(table.refuse(key, &format!("left out: {} scores nothing", algorithm.name)));
        }
    }
    let engines: Vec<_> = algorithm.engines().iter().map(|engine| (*engine, ())).collect();
    table.choice("engine", &engines, ())?;
    let computing = BACKENDS.iter().filter(|row| !row.is_auto());
    let backends: Vec<_> = computing.map(|row| (row.name(), Some(row.backend))).collect();
    table.choice("backend", &backends, None)
}

/// The stops of the table, and for the rest those of its preset.
fn own_stops(table: &mut PlanTable<'_>, variant: &Variant) -> Result<Settings, Error> {
    let mut own = budget::stops(table, variant.algorithm().stops)?;
    if let Some(preset) = variant.preset_budget() {
        for stop in variant.algorithm().stops.iter().filter(|stop| ["epochs", "restarts"].contains(&stop.name)) {
            let value = stops::value(preset, stop.name);
            if own.get(stop.name).is_none() && !value.is_null() {
                own.set(stop, value);
            }
        }
    }
    Ok(own)
}

/// The stops of `[budget]` that the algorithm has.
fn of_plan(plan: &Settings, algorithm: &Algorithm) -> Budget {
    let mut taken = Settings::default();
    for stop in algorithm.stops {
        if let Some(value) = plan.get(stop.name) {
            taken.set(stop, value.clone());
        }
    }
    stops::budget(&taken, &Budget::default())
}

/// # Errors
/// [`Error::Plan`] for a key of another algorithm, with those that have it.
fn refuse_unused(table: &PlanTable<'_>, algorithm: &Algorithm) -> Result<(), Error> {
    for other in ALGORITHMS {
        let names = other.parameters.iter().map(|parameter| parameter.name).chain(other.stops.iter().map(budget::key));
        for key in names {
            let option = if key == "seconds" { "timeout" } else { key };
            if table.has(key) && algorithm.parameter(option).is_err() && algorithm.stop(option).is_err() {
                return Err(table.place_at(key, algorithm.unused(option)));
            }
        }
    }
    Ok(())
}

/// Says which algorithm has no stop, and which stops it has.
fn unbounded(error: Error, algorithm: &Algorithm) -> Error {
    match error {
        Error::Parameter { name: "budget", found, expected } => {
            let stops: Vec<&str> = algorithm.stops.iter().map(budget::key).collect();
            let problem = format!(
                "is {found} for {}, but must be {expected}; its stops are {}",
                algorithm.name,
                stops.join(", ")
            );
            Error::Setting { name: "budget", problem }
        }
        other => other,
    }
}
