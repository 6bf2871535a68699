//! Many small integers, kept by how often each occurs.

use super::{Quartiles, quantile_by_rank};

/// How often each value occurs: as exact as a list of all of them, in memory that grows with the number of *different*
/// values alone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Values in ascending order, each with the number of times it occurs.
    of: Vec<(u32, u32)>,
}

impl Counts {
    /// Adds one occurrence.
    pub fn add(&mut self, value: u32) {
        self.add_many(value, 1);
    }

    /// Adds all of another's.
    pub fn merge(&mut self, other: &Counts) {
        other.of.iter().for_each(|(value, count)| self.add_many(*value, *count));
    }

    fn add_many(&mut self, value: u32, count: u32) {
        match self.of.binary_search_by_key(&value, |(value, _)| *value) {
            Ok(place) => self.of[place].1 += count,
            Err(place) => self.of.insert(place, (value, count)),
        }
    }

    /// All occurrences.
    pub fn total(&self) -> u64 {
        self.of.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Their quartiles, as [`Quartiles::of`] has them; none without a value.
    pub fn quartiles(&self) -> Option<Quartiles> {
        let total = self.total();
        let at = |part| (total > 0).then(|| quantile_by_rank(total as usize, part, |rank| self.value(rank as u64)));
        Some(Quartiles { lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)? })
    }

    /// The value at a rank, counted from 0, of all in ascending order; infinite past the end.
    fn value(&self, rank: u64) -> f64 {
        let mut passed = 0;
        let holds = |(_, count): &&(u32, u32)| {
            passed += u64::from(*count);
            rank < passed
        };
        self.of.iter().find(holds).map_or(f64::INFINITY, |(value, _)| f64::from(*value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_list() {
        for values in [&[7, 1, 3, 10][..], &[15, 2, 4, 9, 4, 5, 7], &[3], &[0, 0, 0, 0, 8, 8]] {
            let (mut counts, mut halves) = (Counts::default(), [Counts::default(), Counts::default()]);
            for (index, value) in values.iter().enumerate() {
                counts.add(*value);
                halves[index % 2].add(*value);
            }
            assert_eq!(counts.quartiles(), Quartiles::of(values.iter().map(|value| f64::from(*value))));
            let [mut merged, other] = halves;
            merged.merge(&other);
            assert_eq!((&merged, merged.total()), (&counts, values.len() as u64));
        }
        assert_eq!(Counts::default().quartiles(), None);
    }
}
