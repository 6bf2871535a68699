//! When a population has got stuck.

/// Counts the generations whose best total was that of the generation before.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Stagnation {
    restart_after: u32,
    best: Option<u32>,
    unchanged: u32,
}

impl Stagnation {
    pub fn new(restart_after: u32) -> Stagnation {
        Stagnation { restart_after, best: None, unchanged: 0 }
    }

    /// Forgets every generation.
    pub fn forget(&mut self) {
        (self.best, self.unchanged) = (None, 0);
    }

    /// Takes a generation's best total into account. True, and everything is forgotten, if each of the `restart_after`
    /// generations before had the same.
    pub fn observe(&mut self, best: u32) -> bool {
        self.unchanged = if self.best.replace(best) == Some(best) { self.unchanged + 1 } else { 0 };
        let stuck = self.unchanged >= self.restart_after;
        if stuck {
            self.forget();
        }
        stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck(restart_after: u32, bests: &[u32]) -> Vec<usize> {
        let mut stagnation = Stagnation::new(restart_after);
        (0..bests.len()).filter(|generation| stagnation.observe(bests[*generation])).collect()
    }

    #[test]
    fn as_many_generations_before_must_have_had_the_same_best() {
        assert_eq!(stuck(3, &[9, 7, 7, 7, 7, 7]), [4]);
        assert_eq!(stuck(1, &[9, 7, 7, 8, 8]), [2, 4]);
    }

    #[test]
    fn any_change_for_better_or_worse_begins_the_count_again() {
        assert!(stuck(3, &[5, 5, 5, 6, 6, 6, 5, 5, 5, 4]).is_empty());
    }

    #[test]
    fn what_was_before_a_restart_counts_no_more() {
        assert_eq!(stuck(2, &[5, 5, 5, 5, 5, 5]), [2, 5]);
    }
}
