//! `swarmdoku score`: candidates in, their scores out.

mod write;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use swarmdoku::sudoku::text::{self, ReadOptions};
use swarmdoku::{Error, Grid, Population, Puzzle, Score, Shape};

use super::backend::Chosen;
use super::input::{self, TextArgs};
use super::output::note;
use super::{CommonArgs, Verdict, report};
use swarmdoku::fitness::backends::Workload;

/// Score candidate grids: digits missing from rows, columns and blocks.
///
/// Reads candidates as text, in any form that puzzles are read in (they may conflict), or as a `.npy` array of integers with
/// one candidate per row, and writes a line of rows, columns, blocks and total for each, in their order.
#[derive(Args)]
pub struct ScoreArgs {
    /// A file of candidates, text or .npy; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// A puzzle: adds a column that says whether it accepts the candidate as its solution
    #[arg(long, value_name = "PUZZLE")]
    puzzle: Option<String>,

    /// What is written: csv, one JSON object a line, or a .npy array of u32 (candidates x columns)
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
    let Chosen { mut evaluator, .. } = common.backend.open(&Workload::scoring(population.shape(), population.len()))?;
    let mut scores = vec![Score::default(); population.slots()];
    evaluator.score(population.candidates(), &mut scores)?;
    write::scores(args.format, &population, &scores[..population.len()], puzzle.as_ref())?;
    if !common.quiet {
        let (candidates, seconds) = (HumanCount(population.len() as u64), started.elapsed().as_secs_f64());
        let shape = population.shape();
        note(format_args!("{candidates} {shape} candidates scored in {seconds:.2} s, {bad} refused"));
    }
    Ok(if bad > 0 { Verdict::BadInput } else { Verdict::Yes })
}

/// All candidates of a file, and how many were bad; each of those is reported, and the others are scored.
fn read(path: &Path, options: ReadOptions) -> Result<(Population, u64), Error> {
    let name = path.display().to_string();
    let mut input = input::open(path)?;
    if input::is_npy(path, &mut input)? {
        return Ok((text::read_npy(&name, input, options.shape)?, 0));
    }
    let (mut grids, mut bad): (Vec<Grid>, u64) = (Vec::new(), 0);
    let mut shape: Option<Shape> = options.shape;
    for entry in text::read(&name, input, options) {
        match entry.and_then(|entry| same_shape(&name, entry, &mut shape)) {
            Ok(grid) => grids.push(grid),
            Err(error @ Error::Read { .. }) => return Err(error),
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
    }
    let population = Population::from_grids(shape.unwrap_or(Shape::NINE), &grids)?;
    Ok((population, bad))
}

/// The entry's grid, if it has the shape of those before it.
fn same_shape(file: &str, entry: text::Entry, shape: &mut Option<Shape>) -> Result<Grid, Error> {
    let expected = *shape.get_or_insert(entry.grid.shape());
    if entry.grid.shape() == expected {
        Ok(entry.grid)
    } else {
        let (expected, found) = (expected.to_string(), entry.grid.shape().to_string());
        Err(Error::ShapeMismatch { what: "this batch", expected, found }.at(format!("{file}:{}", entry.line)))
    }
}
