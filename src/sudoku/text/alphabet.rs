//! How a single character stands for a digit or an empty cell, and which of several ways a text follows.

use std::fmt;
use std::str::FromStr;

use super::cells::{CellKind, Sign, quoted};
use super::lines::LineError;
use crate::error::Error;
use crate::sudoku::Shape;

/// The signs that stand for an empty cell in every alphabet that does not use them as digits; `0` does too, except in
/// [`Alphabet::FromZero`].
const BLANKS: [char; 6] = ['.', '*', '_', 'x', 'X', '-'];

/// Which characters are the digits `1..=n`. Letters count in either case.
///
/// ```
/// use swarmdoku::sudoku::text::Alphabet;
///
/// assert_eq!("A-P".parse::<Alphabet>()?, Alphabet::Letters);
/// assert_eq!(Alphabet::FromZero.to_string(), "0-f");
/// # Ok::<(), swarmdoku::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Alphabet {
    /// `1-9A-G`: the digits 1 to 9, then letters from `A` for 10. What this program writes.
    FromOne,
    /// `0-f`: `0` is the digit 1, `9` the digit 10, then letters from `a` for 11.
    FromZero,
    /// `A-P`, `a-y` or `A-Y`: letters from `A` for 1.
    Letters,
}

impl Alphabet {
    /// Every alphabet.
    pub const ALL: [Alphabet; 3] = [Alphabet::FromOne, Alphabet::FromZero, Alphabet::Letters];

    /// The digit that a character stands for in a grid of this side, 0 for an empty cell; `None` if for neither.
    pub(super) fn digit(self, sign: char, side: usize) -> Option<u8> {
        let letter = || sign.is_ascii_alphabetic().then(|| sign.to_ascii_uppercase() as usize - 'A' as usize);
        let number = sign.to_digit(10).map(|number| number as usize);
        let digit = match self {
            Alphabet::FromOne => number.or_else(|| Some(letter()? + 10)),
            Alphabet::FromZero => number.map(|number| number + 1).or_else(|| Some(letter()? + 11)),
            Alphabet::Letters => number.filter(|number| *number == 0).or_else(|| Some(letter()? + 1)),
        };
        match digit {
            Some(digit) if digit <= side => Some(digit as u8),
            _ => is_blank(sign).then_some(0),
        }
    }

    /// The alphabet that these signs of one grid follow, where the text alone tells.
    ///
    /// # Errors
    /// The alphabets between which only the writer can choose.
    pub(super) fn of_text(signs: impl Iterator<Item = char> + Clone, side: usize) -> Result<Alphabet, Vec<Alphabet>> {
        use Alphabet::{FromOne, FromZero, Letters};
        if side <= 9 {
            return Ok(FromOne);
        }
        let fits = |alphabet: Alphabet| signs.clone().all(|sign| alphabet.digit(sign, side).is_some());
        let zeros = signs.clone().filter(|sign| *sign == '0').count();
        let blank = signs.clone().any(is_blank);
        let lettered = signs.clone().any(|sign| FromOne.digit(sign, side).is_none_or(|digit| digit > 9));
        // A text of zeros and no other blank may be a complete grid from 0; with another blank, 0 must be a digit.
        let from_zero = zeros > 0 && fits(FromZero) && (blank || zeros == side);
        match (fits(FromOne), from_zero, fits(Letters)) {
            (_, true, true) => Err(Alphabet::ALL.to_vec()),
            (true, true, false) if !blank => Err(vec![FromOne, FromZero]),
            (_, true, false) => Ok(FromZero),
            (true, false, true) if lettered => Err(vec![FromOne, Letters]),
            (true, false, _) => Ok(FromOne),
            (false, false, true) => Ok(Letters),
            // None fits: the reader blames the first sign that the likelier of the two does not have.
            _ if signs.clone().any(|sign| sign.is_ascii_digit() && sign != '0') => Ok(FromOne),
            _ => Ok(Letters),
        }
    }
}

/// True for the signs of an empty cell, `0` aside.
pub(super) fn is_blank(sign: char) -> bool {
    sign == ' ' || BLANKS.contains(&sign)
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Alphabet::FromOne => "1-9A-G",
            Alphabet::FromZero => "0-f",
            Alphabet::Letters => "A-Y",
        })
    }
}

impl FromStr for Alphabet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Alphabet, Error> {
        match text.to_ascii_lowercase().as_str() {
            "1-9a-g" | "1-9a-p" => Ok(Alphabet::FromOne),
            "0-f" => Ok(Alphabet::FromZero),
            "a-p" | "a-y" => Ok(Alphabet::Letters),
            _ => Err(Error::Parameter {
                name: "alphabet",
                found: format!("`{text}`"),
                expected: "1-9A-G, 0-f, A-P, a-y or A-Y",
            }),
        }
    }
}

/// The digits of a grid's signs. `separated` tells that each stood between separators, as numbers do.
pub(super) fn digits(
    signs: &[Sign],
    separated: bool,
    shape: Shape,
    wanted: Option<Alphabet>,
) -> Result<Vec<u8>, LineError> {
    let chars = signs.iter().filter_map(|sign| match sign.kind {
        CellKind::Char(char) => Some(char),
        CellKind::Number(_) => None,
    });
    let lettered = chars.clone().any(|char| Alphabet::FromOne.digit(char, 9).is_none());
    let numbers = signs.iter().any(|sign| matches!(sign.kind, CellKind::Number(_)));
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
                CellKind::Char(char) if numbers => decimal(char),
                CellKind::Char(char) => alphabet.digit(char, shape.side()),
                CellKind::Number(-1) => Some(0),
                CellKind::Number(number) => {
                    u8::try_from(number).ok().filter(|digit| usize::from(*digit) <= shape.side())
                }
            }
            .ok_or_else(|| misfit(sign, shape, numbers))
        })
        .collect()
}

/// A sign that is no digit of the grid.
fn misfit(sign: &Sign, shape: Shape, numbers: bool) -> LineError {
    let n = shape.side();
    let (found, remedy) = match sign.kind {
        CellKind::Number(number) => (format!("the number {number}"), "correct it, or name another shape with --shape"),
        CellKind::Char(char) if char.is_ascii_digit() => {
            (format!("the digit {char}"), "correct it, or name another shape with --shape")
        }
        CellKind::Char(char) if char.is_ascii_alphabetic() && numbers => {
            (format!("the letter `{char}`"), "write every digit past 9 as a number, or every one as a letter")
        }
        CellKind::Char(char) if char.is_ascii_alphabetic() => {
            (format!("the letter `{char}`"), "correct it, or say with --alphabet which letters are digits")
        }
        CellKind::Char(char) => (quoted(char), "remove it, or put # before a comment"),
    };
    LineError::at(sign.line, sign.column, found)
        .expected(format!("a digit of a {shape} grid (1 to {n}) or an empty cell (one of `. 0 * _ x X -`)"))
        .remedy(remedy)
}

fn undecided(signs: &[Sign], shape: Shape, fitting: &[Alphabet]) -> LineError {
    let undecided =
        |sign: &&Sign| matches!(sign.kind, CellKind::Char(char) if char.is_ascii_alphabetic() && !is_blank(char));
    let first = signs.iter().find(undecided).or(signs.first());
    let (line, column) = first.map_or((1, 1), |sign| (sign.line, sign.column));
    let names: Vec<String> = fitting.iter().map(Alphabet::to_string).collect();
    let options: Vec<String> = names.iter().map(|name| format!("--alphabet {name}")).collect();
    LineError::at(line, column, format!("letters that fit the alphabets {}", names.join(" and ")))
        .expected(format!("digits of a {shape} grid that fit one"))
        .remedy(format!("name it: {}", options.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Alphabet, Vec<Alphabet>> {
        Alphabet::of_text(text.chars(), 16)
    }

    #[test]
    fn each_alphabet_counts_its_digits_from_its_first() {
        for (alphabet, signs) in [
            (Alphabet::FromOne, "123456789ABCDEFGHIJKLMNOP"),
            (Alphabet::FromOne, "123456789abcdefghijklmnop"),
            (Alphabet::FromZero, "0123456789abcdefghijklmno"),
            (Alphabet::Letters, "abcdefghijklmnopqrstuvwxy"),
            (Alphabet::Letters, "ABCDEFGHIJKLMNOPQRSTUVWXY"),
        ] {
            let digits: Vec<u8> = signs.chars().filter_map(|sign| alphabet.digit(sign, 25)).collect();
            assert_eq!(digits, (1..=25).collect::<Vec<u8>>(), "{alphabet}");
            let past = signs.chars().nth(16).unwrap();
            assert_eq!(alphabet.digit(past, 16), None, "{past} in {alphabet}");
        }
    }

    #[test]
    fn blanks_are_empty_cells_unless_they_are_digits() {
        for alphabet in Alphabet::ALL {
            for blank in [' ', '.', '*', '_', 'x', 'X', '-'] {
                assert_eq!(alphabet.digit(blank, 9), Some(0), "`{blank}` in {alphabet}");
            }
        }
        assert_eq!(Alphabet::FromOne.digit('0', 9), Some(0));
        assert_eq!(Alphabet::FromZero.digit('0', 9), Some(1));
        assert_eq!(Alphabet::Letters.digit('X', 23), Some(0));
        assert_eq!(Alphabet::Letters.digit('X', 24), Some(24));
    }

    #[test]
    fn a_text_follows_the_one_alphabet_that_it_fits() {
        assert_eq!(of("1G.9"), Ok(Alphabet::FromOne));
        assert_eq!(of("1A09"), Ok(Alphabet::FromOne));
        assert_eq!(of("ABP."), Ok(Alphabet::Letters));
        assert_eq!(of("0f.9"), Ok(Alphabet::FromZero));
        assert_eq!(of("...."), Ok(Alphabet::FromOne));
        assert_eq!(of("0123"), Ok(Alphabet::FromOne));
    }

    #[test]
    fn a_text_that_fits_several_alphabets_with_different_digits_is_left_to_its_writer() {
        assert_eq!(of("A..G"), Err(vec![Alphabet::FromOne, Alphabet::Letters]));
        assert_eq!(of("0..f"), Err(Alphabet::ALL.to_vec()));
        let complete = "0123456789abcdef".repeat(16);
        assert_eq!(of(&complete), Err(vec![Alphabet::FromOne, Alphabet::FromZero]));
    }

    #[test]
    fn an_alphabet_reads_back_what_it_prints_and_an_unknown_one_names_them_all() {
        for alphabet in Alphabet::ALL {
            assert_eq!(alphabet.to_string().parse::<Alphabet>().unwrap(), alphabet);
        }
        let message = "A-Z".parse::<Alphabet>().unwrap_err().to_string();
        assert_eq!(message, "alphabet is `A-Z`, but must be 1-9A-G, 0-f, A-P, a-y or A-Y");
    }
}
