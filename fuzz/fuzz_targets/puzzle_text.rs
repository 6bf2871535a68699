//! Any bytes, under any options: no panic, an end, at least one grid or error, and every grid that is read is written
//! in every form and read back as the same grid.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use swarmdoku::sudoku::render;
use swarmdoku::sudoku::text::{Alphabet, ReadOptions, read};
use swarmdoku::{Grid, Shape};

fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else { return };
    let entries: Vec<_> = read("fuzz", text, options(*choice)).collect();
    assert!(!entries.is_empty(), "neither a grid nor an error");
    let mut checked = HashSet::new();
    for entry in &entries {
        match entry {
            Ok(entry) if checked.insert(&entry.grid) => assert_reads_back(&entry.grid),
            Ok(_) => {}
            Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
        }
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
    let mut csv = Vec::new();
    render::csv(&mut csv, [(Some("a, \"name\""), grid)]).expect("memory takes it");
    let csv = String::from_utf8(csv).expect("a CSV is text");
    for text in [render::line(grid), render::rows(grid), render::sdk(grid), render::pretty(grid, None, false), csv] {
        let mut entries = read("back", text.as_bytes(), options);
        let back = entries.next().expect("one").expect("what was written can be read");
        assert_eq!((&back.grid, entries.next().is_none()), (grid, true), "{text}");
    }
}
