//! The digits that the signs of one grid stand for: all of its signs are asked before one is read, since only together
//! they tell whether `A` is 1 or 10 and whether a digit is a number by itself.

use super::alphabet::{Alphabet, is_blank};
use super::cells::{Kind, Sign, quoted};
use super::error::Fault;
use crate::sudoku::Shape;

/// The digits of a grid's signs. `separated` tells that each stood between separators, as numbers do.
pub(super) fn digits(
    signs: &[Sign],
    separated: bool,
    shape: Shape,
    wanted: Option<Alphabet>,
) -> Result<Vec<u8>, Fault> {
    let chars = signs.iter().filter_map(|sign| match sign.kind {
        Kind::Char(char) => Some(char),
        Kind::Number(_) => None,
    });
    let lettered = chars.clone().any(|char| Alphabet::FromOne.digit(char, 9).is_none());
    let numbers = signs.iter().any(|sign| matches!(sign.kind, Kind::Number(_)));
    let alphabet = match wanted {
        Some(alphabet) if !numbers => alphabet,
        _ if numbers || separated && !lettered => Alphabet::FromOne,
        _ => Alphabet::of_text(chars, shape.side()).map_err(|fitting| undecided(signs, shape, &fitting))?,
    };
    let decimal = |char: char| Alphabet::FromOne.digit(char, 9.min(shape.side()));
    signs
        .iter()
        .map(|sign| {
            match sign.kind {
                Kind::Char(char) if numbers => decimal(char),
                Kind::Char(char) => alphabet.digit(char, shape.side()),
                Kind::Number(-1) => Some(0),
                Kind::Number(number) => u8::try_from(number).ok().filter(|digit| usize::from(*digit) <= shape.side()),
            }
            .ok_or_else(|| misfit(sign, shape, numbers))
        })
        .collect()
}

/// A sign that is no digit of the grid.
fn misfit(sign: &Sign, shape: Shape, numbers: bool) -> Fault {
    let n = shape.side();
    let (found, remedy) = match sign.kind {
        Kind::Number(number) => (format!("the number {number}"), "correct it, or name another shape with --shape"),
        Kind::Char(char) if char.is_ascii_digit() => {
            (format!("the digit {char}"), "correct it, or name another shape with --shape")
        }
        Kind::Char(char) if char.is_ascii_alphabetic() && numbers => {
            (format!("the letter `{char}`"), "write every digit past 9 as a number, or every one as a letter")
        }
        Kind::Char(char) if char.is_ascii_alphabetic() => {
            (format!("the letter `{char}`"), "correct it, or say with --alphabet which letters are digits")
        }
        Kind::Char(char) => (quoted(char), "remove it, or put # before a comment"),
    };
    Fault::at(sign.line, sign.column, found)
        .expected(format!("a digit of a {shape} grid (1 to {n}) or an empty cell (one of `. 0 * _ x X -`)"))
        .remedy(remedy)
}

fn undecided(signs: &[Sign], shape: Shape, fitting: &[Alphabet]) -> Fault {
    let undecided =
        |sign: &&Sign| matches!(sign.kind, Kind::Char(char) if char.is_ascii_alphabetic() && !is_blank(char));
    let first = signs.iter().find(undecided).or(signs.first());
    let (line, column) = first.map_or((1, 1), |sign| (sign.line, sign.column));
    let names: Vec<String> = fitting.iter().map(Alphabet::to_string).collect();
    let options: Vec<String> = names.iter().map(|name| format!("--alphabet {name}")).collect();
    Fault::at(line, column, format!("letters that fit the alphabets {}", names.join(" and ")))
        .expected(format!("digits of a {shape} grid that fit one"))
        .remedy(format!("name it: {}", options.join(" or ")))
}
