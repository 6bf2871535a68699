//! What every search asks before it visits a node: may it go on?
//!
//! The clock and the observer are asked once in [`LOOK_EVERY`] nodes, so that a node costs one comparison; the node
//! limit is kept to the node.

use std::ops::ControlFlow;
use std::time::Instant;

use super::{Limits, Stop};

/// Nodes between two looks at the clock: well under a millisecond at 9x9, some milliseconds at 25x25.
const LOOK_EVERY: u64 = 256;

/// Counts nodes, and says when to stop.
pub(super) struct Watch<'a> {
    nodes: u64,
    node_limit: u64,
    /// The count of nodes at which limits are looked at next.
    next_look: u64,
    deadline: Option<Instant>,
    observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    pub fn new(limits: &Limits, observe: &'a mut dyn FnMut(u64) -> ControlFlow<()>) -> Watch<'a> {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Watch { nodes: 0, node_limit: limits.nodes, next_look: 0, deadline, observe }
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node that is about to be visited.
    ///
    /// # Errors
    /// Why it may not be visited; it is not counted then.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.node_limit {
            return Err(Stop::NodeLimit);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::TimeLimit);
        }
        if (self.observe)(self.nodes).is_break() {
            return Err(Stop::Interrupted);
        }
        self.next_look = self.node_limit.min(self.nodes + LOOK_EVERY);
        Ok(())
    }
}
