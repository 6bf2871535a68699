//! Any bytes, under any options: no panic, an end, at least one grid or error; no grid that its text does not show; and
//! every grid that is read is written in every form and read back as the same grid.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use swarmdoku::sudoku::render;
use swarmdoku::sudoku::text::{Alphabet, ReadGrid, ReadOptions, read};
use swarmdoku::{Grid, Shape};

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else { return };
    let options = options(*choice);
    let entries: Vec<_> = read("fuzz", text, options).collect();
    assert!(!entries.is_empty(), "neither a grid nor an error");
    let mut checked = HashSet::new();
    for entry in &entries {
        match entry {
            Ok(entry) if checked.insert(&entry.grid) => assert_reads_back(&entry.grid),
            Ok(_) => {}
            Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
        }
    }
    if !text.starts_with(b"\x93NUMPY") {
        assert_shown(text, options, &entries.into_iter().flatten().collect::<Vec<_>>());
    }
});

/// Even choices leave the shape open; the others go through the shapes and alphabets.
fn options(choice: u8) -> ReadOptions {
    let alphabet = [None, Some(Alphabet::FromOne), Some(Alphabet::FromZero), Some(Alphabet::Letters)];
    let shape = (choice % 2 == 1).then(|| Shape::all().nth(usize::from(choice / 2) % 86)).flatten();
    ReadOptions { shape, alphabet: alphabet[usize::from(choice / 2) % 4] }
}

fn assert_reads_back(grid: &Grid) {
    let options = ReadOptions { shape: Some(grid.shape()), alphabet: Some(Alphabet::FromOne) };
    let pretty = render::pretty(grid, None, false);
    let mut csv = Vec::new();
    render::csv(&mut csv, [(Some("a, \"name\""), grid)]).expect("memory takes it");
    let csv = String::from_utf8(csv).expect("a CSV is text");
    for text in [&render::line(grid), &render::rows(grid), &render::sdk(grid), &pretty, &csv] {
        let mut entries = read("back", text.as_bytes(), options);
        let back = entries.next().expect("one").expect("what was written can be read");
        assert_eq!((&back.grid, entries.next().is_none()), (grid, true), "{text}");
    }
    // The drawing alone tells the blocks, or is refused.
    let drawn = read("back", pretty.as_bytes(), ReadOptions { shape: None, ..options }).next();
    if let Some(Ok(back)) = drawn {
        assert_eq!(back.grid, *grid, "{pretty}");
    }
}

/// Holds each grid against the lines from its first to the next grid's, by a reading of its own.
fn assert_shown(text: &[u8], options: ReadOptions, entries: &[ReadGrid]) {
    let text = String::from_utf8_lossy(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let lines: Vec<&str> = text.split('\n').map(without_comment).collect();
    let in_columns = lines.iter().find(|line| !line.trim().is_empty()).is_some_and(|line| {
        let line = line.to_lowercase();
        ["puzzle", "quizzes", "sudoku"].iter().any(|name| line.contains(name))
    });
    for (at, ReadGrid { line, grid, .. }) in entries.iter().enumerate() {
        let next = entries.get(at + 1).map_or(lines.len() + 1, |entry| entry.line);
        assert!(*line < next, "grids in lines {line} and {next}");
        assert!(options.shape.is_none_or(|shape| shape == grid.shape()));
        let shown = if in_columns {
            is_shown(&lines[line - 1..*line], grid, follows) || is_shown(&lines[line - 1..next - 1], grid, is_all)
        } else {
            is_shown(&lines[line - 1..next - 1], grid, is_all)
        };
        assert!(shown, "{grid:?} is not in lines {line} to {}", next - 1);
    }
}

fn without_comment(line: &str) -> &str {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.starts_with(';') || line.trim().starts_with('#') {
        return "";
    }
    let comment = line.match_indices('#').find(|(at, _)| line[..*at].ends_with([' ', '\t']));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The ways in which a sign can stand for a digit.
const WAYS: [Option<Alphabet>; 4] = [Some(Alphabet::FromOne), Some(Alphabet::FromZero), Some(Alphabet::Letters), None];

/// True if the lines show the grid in some way: as they are, without the label that begins each, or without the two
/// numbers that stand before an instance.
fn is_shown(lines: &[&str], grid: &Grid, shows: fn(&[Vec<u8>], &Grid) -> bool) -> bool {
    WAYS.iter().any(|way| {
        let signs = |lines: Vec<&str>| lines.into_iter().map(|line| signs(line, *way, grid)).collect::<Vec<_>>();
        let rows = lines.iter().copied().filter(|line| !line.trim().is_empty());
        shows(&signs(lines.to_vec()), grid)
            || shows(&signs(lines.iter().map(|line| without_label(line)).collect()), grid)
            || shows(&signs(rows.skip(2).collect()), grid)
    })
}

fn without_label(line: &str) -> &str {
    let is_separator = |char: char| {
        char.is_whitespace() || matches!(char, ',' | ';' | '|' | '‖') || ('\u{2500}'..='\u{257F}').contains(&char)
    };
    let line = line.trim_start_matches(is_separator);
    line.find(is_separator).map_or("", |end| &line[end..])
}

/// The digits and empty cells that a line may show: characters of an alphabet, or numbers.
fn signs(line: &str, way: Option<Alphabet>, grid: &Grid) -> Vec<u8> {
    let side = grid.shape().side();
    let digit_of = |sign: char| -> Option<usize> {
        let letter = sign.is_ascii_alphabetic().then(|| sign.to_ascii_lowercase() as usize - 'a' as usize);
        let number = sign.to_digit(10).map(|number| number as usize);
        match way? {
            Alphabet::FromOne => number.or_else(|| Some(letter? + 10)),
            Alphabet::FromZero => number.map(|number| number + 1).or_else(|| Some(letter? + 11)),
            Alphabet::Letters => number.filter(|number| *number == 0).or_else(|| Some(letter? + 1)),
        }
    };
    let line = if way.is_none() { line.replace("-1", ".") } else { line.to_string() };
    let mut signs = Vec::new();
    let mut number: Option<usize> = None;
    for sign in line.chars().chain(['\n']) {
        if way.is_none()
            && let Some(digit) = sign.to_digit(10)
        {
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            continue;
        }
        if let Some(number) = number.take() {
            signs.push(u8::try_from(number).unwrap_or(u8::MAX));
        }
        match digit_of(sign) {
            Some(digit) if digit <= side => signs.push(digit as u8),
            _ if matches!(sign, ' ' | '.' | '*' | '_' | 'x' | 'X' | '-') => signs.push(0),
            _ if sign.is_ascii_alphanumeric() => signs.push(u8::MAX),
            _ => {}
        }
    }
    signs
}

/// True if the cells follow each other in the lines, whatever stands between them.
fn follows(lines: &[Vec<u8>], grid: &Grid) -> bool {
    let mut signs = lines.iter().flatten();
    grid.cells().iter().all(|cell| signs.any(|sign| sign == cell))
}

/// True if the cells follow each other, and no other digit stands between them or in the line of the last one.
fn is_all(lines: &[Vec<u8>], grid: &Grid) -> bool {
    let is_digit = |digit: &u8| *digit > 0;
    let digits: Vec<u8> = grid.cells().iter().copied().filter(is_digit).collect();
    let mut shown: Vec<u8> = Vec::new();
    for line in lines {
        if shown.len() >= digits.len() {
            break;
        }
        shown.extend(line.iter().copied().filter(is_digit));
    }
    shown == digits && follows(lines, grid)
}
