//! Scores as CSV, JSON lines and `.npy`.

use std::io::{BufWriter, Write, stdout};

use swarmdoku::{Error, Population, Puzzle, Score};

use super::Format;
use crate::cli::output_error;

/// Writes one line, object or row a candidate to standard output.
pub fn scores(format: Format, population: &Population, scores: &[Score], puzzle: Option<&Puzzle>) -> Result<(), Error> {
    let rows = scores.iter().enumerate().map(|(slot, score)| Row {
        score: *score,
        solved: puzzle.map(|puzzle| score.total() == 0 && puzzle.accepts(&population.get(slot))),
    });
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    match format {
        Format::Csv => csv(&mut out, rows, puzzle.is_some()),
        Format::Json => json(&mut out, rows),
        Format::Npy => npy(&mut out, rows, puzzle.is_some()),
    }
    .and_then(|()| out.flush())
    .map_err(output_error)
}

struct Row {
    score: Score,
    solved: Option<bool>,
}

impl Row {
    fn columns(&self) -> [u32; 4] {
        let Row { score, .. } = self;
        [score.rows(), score.columns(), score.blocks(), score.total()]
    }
}

fn csv(out: &mut impl Write, rows: impl Iterator<Item = Row>, with_solved: bool) -> std::io::Result<()> {
    out.write_all(if with_solved { b"rows,columns,blocks,total,solved\n" } else { b"rows,columns,blocks,total\n" })?;
    for row in rows {
        let [rows, columns, blocks, total] = row.columns();
        write!(out, "{rows},{columns},{blocks},{total}")?;
        match row.solved {
            Some(solved) => writeln!(out, ",{solved}")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

fn json(out: &mut impl Write, rows: impl Iterator<Item = Row>) -> std::io::Result<()> {
    for row in rows {
        let [rows, columns, blocks, total] = row.columns();
        write!(out, r#"{{"rows":{rows},"columns":{columns},"blocks":{blocks},"total":{total}"#)?;
        match row.solved {
            Some(solved) => writeln!(out, r#","solved":{solved}}}"#)?,
            None => writeln!(out, "}}")?,
        }
    }
    Ok(())
}

/// A `.npy` array of version 1.0: magic, version, the header's length and the header, padded with spaces so that the
/// little-endian u32 after it are aligned to 64 bytes (NumPy Enhancement Proposal 1).
fn npy(out: &mut impl Write, rows: impl ExactSizeIterator<Item = Row>, with_solved: bool) -> std::io::Result<()> {
    const BEFORE_HEADER: usize = 10;
    let shape = (rows.len(), if with_solved { 5 } else { 4 });
    let header = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': {shape:?}, }}");
    let width = (BEFORE_HEADER + header.len() + 1).next_multiple_of(64) - BEFORE_HEADER - 1;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(width as u16 + 1).to_le_bytes())?;
    writeln!(out, "{header:<width$}")?;
    for row in rows {
        for number in row.columns().into_iter().chain(row.solved.map(u32::from)) {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_holds_the_same_scores() {
        let rows = || {
            [(Score::new(1, 20, 300), false), (Score::default(), true)]
                .into_iter()
                .map(|(score, solved)| Row { score, solved: Some(solved) })
        };
        let (mut as_csv, mut as_json, mut as_npy) = (Vec::new(), Vec::new(), Vec::new());
        csv(&mut as_csv, rows(), true).unwrap();
        json(&mut as_json, rows()).unwrap();
        npy(&mut as_npy, rows(), true).unwrap();
        assert_eq!(
            String::from_utf8(as_csv).unwrap(),
            "rows,columns,blocks,total,solved\n1,20,300,321,false\n0,0,0,0,true\n"
        );
        let first: serde_json::Value =
            serde_json::from_slice(as_json.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
        assert_eq!(first, serde_json::json!({"rows": 1, "columns": 20, "blocks": 300, "total": 321, "solved": false}));
        let array = npyz::NpyFile::new(&as_npy[..]).unwrap();
        assert_eq!(array.shape(), [2, 5]);
        assert_eq!(array.into_vec::<u32>().unwrap(), [1, 20, 300, 321, 0, 0, 0, 0, 0, 1]);
    }
}
