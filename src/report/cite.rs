//! How to cite a report, and how to make its figures again.

use super::plan_file::to_plan_file;
use super::read::Study;
use crate::experiment::study::{Manifest, ResolvedPlan};

/// Whom to name.
pub struct Citation {
    /// A sentence.
    pub text: String,
    /// The same for BibTeX.
    pub bibtex: String,
}

/// What to do.
pub struct Reproduction {
    /// Step by step, in words.
    pub steps: Vec<String>,
    /// A plan's file that means the same plan.
    pub plan: String,
    /// The manifest, as JSON.
    pub manifest: String,
}

impl Citation {
    /// The citation of the program that made these runs. The project's CITATION.cff has the same authors and title.
    pub fn new(manifest: &Manifest) -> Citation {
        let Manifest { version, started, .. } = manifest;
        let year = started.split('-').next().unwrap_or_default();
        let revision =
            manifest.git_revision.as_deref().map(|revision| format!(", revision {revision}")).unwrap_or_default();
        Citation {
            text: format!(
                "The swarmdoku authors: swarmdoku, large-population metaheuristics on Sudoku, version {version}{revision}. \
                 Software, {year}."
            ),
            bibtex: format!(
                "@software{{swarmdoku,\n  author  = {{{{The swarmdoku authors}}}},\n  title   = {{swarmdoku: large-population \
                 metaheuristics on Sudoku}},\n  version = {{{version}{revision}}},\n  year    = {{{year}}}\n}}"
            ),
        }
    }
}

impl Reproduction {
    /// How to make the runs of this folder again.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the manifest cannot be written as JSON, which no input should bring about.
    pub fn new(study: &Study) -> Result<Reproduction, crate::Error> {
        let manifest = serde_json::to_string_pretty(&study.manifest)
            .map_err(|error| crate::Error::Internal(format!("a manifest as JSON: {error}")))?;
        let Manifest { version, git_revision, plan_hash, plan, .. } = &study.manifest;
        let ResolvedPlan { seed, .. } = plan;
        let revision = git_revision.as_deref().map(|revision| format!(" (revision {revision})")).unwrap_or_default();
        Ok(Reproduction {
            steps: vec![
                format!("Install swarmdoku {version}{revision}."),
                format!(
                    "Save plan.toml, which names every puzzle, every parameter, the budget and the master seed {seed}, and run \
                     it: swarmdoku run plan.toml -o again. again/manifest.json then has the plan hash {plan_hash}."
                ),
                "Make the report: swarmdoku report again. Every run is decided by its seed, on every backend and number of \
                 threads, so runs.jsonl differs in its order and in times alone; runs that the wall time ended are the \
                 exception."
                    .into(),
                "For a single run give puzzle, algorithm, parameters and seed from its line in runs.jsonl to swarmdoku solve, \
                 and compare the trajectory."
                    .into(),
            ],
            plan: to_plan_file(plan),
            manifest,
        })
    }
}
