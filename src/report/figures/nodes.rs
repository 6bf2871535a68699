//! Nodes of the searches without a population.

use super::{Figure, PUZZLES, Pieces, RUNS, SOLVED, VARIANT, quartiles, shortened, variant};
use crate::report::analysis::{ExactGroup, Scope};
use crate::report::read::Study;
use crate::report::table::{Format, Table, column, count, number, text};

/// The nodes; nothing where every variant has a population.
pub const NODES: Figure = Figure {
    section: super::RESULTS,
    make: |sources| {
        if sources.analysis.overall.iter().all(|scope| scope.exact.is_empty()) {
            return Ok(Pieces::default());
        }
        Ok(Pieces::tables(sources, "Results by puzzle", |by, scopes| {
            let of_each = if by.is_empty() { "" } else { " by puzzle" };
            let title = format!("Nodes of searches without a population{of_each}");
            nodes(sources.study, &format!("nodes{by}"), &title, scopes)
        }))
    },
};

fn nodes(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Searches without a population score no candidates, so their cost is in nodes: the puzzle itself, and every \
                option tried after it. A run that did not solve counts as longer than any budget, ∞.";
    let columns = [
        PUZZLES,
        VARIANT,
        RUNS,
        SOLVED,
        column("nodes_median", "median nodes", Format::Cost),
        column("nodes_quartiles", "quartiles", Format::Cost),
        column("nodes", "all nodes", Format::Cost),
        column("seconds", "all seconds", Format::Seconds),
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, group) in scopes.iter().flat_map(|scope| scope.exact.iter().map(move |group| (scope, group))) {
        let ExactGroup { variant: place, runs, solved, to_solve, nodes, seconds } = group;
        table.push([
            text(&scope.name),
            variant(study, *place),
            count(*runs),
            count(*solved),
            number(to_solve.median),
            quartiles(Some(*to_solve)),
            count(*nodes),
            number(*seconds),
        ]);
    }
    shortened(table, scopes)
}
