//! The header of an `.npy` file: a magic number, a length, and a Python dictionary of three entries.
//!
//! It is read here rather than by the npyz crate: that one takes its memory from the length in the header, multiplies
//! dimensions without a check, and its grammar backtracks, so that forty brackets keep it busy for hours. Tests
//! write with npyz and read with this.
//!
//! Source: NEP 1 and `numpy.lib.format`, versions 1.0 to 3.0.

use std::io::Read;

use super::fill;
use crate::sudoku::text::error::{Fault, Trouble};

/// The longest dictionary that is read. NumPy writes 118 bytes or a little more.
const LONGEST: usize = 16 * 1024;

/// What the dictionary says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// The element type as it is written: `'|u1'`, or a list for a structure.
    pub(super) descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
}

impl Header {
    /// Reads up to the first byte of data.
    pub(super) fn read(input: &mut impl Read) -> Result<Header, Trouble> {
        let mut start = [0; 8];
        let read = fill(input, &mut start)?;
        if read < 8 || !start.starts_with(b"\x93NUMPY") {
            let found = if read == 0 { "nothing: the input is empty" } else { "something that is no NumPy array" };
            return Err(fault(found, "an .npy file", "save it with `numpy.save`; text needs another name").into());
        }
        let length = match start[6] {
            1 => length::<2>(input)?,
            2 | 3 => length::<4>(input)?,
            version => {
                let found = format!("an .npy file of version {version}");
                return Err(fault(&found, "version 1 to 3", "save it with `numpy.save`").into());
            }
        };
        if length > LONGEST {
            let found = format!("a header of {length} bytes");
            return Err(fault(&found, "one of a plain array of bytes", "save it with `numpy.save`").into());
        }
        let mut text = vec![0; length];
        let read = fill(input, &mut text)?;
        match std::str::from_utf8(&text).ok().filter(|_| read == length).and_then(parse) {
            Some(header) => Ok(header),
            None => {
                Err(fault("a header that cannot be read", "that of an array", "save it again with `numpy.save`").into())
            }
        }
    }
}

fn fault(found: &str, expected: &str, remedy: &str) -> Fault {
    Fault::at(1, 1, found).expected(expected).remedy(remedy)
}

/// A little-endian length; a file that ends within it has none.
fn length<const BYTES: usize>(input: &mut impl Read) -> Result<usize, Trouble> {
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
