//! The techniques: each changes the marks and returns true, or returns false if it finds nothing.

use super::marks::{Marks, bits};

/// Fills every cell with one candidate left.
pub(super) fn naked_singles(marks: &mut Marks) -> bool {
    let mut found = false;
    for cell in 0..marks.side() * marks.side() {
        if marks.of(cell).is_power_of_two() {
            marks.fill(cell, marks.of(cell).trailing_zeros() as usize);
            found = true;
        }
    }
    found
}

/// Fills every cell that is a digit's last place in a unit.
pub(super) fn hidden_singles(marks: &mut Marks) -> bool {
    let mut found = false;
    for (unit, cells) in marks.units().cells.iter().enumerate() {
        for (digit, places) in marks.places(unit).into_iter().enumerate() {
            let Some(cell) = places.is_power_of_two().then(|| cells[places.trailing_zeros() as usize]) else {
                continue;
            };
            // An earlier single of this unit may have taken the cell.
            if marks.of(cell) >> digit & 1 == 1 {
                marks.fill(cell, digit);
                found = true;
            }
        }
    }
    found
}

/// If a digit's places in one unit all lie in another too, it stands there and falls in the rest of the other.
///
/// From a block to a line this is *pointing*, from a line to a block *claiming*.
pub(super) fn locked_candidates(marks: &mut Marks) -> bool {
    let units = marks.units();
    let mut found = false;
    for (unit, cells) in units.cells.iter().enumerate() {
        for (digit, places) in marks.places(unit).into_iter().enumerate() {
            // A single place is a hidden single's business.
            if places.count_ones() < 2 {
                continue;
            }
            let holders: Vec<usize> = bits(places).map(|position| cells[position]).collect();
            for other in units.of[holders[0]].into_iter().filter(|other| *other != unit) {
                if holders.iter().all(|cell| units.of[*cell].contains(&other)) {
                    found |= remove_from_rest(marks, other, unit, 1 << digit);
                }
            }
        }
    }
    found
}

/// Takes digits off the cells of `unit` that are not in `overlap`.
fn remove_from_rest(marks: &mut Marks, unit: usize, overlap: usize, digits: u32) -> bool {
    let units = marks.units();
    let rest = units.cells[unit].iter().filter(|cell| !units.of[**cell].contains(&overlap));
    rest.fold(false, |found, cell| marks.remove(*cell, digits) | found)
}

/// Finds `size` sets whose union has `size` members, and passes their indices and their union, both as masks, to `take`
/// until that returns true. Naked subsets, hidden subsets and fish all have this form.
///
/// Empty sets take no part.
fn tight(sets: &[u32], size: usize, mut take: impl FnMut(u32, u32) -> bool) -> bool {
    extend(sets, size, 0, 0, 0, &mut take)
}

/// Adds sets from `next` on to those chosen; as deep as `size` at most.
fn extend(
    sets: &[u32],
    size: usize,
    next: usize,
    chosen: u32,
    union: u32,
    take: &mut impl FnMut(u32, u32) -> bool,
) -> bool {
    if chosen.count_ones() as usize == size {
        return union.count_ones() as usize == size && take(chosen, union);
    }
    (next..sets.len()).any(|index| {
        let wider = union | sets[index];
        sets[index] != 0
            && wider.count_ones() as usize <= size
            && extend(sets, size, index + 1, chosen | 1 << index, wider, take)
    })
}

/// `size` cells of a unit that have `size` digits between them keep those digits from its other cells.
pub(super) fn naked_subset(marks: &mut Marks, size: usize) -> bool {
    (0..marks.units().cells.len()).any(|unit| {
        let cells = &marks.units().cells[unit];
        tight(&marks.of_unit(unit), size, |positions, digits| {
            let others = cells.iter().enumerate().filter(|(position, _)| positions >> position & 1 == 0);
            others.fold(false, |found, (_, cell)| marks.remove(*cell, digits) | found)
        })
    })
}

/// `size` digits of a unit that have `size` cells between them keep other digits from those cells.
pub(super) fn hidden_subset(marks: &mut Marks, size: usize) -> bool {
    (0..marks.units().cells.len()).any(|unit| {
        let cells = &marks.units().cells[unit];
        tight(&marks.places(unit), size, |digits, positions| {
            bits(positions).fold(false, |found, position| marks.remove(cells[position], !digits) | found)
        })
    })
}

/// If a digit's places in `size` rows lie in `size` columns, those rows use them up: the digit falls in the rest of the
/// columns. And the same with rows and columns exchanged.
pub(super) fn fish(marks: &mut Marks, size: usize) -> bool {
    let n = marks.side();
    (0..n).any(|digit| {
        [(0, n), (n, 0)].into_iter().any(|(lines, crossing)| {
            let places: Vec<u32> = (lines..lines + n).map(|line| places_of(marks, line, digit)).collect();
            tight(&places, size, |bases, covers| {
                bits(covers).fold(false, |found, cover| remove_off(marks, crossing + cover, bases, digit) | found)
            })
        })
    })
}

/// The open positions of a digit in a unit.
fn places_of(marks: &Marks, unit: usize, digit: usize) -> u32 {
    let cells = marks.units().cells[unit].iter().enumerate();
    cells.fold(0, |places, (position, cell)| places | (marks.of(*cell) >> digit & 1) << position)
}

/// Takes a digit off the cells of a line that lie in none of the base lines.
fn remove_off(marks: &mut Marks, line: usize, bases: u32, digit: usize) -> bool {
    let cells = marks.units().cells[line].iter().enumerate();
    let off = cells.filter(|(position, _)| bases >> position & 1 == 0);
    off.fold(false, |found, (_, cell)| marks.remove(*cell, 1 << digit) | found)
}

/// A pivot with the digits x and y sees a pincer with x and z and one with y and z: one of the pincers holds z, so
/// whatever sees both does not.
pub(super) fn xy_wing(marks: &mut Marks) -> bool {
    let units = marks.units();
    let pairs: Vec<usize> = (0..units.of.len()).filter(|cell| marks.of(*cell).count_ones() == 2).collect();
    for &pivot in &pairs {
        let pincers: Vec<usize> = pairs
            .iter()
            .copied()
            .filter(|cell| units.see_each_other(pivot, *cell))
            .filter(|cell| (marks.of(pivot) & marks.of(*cell)).count_ones() == 1)
            .collect();
        for (index, &one) in pincers.iter().enumerate() {
            for &other in &pincers[index + 1..] {
                let shared = marks.of(one) & marks.of(other) & !marks.of(pivot);
                let covers_pivot = (marks.of(one) | marks.of(other)) & marks.of(pivot) == marks.of(pivot);
                if shared != 0 && covers_pivot && remove_seen_by_both(marks, one, other, shared) {
                    return true;
                }
            }
        }
    }
    false
}

fn remove_seen_by_both(marks: &mut Marks, one: usize, other: usize, digits: u32) -> bool {
    let units = marks.units();
    let seen =
        (0..units.of.len()).filter(|cell| units.see_each_other(one, *cell) && units.see_each_other(other, *cell));
    seen.fold(false, |found, cell| marks.remove(cell, digits) | found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tight_sets_are_found_and_others_are_not() {
        let sets = [0b0011, 0b0110, 0, 0b0101, 0b1111];
        let mut found = Vec::new();
        assert!(!tight(&sets, 3, |chosen, union| {
            found.push((chosen, union));
            false
        }));
        assert_eq!(found, [(0b01011, 0b0111)]);
        assert!(!tight(&sets, 2, |_, _| true), "no two of them share two members alone");
    }
}
