//! What several algorithms are made of, and the parameters that several have.

pub(super) mod chains;
pub(super) mod conflicts;
pub(super) mod cooling;
pub(super) mod counted_grid;
pub(super) mod descent;
pub(super) mod generations;
pub(super) mod keys;
pub(super) mod line_swarm;
pub(super) mod lines;
pub(super) mod local;
pub(super) mod motion;
pub(super) mod rank;
pub(super) mod refine;
pub(super) mod reshuffle;
pub(super) mod roles;
pub(super) mod stagnation;
pub(super) mod step;
pub(super) mod strides;
pub(super) mod tiles;

use super::parameter::{Limit, Parameter};

/// Slots are counted in 32 bits with room to spare.
const MAX_POPULATION: u64 = 1 << 31;

/// The range of a 32-bit count.
pub(super) const SMALL: (u64, u64) = (0, u32::MAX as u64);

/// The range of a 32-bit count that is not 0.
pub(super) const POSITIVE: (u64, u64) = (1, u32::MAX as u64);

/// The range of a count of individuals.
pub(super) const COUNT: (u64, u64) = (0, MAX_POPULATION);

/// Slots of a population.
pub(super) const POPULATION: Parameter =
    Parameter::count("population", "N", (1, MAX_POPULATION), "Candidates scored per epoch");

/// The probability of a mutation.
pub(super) const MUTATION_RATE: Parameter = Parameter::ratio(
    "mutation-rate",
    "P",
    "Probability that a worker takes its neighbour whatever its score, or that a child is changed",
);

/// The best of a generation, from which the next one is bred.
pub(super) const SURVIVORS: Parameter =
    Parameter::count("survivors", "N", (1, MAX_POPULATION), "The best of a generation, from which the next is bred")
        .limited(Limit::AtMost("population"));

/// Generations without change after which a genetic algorithm begins anew.
pub(super) const RESTART_AFTER: Parameter = Parameter::count(
    "restart-after",
    "GENERATIONS",
    POSITIVE,
    "Generations without change of the best score after which the whole population starts anew",
);
