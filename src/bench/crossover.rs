//! From which population on a GPU is faster than the CPU.

use serde::{Deserialize, Serialize};

/// What was measured at one population: seconds that an epoch takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Candidates in an epoch.
    pub population: usize,
    /// Seconds on the CPU, all cores.
    pub cpu: f64,
    /// Seconds on the GPU, transfers included.
    pub gpu: f64,
}

/// Where the GPU's epochs become the faster ones, and within which populations that was looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Crossover {
    /// The least population from which on the GPU is faster; none if it is slower at the largest one measured. If the GPU
    /// is faster everywhere this is the smallest population measured, since nothing is known below.
    pub population: Option<u64>,
    /// The smallest population measured.
    pub from: u64,
    /// The largest.
    pub to: u64,
}

impl Crossover {
    /// The crossover of points in ascending order of population; none without a point.
    ///
    /// The ratio of the two times is taken to change as a power of the population between two points: a straight line
    /// where both axes are logarithmic. If it crosses 1 several times, the last crossing counts: past it the GPU was
    /// faster wherever it was measured.
    pub fn of(points: &[Point]) -> Option<Crossover> {
        let (first, last) = (points.first()?, points.last()?);
        let slower = points.iter().rposition(|point| point.gpu >= point.cpu);
        let population = match slower {
            None => Some(first.population as u64),
            Some(at) => points.get(at + 1).map(|faster| crossing(&points[at], faster)),
        };
        Some(Crossover { population, from: first.population as u64, to: last.population as u64 })
    }
}

/// The population between two points at which both take equally long.
fn crossing(slower: &Point, faster: &Point) -> u64 {
    let lag = |point: &Point| (point.gpu / point.cpu).ln();
    let part = lag(slower) / (lag(slower) - lag(faster));
    let (from, to) = (slower.population as f64, faster.population as f64);
    let population = (from.ln() + part * (to / from).ln()).exp().round() as u64;
    population.clamp(slower.population as u64, faster.population as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(gpu_over_cpu: &[(usize, f64)]) -> Vec<Point> {
        gpu_over_cpu.iter().map(|&(population, ratio)| Point { population, cpu: 0.5, gpu: 0.5 * ratio }).collect()
    }

    fn population(gpu_over_cpu: &[(usize, f64)]) -> Option<u64> {
        Crossover::of(&points(gpu_over_cpu)).unwrap().population
    }

    #[test]
    fn the_crossing_is_interpolated_where_both_axes_are_logarithmic() {
        // From 10 times as long at 1,000 to a tenth at 100,000: as long in the middle of the exponents.
        assert_eq!(population(&[(1_000, 10.0), (100_000, 0.1)]), Some(10_000));
        // A quarter of the way from ln 2 to -3 ln 2: 1,000 times the fourth root of 10,000.
        assert_eq!(population(&[(1_000, 2.0), (10_000_000, 0.125)]), Some(10_000));
        assert_eq!(population(&[(1_000, 1.0), (10_000, 0.5)]), Some(1_000), "equally long at a point");
    }

    #[test]
    fn a_gpu_that_is_never_faster_at_the_end_has_none_and_says_how_far_that_was_seen() {
        let expected = Crossover { population: None, from: 1_000, to: 10_000 };
        assert_eq!(Crossover::of(&points(&[(1_000, 3.0), (10_000, 1.0)])), Some(expected));
        assert_eq!(Crossover::of(&points(&[(1_000, 0.9), (10_000, 1.1)])), Some(expected));
    }

    #[test]
    fn a_gpu_that_is_always_faster_is_so_from_the_least_that_was_measured() {
        assert_eq!(population(&[(64, 0.9), (1_000, 0.2)]), Some(64));
        assert_eq!(Crossover::of(&[]), None);
    }

    #[test]
    fn of_several_crossings_the_last_counts() {
        let found = population(&[(10, 2.0), (100, 0.5), (1_000, 2.0), (10_000, 0.5), (100_000, 0.1)]).unwrap();
        assert_eq!(found, 3_162);
    }
}
