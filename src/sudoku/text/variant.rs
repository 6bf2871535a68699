//! Puzzles with other rules than the classic ones: announced in a heading, a section, a comment or a column's name, or by
//! a map of irregular regions. They are refused, never answered by the classic rules.

use std::collections::HashSet;

use super::cells::{Cells, excerpt};
use super::forms::{FormResult, Texts};
use super::lines::{Line, LineError, LineKind, Lines, ReadError};
use crate::sudoku::{Grid, MAX_SIDE};

/// Words that announce other rules.
const WORDS: &[&str] = &[
    "antiking",
    "antiknight",
    "argyle",
    "arrow",
    "arrows",
    "asterisk",
    "cage",
    "cages",
    "chaos",
    "consecutive",
    "diagonal",
    "diagonale",
    "diagonalen",
    "diagonals",
    "disjoint",
    "fenêtres",
    "gattai",
    "girandola",
    "hyper",
    "hypersudoku",
    "irregular",
    "irrégulier",
    "irrégulière",
    "jigsaw",
    "killer",
    "knight",
    "kropki",
    "multisudoku",
    "nonconsecutive",
    "nonomino",
    "nonominoes",
    "nrc",
    "odd",
    "region",
    "regions",
    "samurai",
    "sandwich",
    "squiggly",
    "sudokux",
    "sumdoku",
    "thermo",
    "thermometer",
    "thermometers",
    "toroidal",
    "tueur",
    "unregelmäßig",
    "unregelmäßiges",
    "windoku",
    "xsudoku",
];

/// Words that may stand beside those in a comment that is nothing but an announcement.
const FILLERS: [&str; 25] = [
    "a",
    "an",
    "anti",
    "by",
    "difficulty",
    "easy",
    "even",
    "expert",
    "grid",
    "group",
    "groups",
    "hard",
    "kind",
    "king",
    "medium",
    "no",
    "non",
    "nr",
    "number",
    "puzzle",
    "puzzles",
    "sudoku",
    "the",
    "type",
    "variant",
];

/// An announcement of other rules: its text and its line. It holds up to the next one, or the next heading.
#[derive(Debug)]
pub(super) struct Announcement {
    text: String,
    line: usize,
    /// True once a grid was refused for it.
    used: bool,
}

/// True if a heading or the name of a section or column has a word for other rules.
pub(super) fn is_announced(text: &str) -> bool {
    let words = words(text);
    let is_x = |pair: &[String]| matches!([pair[0].as_str(), pair[1].as_str()], ["sudoku", "x"] | ["x", "sudoku"]);
    let symmetry = words.iter().any(|word| word.starts_with("symmetr"));
    !symmetry && (words.iter().any(|word| WORDS.contains(&word.as_str())) || words.windows(2).any(is_x))
}

/// True if a comment is nothing but an announcement: `# Killer Sudoku`, or SadMan's `#DJigsaw`.
fn is_announced_alone(comment: &str) -> bool {
    let text = comment.trim().trim_start_matches(['#', ';']);
    let behind_key = text.get(1..).filter(|rest| rest.starts_with(|char: char| char.is_uppercase()));
    [Some(text), behind_key].into_iter().flatten().any(|text| {
        let known = |word: &String| {
            WORDS.contains(&word.as_str())
                || FILLERS.contains(&word.as_str())
                || word == "x"
                || word.starts_with(|char: char| char.is_ascii_digit())
        };
        is_announced(text) && words(text).iter().all(known)
    })
}

fn words(text: &str) -> Vec<String> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// An announcement in a heading, a comment or a line of words; a map of regions before a grid.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    match LineKind::of(line.text()?) {
        LineKind::Comment => {
            let text = line.text()?.trim().to_string();
            texts.announce_variant(&text, line.number, is_announced_alone(&text));
        }
        LineKind::Heading(text) => {
            texts.variant = None;
            texts.announce_variant(text, line.number, is_announced(text));
        }
        LineKind::Cells(text) if Cells::of(line.number, text).is_prose() && is_announced(text) => {
            texts.announce_variant(text.trim(), line.number, true);
            return Ok(FormResult::Passed);
        }
        LineKind::Cells(_) => return Ok(texts.map_before_grid(line)),
        LineKind::Blank | LineKind::Section(_) | LineKind::Border(_) => {}
    }
    Ok(FormResult::Other(line))
}

impl Texts<'_> {
    /// Keeps an announcement; after a grid that was refused, what was said before it holds no more.
    fn announce_variant(&mut self, text: &str, line: usize, announced: bool) {
        if announced {
            self.variant = Some(Announcement { text: format!("announced as `{}`", excerpt(text)), line, used: false });
        } else if self.variant.as_ref().is_some_and(|variant| variant.used) {
            self.variant = None;
        }
    }

    /// Refuses a grid in `line` that has other rules by what stands before or behind it.
    pub(super) fn refuse_variant(&mut self, line: usize, grid: &Grid) -> Result<(), ReadError> {
        let behind = if grid.is_complete() { None } else { self.behind(grid.shape().side()) };
        let Some(variant) = behind.or(self.variant.take()) else { return Ok(()) };
        let found = format!("a grid {} in line {}", variant.text, variant.line);
        self.variant = Some(Announcement { used: true, ..variant });
        Err(LineError::at(line, 1, found)
            .expected("a classic Sudoku: rows, columns and equal blocks")
            .remedy("remove it; puzzles with other rules (regions, diagonals, cages) are not read")
            .into())
    }

    /// What stands behind a grid and belongs to it: a map of regions, which is passed over, or a section of other rules.
    fn behind(&mut self, side: usize) -> Option<Announcement> {
        if let Some(line) = take_map(&mut self.lines, side) {
            return Some(Announcement { text: "with a map of regions".into(), line, used: false });
        }
        at_next_content(&mut self.lines, |next| {
            let text = match LineKind::of(next.text().unwrap_or_default()) {
                LineKind::Section(name) if is_announced(name) => format!("with the section `[{}]`", excerpt(name)),
                LineKind::Cells(text) if has_cell_names(text) => format!("with the line `{}`", excerpt(text.trim())),
                _ => return None,
            };
            Some(Announcement { text, line: next.number, used: false })
        })
    }

    /// A map of regions before a grid of its size announces that grid.
    fn map_before_grid(&mut self, line: Line) -> FormResult {
        let number = line.number;
        let Some(side) = side_of_map(&line) else { return FormResult::Other(line) };
        self.lines.unread(std::iter::once(line));
        let map = match square(&mut self.lines, side) {
            Ok(map) => map,
            Err(lines) => return self.give_back(lines),
        };
        let is_map = is_map(&map.labels, side);
        let before_grid = at_next_content(&mut self.lines, |next| has_empty_cells(next, side).then_some(())).is_some();
        if !is_map || !before_grid {
            return self.give_back(map.lines);
        }
        self.variant = Some(Announcement { text: "with a map of regions".into(), line: number, used: false });
        FormResult::Passed
    }

    /// Puts lines back, of which the first is still to be read by another form.
    fn give_back(&mut self, lines: Vec<Line>) -> FormResult {
        let mut lines = lines.into_iter();
        match lines.next() {
            Some(first) => {
                self.lines.unread(lines);
                FormResult::Other(first)
            }
            None => FormResult::Passed,
        }
    }
}

/// The answer about the next line that is neither blank nor a comment; all lines stay unread.
fn at_next_content<T>(lines: &mut Lines<'_>, ask: impl Fn(&Line) -> Option<T>) -> Option<T> {
    let mut passed = Vec::new();
    let mut answer = None;
    while let Some(line) = lines.peek_on() {
        let is_content = !matches!(LineKind::of(line.text().unwrap_or_default()), LineKind::Blank | LineKind::Comment);
        if is_content {
            answer = ask(&line);
        }
        passed.push(line);
        if is_content {
            break;
        }
    }
    lines.unread(passed.into_iter());
    answer
}

/// True for names of cells, as in the cages `r1c1 + r1c2 = 12`.
fn has_cell_names(text: &str) -> bool {
    let is_name = |word: &String| {
        let Some((row, column)) = word.strip_prefix('r').and_then(|rest| rest.split_once('c')) else { return false };
        [row, column].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    words(text).iter().any(is_name)
}

/// True if a line is a grid of this side, or a row of one, and has empty cells.
fn has_empty_cells(line: &Line, side: usize) -> bool {
    let LineKind::Cells(text) = LineKind::of(line.text().unwrap_or_default()) else { return false };
    let labels = Cells::of(line.number, text).labels();
    [side, side * side].contains(&labels.len()) && labels.iter().any(|label| is_empty_cell(label))
}

fn is_empty_cell(label: &str) -> bool {
    matches!(label, "." | "*" | "_" | "-" | "-1" | "0" | "x" | "X")
}

/// The side of the map of regions that may begin with this line: the first of its cells lies beside one of its region.
fn side_of_map(line: &Line) -> Option<usize> {
    let LineKind::Cells(text) = LineKind::of(line.text().ok()?) else { return None };
    let cells = Cells::of(line.number, text);
    let labels = cells.labels();
    let count = labels.len();
    let side = if count <= MAX_SIDE { count } else { count.isqrt() };
    let within = (4..=MAX_SIDE).contains(&side) && (count == side || count == side * side);
    let blank = || labels.iter().any(|label| matches!(*label, "." | "*" | "_" | "-"));
    let whole = count > side;
    (within && (!whole || may_be_map(&labels, side)) && !blank()).then_some(side)
}

/// `side * side` labels.
struct Square {
    lines: Vec<Line>,
    labels: Vec<String>,
}

/// Takes the next lines if they are a square of labels, in rows or in one line; else gives all lines taken.
fn square(lines: &mut Lines<'_>, side: usize) -> Result<Square, Vec<Line>> {
    let mut square = Square { lines: Vec::new(), labels: Vec::new() };
    while square.labels.len() < side * side {
        let Some(line) = lines.peek_on() else { return Err(square.lines) };
        let fits = match LineKind::of(line.text().unwrap_or_default()) {
            LineKind::Blank | LineKind::Comment | LineKind::Border(_) => true,
            LineKind::Section(_) | LineKind::Heading(_) => false,
            LineKind::Cells(text) => {
                let labels: Vec<String> =
                    Cells::of(line.number, text).labels().into_iter().map(str::to_string).collect();
                let whole = square.labels.is_empty() && labels.len() == side * side;
                let fits = whole || labels.len() == side;
                square.labels.extend(labels);
                fits
            }
        };
        square.lines.push(line);
        if !fits {
            return Err(square.lines);
        }
    }
    Ok(square)
}

/// Passes over the next lines if they are a map of regions, and says where it begins.
fn take_map(lines: &mut Lines<'_>, side: usize) -> Option<usize> {
    let taken = match square(lines, side) {
        Ok(square) if is_map(&square.labels, side) => return square.lines.first().map(|line| line.number),
        Ok(square) => square.lines,
        Err(lines) => lines,
    };
    lines.unread(taken.into_iter());
    None
}

/// True if every label stands beside an equal one, as in a map of regions.
pub(super) fn may_be_map<L: PartialEq>(labels: &[L], side: usize) -> bool {
    (0..labels.len()).all(|cell| neighbours(cell, side, labels.len()).any(|other| labels[other] == labels[cell]))
}

/// The cells beside a cell, of a square of `cells`.
fn neighbours(cell: usize, side: usize, cells: usize) -> impl Iterator<Item = usize> {
    let (first, last) = (cell.is_multiple_of(side), cell % side == side - 1);
    let left = (!first).then(|| cell - 1);
    let right = (!last).then_some(cell + 1);
    let below = Some(cell + side).filter(|below| *below < cells);
    [left, right, cell.checked_sub(side), below].into_iter().flatten()
}

/// True if every label stands in `side` connected cells; maps of whole rows or columns are grids of equal digits.
fn is_map(labels: &[String], side: usize) -> bool {
    let rows = labels.chunks(side).all(|row| row.iter().all(|label| *label == row[0]));
    let columns = labels.chunks(side).all(|row| row == &labels[..side]);
    if side < 4 || rows || columns || !may_be_map(labels, side) {
        return false;
    }
    let mut seen = vec![false; labels.len()];
    let mut regions = HashSet::new();
    (0..labels.len())
        .all(|cell| seen[cell] || region_size(labels, side, cell, &mut seen) == side && regions.insert(&labels[cell]))
}

/// The number of cells that are connected with a cell and have its label; each is marked as seen.
fn region_size(labels: &[String], side: usize, from: usize, seen: &mut [bool]) -> usize {
    let mut region = vec![from];
    seen[from] = true;
    let mut next = 0;
    while let Some(cell) = region.get(next).copied() {
        next += 1;
        for other in neighbours(cell, side, labels.len()) {
            if !seen[other] && labels[other] == labels[cell] {
                seen[other] = true;
                region.push(other);
            }
        }
    }
    region.len()
}
