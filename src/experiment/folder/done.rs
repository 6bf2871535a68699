//! Which runs are done.

/// A set of runs, by how a plan counts them: a bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    words: Vec<u64>,
    count: u64,
}

impl Done {
    /// No run of so many.
    pub fn none(runs: u64) -> Done {
        Done { words: vec![0; runs.div_ceil(64) as usize], count: 0 }
    }

    /// How many runs are in the set.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// True if a run is in the set.
    pub fn has(&self, index: u64) -> bool {
        self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Adds a run; false if it was there.
    pub fn add(&mut self, index: u64) -> bool {
        let added = !self.has(index);
        self.words[(index / 64) as usize] |= 1 << (index % 64);
        self.count += u64::from(added);
        added
    }

    /// The runs that are in both sets.
    pub fn and(&self, other: &Done) -> Done {
        let words: Vec<u64> = self.words.iter().zip(&other.words).map(|(ours, theirs)| ours & theirs).collect();
        let count = words.iter().map(|word| u64::from(word.count_ones())).sum();
        Done { words, count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_added_once_and_counted() {
        let (mut some, mut others) = (Done::none(130), Done::none(130));
        assert!([0, 63, 64, 129].iter().all(|run| some.add(*run)));
        assert!(!some.add(64) && some.has(129) && !some.has(1));
        assert!([1, 64, 129].iter().all(|run| others.add(*run)));
        let both = some.and(&others);
        assert_eq!((some.count(), both.count()), (4, 2));
        assert!(both.has(64) && both.has(129) && !both.has(0));
    }
}
