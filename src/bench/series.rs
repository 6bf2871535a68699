//! Samples of one task on one contender, taken over several laps.
//!
//! A machine is not equally fast all the time. So contenders take turns: each is timed for a short lap, then the next,
//! several times round, and what slows the machine for a while slows them all.

use std::time::{Duration, Instant};

use super::Parts;
use crate::error::Error;
use crate::search::EpochTimes;

/// Turns that each contender has.
pub const LAPS: u32 = 3;

/// Samples of a lap, where its time allows as many.
const SAMPLES: u32 = 12;

/// A sample is at least this long, so that the clock's grain does not count.
const LEAST_SAMPLE: Duration = Duration::from_millis(1);

/// Samples so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// Rounds that each sample is the mean of; 0 before the first lap.
    pub rounds: u32,
    /// Seconds that a round takes.
    pub seconds: Vec<f64>,
    /// Where they went, where that is known.
    pub parts: Vec<Parts>,
}

impl Series {
    /// Warms up and takes samples until the time is over, at least one. A round may say where its time went.
    ///
    /// # Errors
    /// What a round reports.
    pub fn lap(
        &mut self,
        time: Duration,
        mut round: impl FnMut() -> Result<Option<EpochTimes>, Error>,
    ) -> Result<(), Error> {
        round()?;
        let warm = warm_up(time / 10, &mut round)?;
        if self.rounds == 0 {
            self.rounds = rounds_for((time / SAMPLES).max(LEAST_SAMPLE), warm);
        }
        let lap = Instant::now();
        loop {
            let mut epochs = Vec::new();
            let sample = Instant::now();
            for _ in 0..self.rounds {
                epochs.extend(round()?);
            }
            self.seconds.push(sample.elapsed().as_secs_f64() / f64::from(self.rounds));
            self.parts.extend(Parts::mean(&epochs));
            if lap.elapsed() >= time {
                return Ok(());
            }
        }
    }
}

/// Rounds until the time is over, at least one; what one took.
fn warm_up(time: Duration, round: &mut impl FnMut() -> Result<Option<EpochTimes>, Error>) -> Result<Duration, Error> {
    let started = Instant::now();
    let mut rounds = 0;
    while rounds == 0 || started.elapsed() < time {
        round()?;
        rounds += 1;
    }
    Ok(started.elapsed() / rounds)
}

/// Rounds that fill a sample, at least one; not more than a million, should a round seem to take no time.
fn rounds_for(sample: Duration, round: Duration) -> u32 {
    const MOST: u128 = 1_000_000;
    sample.as_nanos().checked_div(round.as_nanos()).unwrap_or(MOST).clamp(1, MOST) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_as_many_rounds_as_fill_it_and_at_least_one() {
        let micros = Duration::from_micros;
        assert_eq!(rounds_for(micros(1000), micros(3)), 333);
        assert_eq!(rounds_for(micros(1000), micros(5000)), 1);
        assert_eq!(rounds_for(micros(1000), Duration::ZERO), 1_000_000);
    }

    #[test]
    fn each_lap_adds_samples_of_as_many_rounds_as_the_first() {
        let mut series = Series::default();
        let mut rounds = 0;
        let mut laps = Vec::new();
        for _ in 0..3 {
            let round = || {
                rounds += 1;
                Ok(None)
            };
            series.lap(Duration::ZERO, round).unwrap();
            laps.push((series.rounds, series.seconds.len()));
        }
        assert_eq!(laps, [(series.rounds, 1), (series.rounds, 2), (series.rounds, 3)]);
        assert_eq!(rounds, 3 * (2 + series.rounds), "two rounds of each lap warm up");
        assert!(series.parts.is_empty());
    }

    #[test]
    fn what_a_round_reports_ends_the_lap() {
        let failed = Series::default().lap(Duration::from_secs(9), || Err(Error::Internal("so".into())));
        assert!(matches!(failed, Err(Error::Internal(_))));
    }
}
