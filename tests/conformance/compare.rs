//! The comparison every case ends in.

use swarmdoku::fitness::oracle;
use swarmdoku::{Candidates, Evaluator, Grid, Score};

/// The oracle's score of every slot, those past the last candidate included.
pub fn oracle_scores(candidates: Candidates<'_>) -> Vec<Score> {
    let empty = oracle::score(&Grid::empty(candidates.shape()));
    let mut scores: Vec<Score> = (0..candidates.len()).map(|slot| oracle::score(&candidates.get(slot))).collect();
    scores.resize(candidates.slots(), empty);
    scores
}

/// The number of equal scores, or the first slot where they differ.
pub fn compare(expected: &[Score], found: &[Score]) -> Result<usize, String> {
    if expected.len() != found.len() {
        return Err(format!("{} scores were expected, {} found", expected.len(), found.len()));
    }
    match expected.iter().zip(found).position(|(expected, found)| expected != found) {
        Some(slot) => Err(format!("slot {slot}: expected {}, found {}", expected[slot], found[slot])),
        None => Ok(found.len()),
    }
}

/// Scores a batch and compares all of it with what is expected. The scores begin as nonsense, so that one that is not
/// written is one that differs.
pub fn score_and_compare(
    evaluator: &mut dyn Evaluator,
    candidates: Candidates<'_>,
    expected: &[Score],
) -> Result<usize, String> {
    let what = |error: String| format!("{} candidates of {}: {error}", candidates.len(), candidates.shape());
    let mut found = vec![Score::from_bits(u32::MAX); candidates.slots()];
    evaluator.score(candidates, &mut found).map_err(|error| what(error.to_string()))?;
    compare(expected, &found).map_err(what)
}

/// Scores a batch and compares all of it with the oracle.
pub fn agree(evaluator: &mut dyn Evaluator, candidates: Candidates<'_>) -> Result<usize, String> {
    score_and_compare(evaluator, candidates, &oracle_scores(candidates))
}
