//! Tests of the suite itself: the comparison can fail, and candidates are what their names say.

use libtest_mimic::Trial;
use swarmdoku::fitness::oracle;
use swarmdoku::{LANES, Score, Shape};

use crate::candidates::{self, Numbers, mixed, repeated};
use crate::compare::{compare, oracle_scores};

pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 4] = [
        ("one_flipped_score_is_reported_with_its_slot", one_flipped_score),
        ("a_missing_score_is_reported", missing_score),
        ("candidates_are_what_they_claim_on_every_shape", candidates_are_what_they_claim),
        ("repeated_candidates_repeat_across_tiles", repeated_candidates_repeat),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.map(|named| trial(named).with_kind("suite")).into()
}

fn one_flipped_score() {
    let expected = oracle_scores(mixed(Shape::NINE, 100, 1).candidates());
    assert_eq!(compare(&expected, &expected), Ok(128));
    for slot in [0, 57, 99, 127] {
        for bit in [0, 10, 29] {
            let mut found = expected.clone();
            found[slot] = Score::from_bits(found[slot].bits() ^ 1 << bit);
            let message = compare(&expected, &found).unwrap_err();
            assert!(message.starts_with(&format!("slot {slot}: expected ")), "{message}");
        }
    }
    let mut found = expected.clone();
    (found[40], found[70]) = (Score::from_bits(u32::MAX), Score::from_bits(u32::MAX));
    assert!(compare(&expected, &found).unwrap_err().starts_with("slot 40:"), "the first of several");
}

fn missing_score() {
    let expected = oracle_scores(mixed(Shape::NINE, LANES, 1).candidates());
    assert!(compare(&expected, &expected[1..]).is_err());
}

fn candidates_are_what_they_claim() {
    let numbers = &mut Numbers(2);
    for shape in Shape::all() {
        assert_eq!(oracle::score(&candidates::solved(shape, numbers)).total(), 0, "{shape}");
        assert_eq!(oracle::score(&candidates::block_valid(shape, numbers)).blocks(), 0, "{shape}");
        let wrong = oracle::score(&candidates::one_wrong(shape, numbers));
        assert_eq!((wrong.rows(), wrong.columns(), wrong.blocks()), (1, 1, 1), "{shape}");
        assert_eq!(oracle::score(&candidates::cyclic(shape, numbers)).rows(), 0, "{shape}");
    }
}

fn repeated_candidates_repeat() {
    let pattern = mixed(Shape::NINE, 37, 8);
    let population = repeated(&pattern, 200);
    assert_eq!(population.len(), 200);
    for slot in 0..population.len() {
        assert_eq!(population.get(slot), pattern.get(slot % 37), "slot {slot}");
    }
}
