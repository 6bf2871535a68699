//! Candidates out of NumPy's `.npy` files: an array of bytes, one candidate a row.
//!
//! Populations are large and made by programs, so they come as bytes and go into tiles as they are read: no grid is
//! made of them, and memory grows with the data that is there, not with what the header says.
//!
//! In errors the line is the candidate and the column the cell, both from 1; the header is at 1:1.

mod header;

use std::io::{self, Read};

use super::error::{Fault, Trouble};
use crate::error::Error;
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::{MAX_SIDE, Shape};
use header::Header;

/// What NumPy is told to make an array readable here.
const SAVE: &str = "save it with `numpy.save(file, array.astype(numpy.uint8))`";

/// The population in an `.npy` file: unsigned bytes in C order, `N x cells` or `N x n x n`, 0 for an empty cell.
/// Without a shape it is the side's usual one, by the number of cells.
///
/// # Errors
/// [`Error::Parse`] for anything else, with what NumPy must be told; [`Error::Read`] if the system cannot read on.
///
/// ```
/// use swarmdoku::sudoku::text::read_npy;
///
/// let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 16), }";
/// let mut file = b"\x93NUMPY\x01\x00".to_vec();
/// file.extend((header.len() as u16).to_le_bytes());
/// file.extend(header.as_bytes());
/// file.extend([1; 16]);
/// file.extend([0; 16]);
/// let population = read_npy("example.npy", &file[..], None)?;
/// assert_eq!((population.len(), population.get(0).to_string().as_str()), (2, "1111111111111111"));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
pub fn read_npy(file: &str, mut input: impl Read, shape: Option<Shape>) -> Result<Population, Error> {
    let mut read = || {
        let header = Header::read(&mut input)?;
        let (shape, len) = layout(&header, shape)?;
        candidates(&mut input, shape, len)
    };
    read().map_err(|trouble| trouble.in_file(file))
}

/// The shape of the candidates and how many there are said to be.
fn layout(header: &Header, wanted: Option<Shape>) -> Result<(Shape, u64), Fault> {
    if !matches!(header.descr.as_str(), "'|u1'" | "'<u1'" | "'>u1'") {
        return Err(wrong_type(&header.descr));
    }
    if header.fortran_order {
        return Err(Fault::at(1, 1, "an array in Fortran order (column by column)")
            .expected("one in C order, each candidate's cells together")
            .remedy("save `numpy.ascontiguousarray(array)`"));
    }
    let (len, cells) = match header.shape[..] {
        [len, cells] => (len, cells),
        [len, rows, columns] if rows == columns => (len, rows.saturating_mul(columns)),
        _ => return Err(wrong_dimensions(&header.shape)),
    };
    let sides = (2..=MAX_SIDE).filter_map(|side| Shape::of_side(side).ok());
    let Some(shape) = wanted.into_iter().chain(sides).find(|shape| shape.cells() as u64 == cells) else {
        return Err(wrong_width(&header.shape, cells, wanted));
    };
    match wanted {
        Some(wanted) if wanted != shape => Err(wrong_width(&header.shape, cells, Some(wanted))),
        _ if len == 0 => Err(Fault::at(1, 1, "an array of no candidates").expected("at least one").remedy("save some")),
        _ => Ok((shape, len)),
    }
}

fn wrong_type(descr: &str) -> Fault {
    let fault = Fault::at(1, 1, format!("an array of dtype {}", super::cells::excerpt(descr)));
    let (expected, remedy) = match descr.as_bytes() {
        [b'\'', _, b'f' | b'c', ..] => {
            ("unsigned bytes, dtype '|u1', not fractions", "round and save `array.round().astype(numpy.uint8)`")
        }
        [b'\'', _, b'i' | b'u' | b'b', ..] => {
            ("unsigned bytes, dtype '|u1'", "save `array.astype(numpy.uint8)`, empty cells as 0")
        }
        [b'\'', ..] => {
            ("unsigned bytes, dtype '|u1'", "make it an array of digits of dtype numpy.uint8, empty cells as 0")
        }
        _ => (
            "unsigned bytes, dtype '|u1', not a structure",
            "save the field that holds the digits, as `array['digits']`",
        ),
    };
    fault.expected(expected).remedy(remedy)
}

fn wrong_dimensions(shape: &[u64]) -> Fault {
    let remedy = match shape {
        [_] => "for one candidate save `array.reshape(1, -1)`",
        _ => "save `array.reshape(len(array), -1)`",
    };
    Fault::at(1, 1, format!("an array of shape {}", tuple(shape))).expected("N x cells, or N x n x n").remedy(remedy)
}

fn wrong_width(shape: &[u64], cells: u64, wanted: Option<Shape>) -> Fault {
    let found = format!("an array of shape {}, {cells} cells a candidate", tuple(shape));
    let fault = Fault::at(1, 1, found);
    match wanted {
        Some(wanted) => fault
            .expected(format!("{} cells, those of a {wanted} grid (--shape)", wanted.cells()))
            .remedy("name another shape, or save one candidate a row"),
        None => fault
            .expected("as many as a grid has, such as 81 for 9x9")
            .remedy("save one candidate a row; name the shape with --shape if its side has no usual blocks"),
    }
}

/// A shape as Python writes it.
fn tuple(shape: &[u64]) -> String {
    let numbers: Vec<String> = shape.iter().take(6).map(u64::to_string).collect();
    format!("({}{})", numbers.join(", "), if shape.len() == 1 { "," } else { "" })
}

/// Reads the data, tile by tile.
fn candidates(input: &mut impl Read, shape: Shape, len: u64) -> Result<Population, Trouble> {
    let cells = shape.cells();
    let mut lanes: Vec<Lanes> = Vec::new();
    let mut tile = vec![0; LANES * cells];
    let mut done = 0;
    while done < len {
        let count = (len - done).min(LANES as u64) as usize;
        let data = &mut tile[..count * cells];
        let read = fill(input, data)?;
        if read < data.len() {
            return Err(truncated(shape, len, done, read).into());
        }
        if let Some(at) = first_past(data, shape) {
            return Err(past_the_side(shape, done, at, data[at]).into());
        }
        make_room(&mut lanes, cells, len);
        transpose(data, cells, &mut lanes);
        done += count as u64;
    }
    if fill(input, &mut [0])? > 0 {
        return Err(Trouble::Input(
            Fault::at(done as usize, cells, "more data behind the last candidate")
                .expected(format!("the end after {len} candidates, as the header says"))
                .remedy(format!("the header and the data do not belong together: {SAVE}")),
        ));
    }
    Ok(Population::from_lanes(shape, done as usize, lanes))
}

/// Reads until the buffer is full or the input ends.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Where the first byte is that is no digit of the shape.
fn first_past(data: &[u8], shape: Shape) -> Option<usize> {
    let n = shape.side() as u8;
    let largest = data.iter().fold(0, |largest: u8, digit| largest.max(*digit));
    if largest <= n { None } else { data.iter().position(|digit| *digit > n) }
}

/// Makes room for a tile, and for up to three times what is there already but no more than `len` candidates need: a
/// vector of aligned elements is copied as it grows, so it should grow seldom and end with nothing to spare.
fn make_room(lanes: &mut Vec<Lanes>, cells: usize, len: u64) {
    if lanes.capacity() - lanes.len() < cells {
        let all = usize::try_from(len.div_ceil(LANES as u64)).unwrap_or(usize::MAX).saturating_mul(cells);
        lanes.reserve_exact((3 * lanes.len()).clamp(cells, all - lanes.len()));
    }
}

/// Candidates one after the other become a tile, cell by cell.
fn transpose(data: &[u8], cells: usize, lanes: &mut Vec<Lanes>) {
    let start = lanes.len();
    lanes.resize(start + cells, Lanes([0; LANES]));
    for (lane, candidate) in data.chunks_exact(cells).enumerate() {
        for (lanes, digit) in lanes[start..].iter_mut().zip(candidate) {
            lanes.0[lane % LANES] = *digit;
        }
    }
}

fn truncated(shape: Shape, len: u64, done: u64, read: usize) -> Fault {
    let (candidate, cell) = (done as usize + read / shape.cells(), read % shape.cells());
    Fault::at(candidate + 1, cell + 1, format!("the end of the data after {candidate} candidates and {cell} cells"))
        .expected(format!("{len} candidates of {} cells, as the header says", shape.cells()))
        .remedy(format!("the file is cut short: copy or save it again ({SAVE})"))
}

fn past_the_side(shape: Shape, done: u64, at: usize, value: u8) -> Fault {
    let (row, cell, n) = (done as usize + at / shape.cells(), at % shape.cells(), shape.side());
    Fault::at(
        row + 1,
        cell + 1,
        format!(
            "{value} at array[{row}, {cell}] (row {}, column {} of its grid)",
            shape.row(cell) + 1,
            shape.column(cell) + 1
        ),
    )
    .expected(format!("a digit of a {shape} grid, 1 to {n}, or 0 for an empty cell"))
    .remedy("correct it, or name another shape with --shape")
}
