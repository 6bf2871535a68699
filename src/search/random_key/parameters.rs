//! What defines a random-key swarm beside its puzzle and seed.

use std::fmt;

use crate::error::Error;
use crate::search::range;

/// Whose free cells share out their missing digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoding {
    /// Each row's: every row holds each digit once, whatever the keys.
    Rows,
    /// Each block's: every block holds each digit once, whatever the keys.
    Blocks,
}

/// Where a particle's next step starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Movement {
    /// From the last position, whatever its score was: the canonical rule.
    Always,
    /// From the best own position: a step that does not improve on it is taken back. The pull towards the own best is
    /// nothing then. This is what mealpy's `OriginalPSO` does.
    Better,
}

/// Size, coefficients and encoding of a random-key swarm.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RandomKeyParameters {
    /// Particles.
    pub population: usize,
    /// The part of the velocity that is kept, within `0..=1`: w.
    pub inertia: f64,
    /// The pull towards the particle's own best position, within `0..=5`: c1.
    pub cognitive: f64,
    /// The pull towards the swarm's best position, within `0..=5`: c2.
    pub social: f64,
    /// Where steps start.
    pub movement: Movement,
    /// How keys become digits.
    pub decoding: Decoding,
}

impl RandomKeyParameters {
    /// The canonical rule with the coefficients that mealpy's `OriginalPSO` has by default and the size that the
    /// notebook "Sudoku-05-PSO" gives it. It leaves fewer conflicts than [`RandomKeyParameters::MEALPY`].
    pub const CANONICAL: RandomKeyParameters = RandomKeyParameters {
        population: 60,
        inertia: 0.4,
        cognitive: 2.05,
        social: 2.05,
        movement: Movement::Always,
        decoding: Decoding::Rows,
    };

    /// What the notebook runs: mealpy's `OriginalPSO`, with its movement too.
    pub const MEALPY: RandomKeyParameters = RandomKeyParameters { movement: Movement::Better, ..Self::CANONICAL };

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, or a coefficient out of its range.
    pub fn validate(&self) -> Result<(), Error> {
        range::population(self.population)?;
        range::probability("inertia", self.inertia)?;
        for (name, pull) in [("cognitive", self.cognitive), ("social", self.social)] {
            range::require((0.0..=5.0).contains(&pull), name, pull, "0 to 5")?;
        }
        Ok(())
    }
}

/// `60 particles, inertia 0.4, pulls 2.05 (own best) and 2.05 (swarm's best), keys by rows`
impl fmt::Display for RandomKeyParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RandomKeyParameters { population, inertia, cognitive, social, .. } = self;
        write!(
            f,
            "{population} particles, inertia {inertia}, pulls {cognitive} (own best) and {social} (swarm's best)"
        )?;
        if self.movement == Movement::Better {
            f.write_str(", better steps only")?;
        }
        match self.decoding {
            Decoding::Rows => f.write_str(", keys by rows"),
            Decoding::Blocks => f.write_str(", keys by blocks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let good = RandomKeyParameters::CANONICAL;
        assert!(good.validate().is_ok());
        for (bad, part) in [
            (RandomKeyParameters { population: 0, ..good }, "population is 0"),
            (RandomKeyParameters { inertia: 1.5, ..good }, "inertia is 1.5"),
            (RandomKeyParameters { inertia: f64::NAN, ..good }, "inertia is NaN"),
            (RandomKeyParameters { cognitive: -0.1, ..good }, "cognitive is -0.1"),
            (RandomKeyParameters { social: f64::INFINITY, ..good }, "social is inf"),
        ] {
            assert!(bad.validate().unwrap_err().to_string().contains(part), "{part}");
        }
    }

    #[test]
    fn the_rule_is_told_in_one_line() {
        let by_blocks = RandomKeyParameters {
            movement: Movement::Better,
            decoding: Decoding::Blocks,
            ..RandomKeyParameters::CANONICAL
        };
        assert_eq!(
            by_blocks.to_string(),
            "60 particles, inertia 0.4, pulls 2.05 (own best) and 2.05 (swarm's best), better steps only, keys by blocks"
        );
    }
}
