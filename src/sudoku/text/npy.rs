//! Grids out of NumPy's `.npy` files: an array of integers, one candidate per row.
//!
//! Every integer type, both byte orders and both memory orders are read, and every value is checked. Populations are large
//! and made by programs, so [`read_npy`] takes them into tiles as they come: no grid is made of them, and memory grows with
//! the data that is there, not with what the header says.
//!
//! The header is read here rather than by the npyz crate (0.9.1): that one allocates the length that the header claims,
//! multiplies dimensions without a check, and its grammar backtracks, so that forty brackets keep it busy for hours. Tests
//! write with npyz and read with this.
//!
//! In errors the line is the candidate and the column the cell, both from 1; the header is at 1:1.
//!
//! Source: NEP 1 and `numpy.lib.format`, versions 1.0 to 3.0.

use std::io::{self, Read};

use super::ReadGrid;
use super::lines::{LineError, ReadError};
use crate::error::Error;
use crate::population::{LANES, Lanes, Population};
use crate::sudoku::{Grid, Shape};

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The remedy where header and data do not fit.
const SAVE: &str = "save it again with `numpy.save`";

/// The population in an `.npy` file: integers, `N x cells` or `N x n x n`, 0 for an empty cell (or -1 in a signed type);
/// `n x n` alone is one candidate. Without a shape it is the side's usual one, by the number of cells.
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
pub fn read_npy(file: &str, input: impl Read, shape: Option<Shape>) -> Result<Population, Error> {
    let read = || Array::open(input, shape)?.population();
    read().map_err(|error| error.in_file(file))
}

/// An array that is read candidate by candidate.
pub(super) struct Array<R> {
    input: R,
    layout: ArrayLayout,
    /// Candidates read so far.
    done: u64,
    /// Values of the candidates that are being read, one after the other, as they stand in the file.
    bytes: Vec<u8>,
    /// The whole data of an array in Fortran order, whose candidates stand nowhere together.
    columns: Vec<u8>,
}

impl<R: Read> Array<R> {
    /// Reads the header, and in Fortran order the data.
    pub(super) fn open(mut input: R, shape: Option<Shape>) -> Result<Array<R>, ReadError> {
        let layout = ArrayLayout::of(&Header::read(&mut input)?, shape)?;
        let mut array = Array { input, layout, done: 0, bytes: Vec::new(), columns: Vec::new() };
        if array.layout.fortran_order {
            array.read_columns()?;
        }
        Ok(array)
    }

    /// The next candidate, `None` behind the last one.
    pub(super) fn step(&mut self) -> Result<Option<ReadGrid>, ReadError> {
        if self.done == self.layout.len {
            self.finish()?;
            return Ok(None);
        }
        let shape = self.layout.shape;
        let mut cells = vec![0; shape.cells()];
        self.next(&mut cells)?;
        let grid = Grid::new(shape, cells).map_err(|_| LineError::at(1, 1, "a value that was not checked"))?;
        Ok(Some(ReadGrid { name: None, line: self.done as usize, grid }))
    }

    /// All candidates, tile by tile.
    fn population(mut self) -> Result<Population, ReadError> {
        let ArrayLayout { shape, len, .. } = self.layout;
        let cells = shape.cells();
        let mut lanes: Vec<Lanes> = Vec::new();
        let mut tile = vec![0; LANES * cells];
        while self.done < len {
            let digits = &mut tile[..(len - self.done).min(LANES as u64) as usize * cells];
            self.next(digits)?;
            make_room(&mut lanes, cells, len);
            transpose(digits, cells, &mut lanes);
        }
        self.finish()?;
        Ok(Population::from_lanes(shape, len as usize, lanes))
    }

    /// The digits of the next candidates, as many as there is room for. They are passed over even if one is bad.
    fn next(&mut self, digits: &mut [u8]) -> Result<(), ReadError> {
        let ArrayLayout { shape, number, .. } = self.layout;
        let first = self.done;
        if number.is_byte() && !self.layout.fortran_order {
            let read = fill(&mut self.input, digits)?;
            self.advance(digits.len(), read)?;
            return match first_past(digits, shape) {
                Some(at) => Err(self.layout.past_the_side(first, at, digits[at].into()).into()),
                None => Ok(()),
            };
        }
        self.bytes.resize(digits.len() * number.size, 0);
        if self.layout.fortran_order {
            self.gather();
            self.done += (digits.len() / shape.cells()) as u64;
        } else {
            let read = fill(&mut self.input, &mut self.bytes)?;
            self.advance(digits.len(), read / number.size)?;
        }
        for (at, (digit, bytes)) in digits.iter_mut().zip(self.bytes.chunks_exact(number.size)).enumerate() {
            let value = number.value(bytes);
            *digit = number.digit(value, shape).ok_or_else(|| self.layout.past_the_side(first, at, value))?;
        }
        Ok(())
    }

    /// Counts candidates whose values were read, all `wanted` of them.
    fn advance(&mut self, wanted: usize, read: usize) -> Result<(), ReadError> {
        if read < wanted {
            return Err(self.layout.truncated(self.done, read));
        }
        self.done += (wanted / self.layout.shape.cells()) as u64;
        Ok(())
    }

    /// Takes the values of the next candidates out of the columns.
    fn gather(&mut self) {
        let ArrayLayout { shape, number, .. } = self.layout;
        for (at, bytes) in self.bytes.chunks_exact_mut(number.size).enumerate() {
            let candidate = self.done + (at / shape.cells()) as u64;
            let from = self.layout.column_major(candidate, at % shape.cells()) as usize * number.size;
            bytes.copy_from_slice(&self.columns[from..][..number.size]);
        }
    }

    /// Reads the data of an array in Fortran order, as far as there is any.
    fn read_columns(&mut self) -> Result<(), ReadError> {
        let ArrayLayout { shape, len, number, .. } = self.layout;
        let size = len.saturating_mul((shape.cells() * number.size) as u64);
        let read = self.input.by_ref().take(size).read_to_end(&mut self.columns)?;
        if (read as u64) < size {
            let found = format!("the end of the data after {} values", read / number.size);
            return Err(ReadError::Input(
                LineError::at(1, 1, found)
                    .expected(format!("{len} candidates of {} cells, as the header says", shape.cells()))
                    .remedy(format!("the file is cut short: copy it again, or {SAVE}")),
            ));
        }
        Ok(())
    }

    /// Checks that nothing stands behind the last candidate.
    fn finish(&mut self) -> Result<(), ReadError> {
        let ArrayLayout { shape, len, .. } = self.layout;
        if fill(&mut self.input, &mut [0])? == 0 {
            return Ok(());
        }
        Err(ReadError::Input(
            LineError::at(len as usize, shape.cells(), "more data behind the last candidate")
                .expected(format!("the end after {len} candidates, as the header says"))
                .remedy(format!("the header and the data do not belong together: {SAVE}")),
        ))
    }
}

/// An integer type.
#[derive(Clone, Copy, Debug)]
struct Number {
    signed: bool,
    big_endian: bool,
    /// Bytes of a value: 1, 2, 4 or 8.
    size: usize,
}

impl Number {
    /// The type that a header describes, if it is one of integers: `'<i8'`.
    fn of(descr: &str) -> Option<Number> {
        let [b'\'', order @ (b'<' | b'>' | b'|' | b'='), kind @ (b'i' | b'u'), size, b'\''] = descr.as_bytes() else {
            return None;
        };
        let size = usize::from(size.checked_sub(b'0')?);
        let plain = size == 1 || *order != b'|';
        ([1, 2, 4, 8].contains(&size) && plain).then_some(Number {
            signed: *kind == b'i',
            big_endian: *order == b'>',
            size,
        })
    }

    fn is_byte(self) -> bool {
        self.size == 1 && !self.signed
    }

    /// The value of its bytes.
    fn value(self, bytes: &[u8]) -> i128 {
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let value = if self.big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) };
        let unused = 64 - 8 * self.size as u32;
        if self.signed { i128::from((value << unused) as i64 >> unused) } else { i128::from(value) }
    }

    /// The digit that a value is: 1 to the side, or 0 for an empty cell, which a signed type may say as -1.
    fn digit(self, value: i128, shape: Shape) -> Option<u8> {
        match value {
            -1 => Some(0),
            _ => u8::try_from(value).ok().filter(|digit| usize::from(*digit) <= shape.side()),
        }
    }
}

/// Where an array has which candidate.
#[derive(Clone, Copy, Debug)]
struct ArrayLayout {
    shape: Shape,
    /// Candidates that there are said to be.
    len: u64,
    number: Number,
    fortran_order: bool,
    /// Dimensions: 2 for one grid alone (`n x n`) or `N x cells`, 3 for `N x n x n`.
    dimensions: usize,
    /// True if rows and columns of a grid are dimensions.
    square: bool,
}

impl ArrayLayout {
    /// The layout that a header describes.
    fn of(header: &Header, wanted: Option<Shape>) -> Result<ArrayLayout, LineError> {
        let number = Number::of(&header.descr).ok_or_else(|| wrong_type(&header.descr))?;
        let (shape, len, square) = match header.shape[..] {
            [rows, columns] if rows == columns && grid_of_side(rows, wanted).is_some() => one_grid(rows, wanted)?,
            [len, cells] => (grid_of_cells(cells, wanted), len, false),
            [len, rows, columns] if rows == columns => (grid_of_side(rows, wanted), len, true),
            _ => return Err(wrong_dimensions(&header.shape)),
        };
        let shape = shape.ok_or_else(|| wrong_width(&header.shape, wanted))?;
        if len == 0 {
            return Err(LineError::at(1, 1, "an array of no candidates").expected("at least one").remedy("save some"));
        }
        let (fortran_order, dimensions) = (header.fortran_order, header.shape.len());
        Ok(ArrayLayout { shape, len, number, fortran_order, dimensions, square })
    }

    /// The place of a cell's value in Fortran order, in values.
    fn column_major(&self, candidate: u64, cell: usize) -> u64 {
        let ArrayLayout { shape, len, square, .. } = *self;
        let cell = if square { shape.row(cell) + shape.column(cell) * shape.side() } else { cell };
        candidate + len * cell as u64
    }

    fn past_the_side(&self, first: u64, at: usize, value: i128) -> LineError {
        let ArrayLayout { shape, dimensions, square, .. } = *self;
        let (candidate, cell, n) = (first as usize + at / shape.cells(), at % shape.cells(), shape.side());
        let (row, column) = (shape.row(cell), shape.column(cell));
        let index = match (dimensions, square) {
            (2, true) => format!("{row}, {column}"),
            (_, true) => format!("{candidate}, {row}, {column}"),
            _ => format!("{candidate}, {cell}"),
        };
        let found = format!("{value} at array[{index}] (row {}, column {} of its grid)", row + 1, column + 1);
        LineError::at(candidate + 1, cell + 1, found)
            .expected(format!("a digit of a {shape} grid, 1 to {n}, or 0 for an empty cell"))
            .remedy("correct it, or name another shape with --shape")
    }

    fn truncated(&self, done: u64, read: usize) -> ReadError {
        let cells = self.shape.cells();
        let (candidate, cell) = (done as usize + read / cells, read % cells);
        let found = format!("the end of the data after {candidate} candidates and {cell} cells");
        ReadError::Input(
            LineError::at(candidate + 1, cell + 1, found)
                .expected(format!("{} candidates of {cells} cells, as the header says", self.len))
                .remedy(format!("the file is cut short: copy it again, or {SAVE}")),
        )
    }
}

/// `n x n` is one grid, unless it could be `n` grids of `n` cells.
fn one_grid(side: u64, wanted: Option<Shape>) -> Result<(Option<Shape>, u64, bool), LineError> {
    let (one, many) = (grid_of_side(side, wanted), grid_of_cells(side, wanted));
    match (one, many) {
        (Some(one), Some(many)) => Err(LineError::at(1, 1, format!("an array of shape ({side}, {side})"))
            .expected(format!("either one {one} grid or {side} {many} grids"))
            .remedy(format!("name it: --shape {one} or --shape {many}"))),
        _ => Ok((one, 1, true)),
    }
}

/// The shapes that a grid may have.
fn shapes(wanted: Option<Shape>) -> impl Iterator<Item = Shape> {
    Shape::all().filter(move |shape| wanted.map_or(shape.is_default(), |wanted| wanted == *shape))
}

fn grid_of_side(side: u64, wanted: Option<Shape>) -> Option<Shape> {
    shapes(wanted).find(|shape| shape.side() as u64 == side)
}

fn grid_of_cells(cells: u64, wanted: Option<Shape>) -> Option<Shape> {
    shapes(wanted).find(|shape| shape.cells() as u64 == cells)
}

fn wrong_type(descr: &str) -> LineError {
    let error = LineError::at(1, 1, format!("an array of dtype {}", super::cells::excerpt(descr)));
    let (expected, remedy) = match descr.as_bytes() {
        [b'\'', _, b'f' | b'c', ..] => {
            ("integers, not fractions", "save the digits in an integer type, such as numpy.int64")
        }
        [b'\'', ..] => ("integers", "save the digits in an integer type, such as numpy.int64, empty cells as 0"),
        _ => ("integers, not a structure", "save the field that holds the digits, as `array['digits']`"),
    };
    error.expected(expected).remedy(remedy)
}

fn wrong_dimensions(shape: &[u64]) -> LineError {
    let remedy = match shape {
        [_] => "for one candidate save `array.reshape(1, -1)`",
        _ => "save `array.reshape(len(array), -1)`",
    };
    LineError::at(1, 1, format!("an array of shape {}", tuple(shape)))
        .expected("N x cells, or N x n x n")
        .remedy(remedy)
}

fn wrong_width(shape: &[u64], wanted: Option<Shape>) -> LineError {
    let cells = shape[1..].iter().fold(1, |cells: u64, width| cells.saturating_mul(*width));
    let found = format!("an array of shape {}, {cells} cells a candidate", tuple(shape));
    let error = LineError::at(1, 1, found);
    match wanted {
        Some(wanted) => error
            .expected(format!("{} cells, those of a {wanted} grid (--shape)", wanted.cells()))
            .remedy("name another shape, or save one candidate a row"),
        None => error
            .expected("as many as a grid has, such as 81 for 9x9")
            .remedy("save one candidate a row; name the shape with --shape if its side has no usual blocks"),
    }
}

/// A shape as Python writes it.
fn tuple(shape: &[u64]) -> String {
    let numbers: Vec<String> = shape.iter().take(6).map(u64::to_string).collect();
    format!("({}{})", numbers.join(", "), if shape.len() == 1 { "," } else { "" })
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

/// The longest dictionary that is read. NumPy writes 118 bytes or a little more.
const LONGEST: usize = 16 * 1024;

/// What the dictionary says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Header {
    /// The element type as it is written: `'|u1'`, or a list for a structure.
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads up to the first byte of data.
    fn read(input: &mut impl Read) -> Result<Header, ReadError> {
        let mut start = [0; 8];
        let read = fill(input, &mut start)?;
        if read < 8 || !start.starts_with(MAGIC) {
            let found = if read == 0 { "nothing: the input is empty" } else { "something that is no NumPy array" };
            return Err(
                header_error(found, "an .npy file", "save it with `numpy.save`; text needs another name").into()
            );
        }
        let length = match start[6] {
            1 => length::<2>(input)?,
            2 | 3 => length::<4>(input)?,
            version => {
                let found = format!("an .npy file of version {version}");
                return Err(header_error(&found, "version 1 to 3", "save it with `numpy.save`").into());
            }
        };
        if length > LONGEST {
            let found = format!("a header of {length} bytes");
            return Err(header_error(&found, "one of a plain array", "save it with `numpy.save`").into());
        }
        let mut text = vec![0; length];
        let read = fill(input, &mut text)?;
        match std::str::from_utf8(&text).ok().filter(|_| read == length).and_then(parse) {
            Some(header) => Ok(header),
            None => {
                Err(header_error("a header that cannot be read", "that of an array", "save it again with `numpy.save`")
                    .into())
            }
        }
    }
}

fn header_error(found: &str, expected: &str, remedy: &str) -> LineError {
    LineError::at(1, 1, found).expected(expected).remedy(remedy)
}

/// A little-endian length; a file that ends within it has none.
fn length<const BYTES: usize>(input: &mut impl Read) -> Result<usize, ReadError> {
    let mut bytes = [0; BYTES];
    fill(input, &mut bytes)?;
    Ok(bytes.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte)))
}

/// `{'descr': '|u1', 'fortran_order': False, 'shape': (3, 81), }`, in any order.
fn parse(text: &str) -> Option<Header> {
    let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    while !rest.is_empty() {
        let (key, behind) = rest.strip_prefix('\'')?.split_once('\'')?;
        let (value, behind) = value(behind.trim_start().strip_prefix(':')?.trim_start())?;
        match key {
            "descr" => descr = Some(value.to_string()),
            "fortran_order" => fortran_order = Some(boolean(value)?),
            "shape" => shape = Some(dimensions(value)?),
            _ => return None,
        }
        rest = behind;
    }
    Some(Header { descr: descr?, fortran_order: fortran_order?, shape: shape? })
}

/// Splits a value, up to a comma outside of all brackets and quotes, from what follows.
fn value(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, char) in text.char_indices() {
        match char {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => return Some((text[..at].trim_end(), text[at + 1..].trim_start())),
            _ => {}
        }
    }
    (depth == 0 && !quoted).then_some((text.trim_end(), ""))
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "True" => Some(true),
        "False" => Some(false),
        _ => None,
    }
}

/// `(3, 81)`, `(81,)`, `()`; Python 2 wrote `81L`.
fn dimensions(text: &str) -> Option<Vec<u64>> {
    let numbers = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    let numbers = numbers.strip_suffix(',').unwrap_or(numbers);
    if numbers.is_empty() {
        return Some(Vec::new());
    }
    numbers.split(',').map(|number| number.trim().trim_end_matches('L').parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_are_read_in_any_order_and_structures_kept_as_they_are() {
        let header = |descr: &str, fortran_order, shape: &[u64]| {
            Some(Header { descr: descr.to_string(), fortran_order, shape: shape.to_vec() })
        };
        for (text, expected) in [
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 81), }   \n", header("'|u1'", false, &[3, 81])),
            ("{'shape': (3L, 9L, 9L), 'fortran_order': True, 'descr': '<i8'}", header("'<i8'", true, &[3, 9, 9])),
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (81,), }", header("'|u1'", false, &[81])),
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", header("'|u1'", false, &[])),
            (
                "{'descr': [('a,}', '|u1'), ('b', '<f4', (2,))], 'fortran_order': False, 'shape': (1,), }",
                header("[('a,}', '|u1'), ('b', '<f4', (2,))]", false, &[1]),
            ),
            ("{'descr': '|u1', 'fortran_order': False}", None),
            ("{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}", None),
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}", None),
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,)}", None),
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)", None),
            ("{'descr': '|u1, 'fortran_order': False, 'shape': (1,)}", None),
            ("[]", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
