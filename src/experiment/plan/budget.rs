//! The budget of a plan's runs.

use std::time::Duration;

use serde_json::{Value, json};

use super::table::Table;
use crate::error::Error;
use crate::search::Budget;

/// Reads `[budget]`.
///
/// # Errors
/// [`Error::Plan`] for a value that no budget has, and for one that bounds nothing.
pub fn read(table: &mut Table<'_>) -> Result<Budget, Error> {
    let seconds: Option<f64> = table.get("seconds")?;
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let budget = Budget {
        evaluations: table.get("evaluations")?,
        epochs: table.get("epochs")?,
        restarts: table.get("restarts")?,
        convergence: None,
        time: time.map_err(|_| table.refuse("seconds", "0 or more seconds"))?,
    };
    table.clone().finish()?;
    // Whether there is room for one epoch depends on the population and is asked for each algorithm.
    budget.validate(0).map_err(|error| table.place_of(error))?;
    Ok(budget)
}

/// The budget by the names of the plan.
pub fn to_json(budget: &Budget) -> Value {
    json!({
        "evaluations": budget.evaluations,
        "epochs": budget.epochs,
        "restarts": budget.restarts,
        "seconds": budget.time.map(|time| time.as_secs_f64()),
    })
}
