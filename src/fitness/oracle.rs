//! The definition of the score, in code that is as plain as possible. No backend calls it; tests and `verify` compare every
//! backend with it.

use super::Score;
use crate::sudoku::Grid;

/// The score of one grid, complete or partial.
pub fn score(grid: &Grid) -> Score {
    let shape = grid.shape();
    let units = 0..shape.side();
    Score::new(
        units.clone().map(|row| missing(grid, shape.row_cells(row))).sum(),
        units.clone().map(|column| missing(grid, shape.column_cells(column))).sum(),
        units.map(|block| missing(grid, shape.block_cells(block))).sum(),
    )
}

/// Filled cells less distinct digits, over all rows, columns and blocks: the duplicates of a partial grid. On a complete
/// grid this is the total of [`score`].
pub fn duplicates(grid: &Grid) -> u32 {
    let shape = grid.shape();
    (0..shape.side())
        .map(|unit| {
            repeated(grid, shape.row_cells(unit))
                + repeated(grid, shape.column_cells(unit))
                + repeated(grid, shape.block_cells(unit))
        })
        .sum()
}

/// The digits that no cell of the unit holds.
fn missing(grid: &Grid, unit: impl Iterator<Item = usize> + Clone) -> u32 {
    (1..=grid.shape().side()).filter(|digit| unit.clone().all(|cell| usize::from(grid.get(cell)) != *digit)).count()
        as u32
}

/// The filled cells of the unit beyond one for each digit it holds.
fn repeated(grid: &Grid, unit: impl Iterator<Item = usize> + Clone) -> u32 {
    let filled = unit.clone().filter(|cell| grid.get(*cell) != 0).count() as u32;
    let distinct = grid.shape().side() as u32 - missing(grid, unit);
    filled - distinct
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Shape;

    #[test]
    fn an_empty_grid_misses_every_digit_of_every_unit() {
        for shape in Shape::all() {
            let family = (shape.side() * shape.side()) as u32;
            let empty = Grid::empty(shape);
            assert_eq!(score(&empty), Score::new(family, family, family));
            assert_eq!(duplicates(&empty), 0);
        }
    }

    #[test]
    fn a_constant_grid_misses_all_but_one_digit_of_every_unit() {
        let grid = Grid::new(Shape::NINE, vec![5; 81]).unwrap();
        assert_eq!(score(&grid), Score::new(72, 72, 72));
        assert_eq!(duplicates(&grid), 216);
    }

    #[test]
    fn families_are_counted_apart() {
        let shape = Shape::of_side(4).unwrap();
        let rows_only_right = [1, 2, 3, 4].repeat(4);
        let grid = Grid::new(shape, rows_only_right).unwrap();
        assert_eq!(score(&grid), Score::new(0, 12, 8));
        assert_eq!(duplicates(&grid), 20);
    }

    #[test]
    fn two_equal_digits_on_a_partial_grid_are_one_duplicate_in_each_unit_they_share() {
        let shape = Shape::of_side(4).unwrap();
        let mut cells = [0; 16];
        (cells[0], cells[1]) = (3, 3);
        let grid = Grid::new(shape, cells).unwrap();
        assert_eq!(score(&grid), Score::new(15, 14, 15));
        assert_eq!(duplicates(&grid), 2);
    }
}
