//! The stops of a run as parameters: what an option, a plan's `[budget]` and a record call each of them.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::parameter::{Needs, Parameter, Settings};
use super::{Budget, Convergence};

const ANY: (u64, u64) = (0, u64::MAX);
const SMALL: (u64, u64) = (0, u32::MAX as u64);
const POSITIVE: (u64, u64) = (1, u32::MAX as u64);

const EPOCHS: Parameter = Parameter::count("epochs", "N", SMALL, "Epochs of each restart after its first fill");
const RESTARTS: Parameter = Parameter::count("restarts", "N", POSITIVE, "Restarts, the first attempt included");
const EVALUATIONS: Parameter = Parameter::count("evaluations", "N", ANY, "Candidates scored in all");
const PATIENCE: Parameter = Parameter::count(
    "patience",
    "EPOCHS",
    POSITIVE,
    "Stop if the best total has not improved for so many epochs, counted through all restarts",
);
const THRESHOLD: Parameter =
    Parameter::count("threshold", "SCORE", SMALL, "An improvement by no more than this counts as none [default: 0]")
        .needing(Needs::AnyOf(&["patience"]));
const NODES: Parameter = Parameter::count("nodes", "N", ANY, "Nodes visited by an exact method");
const TIMEOUT: Parameter =
    Parameter::seconds("timeout", "Seconds of wall time per puzzle; the one stop that cannot be repeated");

/// The stops of an algorithm that scores a population.
pub const OF_POPULATIONS: &[Parameter] = &[EVALUATIONS, EPOCHS, RESTARTS, PATIENCE, THRESHOLD, TIMEOUT];

/// The stops of an exact method.
pub const OF_EXACT: &[Parameter] = &[NODES, TIMEOUT];

/// All stops, in the order of help.
pub const ALL: &[Parameter] = &[EVALUATIONS, EPOCHS, RESTARTS, PATIENCE, THRESHOLD, NODES, TIMEOUT];

/// No stop at all.
const NONE: Budget =
    Budget { evaluations: None, epochs: None, restarts: None, convergence: None, nodes: None, time: None };

/// A budget of evaluations alone.
pub const fn evaluations(evaluations: u64) -> Budget {
    Budget { evaluations: Some(evaluations), ..NONE }
}

/// A budget of epochs and restarts.
pub const fn epochs_and_restarts(epochs: u32, restarts: u32) -> Budget {
    Budget { epochs: Some(epochs), restarts: Some(restarts), ..NONE }
}

/// A budget of nodes alone.
pub const fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..NONE }
}

/// The budget of these stops; what was not set is that of `default`.
pub fn budget(set: &Settings, default: &Budget) -> Budget {
    let count = |name| set.get(name).and_then(Value::as_u64);
    let small = |name| count(name).and_then(|count| u32::try_from(count).ok());
    let convergence =
        small("patience").map(|patience| Convergence { patience, threshold: small("threshold").unwrap_or_default() });
    let seconds = set.get("timeout").and_then(Value::as_f64);
    Budget {
        evaluations: count("evaluations").or(default.evaluations),
        epochs: small("epochs").or(default.epochs),
        restarts: small("restarts").or(default.restarts),
        convergence: convergence.or(default.convergence),
        nodes: count("nodes").or(default.nodes),
        time: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).or(default.time),
    }
}

/// The stops of a budget as records hold them: the four that were there from the first are null where they are not set.
pub(super) fn to_json(budget: &Budget, stops: &[Parameter]) -> Map<String, Value> {
    let mut all = Map::new();
    for stop in stops {
        let value = value(budget, stop.name);
        if !(value.is_null() && ["patience", "threshold"].contains(&stop.name)) {
            all.insert(stop.key(), value);
        }
    }
    all
}

/// The value of a stop by its name; null if the budget does not have it.
pub fn value(budget: &Budget, name: &str) -> Value {
    match name {
        "evaluations" => json!(budget.evaluations),
        "epochs" => json!(budget.epochs),
        "restarts" => json!(budget.restarts),
        "patience" => json!(budget.convergence.map(|convergence| convergence.patience)),
        "threshold" => json!(budget.convergence.map(|convergence| convergence.threshold)),
        "nodes" => json!(budget.nodes),
        "timeout" => json!(budget.time.map(|time| time.as_secs_f64())),
        _ => Value::Null,
    }
}
