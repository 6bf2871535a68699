//! The loop that drives runs on an engine, one or many at a time, each within its budget.
//!
//! ```text
//! join ──> begin_dispatch of each: at most k epochs ──> engine advances all ──> take: summaries one by one ──> end
//!   ^                                                                                                           │
//!   └──────────────────────────── runs that go on, and others in the place of those that ended ─────────────────┘
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;

use super::run::{Advance, Details, Run, Turn};
use super::state::{Resumable, RunState};
use super::{Budget, SearchRun, Stop};
use crate::error::Error;
use crate::fitness::Score;
use crate::population::LANES;
use crate::sudoku::{Grid, Puzzle};

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Why it stopped.
    pub stop: Stop,
    /// The best candidate ever accepted: the solution if `stop` is [`Stop::Solved`]. The puzzle has accepted it then.
    pub grid: Grid,
    /// Its score.
    pub score: Score,
    /// Candidates scored.
    pub evaluations: u64,
    /// Nodes visited by an exact method; none for a search that scores candidates.
    pub nodes: Option<u64>,
    /// The last epoch of the last restart; the first fill is epoch 0.
    pub epochs: u32,
    /// Restarts begun, the first attempt included.
    pub restarts: u32,
    /// The fingerprint of all that was proposed and of the final population, equal on every backend.
    pub trajectory: u64,
    /// Each improvement of the best score.
    pub trace: Vec<TracePoint>,
    /// Wall time of the run, without the making of the search and the engine.
    pub wall: Duration,
    /// True if other runs shared its dispatches: `wall` is then not its own.
    pub shared: bool,
}

impl Outcome {
    /// True if a solution was found and the puzzle accepted it.
    pub fn solved(&self) -> bool {
        self.stop == Stop::Solved
    }

    /// Wall time in seconds, or `None` if other runs shared it.
    pub fn seconds(&self) -> Option<f64> {
        (!self.shared).then_some(self.wall.as_secs_f64())
    }

    /// Candidates scored per second of wall time, or `None` if none was, no time passed, or other runs shared the time.
    pub fn evaluations_per_second(&self) -> Option<f64> {
        self.seconds()
            .filter(|seconds| self.evaluations > 0 && *seconds > 0.0)
            .map(|seconds| self.evaluations as f64 / seconds)
    }
}

/// An improvement of the best score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TracePoint {
    /// The restart, from 0.
    pub restart: u32,
    /// The epoch in that restart.
    pub epoch: u32,
    /// Candidates scored up to the end of that epoch.
    pub evaluations: u64,
    /// The best score from then on.
    pub score: Score,
}

/// The progress of a run after an epoch.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The restart, from 0.
    pub restart: u32,
    /// The epoch in that restart.
    pub epoch: u32,
    /// Candidates scored so far.
    pub evaluations: u64,
    /// The best score so far.
    pub best: Score,
    /// The best score in the population after this epoch.
    pub epoch_best: Score,
    /// True after the last epoch of a dispatch: the moment to ask for interrupts.
    pub ends_dispatch: bool,
    /// More about the epoch, if asked for.
    pub details: Option<Details>,
}

/// Called after each epoch; may end the run there.
pub type Observer<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a>;

/// A search without epochs. It asks every now and then whether to go on.
pub type Whole<'a> = Box<dyn FnOnce(&mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Outcome + Send + 'a>;

/// A run with its budget, ready for the loop.
pub struct ActiveRun<'a> {
    pace: Pace<'a>,
    observer: Option<Observer<'a>>,
}

/// How a run is made.
enum Pace<'a> {
    /// Epoch by epoch, on an engine.
    Epochs(Turn<'a>, Box<RunState>),
    /// In one go, as it joins.
    Whole(Whole<'a>),
}

impl<'a> ActiveRun<'a> {
    /// A run from its beginning. A puzzle without a free cell is solved with no evaluation.
    ///
    /// # Errors
    /// What [`Budget::validate`] reports.
    pub fn start(run: Box<dyn Run + 'a>, puzzle: &Arc<Puzzle>, budget: &Budget) -> Result<ActiveRun<'a>, Error> {
        budget.validate(usize::try_from(run.epoch_evaluations()).unwrap_or(usize::MAX))?;
        let state = Box::new(RunState::new(puzzle, budget));
        Ok(ActiveRun { pace: Pace::Epochs(Turn::new(run), state), observer: None })
    }

    /// The run whose state was saved ([`RunQueue::take_states`]), with the same puzzle and budget.
    ///
    /// # Errors
    /// [`Error::State`] if it was another run, and what [`ActiveRun::start`] reports.
    pub fn resume(
        run: Box<dyn Run + 'a>,
        puzzle: &Arc<Puzzle>,
        budget: &Budget,
        saved: &[u8],
    ) -> Result<ActiveRun<'a>, Error> {
        let mut active = ActiveRun::start(run, puzzle, budget)?;
        if let Pace::Epochs(turn, state) = &mut active.pace {
            state.restore(&mut *turn.run, saved)?;
        }
        Ok(active)
    }

    /// The run of a search without epochs, which no engine advances and no state saves.
    pub fn whole(
        search: impl FnOnce(&mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Outcome + Send + 'a,
    ) -> ActiveRun<'a> {
        ActiveRun { pace: Pace::Whole(Box::new(search)), observer: None }
    }

    /// The same run with an observer.
    pub fn observed(self, observe: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a) -> ActiveRun<'a> {
        ActiveRun { observer: Some(Box::new(observe)), ..self }
    }

    /// The same run, whose observer is told [`Details`].
    pub fn with_details(self) -> ActiveRun<'a> {
        let pace = match self.pace {
            Pace::Epochs(turn, state) => Pace::Epochs(turn.with_details(), state),
            whole => whole,
        };
        ActiveRun { pace, ..self }
    }
}

/// The source of the loop's runs, and the place of their outcomes. Each run has a number of its own.
pub trait RunQueue<'a> {
    /// The runs that join before the next dispatch; none for as long as there is no room.
    ///
    /// # Errors
    /// Any, which ends the loop.
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'a>)>, Error>;

    /// True if all threads may share the next dispatch.
    fn is_parallel(&self) -> bool {
        true
    }

    /// True if a search without epochs is to end, to be made anew another time.
    fn is_stopping(&self) -> bool {
        false
    }

    /// Asked once per dispatch.
    fn after_dispatch(&mut self) -> Demand {
        Demand::Continue
    }

    /// Takes the saved states of the runs that go on.
    fn take_states(&mut self, _states: Vec<(u64, Vec<u8>)>) {}

    /// Takes the outcome of a run.
    ///
    /// # Errors
    /// Any, which ends the loop.
    fn end(&mut self, number: u64, outcome: Outcome) -> Result<(), Error>;
}

/// What a queue wants after a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// The next dispatch.
    Continue,
    /// The states of all runs that go on, then the next dispatch.
    Save,
    /// The states of all runs that go on, then the end of the loop.
    SaveAndStop,
}

/// Runs a search on a puzzle until it is solved, the budget is spent, or `observe`, called after each epoch, ends it.
///
/// # Errors
/// [`Error::Parameter`] for a budget that bounds nothing, [`Error::Device`] if scoring fails, [`Error::Internal`] if a
/// score of 0 is not a solution.
pub fn run<S: Resumable + Send>(
    search: S,
    engine: &mut dyn Advance,
    puzzle: &Puzzle,
    budget: &Budget,
    observe: impl FnMut(&Progress) -> ControlFlow<()> + Send,
) -> Result<Outcome, Error> {
    run_one(ActiveRun::start(SearchRun::boxed(search), &Arc::new(puzzle.clone()), budget)?.observed(observe), engine)
}

/// Drives one run to its end: on a thread of the current rayon pool, if its threads share an epoch.
///
/// # Errors
/// As [`run`].
pub fn run_one(run: ActiveRun<'_>, engine: &mut dyn Advance) -> Result<Outcome, Error> {
    let is_cut = matches!(&run.pace, Pace::Epochs(turn, _) if turn.run.epoch_evaluations() > LANES as u64);
    let mut one = One { run: Some(run), outcome: None };
    engine.set_parallel(true);
    // Each way into the pool from outside takes some 50 microseconds: once for a run, and not in every dispatch.
    match is_cut && engine.is_parallel() {
        true => rayon::scope(|_| run_all(&mut one, engine))?,
        false => run_all(&mut one, engine)?,
    }
    one.outcome.ok_or_else(|| Error::Internal("a run ended without an outcome".into()))
}

/// A queue of one run.
struct One<'a> {
    run: Option<ActiveRun<'a>>,
    outcome: Option<Outcome>,
}

impl<'a> RunQueue<'a> for One<'a> {
    fn join(&mut self) -> Result<Vec<(u64, ActiveRun<'a>)>, Error> {
        Ok(self.run.take().map(|run| (0, run)).into_iter().collect())
    }

    fn end(&mut self, _: u64, outcome: Outcome) -> Result<(), Error> {
        self.outcome = Some(outcome);
        Ok(())
    }
}

/// Drives the runs of a queue until it has none left. Each comes to what it comes to alone, but for its wall time. Those
/// that are driven at the same time must be of one shape.
///
/// # Errors
/// What the engine, the queue and [`run`] report; the first error ends all runs.
pub fn run_all<'a>(queue: &mut dyn RunQueue<'a>, engine: &mut dyn Advance) -> Result<(), Error> {
    let mut set = RunSet::default();
    loop {
        set.admit(queue)?;
        if set.turns.is_empty() {
            return Ok(());
        }
        engine.set_parallel(queue.is_parallel());
        engine.advance(&mut set.turns)?;
        set.take_summaries()?;
        let demand = queue.after_dispatch();
        if demand != Demand::Continue {
            queue.take_states(set.save()?);
        }
        if demand == Demand::SaveAndStop {
            return set.leave(queue);
        }
        set.begin_dispatch(queue)?;
    }
}

/// The runs that the loop drives at the moment: as engines see them, and beside that what the loop knows of each.
#[derive(Default)]
struct RunSet<'a> {
    turns: Vec<Turn<'a>>,
    members: Vec<Member<'a>>,
}

struct Member<'a> {
    number: u64,
    state: Box<RunState>,
    observer: Option<Observer<'a>>,
}

/// Makes a search without epochs. One that the queue stopped leaves no outcome.
fn make_whole<'a>(
    number: u64,
    search: Whole<'a>,
    mut observer: Option<Observer<'a>>,
    queue: &mut dyn RunQueue<'a>,
) -> Result<(), Error> {
    let outcome = search(&mut |progress| match &mut observer {
        _ if queue.is_stopping() => ControlFlow::Break(()),
        Some(observe) => observe(progress),
        None => ControlFlow::Continue(()),
    });
    match outcome.stop {
        Stop::Interrupted if queue.is_stopping() => Ok(()),
        _ => queue.end(number, outcome),
    }
}

impl<'a> RunSet<'a> {
    /// Adds the runs that join, until none does; those that are over at once make room for others.
    fn admit(&mut self, queue: &mut dyn RunQueue<'a>) -> Result<(), Error> {
        loop {
            let joining = queue.join()?;
            if joining.is_empty() {
                return Ok(());
            }
            for (number, ActiveRun { pace, observer }) in joining {
                match pace {
                    Pace::Epochs(turn, state) => self.add(turn, Member { number, state, observer }, queue)?,
                    Pace::Whole(search) => make_whole(number, search, observer, queue)?,
                }
            }
        }
    }

    /// Begins the next dispatch of a run, or ends it if it is over.
    fn add(&mut self, mut turn: Turn<'a>, mut member: Member<'a>, queue: &mut dyn RunQueue<'a>) -> Result<(), Error> {
        turn.epochs = member.state.begin_dispatch(&mut *turn.run)?;
        if turn.epochs == 0 {
            return queue.end(member.number, member.state.finish(&mut *turn.run)?);
        }
        self.turns.push(turn);
        self.members.push(member);
        Ok(())
    }

    fn begin_dispatch(&mut self, queue: &mut dyn RunQueue<'a>) -> Result<(), Error> {
        if let ([turn], [member]) = (&mut self.turns[..], &mut self.members[..]) {
            turn.epochs = member.state.begin_dispatch(&mut *turn.run)?;
            if turn.epochs > 0 {
                return Ok(());
            }
        }
        let RunSet { turns, members } = std::mem::take(self);
        turns.into_iter().zip(members).try_for_each(|(turn, member)| self.add(turn, member, queue))
    }

    fn take_summaries(&mut self) -> Result<(), Error> {
        if let ([turn], [member]) = (&mut self.turns[..], &mut self.members[..]) {
            return member.state.take_summaries(turn, member.observer.as_mut());
        }
        self.turns.par_iter_mut().zip(&mut self.members).try_for_each(|(turn, member)| {
            member.state.share();
            member.state.take_summaries(turn, member.observer.as_mut())
        })
    }

    /// The states of all runs that go on.
    fn save(&mut self) -> Result<Vec<(u64, Vec<u8>)>, Error> {
        let going = self.turns.par_iter_mut().zip(&mut self.members).filter(|(_, member)| !member.state.is_over());
        going.map(|(turn, member)| Ok((member.number, member.state.save(&mut *turn.run)?))).collect()
    }

    /// Ends the runs that are over; the others were saved.
    fn leave(self, queue: &mut dyn RunQueue<'a>) -> Result<(), Error> {
        let mut all = self.turns.into_iter().zip(self.members);
        all.try_for_each(|(mut turn, member)| match member.state.is_over() {
            true => queue.end(member.number, member.state.finish(&mut *turn.run)?),
            false => Ok(()),
        })
    }
}
