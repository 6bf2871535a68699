//! The result of a run as the folder's lines.

use serde_json::Value;

use super::super::origin;
use super::super::plan::{Plan, RunId};
use super::super::study::{RunLine, TraceEntry, TraceLine};
use super::{Experiment, ScoredBy};
use crate::error::Error;
use crate::search::Outcome;

/// The values that the lines of all runs have in common.
pub struct Lines<'a> {
    plan: &'a Plan,
    /// By cell: parameters and budget by the names of the command line.
    parameters: Vec<Value>,
    timing: bool,
    host: String,
    git_revision: Option<&'a str>,
}

impl<'a> Lines<'a> {
    /// The lines of an experiment's runs.
    ///
    /// # Errors
    /// [`Error::Internal`] if a parameter has no JSON form.
    pub fn new(experiment: &Experiment<'a>) -> Result<Lines<'a>, Error> {
        let Experiment { plan, timing, git_revision, .. } = *experiment;
        let cell = |cell: u64| plan.parameters(plan.run(cell * u64::from(plan.resolved().runs)));
        let parameters = (0..plan.cells() as u64).map(cell).collect::<Result<_, Error>>()?;
        Ok(Lines { plan, parameters, timing, host: origin::host(), git_revision })
    }

    /// The lines of a run that ended.
    pub fn of(&self, id: RunId, outcome: &Outcome, scored_by: &ScoredBy) -> (RunLine, TraceLine) {
        let (variant, name) = self.plan.names(id);
        let puzzle = &self.plan.resolved().puzzles[id.puzzle];
        let run = RunLine {
            plan: self.plan.hash().into(),
            variant: variant.into(),
            name: name.into(),
            run: id.run,
            puzzle: puzzle.puzzle.clone(),
            shape: puzzle.shape.clone(),
            algorithm: self.plan.variant(id).name().into(),
            parameters: self.parameters[self.plan.cell(id)].clone(),
            backend: scored_by.backend.name().into(),
            adapter: scored_by.adapter.clone(),
            backend_reason: scored_by.reason.clone(),
            seed: self.plan.seed(id),
            solved: outcome.solved(),
            score: Some(outcome.score.into()),
            evaluations: outcome.evaluations,
            nodes: outcome.nodes,
            epochs: outcome.epochs,
            restarts: outcome.restarts,
            stop: outcome.stop,
            wall_s: outcome.seconds().filter(|_| self.timing),
            evaluations_per_s: outcome.evaluations_per_second().filter(|_| self.timing),
            trajectory: outcome.nodes.is_none().then(|| format!("{:016x}", outcome.trajectory)),
            solution: outcome.solved().then(|| outcome.grid.to_string()),
            best: Some(outcome.grid.to_string()),
            version: origin::VERSION.into(),
            git_revision: self.git_revision.map(str::to_owned),
            host: self.host.clone(),
        };
        let entry = |point: &crate::search::TracePoint| {
            TraceEntry(point.restart, point.epoch, point.evaluations, point.score.total())
        };
        let trace = outcome.trace.iter().map(entry).collect();
        (run, TraceLine { variant: variant.into(), name: name.into(), run: id.run, trace })
    }
}
