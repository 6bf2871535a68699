//! The analysis of an experiment's runs as plain numbers, without any presentation.

use rayon::prelude::*;

use super::read::{Cell, Study, TARGETS, is_budget};
use crate::report::CurvePoint;
use crate::report::statistics::{
    Attempt, Ecdf, Frequencies, Interval, Quartiles, RankSum, TotalCost, a12, ert_interval, holm, stratified_p, wilson,
};

/// The analysis of a folder.
pub(crate) struct Analysis {
    /// For each shape all its puzzles together, in the plan's order.
    pub overall: Vec<Scope>,
    /// Each puzzle; empty if there is only one, which `overall` then is.
    pub puzzles: Vec<Scope>,
}

/// Some puzzles of one shape, and the results of the runs on them.
pub(crate) struct Scope {
    /// The puzzle's name, or how many there are.
    pub name: String,
    /// One per variant with a population that has runs.
    pub groups: Vec<Group>,
    /// One per variant without a population that has runs.
    pub exact: Vec<ExactGroup>,
    /// Each pair of variants that have runs on the same puzzles.
    pub pairs: Vec<Pair>,
}

/// The runs of a variant on the puzzles of a scope.
pub(crate) struct Group {
    /// The variant by its place in the plan.
    pub variant: usize,
    /// All runs.
    pub runs: u64,
    /// Those that solved.
    pub solved: u64,
    /// The 95 % Wilson interval of the success rate.
    pub solved_95: Interval,
    /// Expected evaluations to a solution.
    pub evaluations: Expected,
    /// Expected seconds to a solution, if runs were timed one at a time.
    pub seconds: Option<Expected>,
    /// Evaluations to a solution, infinite where a run did not solve.
    pub to_solve: Quartiles,
    /// The best totals; none if nothing was scored.
    pub total: Option<Quartiles>,
    /// The best total of all.
    pub best: Option<u32>,
    /// The best total over evaluations, of the runs with a trace, from the point where all of them have a score.
    pub curve: Vec<CurvePoint>,
    /// Runs with a trace.
    pub traced: u64,
    /// The number of runs that have solved, over evaluations.
    pub run_lengths: Ecdf,
    /// The results at each budget.
    pub budgets: Vec<AtBudget>,
    /// The cost of each target.
    pub targets: Vec<ToTarget>,
}

/// The runs of a variant without a population on the puzzles of a scope.
pub(crate) struct ExactGroup {
    /// The variant by its place in the plan.
    pub variant: usize,
    /// All runs.
    pub runs: u64,
    /// Those that solved.
    pub solved: u64,
    /// Nodes to a solution, infinite where a run did not solve.
    pub to_solve: Quartiles,
    /// The nodes of all runs together.
    pub nodes: u64,
    /// The seconds of all runs together, where they were taken.
    pub seconds: Option<f64>,
}

/// An expected running time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Expected {
    /// The estimate, infinite if no run solved.
    pub ert: f64,
    /// Its 95 % bootstrap interval.
    pub ert_95: Interval,
}

/// The results of runs at a fixed budget.
pub(crate) struct AtBudget {
    /// Evaluations.
    pub evaluations: u64,
    /// Runs that had solved.
    pub solved: u64,
    /// The 95 % Wilson interval of their share.
    pub solved_95: Interval,
    /// The best totals of the runs with a trace; none where one of them had no score yet.
    pub total: Option<Quartiles>,
}

/// The cost of runs to reach a target.
pub(crate) struct ToTarget {
    /// The total.
    pub total: u32,
    /// Runs looked at: all for 0, those with a trace for the others.
    pub spent: TotalCost,
}

/// Two variants on the same puzzles.
pub(crate) struct Pair {
    /// The first, by its place in the plan.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The probability that a run of the first needs fewer evaluations than one of the second on the same puzzle.
    pub a12: f64,
    /// The two-sided p-value of no difference.
    pub p: f64,
    /// The same, adjusted for all pairs of its table.
    pub p_holm: f64,
}

impl Analysis {
    /// Analyses a folder.
    pub(crate) fn new(study: &Study) -> Analysis {
        let puzzles = &study.manifest.plan.puzzles;
        let mut overall: Vec<Scope> = by_shape(study).into_iter().map(|all| Scope::new(study, all)).collect();
        let mut each: Vec<Scope> = match puzzles.len() {
            0 | 1 => Vec::new(),
            count => (0..count).map(|puzzle| Scope::new(study, vec![puzzle])).collect(),
        };
        adjust(&mut overall);
        adjust(&mut each);
        Analysis { overall, puzzles: each }
    }

    /// The scopes of single puzzles.
    pub(crate) fn each_puzzle(&self) -> &[Scope] {
        if self.puzzles.is_empty() { &self.overall } else { &self.puzzles }
    }
}

/// The puzzles of each shape, by the shapes' first appearance.
fn by_shape(study: &Study) -> Vec<Vec<usize>> {
    let puzzles = &study.manifest.plan.puzzles;
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    for (place, puzzle) in puzzles.iter().enumerate() {
        match shapes.iter_mut().find(|shape| puzzles[shape[0]].shape == puzzle.shape) {
            Some(shape) => shape.push(place),
            None => shapes.push(vec![place]),
        }
    }
    shapes
}

/// Adjusts the p-values of all pairs of these scopes, which stand in one table, as one family.
fn adjust(scopes: &mut [Scope]) {
    let p_values: Vec<f64> = scopes.iter().flat_map(|scope| &scope.pairs).map(|pair| pair.p).collect();
    let pairs = scopes.iter_mut().flat_map(|scope| &mut scope.pairs);
    pairs.zip(holm(&p_values)).for_each(|(pair, adjusted)| pair.p_holm = adjusted);
}

impl Scope {
    fn new(study: &Study, puzzles: Vec<usize>) -> Scope {
        let plan = &study.manifest.plan;
        let first = &plan.puzzles[puzzles[0]];
        let name = match puzzles.len() {
            1 => first.name.clone(),
            count => format!("all {count} {} puzzles", first.shape),
        };
        let variants = 0..plan.variants.len();
        let group = |variant| Group::new(study, variant, &puzzles);
        let groups = variants.clone().into_par_iter().filter_map(group).collect();
        let exact = variants.clone().filter_map(|variant| ExactGroup::new(study, variant, &puzzles)).collect();
        let couples: Vec<(usize, usize)> =
            variants.clone().flat_map(|first| (first + 1..variants.end).map(move |second| (first, second))).collect();
        let pair = |(first, second)| Pair::new(study, first, second, &puzzles);
        let pairs = couples.into_par_iter().filter_map(pair).collect();
        Scope { name, groups, exact, pairs }
    }
}

impl ExactGroup {
    /// None if no run counts nodes.
    fn new(study: &Study, variant: usize, puzzles: &[usize]) -> Option<ExactGroup> {
        let runs = || puzzles.iter().flat_map(|puzzle| &study.cell(variant, *puzzle).runs);
        let nodes: Vec<(u64, bool)> = runs().filter_map(|run| Some((run.nodes?, run.solved))).collect();
        let to_solve = nodes.iter().map(|(nodes, solved)| if *solved { *nodes as f64 } else { f64::INFINITY });
        Some(ExactGroup {
            variant,
            runs: nodes.len() as u64,
            solved: nodes.iter().filter(|(_, solved)| *solved).count() as u64,
            to_solve: Quartiles::of(to_solve)?,
            nodes: nodes.iter().map(|(nodes, _)| nodes).sum(),
            seconds: runs().map(|run| run.wall_s).sum(),
        })
    }
}

impl Group {
    /// None if no run has a population.
    fn new(study: &Study, variant: usize, puzzles: &[usize]) -> Option<Group> {
        let cells: Vec<&Cell> = puzzles.iter().map(|puzzle| study.cell(variant, *puzzle)).collect();
        let runs = || cells.iter().flat_map(|cell| cell.scored_runs());
        let attempts: Vec<Attempt> = runs().map(|run| run.attempt()).collect();
        let all: TotalCost = attempts.iter().copied().collect();
        let run_lengths = Ecdf::of(attempts.iter().map(|attempt| attempt.to_success()))?;
        let traced = cells.iter().map(|cell| cell.traced).sum();
        let totals = totals(&cells, traced, study.budgets.len());
        Some(Group {
            variant,
            runs: all.attempts,
            solved: all.successes,
            solved_95: wilson(all.successes, all.attempts)?,
            evaluations: Expected::of(&attempts)?,
            seconds: seconds(&cells),
            to_solve: Quartiles::of(attempts.iter().map(|attempt| attempt.to_success()))?,
            total: Quartiles::of(runs().filter_map(|run| run.total).map(f64::from)),
            best: runs().filter_map(|run| run.total).min(),
            curve: curve(&study.budgets, &totals),
            traced,
            budgets: at_budgets(&study.budgets, &totals, &run_lengths, all.attempts),
            targets: to_targets(&cells, all),
            run_lengths,
        })
    }
}

impl Expected {
    fn of(attempts: &[Attempt]) -> Option<Expected> {
        let spent: TotalCost = attempts.iter().copied().collect();
        Some(Expected { ert: spent.ert()?, ert_95: ert_interval(attempts)? })
    }
}

/// Expected seconds, if every run has a time of its own.
fn seconds(cells: &[&Cell]) -> Option<Expected> {
    let runs = cells.iter().flat_map(|cell| cell.scored_runs());
    let attempts: Option<Vec<Attempt>> =
        runs.map(|run| Some(Attempt { cost: run.wall_s?, success: run.solved })).collect();
    Expected::of(&attempts?)
}

/// The best totals at each budget; none where a run with a trace had no score yet.
fn totals(cells: &[&Cell], traced: u64, budgets: usize) -> Vec<Option<Quartiles>> {
    let at = |budget: usize| {
        let mut together = Frequencies::default();
        cells.iter().filter_map(|cell| cell.totals.get(budget)).for_each(|totals| together.merge(totals));
        (together.total() == traced).then(|| together.quartiles()).flatten()
    };
    (0..budgets).map(at).collect()
}

fn curve(budgets: &[u64], totals: &[Option<Quartiles>]) -> Vec<CurvePoint> {
    let point = |(evaluations, total): (&u64, &Option<Quartiles>)| {
        Some(CurvePoint { evaluations: *evaluations, total: (*total)? })
    };
    budgets.iter().zip(totals).filter_map(point).collect()
}

fn at_budgets(budgets: &[u64], totals: &[Option<Quartiles>], lengths: &Ecdf, runs: u64) -> Vec<AtBudget> {
    let last = budgets.last().copied().unwrap_or_default();
    let chosen = budgets.iter().zip(totals).filter(|(budget, _)| is_budget(**budget, last));
    let at = |(evaluations, total): (&u64, &Option<Quartiles>)| {
        let solved = lengths.count(*evaluations as f64) as u64;
        Some(AtBudget { evaluations: *evaluations, solved, solved_95: wilson(solved, runs)?, total: *total })
    };
    chosen.filter_map(at).collect()
}

fn to_targets(cells: &[&Cell], solving: TotalCost) -> Vec<ToTarget> {
    let target = |(place, total): (usize, &u32)| {
        let spent = cells.iter().fold(TotalCost::default(), |sum, cell| sum.merge(cell.targets[place]));
        ToTarget { total: *total, spent }
    };
    let solved = ToTarget { total: 0, spent: solving };
    std::iter::once(solved).chain(TARGETS.iter().enumerate().map(target)).collect()
}

impl Pair {
    /// None if there is no puzzle on which both have runs.
    fn new(study: &Study, first: usize, second: usize, puzzles: &[usize]) -> Option<Pair> {
        let costs = |variant, puzzle: usize| -> Vec<f64> {
            study.cell(variant, puzzle).scored_runs().map(|run| run.attempt().to_success()).collect()
        };
        let ranks = |puzzle: &usize| RankSum::of(&costs(first, *puzzle), &costs(second, *puzzle));
        let strata: Vec<RankSum> = puzzles.iter().filter_map(ranks).collect();
        let p = stratified_p(&strata)?;
        Some(Pair { first, second, a12: a12(&strata)?, p, p_holm: p })
    }
}
