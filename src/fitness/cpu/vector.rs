//! The vector operations of the AVX2 and AVX-512 kernels, on registers of 32 bytes.
//!
//! Each asks for the proof that the machine has it, and is inlined into code compiled for it: called through
//! [`Instructions::run`](crate::population::instructions::Instructions::run) alone is it one instruction.

use std::arch::x86_64::*;

use crate::population::Lanes;
use crate::population::instructions::{Avx2, Avx512};

/// A register of 32 bytes.
pub(super) type V = __m256i;

/// Defines operations by the intrinsic that each of them is.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($($operand:ident),*) = $intrinsic:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            fn $name(self, $($operand: V),*) -> V {
                // SAFETY: `self` is the proof that the machine has AVX2, and nothing else is asked for.
                unsafe { $intrinsic($($operand),*) }
            }
        )*
    };
}

/// The operations of both kernels, for proofs that the machine has at least AVX2. Bytes unless the name says words, of 16
/// bits.
pub(super) trait Vector: Copy + Into<Avx2> {
    /// The bits set in each byte.
    fn count_bits(self, bytes: V) -> V;

    /// The lanes of a cell.
    #[inline(always)]
    fn load(self, lanes: &Lanes) -> V {
        bytemuck::cast(lanes.0)
    }

    /// A byte in every lane.
    #[inline(always)]
    fn splat(self, byte: u8) -> V {
        bytemuck::cast([byte; 32])
    }

    /// A word in every place.
    #[inline(always)]
    fn splat_words(self, word: u16) -> V {
        bytemuck::cast([word; 16])
    }

    /// A table of 16 bytes in both halves, as [`Vector::look_up`] wants it.
    #[inline(always)]
    fn table(self, bytes: [u8; 16]) -> V {
        bytemuck::cast([bytes; 2])
    }

    operations! {
        or(a, b) = _mm256_or_si256;
        and(a, b) = _mm256_and_si256;
        /// What stands in the table at the low four bits of each byte; 0 where bit 7 is set.
        look_up(table, bytes) = _mm256_shuffle_epi8;
        max(a, b) = _mm256_max_epu8;
        add(a, b) = _mm256_add_epi8;
        sub(a, b) = _mm256_sub_epi8;
        sub_or_zero(a, b) = _mm256_subs_epu8;
        /// 255 in lanes that are equal, 0 in others.
        equal(a, b) = _mm256_cmpeq_epi8;
        sub_words(a, b) = _mm256_sub_epi16;
        shift_words_left_4(a) = _mm256_slli_epi16::<4>;
        shift_words_left_10(a) = _mm256_slli_epi16::<10>;
        shift_words_right_4(a) = _mm256_srli_epi16::<4>;
        shift_words_right_6(a) = _mm256_srli_epi16::<6>;
        /// The low eight bytes of each half, in turns from `a` and `b`.
        interleave_low(a, b) = _mm256_unpacklo_epi8;
        interleave_high(a, b) = _mm256_unpackhi_epi8;
        interleave_words_low(a, b) = _mm256_unpacklo_epi16;
        interleave_words_high(a, b) = _mm256_unpackhi_epi16;
        low_halves(a, b) = _mm256_permute2x128_si256::<0x20>;
        high_halves(a, b) = _mm256_permute2x128_si256::<0x31>;
    }
}

impl Vector for Avx2 {
    /// Both halves of each byte looked up.
    #[inline(always)]
    fn count_bits(self, bytes: V) -> V {
        let counts = self.table([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);
        let low_half = self.splat(0x0f);
        let low = self.look_up(counts, self.and(bytes, low_half));
        let high = self.look_up(counts, self.and(self.shift_words_right_4(bytes), low_half));
        self.add(low, high)
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn count_bits(self, bytes: V) -> V {
        // SAFETY: `self` is the proof that the machine has BITALG and VL.
        unsafe { _mm256_popcnt_epi8(bytes) }
    }
}
