//! What the machine's memory gives: the floor under every scoring of a population that no cache holds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;

use super::Estimate;
use super::contender::Host;
use crate::error::Error;

/// Bytes that are read from end to end: past the caches that one program usually has for itself.
pub(super) const BYTES: usize = 256 << 20;

/// Bytes that one thread reads at a time.
const TASK_BYTES: usize = 1 << 20;

/// A plain streaming read of memory: words added up and nothing else.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StreamingRead {
    /// Threads that read.
    pub threads: usize,
    /// Bytes that a sample reads.
    pub bytes: usize,
    /// Seconds that each sample took.
    pub samples_s: Vec<f64>,
    /// Bytes a second.
    pub bytes_per_s: Estimate,
}

/// Seconds of reads, by the hosts of a [`Reader`].
pub(super) type Reads = Vec<Vec<f64>>;

/// Memory to be read, and who reads it: one thread and, where there are more, all.
pub(super) struct Reader {
    hosts: Vec<Host>,
    words: Vec<u64>,
}

impl Reader {
    /// # Errors
    /// [`Error::Internal`] if the system starts no thread.
    pub fn new() -> Result<Reader, Error> {
        // Ones, since pages of zeros may all be the same page.
        Ok(Reader { hosts: Host::each()?, words: vec![1; BYTES / size_of::<u64>()] })
    }

    /// No reads yet.
    pub fn none(&self) -> Reads {
        vec![Vec::new(); self.hosts.len()]
    }

    /// Each host reads again and again until its time is over, at least once.
    pub fn lap(&self, time: Duration, reads: &mut Reads) {
        for (host, samples) in self.hosts.iter().zip(reads) {
            let lap = Instant::now();
            loop {
                let sample = Instant::now();
                let total = host.run(|| sum(&self.words));
                samples.push(sample.elapsed().as_secs_f64());
                assert_eq!(total, self.words.len() as u64, "every word is one");
                if lap.elapsed() >= time {
                    break;
                }
            }
        }
    }

    /// What these reads say; nothing of a host without any.
    pub fn say(&self, reads: Reads) -> Vec<StreamingRead> {
        let bytes = size_of_val(&self.words[..]);
        let say = |(host, samples_s): (&Host, Vec<f64>)| {
            let bytes_per_s = Estimate::of(&samples_s)?.rate(bytes as f64);
            Some(StreamingRead { threads: host.threads(), bytes, samples_s, bytes_per_s })
        };
        self.hosts.iter().zip(reads).filter_map(say).collect()
    }
}

fn sum(words: &[u64]) -> u64 {
    let add = |words: &[u64]| black_box(words).iter().fold(0u64, |sum, word| sum.wrapping_add(*word));
    words.par_chunks(TASK_BYTES / size_of::<u64>()).map(add).sum()
}
