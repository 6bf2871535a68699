//! The parts of lines that a report needs, borrowed from them where nothing is escaped: a line is read and forgotten.

use std::borrow::Cow;

use serde::Deserialize;

use crate::experiment::study::TraceEntry;
use crate::search::Stop;

/// The fields of a [`RunLine`](crate::experiment::study::RunLine) that a report needs.
#[derive(Deserialize)]
pub struct RunPart<'a> {
    #[serde(borrow)]
    pub plan: Cow<'a, str>,
    #[serde(borrow)]
    pub variant: Cow<'a, str>,
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    pub run: u32,
    #[serde(borrow)]
    pub backend: Cow<'a, str>,
    #[serde(borrow)]
    pub adapter: Cow<'a, str>,
    pub solved: bool,
    pub score: Option<TotalPart>,
    pub evaluations: u64,
    pub stop: Stop,
    pub wall_s: Option<f64>,
    #[serde(borrow)]
    pub version: Cow<'a, str>,
    #[serde(borrow)]
    pub git_revision: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub host: Cow<'a, str>,
}

/// The part of a score that a report needs.
#[derive(Deserialize)]
pub struct TotalPart {
    pub total: u32,
}

/// A [`TraceLine`](crate::experiment::study::TraceLine).
#[derive(Deserialize)]
pub struct TracePart<'a> {
    #[serde(borrow)]
    pub variant: Cow<'a, str>,
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    pub run: u32,
    pub trace: Vec<TraceEntry>,
}

/// Who computed a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The machine's name.
    pub host: String,
    /// `scalar`, `cpu` or `gpu`.
    pub backend: String,
    /// The instruction set or the adapter.
    pub adapter: String,
    /// The program's version.
    pub version: String,
    /// The commit it was built from.
    pub git_revision: Option<String>,
}

impl Origin {
    /// True if this run is from there.
    pub(super) fn is_of(&self, part: &RunPart) -> bool {
        self.host == part.host
            && self.backend == part.backend
            && self.adapter == part.adapter
            && self.version == part.version
            && self.git_revision.as_deref() == part.git_revision.as_deref()
    }

    /// Where this run is from.
    pub(super) fn of(part: &RunPart) -> Origin {
        Origin {
            host: part.host.to_string(),
            backend: part.backend.to_string(),
            adapter: part.adapter.to_string(),
            version: part.version.to_string(),
            git_revision: part.git_revision.as_deref().map(String::from),
        }
    }
}
