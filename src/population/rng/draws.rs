//! Bounded draws, several to a word.

use super::{BOUNDS_PER_WORD, Words, bounded};

/// Integers below a bound from the words of one slot, chained: one word serves draw after draw by [`bounded`] as long as
/// the product of their bounds is at most 2^20, and then the next word is taken, as in [`super::shuffle`].
#[derive(Clone, Debug)]
pub struct Draws {
    words: Words,
    word: u32,
    /// The product of the bounds that `word` has served; at the limit before the first word is taken.
    served: u64,
}

const LIMIT: u64 = BOUNDS_PER_WORD as u64;

impl Draws {
    /// Draws from the next of these words on.
    #[inline(always)]
    pub fn new(words: Words) -> Draws {
        Draws { words, word: 0, served: LIMIT }
    }

    /// An integer in `0..bound`; one of `0..1` takes no word.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        self.served *= u64::from(bound);
        if self.served > LIMIT {
            (self.word, self.served) = (self.words.next_word(), u64::from(bound));
        }
        bounded(&mut self.word, bound)
    }

    /// A word of its own, for bits and thresholds; the chain goes on afterwards where it was.
    #[inline(always)]
    pub fn word(&mut self) -> u32 {
        self.words.next_word()
    }

    /// Brings `count` of the items to the front, chosen at random, in random order: item `k` is swapped with one of
    /// `k..len`, for `k` from 0 to `count - 1`.
    ///
    /// # Panics
    /// If there are fewer items.
    #[inline(always)]
    pub fn sample<T>(&mut self, items: &mut [T], count: usize) {
        for k in 0..count {
            let other = k + self.below((items.len() - k) as u32) as usize;
            items.swap(k, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::population::rng::{Key, Stream, shuffle};

    fn words() -> Words {
        Words::new(Key::new(1, 0, Stream::Sample), 0, 0)
    }

    #[test]
    fn draws_chain_as_a_shuffle_does() {
        let (mut expected, mut found): (Vec<u32>, Vec<u32>) = ((0..25).collect(), (0..25).collect());
        let mut stream = words();
        shuffle(&mut expected, || stream.next_word());
        let mut draws = Draws::new(words());
        (1..25).rev().for_each(|k| found.swap(k, draws.below(k as u32 + 1) as usize));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_of_its_own_leaves_the_chain_where_it_was() {
        let mut stream = words();
        let [mut first, second, third] = [(); 3].map(|()| stream.next_word());
        let mut draws = Draws::new(words());
        assert_eq!(draws.below(1), 0);
        assert_eq!(draws.below(9), bounded(&mut first, 9));
        assert_eq!(draws.word(), second);
        assert_eq!(draws.below(8), bounded(&mut first, 8));
        assert_eq!(draws.below(1 << 31), bounded(&mut third.clone(), 1 << 31));
    }

    #[test]
    fn words_after_two_known_ones_are_those_of_draw_1_and_on() {
        let key = Key::new(3, 1, Stream::Breed);
        let mut words = Words::after([8, 9], key, 5, 6);
        let expected = [&[8, 9], &key.words(5, 6, 1)[..], &key.words(5, 6, 2)].concat();
        assert!(expected.into_iter().all(|word| words.next_word() == word));
    }

    #[test]
    fn every_ordered_sample_of_three_in_five_comes_about_equally_often() {
        let mut counts = BTreeMap::new();
        for slot in 0..60_000 {
            let mut items = [0, 1, 2, 3, 4];
            Draws::new(Words::new(Key::new(1, 0, Stream::Sample), 0, slot)).sample(&mut items, 3);
            *counts.entry([items[0], items[1], items[2]]).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 60);
        // 1000 expected each, standard deviation 31.
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
