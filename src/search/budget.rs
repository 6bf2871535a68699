//! How much a run may do, and why it stopped.

use std::time::Duration;

use super::Convergence;
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
    /// A lower best total too long awaited.
    #[serde(flatten)]
    pub convergence: Option<Convergence>,
    /// Wall time, tested after each epoch: the one limit that another run does not meet at the same place.
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
    /// The best total has not fallen for as many epochs as patience lasts.
    Converged,
    /// The wall time was over.
    Timeout,
    /// The user interrupted.
    Interrupted,
    /// As many nodes as were allowed were visited.
    Nodes,
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
            Stop::Timeout => "timeout",
            Stop::Interrupted => "interrupted",
            Stop::Nodes => "nodes",
            Stop::Unsolvable => "unsolvable",
        }
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
}
