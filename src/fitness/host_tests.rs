//! The evaluators of the host, every instruction set of this machine included, against the oracle.

use super::{Cpu, Evaluator, Scalar, Score, cpu, oracle};
use crate::error::Error;
use crate::population::prefetch::IN_CACHE;
use crate::population::{LANES, Population};
use crate::sudoku::Grid;
use crate::sudoku::Shape;

/// All that score on the host.
fn evaluators(shape: Shape) -> Vec<Box<dyn Evaluator>> {
    let mut evaluators: Vec<Box<dyn Evaluator>> = vec![Box::new(Scalar::new(shape))];
    evaluators.extend(Cpu::each(shape).into_iter().map(|cpu| Box::new(cpu) as Box<dyn Evaluator>));
    evaluators
}

/// Splitmix64: enough to fill grids.
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

fn grid(shape: Shape, digit: impl FnMut(usize) -> usize) -> Grid {
    let mut digit = digit;
    Grid::new(shape, (0..shape.cells()).map(|cell| digit(cell) as u8).collect::<Vec<_>>()).unwrap()
}

/// A solution: each row is the one above moved by a block's width, and by one more from band to band.
fn solved(shape: Shape) -> Grid {
    let (rows, columns, side) = (shape.block_rows(), shape.block_columns(), shape.side());
    grid(shape, |cell| (shape.row(cell) % rows * columns + shape.row(cell) / rows + shape.column(cell)) % side + 1)
}

/// Random grids from empty to full, solutions with a few wrong cells, each digit alone in a grid and all over it.
fn grids(shape: Shape, len: usize) -> Vec<Grid> {
    let side = shape.side();
    let mut random = Random(side as u64);
    let mut grids = vec![Grid::empty(shape), solved(shape)];
    for digit in 1..=side {
        grids.push(grid(shape, |_| digit));
        let at = random.below(shape.cells());
        grids.push(grid(shape, |cell| if cell == at { digit } else { 0 }));
    }
    while grids.len() < len {
        let (kind, share) = (grids.len() % 3, grids.len() % 11);
        grids.push(match kind {
            0 => grid(shape, |_| random.below(side) + 1),
            1 => grid(shape, |_| if random.below(10) < share { random.below(side) + 1 } else { 0 }),
            _ => {
                let mut grid = solved(shape);
                for _ in 0..share {
                    grid.set(random.below(shape.cells()), random.below(side + 1) as u8);
                }
                grid
            }
        });
    }
    grids.truncate(len);
    grids
}

/// Scores these grids and compares each slot with the oracle's score, that of the empty grid past the last.
#[track_caller]
fn assert_equal_to_the_oracle(evaluator: &mut dyn Evaluator, grids: &[Grid]) {
    let shape = evaluator.shape();
    let population = Population::from_grids(shape, grids).unwrap();
    let mut scores = vec![Score::from_bits(u32::MAX); population.slots()];
    evaluator.score(population.candidates(), &mut scores).unwrap();
    let empty = Grid::empty(shape);
    for (slot, score) in scores.iter().enumerate() {
        let grid = grids.get(slot).unwrap_or(&empty);
        assert_eq!(*score, oracle::score(grid), "{} in slot {slot}: {grid:?}", evaluator.describe());
    }
}

#[test]
fn the_solved_grids_of_these_tests_are_solved() {
    for shape in Shape::all() {
        assert_eq!(oracle::score(&solved(shape)).total(), 0, "{shape}");
    }
}

#[test]
fn every_kernel_equals_the_oracle_on_every_shape() {
    let mut shapes = 0;
    for shape in Shape::all() {
        let grids = grids(shape, 3 * LANES);
        for mut evaluator in evaluators(shape) {
            assert_equal_to_the_oracle(&mut *evaluator, &grids);
        }
        shapes += 1;
    }
    assert_eq!(shapes, 86);
}

/// Two digits that a kernel confused would count as one.
#[test]
fn no_two_digits_are_taken_for_one_another() {
    for side in 2..=25 {
        let shape = Shape::new(1, side).unwrap();
        let pairs = (0..=side).flat_map(|a| (0..a).map(move |b| (a, b)));
        let grids: Vec<Grid> = pairs
            .map(|(a, b)| grid(shape, |cell| if (cell + shape.row(cell)).is_multiple_of(2) { a } else { b }))
            .collect();
        for mut evaluator in evaluators(shape) {
            assert_equal_to_the_oracle(&mut *evaluator, &grids);
        }
    }
}

#[test]
fn every_length_fills_its_slots() {
    for shape in [Shape::NINE, Shape::new(2, 3).unwrap(), Shape::new(4, 4).unwrap()] {
        for len in [0, 1, LANES - 1, LANES, LANES + 1, 5 * LANES + 7] {
            let grids = grids(shape, len);
            for mut evaluator in evaluators(shape) {
                assert_equal_to_the_oracle(&mut *evaluator, &grids);
            }
        }
    }
}

/// Batches past what one thread takes at a time, and past what is taken to be in cache.
#[test]
fn batches_cut_for_several_threads_or_read_from_memory_equal_the_oracle() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for shape in [Shape::NINE, Shape::of_side(25).unwrap()] {
        let some = grids(shape, 61);
        let expected: Vec<Score> = some.iter().map(oracle::score).collect();
        for bytes in [cpu::ALONE_BYTES + cpu::TASK_BYTES / 2, IN_CACHE + cpu::TASK_BYTES] {
            let len = bytes / shape.cells();
            let mut population = Population::new(shape, len);
            (0..len).for_each(|slot| population.set(slot, &some[slot % some.len()]));
            for mut evaluator in evaluators(shape) {
                let mut scores = vec![Score::from_bits(u32::MAX); population.slots()];
                pool.install(|| evaluator.score(population.candidates(), &mut scores).unwrap());
                for (slot, score) in scores[..len].iter().enumerate() {
                    let name = evaluator.describe();
                    assert_eq!(*score, expected[slot % some.len()], "{name} in slot {slot} of {len} of {shape}");
                }
            }
        }
    }
}

#[test]
fn a_tile_scores_as_in_its_batch() {
    let shape = Shape::of_side(12).unwrap();
    let grids = grids(shape, 2 * LANES);
    let population = Population::from_grids(shape, &grids).unwrap();
    for evaluator in evaluators(shape) {
        let scorer = evaluator.tile_scorer().expect("the host scores tiles");
        for (tile, grids) in population.candidates().tiles().zip(grids.chunks(LANES)) {
            let mut scores = [Score::default(); LANES];
            scorer.score_tile(tile, &mut scores);
            assert_eq!(
                scores.as_slice(),
                grids.iter().map(oracle::score).collect::<Vec<_>>(),
                "{}",
                evaluator.describe()
            );
        }
    }
}

#[test]
fn bytes_that_are_no_digits_score_as_anything_but_do_no_harm() {
    for shape in Shape::all() {
        let mut population = Population::new(shape, LANES);
        let mut random = Random(1);
        population.lanes_mut().iter_mut().for_each(|lanes| lanes.0.fill_with(|| random.below(256) as u8));
        for mut evaluator in evaluators(shape) {
            evaluator.score(population.candidates(), &mut [Score::default(); LANES]).unwrap();
        }
    }
}

#[test]
fn batches_of_another_shape_or_length_are_refused() {
    let population = Population::new(Shape::NINE, LANES + 1);
    for mut evaluator in evaluators(Shape::NINE) {
        for scores in [0, LANES, LANES + 1, 3 * LANES] {
            let error = evaluator.score(population.candidates(), &mut vec![Score::default(); scores]).unwrap_err();
            assert!(matches!(error, Error::ScoreCount { candidates: 33, slots: 64, scores: found } if found == scores));
        }
    }
    for mut evaluator in evaluators(Shape::new(1, 9).unwrap()) {
        let error = evaluator.score(population.candidates(), &mut [Score::default(); 2 * LANES]).unwrap_err();
        assert!(matches!(error, Error::ShapeMismatch { .. }));
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_machine_scores_with_the_best_that_it_has_and_still_offers_the_others() {
    let names: Vec<String> = Cpu::each(Shape::NINE).iter().map(Cpu::describe).collect();
    let has_avx2 = std::arch::is_x86_feature_detected!("avx2");
    let has_avx512 = has_avx2 && std::arch::is_x86_feature_detected!("avx512vbmi");
    let expected: &[&str] = match (has_avx512, has_avx2) {
        (true, _) => &["AVX-512", "AVX2", "portable"],
        (false, true) => &["AVX2", "portable"],
        (false, false) => &["portable"],
    };
    assert_eq!(names, expected);
    assert_eq!(Cpu::new(Shape::NINE).describe(), names[0]);
    assert_eq!(Cpu::portable(Shape::NINE).describe(), "portable");
}
