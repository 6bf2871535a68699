//! Counter-based random words: any word of any slot, epoch and restart, computed alone.
//!
//! A generator with state would make each draw depend on the draws before it, and so on threads, chunks and backends.
//! Threefry maps (key, counter) to four words instead, so the draws of a slot depend on its place alone:
//!
//! ```text
//! key     = ( seed low | seed high | restart        | stream )
//! counter = ( epoch    | slot, or pair of slots | draw   | 0 )   ->  four words
//! ```
//!
//! Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
//! the known-answer vectors in the tests are those published with their Random123 library.

use std::convert::Infallible;

use rand::TryRng;

/// The purpose of a stream of words. Streams never overlap, because the tag is part of the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Stream {
    /// Fresh random fills; see [`crate::population::moves::FreeUnits::fill_genome`] for the words of a slot.
    Fill = 1,
    /// Worker steps: counter (epoch, slot / 2, 0, 0); words 0 and 1 are the even slot's move and acceptance, words 2
    /// and 3 the odd slot's.
    Step = 2,
    /// Merges: counter (epoch, 0, 0, 0); bit `b` of word 0 says whose block `b` the child takes.
    Merge = 3,
    /// Annealing of one grid on the host: counter (epoch, step / 2, 0, 0); words 0 and 1 are the even step's move and
    /// acceptance, words 2 and 3 the odd step's.
    Refine = 17,
    /// Candidates for tests, `verify` and benches.
    Sample = 4,
    /// Particles of random keys: counter (epoch, slot, key, 0). In epoch 0 word 0 is the key and word 1 its velocity;
    /// later words 0 and 1 weigh the pulls to the particle's and to the swarm's best, and word 2 is the key's new value should it
    /// leave its bounds. The high 24 bits of a word count.
    Particle = 32,
    /// Seeds of an experiment's runs: counter (run, 0, 0, 0); words 0 and 1 are the seed, low word first.
    Run = 33,
    /// Resamples of a bootstrap: counter (resample, 0, draw, 0).
    Bootstrap = 34,
    /// Children of the genetic algorithms: counter (generation, slot / 2, 0, 0), of which words 0 and 1 are the even
    /// slot's and words 2 and 3 the odd slot's, and then (generation, slot, draw, 0) with draws from 1 for the slot
    /// alone. Each genetic algorithm documents its draws.
    Variation = 16,
    /// Generated puzzles: counter (attempt, index of the puzzle, draw, 0).
    Generate = 64,
}

/// The key of one stream of one restart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key([u32; 4]);

impl Key {
    /// The key of `stream` in a restart of the run with this seed.
    pub const fn new(seed: u64, restart: u32, stream: Stream) -> Key {
        Key([seed as u32, (seed >> 32) as u32, restart, stream as u32])
    }

    /// The four words at a counter. In a loop over successive slots they are computed in vector lanes.
    #[inline(always)]
    pub fn words(self, epoch: u32, slot: u32, draw: u32) -> [u32; 4] {
        threefry4x32([epoch, slot, draw, 0], self.0)
    }

    /// The words of `W` successive slots (or pairs of slots) at one draw: word `i` of the `k`th is `[i][k]`. Same words
    /// as [`Key::words`], computed in vector lanes.
    #[inline(always)]
    pub fn words_of_lanes<const W: usize>(self, epoch: u32, first: u32, draw: u32) -> [[u32; W]; 4] {
        let schedule = schedule(self.0);
        let mut words = [[0; W]; 4];
        // Each lane is computed from end to end: with the loop over the lanes inside the rounds LLVM makes no vectors of
        // it. Counters are made here, since arrays of them would be written in pieces and read back whole.
        for lane in 0..W {
            let counter = [epoch, first.wrapping_add(lane as u32), draw, 0];
            let [x0, x1, x2, x3] = twenty_rounds(counter, &schedule);
            (words[0][lane], words[1][lane], words[2][lane], words[3][lane]) = (x0, x1, x2, x3);
        }
        words
    }

    /// The words of a slot (or pair of slots) in `E` successive epochs: word `i` of the `k`th is `[i][k]`.
    #[inline(always)]
    pub(crate) fn words_of_epochs<const E: usize>(self, first: u32, slot: u32) -> [[u32; E]; 4] {
        let schedule = schedule(self.0);
        let mut words = [[0; E]; 4];
        for epoch in 0..E {
            let counter = [first.wrapping_add(epoch as u32), slot, 0, 0];
            let [x0, x1, x2, x3] = twenty_rounds(counter, &schedule);
            (words[0][epoch], words[1][epoch], words[2][epoch], words[3][epoch]) = (x0, x1, x2, x3);
        }
        words
    }
}

/// Skein's parity constant, which makes up the fifth word of the key schedule.
const PARITY: u32 = 0x1BD1_1BDA;

/// Rotations of the two mixes of each round, for four rounds at a time; the two fours alternate.
const ROTATIONS: [[[u32; 2]; 4]; 2] =
    [[[10, 26], [11, 21], [13, 27], [23, 5]], [[6, 20], [17, 11], [25, 10], [18, 20]]];

/// Threefry-4x32 with 20 rounds of one counter.
#[inline(always)]
fn threefry4x32(counter: [u32; 4], key: [u32; 4]) -> [u32; 4] {
    twenty_rounds(counter, &schedule(key))
}

#[inline(always)]
fn schedule(key: [u32; 4]) -> [u32; 5] {
    [key[0], key[1], key[2], key[3], PARITY ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
}

#[inline(always)]
fn twenty_rounds(counter: [u32; 4], schedule: &[u32; 5]) -> [u32; 4] {
    let [even, odd] = ROTATIONS;
    let mut x = counter;
    inject(&mut x, schedule, 0);
    four_rounds(&mut x, even);
    inject(&mut x, schedule, 1);
    four_rounds(&mut x, odd);
    inject(&mut x, schedule, 2);
    four_rounds(&mut x, even);
    inject(&mut x, schedule, 3);
    four_rounds(&mut x, odd);
    inject(&mut x, schedule, 4);
    four_rounds(&mut x, even);
    inject(&mut x, schedule, 5);
    x
}

/// Adds the key schedule's words, rotated by `step`, and `step` itself to the last word.
#[inline(always)]
fn inject(x: &mut [u32; 4], schedule: &[u32; 5], step: usize) {
    for (i, word) in x.iter_mut().enumerate() {
        *word = word.wrapping_add(schedule[(step + i) % 5]);
    }
    x[3] = x[3].wrapping_add(step as u32);
}

/// Mixes words 0 and 1, and 2 and 3; in odd rounds words 1 and 3 have changed places.
#[inline(always)]
fn four_rounds([x0, x1, x2, x3]: &mut [u32; 4], rotations: [[u32; 2]; 4]) {
    let [first, second, third, fourth] = rotations;
    mix(x0, x1, first[0]);
    mix(x2, x3, first[1]);
    mix(x0, x3, second[0]);
    mix(x2, x1, second[1]);
    mix(x0, x1, third[0]);
    mix(x2, x3, third[1]);
    mix(x0, x3, fourth[0]);
    mix(x2, x1, fourth[1]);
}

#[inline(always)]
fn mix(a: &mut u32, b: &mut u32, rotation: u32) {
    *a = a.wrapping_add(*b);
    *b = b.rotate_left(rotation) ^ *a;
}

/// An integer in `0..bound` from the high half of `word * bound`; the low half stays in `word` for a next, smaller draw.
///
/// One word serves several draws this way: as long as the product of their bounds is at most 2^20, each choice is off
/// uniform by less than 2^-12.
#[inline(always)]
pub fn bounded(word: &mut u32, bound: u32) -> u32 {
    let product = u64::from(*word) * u64::from(bound);
    *word = product as u32;
    (product >> 32) as u32
}

/// The largest product of bounds that one word serves in [`shuffle`].
pub(crate) const BOUNDS_PER_WORD: usize = 1 << 20;

/// Shuffles by Fisher and Yates from the last item down: item `k` is swapped with item `j` of `0..=k`, for `k` from
/// `len - 1` to 1. A fresh word is drawn whenever the product of the bounds served by the current one would pass 2^20,
/// so nine items take one word.
#[inline]
pub fn shuffle<T>(items: &mut [T], mut next_word: impl FnMut() -> u32) {
    let (mut word, mut served) = (0, BOUNDS_PER_WORD);
    for k in (1..items.len()).rev() {
        if served * (k + 1) > BOUNDS_PER_WORD {
            (word, served) = (next_word(), 1);
        }
        served *= k + 1;
        items.swap(k, bounded(&mut word, k as u32 + 1) as usize);
    }
}

/// The words of one slot in one epoch, in order: `draw` counts up from 0, with four words each.
///
/// Implements the traits of `rand`, for algorithms whose values may change with the version of `rand`.
#[derive(Clone, Debug)]
pub struct Words {
    key: Key,
    epoch: u32,
    slot: u32,
    draw: u32,
    block: [u32; 4],
    used: usize,
    /// The block of the next draw, if it is known already.
    ahead: Option<[u32; 4]>,
}

impl Words {
    /// The words of `slot` in `epoch` of this stream.
    #[inline]
    pub fn new(key: Key, epoch: u32, slot: u32) -> Words {
        Words { key, epoch, slot, draw: 0, block: [0; 4], used: 4, ahead: None }
    }

    /// These two words, and then the words of draws 1 and on: for a slot that shares the block of draw 0 with another.
    #[inline(always)]
    pub(crate) fn after(first: [u32; 2], key: Key, epoch: u32, slot: u32) -> Words {
        Words { key, epoch, slot, draw: 1, block: [0, 0, first[0], first[1]], used: 2, ahead: None }
    }

    /// The same words, with the next block given, for callers that compute the blocks of many slots at once.
    #[inline(always)]
    pub(crate) fn with_next_block(self, block: [u32; 4]) -> Words {
        Words { ahead: Some(block), ..self }
    }

    /// The next word.
    #[inline]
    pub fn next_word(&mut self) -> u32 {
        if self.used == 4 {
            self.block = self.ahead.take().unwrap_or_else(|| self.key.words(self.epoch, self.slot, self.draw));
            self.draw = self.draw.wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }
}

impl TryRng for Words {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        rand::rand_core::utils::next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        rand::rand_core::utils::fill_bytes_via_next_word(dst, || self.try_next_u32())
    }
}

/// Bounded integers from the words of one slot, chained: one word serves several draws by [`bounded`], as long as the
/// product of their bounds is at most 2^20; then the next word is taken, as in [`shuffle`].
#[derive(Clone, Debug)]
pub struct Draws {
    words: Words,
    word: u32,
    /// The product of the bounds that `word` has served; at the limit before the first word is taken.
    served: u64,
}

impl Draws {
    /// Draws from these words.
    #[inline(always)]
    pub fn new(words: Words) -> Draws {
        Draws { words, word: 0, served: BOUNDS_PER_WORD as u64 }
    }

    /// An integer in `0..bound`; a bound of 1 takes no word.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        self.served *= u64::from(bound);
        if self.served > BOUNDS_PER_WORD as u64 {
            (self.word, self.served) = (self.words.next_word(), u64::from(bound));
        }
        bounded(&mut self.word, bound)
    }

    /// A whole word, for bits and thresholds; it does not interrupt the chain.
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

/// A probability as a threshold: `p` accepts when `draw >> 1 < round(p * 2^31)`, so that 0 and 1 are exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Threshold(u32);

impl Threshold {
    /// Never accepts.
    pub(crate) const NEVER: Threshold = Threshold(0);
    /// Always accepts.
    pub(crate) const ALWAYS: Threshold = Threshold(1 << 31);

    /// The threshold of a probability, clamped to `0..=1`; NaN counts as 0.
    pub(crate) fn new(probability: f64) -> Threshold {
        Threshold((probability.clamp(0.0, 1.0) * f64::from(1u32 << 31)).round() as u32)
    }

    /// `round(p * 2^31)`
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// True if this draw accepts.
    #[inline(always)]
    pub(crate) fn accepts(self, draw: u32) -> bool {
        draw >> 1 < self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::Rng;
    use rand::seq::SliceRandom;

    use super::*;

    /// kat_vectors of Random123, `threefry4x32 20`: counter, key, expected.
    const KNOWN_ANSWERS: [([u32; 4], [u32; 4], [u32; 4]); 3] = [
        ([0; 4], [0; 4], [0x9c6c_a96a, 0xe17e_ae66, 0xfc10_ecd4, 0x5256_a7d8]),
        ([u32::MAX; 4], [u32::MAX; 4], [0x2a88_1696, 0x5701_2287, 0xf6c7_446e, 0xa16a_6732]),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0, 0x082e_fa98, 0xec4e_6c89],
            [0x59cd_1dbb, 0xb887_9579, 0x86b5_d00c, 0xac8b_6d84],
        ),
    ];

    #[test]
    fn threefry_gives_the_published_answers() {
        for (counter, key, expected) in KNOWN_ANSWERS {
            assert_eq!(threefry4x32(counter, key), expected);
        }
    }

    #[test]
    fn words_of_lanes_are_the_words_of_each_slot() {
        let key = Key::new(7 << 40 | 5, 3, Stream::Step);
        let lanes = key.words_of_lanes::<16>(11, u32::MAX - 7, 2);
        for lane in 0..16 {
            let slot = (u32::MAX - 7).wrapping_add(lane as u32);
            assert_eq!(lanes.map(|words| words[lane]), key.words(11, slot, 2));
        }
    }

    #[test]
    fn seed_restart_stream_epoch_slot_and_draw_each_change_every_word() {
        let base = Key::new(1, 0, Stream::Fill).words(0, 0, 0);
        let others = [
            Key::new(2, 0, Stream::Fill).words(0, 0, 0),
            Key::new(1 | 1 << 32, 0, Stream::Fill).words(0, 0, 0),
            Key::new(1, 1, Stream::Fill).words(0, 0, 0),
            Key::new(1, 0, Stream::Step).words(0, 0, 0),
            Key::new(1, 0, Stream::Fill).words(1, 0, 0),
            Key::new(1, 0, Stream::Fill).words(0, 1, 0),
            Key::new(1, 0, Stream::Fill).words(0, 0, 1),
        ];
        for other in others {
            assert!(base.iter().zip(other).all(|(a, b)| *a != b), "{base:x?} {other:x?}");
        }
    }

    #[test]
    fn bounded_is_multiply_shift_and_passes_the_low_half_on() {
        let mut word = 0xC000_0001;
        assert_eq!(bounded(&mut word, 9), 6);
        assert_eq!(word, ((0xC000_0001u64 * 9) & 0xFFFF_FFFF) as u32);
        assert_eq!(bounded(&mut 0, 9), 0);
        assert_eq!(bounded(&mut u32::MAX.clone(), 9), 8);
    }

    #[test]
    fn a_block_known_ahead_is_the_next_and_only_that() {
        let key = Key::new(3, 1, Stream::Variation);
        let mut expected = Words::after([8, 9], key, 5, 6);
        let mut words = expected.clone().with_next_block(key.words(5, 6, 1));
        assert!((0..14).all(|_| words.next_word() == expected.next_word()));
        let mut wrong = Words::after([8, 9], key, 5, 6).with_next_block([1, 2, 3, 4]);
        assert_eq!([(); 6].map(|()| wrong.next_word()), [8, 9, 1, 2, 3, 4]);
    }

    #[test]
    fn every_order_of_four_is_shuffled_about_equally_often() {
        let mut counts = BTreeMap::new();
        for slot in 0..24_000 {
            let mut words = Words::new(Key::new(1, 0, Stream::Sample), 0, slot);
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, || words.next_word());
            *counts.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        // 1000 expected each, standard deviation 31.
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn nine_items_take_one_word_and_twenty_five_take_five() {
        for (len, expected) in [(0, 0), (1, 0), (2, 1), (9, 1), (10, 2), (16, 3), (25, 5)] {
            let mut drawn = 0;
            shuffle(&mut vec![0u8; len], || {
                drawn += 1;
                0x1234_5678
            });
            assert_eq!(drawn, expected, "{len} items");
        }
    }

    #[test]
    fn value_stability_of_a_shuffle() {
        let mut words = Words::new(Key::new(1, 0, Stream::Fill), 0, 0);
        let mut items = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        shuffle(&mut items, || words.next_word());
        assert_eq!(items, [8, 3, 1, 4, 6, 7, 9, 5, 2]);
        let mut items: [u8; 25] = std::array::from_fn(|k| k as u8);
        shuffle(&mut items, || words.next_word());
        assert_eq!(items, [0, 4, 1, 3, 18, 24, 21, 23, 11, 19, 7, 5, 20, 13, 22, 17, 16, 12, 2, 8, 9, 15, 10, 14, 6]);
    }

    #[test]
    fn rand_can_draw_from_the_stream() {
        let mut words = Words::new(Key::new(1, 0, Stream::Sample), 0, 0);
        let [a, b, c, d] = Key::new(1, 0, Stream::Sample).words(0, 0, 0);
        assert_eq!(words.next_u64(), u64::from(a) | u64::from(b) << 32);
        let mut bytes = [0; 8];
        words.fill_bytes(&mut bytes);
        assert_eq!(bytes[..4], c.to_le_bytes());
        assert_eq!(bytes[4..], d.to_le_bytes());
        let mut items: Vec<u32> = (0..100).collect();
        items.shuffle(&mut words);
        assert_ne!(items, (0..100).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<u32>>());
    }

    #[test]
    fn thresholds_are_exact_at_both_ends() {
        for draw in [0, 1, u32::MAX] {
            assert!(!Threshold::new(0.0).accepts(draw));
            assert!(Threshold::new(1.0).accepts(draw));
        }
        assert_eq!(Threshold::new(f64::NAN), Threshold::NEVER);
        assert!(Threshold::new(0.5).accepts(u32::MAX / 2));
        assert!(!Threshold::new(0.5).accepts(u32::MAX / 2 + 1));
    }

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
        let key = Key::new(3, 1, Stream::Variation);
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
