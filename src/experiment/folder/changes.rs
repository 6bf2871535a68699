//! What is different between the plan of a folder and the plan at hand.

use serde_json::{Map, Value};

use crate::error::Error;
use crate::experiment::study::ResolvedPlan;

/// The keys whose values differ, with both values; none if the plans are equal.
///
/// # Errors
/// [`Error::Internal`] if a plan has no JSON form.
pub fn changes(old: &ResolvedPlan, new: &ResolvedPlan) -> Result<Vec<String>, Error> {
    let (old, new) = (by_name(old)?, by_name(new)?);
    let mut found = Vec::new();
    compare("", &old, &new, &mut found);
    Ok(found)
}

/// The changes that are more than runs, puzzles and variants added to the old ones.
///
/// # Errors
/// [`Error::Internal`] if a plan has no JSON form.
pub fn changes_beside_additions(old: &ResolvedPlan, new: &ResolvedPlan) -> Result<Vec<String>, Error> {
    let mut reduced = new.clone();
    reduced.runs = if new.runs > old.runs { old.runs } else { new.runs };
    reduced.puzzles.retain(|puzzle| old.puzzles.iter().any(|old| old.name == puzzle.name));
    reduced.variants.retain(|variant| old.variants.iter().any(|old| old.name == variant.name));
    changes(old, &reduced)
}

/// The plan as a tree in which puzzles and variants stand under their names.
fn by_name(plan: &ResolvedPlan) -> Result<Value, Error> {
    let mut tree = serde_json::to_value(plan).map_err(|error| Error::Internal(format!("a plan as JSON: {error}")))?;
    for (list, key) in [("puzzles", "puzzle"), ("variants", "algorithm")] {
        let Value::Array(items) = tree[list].take() else { continue };
        let named = items.into_iter().map(|item| (item["name"].as_str().unwrap_or_default().to_owned(), item));
        tree[key] = Value::Object(named.collect::<Map<_, _>>());
        if let Some(tree) = tree.as_object_mut() {
            tree.remove(list);
        }
    }
    Ok(tree)
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    let (Value::Object(olds), Value::Object(news)) = (old, new) else {
        if old != new {
            found.push(format!("{path} is {new}, was {old}"));
        }
        return;
    };
    let below = |key: &str| match path {
        "" => key.to_owned(),
        _ if key.contains([' ', '.']) => format!("{path}.\"{key}\""),
        _ => format!("{path}.{key}"),
    };
    for (key, old) in olds {
        match news.get(key) {
            Some(new) => compare(&below(key), old, new, found),
            None => found.push(format!("{} is missing", below(key))),
        }
    }
    let added = news.keys().filter(|key| !olds.contains_key(*key));
    found.extend(added.map(|key| format!("{} is new", below(key))));
}
