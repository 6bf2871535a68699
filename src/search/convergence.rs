//! When a run has converged: its best total does not fall any more.
//!
//! Source: the exercise "detection of convergence" of the notebook "Sudoku-05-PSO". Epochs are counted through all
//! restarts, and the best total is that of the whole run, so a restart that does not get better than the ones before it
//! counts as standing still. Totals are integers and so is the threshold.

use crate::error::Error;

/// For how long, and by how much, the best total must fall for a run to go on.
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
