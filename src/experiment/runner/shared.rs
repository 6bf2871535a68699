//! Runs that share batches: an epoch of all of them is one dispatch, so that small populations fill a device too.
//!
//! ```text
//!            run 7 (3 tiles)      run 8 (2 tiles)   run 12 ...
//! batch    [ tile | tile | tile | tile | tile | ...          ]   staged as it was proposed, scored at once
//! scores   [ of run 7           | of run 8    | ...          ]   each run accepts by its own
//! ```
//!
//! As runs end, others take their places, up to [`BATCH_SLOTS`] candidates: that is what bounds the memory.

use rayon::prelude::*;

use super::queue::Queue;
use super::work::Work;
use super::{Backing, Computer, MakeBacking};
use crate::error::Error;
use crate::fitness::{Evaluator, Score};
use crate::population::{Candidates, LANES};
use crate::search::Stepped;

/// Candidates of a batch, unless one run alone has more: 21 MB at 9x9, and more than any device scores at a time.
pub const BATCH_SLOTS: usize = 1 << 18;

/// Candidates that a run adds to a batch: its population in whole tiles.
pub fn slots(population: usize) -> usize {
    population.next_multiple_of(LANES)
}

/// Makes all runs, shape by shape.
///
/// # Errors
/// What runs, their records and the evaluator report.
pub fn work(work: &Work<'_>, first: Backing, capacity: usize, make: &MakeBacking<'_>) -> Result<(), Error> {
    let mut first = Some(first);
    for queue in work.take_queues() {
        let fits = |backing: &mut Backing| backing.evaluator.shape() == queue.shape();
        let backing = match first.take_if(fits) {
            Some(backing) => backing,
            None => make(queue.shape(), capacity)?,
        };
        Batch::new(work, queue, backing).run_all()?;
        if work.is_stopping() {
            break;
        }
    }
    Ok(())
}

/// Runs of one shape that are in the same epoch of their own.
struct Batch<'a, 'b> {
    work: &'a Work<'b>,
    queue: Queue<'b>,
    /// A run that did not fit any more.
    waiting: Option<u64>,
    computer: Computer,
    evaluator: Box<dyn Evaluator>,
    members: Vec<Member>,
    scores: Vec<Score>,
}

/// A run in a batch; between two epochs, or after `begin_epoch`.
struct Member {
    index: u64,
    slots: usize,
    run: Box<dyn Stepped>,
}

impl<'a, 'b> Batch<'a, 'b> {
    fn new(work: &'a Work<'b>, queue: Queue<'b>, backing: Backing) -> Batch<'a, 'b> {
        let computer = Computer::of(&backing);
        let (members, scores) = (Vec::new(), Vec::new());
        Batch { work, queue, waiting: None, computer, evaluator: backing.evaluator, members, scores }
    }

    fn run_all(&mut self) -> Result<(), Error> {
        let mut round = self.work.round();
        loop {
            self.admit()?;
            if self.members.is_empty() {
                return Ok(());
            }
            self.epoch()?;
            let (asked, stopping) = (self.work.round(), self.work.is_stopping());
            if asked != round || stopping {
                self.put_away();
                round = asked;
            }
            if stopping {
                return self.leave();
            }
            self.begin_epochs()?;
        }
    }

    /// Fills up the batch with runs that have begun their first epoch here.
    fn admit(&mut self) -> Result<(), Error> {
        loop {
            let indices = self.next_indices();
            if indices.is_empty() || self.work.is_stopping() {
                return Ok(());
            }
            let work = self.work;
            let start = |(index, slots)| Ok(Member { index, slots, run: work.start(index)? });
            let started: Vec<Member> = indices.into_par_iter().map(start).collect::<Result<_, Error>>()?;
            for mut member in started {
                match member.run.begin_epoch() {
                    true => self.members.push(member),
                    false => self.end(member)?,
                }
            }
        }
    }

    /// The runs that fit beside the others; one at least if there are no others.
    fn next_indices(&mut self) -> Vec<(u64, usize)> {
        let mut used: usize = self.members.iter().map(|member| member.slots).sum();
        let mut indices = Vec::new();
        while used < BATCH_SLOTS
            && let Some(index) = self.waiting.take().or_else(|| self.queue.next())
        {
            let slots = slots(self.work.plan.population(self.work.plan.run(index)));
            if used > 0 && used + slots > BATCH_SLOTS {
                self.waiting = Some(index);
                break;
            }
            used += slots;
            indices.push((index, slots));
        }
        indices
    }

    /// One epoch of every run: all propose, one batch is scored, all accept.
    fn epoch(&mut self) -> Result<(), Error> {
        self.members.par_iter_mut().for_each(|member| member.run.propose());
        let parts: Vec<Candidates<'_>> = self.members.iter().map(|member| member.run.proposals()).collect();
        self.scores.resize(parts.iter().map(|part| part.slots()).sum(), Score::default());
        self.evaluator.score_parts(&parts, &mut self.scores)?;
        let (mut scores, mut shares) = (&self.scores[..], Vec::with_capacity(self.members.len()));
        for member in &self.members {
            let (share, others) = scores.split_at(member.slots);
            shares.push(share);
            scores = others;
        }
        self.members.par_iter_mut().zip(shares).try_for_each(|(member, share)| member.run.accept(share))
    }

    /// Every run goes on to its next epoch; those that are over make room.
    fn begin_epochs(&mut self) -> Result<(), Error> {
        for mut member in std::mem::take(&mut self.members) {
            match member.run.begin_epoch() {
                true => self.members.push(member),
                false => self.end(member)?,
            }
        }
        Ok(())
    }

    /// Hands in the states of all runs that go on.
    fn put_away(&self) {
        let going = self.members.par_iter().filter(|member| !member.run.is_over());
        going.for_each(|member| self.work.put_away(member.index, &*member.run));
    }

    /// Ends the runs that are over; the others were put away.
    fn leave(&mut self) -> Result<(), Error> {
        let mut members = std::mem::take(&mut self.members).into_iter();
        members.try_for_each(|member| if member.run.is_over() { self.end(member) } else { Ok(()) })
    }

    fn end(&self, member: Member) -> Result<(), Error> {
        self.work.end(member.index, &member.run.finish(), &self.computer)
    }
}
