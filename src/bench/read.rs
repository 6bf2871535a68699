//! What the machine's memory gives: the floor under every scoring of a population that no cache holds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;

use super::Estimate;
use super::contender::Host;
use crate::error::Error;

/// Bytes that are read from end to end: past the caches that one program usually has for itself.
const BYTES: usize = 256 << 20;

/// Bytes that one thread reads at a time.
const TASK_BYTES: usize = 1 << 20;

/// A plain streaming read of memory: bytes added up and nothing else.
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

impl StreamingRead {
    /// Reads again and again until the time is over, on one thread and, where there are more, on all.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system starts no thread.
    pub fn measure(time: Duration) -> Result<Vec<StreamingRead>, Error> {
        // Ones, since pages of zeros may all be the same page.
        let words = vec![1; BYTES / size_of::<u64>()];
        Ok(Host::each()?.iter().map(|host| StreamingRead::on(host, &words, time)).collect())
    }

    fn on(host: &Host, words: &[u64], time: Duration) -> StreamingRead {
        let mut samples_s = Vec::new();
        let started = Instant::now();
        host.run(|| sum(words));
        while samples_s.is_empty() || started.elapsed() < time {
            let sample = Instant::now();
            let total = host.run(|| sum(words));
            samples_s.push(sample.elapsed().as_secs_f64());
            assert_eq!(total, words.len() as u64, "every word is one");
        }
        let seconds = Estimate::of(&samples_s).expect("there is a sample");
        let bytes = size_of_val(words);
        StreamingRead { threads: host.threads(), bytes, samples_s, bytes_per_s: seconds.rate(bytes as f64) }
    }
}

fn sum(words: &[u64]) -> u64 {
    let add = |words: &[u64]| black_box(words).iter().fold(0u64, |sum, word| sum.wrapping_add(*word));
    words.par_chunks(TASK_BYTES / size_of::<u64>()).map(add).sum()
}
