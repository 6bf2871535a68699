//! The manifest of a folder, and what belongs to it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::experiment::study::{FORMAT, Manifest, ResolvedPlan};

/// What every format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
    #[serde(default)]
    version: String,
}

/// Reads the manifest of a folder.
///
/// # Errors
/// [`Error::Damaged`] if there is none, if it is not one, if its format is another one, or if names in it repeat;
/// [`Error::Read`] if it cannot be read.
pub fn read_manifest(folder: &Path) -> Result<Manifest, Error> {
    let path = folder.join("manifest.json");
    let refused = |message: String| Error::Damaged { path: path.clone(), message };
    let text = fs::read(&path).map_err(|source| match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => refused(
            "not found; a report is made of a folder that `swarmdoku run PLAN -o DIR` or `merge` has written".into(),
        ),
        _ => Error::Read { path: path.clone(), source },
    })?;
    let not_a_manifest = |error| refused(format!("{error}; a manifest as `swarmdoku run` writes it was expected"));
    let Version { format, version } = serde_json::from_slice(&text).map_err(not_a_manifest)?;
    if format != FORMAT {
        return Err(refused(format!(
            "the folder's format is {format}, but this program reads format {FORMAT}; make the report with the version that \
             wrote it ({})",
            if version.is_empty() { "unknown" } else { &version }
        )));
    }
    let manifest: Manifest = serde_json::from_slice(&text).map_err(not_a_manifest)?;
    match repeated_name(&manifest.plan) {
        Some(name) => Err(refused(format!("the name `{name}` stands twice in the plan, but must be unique"))),
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

/// Where the cells of a plan stand: one after another, the puzzles of a variant together.
pub struct Places {
    variants: HashMap<String, usize>,
    puzzles: HashMap<String, usize>,
}

impl Places {
    /// The cells of this plan.
    pub fn new(plan: &ResolvedPlan) -> Places {
        let variants = plan.variants.iter().map(|variant| variant.name.clone()).zip(0..).collect();
        let puzzles = plan.puzzles.iter().map(|puzzle| puzzle.name.clone()).zip(0..).collect();
        Places { variants, puzzles }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.variants.len() * self.puzzles.len()
    }

    /// The place of the cell of a variant on a puzzle, each by its place in the plan.
    pub fn cell(&self, variant: usize, puzzle: usize) -> usize {
        variant * self.puzzles.len() + puzzle
    }

    /// The place of the cell of these names.
    ///
    /// # Errors
    /// A message that says which name the plan lacks.
    pub fn find(&self, variant: &str, puzzle: &str) -> Result<usize, String> {
        let lacks = |what: &str, name: &str| {
            format!("the plan in manifest.json has no {what} `{name}`; was this file copied from another experiment?")
        };
        let variant = self.variants.get(variant).ok_or_else(|| lacks("variant", variant))?;
        let puzzle = self.puzzles.get(puzzle).ok_or_else(|| lacks("puzzle", puzzle))?;
        Ok(self.cell(*variant, *puzzle))
    }
}
