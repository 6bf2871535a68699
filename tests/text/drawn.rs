//! What is drawn decides: the blocks of a grid are those that its drawing shows.

use swarmdoku::sudoku::render;
use swarmdoku::sudoku::text::{ReadOptions, read};
use swarmdoku::{Grid, Shape};

use crate::{OPEN, lines, of_shape, outcome, shape};

/// How a program draws grids: its borders, from the left corner to the right one.
struct Style {
    name: &'static str,
    top: [&'static str; 4],
    inner: [&'static str; 4],
    bottom: [&'static str; 4],
    /// Before the first block, between two, behind the last.
    bars: [&'static str; 3],
    /// Between two cells of a block.
    space: &'static str,
}

const STYLES: [Style; 5] = [
    Style {
        name: "HoDoKu",
        top: [".", "-", ".", "."],
        inner: [":", "-", "+", ":"],
        bottom: ["'", "-", "'", "'"],
        bars: ["| ", " | ", " |"],
        space: " ",
    },
    Style {
        name: "Simple Sudoku",
        top: [" *", "-", "-", "*"],
        inner: [" |", "-", "+", "|"],
        bottom: [" *", "-", "-", "*"],
        bars: [" |", "|", "|"],
        space: " ",
    },
    Style {
        name: "py-sudoku",
        top: ["+", "-", "+", "+"],
        inner: ["+", "-", "+", "+"],
        bottom: ["+", "-", "+", "+"],
        bars: ["| ", " | ", " |"],
        space: " ",
    },
    Style {
        name: "QQWing",
        top: ["", "", "", ""],
        inner: ["", "-", "|", ""],
        bottom: ["", "", "", ""],
        bars: [" ", " | ", " "],
        space: " ",
    },
    Style {
        name: "double lines around blocks",
        top: ["╔", "═", "╦", "╗"],
        inner: ["╠", "═", "╬", "╣"],
        bottom: ["╚", "═", "╩", "╝"],
        bars: ["║ ", " ║ ", " ║"],
        space: " │ ",
    },
];

/// Digits that differ from cell to cell, some cells empty.
fn grid_of(shape: Shape) -> Grid {
    let n = shape.side();
    let digit = |cell: usize| ((cell * 7 + cell / n * 3) % (n + 2)).min(n) as u8;
    Grid::new(shape, (0..shape.cells()).map(digit).collect::<Vec<u8>>()).unwrap()
}

fn cell(grid: &Grid, cell: usize) -> String {
    let width = if grid.shape().side() > 9 { 2 } else { 1 };
    let sign = match grid.get(cell) {
        0 => ".".to_string(),
        digit => digit.to_string(),
    };
    format!("{sign:>width$}")
}

/// The grid as a program of this style draws it.
fn drawn(grid: &Grid, style: &Style) -> String {
    let shape = grid.shape();
    let row = |row: usize| {
        let cells: Vec<String> = shape.row_cells(row).map(|at| cell(grid, at)).collect();
        let blocks: Vec<String> = cells.chunks(shape.block_columns()).map(|cells| cells.join(style.space)).collect();
        format!("{}{}{}\n", style.bars[0], blocks.join(style.bars[1]), style.bars[2])
    };
    let width = row(0).chars().count() - 1;
    let rule = |[left, line, middle, right]: [&str; 4]| {
        if line.is_empty() {
            return String::new();
        }
        let block = width.saturating_sub(2 + shape.stacks()) / shape.stacks() + 3;
        format!("{left}{}{right}\n", vec![line.repeat(block); shape.stacks()].join(middle))
    };
    let mut text = rule(style.top);
    for at in 0..shape.side() {
        if at > 0 && at.is_multiple_of(shape.block_rows()) {
            text += &rule(style.inner);
        }
        text += &row(at);
    }
    text + &rule(style.bottom)
}

/// Rows with more space between blocks, and a blank line between bands.
fn spaced(grid: &Grid) -> String {
    let shape = grid.shape();
    let mut text = String::new();
    for row in 0..shape.side() {
        if row > 0 && row.is_multiple_of(shape.block_rows()) {
            text += "\n";
        }
        let cells: Vec<String> = shape.row_cells(row).map(|at| cell(grid, at)).collect();
        let blocks: Vec<String> = cells.chunks(shape.block_columns()).map(|cells| cells.join(" ")).collect();
        text += &(blocks.join("  ") + "\n");
    }
    text
}

/// The only grid of a text.
#[track_caller]
fn assert_reads(text: &str, options: ReadOptions, expected: &Grid, what: &str) {
    let grids: Vec<_> = read("t", text.as_bytes(), options).map(|entry| entry.map(|entry| entry.grid)).collect();
    match &grids[..] {
        [Ok(grid)] if grid == expected => {}
        other => panic!("{what} of {}: {other:?}\n{text}", expected.shape()),
    }
}

fn named(shape: Shape) -> ReadOptions {
    ReadOptions { shape: Some(shape), ..OPEN }
}

#[test]
fn drawings_of_every_shape_in_the_styles_of_other_programs_read_back_equal() {
    let mut read = 0;
    for shape in Shape::all() {
        let grid = grid_of(shape);
        for style in &STYLES {
            let text = drawn(&grid, style);
            assert_reads(&text, named(shape), &grid, style.name);
            // Single lines around each cell may be those of a table.
            if shape.block_rows() > 1 && shape.block_columns() > 1 {
                assert_reads(&text, OPEN, &grid, style.name);
                read += 1;
            }
        }
    }
    assert_eq!(read, 5 * 38);
}

#[test]
fn our_own_drawings_of_every_shape_read_back_equal_without_options() {
    for shape in Shape::all() {
        let grid = grid_of(shape);
        assert_reads(&render::pretty(&grid, None, false), OPEN, &grid, "pretty");
        assert_reads(&render::marked(&grid, &[]), OPEN, &grid, "marked with nothing");
    }
}

#[test]
fn wider_gaps_and_groups_show_blocks() {
    for shape in Shape::all().filter(|shape| shape.block_rows() > 1 && shape.block_columns() > 1) {
        let grid = grid_of(shape);
        assert_reads(&spaced(&grid), OPEN, &grid, "wider gaps");
        if shape.side() <= 9 {
            let grouped: String = spaced(&grid).replace("  ", "_").replace(' ', "").replace('_', " ");
            assert_reads(&grouped, OPEN, &grid, "groups");
            assert_reads(&grouped.replace("\n\n", "\n"), OPEN, &grid, "groups without blank lines");
            assert_reads(&grouped.replace(' ', "|"), OPEN, &grid, "groups with bars");
        }
    }
}

#[test]
fn a_drawing_that_contradicts_the_shape_is_an_error_that_names_both() {
    for drawn_shape in Shape::all().filter(|shape| shape.block_rows() > 1 && shape.block_columns() > 1) {
        for asked in Shape::all().filter(|asked| asked.side() == drawn_shape.side() && *asked != drawn_shape) {
            let grid = grid_of(drawn_shape);
            for text in STYLES
                .iter()
                .map(|style| drawn(&grid, style))
                .chain([spaced(&grid), render::pretty(&grid, None, false)])
            {
                let (errors, grids) = outcome(&text, named(asked));
                assert_eq!((errors.len(), grids), (1, 0), "{drawn_shape} read as {asked}: {errors:?}\n{text}");
                let (drawn, asked) = (format!("({drawn_shape})"), format!("({asked})"));
                assert!(errors[0].contains(&drawn) && errors[0].contains(&asked), "{}", errors[0]);
            }
        }
    }
    let pairs = "12|34|56\n34|56|12\n56|12|34\n--+--+--\n21|43|65\n43|65|21\n65|21|4.\n";
    assert_eq!(lines(pairs, OPEN), ["12345634561256123421436543652165214."]);
    let text = "12|34|56\n34|56|12\n56|12|34\n--+--+--\n21|43|65\n43|65|21\n65|21|43\n";
    let error = "t:1:1: found a drawing of blocks of 3 rows x 2 columns (6x6:3x2), expected blocks of 2 rows x 3 columns (6x6), as was asked for; name --shape 6x6:3x2, or leave the shape out";
    assert_eq!(outcome(text, of_shape("6x6")), (vec![error.to_string()], 0));
}

#[test]
fn tables_that_frame_every_cell_have_the_usual_blocks() {
    let grid = grid_of(shape("6x6"));
    let row = |row: usize| {
        let cells: Vec<String> = grid.shape().row_cells(row).map(|at| cell(&grid, at)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rows: Vec<String> = (0..6).map(row).collect();
    let rule = format!("+{}\n", "---+".repeat(6));
    assert_reads(&rows.join(""), OPEN, &grid, "bars");
    assert_reads(&format!("{rule}{}{rule}", rows.join("")), OPEN, &grid, "bars in a frame");
    assert_reads(&format!("{rule}{}{rule}", rows.join(&rule)), OPEN, &grid, "a table");
    let markdown = format!("{}|{}\n{}", rows[0], "---|".repeat(6), rows[1..].join(""));
    assert_reads(&markdown, OPEN, &grid, "Markdown");
    let tall = format!("{}{rule}{}", rows[..3].join(""), rows[3..].join(""));
    assert_reads(&tall, OPEN, &Grid::new(shape("6x6:3x2"), grid.cells()).unwrap(), "a table with one rule");
}

#[test]
fn numbers_of_unequal_width_show_nothing() {
    let grid = grid_of(shape("12x12"));
    let rows: String = (0..12)
        .map(|row| {
            let digits: Vec<String> = grid.shape().row_cells(row).map(|cell| grid.get(cell).to_string()).collect();
            digits.join(" ") + "\n"
        })
        .collect();
    assert_reads(&rows, OPEN, &grid, "unaligned");
    assert_reads(&rows.replace(' ', "\t"), OPEN, &grid, "tabs");
    assert_reads(&rows.replace(' ', ", "), OPEN, &grid, "commas");
}

#[test]
fn uneven_blocks_are_refused() {
    let jigsaw = "1 2 | 3 4\n3 | 4 1 2\n2 1 | 4 3\n4 3 | 2 1\n";
    let (errors, grids) = outcome(jigsaw, OPEN);
    assert_eq!(grids, 0, "{errors:?}");
    assert!(
        errors[0].starts_with("t:2:1: found borders or groups at other places than in the row of line 1"),
        "{errors:?}"
    );
    let (errors, grids) = outcome(
        ["1 2 3 | 4 5 6\n".repeat(2), "1 2 3 | 4 5 6\n".repeat(2), "1 2 3 | 4 5 6\n".repeat(2)].join("------+------\n"),
        OPEN,
    );
    assert_eq!((errors.len(), grids), (0, 1));
    let (errors, grids) = outcome("1 2 | 3 4 5 6\n".repeat(6), OPEN);
    assert_eq!((errors.len(), grids), (1, 0));
    assert!(errors[0].contains("a drawing that separates cells 2 and 3 but is cut unevenly"), "{errors:?}");
    let (errors, grids) = outcome("1 2 3 | 4 5 6\n".repeat(3) + "------+------\n" + &"1 2 3 | 4 5 6\n".repeat(3), OPEN);
    assert_eq!((errors.len(), grids), (1, 0));
    assert!(errors[0].contains("a drawing of blocks of 3x3 in a grid of side 6"), "{errors:?}");
}

#[test]
fn half_a_grid_and_a_whole_one_are_not_joined_by_an_unusual_gap() {
    let rows: Vec<String> = (0..6).map(|row| format!("{row}.....\n")).collect();
    let text = format!("{}\n{}", rows[..3].join(""), rows.join(""));
    let (errors, grids) = outcome(&text, OPEN);
    assert_eq!((errors.len(), grids), (1, 1), "{errors:?}");
    assert!(errors[0].starts_with("t:3:1: found the end of a grid after 3 rows"), "{errors:?}");
}
