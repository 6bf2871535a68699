//! The manifest of a folder.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use super::{damage, replace};
use crate::error::Error;
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
pub fn read(path: &Path) -> Result<Manifest, Error> {
    let expected = "not found; a folder that `swarmdoku run PLAN -o DIR` or `swarmdoku merge` has written was expected";
    find(path)?.ok_or_else(|| damage::at(path, &[], expected.into()))
}

/// A folder's manifest, if there is one.
///
/// # Errors
/// As [`read`], but for a manifest that is not there.
pub fn find(path: &Path) -> Result<Option<Manifest>, Error> {
    match fs::read(path) {
        Ok(bytes) => decode(path, &bytes).map(Some),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(Error::Read { path: path.into(), source }),
    }
}

fn decode(path: &Path, bytes: &[u8]) -> Result<Manifest, Error> {
    let expected = "a manifest as `swarmdoku run` writes it was expected";
    let not_a_manifest = |error: serde_json::Error| {
        let found = damage::message(&error);
        damage::at(path, &[error.line(), error.column()], format!("{found}; {expected}"))
    };
    let Version { format, version } = serde_json::from_slice(bytes).map_err(not_a_manifest)?;
    if format != FORMAT {
        let version = if version.is_empty() { "unknown" } else { &version };
        let message = format!(
            "the folder's format is {format}, but this program reads format {FORMAT}; use the version that wrote it ({version})"
        );
        return Err(damage::at(path, &[], message));
    }
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(not_a_manifest)?;
    match repeated_name(&manifest.plan) {
        Some(name) => {
            let message = format!("the name `{name}` stands twice in the plan, but must be unique; {expected}");
            Err(damage::at(path, &[], message))
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
pub fn write(path: &Path, manifest: &Manifest) -> Result<(), Error> {
    let mut bytes =
        serde_json::to_vec_pretty(manifest).map_err(|error| Error::Internal(format!("a manifest as JSON: {error}")))?;
    bytes.push(b'\n');
    replace(path, |output| output.write_all(&bytes))
}
