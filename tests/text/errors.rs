//! Each way in which a text can be wrong: the whole message, its place in it, and that the rest is read.

#[cfg(unix)]
use std::fs::File;
use std::io::{BufReader, Read};

use swarmdoku::sudoku::text::{read, read_one};

use crate::{LINE, OPEN, nine_rows, of_shape, outcome};

const CELL: &str = "expected a digit of a 9x9 grid (1 to 9) or an empty cell (one of `. 0 * _ x X -`)";
const LINE_OR_ROW: &str = "expected a grid or a row: 81 cells for a 9x9 grid in one line or 9 for its row, for example";

/// The one error of a text, after which a good grid is still read.
#[track_caller]
fn assert_only_error(text: &str, error: &str) {
    assert_eq!(outcome(text, OPEN), (vec![error.to_string()], 0), "alone");
    let (errors, grids) = outcome(format!("{text}\n\n{LINE}\n{}", nine_rows()), OPEN);
    assert_eq!((errors, grids), (vec![error.to_string()], 2), "before good grids");
}

#[test]
fn a_line_with_a_cell_too_few_or_too_many() {
    let few = format!("t:1:81: found 80 cells, {LINE_OR_ROW}; add the 1 missing to make 81");
    assert_only_error(&LINE[..80], &few);
    let many = format!("t:1:82: found 82 cells, {LINE_OR_ROW}; remove 1 to make 81");
    assert_only_error(&format!("{LINE}1"), &many);
    let named =
        "t:1:37: found 81 cells, expected 36 cells for a 6x6 grid in one line or 6 for its row; remove 45 to make 36";
    assert_eq!(outcome(LINE, of_shape("6x6")).0, [named]);
}

#[test]
fn a_letter_or_another_sign_in_a_9x9() {
    let text = format!("{}A{}", &LINE[..4], &LINE[5..]);
    let error =
        format!("t:1:5: found the letter `A`, {CELL}; correct it, or say with --alphabet which letters are digits");
    assert_only_error(&text, &error);
    let error = format!("t:2:2: found `/`, {CELL}; remove it, or put # before a comment");
    assert_only_error(&nine_rows().replacen("6..195", "6/.195", 1), &error);
    let error = format!("t:1:1: found the character \\u{{1b}}, {CELL}; remove it, or put # before a comment");
    assert_only_error(&LINE.replacen('5', "\x1b", 1), &error);
}

#[test]
fn a_digit_past_the_side() {
    let six = "expected a digit of a 6x6 grid (1 to 6) or an empty cell (one of `. 0 * _ x X -`)";
    let error = format!("t:3:2: found the digit 7, {six}; correct it, or name another shape with --shape");
    assert_only_error(&format!("123456\n......\n.7....\n{}", "......\n".repeat(3)), &error);
    let twelve = "expected a digit of a 12x12 grid (1 to 12) or an empty cell (one of `. 0 * _ x X -`)";
    let error = format!("t:1:32: found the number 13, {twelve}; correct it, or name another shape with --shape");
    assert_only_error(
        &format!("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 12\n{}", "0,0,0,0,0,0,0,0,0,0,0,0\n".repeat(11)),
        &error,
    );
    let four = "expected a digit of a 4x4 grid (1 to 4) or an empty cell (one of `. 0 * _ x X -`)";
    let error = format!("t:1:1: found the number 10, {four}; correct it, or name another shape with --shape");
    assert_only_error(&"10 11 12 13\n".repeat(4), &error);
    let error = format!(
        "t:1:4: found the letter `A`, {twelve}; write every digit past 9 as a number, or every one as a letter"
    );
    assert_only_error(&format!("11 A 3 4 5 6 7 8 9 10 12 1\n{}", "0 0 0 0 0 0 0 0 0 0 0 0\n".repeat(11)), &error);
}

#[test]
fn nothing_at_all_is_one_error() {
    let remedy = "expected at least one grid; write one in a line, `.` for an empty cell";
    for empty in ["", "\u{FEFF}"] {
        let found = if empty.is_empty() { "nothing: the input is empty" } else { "no grid in 1 line" };
        assert_eq!(outcome(empty, OPEN), (vec![format!("t:1:1: found {found}, {remedy}")], 0));
    }
    for (text, lines) in [("\n\n# only this\n", "3 lines"), ("puzzle,name\n", "1 line"), ("-----------", "1 line")] {
        let line = lines[..1].to_string();
        assert_eq!(outcome(text, OPEN), (vec![format!("t:{line}:1: found no grid in {lines}, {remedy}")], 0));
    }
}

/// Elsewhere a directory cannot be opened, and so never be read.
#[cfg(unix)]
#[test]
fn a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::open(folder.path()).unwrap();
    let messages: Vec<String> =
        read("d", BufReader::new(file), OPEN).map(|entry| entry.unwrap_err().to_string()).collect();
    assert_eq!(
        messages,
        ["d:1:1: found a directory, expected a file with grids in it; name one of the files in the directory"]
    );
}

#[test]
fn what_is_no_text_ends_the_reading() {
    let good = format!("{LINE}\n").into_bytes();
    for (bytes, error) in [
        (&b"12\x00"[..], "3: found binary data (a NUL byte), expected text; name a text file"),
        (
            b"caf\xE9",
            "4: found binary data (bytes that are not UTF-8), expected text; if this is text, save it as UTF-8",
        ),
        (b"\xFF\xFE1\x002\x00", "1: found UTF-16 text, expected text; save it as UTF-8"),
        (b"\x93NUMPY\x01\x00", "1: found a NumPy array behind text, expected text; put it into a file of its own"),
        (b"\x1F\x8B\x08\x00", "1: found a compressed file, expected text; unpack it first"),
    ] {
        let text = [&good, bytes, b"\n", &good].concat();
        assert_eq!(outcome(text, OPEN), (vec![format!("t:2:{error}")], 1));
    }
}

#[test]
fn an_overlong_line_costs_itself_alone() {
    let error = "t:1:65537: found a line of more than 65536 bytes, expected a grid, which has at most 625 cells; put each grid into a line of its own";
    for sign in [" ", ".", "é"] {
        assert_only_error(&sign.repeat(70_000), error);
    }
}

#[test]
fn a_hundred_megabytes_of_spaces_are_one_error() {
    let spaces = BufReader::new(std::io::repeat(b' ').take(100 << 20));
    let messages: Vec<String> = read("t", spaces, OPEN).map(|entry| entry.unwrap_err().to_string()).collect();
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("t:1:65537: found a line of more than 65536 bytes"), "{}", messages[0]);
}

#[test]
fn rows_of_unequal_length() {
    let rows = nine_rows().replacen("8...6...3", "8...6...", 1);
    assert_only_error(&rows, "t:4:9: found 8 cells, expected 9 as in the row of line 1; add the 1 missing to make 9");
    let back_to_back = format!("{rows}{}", nine_rows());
    assert_eq!(outcome(back_to_back, OPEN).1, 1, "the grid behind the bad one stands without a blank line between");
    let first_is_short = nine_rows().replacen("53..7....", "53..7...", 1);
    assert_only_error(&first_is_short, "t:2:9: found 9 cells, expected 8 as in the row of line 1; remove 1 to make 8");
}

#[test]
fn rows_of_numbers_beside_rows_of_characters() {
    let text = |row: &str| format!("3 -1 2 4\n{row}\n-1 3 4 -1\n3 -1 -1 -1\n");
    let mixed = "found a row of characters, expected a row of numbers, as in line 1; write all rows in one way, with a \
                 separator between two cells";
    assert_eq!(outcome(text("-1 -1"), of_shape("4x4")), (vec![format!("t:2:1: {mixed}")], 0));
    let short = "t:2:5: found 2 cells, expected 4 as in the row of line 1; add the 2 missing to make 4";
    assert_eq!(outcome(text("-1 3"), of_shape("4x4")), (vec![short.into()], 0));
    assert_eq!(outcome(text("-1 -1 3 -1"), of_shape("4x4")), (Vec::new(), 1));
}

#[test]
fn too_few_rows() {
    let remedy = "expected 9 rows, or 81 cells in one line; add the missing rows, without blank lines inside a band";
    let rows = &nine_rows()[..80];
    assert_only_error(rows, &format!("t:8:1: found the end of a grid after 8 rows of 9 cells, {remedy}"));
    assert_only_error("53..7....", &format!("t:1:1: found the end of a grid after 1 row of 9 cells, {remedy}"));
    let mixed = format!("{}{LINE}\n", &rows[..50]);
    let error = format!("t:5:1: found the end of a grid after 5 rows of 9 cells, {remedy}");
    assert_eq!(outcome(mixed, OPEN), (vec![error], 1), "a grid in a line ends rows");
    let torn = format!("{}\n{}\n{}\n{}", &rows[..30], &rows[30..50], &rows[50..60], &rows[60..]);
    let error = format!("t:6:1: found the end of a grid after 5 rows of 9 cells, {remedy}");
    assert_eq!(outcome(torn, OPEN).0[0], error, "a blank line within a band ends rows");
    let truncated = format!("{}\n{}", &rows[..30], nine_rows());
    assert_eq!(outcome(truncated, OPEN).1, 0, "no grid is made of one band here and two there");
}

#[test]
fn text_that_is_no_grid() {
    let remedy = "put # before a comment; a heading is a line like `Grid 01`";
    let error = format!("t:1:1: found the text `The following are some v...`, {LINE_OR_ROW}; {remedy}");
    assert_only_error("The following are some very hard ones.", &error);
    let error = format!("t:1:1: found the text `puzzles/easy51.txt`, {LINE_OR_ROW}; {remedy}");
    assert_only_error("puzzles/easy51.txt", &error);
    let remedy = "put # before a comment; for a CSV name the column `puzzle` in its first line";
    let error = format!("t:1:83: found `easy` behind a grid, expected the end of the line; {remedy}");
    assert_only_error(&format!("{LINE} easy"), &error);
    let error = "t:1:3: found `=`, expected a digit or an empty cell (one of `. 0 * _ x X -`); remove it, or put # before a comment";
    assert_only_error("5.=..", error);
}

#[test]
fn cells_that_cannot_be_counted() {
    let error = "t:1:5: found nothing between two separators, expected a digit, or 0 for an empty cell; write 0 where a cell is empty";
    assert_only_error("5,3,,,7,,,,", error);
    let error = format!(
        "t:1:12: found 9 cells in uneven groups, {LINE_OR_ROW}; write the cells without separators, or one cell between two"
    );
    assert_only_error("53..7  ....", &error);
}

#[test]
fn headings_and_sections_without_a_grid() {
    let text = format!("Grid 01\nGrid 02\n{LINE}\nGrid 03\n");
    let remedy = "expected its grid; add the grid, or remove the heading";
    let errors = [
        format!("t:1:1: found the heading `Grid 01` and then `Grid 02`, {remedy}"),
        format!("t:4:1: found the heading `Grid 03` and then the end, {remedy}"),
    ];
    assert_eq!(outcome(text, OPEN), (errors.to_vec(), 1));
    let text = format!("[Puzzle]\n{}[PencilMarks]\n12,3,45\n\n[State]\n{LINE}\n", nine_rows());
    let error = "t:11:1: found the section `[PencilMarks]`, expected [Puzzle] or [State]; remove it; its lines were passed over";
    assert_eq!(outcome(text, OPEN), (vec![error.to_string()], 2));
}

#[test]
fn instances_with_a_wrong_header() {
    let expected = "expected an instance: its order (2 to 5) in a line, one number in the next, then its rows; write the grid in one line, or as rows alone";
    assert_eq!(
        outcome(format!("7\n1\n{LINE}"), OPEN),
        (vec![format!("t:1:1: found the number 7 alone in a line, {expected}")], 1)
    );
    assert_eq!(
        outcome(format!("3\n{LINE}"), OPEN),
        (vec![format!("t:1:1: found the order 3 without the lines that follow it, {expected}")], 1)
    );
    let error =
        "t:1:1: found the order 3, that of 9x9 grids, expected a 4x4 grid; name the instance's shape: --shape 9x9";
    assert_eq!(
        outcome(format!("3\n1\n{}{}", nine_rows(), "1".repeat(16)), of_shape("4x4")),
        (vec![error.to_string()], 1)
    );
}

#[test]
fn records_that_hold_no_puzzle() {
    let text = format!("id,puzzle\n1,{}\n2\n3,\n4,\"{LINE}\n5,{LINE}\n6,{}A\n7,123456789\n", &LINE[..80], &LINE[..80]);
    let errors = [
        "t:2:83: found 80 cells, expected a grid in one line: 81 cells for a 9x9 grid, for example; add the 1 missing to make 81".to_string(),
        "t:3:2: found a record of 1 field, expected the puzzle in field 2; add the puzzle, or remove the line"
            .to_string(),
        "t:4:3: found an empty field, expected a puzzle; add it, or remove the line".to_string(),
        "t:5:85: found the end of a line within quotes, expected a quote that closes; put each record into one line"
            .to_string(),
        format!("t:7:83: found the letter `A`, {CELL}; correct it, or say with --alphabet which letters are digits"),
        "t:8:12: found 9 cells, expected a grid in one line: 81 cells for a 9x9 grid, for example; add the 7 missing to make 16".to_string(),
    ];
    assert_eq!(outcome(text, OPEN), (errors.to_vec(), 1));
    let error = "t:1:8: found the columns `puzzle` and `Sudoku`, expected one column of puzzles; rename the one that is not to be read";
    assert_eq!(outcome(format!("puzzle,Sudoku\n{LINE},{LINE}\n"), OPEN), (vec![error.to_string()], 0));
}

#[test]
fn texts_that_can_be_read_in_two_ways() {
    let sixteen = "t:1:1: found 16 lines of 16 cells, most of them 4x4 grids, expected either 4x4 grids or one 16x16 grid; name it: --shape 4x4 or --shape 16x16";
    assert_only_error(&"123434122143432.\n".repeat(16), sixteen);
    let letters = "t:1:3: found letters that fit the alphabets 1-9A-G and A-Y, expected digits of a 16x16 grid that fit one; name it: --alphabet 1-9A-G or --alphabet A-Y";
    assert_only_error(&format!("..A{}", ".".repeat(253)), letters);
    let complete = "t:1:11: found letters that fit the alphabets 1-9A-G and 0-f, expected digits of a 16x16 grid that fit one; name it: --alphabet 1-9A-G or --alphabet 0-f";
    assert_only_error(&"0123456789abcdef".repeat(16), complete);
    let dashes = "t:1:1: found 81 dashes, a border or an empty 9x9 grid, expected no doubt which; for the grid write its empty cells as `.` or name --shape 9x9; else put # before it";
    assert_only_error(&"-".repeat(81), dashes);
    let border = "t:3:1: found a border that could be a row of empty cells, expected a row of 4 cells or a border, and no doubt which; write empty cells as `.`, or the border with `+`, as `---+---`";
    assert_only_error(
        "|12.|4|\n|34.|2|\n|---|-|\n|...|.|\n|...|.|\n"
            .replace("|12.|4|", "|12|.4|")
            .replace("|34.|2|", "|34|.2|")
            .replace("|---|-|", "----|")
            .replace("|...|.|", "|..|..|")
            .as_str(),
        border,
    );
}

#[test]
fn an_argument_that_is_no_single_puzzle() {
    let message = |text: &str| read_one(text, OPEN).unwrap_err().to_string();
    assert_eq!(
        message(&format!("{LINE}\n{LINE}")),
        "PUZZLE:2:1: found a second grid, expected one; give one puzzle, or put them into a file"
    );
    assert_eq!(
        message(&format!("{LINE}\n1.")),
        format!("PUZZLE:2:3: found 2 cells, {LINE_OR_ROW}; add the 2 missing to make 4")
    );
    assert!(message("").starts_with("PUZZLE:1:1: found nothing"));
}

#[test]
fn an_error_of_the_system_ends_the_reading() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let text = format!("{LINE}\n1234");
    let mut reader = read("t", BufReader::new(text.as_bytes().chain(Broken)), OPEN);
    assert!(reader.next().unwrap().is_ok());
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "t: the disk is gone");
    assert!(reader.next().is_none());
}
