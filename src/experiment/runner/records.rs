//! The result of a run as a record of the folder.

use serde_json::Value;

use super::super::plan::{Plan, RunId};
use super::super::provenance;
use super::{Experiment, ScoredBy};
use crate::error::Error;
use crate::experiment::{Record, Setting};
use crate::search::Outcome;

/// The values that the records of all runs have in common.
pub(super) struct RunRecords<'a> {
    plan: &'a Plan,
    /// By cell: parameters and budget by the names of the command line.
    parameters: Vec<Value>,
    timing: bool,
    host: String,
    git_revision: Option<&'a str>,
}

impl<'a> RunRecords<'a> {
    /// The records of an experiment's runs.
    ///
    /// # Errors
    /// [`Error::Internal`] if a parameter has no JSON form.
    pub(super) fn new(experiment: &Experiment<'a>) -> Result<RunRecords<'a>, Error> {
        let Experiment { plan, timing, git_revision, .. } = *experiment;
        let cell = |cell: u64| plan.parameters(plan.run(cell * u64::from(plan.resolved().runs)));
        let parameters = (0..plan.cells() as u64).map(cell).collect::<Result<_, Error>>()?;
        Ok(RunRecords { plan, parameters, timing, host: provenance::host(), git_revision })
    }

    /// The record of a run that ended.
    pub(super) fn of(&self, id: RunId, outcome: &Outcome, scored_by: &ScoredBy) -> Record {
        let (variant, name) = self.plan.names(id);
        let algorithm = self.plan.variant(id).algorithm();
        let setting = Setting::new(algorithm.name, self.parameters[self.plan.cell(id)].clone());
        let ScoredBy { backend, adapter, reason } = scored_by;
        let setting = match algorithm.scores() {
            true => setting.on(*backend, adapter.clone(), reason.clone()).seeded(self.plan.seed(id)),
            false => setting,
        };
        let givens = self.plan.puzzle(id).givens();
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
