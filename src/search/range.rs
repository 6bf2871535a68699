//! The checks of parameters that algorithms share.

use crate::error::Error;

/// Slots are counted in 32 bits with room to spare.
const MAX_POPULATION: usize = 1 << 31;

/// # Errors
/// [`Error::Parameter`] saying what was found, unless it is `good`.
pub fn require(good: bool, name: &'static str, found: impl ToString, expected: &'static str) -> Result<(), Error> {
    if good { Ok(()) } else { Err(Error::Parameter { name, found: found.to_string(), expected }) }
}

/// # Errors
/// [`Error::Parameter`] for a population that is empty or too large.
pub fn population(population: usize) -> Result<(), Error> {
    require((1..=MAX_POPULATION).contains(&population), "population", population, "1 to 2,147,483,648")
}

/// # Errors
/// [`Error::Parameter`] for no survivor, or more than there are individuals.
pub fn survivors(survivors: usize, population: usize) -> Result<(), Error> {
    require((1..=population).contains(&survivors), "survivors", survivors, "1 to the population")
}

/// # Errors
/// [`Error::Parameter`] for a count of 0.
pub fn at_least_one(name: &'static str, count: u32) -> Result<(), Error> {
    require(count >= 1, name, count, "at least 1")
}

/// # Errors
/// [`Error::Parameter`] for a number that is no probability.
pub fn probability(name: &'static str, found: f64) -> Result<(), Error> {
    require((0.0..=1.0).contains(&found), name, found, "0 to 1")
}
