//! The score.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// How far a candidate is from a solution: the sum over rows, over columns and over blocks of the digits *missing*
/// from each, `n` minus the number of distinct digits present. On a complete grid that is the number of duplicates.
///
/// Packed in one `u32`, so that a GPU writes it whole; the largest sum, 625 in an empty 25x25 grid, needs 10 bits:
///
/// ```text
/// bit 31 30 | 29 ... 20 | 19 ... 10 | 9 ... 0
///       0 0 |   blocks  |  columns  |  rows
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Score(u32);

impl Score {
    const BITS: u32 = 10;
    const MASK: u32 = (1 << Self::BITS) - 1;

    /// A score of these three sums, each at most 1023.
    #[inline]
    pub const fn new(rows: u32, columns: u32, blocks: u32) -> Score {
        debug_assert!(rows <= Self::MASK && columns <= Self::MASK && blocks <= Self::MASK);
        Score(rows | columns << Self::BITS | blocks << (2 * Self::BITS))
    }

    /// The score packed in these bits.
    #[inline]
    pub const fn from_bits(bits: u32) -> Score {
        Score(bits)
    }

    /// The packed bits.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Digits missing from rows.
    #[inline]
    pub const fn rows(self) -> u32 {
        self.0 & Self::MASK
    }

    /// Digits missing from columns.
    #[inline]
    pub const fn columns(self) -> u32 {
        self.0 >> Self::BITS & Self::MASK
    }

    /// Digits missing from blocks.
    #[inline]
    pub const fn blocks(self) -> u32 {
        self.0 >> (2 * Self::BITS) & Self::MASK
    }

    /// Digits missing from all units; 0 for a complete grid without duplicates.
    #[inline]
    pub const fn total(self) -> u32 {
        self.rows() + self.columns() + self.blocks()
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `12 (rows 5, columns 7, blocks 0)`
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns, blocks) = (self.rows(), self.columns(), self.blocks());
        write!(f, "{} (rows {rows}, columns {columns}, blocks {blocks})", self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_sums_stay_apart_up_to_the_largest() {
        let score = Score::new(625, 624, 623);
        assert_eq!((score.rows(), score.columns(), score.blocks(), score.total()), (625, 624, 623, 1872));
        assert_eq!(score.bits(), 625 | 624 << 10 | 623 << 20);
        assert_eq!(Score::from_bits(score.bits()), score);
    }
}
