//! Cases for GPUs alone: folding, splitting, real limits, lost devices, no memory.

use std::time::Instant;

use swarmdoku::fitness::gpu::GpuLimits;
use swarmdoku::{Error, Evaluator, LANES, Population, Score, Shape};

use crate::candidates::{mixed, repeated};
use crate::cases::Case;
use crate::compare::{agree, compare, oracle_scores, score_and_compare};
use crate::subject::{Subject, gpu_evaluator};

pub const ALL: &[Case] = &[
    Case::new("small_limits_fold_and_split_without_changing_a_score", small_limits),
    Case::new("more_than_65535_workgroups_are_folded", many_workgroups),
    Case::new("a_batch_past_the_binding_limit_of_128_mib_is_split", past_the_binding_limit),
    Case::new("batches_that_grow_and_shrink_reuse_one_evaluator", changing_sizes),
    Case::new("a_lost_device_is_opened_again_and_the_batch_replayed", lost_device),
    Case::new("the_stages_of_a_batch_take_no_longer_than_the_whole_call", kernel_time),
    Case::without_scores("limits_that_allow_nothing_are_an_error", hopeless_limits),
    Case::new("a_batch_past_all_memory_is_an_error_and_the_next_is_scored", batch_past_memory),
    Case::without_scores("a_capacity_past_all_memory_is_an_error", no_memory),
];

const WIDE: GpuLimits =
    GpuLimits { max_workgroups_per_dimension: u32::MAX, max_binding_bytes: u64::MAX, max_buffer_bytes: u64::MAX };

/// Limits that fold workgroups, split bindings, split buffers, and all three, in units of a shape's tile.
fn small_limit_sets(shape: Shape) -> [GpuLimits; 5] {
    let tile = (shape.cells() * LANES) as u64;
    [
        GpuLimits { max_workgroups_per_dimension: 3, ..WIDE },
        GpuLimits { max_workgroups_per_dimension: 1, ..WIDE },
        GpuLimits { max_binding_bytes: 17 * tile, ..WIDE },
        GpuLimits { max_buffer_bytes: 25 * tile - 1, ..WIDE },
        GpuLimits { max_workgroups_per_dimension: 1, max_binding_bytes: 17 * tile, max_buffer_bytes: 41 * tile },
    ]
}

fn small_limits(_: &Subject) -> Result<usize, String> {
    let mut compared = 0;
    let shapes = [Shape::NINE, Shape::new(1, 2).unwrap(), Shape::new(3, 4).unwrap(), Shape::new(5, 5).unwrap()];
    // Exactly full cuts, one candidate more, and a ragged end.
    let sizes = [8 * LANES, 16 * LANES, 24 * LANES + 1, 40 * LANES, 100 * LANES - 3];
    for shape in shapes {
        let population = mixed(shape, sizes[4], 9);
        let expected = oracle_scores(population.candidates());
        for limits in small_limit_sets(shape) {
            let mut evaluator = gpu_evaluator(shape, sizes[4], Some(limits)).map_err(|error| error.to_string())?;
            for len in sizes {
                let part = repeated(&population, len);
                let expected = scores_of_prefix(shape, &expected, len);
                compared += score_and_compare(&mut evaluator, part.candidates(), &expected)
                    .map_err(|error| format!("{limits:?}: {error}"))?;
            }
        }
    }
    let slots: usize = sizes.iter().map(|len| len.next_multiple_of(LANES)).sum();
    assert_eq!(compared, shapes.len() * 5 * slots);
    Ok(compared)
}

fn scores_of_prefix(shape: Shape, scores: &[Score], len: usize) -> Vec<Score> {
    let empty = oracle_scores(Population::new(shape, 1).candidates())[0];
    let mut prefix = scores[..len].to_vec();
    prefix.resize(len.next_multiple_of(LANES), empty);
    prefix
}

/// Scores `len` candidates that repeat a pattern of oracle-scored ones whose length is prime, so that no tile, window or
/// row of workgroups can stand in for another.
fn repeated_agree(evaluator: &mut dyn Evaluator, pattern: &Population, len: usize) -> Result<usize, String> {
    let of_pattern = oracle_scores(pattern.candidates());
    let mut expected: Vec<Score> = (0..len).map(|slot| of_pattern[slot % pattern.len()]).collect();
    let empty = oracle_scores(Population::new(pattern.shape(), 1).candidates())[LANES - 1];
    expected.resize(len.next_multiple_of(LANES), empty);
    score_and_compare(evaluator, repeated(pattern, len).candidates(), &expected)
}

fn many_workgroups(_: &Subject) -> Result<usize, String> {
    // 64 invocations of four candidates a workgroup.
    let len = 65_536 * 64 * 4 + 12_345;
    let shape = Shape::new(1, 2).unwrap();
    let mut evaluator = gpu_evaluator(shape, len, None).map_err(|error| error.to_string())?;
    assert!(
        evaluator.adapter().limits.max_workgroups_per_dimension < 65_536,
        "this adapter never folds: a larger test"
    );
    let compared = repeated_agree(&mut evaluator, &mixed(shape, 1_021, 3), len)?;
    assert_eq!(compared, len.next_multiple_of(LANES));
    Ok(compared)
}

fn past_the_binding_limit(_: &Subject) -> Result<usize, String> {
    let len = 2_000_003;
    let limits = GpuLimits { max_binding_bytes: 128 << 20, ..WIDE };
    assert!((len * 81) as u64 > limits.max_binding_bytes);
    let mut evaluator = gpu_evaluator(Shape::NINE, len, Some(limits)).map_err(|error| error.to_string())?;
    let compared = repeated_agree(&mut evaluator, &mixed(Shape::NINE, 4_099, 4), len)?;
    assert_eq!(compared, len.next_multiple_of(LANES));
    Ok(compared)
}

fn changing_sizes(_: &Subject) -> Result<usize, String> {
    let mut evaluator = gpu_evaluator(Shape::NINE, 1, None).map_err(|error| error.to_string())?;
    let sizes = [1, 5_000, 33, 0, 5_001, 2_000, 2_000, 9_000, 1];
    let mut compared = 0;
    for (seed, len) in sizes.into_iter().enumerate() {
        compared += agree(&mut evaluator, mixed(Shape::NINE, len, seed as u64).candidates())?;
    }
    assert_eq!(compared, sizes.iter().map(|len| len.next_multiple_of(LANES)).sum::<usize>());
    Ok(compared)
}

fn lost_device(_: &Subject) -> Result<usize, String> {
    let mut evaluator = gpu_evaluator(Shape::NINE, 100, None).map_err(|error| error.to_string())?;
    let population = mixed(Shape::NINE, 100, 6);
    let mut compared = agree(&mut evaluator, population.candidates())?;
    for recoveries in 1..3 {
        evaluator.destroy_device();
        compared += agree(&mut evaluator, population.candidates())?;
        assert_eq!(evaluator.recoveries(), recoveries);
    }
    assert_eq!(compared, 3 * 4 * LANES);
    Ok(compared)
}

fn kernel_time(_: &Subject) -> Result<usize, String> {
    let population = repeated(&mixed(Shape::NINE, 1_021, 7), 100_000);
    let mut evaluator = gpu_evaluator(Shape::NINE, population.len(), None).map_err(|error| error.to_string())?;
    assert_eq!(evaluator.last_batch_times(), None, "nothing was scored yet");
    let expected = oracle_scores(population.candidates());
    let mut scores = vec![Score::default(); population.slots()];
    let begin = Instant::now();
    evaluator.score(population.candidates(), &mut scores).map_err(|error| error.to_string())?;
    let whole = begin.elapsed();
    let times = evaluator.last_batch_times().ok_or("a batch was scored, and took no time")?;
    assert!(times.upload + times.device + times.readback <= whole, "{times:?} of a call of {whole:?}");
    // No kernel time is an answer too: not every adapter has timestamps.
    assert!(times.kernel.unwrap_or_default() <= times.device, "{times:?}");
    compare(&expected, &scores)
}

fn hopeless_limits(_: &Subject) -> Result<usize, String> {
    let refused = gpu_evaluator(Shape::NINE, 1, Some(GpuLimits { max_binding_bytes: 1_000, ..WIDE })).err();
    let Some(Error::Device { message, .. }) = refused else { return Err(format!("{refused:?}")) };
    assert!(message.contains("1000 bytes per binding"), "{message}");
    Ok(0)
}

fn batch_past_memory(_: &Subject) -> Result<usize, String> {
    // Buffers of 8 tiles, of which there may be 256.
    let limits = GpuLimits { max_buffer_bytes: (8 * 4 * LANES) as u64, ..WIDE };
    let shape = Shape::new(1, 2).unwrap();
    let mut evaluator = gpu_evaluator(shape, 100, Some(limits)).map_err(|error| error.to_string())?;
    let huge = Population::new(shape, 256 * 8 * LANES + 1);
    let refused = evaluator.score(huge.candidates(), &mut vec![Score::default(); huge.slots()]);
    assert!(matches!(&refused, Err(Error::Device { message, .. }) if message.contains("memory")), "{refused:?}");
    agree(&mut evaluator, mixed(shape, 100, 1).candidates())
}

fn no_memory(_: &Subject) -> Result<usize, String> {
    let refused = gpu_evaluator(Shape::NINE, usize::MAX, None).err();
    let Some(Error::Device { message, .. }) = refused else { return Err(format!("{refused:?}")) };
    assert!(message.contains("memory"), "{message}");
    Ok(0)
}
