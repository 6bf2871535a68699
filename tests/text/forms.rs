//! Each form of text that is read, as people write it.

use swarmdoku::sudoku::text::{Alphabet, ReadOptions, read_one};

use crate::{LINE, OPEN, entries, lines, nine_rows, of_alphabet, of_shape, shape};

/// A 16x16 grid of which every row starts one further, with 3 and beyond in the given signs.
fn shifted(signs: &str) -> String {
    (0..16).map(|row| format!("{}{}\n", &signs[row..], &signs[..row])).collect()
}

/// [`shifted`] as it is printed, the cells with `empty` left out.
fn shifted_digits(empty: Option<usize>) -> String {
    let sign = |digit| if Some(digit) == empty { '.' } else { char::from(b"123456789ABCDEFG"[digit]) };
    (0..256).map(|cell| sign((cell / 16 + cell % 16) % 16)).collect()
}

#[test]
fn a_grid_in_a_line_and_n_lines_of_n_are_read_one_after_the_other() {
    let text = format!("{LINE}\n{}{}\n{LINE}", nine_rows(), nine_rows());
    let entries = entries(&text, OPEN);
    assert!(entries.iter().all(|entry| entry.grid.to_string() == LINE && entry.name.is_none()));
    assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [1, 2, 11, 21]);
}

#[test]
fn every_sign_of_an_empty_cell_is_one() {
    for blank in ['.', '0', '*', '_', 'x', 'X', '-'] {
        assert_eq!(lines(LINE.replace('.', &blank.to_string()), OPEN), [LINE], "`{blank}` in a line");
        assert_eq!(lines(nine_rows().replace('.', &blank.to_string()), OPEN), [LINE], "`{blank}` in rows");
    }
}

#[test]
fn a_space_is_an_empty_cell_where_the_line_then_has_the_cells_of_a_grid_or_a_row() {
    assert_eq!(lines(LINE.replace('.', " "), OPEN), [LINE]);
    assert_eq!(lines(nine_rows().replace('.', " "), OPEN), [LINE]);
    let with_an_empty_row = "123456789\n         \n".to_string() + &"1 3 5 7 9\n".repeat(7);
    assert_eq!(lines(with_an_empty_row, OPEN), ["123456789.........".to_string() + &"1.3.5.7.9".repeat(7)]);
}

#[test]
fn a_space_that_can_separate_does() {
    assert_eq!(lines("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n", OPEN), ["1234341221434321"]);
    assert_eq!(lines("12 34\n34 12\n21 43\n.. ..\n", OPEN), ["123434122143...."]);
}

#[test]
fn a_line_of_dashes_is_a_border_unless_it_has_the_length_of_a_row() {
    let dashes = format!("---------\n{}", &nine_rows()[10..]);
    assert_eq!(lines(&dashes, OPEN), [".........".to_string() + &LINE[9..]]);
    assert_eq!(lines(&dashes, of_shape("9x9")), [".........".to_string() + &LINE[9..]]);
    assert_eq!(lines(format!("{LINE}\n---------\n-----------\n{LINE}"), OPEN), [LINE, LINE]);
    assert_eq!(lines("-".repeat(81), of_shape("9x9")), [".".repeat(81)]);
    assert_eq!(lines("-".repeat(64) + "\n" + LINE, of_shape("9x9")), [LINE]);
}

#[test]
fn a_complete_grid_is_read() {
    let complete = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    assert_eq!(lines(complete, OPEN), [complete]);
}

#[test]
fn simple_sudoku_files_are_read() {
    let text = "\
 *-----------*
 |53.|.7.|...|
 |6..|195|...|
 |.98|...|.6.|
 |---+---+---|
 |8..|.6.|..3|
 |4..|8.3|..1|
 |7..|.2.|..6|
 |---+---+---|
 |.6.|...|28.|
 |...|419|..5|
 |...|.8.|.79|
 *-----------*
";
    assert_eq!(lines(text, OPEN), [LINE]);
    let bare = text.lines().filter(|line| !line.contains("--")).map(|line| format!("{}\n", &line[2..13]));
    let ruled: String =
        bare.enumerate().map(|(at, row)| if at % 3 == 0 { "-----------\n".to_string() + &row } else { row }).collect();
    assert_eq!(lines(&ruled[12..], OPEN), [LINE]);
}

#[test]
fn borders_of_dashes_as_wide_as_a_25x25_row_are_borders_of_a_9x9() {
    let text = "\
-------------------------
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
-------------------------
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
-------------------------
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
-------------------------
";
    assert_eq!(lines(text, OPEN), [LINE]);
    assert_eq!(lines(text.replace('.', "_").replace("-----", "--+--"), OPEN), [LINE]);
}

#[test]
fn box_drawing_borders_are_read() {
    let text = "╔═══╦═══╗\n║1 2║3 4║\n║3 4║1 2║\n╠═══╬═══╣\n║2 1║4 3║\n║4 3║2 .║\n╚═══╩═══╝\n";
    assert_eq!(lines(text, OPEN), ["123434122143432."]);
    let hodoku =
        ".-----.-----.\n| 1 2 | 3 4 |\n| 3 4 | 1 2 |\n:-----+-----:\n| 2 1 | 4 3 |\n| 4 3 | 2 . |\n'-----'-----'\n";
    assert_eq!(lines(hodoku, OPEN), ["123434122143432."]);
}

#[test]
fn bands_may_stand_apart_by_a_blank_line_if_all_do() {
    let rows = nine_rows();
    let apart = format!("{}\n{}\n{}\n\n", &rows[..30], &rows[30..60], &rows[60..]);
    assert_eq!(lines(apart.repeat(2), OPEN), [LINE, LINE]);
}

#[test]
fn headings_are_kept_as_names() {
    let text = format!("Grid 01\n{}Grid 02\n{}{LINE}\nSudoku #3:\n\n{LINE}\n", nine_rows(), nine_rows());
    let entries = entries(text, OPEN);
    let names: Vec<_> = entries.iter().map(|entry| (entry.name.as_deref(), entry.line)).collect();
    assert_eq!(names, [(Some("Grid 01"), 2), (Some("Grid 02"), 12), (None, 21), (Some("Sudoku #3:"), 24)]);
}

#[test]
fn sadman_files_give_the_puzzle_and_how_far_somebody_came() {
    let text =
        format!("#ARuud\n#DA random puzzle\n[Puzzle]\n{}[State]\n{}", nine_rows(), nine_rows().replace("53.", "534"));
    let entries = entries(text, OPEN);
    assert_eq!((entries[0].name.as_deref(), entries[0].grid.to_string().as_str()), (None, LINE));
    assert_eq!((entries[1].name.as_deref(), entries[1].grid.get(2), entries[1].line), (Some("State"), 4, 14));
}

#[test]
fn separated_numbers_are_read_with_any_separator_and_minus_one_as_empty() {
    for separator in [",", " ", "\t", ";", ", ", "; "] {
        let numbers: Vec<&str> =
            LINE.split("").filter(|sign| !sign.is_empty()).map(|sign| if sign == "." { "-1" } else { sign }).collect();
        let rows: Vec<String> = numbers.chunks(9).map(|row| row.join(separator) + separator).collect();
        assert_eq!(lines(rows.join("\n"), OPEN), [LINE], "rows separated by {separator:?}");
        assert_eq!(lines(numbers.join(separator), OPEN), [LINE], "a line separated by {separator:?}");
    }
}

#[test]
fn digits_past_nine_are_numbers_or_letters() {
    let numbers: String = (0..256)
        .map(|cell| format!("{}{}", (cell / 16 + cell % 16) % 16 + 1, if cell % 16 == 15 { "\n" } else { " " }))
        .collect();
    assert_eq!(lines(numbers, OPEN), [shifted_digits(None)]);
    assert_eq!(lines(shifted("123456789ABCDEFG"), OPEN), [shifted_digits(None)]);
    assert_eq!(lines(shifted("123456789abcdefg"), OPEN), [shifted_digits(None)]);
    assert_eq!(lines(shifted("ABCDEFGHIJKLMNOP"), OPEN), [shifted_digits(None)]);
    assert_eq!(lines(shifted("abcdefghijklmnop"), OPEN), [shifted_digits(None)]);
    assert_eq!(lines(shifted("012.456789abcdef"), OPEN), [shifted_digits(Some(3))]);
    assert_eq!(lines(shifted("0123456789abcdef"), of_alphabet(Alphabet::FromZero)), [shifted_digits(None)]);
    let spaced: String = shifted("123456789ABCDEF.").chars().flat_map(|sign| [sign, ' ']).collect();
    assert_eq!(lines(spaced.replace("\n ", "\n"), OPEN), [shifted_digits(Some(15))]);
}

#[test]
fn a_named_alphabet_decides() {
    let text = format!("{}{}", "A".repeat(8), ".".repeat(248));
    assert_eq!(lines(&text, of_alphabet(Alphabet::Letters)), ["1".repeat(8) + &".".repeat(248)]);
    assert_eq!(lines(&text, of_alphabet(Alphabet::FromOne)), [text]);
    assert_eq!(lines("abcdefghi".repeat(9), of_alphabet(Alphabet::Letters)), ["123456789".repeat(9)]);
    assert_eq!(lines("X".repeat(625), of_alphabet(Alphabet::Letters)), ["O".repeat(625)]);
}

#[test]
fn ant_colony_instances_are_read() {
    let rows: String = LINE
        .as_bytes()
        .chunks(9)
        .map(|row| {
            row.iter()
                .map(|sign| format!("{}\t", if *sign == b'.' { "-1".into() } else { char::from(*sign).to_string() }))
                .collect::<String>()
                + "\r\n"
        })
        .collect();
    let text = format!("3\r\n1\r\n{rows}");
    assert_eq!(entries(&text, OPEN)[0].grid.to_string(), LINE);
    assert_eq!(lines(text.repeat(2), OPEN), [LINE, LINE]);
    let sixteen = format!("4\r\n1\r\n{}", format!("{}\r\n", "-1\t".repeat(16)).repeat(16));
    assert_eq!(lines(sixteen, OPEN), [".".repeat(256)]);
}

#[test]
fn a_csv_gives_the_column_of_puzzles_and_their_names() {
    for header in ["puzzle", "PUZZLE", "quizzes", "Sudoku", "\"puzzle\""] {
        let text = format!("# made by hand\nid,{header},solution\n\n7,{LINE},x\n\"8\",\"{LINE}\",\n");
        let entries = entries(text, OPEN);
        let names: Vec<_> = entries.iter().map(|entry| (entry.name.as_deref(), entry.line)).collect();
        assert_eq!(names, [(Some("7"), 4), (Some("8"), 5)], "{header}");
        assert!(entries.iter().all(|entry| entry.grid.to_string() == LINE));
    }
    let named = entries(format!("id;name;puzzle\r\n1;\"the \"\"first\"\"\";{LINE}\r\n2;;{LINE}\r\n"), OPEN);
    assert_eq!(named[0].name.as_deref(), Some("the \"first\""));
    assert_eq!(named[1].name, None);
    assert_eq!(lines("name\tpuzzle\na\t1...2...3...4...\n", OPEN), ["1...2...3...4..."]);
    assert_eq!(lines("puzzle,name\n1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 .,a\n", OPEN), ["123434122143432."]);
}

#[test]
fn the_title_of_an_only_column_is_passed_over() {
    assert_eq!(lines(format!("quizzes\n{LINE}\n"), OPEN), [LINE]);
    assert_eq!(entries(format!("Puzzle\n{}", nine_rows()), OPEN)[0].name, None);
}

#[test]
fn comments_byte_order_mark_and_carriage_returns_are_no_part_of_a_grid() {
    let rows = nine_rows();
    let text = format!("\u{FEFF}# first\r\n;second\r\n{}  # within\r\n{}{LINE} # behind\r\n", &rows[..20], &rows[20..]);
    assert_eq!(lines(text.replace("\r\n", "\n").replace('\n', "\r\n"), OPEN), [LINE, LINE]);
    assert_eq!(lines(format!("\u{FEFF}{LINE}"), OPEN), [LINE]);
}

#[test]
fn sixteen_cells_are_a_4x4_grid_unless_the_lines_say_otherwise() {
    let four = "123434122143432.";
    assert_eq!(lines(four, OPEN), [four]);
    assert_eq!(lines(format!("{four}\n").repeat(15), OPEN), [four; 15]);
    assert_eq!(lines(format!("{four}\n").repeat(32), of_shape("4x4")), [four; 32]);
    assert_eq!(lines(format!("{four}\n").repeat(32), of_shape("16x16")), [four.repeat(16), four.repeat(16)]);
    assert_eq!(lines(format!("{}\n", "5...............").repeat(16), OPEN), ["5...............".repeat(16)]);
}

#[test]
fn a_named_shape_decides_and_the_usual_blocks_are_taken_otherwise() {
    let six = "1.3.5.".repeat(6);
    assert_eq!(entries(&six, OPEN)[0].grid.shape(), shape("6x6:2x3"));
    assert_eq!(entries(&six, of_shape("6x6:3x2"))[0].grid.shape(), shape("6x6:3x2"));
    assert_eq!(entries("12345\n.....\n.....\n.....\n54321\n", of_shape("5x5:1x5"))[0].grid.shape(), shape("5x5:1x5"));
    assert_eq!(lines("12\n21\n", of_shape("2x2:1x2")), ["1221"]);
}

#[test]
fn conflicting_candidates_are_read() {
    assert_eq!(lines("1".repeat(81), OPEN), ["1".repeat(81)]);
}

#[test]
fn one_puzzle_is_read_from_an_argument_in_a_line_or_in_rows() {
    assert_eq!(read_one(LINE, OPEN).unwrap().to_string(), LINE);
    assert_eq!(read_one(&nine_rows(), ReadOptions::default()).unwrap().to_string(), LINE);
}
