//! The result of a run as a record of the folder.

use serde_json::Value;

use super::super::plan::{Plan, RunId};
use super::super::provenance;
use super::{Computer, Experiment};
use crate::error::Error;
use crate::experiment::{Record, Setting, parameters_json};
use crate::search::Outcome;

/// What the lines of all runs have in common.
pub struct Lines<'a> {
    plan: &'a Plan,
    /// By variant: parameters and budget by the names of the command line.
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
        let parameters = |algorithm| parameters_json(algorithm, plan.budget());
        let parameters = plan.algorithms().iter().map(parameters).collect::<Result<_, Error>>()?;
        Ok(Lines { plan, parameters, timing, host: provenance::host(), git_revision })
    }

    /// The record of a run that ended.
    pub fn of(&self, id: RunId, outcome: &Outcome, computer: &Computer) -> Record {
        let Computer { backend, adapter, reason } = computer;
        let (variant, name) = self.plan.names(id);
        let setting = Setting::new(self.plan.algorithms()[id.variant].name(), self.parameters[id.variant].clone())
            .on(*backend, adapter.clone(), reason.clone())
            .seeded(self.plan.seed(id));
        let givens = self.plan.puzzles()[id.puzzle].givens();
        let record = Record {
            plan: Some(self.plan.hash().into()),
            variant: Some(variant.into()),
            run: Some(id.run),
            git_revision: self.git_revision.map(str::to_owned),
            host: Some(self.host.clone()),
            ..Record::new(Some(name.into()), givens, setting, outcome)
        };
        if self.timing { record } else { record.untimed() }
    }
}
