//! The speed of the machine's memory: the floor under every scoring of a population that no cache holds.
//!
//! How fast a read is depends on how it is done: on the width of its loads, on how many places it reads at once and asks
//! for ahead, and on the size of pages. So several ways are tried on each number of threads, and the fastest one is what
//! scoring is held against: a floor that another way of reading falls below would be none.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;

use super::Median;
use super::contender::Host;
use crate::error::Error;
use crate::population::instructions::{Instructions, Task};
use crate::population::pages::Pages;
use crate::population::prefetch::prefetch_line;

/// Bytes that are read from end to end: past the caches that one program usually has for itself.
const BYTES: usize = 256 << 20;

/// Bytes of memory that a [`MemoryReader`] holds at most: on usual pages and on huge ones.
pub(super) const BYTES_HELD: usize = 2 * BYTES;

/// Bytes that one thread reads at a time.
const TASK_BYTES: usize = 1 << 20;

/// Times that each way is tried; the fastest time counts.
const TRIES: usize = 3;

/// Places that are read at once.
const STREAMS: usize = 4;

/// Words of a cache line.
const LINE: usize = 8;

/// Lines between what is read and what is asked for.
const AHEAD: usize = 32;

/// The fastest streaming read of memory that was found: words added up and nothing else.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StreamingRead {
    /// Threads that read.
    pub threads: usize,
    /// The kind of reader.
    pub reader: String,
    /// Bytes that a sample reads.
    pub bytes: usize,
    /// Seconds that each sample took.
    pub samples_s: Vec<f64>,
    /// Bytes per second.
    pub bytes_per_s: Median,
}

impl StreamingRead {
    /// Bytes per second of the fastest sample: the limit of everything that reads memory. The median would be none, as other
    /// programs of the machine slow one sample and not the next.
    pub fn limit(&self) -> f64 {
        self.bytes as f64 / self.samples_s.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Seconds of reads, by the hosts of a [`MemoryReader`].
pub(super) type Reads = Vec<Vec<f64>>;

/// A way of reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Way {
    instructions: Instructions,
    /// True for several streams, each asked for ahead.
    streams: bool,
    huge_pages: bool,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let streams = if self.streams { "4 streams with prefetch" } else { "1 stream" };
        let pages = if self.huge_pages { "huge pages" } else { "usual pages" };
        write!(f, "{streams}, {} loads, {pages}", self.instructions.name())
    }
}

impl Way {
    /// All ways of this machine.
    fn all(memory: &Memory) -> Vec<Way> {
        let mut sets = vec![Instructions::Portable, Instructions::best()];
        sets.dedup();
        let pages = if memory.huge.is_some() { &[false, true][..] } else { &[false] };
        let ways = sets.into_iter().flat_map(|instructions| {
            let pages = pages.iter().flat_map(|huge_pages| [(false, *huge_pages), (true, *huge_pages)]);
            pages.map(move |(streams, huge_pages)| Way { instructions, streams, huge_pages })
        });
        ways.collect()
    }

    /// Adds up all words on the current rayon pool.
    fn sum(self, memory: &Memory) -> u64 {
        let words = memory.words(self.huge_pages);
        let add = |words: &[u64]| self.instructions.run(Sum { words: black_box(words), streams: self.streams });
        words.par_chunks(TASK_BYTES / size_of::<u64>()).map(add).reduce(|| 0, u64::wrapping_add)
    }

    /// Seconds of one read.
    fn time(self, host: &Host, memory: &Memory) -> f64 {
        let begun = Instant::now();
        let total = host.run(|| self.sum(memory));
        let seconds = begun.elapsed().as_secs_f64();
        assert_eq!(total, memory.words(self.huge_pages).len() as u64, "every word is one");
        seconds
    }
}

/// Words to be added up.
struct Sum<'a> {
    words: &'a [u64],
    streams: bool,
}

impl Task for Sum<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        if !self.streams {
            return sum(self.words);
        }
        let (lines, rest) = self.words.as_chunks::<LINE>();
        sum_of_streams(lines).wrapping_add(sum(rest))
    }
}

#[inline(always)]
fn sum(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

/// Reads a line of each quarter in turn.
#[inline(always)]
fn sum_of_streams(lines: &[[u64; LINE]]) -> u64 {
    let len = lines.len() / STREAMS;
    let (streams, rest) = lines.split_at(STREAMS * len);
    let mut sums = [[0u64; LINE]; STREAMS];
    for at in 0..len {
        for (stream, sums) in sums.iter_mut().enumerate() {
            let line = stream * len + at;
            prefetch_line(streams.as_ptr().wrapping_add(line + AHEAD));
            for word in 0..LINE {
                sums[word] = sums[word].wrapping_add(streams[line][word]);
            }
        }
    }
    sum(sums.as_flattened()).wrapping_add(sum(rest.as_flattened()))
}

/// Memory to be read.
struct Memory {
    usual: Vec<u64>,
    /// The same on huge pages, where the system gives them.
    huge: Option<Pages<u64>>,
}

impl Memory {
    fn new() -> Memory {
        const WORDS: usize = BYTES / size_of::<u64>();
        // Ones, since pages of zeros may all be the same page.
        let mut huge = Pages::huge(WORDS);
        huge.iter_mut().for_each(|words| words.fill(1));
        Memory { usual: vec![1; WORDS], huge }
    }

    fn words(&self, huge_pages: bool) -> &[u64] {
        match &self.huge {
            Some(huge) if huge_pages => huge,
            _ => &self.usual,
        }
    }
}

/// Memory to be read, and one thread and, where there are more, all, each with its fastest way to read it.
pub(super) struct MemoryReader {
    hosts: Vec<(Host, Way)>,
    memory: Memory,
}

impl MemoryReader {
    /// Tries all ways on each number of threads.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system starts no thread.
    pub(super) fn new() -> Result<MemoryReader, Error> {
        let memory = Memory::new();
        let with_way = |host: Host| {
            let way = fastest(&host, &memory);
            log::info!("streaming read, {} thread(s): {way} is the fastest", host.threads());
            (host, way)
        };
        let hosts = Host::each()?.into_iter().map(with_way).collect();
        Ok(MemoryReader { hosts, memory })
    }

    /// No reads yet.
    pub(super) fn none(&self) -> Reads {
        vec![Vec::new(); self.hosts.len()]
    }

    /// Each host reads again and again until its time is over, at least once.
    pub(super) fn lap(&self, time: Duration, reads: &mut Reads) {
        for ((host, way), samples) in self.hosts.iter().zip(reads) {
            let lap = Instant::now();
            loop {
                samples.push(way.time(host, &self.memory));
                if lap.elapsed() >= time {
                    break;
                }
            }
        }
    }

    /// The speeds of these reads; nothing of a host without any.
    pub(super) fn say(&self, reads: Reads) -> Vec<StreamingRead> {
        let say = |((host, way), samples_s): (&(Host, Way), Vec<f64>)| {
            let bytes_per_s = Median::of(&samples_s)?.rate(BYTES as f64);
            let (threads, reader) = (host.threads(), way.to_string());
            Some(StreamingRead { threads, reader, bytes: BYTES, samples_s, bytes_per_s })
        };
        self.hosts.iter().zip(reads).filter_map(say).collect()
    }
}

/// The way with the shortest read. All ways take turns, so that what slows the machine for a while slows them all.
fn fastest(host: &Host, memory: &Memory) -> Way {
    let ways = Way::all(memory);
    let mut seconds = vec![f64::INFINITY; ways.len()];
    for _ in 0..TRIES {
        for (way, seconds) in ways.iter().zip(&mut seconds) {
            *seconds = seconds.min(way.time(host, memory));
        }
    }
    ways.iter().zip(&seconds).for_each(|(way, seconds)| {
        log::debug!("{way}, {} thread(s): {:.1} GB/s", host.threads(), BYTES as f64 / seconds / 1e9);
    });
    let fastest = ways.iter().zip(&seconds).min_by(|a, b| a.1.total_cmp(b.1));
    fastest.map_or(Way { instructions: Instructions::Portable, streams: false, huge_pages: false }, |(way, _)| *way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_reads_every_word_once() {
        for len in [0, 1, LINE, STREAMS * LINE + 3, 1000, 12_345] {
            let words: Vec<u64> = (0..len as u64).map(|word| word.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let expected = words.iter().fold(0u64, |sum, word| sum.wrapping_add(*word));
            for instructions in Instructions::available() {
                for streams in [false, true] {
                    let sum = instructions.run(Sum { words: &words, streams });
                    assert_eq!(sum, expected, "{len} words, {instructions:?}, {streams}");
                }
            }
        }
    }
}
