//! The rate of random words: one counter after another, and many in vector lanes.
//!
//! The floor: four words of Threefry-4x32 take 20 rounds of two mixes (an addition, a rotation, an exclusive or) and six
//! additions of the key (four words and the step's number): 150 operations, 37 per word. Vector lanes share each of them,
//! but a rotation is three operations where the instructions have none, so that a word of eight lanes takes 7.
//!
//! This code is compiled for the instructions that every machine has. Epochs are compiled for the instructions of the
//! machine, and are faster: see `epochs`.
//!
//! Every way to draw is compared with the plain one before anything is timed.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use swarmdoku::population::rng::{Key, Stream, Words, shuffle};

const KEY: Key = Key::new(7, 1, Stream::Sample);

/// Counters in a round, each worth four words.
const COUNTERS: usize = 1024;

/// Words of successive slots, one counter after another.
fn one(epoch: u32, words: &mut [[u32; 4]]) {
    for (slot, words) in (0..).zip(words) {
        *words = KEY.words(epoch, slot, 0);
    }
}

/// The same words, `W` counters at a time; those of a lane lie apart.
fn lanes<const W: usize>(epoch: u32, words: &mut [[[u32; W]; 4]]) {
    for (first, words) in (0..).step_by(W).zip(words) {
        *words = KEY.words_of_lanes::<W>(epoch, first, 0);
    }
}

fn assert_lanes<const W: usize>() {
    let (mut plain, mut vector) = (vec![[0; 4]; COUNTERS], vec![[[0; W]; 4]; COUNTERS / W]);
    one(3, &mut plain);
    lanes(3, &mut vector);
    for (slot, words) in plain.iter().enumerate() {
        assert_eq!(*words, vector[slot / W].map(|lanes| lanes[slot % W]), "slot {slot} of {W} lanes");
    }
}

fn bench_lanes<const W: usize>(c: &mut Criterion) {
    assert_lanes::<W>();
    let mut group = c.benchmark_group("random words");
    group.throughput(Throughput::Elements(4 * COUNTERS as u64));
    let mut words = vec![[[0; W]; 4]; COUNTERS / W];
    group.bench_function(format!("{W} lanes"), |b| b.iter(|| lanes(black_box(3), black_box(&mut words))));
}

fn words(c: &mut Criterion) {
    let mut group = c.benchmark_group("random words");
    group.throughput(Throughput::Elements(4 * COUNTERS as u64));
    let mut words = vec![[0; 4]; COUNTERS];
    group.bench_function("one counter", |b| b.iter(|| one(black_box(3), black_box(&mut words))));
    let drawn = |stream: &mut Words| (0..4 * COUNTERS).fold(0u32, |sum, _| sum.wrapping_add(stream.next_word()));
    let expected = (0..COUNTERS as u32).flat_map(|draw| KEY.words(3, 5, draw)).fold(0, u32::wrapping_add);
    assert_eq!(drawn(&mut Words::new(KEY, 3, 5)), expected);
    group.bench_function("one stream", |b| b.iter(|| drawn(&mut Words::new(KEY, black_box(3), 5))));
    group.finish();
    bench_lanes::<8>(c);
    bench_lanes::<16>(c);
    bench_lanes::<32>(c);
}

/// Nine and twenty-five items, as a block has them.
fn shuffles(c: &mut Criterion) {
    let mut group = c.benchmark_group("shuffles");
    group.throughput(Throughput::Elements(1));
    for len in [9u8, 25] {
        let mut stream = Words::new(KEY, 0, 0);
        let mut items: Vec<u8> = (0..len).collect();
        shuffle(&mut items, || stream.next_word());
        let mut sorted = items.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..len) && sorted != items, "{items:?}");
        group.bench_function(format!("{len} items"), |b| {
            b.iter(|| shuffle(black_box(&mut items), || stream.next_word()))
        });
    }
}

fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
}

criterion_group! { name = rng; config = short(); targets = words, shuffles }
criterion_main!(rng);
