//! `swarmdoku score`: candidates in, their scores out.

use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use swarmdoku::fitness::backends::{OpenBackend, Workload};
use swarmdoku::population::{LANES, Lanes};
use swarmdoku::sudoku::text::{self, ReadOptions};
use swarmdoku::{Error, Grid, Population, Puzzle, Score, Shape};

use super::input::{self, TextArgs};
use super::output::note;
use super::{CommonArgs, Verdict, output_error, report};

/// Score candidate grids: the digits missing from rows, columns and blocks.
///
/// Reads candidates as text, in the same forms as puzzles, or as a `.npy` array of integers with one candidate per row.
/// Digits may conflict. Writes one line per candidate, in order: the digits missing from its rows, its columns and its
/// blocks, and the total.
#[derive(Args)]
pub struct ScoreArgs {
    /// A file of candidates, text or .npy; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Add a column `solved`: true if the candidate is a solution of this puzzle
    #[arg(long, value_name = "PUZZLE")]
    puzzle: Option<String>,

    /// Format of the output: CSV, one JSON object per line, or a .npy array of u32 (candidates x columns)
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: Format,

    #[command(flatten)]
    text: TextArgs,
}

/// The values of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Npy,
}

pub fn run(args: &ScoreArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    let started = Instant::now();
    let puzzle =
        args.puzzle.as_deref().map(|text| Puzzle::new(text::read_one(text, args.text.options())?)).transpose()?;
    let shape = args.text.shape.or(puzzle.as_ref().map(Puzzle::shape));
    let (population, bad) = read(&args.file, ReadOptions { shape, ..args.text.options() })?;
    let OpenBackend { mut evaluator, .. } =
        common.backend.open(&Workload::scoring(population.shape(), population.len()))?;
    let mut scores = vec![Score::default(); population.slots()];
    evaluator.score(population.candidates(), &mut scores)?;
    write_scores(args.format, &population, &scores[..population.len()], puzzle.as_ref())?;
    if !common.quiet {
        let (candidates, seconds) = (HumanCount(population.len() as u64), started.elapsed().as_secs_f64());
        let shape = population.shape();
        note(format_args!("{candidates} {shape} candidates scored in {seconds:.2} s, {bad} not read"));
    }
    Ok(if bad > 0 { Verdict::BadInput } else { Verdict::Yes })
}

/// All candidates of a file, and the number of bad ones; each of those is reported.
fn read(path: &Path, options: ReadOptions) -> Result<(Population, u64), Error> {
    let name = path.display().to_string();
    let mut input = input::open(path)?;
    if input::is_npy(path, &mut input)? {
        return Ok((text::read_npy(&name, input, options.shape)?, 0));
    }
    let (mut tiles, mut bad) = (TileWriter::default(), 0);
    let mut shape: Option<Shape> = options.shape;
    for entry in text::read(&name, input, options) {
        match entry.and_then(|entry| same_shape(&name, entry, &mut shape)) {
            Ok(grid) => tiles.push(grid)?,
            Err(error @ Error::Read { .. }) => return Err(error),
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
    }
    Ok((tiles.finish(shape.unwrap_or(Shape::NINE))?, bad))
}

/// Grids of one shape on their way into a population: those of a tile at most are held as grids.
#[derive(Default)]
struct TileWriter {
    lanes: Vec<Lanes>,
    len: usize,
    tile: Vec<Grid>,
}

impl TileWriter {
    fn push(&mut self, grid: Grid) -> Result<(), Error> {
        let shape = grid.shape();
        self.tile.push(grid);
        self.len += 1;
        if self.tile.len() == LANES { self.write_tile(shape) } else { Ok(()) }
    }

    fn write_tile(&mut self, shape: Shape) -> Result<(), Error> {
        self.lanes.extend_from_slice(Population::from_grids(shape, &self.tile)?.lanes());
        self.tile.clear();
        Ok(())
    }

    fn finish(mut self, shape: Shape) -> Result<Population, Error> {
        self.write_tile(shape)?;
        Ok(Population::from_lanes(shape, self.len, self.lanes))
    }
}

/// The entry's grid, if it has the shape of those before it.
fn same_shape(file: &str, entry: text::ReadGrid, shape: &mut Option<Shape>) -> Result<Grid, Error> {
    let expected = *shape.get_or_insert(entry.grid.shape());
    if entry.grid.shape() == expected {
        Ok(entry.grid)
    } else {
        let (expected, found) = (expected.to_string(), entry.grid.shape().to_string());
        Err(Error::ShapeMismatch { what: "this batch", expected, found }.at(format!("{file}:{}", entry.line)))
    }
}

/// Writes one line, object or row per candidate to standard output.
fn write_scores(
    format: Format,
    population: &Population,
    scores: &[Score],
    puzzle: Option<&Puzzle>,
) -> Result<(), Error> {
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
    let mut text = itoa::Buffer::new();
    for row in rows {
        let [rows, columns, blocks, total] = row.columns();
        for number in [rows, columns, blocks] {
            out.write_all(text.format(number).as_bytes())?;
            out.write_all(b",")?;
        }
        out.write_all(text.format(total).as_bytes())?;
        match row.solved {
            Some(solved) => writeln!(out, ",{solved}")?,
            None => out.write_all(b"\n")?,
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
    fn grids_come_into_the_slots_of_their_order() {
        for len in [0, 1, LANES, 2 * LANES + 5] {
            let grid = |slot: usize| Grid::new(Shape::NINE, vec![(slot % 10) as u8; 81]).unwrap();
            let mut tiles = TileWriter::default();
            (0..len).for_each(|slot| tiles.push(grid(slot)).unwrap());
            let population = tiles.finish(Shape::NINE).unwrap();
            assert_eq!(population.len(), len);
            assert!((0..len).all(|slot| population.get(slot) == grid(slot)));
        }
    }

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
