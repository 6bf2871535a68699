//! Sixteen words of 32 bits as one value, for code that keeps much in registers.
//!
//! Most code here is plain loops over lanes, which a compiler turns into vector instructions. It does not keep twenty such
//! arrays in registers across the steps of a search; code that needs that is written against [`Words16`] once, for
//! every set of instructions that implements it. A value of the implementing type is the proof that the machine has them.

use super::instructions::{Instructions, Task};

/// The number of words of a vector.
pub(crate) const WIDTH: usize = 16;

/// Work on vectors, to be compiled for every set of instructions that has them.
pub(crate) trait VectorTask {
    /// The result of the work.
    type Output;

    /// Does the work; see [`Task::run`] for what is to be inlined.
    fn run<S: Words16>(self, simd: S) -> Self::Output;
}

/// Does work with these instructions; none, and nothing done, where there are no vectors.
#[inline]
pub(crate) fn run<T: VectorTask>(instructions: Instructions, task: T) -> Option<T::Output> {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(simd) => Some(instructions.run(On { simd, task })),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(simd) => Some(instructions.run(On { simd, task })),
        Instructions::Portable => None,
    }
}

/// Work with the instructions that `simd` is the proof of.
struct On<S, T> {
    simd: S,
    task: T,
}

impl<S: Words16, T: VectorTask> Task for On<S, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self) -> T::Output {
        self.task.run(self.simd)
    }
}

/// Operations on vectors of 16 words. Each word is computed from the words at its own place.
pub(crate) trait Words16: Copy {
    /// Sixteen words.
    type V: Copy;

    /// A set of places.
    type Set: Copy;

    /// The first `count` places, all from 16 on.
    fn first_places(self, count: usize) -> Self::Set;

    /// The places of both sets.
    fn both(self, a: Self::Set, b: Self::Set) -> Self::Set;

    /// The other places.
    fn others(self, set: Self::Set) -> Self::Set;

    /// True if there is no place in the set.
    fn is_empty(self, set: Self::Set) -> bool;

    /// A word at every place.
    fn splat(self, word: u32) -> Self::V;

    /// The words of an array.
    fn load(self, words: &[u32; WIDTH]) -> Self::V;

    /// The words as an array.
    fn store(self, words: Self::V) -> [u32; WIDTH];

    /// Sixteen pairs of bytes, each pair in the low half of a word.
    fn load_pairs(self, bytes: &[u8; 2 * WIDTH]) -> Self::V;

    /// The low half of each word.
    fn store_pairs(self, words: Self::V) -> [u8; 2 * WIDTH];

    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// The larger of two words with a sign.
    fn max_signed(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a | b | c`
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;

    /// `a & (b | c)`
    fn and_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;

    fn shift_left<const BITS: u32>(self, words: Self::V) -> Self::V;
    fn shift_right<const BITS: u32>(self, words: Self::V) -> Self::V;

    /// Shifts by as many bits as the word of `bits` says, fewer than 32.
    fn shift_left_by(self, words: Self::V, bits: Self::V) -> Self::V;
    fn shift_right_by(self, words: Self::V, bits: Self::V) -> Self::V;

    /// The bits set in each word.
    fn count_bits(self, words: Self::V) -> Self::V;

    /// [`bounded`](super::rng::bounded): the high halves of the products, with the low halves left in `words`.
    fn bounded(self, words: &mut Self::V, bounds: Self::V) -> Self::V;

    /// For each index, below 16, the word of the table at its place.
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V;

    /// For each index, below 125, the byte of the table at its place.
    fn look_up_byte(self, table: &[u8; 128], indices: Self::V) -> Self::V;

    fn equal(self, a: Self::V, b: Self::V) -> Self::Set;
    fn below(self, a: Self::V, b: Self::V) -> Self::Set;

    /// The words that have a bit of `mask`.
    fn any_bit(self, words: Self::V, mask: Self::V) -> Self::Set;

    /// `b` at the places of the set, `a` elsewhere.
    fn select(self, a: Self::V, set: Self::Set, b: Self::V) -> Self::V;

    /// `a + b` at the places of the set, `a` elsewhere.
    fn add_in(self, a: Self::V, set: Self::Set, b: Self::V) -> Self::V;

    /// `a ^ b` at the places of the set, `a` elsewhere.
    fn xor_in(self, a: Self::V, set: Self::Set, b: Self::V) -> Self::V;

    /// The smaller of both at the places of the set, `a` elsewhere.
    fn min_in(self, a: Self::V, set: Self::Set, b: Self::V) -> Self::V;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{WIDTH, Words16};
    use crate::population::instructions::{Avx2, Avx512};

    /// Defines operations by the intrinsic that each of them is.
    macro_rules! operations {
        ($($name:ident($($operand:ident: $type:ty),*) -> $result:ty = $intrinsic:expr;)*) => {
            $(
                #[inline(always)]
                fn $name(self, $($operand: $type),*) -> $result {
                    // SAFETY: `self` is the proof that the machine has these instructions; what is loaded and stored has
                    // as many bytes as a register.
                    unsafe { $intrinsic }
                }
            )*
        };
    }

    /// One register.
    impl Words16 for Avx512 {
        type V = __m512i;
        type Set = __mmask16;

        operations! {
            splat(word: u32) -> __m512i = _mm512_set1_epi32(word as i32);
            load(words: &[u32; WIDTH]) -> __m512i = _mm512_loadu_si512(words.as_ptr().cast());
            load_pairs(bytes: &[u8; 2 * WIDTH]) -> __m512i = _mm512_cvtepu16_epi32(bytemuck::cast(*bytes));
            store_pairs(words: __m512i) -> [u8; 2 * WIDTH] = bytemuck::cast(_mm512_cvtepi32_epi16(words));
            add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
            sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
            mul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
            and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
            or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
            xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
            max_signed(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
            or3(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
            and_either(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi32::<0xE0>(a, b, c);
            shift_left_by(words: __m512i, bits: __m512i) -> __m512i = _mm512_sllv_epi32(words, bits);
            shift_right_by(words: __m512i, bits: __m512i) -> __m512i = _mm512_srlv_epi32(words, bits);
            count_bits(words: __m512i) -> __m512i = _mm512_popcnt_epi32(words);
            look_up(table: __m512i, indices: __m512i) -> __m512i = _mm512_permutexvar_epi32(indices, table);
            equal(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpeq_epi32_mask(a, b);
            below(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmplt_epu32_mask(a, b);
            any_bit(words: __m512i, mask: __m512i) -> __mmask16 = _mm512_test_epi32_mask(words, mask);
            both(a: __mmask16, b: __mmask16) -> __mmask16 = _kand_mask16(a, b);
            others(set: __mmask16) -> __mmask16 = _knot_mask16(set);
            select(a: __m512i, set: __mmask16, b: __m512i) -> __m512i = _mm512_mask_mov_epi32(a, set, b);
            add_in(a: __m512i, set: __mmask16, b: __m512i) -> __m512i = _mm512_mask_add_epi32(a, set, a, b);
            xor_in(a: __m512i, set: __mmask16, b: __m512i) -> __m512i = _mm512_mask_xor_epi32(a, set, a, b);
            min_in(a: __m512i, set: __mmask16, b: __m512i) -> __m512i = _mm512_mask_min_epu32(a, set, a, b);
        }

        #[inline(always)]
        fn store(self, words: __m512i) -> [u32; WIDTH] {
            let mut array = [0; WIDTH];
            // SAFETY: as above.
            unsafe { _mm512_storeu_si512(array.as_mut_ptr().cast(), words) };
            array
        }

        #[inline(always)]
        fn is_empty(self, set: __mmask16) -> bool {
            set == 0
        }

        #[inline(always)]
        fn first_places(self, count: usize) -> __mmask16 {
            ((1u32 << count.min(WIDTH)) - 1) as __mmask16
        }

        #[inline(always)]
        fn shift_left<const BITS: u32>(self, words: __m512i) -> __m512i {
            // SAFETY: as above.
            unsafe { _mm512_slli_epi32::<BITS>(words) }
        }

        #[inline(always)]
        fn shift_right<const BITS: u32>(self, words: __m512i) -> __m512i {
            // SAFETY: as above.
            unsafe { _mm512_srli_epi32::<BITS>(words) }
        }

        /// Products of 64 bits are those of every other word: the two halves are multiplied apart and put together.
        #[inline(always)]
        fn bounded(self, words: &mut __m512i, bounds: __m512i) -> __m512i {
            const ODD: __mmask16 = 0xAAAA;
            // SAFETY: as above.
            unsafe {
                let even = _mm512_mul_epu32(*words, bounds);
                let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(*words), _mm512_srli_epi64::<32>(bounds));
                *words = _mm512_mask_mov_epi32(even, ODD, _mm512_slli_epi64::<32>(odd));
                _mm512_mask_mov_epi32(_mm512_srli_epi64::<32>(even), ODD, odd)
            }
        }

        #[inline(always)]
        fn look_up_byte(self, table: &[u8; 128], indices: __m512i) -> __m512i {
            // SAFETY: as above, and a half of the table has as many bytes as a register.
            let bytes = unsafe {
                let low = _mm512_loadu_si512(table.as_ptr().cast());
                let high = _mm512_loadu_si512(table[64..].as_ptr().cast());
                _mm512_permutex2var_epi8(low, indices, high)
            };
            self.and(bytes, self.splat(0xFF))
        }
    }

    /// Two registers, words 0 to 7 and words 8 to 15.
    type Two = [__m256i; 2];

    /// Defines operations on both registers by the intrinsic for one.
    macro_rules! operations_on_both {
        ($($name:ident($($operand:ident),*) = $intrinsic:expr;)*) => {
            $(
                #[inline(always)]
                fn $name(self, $($operand: Two),*) -> Two {
                    // SAFETY: `self` is the proof that the machine has these instructions.
                    unsafe {
                        [
                            { $(let $operand = $operand[0];)* $intrinsic },
                            { $(let $operand = $operand[1];)* $intrinsic },
                        ]
                    }
                }
            )*
        };
    }

    /// A set has all bits of its words.
    impl Words16 for Avx2 {
        type V = Two;
        type Set = Two;

        operations_on_both! {
            add(a, b) = _mm256_add_epi32(a, b);
            sub(a, b) = _mm256_sub_epi32(a, b);
            mul(a, b) = _mm256_mullo_epi32(a, b);
            and(a, b) = _mm256_and_si256(a, b);
            or(a, b) = _mm256_or_si256(a, b);
            xor(a, b) = _mm256_xor_si256(a, b);
            max_signed(a, b) = _mm256_max_epi32(a, b);
            or3(a, b, c) = _mm256_or_si256(_mm256_or_si256(a, b), c);
            and_either(a, b, c) = _mm256_and_si256(a, _mm256_or_si256(b, c));
            shift_left_by(words, bits) = _mm256_sllv_epi32(words, bits);
            shift_right_by(words, bits) = _mm256_srlv_epi32(words, bits);
            count_bits(words) = count_bits(words);
            equal(a, b) = _mm256_cmpeq_epi32(a, b);
            below(a, b) = not(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a));
            any_bit(words, mask) = not(_mm256_cmpeq_epi32(_mm256_and_si256(words, mask), _mm256_setzero_si256()));
            both(a, b) = _mm256_and_si256(a, b);
            others(set) = not(set);
            select(a, set, b) = _mm256_blendv_epi8(a, b, set);
            add_in(a, set, b) = _mm256_add_epi32(a, _mm256_and_si256(set, b));
            xor_in(a, set, b) = _mm256_xor_si256(a, _mm256_and_si256(set, b));
            min_in(a, set, b) = _mm256_blendv_epi8(a, _mm256_min_epu32(a, b), set);
        }

        #[inline(always)]
        fn splat(self, word: u32) -> Two {
            bytemuck::cast([word; WIDTH])
        }

        #[inline(always)]
        fn load(self, words: &[u32; WIDTH]) -> Two {
            bytemuck::cast(*words)
        }

        #[inline(always)]
        fn store(self, words: Two) -> [u32; WIDTH] {
            bytemuck::cast(words)
        }

        #[inline(always)]
        fn load_pairs(self, bytes: &[u8; 2 * WIDTH]) -> Two {
            let [low, high]: [__m128i; 2] = bytemuck::cast(*bytes);
            // SAFETY: `self` is the proof that the machine has these instructions.
            unsafe { [_mm256_cvtepu16_epi32(low), _mm256_cvtepu16_epi32(high)] }
        }

        /// Packing works within halves of a register, so the quarters change places.
        #[inline(always)]
        fn store_pairs(self, words: Two) -> [u8; 2 * WIDTH] {
            // SAFETY: as above.
            let packed = unsafe {
                let half = _mm256_set1_epi32(0xFFFF);
                let (low, high) = (_mm256_and_si256(words[0], half), _mm256_and_si256(words[1], half));
                _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high))
            };
            bytemuck::cast(packed)
        }

        #[inline(always)]
        fn is_empty(self, set: Two) -> bool {
            // SAFETY: as above.
            unsafe { _mm256_testz_si256(set[0], set[0]) & _mm256_testz_si256(set[1], set[1]) != 0 }
        }

        #[inline(always)]
        fn first_places(self, count: usize) -> Two {
            bytemuck::cast(std::array::from_fn::<u32, WIDTH, _>(|place| u32::from(place < count).wrapping_neg()))
        }

        #[inline(always)]
        fn shift_left<const BITS: u32>(self, words: Two) -> Two {
            self.shift_left_by(words, self.splat(BITS))
        }

        #[inline(always)]
        fn shift_right<const BITS: u32>(self, words: Two) -> Two {
            self.shift_right_by(words, self.splat(BITS))
        }

        #[inline(always)]
        fn bounded(self, words: &mut Two, bounds: Two) -> Two {
            // SAFETY: as above.
            unsafe {
                let (first, low_first) = products(words[0], bounds[0]);
                let (second, low_second) = products(words[1], bounds[1]);
                *words = [low_first, low_second];
                [first, second]
            }
        }

        /// Both halves of the table are looked up in, and bit 3 of the index decides.
        #[inline(always)]
        fn look_up(self, table: Two, indices: Two) -> Two {
            // SAFETY: as above.
            unsafe { [look_up(table, indices[0]), look_up(table, indices[1])] }
        }

        /// Words are gathered, of which the lowest byte counts.
        #[inline(always)]
        fn look_up_byte(self, table: &[u8; 128], indices: Two) -> Two {
            // SAFETY: as above, and no index is past the last word of the table.
            unsafe {
                let last = _mm256_set1_epi32(124);
                let bytes = table.as_ptr().cast();
                let [first, second] = indices;
                let words = [
                    _mm256_i32gather_epi32::<1>(bytes, _mm256_min_epu32(first, last)),
                    _mm256_i32gather_epi32::<1>(bytes, _mm256_min_epu32(second, last)),
                ];
                self.and(words, self.splat(0xFF))
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn not(words: __m256i) -> __m256i {
        _mm256_xor_si256(words, _mm256_set1_epi32(-1))
    }

    /// The bits of each half byte looked up, and the bytes of a word added.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn count_bits(words: __m256i) -> __m256i {
        let counts = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let half = _mm256_set1_epi8(0x0F);
        let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(words, half));
        let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16::<4>(words), half));
        let pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
        _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
    }

    /// The high and the low halves of the products.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn products(words: __m256i, bounds: __m256i) -> (__m256i, __m256i) {
        let even = _mm256_mul_epu32(words, bounds);
        let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(words), _mm256_srli_epi64::<32>(bounds));
        let high = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd);
        let low = _mm256_blend_epi32::<0b1010_1010>(even, _mm256_slli_epi64::<32>(odd));
        (high, low)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up(table: Two, indices: __m256i) -> __m256i {
        let low = _mm256_permutevar8x32_epi32(table[0], indices);
        let high = _mm256_permutevar8x32_epi32(table[1], indices);
        let is_high = _mm256_cmpgt_epi32(indices, _mm256_set1_epi32(7));
        _mm256_blendv_epi8(low, high, is_high)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::{WIDTH, Words16};
    use crate::population::instructions::{Instructions, Task};
    use crate::population::rng::{Key, Stream, bounded};

    type Array = [u32; WIDTH];

    /// Every operation on these words, the results one after another.
    struct All<S> {
        simd: S,
        words: [Array; 3],
    }

    impl<S: Words16> Task for All<S> {
        type Output = Vec<Array>;

        #[inline(always)]
        fn run(self) -> Vec<Array> {
            let All { simd, words } = self;
            let (a, b, c) = (simd.load(&words[0]), simd.load(&words[1]), simd.load(&words[2]));
            let few = simd.and(b, simd.splat(31));
            let (equal, below) = (simd.equal(few, simd.and(c, simd.splat(31))), simd.below(a, b));
            let mut left = a;
            let high = simd.bounded(&mut left, few);
            let table: [u8; 128] = std::array::from_fn(|place| (place * 7 + 3) as u8);
            let pairs: [u8; 2 * WIDTH] =
                bytemuck::cast(std::array::from_fn::<u16, WIDTH, _>(|place| words[0][place] as u16));
            let read = simd.load_pairs(&pairs);
            assert_eq!(simd.store_pairs(simd.or(read, simd.shift_left::<16>(a))), pairs);
            vec![
                simd.store(simd.add(a, b)),
                simd.store(simd.sub(a, b)),
                simd.store(simd.mul(a, b)),
                simd.store(simd.xor(a, b)),
                simd.store(simd.max_signed(a, b)),
                simd.store(simd.or3(a, b, c)),
                simd.store(simd.and_either(a, b, c)),
                simd.store(simd.shift_left::<9>(a)),
                simd.store(simd.shift_right::<9>(a)),
                simd.store(simd.shift_left_by(a, few)),
                simd.store(simd.shift_right_by(a, few)),
                simd.store(simd.count_bits(a)),
                simd.store(high),
                simd.store(left),
                simd.store(simd.look_up(a, simd.and(b, simd.splat(15)))),
                simd.store(simd.look_up_byte(&table, simd.and(b, simd.splat(63)))),
                simd.store(read),
                simd.store(simd.select(a, equal, b)),
                simd.store(simd.select(a, simd.both(simd.others(equal), below), b)),
                simd.store(simd.add_in(a, below, b)),
                simd.store(simd.xor_in(a, simd.any_bit(a, simd.splat(5)), b)),
                simd.store(simd.min_in(a, simd.first_places(5), b)),
                simd.store(simd.select(a, simd.first_places(WIDTH), b)),
            ]
        }
    }

    fn plain([a, b, c]: [u32; 3], place: usize, table: &Array) -> Vec<u32> {
        let few = b & 31;
        let (equal, below) = (few == c & 31, a < b);
        let mut left = a;
        let high = bounded(&mut left, few);
        vec![
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a ^ b,
            (a as i32).max(b as i32) as u32,
            a | b | c,
            a & (b | c),
            a << 9,
            a >> 9,
            a << few,
            a >> few,
            a.count_ones(),
            high,
            left,
            table[b as usize & 15],
            ((b & 63) * 7 + 3) & 0xFF,
            a & 0xFFFF,
            if equal { b } else { a },
            if !equal && below { b } else { a },
            if below { a.wrapping_add(b) } else { a },
            if a & 5 != 0 { a ^ b } else { a },
            if place < 5 { a.min(b) } else { a },
            b,
        ]
    }

    #[test]
    fn vectors_do_what_each_word_alone_does() {
        for number in 0..500 {
            let [a, b, c, _] = Key::new(1, 0, Stream::Sample).words_of_lanes::<WIDTH>(number, 0, 0);
            let words = [a, b, c];
            for instructions in Instructions::available() {
                let found = match instructions {
                    Instructions::Portable => continue,
                    Instructions::Avx2(simd) => instructions.run(All { simd, words }),
                    Instructions::Avx512(simd) => instructions.run(All { simd, words }),
                };
                for place in 0..WIDTH {
                    let expected = plain([a[place], b[place], c[place]], place, &a);
                    let found: Vec<u32> = found.iter().map(|words| words[place]).collect();
                    assert_eq!(found, expected, "{}", instructions.name());
                }
            }
        }
    }
}
