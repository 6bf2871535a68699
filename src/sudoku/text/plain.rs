//! The fast path: one grid in one line of digits and blanks, as populations and collections are mostly written.
//!
//! It reads what the general way reads, with the same result, or nothing.

use super::ReadOptions;
use super::alphabet::Alphabet;
use super::forms::{FormResult, Texts};
use super::lines::{Line, ReadError};
use super::variant::may_be_map;
use crate::sudoku::{Grid, Shape};

/// A grid in this line, where [`grid`] reads one.
pub(super) fn read(texts: &mut Texts<'_>, line: Line) -> Result<FormResult, ReadError> {
    let grid = grid(&line.bytes, texts.options);
    let Some(grid) = grid.filter(|grid| !may_be_map(grid.cells(), grid.shape().side())) else {
        return Ok(FormResult::Other(line));
    };
    let number = line.number;
    texts.lines.recycle(line);
    texts.entry(number, Ok(grid))
}

const NEITHER: u8 = u8::MAX;

/// The digit of a byte in [`Alphabet::FromOne`] up to 9, 0 for an empty cell.
const DIGITS: [u8; 256] = {
    let mut digits = [NEITHER; 256];
    let mut digit = 0;
    while digit <= 9 {
        digits[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    let mut blanks: &[u8] = b".*_xX-";
    while let [blank, rest @ ..] = blanks {
        digits[*blank as usize] = 0;
        blanks = rest;
    }
    digits
};

/// The grid, if the line is nothing but `n * n` digits and blanks for a side of at most 9 and leaves no choice.
pub(super) fn grid(line: &[u8], options: ReadOptions) -> Option<Grid> {
    if !matches!(options.alphabet, None | Some(Alphabet::FromOne)) {
        return None;
    }
    let signs = line.trim_ascii();
    let shape = shape_of(signs, options.shape)?;
    let cells: Box<[u8]> = signs.iter().map(|sign| DIGITS[usize::from(*sign)]).collect();
    let may_be_border = || signs.contains(&b'-') && signs.iter().all(|sign| matches!(sign, b'-' | b'*' | b'.'));
    Grid::new(shape, cells).ok().filter(|_| !may_be_border())
}

/// 16 cells may be a row of a 16x16 grid, so a 4x4 grid in a line must be asked for.
fn shape_of(signs: &[u8], wanted: Option<Shape>) -> Option<Shape> {
    match (signs.len(), wanted) {
        (cells, Some(shape)) => (shape.side() <= 9 && shape.cells() == cells).then_some(shape),
        (81, None) => Some(Shape::NINE),
        (36 | 64, None) => Shape::of_side(signs.len().isqrt()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::text::alphabet::is_blank;

    #[test]
    fn the_table_agrees_with_the_alphabet() {
        for byte in 0..=255_u8 {
            let sign = char::from(byte);
            let digit = Alphabet::FromOne.digit(sign, 9).filter(|digit| *digit > 0 || sign == '0' || is_blank(sign));
            let expected = if sign == ' ' { NEITHER } else { digit.unwrap_or(NEITHER) };
            assert_eq!(DIGITS[usize::from(byte)], expected, "{sign:?}");
        }
    }

    #[test]
    fn what_leaves_a_choice_is_left_to_the_general_way() {
        let options = ReadOptions::default();
        assert!(grid(&[b'1'; 81], options).is_some());
        assert!(grid(&[b'-'; 81], options).is_none());
        assert!(grid(format!("*{}*", "-".repeat(62)).as_bytes(), options).is_none());
        assert!(grid(&[b'1'; 16], options).is_none());
        assert!(grid(&[b'1'; 80], options).is_none());
        assert!(grid(&[b'7'; 36], options).is_none());
        assert!(grid(&[b'A'; 81], options).is_none());
        assert!(grid(&[b'1'; 81], ReadOptions { alphabet: Some(Alphabet::Letters), ..options }).is_none());
        assert!(grid(&[b'1'; 81], ReadOptions { shape: Shape::of_side(6).ok(), ..options }).is_none());
        assert!(grid(&[b'1'; 16], ReadOptions { shape: Shape::of_side(4).ok(), ..options }).is_some());
    }
}
