//! The rate of scoring: backend x shape x population, in cache and out of it.
//!
//! Floors, to compare the figures with (`RESULTS.md` has those of a real machine):
//!
//! - in cache, instructions per candidate: at 9x9 the AVX2 kernel needs 81 look-ups, 162 joins of bits and 162 of maxima,
//!   27 units counted at 9 instructions and 25 to pack a tile of 32: 21 a candidate, on three vector ports 7 cycles;
//! - out of cache, bytes per candidate: 81 at 9x9, and 4 for its score, over the bandwidth that `read` measures here.
//!
//! `totals` is the best that is known for 9x9 if rows, columns and blocks need not be told apart: the same masks by
//! look-up, complete grids of digits from 0, one byte per candidate. With the families kept apart, the rate must stay above
//! 150/240 of this one.
//!
//! Every answer is compared with the oracle before anything is timed.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use swarmdoku::fitness::oracle;
use swarmdoku::{Cpu, Evaluator, Population, Scalar, Score, Shape};

/// A population that lies in the second-level cache at 9x9, and one that lies in no cache of a usual machine.
const IN_CACHE: usize = 2048;
const OUT_OF_CACHE: usize = 1 << 20;

/// Complete grids with random digits, from a counter put through splitmix64.
fn random_population(shape: Shape, len: usize) -> Population {
    let mut population = Population::new(shape, len);
    let mut state = 0u64;
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(population.lanes_mut());
    for digit in bytes {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        *digit = ((z ^ z >> 31) % shape.side() as u64) as u8 + 1;
    }
    population
}

/// Every backend of the host, by name: the CPU once for each of its instruction sets.
fn evaluators(shape: Shape) -> Vec<(String, Box<dyn Evaluator>)> {
    let mut evaluators: Vec<(String, Box<dyn Evaluator>)> = vec![("scalar".to_owned(), Box::new(Scalar::new(shape)))];
    for cpu in Cpu::each(shape) {
        evaluators.push((format!("cpu {}", cpu.describe()), Box::new(cpu)));
    }
    evaluators
}

/// Panics unless the evaluator scores a sample of the population, up to its last slot, as the oracle does.
fn assert_answers(evaluator: &mut dyn Evaluator, population: &Population) {
    let mut scores = vec![Score::default(); population.slots()];
    evaluator.score(population.candidates(), &mut scores).expect("lengths fit");
    let stride = population.len().div_ceil(1000);
    for slot in (0..population.len()).step_by(stride).chain([population.len() - 1]) {
        assert_eq!(scores[slot], oracle::score(&population.get(slot)), "{} in slot {slot}", evaluator.describe());
    }
}

fn bench_backends(c: &mut Criterion, group: &str, threads: usize, cases: &[(Shape, usize)]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let mut group = c.benchmark_group(group);
    for &(shape, len) in cases {
        let population = random_population(shape, len);
        let mut scores = vec![Score::default(); population.slots()];
        group.throughput(Throughput::Elements(len as u64));
        for (name, mut evaluator) in evaluators(shape) {
            pool.install(|| assert_answers(&mut *evaluator, &population));
            group.bench_function(BenchmarkId::new(name, format!("{shape}/{len}")), |b| {
                pool.install(|| {
                    b.iter(|| evaluator.score(black_box(population.candidates()), &mut scores).expect("lengths fit"))
                })
            });
        }
        #[cfg(target_arch = "x86_64")]
        if shape == Shape::NINE && std::arch::is_x86_feature_detected!("avx2") {
            let lanes = totals::from_zero(&population);
            let mut totals = vec![[0; 32]; population.tiles()];
            totals::score(&lanes, &mut totals);
            totals::assert_answers(&population, &totals);
            group.bench_function(BenchmarkId::new("totals", format!("{shape}/{len}")), |b| {
                b.iter(|| totals::score(black_box(&lanes), &mut totals))
            });
        }
    }
}

/// The CPU backend's rate over that of `totals`, in cache on one core: the median over pairs of short runs, so that a
/// machine which others use as well gives the same figure. Panics below the least that is promised.
#[cfg(target_arch = "x86_64")]
fn ratio_to_totals(_: &mut Criterion) {
    const LEAST: f64 = 150.0 / 240.0;
    const PAIRS: usize = 301;
    if !std::arch::is_x86_feature_detected!("avx2") {
        return;
    }
    let population = random_population(Shape::NINE, IN_CACHE);
    let lanes = totals::from_zero(&population);
    let (mut scores, mut totals) = (vec![Score::default(); IN_CACHE], vec![[0; 32]; population.tiles()]);
    let mut cpu = Cpu::new(Shape::NINE);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread starts");
    let mut ratios: Vec<f64> = pool.install(|| {
        let mut pair = || {
            let baseline = time(|| totals::score(black_box(&lanes), &mut totals));
            baseline / time(|| cpu.score(black_box(population.candidates()), &mut scores).expect("lengths fit"))
        };
        (0..PAIRS).map(|_| pair()).collect()
    });
    totals::assert_answers(&population, &totals);
    assert_answers(&mut cpu, &population);
    ratios.sort_by(f64::total_cmp);
    let [low, median, high] = [PAIRS / 4, PAIRS / 2, PAIRS * 3 / 4].map(|rank| ratios[rank]);
    println!(
        "cpu over totals, {PAIRS} pairs: median {median:.3} (quartiles {low:.3}, {high:.3}), at least {LEAST:.3}\n"
    );
    assert!(median >= LEAST, "rows, columns and blocks apart cost too much");
}

#[cfg(not(target_arch = "x86_64"))]
fn ratio_to_totals(_: &mut Criterion) {}

/// Seconds that ten rounds take.
#[cfg(target_arch = "x86_64")]
fn time(mut round: impl FnMut()) -> f64 {
    let start = std::time::Instant::now();
    (0..10).for_each(|_| round());
    start.elapsed().as_secs_f64()
}

/// One core, the population in cache: instructions count.
fn in_cache(c: &mut Criterion) {
    let shapes = [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)];
    let cases = shapes.map(|(rows, columns)| {
        let shape = Shape::new(rows, columns).expect("sides of 4 to 25");
        (shape, IN_CACHE * Shape::NINE.cells() / shape.cells() / 32 * 32)
    });
    bench_backends(c, "in cache, 1 thread", 1, &cases);
}

/// One core and all of them, the population in memory: bytes count.
fn out_of_cache(c: &mut Criterion) {
    let cases = [(Shape::NINE, OUT_OF_CACHE)];
    bench_backends(c, "out of cache, 1 thread", 1, &cases);
    bench_backends(c, "out of cache, all threads", 0, &cases);
}

/// All cores and as many bytes of every shape: how shapes compare where a machine is busy.
fn shapes(c: &mut Criterion) {
    let shapes = [(2, 2), (2, 3), (3, 4), (4, 4), (5, 5)];
    let cases = shapes.map(|(rows, columns)| {
        let shape = Shape::new(rows, columns).expect("sides of 4 to 25");
        (shape, OUT_OF_CACHE * Shape::NINE.cells() / shape.cells() / 32 * 32)
    });
    bench_backends(c, "out of cache, all threads", 0, &cases);
}

/// The floor of `out_of_cache`: the same bytes read and added up, 81 a candidate, on one core.
fn read(c: &mut Criterion) {
    let population = random_population(Shape::NINE, OUT_OF_CACHE);
    let words: &[u64] = bytemuck::cast_slice(population.lanes());
    let mut group = c.benchmark_group("out of cache, 1 thread");
    group.throughput(Throughput::Elements(OUT_OF_CACHE as u64));
    group.bench_function(BenchmarkId::new("read", format!("{}/{OUT_OF_CACHE}", Shape::NINE)), |b| {
        b.iter(|| black_box(words).iter().fold(0u64, |sum, word| sum.wrapping_add(*word)))
    });
}

/// Small batches on all threads: where handing work to a pool starts to pay.
fn small_batches(c: &mut Criterion) {
    let cases = [32, 1024, 4096, 16384, 65536].map(|len| (Shape::NINE, len));
    bench_backends(c, "small batches, all threads", 0, &cases);
}

/// 9x9 totals with AVX2, families together: the baseline that the CPU backend is held against.
#[cfg(target_arch = "x86_64")]
mod totals {
    use std::arch::x86_64::*;

    use swarmdoku::Lanes;

    use super::{Population, oracle};

    /// Scores tiles into one byte a candidate.
    pub fn score(lanes: &[Lanes], totals: &mut [[u8; 32]]) {
        for (tile, totals) in lanes.as_chunks().0.iter().zip(totals) {
            // SAFETY: its only caller has detected AVX2.
            *totals = unsafe { score_tile(tile) };
        }
    }

    /// The digits `0..=8` that it scores.
    pub fn from_zero(population: &Population) -> Vec<Lanes> {
        population.lanes().iter().map(|lanes| Lanes(lanes.0.map(|digit| digit - 1))).collect()
    }

    /// Panics unless these totals are the oracle's.
    pub fn assert_answers(population: &Population, totals: &[[u8; 32]]) {
        let stride = population.len().div_ceil(1000);
        for slot in (0..population.len()).step_by(stride) {
            assert_eq!(u32::from(totals[slot / 32][slot % 32]), oracle::score(&population.get(slot)).total());
        }
    }

    /// The bits of digits 0 to 7 and, in bit 3 of `high`, whether an 8 was there.
    #[derive(Clone, Copy)]
    struct Unit {
        low: __m256i,
        high: __m256i,
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn join(a: Unit, b: Unit) -> Unit {
        Unit { low: _mm256_or_si256(a.low, b.low), high: _mm256_or_si256(a.high, b.high) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn twice(table: [i8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(bytemuck::cast(table))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn distinct(unit: Unit) -> __m256i {
        let ones = twice([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);
        let half = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(unit.low, half));
        let high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(unit.low), half));
        let nine = _mm256_srli_epi16::<3>(_mm256_and_si256(unit.high, _mm256_set1_epi8(8)));
        _mm256_add_epi8(_mm256_add_epi8(low, high), nine)
    }

    /// Grids are complete, of digits `0..=8`: bit 3 of a digit tells the ninth.
    #[target_feature(enable = "avx2")]
    fn score_tile(tile: &[Lanes; 81]) -> [u8; 32] {
        let table = twice([1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let none = Unit { low: _mm256_setzero_si256(), high: _mm256_setzero_si256() };
        let mut columns = [none; 9];
        let mut found = none.low;
        for band in 0..3 {
            let mut blocks = [none; 3];
            for row in 3 * band..3 * band + 3 {
                let mut whole = none;
                for (stack, block) in blocks.iter_mut().enumerate() {
                    let mut part = none;
                    for column in 3 * stack..3 * stack + 3 {
                        let high = bytemuck::cast(tile[9 * row + column]);
                        let cell = Unit { low: _mm256_shuffle_epi8(table, high), high };
                        columns[column] = join(columns[column], cell);
                        part = join(part, cell);
                    }
                    whole = join(whole, part);
                    *block = join(*block, part);
                }
                found = _mm256_add_epi8(found, distinct(whole));
            }
            for block in blocks {
                found = _mm256_add_epi8(found, distinct(block));
            }
        }
        for column in columns {
            found = _mm256_add_epi8(found, distinct(column));
        }
        bytemuck::cast(_mm256_sub_epi8(_mm256_set1_epi8(243u8 as i8), found))
    }
}

fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
}

criterion_group! { name = scoring; config = short(); targets = ratio_to_totals, in_cache, out_of_cache, shapes, read, small_batches }
criterion_main!(scoring);
