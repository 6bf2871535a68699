//! Grids in tables: frames that are left out, frames that may be cells, and puzzles with other rules.

use std::fmt::Write;

use crate::{LINE, OPEN, lines, nine_rows, of_alphabet, of_shape, outcome};
use swarmdoku::sudoku::text::Alphabet;

/// The cells of [`LINE`], row by row.
fn cells() -> Vec<Vec<String>> {
    nine_rows().lines().map(|row| row.chars().map(|sign| sign.to_string()).collect()).collect()
}

/// The rows with this separator, each behind its label if there are labels.
fn table(separator: &str, index: Option<&[&str]>) -> String {
    cells().iter().enumerate().fold(String::new(), |mut text, (at, row)| {
        let label = index.map(|index| format!("{}{separator}", index[at])).unwrap_or_default();
        let _ = writeln!(text, "{label}{}", row.join(separator));
        text
    })
}

const FROM_ZERO: [&str; 9] = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
const FROM_ONE: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const LETTERS: [&str; 9] = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];
const NAMES: [&str; 9] = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9"];

#[test]
fn names_of_columns_are_left_out() {
    for header in [&LETTERS, &NAMES] {
        for separator in [",", ";", "\t", " ", " | "] {
            let text = format!("{}\n{}", header.join(separator), table(separator, None));
            assert_eq!(lines(&text, OPEN), [LINE], "{text}");
        }
    }
    let quoted = NAMES.map(|name| format!("\"{}\"", name.replace('r', "V"))).join(",");
    assert_eq!(lines(format!("{quoted}\n{}", table(",", None)), OPEN), [LINE]);
    assert_eq!(lines(format!("ABCDEFGHI\n{}", nine_rows()), OPEN), [LINE]);
    let twice = format!("{}\n{}\n{}\n{}", LETTERS.join(","), table(",", None), LETTERS.join(","), table(",", None));
    assert_eq!(lines(twice, OPEN), [LINE, LINE]);
}

#[test]
fn numbers_and_names_of_rows_are_left_out_with_or_without_a_header() {
    for index in [FROM_ZERO, FROM_ONE, LETTERS, NAMES] {
        for separator in [",", ";", "\t", " ", " | "] {
            let rows = table(separator, Some(&index));
            assert_eq!(lines(&rows, OPEN), [LINE], "{rows}");
            assert_eq!(lines(rows.repeat(2), OPEN).len(), 2, "{rows}");
        }
        for header in [FROM_ZERO, FROM_ONE, LETTERS, NAMES] {
            let rows = table(",", Some(&index));
            for corner in ["", ",", "idx,", "\"\","] {
                let text = format!("{corner}{}\n{rows}", header.join(","));
                assert_eq!(lines(&text, OPEN), [LINE], "{text}");
            }
        }
    }
    let aligned = format!("   {}\n{}", FROM_ZERO.join("  "), table("  ", Some(&FROM_ZERO)));
    assert_eq!(lines(aligned, OPEN), [LINE], "as pandas prints");
}

#[test]
fn headers_of_grids_in_a_line_are_left_out() {
    let row: Vec<String> = LINE.chars().map(|sign| sign.to_string().replace('.', "0")).collect();
    for header in [(0..81).map(|at| at.to_string()).collect::<Vec<_>>(), (1..82).map(|at| format!("c{at}")).collect()] {
        let text = format!("{}\n{}\n{}\n", header.join(","), row.join(","), row.join(","));
        assert_eq!(lines(text, OPEN), [LINE, LINE]);
    }
}

#[test]
fn a_first_row_that_may_be_a_frame_is_an_error_that_says_which_line_to_remove() {
    for header in [FROM_ZERO, FROM_ONE] {
        for separator in [",", " ", "\t", ""] {
            let text = format!("{}\n{}\n{LINE}\n", header.join(separator), table(separator, None));
            let error = "t:1:1: found 10 rows of 9, the first of which may be the numbers of the columns, expected 9 rows; remove line 1 if it is no row of the grid, or else the row too many";
            assert_eq!(outcome(&text, OPEN), (vec![error.to_string()], 1), "{text}");
            assert_eq!(outcome(&text, of_shape("9x9")), (vec![error.to_string()], 1), "{text}");
        }
    }
    let letters = format!("{}\n{}", "A B C D E F G H I", table(" ", None).replace('.', "0"));
    assert_eq!(outcome(letters, of_alphabet(Alphabet::Letters)).1, 0);
}

#[test]
fn a_first_row_that_counts_is_a_row_where_the_rows_are_not_one_too_many() {
    let rows = format!("1 2 3 4 5 6 7 8 9\n{}", &table(" ", None)[18..]);
    let expected = format!("123456789{}", &LINE[9..]);
    assert_eq!(lines(&rows, OPEN), std::slice::from_ref(&expected));
    assert_eq!(lines(rows.repeat(3), OPEN), [expected.clone(), expected.clone(), expected.clone()]);
    assert_eq!(lines(format!("{rows}\n{rows}"), OPEN), [expected.clone(), expected]);
    let first_column: String = FROM_ONE.iter().map(|digit| format!("{digit} . . . . . . . .\n")).collect();
    assert_eq!(lines(first_column, OPEN).len(), 1);
    let ten: String = (0..10).map(|row| format!("{row} . . . . . . . . .\n")).collect();
    assert_eq!(lines(ten, OPEN).len(), 1);
}

/// Regions that are no blocks.
const REGIONS: &str =
    "111122333\n111222333\n112222333\n444555666\n444555666\n444555666\n777888999\n777888999\n777888999\n";

#[test]
fn a_grid_with_a_map_of_regions_is_refused_with_its_map_and_no_other_is() {
    let blocks: String = ["111222333\n".repeat(3), "444555666\n".repeat(3), "777888999\n".repeat(3)].concat();
    for map in [
        REGIONS.to_string(),
        blocks.clone(),
        blocks.replace('9', "0"),
        to_letters(&blocks),
        blocks.replace('\n', "") + "\n",
    ] {
        for between in ["", "\n", "#JX\n", "# regions\n"] {
            for grid in [nine_rows(), format!("{LINE}\n")] {
                for text in [format!("{grid}{between}{map}"), format!("{map}{between}{grid}")] {
                    let (errors, grids) = outcome(format!("{text}\nGrid 02\n{LINE}"), OPEN);
                    assert_eq!((errors.len(), grids), (1, 1), "{errors:?}\n{text}");
                    let map = errors[0].contains("a grid with a map of regions in line");
                    assert!(map || errors[0].contains("a grid announced as `# regions`"), "{errors:?}\n{text}");
                }
            }
        }
    }
    let constant: String = (1..=9).map(|digit| digit.to_string().repeat(9) + "\n").collect();
    assert_eq!(outcome(format!("{}{constant}", nine_rows()), OPEN).1, 2, "candidates of equal rows are no map");
    assert_eq!(outcome(&blocks, OPEN), (vec![], 1), "a candidate alone is no map");
}

fn to_letters(map: &str) -> String {
    map.chars().map(|label| label.to_digit(10).map_or(label, |digit| char::from(b'a' + digit as u8 - 1))).collect()
}

#[test]
fn announced_variants_are_refused_and_the_classic_ones_behind_them_read() {
    for announcement in [
        "#DJigsaw",
        "# Killer Sudoku",
        "# type: diagonal",
        "Sudoku X",
        "Puzzle 3: killer",
        "Grid 01 (Windoku)",
        "Killer Sudoku 12",
        "X-Sudoku",
        "Hyper Sudoku, hard",
        "Samurai",
        "# Even-Odd Sudoku",
        "# Killer-Sudoku Nr. 7",
        "# Chaos-Sudoku",
        "# Anti-Knight",
        "# disjoint groups",
    ] {
        let text = format!("{announcement}\n{}\nGrid 02\n{LINE}\n", nine_rows());
        let (errors, grids) = outcome(&text, OPEN);
        assert_eq!((errors.len(), grids), (1, 1), "{announcement}: {errors:?}");
        assert!(errors[0].starts_with("t:2:1: found a grid announced as `"), "{errors:?}");
    }
    for classic in ["# symmetry: diagonal", "# from a killer of a book", "Grid 7 diagonal symmetry", "Puzzle X", "# x"]
    {
        assert_eq!(outcome(format!("{classic}\n{LINE}\n"), OPEN), (vec![], 1), "{classic}");
    }
}

#[test]
fn sections_cages_and_columns_of_other_rules_refuse_their_grid() {
    for section in ["[Cages]\n12=r1c1+r1c2\n", "[Jigsaw]\n111222333\n", "\n[Killer]\n1,2\n"] {
        let (errors, grids) = outcome(format!("[Puzzle]\n{}{section}", nine_rows()), OPEN);
        assert_eq!((errors.len(), grids), (1, 0), "{errors:?}");
        assert!(errors[0].starts_with("t:2:1: found a grid with the section `["), "{errors:?}");
    }
    let (errors, grids) = outcome(format!("{}12 = r1c1 + r1c2\n", nine_rows()), OPEN);
    assert!(grids == 0 && errors[0].contains("a grid with the line `12 = r1c1 + r1c2`"), "{errors:?}");
    for column in ["regions", "cages", "killer"] {
        let (errors, grids) = outcome(format!("puzzle,{column}\n{LINE},1\n"), OPEN);
        assert_eq!((errors.len(), grids), (1, 0), "{errors:?}");
        assert!(errors[0].contains("columns for other rules"), "{errors:?}");
    }
}
