//! Interrupts, and the progress of a search on a terminal.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use swarmdoku::search::Progress;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Catches interrupts: the first ends the search after the running epoch, the second ends the process.
pub fn catch_interrupts() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("an interrupt will end the program at once: {error}");
    }
}

/// True once the user has interrupted.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The progress of a search on standard error; hidden unless that is a terminal.
pub struct SearchBar {
    bar: ProgressBar,
    prefix: String,
    started: Instant,
    shown: Instant,
}

impl SearchBar {
    const INTERVAL: Duration = Duration::from_millis(100);

    /// The progress of one search; `prefix` names it.
    pub fn new(quiet: bool, prefix: String) -> SearchBar {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is well formed"));
        let now = Instant::now();
        SearchBar { bar, prefix, started: now, shown: now }
    }

    /// Shows the progress, at most ten times per second, and ends the search after an interrupt.
    pub fn observe(&mut self, progress: &Progress) -> ControlFlow<()> {
        if !self.bar.is_hidden() && self.shown.elapsed() >= Self::INTERVAL {
            self.shown = Instant::now();
            self.bar.set_message(self.message(progress));
            self.bar.tick();
        }
        if progress.ends_dispatch && interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn message(&self, progress: &Progress) -> String {
        let Progress { restart, epoch, evaluations, best, .. } = progress;
        let rate = *evaluations as f64 / self.started.elapsed().as_secs_f64() / 1e6;
        format!(
            "{}best {} · restart {} epoch {} · {} evaluations · {rate:.1} million/s",
            self.prefix,
            best.total(),
            restart + 1,
            HumanCount(u64::from(*epoch)),
            HumanCount(*evaluations),
        )
    }
}

impl Drop for SearchBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
