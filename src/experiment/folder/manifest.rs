//! The manifest of a folder, how its plan counts cells and runs by their names, and the differences of two plans.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::lines::{error_at, json_message, replace};
use crate::error::Error;
use crate::experiment::check::Check;
use crate::experiment::study::{FORMAT, Manifest, ResolvedPlan};

/// What every format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
    #[serde(default)]
    version: String,
}

/// A folder's manifest, which must be there.
///
/// # Errors
/// [`Error::Damaged`] if there is none, if it is not one, if its format is another one, or if names in it repeat;
/// [`Error::Read`] with what the system says.
pub(crate) fn read(path: &Path) -> Result<Manifest, Error> {
    let expected = "not found; a folder that `swarmdoku run PLAN -o DIR` or `swarmdoku merge` has written was expected";
    find(path)?.ok_or_else(|| error_at(path, &[], expected.into()))
}

/// The manifest of a folder whose runs are to be believed: its plan must be the one that its hash names.
///
/// # Errors
/// As [`read`], and [`Error::Damaged`] for a plan that was changed.
pub(crate) fn read_checked(path: &Path) -> Result<(Manifest, Check), Error> {
    let manifest = read(path)?;
    let check = Check::new(&manifest).map_err(|found| error_at(path, &[], found))?;
    match manifest.plan.hash()? == manifest.plan_hash {
        true => Ok((manifest, check)),
        false => {
            Err(error_at(path, &[], "the plan is not the one whose hash is in plan_hash; restore the file".into()))
        }
    }
}

/// A folder's manifest, if there is one.
///
/// # Errors
/// As [`read`], but for a manifest that is not there.
pub(crate) fn find(path: &Path) -> Result<Option<Manifest>, Error> {
    match fs::read(path) {
        Ok(bytes) => decode(path, &bytes).map(Some),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Error::Read { path: path.into(), source }),
    }
}

fn decode(path: &Path, bytes: &[u8]) -> Result<Manifest, Error> {
    let expected = "a manifest as `swarmdoku run` writes it was expected";
    let not_a_manifest = |error: serde_json::Error| {
        let found = json_message(&error);
        error_at(path, &[error.line(), error.column()], format!("{found}; {expected}"))
    };
    let Version { format, version } = serde_json::from_slice(bytes).map_err(not_a_manifest)?;
    if format != FORMAT {
        let version = if version.is_empty() { "unknown" } else { &version };
        let message = format!(
            "the folder's format is {format}, but this program reads format {FORMAT}; use the version that wrote it ({version})"
        );
        return Err(error_at(path, &[], message));
    }
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(not_a_manifest)?;
    match repeated_name(&manifest.plan) {
        Some(name) => {
            let message = format!("the name `{name}` stands twice in the plan, but must be unique; {expected}");
            Err(error_at(path, &[], message))
        }
        None => Ok(manifest),
    }
}

fn repeated_name(plan: &ResolvedPlan) -> Option<&str> {
    fn first<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a str> {
        let mut met = HashSet::new();
        names.map(String::as_str).find(|name| !met.insert(*name))
    }
    first(plan.puzzles.iter().map(|puzzle| &puzzle.name)).or(first(plan.variants.iter().map(|variant| &variant.name)))
}

/// Writes a folder's manifest.
///
/// # Errors
/// [`Error::Write`] with what the system says; the old manifest is still there then.
pub(crate) fn write(path: &Path, manifest: &Manifest) -> Result<(), Error> {
    let mut bytes =
        serde_json::to_vec_pretty(manifest).map_err(|error| Error::Internal(format!("a manifest as JSON: {error}")))?;
    bytes.push(b'\n');
    replace(path, |output| output.write_all(&bytes))
}

/// By name, where variants and puzzles stand in a plan.
pub(crate) struct Names {
    variants: HashMap<String, usize>,
    puzzles: HashMap<String, usize>,
    runs: u32,
    runs_of: Vec<u32>,
}

impl Names {
    /// The names of a plan.
    pub(crate) fn new(plan: &ResolvedPlan) -> Names {
        Names {
            variants: plan.variants.iter().map(|variant| variant.name.clone()).zip(0..).collect(),
            puzzles: plan.puzzles.iter().map(|puzzle| puzzle.name.clone()).zip(0..).collect(),
            runs: plan.runs,
            runs_of: plan.variants.iter().map(|variant| plan.runs_of(variant)).collect(),
        }
    }

    /// How the plan counts the cell of these names: as [`Plan::cell`](crate::experiment::plan::Plan::cell).
    ///
    /// # Errors
    /// A message that says which name the plan lacks.
    pub(crate) fn cell(&self, variant: &str, puzzle: &str) -> Result<usize, String> {
        let lacks = |what: &str, name: &str| {
            format!("the plan in manifest.json has no {what} `{name}` (was the file copied from another experiment?)")
        };
        let variant = self.variants.get(variant).ok_or_else(|| lacks("variant", variant))?;
        let puzzle = self.puzzles.get(puzzle).ok_or_else(|| lacks("puzzle", puzzle))?;
        Ok(variant * self.puzzles.len() + puzzle)
    }

    /// The cell of a run, as [`Names::cell`].
    ///
    /// # Errors
    /// As [`Names::index`].
    pub(crate) fn cell_of_run(&self, variant: &str, puzzle: &str, run: u32) -> Result<usize, String> {
        Ok((self.index(variant, puzzle, run)? / u64::from(self.runs)) as usize)
    }

    /// How the plan counts a run: as [`Plan::index`](crate::experiment::plan::Plan::index).
    ///
    /// # Errors
    /// A message that says what of it the plan lacks.
    pub(crate) fn index(&self, variant: &str, puzzle: &str, run: u32) -> Result<u64, String> {
        let cell = self.cell(variant, puzzle)?;
        let runs = self.runs_of[cell / self.puzzles.len()];
        if run >= runs {
            return Err(format!(
                "run {run} of `{variant}` on `{puzzle}` is not in the plan, which has {runs} of them, counted from 0"
            ));
        }
        Ok(cell as u64 * u64::from(self.runs) + u64::from(run))
    }
}

/// The keys whose values differ, with both values; none if the plans are equal.
///
/// # Errors
/// [`Error::Internal`] if a plan has no JSON form.
pub(super) fn changes(old: &ResolvedPlan, new: &ResolvedPlan) -> Result<Vec<String>, Error> {
    let (old, new) = (by_name(old)?, by_name(new)?);
    let mut found = Vec::new();
    compare("", &old, &new, &mut found);
    Ok(found)
}

/// The changes that are more than runs, puzzles and variants added to the old ones.
///
/// # Errors
/// [`Error::Internal`] if a plan has no JSON form.
pub(super) fn changes_beside_additions(old: &ResolvedPlan, new: &ResolvedPlan) -> Result<Vec<String>, Error> {
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
