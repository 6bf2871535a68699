//! The puzzles of a plan: read from files, written in the plan, or generated.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::table::PlanTable;
use crate::error::Error;
use crate::exact::generate::{self, Generation, Request, Symmetry};
use crate::exact::grade::Difficulty;
use crate::exact::refute;
use crate::experiment::study::PlannedPuzzle;
use crate::parallel::in_order;
use crate::sudoku::text::{self, ReadOptions};
use crate::sudoku::{Item, Puzzle, Puzzles, Shape};

/// Nodes that the check for a solution may visit before a puzzle is taken; its solution never reaches a search.
const CHECK_NODES: u64 = 20_000;

/// A puzzle and the name that its runs bear.
pub(super) struct NamedPuzzle {
    /// Unique in the plan.
    pub name: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
}

impl NamedPuzzle {
    /// As the manifest holds it.
    pub(super) fn planned(&self) -> PlannedPuzzle {
        PlannedPuzzle {
            name: self.name.clone(),
            shape: self.puzzle.shape().to_string(),
            puzzle: self.puzzle.givens().to_string(),
        }
    }
}

/// All puzzles of all `[[puzzles]]` tables, in their order; paths are taken from `folder`, the plan's own.
///
/// # Errors
/// [`Error::Plan`] for a table that names no source or two, and for puzzles that are equal or have one name; what reading
/// a file or a puzzle reports, with its place.
pub(super) fn read(tables: Vec<PlanTable<'_>>, folder: &Path) -> Result<Vec<NamedPuzzle>, Error> {
    let mut all = Collection::default();
    for (number, table) in (1..).zip(tables) {
        let source = table.clone();
        for named in of_table(number, table, folder)? {
            all.add(named, &source)?;
        }
    }
    Ok(all.puzzles)
}

/// Puzzles so far, each under one name only.
#[derive(Default)]
struct Collection {
    puzzles: Vec<NamedPuzzle>,
    names: HashMap<String, usize>,
    givens: HashMap<String, usize>,
}

impl Collection {
    fn add(&mut self, named: NamedPuzzle, table: &PlanTable<'_>) -> Result<(), Error> {
        let PlannedPuzzle { name, shape, puzzle } = named.planned();
        if self.names.contains_key(&name) {
            let remedy = "give this table a `name` of its own, from which its puzzles are numbered";
            return Err(table.error(format!("a second puzzle is called `{name}`; {remedy}")));
        }
        let givens = format!("{shape} {puzzle}");
        if let Some(first) = self.givens.get(&givens) {
            let first = &self.puzzles[*first].name;
            return Err(table.error(format!("`{name}` is the same puzzle as `{first}`; leave one of them out")));
        }
        self.names.insert(name, self.puzzles.len());
        self.givens.insert(givens, self.puzzles.len());
        self.puzzles.push(named);
        Ok(())
    }
}

fn of_table(number: usize, mut table: PlanTable<'_>, folder: &Path) -> Result<Vec<NamedPuzzle>, Error> {
    let (file, literal): (Option<String>, Option<String>) = (table.get("file")?, table.get("puzzle")?);
    let name: Option<String> = table.get("name")?;
    let generated = table.has("generate");
    if generated {
        table.value("generate");
    }
    match (file, literal, generated) {
        (Some(file), None, false) if file == "-" => {
            Err(table.refuse("file", "a file: a plan must be the same each time"))
        }
        (Some(file), None, false) => of_file(table, &folder.join(&file), name),
        (None, Some(text), false) => of_text(table, &text, name.unwrap_or_else(|| format!("puzzle-{number}"))),
        (None, None, true) => of_generator(table, name),
        _ => {
            table.value("generate");
            let message = "[[puzzles]] needs exactly one of `file`, `puzzle` and `generate`";
            table.clone().finish().and_then(|()| Err(table.error(message)))
        }
    }
}

/// How the texts of a table are read.
fn reading(table: &mut PlanTable<'_>) -> Result<ReadOptions, Error> {
    let shape: Option<String> = table.get("shape")?;
    let alphabet: Option<String> = table.get("alphabet")?;
    let shape = shape.map(|text| text.parse()).transpose().map_err(|error: Error| table.error(error.to_string()))?;
    let alphabet = alphabet.map(|text| text.parse()).transpose();
    Ok(ReadOptions { shape, alphabet: alphabet.map_err(|error: Error| table.error(error.to_string()))? })
}

fn of_file(mut table: PlanTable<'_>, path: &Path, name: Option<String>) -> Result<Vec<NamedPuzzle>, Error> {
    let options = reading(&mut table)?;
    let (skip, most): (usize, Option<usize>) = (table.or("skip", 0)?, table.get("take")?);
    table.clone().finish()?;
    if most == Some(0) {
        return Err(table.refuse("take", "at least 1"));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let items = Puzzles::of_file(path, options)?.skip(skip).take(most.unwrap_or(usize::MAX));
    let mut puzzles = Vec::new();
    let taken = in_order(
        items,
        || (),
        |(), item| named(item, name.as_deref(), &stem),
        |named| match named {
            Ok(named) => {
                puzzles.push(named);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        },
    );
    if let ControlFlow::Break(error) = taken {
        return Err(error);
    }
    let title = path.display();
    match most {
        _ if puzzles.is_empty() => Err(table.error(format!("{title} has no puzzle past the first {skip}; skip fewer"))),
        Some(most) if puzzles.len() < most => {
            let past = if skip == 0 { String::new() } else { format!(" past the first {skip}") };
            let (found, remedy) = (puzzles.len(), "take no more than there are, or leave `take` out for all");
            Err(table.error(format!("{title} has {found} puzzles{past}, but {most} are to be taken; {remedy}")))
        }
        _ => Ok(puzzles),
    }
}

/// The puzzle of an item under its name in the plan: a number behind that of the table, its own, or a number behind that
/// of the file.
fn named(item: Item, name: Option<&str>, stem: &str) -> Result<NamedPuzzle, Error> {
    let Item { number, name: own, place, puzzle } = item.read()?;
    let numbered = |prefix: &str| format!("{prefix}-{}", number.unwrap_or_default());
    let name = name.map(numbered).or(own).unwrap_or_else(|| numbered(stem));
    Ok(NamedPuzzle { name, puzzle: checked(puzzle).map_err(|error| error.at(place))? })
}

fn of_text(mut table: PlanTable<'_>, text: &str, name: String) -> Result<Vec<NamedPuzzle>, Error> {
    let options = reading(&mut table)?;
    table.clone().finish()?;
    let puzzle = text::read_one(text, options).and_then(Puzzle::new).and_then(checked);
    Ok(vec![NamedPuzzle { name, puzzle: puzzle.map_err(|error| table.error(error.to_string()))? }])
}

/// A puzzle that no search runs on in vain.
fn checked(puzzle: Puzzle) -> Result<Arc<Puzzle>, Error> {
    refute(&puzzle, CHECK_NODES)?;
    Ok(Arc::new(puzzle))
}

fn of_generator(mut table: PlanTable<'_>, name: Option<String>) -> Result<Vec<NamedPuzzle>, Error> {
    let mut call = table.child("generate", "generate")?;
    table.finish()?;
    let shape: String = call.or("shape", "9x9".to_owned())?;
    let shape: Shape = shape.parse().map_err(|error: Error| call.error(error.to_string()))?;
    let (seed, count): (u64, u32) = (call.need("seed")?, call.or("count", 1)?);
    if count == 0 {
        return Err(call.refuse("count", "at least 1"));
    }
    let difficulties = ["easy", "medium", "hard", "expert"]
        .into_iter()
        .zip([Difficulty::Easy, Difficulty::Medium, Difficulty::Hard, Difficulty::Expert].map(Some));
    let symmetries = [
        ("none", Symmetry::None),
        ("rotational", Symmetry::Rotational),
        ("mirror", Symmetry::Mirror),
        ("diagonal", Symmetry::Diagonal),
    ];
    let request = Request {
        shape,
        givens: call.get("givens")?,
        difficulty: call.choice("difficulty", &difficulties.collect::<Vec<_>>(), None)?,
        symmetry: call.choice("symmetry", &symmetries, Symmetry::None)?,
        minimal: call.or("minimal", false)?,
    };
    call.clone().finish()?;
    let name = name.unwrap_or_else(|| format!("generated-{shape}"));
    (0..count).map(|index| generated(&request, seed, index, &name, &call)).collect()
}

fn generated(request: &Request, seed: u64, index: u32, name: &str, call: &PlanTable<'_>) -> Result<NamedPuzzle, Error> {
    match generate::puzzle(request, seed, index, &|| true).map_err(|error| call.place_of(error))? {
        Generation::Met(made) => {
            Ok(NamedPuzzle { name: format!("{name}-{}", index + 1), puzzle: Arc::new(made.puzzle) })
        }
        Generation::Unmet { attempts, .. } => Err(call.error(format!(
            "puzzle {} was not made in {attempts} attempts; ask for less: fewer givens taken away, another difficulty",
            index + 1
        ))),
    }
}
