//! How much a run may do, when it has converged, and why it stopped.

use std::time::Duration;

use crate::error::Error;

/// Limits of a run; whichever is met first ends it. `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Budget {
    /// Candidates scored in all. An epoch that would exceed it is not begun.
    pub evaluations: Option<u64>,
    /// Epochs of each restart after its first fill, which is epoch 0.
    pub epochs: Option<u32>,
    /// Restarts, the first attempt included.
    pub restarts: Option<u32>,
    /// Stop if the best total has not improved for `patience` epochs.
    #[serde(flatten)]
    pub convergence: Option<Convergence>,
    /// Nodes visited by an exact method, which scores no candidate.
    #[serde(skip)]
    pub nodes: Option<u64>,
    /// Wall time, tested once per dispatch: the one limit that another run does not meet at the same place.
    #[serde(skip)]
    pub time: Option<Duration>,
}

impl Budget {
    /// # Errors
    /// [`Error::Parameter`] if nothing bounds the run, or a limit allows no epoch at all.
    pub fn validate(&self, population: usize) -> Result<(), Error> {
        if self.evaluations.is_some_and(|evaluations| evaluations < population as u64) {
            return Err(Error::Parameter {
                name: "evaluations",
                found: self.evaluations.unwrap_or_default().to_string(),
                expected: "at least the population, since the first fill is scored whole",
            });
        }
        if self.restarts == Some(0) {
            return Err(Error::Parameter { name: "restarts", found: "0".into(), expected: "at least 1" });
        }
        self.convergence.map_or(Ok(()), Convergence::validate)?;
        let bounded = self.evaluations.is_some()
            || self.time.is_some()
            || self.convergence.is_some()
            || (self.epochs.is_some() && self.restarts.is_some());
        if !bounded {
            return Err(Error::Parameter {
                name: "budget",
                found: "unlimited".into(),
                expected: "bounded by evaluations, by time, by patience, or by both epochs and restarts",
            });
        }
        Ok(())
    }
}

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// A solution was found, and the puzzle accepted it.
    Solved,
    /// The only restart had its epochs.
    Epochs,
    /// All restarts had their epochs.
    Restarts,
    /// The next epoch would have exceeded the evaluations.
    Evaluations,
    /// The best total has not improved for `patience` epochs.
    Converged,
    /// An exact method visited as many nodes as it may.
    Nodes,
    /// The wall time was over.
    Timeout,
    /// The user interrupted.
    Interrupted,
    /// The puzzle was shown to have no solution before any search.
    Unsolvable,
}

impl Stop {
    /// The name used in results.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Solved => "solved",
            Stop::Epochs => "epochs",
            Stop::Restarts => "restarts",
            Stop::Evaluations => "evaluations",
            Stop::Converged => "converged",
            Stop::Nodes => "nodes",
            Stop::Timeout => "timeout",
            Stop::Interrupted => "interrupted",
            Stop::Unsolvable => "unsolvable",
        }
    }
}

/// A run has converged when its best total does not fall any more: for how long, and by how much, it must fall.
///
/// Source: the exercise "detection of convergence" of the notebook "Sudoku-05-PSO". Epochs are counted through all
/// restarts, and the best total is that of the whole run, so a restart that does not get better than the ones before it
/// counts as standing still. Totals are integers and so is the threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Convergence {
    /// Epochs; at least 1.
    pub patience: u32,
    /// A fall by no more than this in the last `patience` epochs is none.
    pub threshold: u32,
}

impl Convergence {
    /// # Errors
    /// [`Error::Parameter`] if there is no patience.
    pub fn validate(self) -> Result<(), Error> {
        match self.patience {
            0 => Err(Error::Parameter { name: "patience", found: "0".into(), expected: "at least 1 epoch" }),
            _ => Ok(()),
        }
    }
}

/// The best total of a run after each of its epochs.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
pub struct Improvements {
    epochs: u64,
    /// Where the best total fell, and to what: (epochs before, best total from then on).
    falls: Vec<(u64, u32)>,
}

impl Improvements {
    /// Adds an epoch after which this is the run's best total.
    pub fn add_epoch(&mut self, best: u32) {
        if self.falls.last().is_none_or(|(_, last)| best < *last) {
            self.falls.push((self.epochs, best));
        }
        self.epochs += 1;
    }

    /// True if the best total has not fallen by more than the threshold within the last `patience` epochs. False as long
    /// as there were not more epochs than that.
    pub fn has_converged(&self, Convergence { patience, threshold }: Convergence) -> bool {
        let Some(then) = self.epochs.checked_sub(u64::from(patience) + 1) else { return false };
        let best_then = self.falls.iter().rev().find(|(epoch, _)| *epoch <= then);
        let best_now = self.falls.last();
        best_then.zip(best_now).is_some_and(|((_, then), (_, now))| then - now <= threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_must_bound_the_run_and_allow_one_epoch() {
        let none = Budget::default();
        assert!(none.validate(10).unwrap_err().to_string().contains("bounded by evaluations"));
        assert!(Budget { epochs: Some(3), ..none }.validate(10).is_err());
        assert!(Budget { epochs: Some(3), restarts: Some(1), ..none }.validate(10).is_ok());
        assert!(Budget { evaluations: Some(9), ..none }.validate(10).is_err());
        assert!(Budget { evaluations: Some(10), ..none }.validate(10).is_ok());
        assert!(Budget { evaluations: Some(10), restarts: Some(0), ..none }.validate(10).is_err());
        let convergence = |patience| Some(Convergence { patience, threshold: 0 });
        assert!(Budget { convergence: convergence(1), ..none }.validate(10).is_ok());
        assert!(Budget { convergence: convergence(0), ..none }.validate(10).is_err());
        assert!(Budget { time: Some(Duration::from_secs(1)), ..none }.validate(10).is_ok());
    }

    fn converged(bests: &[u32], patience: u32, threshold: u32) -> bool {
        let mut improvements = Improvements::default();
        bests.iter().for_each(|best| improvements.add_epoch(*best));
        improvements.has_converged(Convergence { patience, threshold })
    }

    #[test]
    fn a_run_has_converged_when_the_best_total_has_stood_for_patience_epochs() {
        assert!(!converged(&[], 1, 0));
        assert!(!converged(&[9], 1, 0), "not more epochs than patience");
        assert!(converged(&[9, 9], 1, 0));
        assert!(!converged(&[9, 8], 1, 0));
        assert!(!converged(&[9, 8, 8, 8], 3, 0), "three epochs ago it was 9");
        assert!(converged(&[9, 8, 8, 8, 8], 3, 0));
        assert!(!converged(&[9, 8, 8, 8, 7], 3, 0));
    }

    #[test]
    fn a_fall_by_no_more_than_the_threshold_is_none() {
        assert!(converged(&[9, 8, 7], 2, 2));
        assert!(!converged(&[9, 8, 7], 2, 1));
        assert!(converged(&[30, 9, 8, 7], 2, 2));
    }
}
