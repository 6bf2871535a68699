//! The cases that every evaluator must pass.

use swarmdoku::{Candidates, Error, LANES, Population, Score, Shape};

use crate::candidates::mixed;
use crate::compare::{agree, compare, oracle_scores};
use crate::subject::Subject;

/// A case: a claim, and the function that checks it and returns the number of scores compared.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    /// False for a case that compares no scores.
    pub compares: bool,
    pub run: fn(&Subject) -> Result<usize, String>,
}

impl Case {
    pub const fn new(name: &'static str, run: fn(&Subject) -> Result<usize, String>) -> Case {
        Case { name, compares: true, run }
    }

    pub const fn without_scores(name: &'static str, run: fn(&Subject) -> Result<usize, String>) -> Case {
        Case { name, compares: false, run }
    }
}

/// The shapes of which batches of every size are scored.
const SHAPES: [&str; 11] =
    ["4x4", "6x6", "6x6:3x2", "8x8", "9x9", "10x10", "12x12", "16x16", "17x17:1x17", "24x24", "25x25"];

/// None, fewer than a tile, one tile, one more, several, and then few again.
const SIZES: [usize; 8] = [0, 1, LANES - 1, LANES, LANES + 1, 3 * LANES, 7 * LANES + 5, 2];

pub const ALL: &[Case] = &[
    Case::new("scores_equal_the_oracle_on_batches_of_every_size", every_size),
    Case::new("scores_equal_the_oracle_on_all_86_shapes", all_shapes),
    Case::new("scores_equal_the_oracle_on_large_batches", large_batches),
    Case::new("unused_lanes_score_as_empty_grids_after_a_fuller_batch", unused_lanes),
    Case::new("several_populations_in_one_batch_score_as_each_alone", parts),
    Case::new("a_refused_batch_leaves_scores_and_evaluator_as_they_were", refused_batches),
    Case::without_scores("it_says_what_it_is", identity),
];

/// The cases of those that score single tiles.
pub const OF_HOSTS: &[Case] = &[Case::new("tiles_scored_one_by_one_equal_the_oracle", single_tiles)];

fn shape(name: &str) -> Shape {
    name.parse().expect("a shape of this suite")
}

fn every_size(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for shape in SHAPES.map(shape) {
        let mut evaluator = subject.evaluator(shape, 0)?;
        for (seed, len) in SIZES.into_iter().enumerate() {
            compared += agree(evaluator.as_mut(), mixed(shape, len, seed as u64).candidates())?;
        }
    }
    let slots: usize = SIZES.iter().map(|len| len.next_multiple_of(LANES)).sum();
    assert_eq!(compared, SHAPES.len() * slots);
    Ok(compared)
}

fn all_shapes(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for (seed, shape) in Shape::all().enumerate() {
        let population = mixed(shape, LANES + 7, seed as u64);
        compared += agree(subject.evaluator(shape, population.len())?.as_mut(), population.candidates())?;
    }
    assert_eq!(compared, 86 * 2 * LANES);
    Ok(compared)
}

fn large_batches(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for (name, len) in [("4x4", 20_011), ("9x9", 20_011), ("16x16", 3_001), ("25x25", 1_001)] {
        let population = mixed(shape(name), len, 1);
        compared += agree(subject.evaluator(shape(name), len)?.as_mut(), population.candidates())?;
    }
    assert_eq!(compared, 20_032 + 20_032 + 3_008 + 1_024);
    Ok(compared)
}

fn unused_lanes(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for shape in [Shape::NINE, shape("16x16")] {
        let mut evaluator = subject.evaluator(shape, 4 * LANES)?;
        for len in [4 * LANES, 2 * LANES + 1, 1] {
            compared += agree(evaluator.as_mut(), mixed(shape, len, len as u64).candidates())?;
        }
    }
    assert_eq!(compared, 2 * (4 + 3 + 1) * LANES);
    Ok(compared)
}

fn parts(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for shape in [Shape::NINE, shape("16x16")] {
        let mut evaluator = subject.evaluator(shape, 0)?;
        for lens in [&[][..], &[0], &[1, 33, 0, 100, 32, 5 * LANES], &[70_000, 1, 1], &[1; 50]] {
            let populations: Vec<Population> =
                lens.iter().enumerate().map(|(seed, len)| mixed(shape, *len, seed as u64)).collect();
            let parts: Vec<Candidates<'_>> = populations.iter().map(Population::candidates).collect();
            let expected: Vec<Score> = parts.iter().flat_map(|part| oracle_scores(*part)).collect();
            let mut found = vec![Score::from_bits(u32::MAX); expected.len()];
            evaluator.score_parts(&parts, &mut found).map_err(|error| error.to_string())?;
            compared += compare(&expected, &found).map_err(|error| format!("{lens:?} of {shape}: {error}"))?;
        }
    }
    let slots = (1 + 2 + 4 + 1 + 5) * LANES + 70_016 + 2 * LANES + 50 * LANES;
    assert_eq!(compared, 2 * slots);
    Ok(compared)
}

fn refused_batches(subject: &Subject) -> Result<usize, String> {
    let mut evaluator = subject.evaluator(Shape::NINE, LANES)?;
    let nonsense = Score::from_bits(u32::MAX);

    let mut scores = vec![nonsense; LANES];
    let refused = evaluator.score(Population::new(shape("16x16"), 1).candidates(), &mut scores);
    assert!(matches!(refused, Err(Error::ShapeMismatch { ref expected, .. }) if expected == "9x9"), "{refused:?}");
    assert!(scores.iter().all(|score| *score == nonsense));

    for room in [0, 1, LANES - 1, LANES, LANES + 1, 2 * LANES + 1] {
        let mut scores = vec![nonsense; room];
        let refused = evaluator.score(Population::new(Shape::NINE, LANES + 1).candidates(), &mut scores);
        let named = matches!(refused, Err(Error::ScoreCount { candidates: 33, slots: 64, scores }) if scores == room);
        assert!(named, "{refused:?}");
        assert!(scores.iter().all(|score| *score == nonsense));
    }
    let populations = [Population::new(Shape::NINE, LANES + 1), Population::new(Shape::NINE, 1)];
    let parts = populations.each_ref().map(Population::candidates);
    let refused = evaluator.score_parts(&parts, &mut [nonsense; 2 * LANES]);
    let named = matches!(refused, Err(Error::ScoreCount { candidates: 34, slots: 96, scores: 64 }));
    assert!(named, "{refused:?}");
    let sixteen = Population::new(shape("16x16"), 1);
    let foreign = [populations[0].candidates(), sixteen.candidates()];
    let refused = evaluator.score_parts(&foreign, &mut [nonsense; 3 * LANES]);
    assert!(matches!(refused, Err(Error::ShapeMismatch { ref found, .. }) if found == "16x16"), "{refused:?}");

    agree(evaluator.as_mut(), mixed(Shape::NINE, LANES + 1, 5).candidates())
}

fn single_tiles(subject: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    for shape in SHAPES.map(shape) {
        let evaluator = subject.evaluator(shape, 0)?;
        let scorer = evaluator.tile_scorer().ok_or("it computes on the host, but scores no single tiles")?;
        let population = mixed(shape, 3 * LANES - 1, 2);
        let expected = oracle_scores(population.candidates());
        for (tile, expected) in population.candidates().tiles().zip(expected.chunks(LANES)) {
            let mut scores = [Score::from_bits(u32::MAX); LANES];
            scorer.score_tile(tile, &mut scores);
            compared += compare(expected, &scores)?;
        }
    }
    assert_eq!(compared, SHAPES.len() * 3 * LANES);
    Ok(compared)
}

fn identity(subject: &Subject) -> Result<usize, String> {
    for shape in SHAPES.map(shape) {
        let evaluator = subject.evaluator(shape, 1)?;
        assert_eq!(evaluator.shape(), shape);
        assert!(subject.name.starts_with(evaluator.backend().name()), "{} is {:?}", subject.name, evaluator.backend());
        assert!(!evaluator.describe().is_empty());
    }
    Ok(0)
}
