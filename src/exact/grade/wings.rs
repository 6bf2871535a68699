//! XY-wing: three cells of two digits each.

use super::marks::Marks;

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
