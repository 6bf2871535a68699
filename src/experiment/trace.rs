//! The improvements of a run as a table.

use std::io::{self, Write};

use crate::fitness::Score;
use crate::search::TracePoint;

/// Writes CSV: a header, then a row for each improvement, with the columns restart and epoch (both from 0), evaluations
/// so far, and the best score from then on: rows, columns, blocks, total.
///
/// # Errors
/// What `output` reports.
pub fn write_trace(trace: &[TracePoint], output: impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(output);
    table.write_record(["restart", "epoch", "evaluations", "rows", "columns", "blocks", "total"])?;
    for TracePoint { restart, epoch, evaluations, score } in trace {
        table.serialize((restart, epoch, evaluations, parts(*score)))?;
    }
    table.flush()
}

fn parts(score: Score) -> [u32; 4] {
    [score.rows(), score.columns(), score.blocks(), score.total()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_an_improvement_under_a_header() {
        let point = |restart, epoch, evaluations, score| TracePoint { restart, epoch, evaluations, score };
        let trace = [point(0, 0, 200, Score::new(11, 12, 0)), point(1, 7, 9000, Score::new(0, 2, 1))];
        let mut written = Vec::new();
        write_trace(&trace, &mut written).unwrap();
        let expected = "restart,epoch,evaluations,rows,columns,blocks,total\n0,0,200,11,12,0,23\n1,7,9000,0,2,1,3\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
