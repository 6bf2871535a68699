//! An evaluator that stops in the middle of its work, so that a test can interrupt what uses it there.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use swarmdoku::fitness::{Backend, BatchScorer, Evaluator, Staged, Ticket, TileScorer};
use swarmdoku::{Candidates, Error, LANES, Lanes, Score, Shape};

/// Lets a number of scorings through, and holds up the next until it is opened.
pub struct Gate {
    left: AtomicUsize,
    is_reached: AtomicBool,
    is_open: AtomicBool,
}

impl Gate {
    /// A gate behind so many scorings: tiles on a host, batches on a device.
    pub fn after(scorings: usize) -> Arc<Gate> {
        let (is_reached, is_open) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Gate { left: AtomicUsize::new(scorings), is_reached, is_open })
    }

    /// True once a scoring waits, or has waited, at the gate.
    pub fn is_reached(&self) -> bool {
        self.is_reached.load(Ordering::Acquire)
    }

    /// Lets everything through from now on.
    pub fn open(&self) {
        self.is_open.store(true, Ordering::Release);
    }

    fn pass(&self) {
        let one_less = |left: usize| left.checked_sub(1);
        if self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_less).is_err() {
            self.is_reached.store(true, Ordering::Release);
            while !self.is_open.load(Ordering::Acquire) {
                sleep(Duration::from_millis(1));
            }
        }
    }
}

/// An evaluator behind a gate.
pub struct Gated {
    evaluator: Mutex<Box<dyn Evaluator>>,
    gate: Arc<Gate>,
}

impl Gated {
    pub fn new(evaluator: Box<dyn Evaluator>, gate: &Arc<Gate>) -> Gated {
        Gated { evaluator: Mutex::new(evaluator), gate: Arc::clone(gate) }
    }

    fn with<T>(&self, ask: impl FnOnce(&dyn Evaluator) -> T) -> T {
        ask(&**self.evaluator.lock().unwrap())
    }

    fn inner(&mut self) -> &mut dyn Evaluator {
        &mut **self.evaluator.get_mut().unwrap()
    }
}

impl Evaluator for Gated {
    fn shape(&self) -> Shape {
        self.with(|evaluator| evaluator.shape())
    }

    fn backend(&self) -> Backend {
        self.with(|evaluator| evaluator.backend())
    }

    fn describe(&self) -> String {
        self.with(|evaluator| evaluator.describe())
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        self.gate.pass();
        self.inner().score(candidates, scores)
    }

    fn score_parts(&mut self, parts: &[Candidates<'_>], scores: &mut [Score]) -> Result<(), Error> {
        self.gate.pass();
        self.inner().score_parts(parts, scores)
    }

    fn tile_scorer(&self) -> Option<&dyn TileScorer> {
        self.with(|evaluator| evaluator.tile_scorer().is_some()).then_some(self)
    }

    fn batch_scorer(&mut self) -> Option<&mut dyn BatchScorer> {
        self.inner().batch_scorer()?;
        Some(self)
    }
}

impl TileScorer for Gated {
    fn score_tile(&self, tile: &[Lanes], scores: &mut [Score; LANES]) {
        self.gate.pass();
        self.with(|evaluator| evaluator.tile_scorer().unwrap().score_tile(tile, scores));
    }
}

impl BatchScorer for Gated {
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error> {
        self.gate.pass();
        self.inner().batch_scorer().unwrap().submit(tiles, write)
    }

    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error> {
        self.inner().batch_scorer().unwrap().finish(ticket, rewrite, scores)
    }
}
