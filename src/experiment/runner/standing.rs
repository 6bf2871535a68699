//! Where an experiment stands, for whoever watches it.

use super::super::folder::Recovered;
use super::super::plan::{Plan, RunId};
use super::super::study::Shard;
use crate::search::Outcome;

/// Where an experiment stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Runs that this folder is for.
    pub runs: u64,
    /// How many of them have ended, in earlier processes too.
    pub ended: u64,
    /// How many of these had ended before this process began.
    pub ended_before: u64,
    /// Candidates that the runs which this process ended have scored.
    pub evaluations: u64,
    /// The cell in which a run ended last.
    pub cell: Option<CellStanding>,
}

/// Where a cell stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellStanding {
    /// The variant's name.
    pub variant: String,
    /// The puzzle's name.
    pub puzzle: String,
    /// Runs that this folder is for.
    pub runs: u32,
    /// How many of them have ended.
    pub ended: u32,
    /// How many of these solved the puzzle.
    pub solved: u32,
}

/// Counts runs as they end.
pub struct Counts<'a> {
    plan: &'a Plan,
    runs: u64,
    ended: u64,
    ended_before: u64,
    evaluations: u64,
    last: Option<RunId>,
    cells: Vec<CellCount>,
}

#[derive(Clone, Copy, Default)]
struct CellCount {
    runs: u32,
    ended: u32,
    solved: u32,
}

impl<'a> Counts<'a> {
    /// The counts of a folder for this part of the plan.
    pub fn new(plan: &'a Plan, shard: Option<Shard>, recovered: &Recovered) -> Counts<'a> {
        let mut cells = vec![CellCount::default(); plan.cells()];
        for index in 0..plan.runs() {
            let id = plan.run(index);
            let cell = &mut cells[plan.cell(id)];
            cell.runs += u32::from(plan.is_in(id, shard));
            cell.ended += u32::from(recovered.done.has(index));
            cell.solved += u32::from(recovered.solved.has(index));
        }
        let runs = cells.iter().map(|cell| u64::from(cell.runs)).sum();
        let ended = recovered.done.count();
        Counts { plan, runs, ended, ended_before: ended, evaluations: 0, last: None, cells }
    }

    /// A run has ended.
    pub fn add(&mut self, id: RunId, outcome: &Outcome) {
        self.ended += 1;
        self.evaluations += outcome.evaluations;
        self.last = Some(id);
        let cell = &mut self.cells[self.plan.cell(id)];
        cell.ended += 1;
        cell.solved += u32::from(outcome.solved());
    }

    /// Runs that have not ended.
    pub fn left(&self) -> u64 {
        self.runs.saturating_sub(self.ended)
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        let cell = self.last.map(|id| {
            let (variant, puzzle) = self.plan.names(id);
            let CellCount { runs, ended, solved } = self.cells[self.plan.cell(id)];
            CellStanding { variant: variant.into(), puzzle: puzzle.into(), runs, ended, solved }
        });
        let Counts { runs, ended, ended_before, evaluations, .. } = *self;
        Standing { runs, ended, ended_before, evaluations, cell }
    }
}
