//! Sets of cells as three bands of bits, and one digit's places in bands and stacks as permutations.

use super::DeadEnd;

/// One bit a cell; the fourth word is unused, and makes a set of cells one vector register.
pub(super) type Cells = [u32; 4];

pub(super) const BAND: u32 = (1 << 27) - 1;
pub(super) const ALL_CELLS: Cells = [BAND, BAND, BAND, 0];
pub(super) const NO_CELLS: Cells = [0; 4];

/// A cell's place: its band, and its bit there.
pub(super) const fn place(cell: usize) -> (usize, u32) {
    (cell / 27, 1 << (cell % 27))
}

#[inline]
pub(super) fn map2(a: Cells, b: Cells, f: impl Fn(u32, u32) -> u32) -> Cells {
    std::array::from_fn(|word| f(a[word], b[word]))
}

#[inline]
pub(super) fn and(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a & b)
}

#[inline]
pub(super) fn or(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a | b)
}

#[inline]
pub(super) fn without(a: Cells, b: Cells) -> Cells {
    map2(a, b, |a, b| a & !b)
}

#[inline]
pub(super) fn is_empty(cells: Cells) -> bool {
    cells[0] | cells[1] | cells[2] == 0
}

/// Takes the first cell out of a set that is not empty.
#[inline]
pub(super) fn take_first(cells: &mut Cells) -> usize {
    let band = if cells[0] != 0 { 0 } else { 1 + usize::from(cells[1] == 0) };
    let bit = cells[band].trailing_zeros();
    cells[band] &= cells[band].wrapping_sub(1);
    band * 27 + bit as usize
}

/// For each cell: the cells that may still hold a digit once this one does, itself included.
pub(super) const KEPT: [Cells; 81] = {
    let mut table = [ALL_CELLS; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            let row = cell / 9 == other / 9;
            let column = cell % 9 == other % 9;
            let block = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (row || column || block) {
                let (band, bit) = place(other);
                table[cell][band] &= !bit;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// The cell of a set that sees most others of the set.
#[inline]
pub(super) fn busiest(cells: Cells) -> usize {
    let mut busiest = (0, 0);
    let mut left = cells;
    while !is_empty(left) {
        let cell = take_first(&mut left);
        let seen = without(cells, KEPT[cell]);
        busiest = busiest.max((seen[0].count_ones() + seen[1].count_ones() + seen[2].count_ones(), 81 - cell));
    }
    81 - busiest.1
}

/// The cells of a row.
const ROW: u32 = (1 << 9) - 1;
/// A bit of a row, in each of the three rows of a band.
const EACH_ROW: u32 = 1 | 1 << 9 | 1 << 18;

/// For nine mini-rows (bit `3 * row + block`) or mini-columns: those that are in a permutation of them.
const PERMUTED: [u16; 512] = {
    const PERMUTATIONS: [u16; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let mut k = 0;
        while k < 6 {
            if open as u16 & PERMUTATIONS[k] == PERMUTATIONS[k] {
                table[open] |= PERMUTATIONS[k];
            }
            k += 1;
        }
        open += 1;
    }
    table
};

/// For nine mini-rows: the cells of a band that are in a permutation of them; 0 if there is none.
const PERMUTED_CELLS: [u32; 512] = {
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let mut mini_row = 0;
        while mini_row < 9 {
            if PERMUTED[open] >> mini_row & 1 == 1 {
                table[open] |= 0b111 << (3 * mini_row);
            }
            mini_row += 1;
        }
        open += 1;
    }
    table
};

/// For nine mini-columns (bit `3 * band + column`): those that are in a permutation of them, with the columns of each
/// band at the start of a row of nine bits.
const PERMUTED_COLUMNS: [u32; 512] = {
    let mut table = [0; 512];
    let mut open = 0;
    while open < 512 {
        let permuted = PERMUTED[open] as u32;
        table[open] = permuted & 7 | (permuted >> 3 & 7) << 9 | (permuted >> 6) << 18;
        open += 1;
    }
    table
};

/// For the nine cells of a row: the mini-rows that are not empty.
const MINI_ROWS: [u8; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut block = 0;
        while block < 3 {
            if cells >> (3 * block) & 0b111 != 0 {
                table[cells] |= 1 << block;
            }
            block += 1;
        }
        cells += 1;
    }
    table
};

/// Drops the places of a digit that are in no permutation, by bands and by stacks until both agree.
#[inline]
pub(super) fn permute(mut places: Cells) -> Result<Cells, DeadEnd> {
    loop {
        let by_rows = permute_bands(places)?;
        places = and(by_rows, permute_stacks(by_rows)?);
        if places == by_rows {
            return Ok(places);
        }
    }
}

fn permute_bands(places: Cells) -> Result<Cells, DeadEnd> {
    let mut kept = NO_CELLS;
    for band in 0..3 {
        let word = places[band];
        let mini_rows = |row: u32| usize::from(MINI_ROWS[(word >> (9 * row) & ROW) as usize]) << (3 * row);
        kept[band] = word & PERMUTED_CELLS[mini_rows(0) | mini_rows(1) | mini_rows(2)];
        if kept[band] == 0 {
            return Err(DeadEnd);
        }
    }
    Ok(kept)
}

fn permute_stacks(places: Cells) -> Result<Cells, DeadEnd> {
    let columns = |word: u32| (word | word >> 9 | word >> 18) & ROW;
    let [a, b, c] = [columns(places[0]), columns(places[1]), columns(places[2])];
    let permuted = |stack: u32| {
        let open = (a >> stack & 7) | (b >> stack & 7) << 3 | (c >> stack & 7) << 6;
        PERMUTED_COLUMNS[open as usize]
    };
    let stacks = [permuted(0), permuted(3), permuted(6)];
    if stacks.contains(&0) {
        return Err(DeadEnd);
    }
    let kept = stacks[0] | stacks[1] << 3 | stacks[2] << 6;
    Ok([kept & ROW, kept >> 9 & ROW, kept >> 18, 0].map(|columns| columns * EACH_ROW))
}

/// The places of a digit that are the only ones in their row, if no row is without a place.
#[inline]
pub(super) fn last_of_row(places: Cells) -> Cells {
    places.map(|word| {
        // Each row without its lowest place; nothing is borrowed across rows, since none is empty.
        let more = word & word.wrapping_sub(EACH_ROW);
        let pairs = more | more >> 1;
        let fours = pairs | pairs >> 2;
        let rows_with_more = (fours | fours >> 4 | more >> 8) & EACH_ROW;
        word & !(rows_with_more * ROW)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::rng::{Key, Stream, Words};

    /// The cells of a band that are in one of its ways to hold a digit: a cell a row, each in another block.
    fn in_some_way(band: u32) -> u32 {
        let mut union = 0;
        for columns in 0..9 * 9 * 9 {
            let [a, b, c] = [columns / 81, columns / 9 % 9, columns % 9];
            let way = 1 << a | 1 << (9 + b) | 1 << (18 + c);
            if a / 3 != b / 3 && b / 3 != c / 3 && a / 3 != c / 3 && band & way == way {
                union |= way;
            }
        }
        union
    }

    #[test]
    fn bands_keep_the_cells_that_are_in_some_way_to_hold_the_digit() {
        let mut words = Words::new(Key::new(1, 0, Stream::Sample), 0, 0);
        let mut dead = 0;
        for _ in 0..3000 {
            let band = words.next_word() & (words.next_word() | words.next_word()) & ((1 << 27) - 1);
            // A mini-row stays whole if one of its cells can be used; cells that cannot are gone already.
            match permute_bands([band, band, band, 0]) {
                Ok(kept) => assert_eq!(kept[0], in_some_way(band), "{band:o}"),
                Err(DeadEnd) => {
                    dead += 1;
                    assert_eq!(in_some_way(band), 0, "{band:o}");
                }
            }
        }
        assert!((100..2900).contains(&dead), "{dead} of 3000 are dead ends");
    }

    #[test]
    fn stacks_are_bands_with_rows_and_columns_exchanged() {
        let mut words = Words::new(Key::new(2, 0, Stream::Sample), 0, 0);
        let mut dead = 0;
        for _ in 0..3000 {
            let places = std::array::from_fn(|band| if band < 3 { words.next_word() & BAND } else { 0 });
            let by_stacks = permute_stacks(places).map(|kept| and(places, kept)).ok();
            let by_bands = permute_bands(transposed(places)).map(transposed).ok();
            assert_eq!(by_stacks, by_bands);
            dead += u32::from(by_stacks.is_none());
        }
        assert!((100..2900).contains(&dead), "{dead} of 3000 are dead ends");
    }

    fn transposed(places: Cells) -> Cells {
        let mut transposed = NO_CELLS;
        for cell in (0..81).filter(|cell| places[cell / 27] >> (cell % 27) & 1 == 1) {
            let exchanged = cell % 9 * 9 + cell / 9;
            transposed[exchanged / 27] |= 1 << (exchanged % 27);
        }
        transposed
    }

    #[test]
    fn the_last_of_a_row_is_its_only_place() {
        let rows = [0b000_000_100, 0b100_000_000, 0b110_000_000];
        let band = rows[0] | rows[1] << 9 | rows[2] << 18;
        assert_eq!(
            last_of_row([band, band, band, 0]),
            [rows[0] | rows[1] << 9, rows[0] | rows[1] << 9, rows[0] | rows[1] << 9, 0]
        );
        for columns in 0..9 {
            let row = 1 | 1 << columns;
            let single = if columns == 0 { 1 } else { 0 };
            let band = row | 1 << 9 | 1 << 18;
            assert_eq!(last_of_row([band; 4])[0], single | 1 << 9 | 1 << 18, "{columns}");
        }
    }
}
