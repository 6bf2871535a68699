//! What naked subsets, hidden subsets and fish have in common: `k` sets that share `k` members use them up.

/// Finds `size` sets whose union has `size` members, and gives their indices and their union, both as masks, to `take`
/// until it is content; true if it was.
///
/// Empty sets take no part.
pub(super) fn tight(sets: &[u32], size: usize, mut take: impl FnMut(u32, u32) -> bool) -> bool {
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
