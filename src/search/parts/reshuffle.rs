//! A child is its parent with a few cells of a few units shuffled: the rule of `ga-naive` and of `ga-columns`.
//!
//! There is no crossover: a unit's digits stay in the unit, so a child is a permutation wherever its parent was.
//!
//! [`Draws`] of a child, in this order:
//!
//! 1. the parent: the rank of one of `survivors`;
//! 2. the units: a [`sample`](Draws::sample) of `shuffled_units` from all;
//! 3. for each of them in the order drawn, if it has at least two cells to shuffle: a sample of that many of its free
//!    cells, and then, for `k` from the last of these cells down to the second, the one of cells `0..=k` in the sample
//!    with which it exchanges its digit.

use super::generations::{Parents, Variation};
use crate::population::rng::Draws;
use crate::sudoku::{MAX_CELLS, MAX_SIDE};

/// Copies a survivor and shuffles some of its cells.
#[derive(Clone, Copy, Debug)]
pub struct Reshuffle {
    /// The best of a generation, from which the next one is bred.
    pub survivors: usize,
    /// How many units are shuffled, if there are as many; the others are copied.
    pub shuffled_units: usize,
    /// How many cells of such a unit are shuffled, if it has as many free ones; the others are copied.
    pub shuffled_cells: usize,
}

impl Variation for Reshuffle {
    /// A parent, a unit and two of its cells are drawn from one word; a longer shuffle takes what it takes.
    const WORDS: usize = 2;

    fn ranks(&self) -> usize {
        self.survivors
    }

    #[inline(always)]
    fn vary(&self, parents: &Parents, _: usize, mut draws: Draws, child: &mut [u8]) {
        child.copy_from_slice(parents.ranked(draws.below(self.survivors as u32)));
        let units = parents.units().units();
        let mut order: [u8; MAX_SIDE] = std::array::from_fn(|unit| unit as u8);
        let shuffled = self.shuffled_units.min(units);
        draws.sample(&mut order[..units], shuffled);
        for unit in &order[..shuffled] {
            self.shuffle(&mut child[parents.units().range(usize::from(*unit))], &mut draws);
        }
    }
}

impl Reshuffle {
    /// Shuffles some of a unit's digits among themselves.
    #[inline(always)]
    fn shuffle(&self, digits: &mut [u8], draws: &mut Draws) {
        let count = self.shuffled_cells.min(digits.len());
        if count < 2 {
            return;
        }
        let (mut few, mut many);
        let places: &mut [u16] = if digits.len() <= MAX_SIDE {
            few = [0; MAX_SIDE];
            &mut few
        } else {
            many = [0; MAX_CELLS];
            &mut many
        };
        let places = &mut places[..digits.len()];
        (0..).zip(&mut *places).for_each(|(place, slot)| *slot = place);
        draws.sample(places, count);
        for k in (1..count).rev() {
            let other = draws.below(k as u32 + 1) as usize;
            digits.swap(usize::from(places[k]), usize::from(places[other]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::Score;
    use crate::population::moves::FreeUnits;
    use crate::population::rng::{Key, Stream, Words};
    use crate::sudoku::Grid;
    use crate::sudoku::Puzzle;
    use crate::sudoku::Shape;

    /// The parent, one genome of a fill, and its children in these units.
    fn family(rule: Reshuffle, units: fn(&Puzzle) -> FreeUnits, children: u32) -> (FreeUnits, Vec<u8>, Vec<Vec<u8>>) {
        let units = units(&Puzzle::new(Grid::empty(Shape::NINE)).unwrap());
        let mut parent = vec![0; 81];
        units.fill_genome(&mut parent, &mut Words::new(Key::new(1, 0, Stream::Fill), 0, 0));
        let mut parents = Parents::new(units.clone(), 81);
        parents.succeed(&mut parent.clone(), &[Score::default()], 1);
        let bred = (0..children).map(|slot| {
            let mut child = vec![0; 81];
            rule.vary(&parents, 0, Draws::new(Words::new(Key::new(1, 0, Stream::Variation), 1, slot)), &mut child);
            child
        });
        (units, parent, bred.collect())
    }

    fn changed(parent: &[u8], child: &[u8]) -> Vec<usize> {
        (0..parent.len()).filter(|place| parent[*place] != child[*place]).collect()
    }

    #[test]
    fn only_so_many_cells_of_so_many_units_change() {
        let rule = Reshuffle { survivors: 1, shuffled_units: 2, shuffled_cells: 3 };
        let (units, parent, children) = family(rule, FreeUnits::columns, 500);
        let mut most = (0, 0);
        for child in children {
            let by_unit: Vec<usize> =
                (0..9).map(|unit| changed(&parent[units.range(unit)], &child[units.range(unit)]).len()).collect();
            let touched = by_unit.iter().filter(|cells| **cells > 0).count();
            assert!(touched <= 2 && by_unit.iter().all(|cells| *cells <= 3), "{by_unit:?}");
            most = most.max((touched, *by_unit.iter().max().unwrap()));
        }
        assert_eq!(most, (2, 3), "as many as allowed do change");
    }

    #[test]
    fn two_cells_of_one_unit_change_in_half_of_the_children_and_every_pair_does() {
        let rule = Reshuffle { survivors: 1, shuffled_units: 1, shuffled_cells: 2 };
        let (_, parent, children) = family(rule, FreeUnits::columns, 32_400);
        let mut counts = std::collections::BTreeMap::new();
        for child in children {
            *counts.entry(changed(&parent, &child)).or_insert(0u32) += 1;
        }
        // 16,200 expected, standard deviation 90.
        let same = counts.remove(&vec![]).unwrap();
        assert!((15_700..16_700).contains(&same), "{same}");
        assert_eq!(counts.len(), 9 * 36);
        // 50 expected each, standard deviation 7.
        assert!(counts.values().all(|count| (20..85).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_unit_of_the_whole_grid_shuffles_digits_across_rows_and_columns() {
        let rule = Reshuffle { survivors: 1, shuffled_units: 1, shuffled_cells: 81 };
        let (_, parent, children) = family(rule, FreeUnits::grid, 20);
        for mut child in children {
            assert!(changed(&parent, &child).len() > 50);
            child.sort_unstable();
            assert!(child.into_iter().eq((0..81).map(|place| place / 9 + 1)), "each digit nine times");
        }
    }
}
