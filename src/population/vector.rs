//! Sixteen words of 32 bits as one value, for code that keeps much in registers.
//!
//! Most code here is plain loops over lanes, which a compiler turns into vector instructions. It does not keep twenty such
//! arrays in registers across the steps of a search; code that needs that is written against [`Words16`] once, for
//! every set of instructions that implements it. A value of the implementing type is the proof that the machine has them.

/// The number of words of a vector.
pub(crate) const WIDTH: usize = 16;

/// A set of words of a vector: bit `k` for word `k`.
pub(crate) type WordSet = u16;

/// Operations on vectors of 16 words. Each word is computed from the words at its own place.
pub(crate) trait Words16: Copy {
    /// Sixteen words.
    type V: Copy;

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

    /// For each index, below 128, the byte of the table at its place.
    fn look_up_byte(self, table: &[u8; 128], indices: Self::V) -> Self::V;

    fn equal(self, a: Self::V, b: Self::V) -> WordSet;
    fn below(self, a: Self::V, b: Self::V) -> WordSet;

    /// The words that have a bit of `mask`.
    fn any_bit(self, words: Self::V, mask: Self::V) -> WordSet;

    /// `b` at the places of the set, `a` elsewhere.
    fn select(self, a: Self::V, set: WordSet, b: Self::V) -> Self::V;

    /// `a + b` at the places of the set, `a` elsewhere.
    fn add_in(self, a: Self::V, set: WordSet, b: Self::V) -> Self::V;

    /// `a ^ b` at the places of the set, `a` elsewhere.
    fn xor_in(self, a: Self::V, set: WordSet, b: Self::V) -> Self::V;

    /// The smaller of both at the places of the set, `a` elsewhere.
    fn min_in(self, a: Self::V, set: WordSet, b: Self::V) -> Self::V;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{WIDTH, WordSet, Words16};
    use crate::population::instructions::Avx512;

    /// Defines operations by the intrinsic that each of them is.
    macro_rules! operations {
        ($($name:ident($($operand:ident: $type:ty),*) -> $result:ty = $intrinsic:expr;)*) => {
            $(
                #[inline(always)]
                fn $name(self, $($operand: $type),*) -> $result {
                    // SAFETY: `self` is the proof that the machine has these instructions.
                    unsafe { $intrinsic }
                }
            )*
        };
    }

    impl Words16 for Avx512 {
        type V = __m512i;

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
            look_up(table: __m512i, indices: __m512i) -> __m512i = _mm512_permutexvar_epi32(indices, table);
            equal(a: __m512i, b: __m512i) -> WordSet = _mm512_cmpeq_epi32_mask(a, b);
            below(a: __m512i, b: __m512i) -> WordSet = _mm512_cmplt_epu32_mask(a, b);
            any_bit(words: __m512i, mask: __m512i) -> WordSet = _mm512_test_epi32_mask(words, mask);
            select(a: __m512i, set: WordSet, b: __m512i) -> __m512i = _mm512_mask_mov_epi32(a, set, b);
            add_in(a: __m512i, set: WordSet, b: __m512i) -> __m512i = _mm512_mask_add_epi32(a, set, a, b);
            xor_in(a: __m512i, set: WordSet, b: __m512i) -> __m512i = _mm512_mask_xor_epi32(a, set, a, b);
            min_in(a: __m512i, set: WordSet, b: __m512i) -> __m512i = _mm512_mask_min_epu32(a, set, a, b);
            count_bits(words: __m512i) -> __m512i = _mm512_popcnt_epi32(words);
        }

        #[inline(always)]
        fn store(self, words: __m512i) -> [u32; WIDTH] {
            let mut array = [0; WIDTH];
            // SAFETY: as above, and the array has as many bytes as a register.
            unsafe { _mm512_storeu_si512(array.as_mut_ptr().cast(), words) };
            array
        }

        #[inline(always)]
        fn shift_left<const BITS: u32>(self, words: __m512i) -> __m512i {
            // SAFETY: `self` is the proof that the machine has these instructions.
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
            const ODD: WordSet = 0xAAAA;
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
}
