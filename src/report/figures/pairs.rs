//! Tests of each pair of variants.

use super::{Figure, PUZZLES, Pieces, shortened, variant};
use crate::report::analysis::Scope;
use crate::report::read::Study;
use crate::report::statistics::magnitude;
use crate::report::table::{Format, Table, column, number, text};

/// The tests.
pub const PAIRS: Figure = Figure {
    section: super::COMPARED,
    make: |sources| {
        Ok(Pieces::tables(sources, "Pairs by puzzle", |by, scopes| {
            let title = if by.is_empty() { "Tests of each pair" } else { "Tests of each pair by puzzle" };
            pairs(sources.study, &format!("pairs{by}"), title, scopes)
        }))
    },
};

fn pairs(study: &Study, id: &str, title: &str, scopes: &[Scope]) -> Table {
    let note = "Mann-Whitney test on the evaluations to solve; runs that did not solve tie, above all that did. Over several \
                puzzles ranks are taken within each (van Elteren). p is two-sided; Holm's correction is for all rows of \
                this table. A12 is the probability that a run of the first needs fewer evaluations than a run of the second \
                on the same puzzle, ties half: 0.5 is no difference.";
    let columns = [
        PUZZLES,
        column("first", "first", Format::Text),
        column("second", "second", Format::Text),
        column("a12", "A12", Format::Effect),
        column("effect", "effect", Format::Text),
        column("p", "p", Format::P),
        column("p_holm", "p, Holm", Format::P),
        column("better", "better, at 5 %", Format::Text),
    ];
    let mut table = Table::new(id, title, note, &columns);
    for (scope, pair) in scopes.iter().flat_map(|scope| scope.pairs.iter().map(move |pair| (scope, pair))) {
        let better = match pair.p_holm <= 0.05 {
            true if pair.a12 > 0.5 => variant(study, pair.first),
            true => variant(study, pair.second),
            false => text("undecided"),
        };
        table.push([
            text(&scope.name),
            variant(study, pair.first),
            variant(study, pair.second),
            number(pair.a12),
            text(magnitude(pair.a12)),
            number(pair.p),
            number(pair.p_holm),
            better,
        ]);
    }
    shortened(table, scopes)
}
