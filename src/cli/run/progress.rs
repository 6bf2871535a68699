//! Where an experiment stands: a bar and a line for the cell on a terminal, elsewhere a line now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressStyle};
use swarmdoku::experiment::plan::Plan;
use swarmdoku::experiment::{CellStatus, Status};

/// How often a line is written where nobody looks at a terminal: a batch system's log must not grow without bound.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Shows where an experiment stands.
pub enum StudyProgress {
    /// Nothing is shown.
    Quiet,
    /// A bar for the whole and a line for the cell.
    Bars {
        /// The whole.
        whole: ProgressBar,
        /// The cell in which a run ended last.
        cell: ProgressBar,
        /// Holds the two together.
        _bars: MultiProgress,
    },
    /// A line now and then.
    Lines {
        /// The experiment.
        name: String,
        /// When this process began.
        started: Instant,
        /// When the last line was written.
        written: Instant,
    },
}

impl StudyProgress {
    /// Nothing is shown before the first [`StudyProgress::show`].
    pub fn new(quiet: bool, plan: &Plan) -> StudyProgress {
        let name = plan.resolved().name.clone();
        let now = Instant::now();
        match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => StudyProgress::Quiet,
            (false, false) => StudyProgress::Lines { name, started: now, written: now },
            (false, true) => StudyProgress::bars(name),
        }
    }

    fn bars(name: String) -> StudyProgress {
        let template = |template| ProgressStyle::with_template(template).expect("the template is well formed");
        let bars = MultiProgress::new();
        let whole = bars.add(ProgressBar::no_length().with_prefix(name));
        whole.set_style(template("{prefix} {wide_bar} {human_pos} of {human_len} runs, {eta} left"));
        let cell = bars.add(ProgressBar::no_length());
        cell.set_style(template("{msg}"));
        StudyProgress::Bars { whole, cell, _bars: bars }
    }

    /// Shows where it stands.
    pub fn show(&mut self, status: &Status) {
        match self {
            StudyProgress::Quiet => {}
            StudyProgress::Bars { whole, cell, .. } => {
                if whole.length().is_none() {
                    whole.set_length(status.runs);
                    whole.set_position(status.ended_before);
                    whole.reset_eta();
                }
                whole.set_position(status.ended);
                cell.set_message(cell_line(status.cell.as_ref()));
            }
            StudyProgress::Lines { name, started, written } => {
                if written.elapsed() >= LINE_EVERY {
                    *written = Instant::now();
                    eprintln!("{}", line(name, status, started.elapsed()));
                }
            }
        }
    }
}

impl Drop for StudyProgress {
    fn drop(&mut self) {
        if let StudyProgress::Bars { whole, cell, .. } = self {
            cell.finish_and_clear();
            whole.finish_and_clear();
        }
    }
}

/// `acceptance rules: 120 of 240 runs after 60 s; swarm on hard-3: 5 of 20 runs, 4 solved`
fn line(name: &str, status: &Status, elapsed: Duration) -> String {
    let (ended, runs, seconds) = (HumanCount(status.ended), HumanCount(status.runs), elapsed.as_secs());
    let cell = status.cell.as_ref().map_or(String::new(), |cell| format!("; {}", cell_line(Some(cell))));
    format!("{name}: {ended} of {runs} runs after {seconds} s{cell}")
}

fn cell_line(cell: Option<&CellStatus>) -> String {
    cell.map_or(String::new(), |CellStatus { variant, puzzle, runs, ended, solved }| {
        format!("{variant} on {puzzle}: {ended} of {runs} runs, {solved} solved")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_the_whole_and_the_cell() {
        let cell = CellStatus { variant: "swarm".into(), puzzle: "hard-3".into(), runs: 20, ended: 5, solved: 4 };
        let status = Status { runs: 2400, ended: 1200, ended_before: 0, evaluations: 9, cell: None };
        let after = Duration::from_secs(61);
        assert_eq!(line("try", &status, after), "try: 1,200 of 2,400 runs after 61 s");
        let status = Status { cell: Some(cell), ..status };
        let expected = "try: 1,200 of 2,400 runs after 61 s; swarm on hard-3: 5 of 20 runs, 4 solved";
        assert_eq!(line("try", &status, after), expected);
    }
}
