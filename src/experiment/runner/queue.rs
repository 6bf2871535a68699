//! The runs that are still to be made, one after another and never all at once.

use super::super::folder::RunSet;
use super::super::plan::{Plan, RunId};
use super::super::study::Shard;
use crate::sudoku::Shape;

/// The runs of one shape: first those that were begun, then cell by cell those that were not.
pub struct Queue<'a> {
    plan: &'a Plan,
    shard: Option<Shard>,
    done: &'a RunSet,
    shape: Shape,
    /// Ascending.
    begun: Vec<u64>,
    /// How many of `begun` were handed out.
    handed: usize,
    /// The next run to look at, as the plan counts.
    next: u64,
}

impl<'a> Queue<'a> {
    /// A queue for each shape among the plan's puzzles, the shape met first one first; `begun` ascends.
    pub fn each_shape(plan: &'a Plan, shard: Option<Shard>, done: &'a RunSet, begun: &[u64]) -> Vec<Queue<'a>> {
        let mut shapes: Vec<Shape> = Vec::new();
        for shape in plan.puzzles().iter().map(|puzzle| puzzle.shape()) {
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        let queue = |shape| {
            let of_shape = |index: &&u64| shape_of(plan, plan.run(**index)) == shape;
            Queue {
                plan,
                shard,
                done,
                shape,
                begun: begun.iter().filter(of_shape).copied().collect(),
                handed: 0,
                next: 0,
            }
        };
        shapes.into_iter().map(queue).collect()
    }

    /// The shape of all its runs.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn passes_over(&self, index: u64) -> bool {
        let id = self.plan.run(index);
        shape_of(self.plan, id) != self.shape
            || self.done.has(index)
            || !self.plan.is_in(id, self.shard)
            || self.begun.binary_search(&index).is_ok()
    }
}

impl Iterator for Queue<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if let Some(index) = self.begun.get(self.handed) {
            self.handed += 1;
            return Some(*index);
        }
        while self.next < self.plan.runs() {
            let index = self.next;
            self.next += 1;
            if !self.passes_over(index) {
                return Some(index);
            }
        }
        None
    }
}

fn shape_of(plan: &Plan, id: RunId) -> Shape {
    plan.puzzles()[id.puzzle].shape()
}
