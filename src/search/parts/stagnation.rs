//! How long the best total of a restart has stood.

/// The best total of a restart so far, and the epochs since it fell last.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Stagnation {
    totals: Option<Totals>,
    /// Epochs since the best total fell last.
    epochs: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
struct Totals {
    initial: u32,
    best: u32,
}

impl Stagnation {
    /// Takes the best total of the next epoch into account.
    pub(crate) fn observe(&mut self, total: u32) {
        match &mut self.totals {
            None => self.totals = Some(Totals { initial: total, best: total }),
            Some(totals) if total < totals.best => (totals.best, self.epochs) = (total, 0),
            Some(_) => self.epochs = self.epochs.saturating_add(1),
        }
    }

    /// The best total of the first epoch and of all so far, if there was one.
    pub(crate) fn initial_and_best(&self) -> Option<(u32, u32)> {
        self.totals.map(|totals| (totals.initial, totals.best))
    }

    /// How often `limit` epochs have passed since the best total fell last.
    pub(crate) fn times(&self, limit: u32) -> u32 {
        self.epochs / limit
    }

    /// Epochs, at least 1, until [`Stagnation::is_due`] is true at the earliest.
    pub(crate) fn epochs_until(&self, limit: u32) -> u32 {
        limit - self.epochs % limit
    }

    /// True if the last epoch completed another `limit` epochs.
    pub(crate) fn is_due(&self, limit: u32) -> bool {
        self.epochs > 0 && self.epochs.is_multiple_of(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lower_total_than_any_before_ends_a_stagnation() {
        let mut stagnation = Stagnation::default();
        let mut due = Vec::new();
        let mut until = stagnation.epochs_until(2);
        for total in [9, 7, 8, 7, 9, 7, 6, 6] {
            stagnation.observe(total);
            due.push((stagnation.times(2), stagnation.is_due(2)));
            assert!(!stagnation.is_due(2) || until == 1, "it was not foreseen");
            until = stagnation.epochs_until(2);
        }
        let (no, once, twice) = ((0, false), (1, true), (2, true));
        assert_eq!(due, [no, no, no, once, (1, false), twice, no, no]);
        assert_eq!(stagnation.initial_and_best(), Some((9, 6)));
    }
}
