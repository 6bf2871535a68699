//! How a plan counts its cells and runs, by their names.

use std::collections::HashMap;

use crate::experiment::study::ResolvedPlan;

/// By name, where variants and puzzles stand in a plan.
pub struct Names {
    variants: HashMap<String, usize>,
    puzzles: HashMap<String, usize>,
    runs: u32,
}

impl Names {
    /// The names of a plan.
    pub fn new(plan: &ResolvedPlan) -> Names {
        Names {
            variants: plan.variants.iter().map(|variant| variant.name.clone()).zip(0..).collect(),
            puzzles: plan.puzzles.iter().map(|puzzle| puzzle.name.clone()).zip(0..).collect(),
            runs: plan.runs,
        }
    }

    /// How the plan counts the cell of these names: as [`Plan::cell`](crate::experiment::plan::Plan::cell).
    ///
    /// # Errors
    /// A message that says which name the plan lacks.
    pub fn cell(&self, variant: &str, puzzle: &str) -> Result<usize, String> {
        let lacks = |what: &str, name: &str| {
            format!("the plan in manifest.json has no {what} `{name}` (was the file copied from another experiment?)")
        };
        let variant = self.variants.get(variant).ok_or_else(|| lacks("variant", variant))?;
        let puzzle = self.puzzles.get(puzzle).ok_or_else(|| lacks("puzzle", puzzle))?;
        Ok(variant * self.puzzles.len() + puzzle)
    }

    /// How the plan counts a run: as [`Plan::index`](crate::experiment::plan::Plan::index).
    ///
    /// # Errors
    /// A message that says what of it the plan lacks.
    pub fn index(&self, variant: &str, puzzle: &str, run: u32) -> Result<u64, String> {
        let (cell, runs) = (self.cell(variant, puzzle)?, self.runs);
        if run >= runs {
            return Err(format!(
                "run {run} of `{variant}` on `{puzzle}` is not in the plan, which has {runs} of them, counted from 0"
            ));
        }
        Ok(cell as u64 * u64::from(runs) + u64::from(run))
    }
}
