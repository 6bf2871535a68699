//! How many slots are workers: a fixed part of the population, one that follows the best total, or fewer while the best
//! stagnates.
//!
//! Source: the exercises "adaptive worker ratio" and "dynamic adaptation" of the notebook "Sudoku-05-PSO". Ratios are
//! integers, parts per million, so that they are the same numbers everywhere.

use super::stagnation::Stagnation;
use crate::search::SwarmParameters;

/// A whole population, in parts per million.
const WHOLE: u64 = 1_000_000;

/// The adaptive ratio while the best total is the initial one, and the least that a boost of exploration leaves.
const LEAST: u32 = 700_000;

/// The adaptive ratio at a total of 0.
const MOST: u32 = 950_000;

/// The worker ratio, in parts per million, that goes linearly from 700,000 to 950,000 as the best total goes from its
/// initial value to 0. A best total above the initial one counts as that; an initial total of 0 gives 950,000.
pub fn adaptive_ratio(best: u32, initial: u32) -> u32 {
    if initial == 0 {
        return MOST;
    }
    let fallen = u64::from(initial.saturating_sub(best));
    LEAST + (u64::from(MOST - LEAST) * fallen / u64::from(initial)) as u32
}

/// A ratio in whole parts per million.
pub(crate) fn parts_per_million(ratio: f64) -> u32 {
    (ratio * WHOLE as f64).round() as u32
}

/// That part of the population, rounded down.
pub(crate) fn part_of(population: usize, parts_per_million: u32) -> usize {
    (population as u64 * u64::from(parts_per_million) / WHOLE) as usize
}

/// The rule that gives the number of workers of each epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roles {
    population: usize,
    fixed: u32,
    adaptive: bool,
    /// What each further stagnation takes from the ratio.
    boost: u32,
    limit: u32,
}

impl Roles {
    /// True if the number of workers follows the best total.
    pub(crate) fn is_adaptive(&self) -> bool {
        self.adaptive
    }

    pub(crate) fn new(parameters: &SwarmParameters) -> Roles {
        let on = parameters.on_stagnation;
        Roles {
            population: parameters.population,
            fixed: parts_per_million(parameters.worker_ratio),
            adaptive: parameters.adaptive,
            boost: on.map_or(0, |on| parts_per_million(on.stagnation_boost)),
            limit: on.map_or(u32::MAX, |on| on.stagnation_limit),
        }
    }

    /// The number of workers of the epoch after those that `stagnation` has seen.
    pub(crate) fn workers(&self, stagnation: &Stagnation) -> usize {
        let ratio = match stagnation.initial_and_best() {
            Some((initial, best)) if self.adaptive => adaptive_ratio(best, initial),
            None if self.adaptive => LEAST,
            _ => self.fixed,
        };
        let boost = self.boost.saturating_mul(stagnation.times(self.limit));
        part_of(self.population, ratio.saturating_sub(boost).max(ratio.min(LEAST)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::OnStagnation;

    #[test]
    fn the_adaptive_ratio_is_linear_between_its_ends_and_clamped() {
        for (best, initial, expected) in [
            (20, 20, 700_000),
            (10, 20, 825_000),
            (2, 20, 925_000),
            (0, 20, 950_000),
            (30, 20, 700_000),
            (0, 0, 950_000),
            (5, 0, 950_000),
        ] {
            assert_eq!(adaptive_ratio(best, initial), expected, "{best} of {initial}");
        }
    }

    fn seen(totals: &[u32]) -> Stagnation {
        let mut stagnation = Stagnation::default();
        totals.iter().for_each(|total| stagnation.observe(*total));
        stagnation
    }

    #[test]
    fn adaptive_workers_grow_as_the_best_total_falls() {
        let roles = Roles::new(&SwarmParameters { adaptive: true, ..SwarmParameters::SEED });
        let workers =
            [&[][..], &[20], &[20, 10], &[20, 10, 18], &[20, 10, 2], &[20, 0]].map(|s| roles.workers(&seen(s)));
        assert_eq!(workers, [140, 140, 165, 165, 185, 190]);
    }

    #[test]
    fn each_stagnation_takes_a_step_from_the_workers_until_the_best_falls() {
        let on = OnStagnation { stagnation_limit: 2, stagnation_boost: 0.08, ..OnStagnation::NOTHING };
        let roles = Roles::new(&SwarmParameters { on_stagnation: Some(on), ..SwarmParameters::SEED });
        let totals = [9; 8];
        let workers: Vec<usize> = (0..=8).map(|seen_epochs| roles.workers(&seen(&totals[..seen_epochs]))).collect();
        assert_eq!(workers, [180, 180, 180, 164, 164, 148, 148, 140, 140]);
        assert_eq!(roles.workers(&seen(&[9, 9, 9, 9, 8])), 180);
        let few = Roles::new(&SwarmParameters { worker_ratio: 0.5, on_stagnation: Some(on), ..SwarmParameters::SEED });
        assert_eq!(few.workers(&seen(&totals)), 100);
    }
}
