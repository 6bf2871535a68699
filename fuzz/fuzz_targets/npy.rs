//! Any bytes as an array: no panic, and a population of just the values that stand in the array, each a digit of its shape;
//! grid by grid it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use swarmdoku::sudoku::text::{ReadOptions, read, read_npy};
use swarmdoku::{Population, Shape};

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let shape = Shape::all().nth(usize::from(*choice));
    match read_npy("fuzz", data, shape) {
        Ok(population) => {
            assert!(shape.is_none_or(|shape| shape == population.shape()));
            assert_shown(data, &population);
            assert_read_alike(data, shape, &population);
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
    }
});

/// Holds each digit against the value at its place in the array, by a reading of its own.
fn assert_shown(data: &[u8], population: &Population) {
    let length = match data[6] {
        1 => 10 + usize::from(u16::from_le_bytes([data[8], data[9]])),
        _ => 12 + u32::from_le_bytes([data[8], data[9], data[10], data[11]]) as usize,
    };
    let (header, body) = data.split_at(length);
    let header = String::from_utf8_lossy(header);
    let Some(kind) = kind(&header) else { return };
    let fortran_order = header.contains("True");
    if fortran_order && header.contains("False") {
        return;
    }
    let (cells, side, grids) = (population.shape().cells(), population.shape().side(), population.len());
    assert_eq!(body.len(), grids * cells * kind.size, "{header}");
    let is_square = dimensions(&header) == 3 || dimensions(&header) == 2 && !header.contains(&format!("{cells}"));
    for slot in 0..grids {
        for (cell, digit) in population.get(slot).cells().iter().enumerate() {
            let at = match (fortran_order, is_square) {
                (false, _) => slot * cells + cell,
                (true, true) => slot + grids * (cell / side + side * (cell % side)),
                (true, false) => slot + grids * cell,
            };
            let value = kind.value(&body[at * kind.size..][..kind.size]);
            assert!(value == i128::from(*digit) && value <= side as i128 || value == -1 && *digit == 0, "{header}");
        }
    }
}

/// An integer type.
struct CandidateKind {
    signed: bool,
    big_endian: bool,
    size: usize,
}

/// The only type that a header names.
fn kind(header: &str) -> Option<CandidateKind> {
    let mut found = header.match_indices('\'').filter_map(|(at, _)| match header.as_bytes().get(at..at + 5)? {
        [b'\'', order, sign @ (b'i' | b'u'), size @ (b'1' | b'2' | b'4' | b'8'), b'\''] => {
            Some(CandidateKind { signed: *sign == b'i', big_endian: *order == b'>', size: usize::from(size - b'0') })
        }
        _ => None,
    });
    let kind = found.next()?;
    found.next().is_none().then_some(kind)
}

impl CandidateKind {
    fn value(&self, bytes: &[u8]) -> i128 {
        let mut value = 0_i128;
        for at in 0..self.size {
            value = value * 256 + i128::from(bytes[if self.big_endian { at } else { self.size - 1 - at }]);
        }
        let bits = 8 * self.size as u32;
        if self.signed && value >= 1 << (bits - 1) { value - (1 << bits) } else { value }
    }
}

/// Dimensions in the shape's brackets.
fn dimensions(header: &str) -> usize {
    let from = header.rfind('(').map_or("", |at| &header[at + 1..]);
    let shape = &from[..from.find(')').unwrap_or(0)];
    shape.split(',').filter(|number| !number.trim().is_empty()).count()
}

fn assert_read_alike(data: &[u8], shape: Option<Shape>, population: &Population) {
    let mut slots = 0;
    for (slot, entry) in read("fuzz", data, ReadOptions { shape, alphabet: None }).enumerate() {
        assert_eq!(entry.expect("the array was read").grid, population.get(slot));
        slots += 1;
    }
    assert_eq!(slots, population.len());
}
