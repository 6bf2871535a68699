//! Sets of cells: the bands of one digit, or of none in particular.

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
