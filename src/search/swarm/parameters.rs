//! What defines a swarm beside its puzzle and seed.

use std::fmt;

use super::roles::{part_of, parts_per_million};
use crate::error::Error;
use crate::search::range;

/// What a worker accepts besides a lower total.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(tag = "acceptance", rename_all = "lowercase")]
pub enum Acceptance {
    /// Nothing.
    Strict,
    /// An equal total.
    Plateau,
    /// A total higher by `d` with probability `exp(-d / temperature)`, an equal one always.
    Metropolis {
        /// In units of the score.
        temperature: f64,
    },
}

/// What defines a swarm beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct SwarmParameters {
    /// Slots: workers first, then explorers.
    pub population: usize,
    /// The part of the population that are workers, within `0..=1`; counted in whole parts per million.
    pub worker_ratio: f64,
    /// Epochs without a lower total after which a worker is reset.
    pub max_age: u32,
    /// Probability that a worker takes its proposal whatever its score.
    pub mutation_rate: f64,
    /// What a worker accepts besides.
    #[serde(flatten)]
    pub acceptance: Acceptance,
    /// Whether the worker ratio follows the best total instead, see [`adaptive_ratio`](super::adaptive_ratio).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// What is done when the best total does not fall any more, if anything.
    #[serde(flatten)]
    pub on_stagnation: Option<OnStagnation>,
}

/// What a swarm does when its best total has not fallen for some epochs.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct OnStagnation {
    /// Epochs without a lower best total of the restart after which it is done, and again after as many more.
    pub stagnation_limit: u32,
    /// What the worker ratio loses each time until the best total falls, down to 0.70.
    pub stagnation_boost: f64,
    /// Whether the best individual then descends to a local optimum: this makes the swarm a *hybrid*.
    pub local_search: bool,
    /// Steps of an annealing of the best individual, then and in the last epoch of a restart; 0 for none.
    pub refine: u32,
}

impl OnStagnation {
    /// Nothing, every 500 epochs.
    pub const NOTHING: OnStagnation =
        OnStagnation { stagnation_limit: 500, stagnation_boost: 0.0, local_search: false, refine: 0 };

    fn validate(&self) -> Result<(), Error> {
        if self.stagnation_limit == 0 {
            return refuse("stagnation-limit", 0, "at least 1 epoch");
        }
        if !(0.0..=1.0).contains(&self.stagnation_boost) {
            return refuse("stagnation-boost", self.stagnation_boost, "0 to 1");
        }
        Ok(())
    }
}

impl SwarmParameters {
    /// The notebook's parameters: 200 slots, 90 % workers, strict acceptance.
    pub const SEED: SwarmParameters = SwarmParameters {
        population: 200,
        worker_ratio: 0.90,
        max_age: 1000,
        mutation_rate: 0.001,
        acceptance: Acceptance::Strict,
        adaptive: false,
        on_stagnation: None,
    };

    /// The temperature at which Metropolis acceptance solves most.
    pub const TUNED_TEMPERATURE: f64 = 0.29;

    /// What solves most puzzles.
    pub const TUNED: SwarmParameters = SwarmParameters {
        population: 64,
        worker_ratio: 1.0,
        max_age: 1_000_000,
        mutation_rate: 0.0,
        acceptance: Acceptance::Metropolis { temperature: Self::TUNED_TEMPERATURE },
        adaptive: false,
        on_stagnation: None,
    };

    /// # Errors
    /// [`Error::Parameter`] for an empty or too large population, a ratio or rate outside `0..=1`, a temperature that
    /// is not positive.
    pub fn validate(&self) -> Result<(), Error> {
        range::population(self.population)?;
        range::probability("worker-ratio", self.worker_ratio)?;
        range::probability("mutation-rate", self.mutation_rate)?;
        if self.max_age > MAX_AGE {
            return refuse("max-age", self.max_age, "at most 2,147,483,648");
        }
        self.on_stagnation.map_or(Ok(()), |on| on.validate())?;
        match self.acceptance {
            Acceptance::Metropolis { temperature } if !(temperature > 0.0 && temperature.is_finite()) => {
                refuse("temperature", temperature, "a positive number")
            }
            _ => Ok(()),
        }
    }

    /// The number of workers: the whole parts per million of the ratio, of the population, rounded down. An adaptive or
    /// stagnating swarm has others as it goes on.
    pub fn workers(&self) -> usize {
        part_of(self.population, parts_per_million(self.worker_ratio))
    }

    /// True if the best individual descends to a local optimum on stagnation.
    pub fn is_hybrid(&self) -> bool {
        self.on_stagnation.is_some_and(|on| on.local_search)
    }
}

fn refuse(name: &'static str, found: impl fmt::Display, expected: &'static str) -> Result<(), Error> {
    Err(Error::Parameter { name, found: found.to_string(), expected })
}

/// `metropolis acceptance at temperature 0.3, 180 workers and 20 explorers`
impl fmt::Display for SwarmParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.acceptance {
            Acceptance::Strict => f.write_str("strict acceptance")?,
            Acceptance::Plateau => f.write_str("plateau acceptance")?,
            Acceptance::Metropolis { temperature } => write!(f, "metropolis acceptance at temperature {temperature}")?,
        }
        match self.adaptive {
            false => write!(f, ", {} workers and {} explorers", self.workers(), self.population - self.workers())?,
            true => write!(f, ", {} slots with an adaptive part of workers", self.population)?,
        }
        self.on_stagnation.map_or(Ok(()), |on| write!(f, "{on}"))
    }
}

/// `; when the best stands for 500 epochs: local search, 20000 steps of annealing`
impl fmt::Display for OnStagnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut done = Vec::new();
        if self.local_search {
            done.push("local search".to_string());
        }
        if self.refine > 0 {
            done.push(format!("{} steps of annealing", self.refine));
        }
        if self.stagnation_boost > 0.0 {
            done.push(format!("worker ratio less {}", self.stagnation_boost));
        }
        write!(f, "; when the best stands for {} epochs: {}", self.stagnation_limit, done.join(", "))
    }
}

/// Ages are counted in 32 bits, one past the maximum included.
const MAX_AGE: u32 = 1 << 31;
