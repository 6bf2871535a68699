//! Tables that follow from a shape alone, made once: making one takes longer than many a search.

use std::sync::OnceLock;

use crate::sudoku::{MAX_SIDE, Shape};

/// One table a shape, for use in a `static`.
pub(super) struct PerShape<T> {
    tables: [[OnceLock<T>; MAX_SIDE + 1]; MAX_SIDE + 1],
}

impl<T> PerShape<T> {
    pub const fn new() -> PerShape<T> {
        PerShape { tables: [const { [const { OnceLock::new() }; MAX_SIDE + 1] }; MAX_SIDE + 1] }
    }

    /// The table of a shape, made by `make` when it is first asked for.
    pub fn get(&'static self, shape: Shape, make: impl FnOnce(Shape) -> T) -> &'static T {
        self.tables[shape.block_rows()][shape.block_columns()].get_or_init(|| make(shape))
    }
}
