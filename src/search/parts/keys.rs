//! From keys to digits: the free cells of a unit take its missing digits, ascending, in the order of their keys.
//!
//! Any keys give a candidate whose units of that kind each hold every digit once, which is what lets a search over real
//! numbers work on permutations (J. C. Bean, "Genetic algorithms and random keys for sequencing and optimization", ORSA
//! Journal on Computing 6(2), 1994). Equal keys go by cell.
//!
//! A cell's digit depends on its rank among the keys of its unit alone. Ranks are counted by comparing each pair of keys,
//! all lanes of a tile at once, which needs neither a sort nor a branch:
//!
//! ```text
//! keys of a unit, one lane    0.7  0.2  0.9  0.2        missing digits  1  4  6  9
//! ranks                        2    0    3    1
//! digits                       6    1    9    4
//! ```

use super::motion::KeyLanes;
use crate::population::{LANES, Lanes};
use crate::search::Decoding;
use crate::sudoku::MAX_SIDE;
use crate::sudoku::Puzzle;

/// The rank of the same key in the 32 lanes of a tile.
type RankLanes = [u8; LANES];

/// A digit in each of the 32 lanes of a tile.
type DigitLanes = [u8; LANES];

/// For every unit of one kind its free cells, one key each, and the digits its givens leave out.
#[derive(Clone, Debug)]
pub(crate) struct KeyDecoder {
    /// The cells of the keys: unit after unit, each unit's ascending.
    cells: Vec<u16>,
    /// Missing digits at the places of `cells`, each unit's ascending.
    digits: Vec<DigitLanes>,
    /// Where each unit's share of `cells` and `digits` starts, and the end of the last.
    starts: Vec<u16>,
}

impl KeyDecoder {
    /// The keys of a puzzle.
    pub(crate) fn new(puzzle: &Puzzle, decoding: Decoding) -> KeyDecoder {
        let shape = puzzle.shape();
        let mut decoder = KeyDecoder { cells: Vec::new(), digits: Vec::new(), starts: vec![0] };
        for unit in 0..shape.side() {
            match decoding {
                Decoding::Rows => decoder.add_unit(puzzle, shape.row_cells(unit)),
                Decoding::Blocks => decoder.add_unit(puzzle, shape.block_cells(unit)),
            }
        }
        decoder
    }

    fn add_unit(&mut self, puzzle: &Puzzle, cells: impl Iterator<Item = usize> + Clone) {
        let given = |cell| puzzle.givens().get(cell);
        self.cells.extend(cells.clone().filter(|cell| given(*cell) == 0).map(|cell| cell as u16));
        let side = puzzle.shape().side() as u8;
        self.digits.extend(
            (1..=side).filter(|digit| cells.clone().all(|cell| given(cell) != *digit)).map(|digit| [digit; LANES]),
        );
        self.starts.push(self.cells.len() as u16);
    }

    /// The number of keys of a candidate: one a free cell.
    pub(crate) fn keys(&self) -> usize {
        self.cells.len()
    }

    /// Writes the free cells of the first `used` lanes of a tile, whose keys these are; lanes past them are left empty.
    #[inline(always)]
    pub(crate) fn decode(&self, keys: &[KeyLanes], tile: &mut [Lanes], used: usize) {
        let mut ranks = [[0; LANES]; MAX_SIDE];
        let kept = first_lanes(used);
        for unit in self.starts.windows(2) {
            let unit = usize::from(unit[0])..usize::from(unit[1]);
            rank(&keys[unit.clone()], &mut ranks);
            let digits = &self.digits[unit.clone()];
            for (cell, ranks) in self.cells[unit].iter().zip(&ranks) {
                tile[usize::from(*cell)].0 = digits_of(ranks, digits, &kept);
            }
        }
    }
}

/// All bits of the first `used` lanes.
#[inline(always)]
fn first_lanes(used: usize) -> [u8; LANES] {
    let mut lanes = [0; LANES];
    lanes[..used].fill(u8::MAX);
    lanes
}

/// The digit at each lane's rank, in the lanes kept: a whole tile is compared with each rank in turn, where a look-up in
/// memory would take one lane at a time.
#[inline(always)]
fn digits_of(ranks: &RankLanes, digits: &[DigitLanes], kept: &DigitLanes) -> DigitLanes {
    let (mut left, mut found) = (*ranks, [0; LANES]);
    for digit in digits {
        for lane in 0..LANES {
            let here = u8::from(left[lane] == 0).wrapping_neg();
            found[lane] ^= (found[lane] ^ digit[lane]) & here;
            left[lane] = left[lane].wrapping_sub(1);
        }
    }
    for lane in 0..LANES {
        found[lane] &= kept[lane];
    }
    found
}

/// Counts for each key the keys of its lane that go before it: lower ones, and equal ones of lower cells.
#[inline(always)]
fn rank(keys: &[KeyLanes], ranks: &mut [RankLanes; MAX_SIDE]) {
    for (later, later_keys) in keys.iter().enumerate() {
        let (earlier_ranks, later_ranks) = ranks.split_at_mut(later);
        let mut later_rank = [later as u8; LANES];
        for (earlier_ranks, earlier_keys) in earlier_ranks.iter_mut().zip(keys) {
            for lane in 0..LANES {
                let overtakes = u8::from(later_keys[lane] < earlier_keys[lane]);
                earlier_ranks[lane] += overtakes;
                later_rank[lane] -= overtakes;
            }
        }
        later_ranks[0] = later_rank;
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::*;
    use crate::sudoku::text::{ReadOptions, read_one};

    fn puzzle(text: &str) -> Puzzle {
        Puzzle::new(read_one(text, ReadOptions::default()).unwrap()).unwrap()
    }

    /// The grid that these keys give in lane 5 of a tile, free cells in the order of their keys' units.
    fn decoded(puzzle: &Puzzle, decoding: Decoding, keys: &[f32]) -> String {
        let lanes: Vec<KeyLanes> = keys.iter().map(|key| [*key; LANES]).collect();
        let mut tile: Vec<Lanes> = puzzle.givens().cells().iter().map(|given| Lanes([*given; LANES])).collect();
        let decoder = KeyDecoder::new(puzzle, decoding);
        assert_eq!(decoder.keys(), keys.len());
        decoder.decode(&lanes, &mut tile, 6);
        assert!(tile.iter().zip(puzzle.givens().cells()).all(|(lanes, given)| lanes.0[6] == *given), "past `used`");
        tile.iter().map(|lanes| char::from(b'0' + lanes.0[5])).collect()
    }

    #[test]
    fn rows_take_their_missing_digits_in_the_order_of_keys() {
        // Rows miss 1 3 4, then 1 2, then 2, then 1 2 3 4.
        let puzzle = puzzle("2... 3.4. 14.3 ....");
        let keys = [0.5, 0.1, 0.9, 0.8, 0.3, 0.7, 0.4, 0.3, 0.2, 0.1];
        assert_eq!(decoded(&puzzle, Decoding::Rows, &keys), "2314324114234321");
    }

    #[test]
    fn blocks_take_their_missing_digits_in_the_order_of_keys() {
        // Blocks miss 1 4 (cells 1, 5), 1 2 3 (2, 3, 7), 2 3 (12, 13), 1 2 4 (10, 14, 15).
        let puzzle = puzzle("2... 3.4. 14.3 ....");
        let keys = [0.9, 0.1, 0.2, 1.0, 0.6, 0.0, 0.5, 0.3, 0.2, 0.1];
        assert_eq!(decoded(&puzzle, Decoding::Blocks, &keys), "2413314214432321");
    }

    #[test]
    fn equal_keys_go_by_cell() {
        let empty = puzzle(&".".repeat(16));
        assert_eq!(decoded(&empty, Decoding::Rows, &[0.5; 16]), "1234123412341234");
        assert_eq!(decoded(&empty, Decoding::Blocks, &[0.0; 16]), "1212343412123434");
        let some_equal = [[0.7, 0.2, 0.9, 0.2], [0.0, 1.0, 1.0, 0.0], [0.1, 0.1, 0.1, 0.0], [0.4, 0.4, 0.3, 0.3]];
        assert_eq!(decoded(&empty, Decoding::Rows, some_equal.as_flattened()), "3142134223413412");
    }

    #[test]
    fn lanes_are_ranked_apart() {
        let keys: Vec<KeyLanes> = (0..4)
            .map(|key| std::array::from_fn(|lane| if lane % 2 == 0 { key as f32 } else { -key as f32 }))
            .collect();
        let mut ranks = [[0; LANES]; MAX_SIDE];
        rank(&keys, &mut ranks);
        for (key, ranks) in (0..4).zip(&ranks) {
            let expected = std::array::from_fn(|lane| if lane % 2 == 0 { key } else { 3 - key });
            assert_eq!(ranks, &expected);
        }
        let mut tile = [Lanes::zeroed(); 16];
        KeyDecoder::new(&puzzle(&".".repeat(16)), Decoding::Rows).decode(&keys.repeat(4), &mut tile, LANES);
        assert_eq!([tile[0].0[0], tile[3].0[0], tile[0].0[1], tile[3].0[1]], [1, 4, 4, 1]);
    }
}
