//! The charts of a report: SVG with the data it was drawn from.
//!
//! Ink is black and the ground is left empty, so that a page's style sheet can turn black into its own text colour and the
//! series' colours into lighter ones where the reader prefers dark.

mod convergence;
mod frame;
mod heat;
mod population;
mod run_lengths;

pub use convergence::convergence;
pub use heat::{expected, success};
pub use population::population;
pub use run_lengths::run_lengths;

use super::analysis::Analysis;
use super::read::Study;
use super::table::Table;
use crate::report::plot::COLOURS;

/// A chart.
pub struct Chart {
    /// What it tells.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// Its width in pixels, at which its words are as large as those around it.
    pub width: u32,
    /// The names of the colours; empty where there are none.
    pub legend: Vec<Key>,
    /// What was drawn; its id is the chart's too.
    pub data: Table,
}

/// A colour and what it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// A place among the colours of series.
    pub colour: usize,
    /// What it stands for.
    pub name: String,
}

/// The variants that are drawn, each in a colour that it keeps on every chart.
pub struct Cast {
    /// By their place in the plan, in its order.
    pub variants: Vec<usize>,
    /// Variants that have runs but are not drawn.
    pub left_out: usize,
}

impl Cast {
    /// As many as there are colours: all, or those that solved most, the faster first among equals.
    pub fn new(analysis: &Analysis) -> Cast {
        let groups = || analysis.overall.iter().flat_map(|scope| &scope.groups);
        let mut variants: Vec<usize> = groups().map(|group| group.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        let all = variants.len();
        let merit = |variant: &usize| {
            let own = || groups().filter(move |group| group.variant == *variant);
            let (solved, runs) =
                (own().map(|group| group.solved).sum::<u64>(), own().map(|group| group.runs).sum::<u64>());
            (-(solved as f64) / runs as f64, own().map(|group| group.evaluations.ert).sum::<f64>())
        };
        variants.sort_by(|a, b| {
            let ((rate, ert), (other_rate, other_ert)) = (merit(a), merit(b));
            rate.total_cmp(&other_rate).then(ert.total_cmp(&other_ert))
        });
        variants.truncate(COLOURS.len());
        variants.sort_unstable();
        Cast { left_out: all - variants.len(), variants }
    }

    /// The colour of a variant, if it is drawn.
    pub fn colour(&self, variant: usize) -> Option<usize> {
        self.variants.iter().position(|drawn| *drawn == variant)
    }

    /// The colours' names.
    pub fn legend(&self, study: &Study) -> Vec<Key> {
        let name = |variant: &usize| study.manifest.plan.variants[*variant].name.clone();
        self.variants.iter().map(name).enumerate().map(|(colour, name)| Key { colour, name }).collect()
    }

    /// A sentence that says whether variants are missing from charts.
    pub fn remark(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left => {
                format!(" Drawn are the {} variants that solved most; the data has {left} more.", self.variants.len())
            }
        }
    }
}
