//! What a run is between two epochs, as bytes: written where it is interrupted, read where it goes on.
//!
//! A search writes what its next epoch reads and what its puzzle, parameters and seed do not give again: cells, scores,
//! ages, counters; never keys, tables or scratch space. The bytes are postcard's, the same on every system.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Search;
use crate::error::Error;
use crate::fitness::Score;
use crate::population::Population;

/// A search that can be put away between two epochs and taken up again, by another process too.
pub trait Resumable: Search {
    /// Writes what the next epoch needs.
    fn save(&self, state: &mut StateWriter);

    /// Becomes the search that was saved in this restart; made from the same puzzle, parameters and seed, it goes on as
    /// that one would have.
    ///
    /// # Errors
    /// [`Error::State`] if the bytes are those of another search.
    fn restore(&mut self, restart: u32, state: &mut StateReader<'_>) -> Result<(), Error>;
}

/// Collects a state.
#[derive(Default)]
pub struct StateWriter(Vec<u8>);

impl StateWriter {
    /// Adds a value.
    ///
    /// # Panics
    /// If the value has no such form; those of this crate have.
    pub fn put(&mut self, value: &(impl Serialize + ?Sized)) {
        let bytes = std::mem::take(&mut self.0);
        self.0 = postcard::to_extend(value, bytes).expect("states are plain values, and memory grows");
    }

    /// Adds the cells of all individuals.
    pub fn put_cells(&mut self, population: &Population) {
        self.put_bytes(bytemuck::cast_slice(population.lanes()));
    }

    /// Adds scores.
    pub fn put_scores(&mut self, scores: &[Score]) {
        self.put(bytemuck::cast_slice::<Score, u32>(scores));
    }

    /// Adds bytes as they are.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.put(&(bytes.len() as u64));
        self.0.extend_from_slice(bytes);
    }

    /// All that was added.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads a state in the order in which it was written.
pub struct StateReader<'a>(&'a [u8]);

impl<'a> StateReader<'a> {
    /// A reader of what a [`StateWriter`] gave.
    pub fn new(bytes: &'a [u8]) -> StateReader<'a> {
        StateReader(bytes)
    }

    /// The next value.
    ///
    /// # Errors
    /// [`Error::State`] if no such value is next.
    pub fn get<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        let (value, rest) = postcard::take_from_bytes(self.0).map_err(|error| Error::State(error.to_string()))?;
        self.0 = rest;
        Ok(value)
    }

    /// Fills `values` with the next ones, which must be as many.
    ///
    /// # Errors
    /// [`Error::State`] if they are not.
    pub fn fill<T: DeserializeOwned + Copy>(&mut self, values: &mut [T]) -> Result<(), Error> {
        let found: Vec<T> = self.get()?;
        check_length(found.len(), values.len())?;
        values.copy_from_slice(&found);
        Ok(())
    }

    /// Fills a population with the next cells.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_cells(&mut self, population: &mut Population) -> Result<(), Error> {
        self.fill_bytes(bytemuck::cast_slice_mut(population.lanes_mut()))
    }

    /// Fills `scores` with the next ones.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_scores(&mut self, scores: &mut [Score]) -> Result<(), Error> {
        self.fill(bytemuck::cast_slice_mut::<Score, u32>(scores))
    }

    /// Fills `bytes` with the next ones.
    ///
    /// # Errors
    /// [`Error::State`] if they are not as many.
    pub fn fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let length: u64 = self.get()?;
        check_length(usize::try_from(length).unwrap_or(usize::MAX), bytes.len())?;
        let (found, rest) = self.0.split_at_checked(bytes.len()).ok_or_else(|| Error::State("it is cut off".into()))?;
        bytes.copy_from_slice(found);
        self.0 = rest;
        Ok(())
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`Error::State`] if something is.
    pub fn finish(self) -> Result<(), Error> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(Error::State(format!("{left} bytes are left over"))),
        }
    }
}

fn check_length(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::State(format!("{found} values were found where {expected} are needed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_in_its_order_and_anything_else_is_an_error() {
        let mut writer = StateWriter::default();
        writer.put(&(7u32, Some(-3i64)));
        writer.put(&[1.5f32, f32::NAN][..]);
        writer.put_bytes(&[9, 8, 7]);
        let bytes = writer.into_bytes();
        let mut reader = StateReader::new(&bytes);
        assert_eq!(reader.get::<(u32, Option<i64>)>().unwrap(), (7, Some(-3)));
        let mut floats = [0.0f32; 2];
        reader.fill(&mut floats).unwrap();
        assert_eq!((floats[0], floats[1].to_bits()), (1.5, f32::NAN.to_bits()));
        let mut few = [0; 2];
        assert!(reader.fill_bytes(&mut few).unwrap_err().to_string().contains("3 values were found where 2"));
        let mut reader = StateReader::new(&bytes[..bytes.len() - 1]);
        reader.get::<(u32, Option<i64>)>().unwrap();
        reader.get::<Vec<f32>>().unwrap();
        assert!(reader.fill_bytes(&mut [0; 3]).unwrap_err().to_string().contains("cut off"));
        assert!(StateReader::new(&bytes).finish().unwrap_err().to_string().contains("left over"));
    }
}
