//! The one reader of puzzles: those of arguments and those of files, texts and arrays alike, one after the other.

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};
use std::path::Path;

use crate::error::Error;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::text::{self, ReadGrid, ReadOptions};

/// A puzzle and its source, or the error in its place.
#[derive(Debug)]
pub struct Item<P = Result<Puzzle, Error>> {
    /// Its number in its source, from 1; bad ones count. None for the puzzle of an argument.
    pub number: Option<u64>,
    /// Its name, where the source gives one.
    pub name: Option<String>,
    /// File and line, or the argument.
    pub place: String,
    /// The puzzle. An error of the system ([`Error::Read`]) ends its source, any other costs this puzzle alone.
    pub puzzle: P,
}

impl Item {
    /// The item of a puzzle that was read, or its error.
    ///
    /// # Errors
    /// That of the puzzle, with its place.
    pub fn read(self) -> Result<Item<Puzzle>, Error> {
        let Item { number, name, place, puzzle } = self;
        Ok(Item { number, name, place, puzzle: puzzle? })
    }
}

/// The puzzles of a source, in order.
///
/// ```
/// use swarmdoku::sudoku::{Puzzles, text::ReadOptions};
///
/// let arguments = ["12..\n..12\n..4.\n.3..", "11..............  # 4x4", "1..............."].map(String::from);
/// let items: Vec<_> = Puzzles::of_arguments(&arguments, ReadOptions::default()).collect();
/// assert_eq!(items.iter().map(|item| item.puzzle.is_ok()).collect::<Vec<_>>(), [true, false, true]);
/// assert_eq!((items[2].number, items[2].place.as_str()), (Some(3), "PUZZLE 3:1"));
/// ```
pub struct Puzzles<'a>(Box<dyn Iterator<Item = Item> + Send + 'a>);

impl<'a> Puzzles<'a> {
    /// The one puzzle of an argument.
    pub fn of_argument(text: &str, options: ReadOptions) -> Puzzles<'a> {
        let puzzle = text::read_one(text, options).and_then(Puzzle::new);
        Puzzles(Box::new(std::iter::once(Item { number: None, name: None, place: "PUZZLE".into(), puzzle })))
    }

    /// The puzzles of several arguments, each of which may hold several.
    pub fn of_arguments(texts: &'a [String], options: ReadOptions) -> Puzzles<'a> {
        let argument = move |(number, text): (usize, &'a String)| {
            let source = format!("PUZZLE {number}");
            entries(&source, text.as_bytes(), options)
        };
        Puzzles(Box::new(numbered((1..).zip(texts).flat_map(argument))))
    }

    /// The puzzles of a file, `-` for standard input.
    ///
    /// # Errors
    /// [`Error::Read`] if it cannot be opened.
    pub fn of_file(path: &Path, options: ReadOptions) -> Result<Puzzles<'static>, Error> {
        let name = path.display().to_string();
        Ok(Puzzles(Box::new(numbered(entries(&name, open(path)?, options)))))
    }
}

impl Iterator for Puzzles<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// [`Error::Read`] if the system cannot open it, or it is a directory.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Error> {
    const BUFFER: usize = 1 << 16;
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, stdin())));
    }
    let failed = |source| Error::Read { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::other("this is a directory; name a file of puzzles in it")));
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

fn entries<'a, R: BufRead + Send + 'a>(
    source: &str,
    input: R,
    options: ReadOptions,
) -> impl Iterator<Item = Item> + use<'a, R> {
    let name = source.to_string();
    text::read(source, input, options).map(move |entry| item(&name, entry))
}

fn item(source: &str, entry: Result<ReadGrid, Error>) -> Item {
    match entry {
        Ok(ReadGrid { name, line, grid }) => {
            let place = format!("{source}:{line}");
            let puzzle = Puzzle::new(grid).map_err(|error| error.at(place.clone()));
            Item { number: None, name, place, puzzle }
        }
        Err(error) => Item { number: None, name: None, place: source.to_string(), puzzle: Err(error) },
    }
}

fn numbered(items: impl Iterator<Item = Item>) -> impl Iterator<Item = Item> {
    (1..).zip(items).map(|(number, item)| Item { number: Some(number), ..item })
}
