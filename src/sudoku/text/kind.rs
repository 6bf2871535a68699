//! What a line is, before anybody asks which cells it has.

use super::cells::is_bar;

/// Words that start a heading.
const HEADINGS: [&str; 3] = ["grid", "puzzle", "sudoku"];

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind<'a> {
    /// Nothing but white space.
    Blank,
    /// `# ...`, or `;` as the first character.
    Comment,
    /// `Grid 01`.
    Heading(&'a str),
    /// `[Puzzle]`.
    Section(&'a str),
    /// A horizontal border.
    Border(Border),
    /// Anything else: cells, or an error.
    Cells(&'a str),
}

/// A horizontal border, and how it could be cells instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Border {
    /// Signs of empty cells in it; 0 if other things in it make it a border for certain.
    pub(super) cells: usize,
    /// True if it is nothing but those signs.
    pub(super) solid: bool,
}

impl Kind<'_> {
    /// What this line is.
    pub(super) fn of(line: &str) -> Kind<'_> {
        let text = line.trim();
        if text.is_empty() {
            Kind::Blank
        } else if text.starts_with('#') || line.starts_with(';') {
            Kind::Comment
        } else if let Some(section) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            Kind::Section(section.trim())
        } else if is_heading(text) {
            Kind::Heading(text)
        } else if let Some(border) = border(text) {
            Kind::Border(border)
        } else {
            Kind::Cells(without_comment(line))
        }
    }
}

/// A comment may follow cells after white space.
fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').find(|(at, _)| line[..*at].ends_with([' ', '\t']));
    comment.map_or(line, |(at, _)| line[..at].trim_end())
}

fn is_heading(text: &str) -> bool {
    HEADINGS.iter().any(|word| {
        let (start, rest) = text.split_at_checked(word.len()).unwrap_or(("", ""));
        start.eq_ignore_ascii_case(word) && (rest.is_empty() || rest.starts_with([' ', '\t', '#', ':']))
    })
}

/// A border is drawn with `-`, `=`, `+`, `|`, corners and box-drawing characters. Where only signs of empty cells
/// are used it must have dashes in runs of three, and the reader still asks whether it has as many as a row.
fn border(text: &str) -> Option<Border> {
    let drawn = |char: char| matches!(char, '-' | '=' | '+' | '*' | '.' | ':' | '\'') || is_bar(char);
    if !text.chars().all(|char| drawn(char) || char.is_whitespace()) {
        return None;
    }
    let horizontal = |char: char| matches!(char, '=' | '+') || is_bar(char) && !is_vertical(char);
    if text.contains(horizontal) {
        return Some(Border { cells: 0, solid: false });
    }
    let runs = || text.split(|char| char != '-').filter(|run| !run.is_empty());
    let corners = text.chars().filter(|char| matches!(char, '*' | '.' | ':' | '\'')).count();
    let is_border = runs().count() > 0 && runs().all(|run| run.len() >= 3) && corners <= runs().count() + 1;
    let sign = |char: &char| matches!(char, '-' | '*' | '.');
    is_border.then(|| Border { cells: text.chars().filter(sign).count(), solid: text.chars().all(|char| sign(&char)) })
}

/// Box-drawing characters that only go up and down, and `|`.
fn is_vertical(char: char) -> bool {
    matches!(char, '|' | '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '║' | '╎' | '╏' | '╵' | '╷' | '╹' | '╻' | '╽' | '╿')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        for (line, kind) in [
            ("", Kind::Blank),
            (" \t ", Kind::Blank),
            ("# a comment", Kind::Comment),
            ("  # indented", Kind::Comment),
            ("; a comment", Kind::Comment),
            (" ; no comment", Kind::Cells(" ; no comment")),
            ("Grid 01", Kind::Heading("Grid 01")),
            ("  sudoku #3 ", Kind::Heading("sudoku #3")),
            ("Puzzle:", Kind::Heading("Puzzle:")),
            ("gridlock", Kind::Cells("gridlock")),
            ("GRID0ABCE", Kind::Cells("GRID0ABCE")),
            ("puzzle,name", Kind::Cells("puzzle,name")),
            ("[Puzzle]", Kind::Section("Puzzle")),
            ("53..7 # easy", Kind::Cells("53..7")),
            ("53#.7", Kind::Cells("53#.7")),
        ] {
            assert_eq!(Kind::of(line), kind, "{line:?}");
        }
    }

    #[test]
    fn borders_are_told_from_rows_and_know_how_many_empty_cells_they_could_be() {
        for (line, cells, solid) in [
            ("-----------", 11, true),
            ("*-----------*", 13, true),
            (".---.---.---.", 13, true),
            ("---+---+---", 0, false),
            ("|---+---+---|", 0, false),
            ("|---|---|---|", 9, false),
            ("------ ------", 12, false),
            (":===:===:", 0, false),
            ("╔═══╦═══╗", 0, false),
            ("├───┼───┤", 0, false),
        ] {
            assert_eq!(Kind::of(line), Kind::Border(Border { cells, solid }), "{line}");
        }
        for row in [".........", "- - - - -", "-.-.-.-.-", "...---...", "|...|...|", "*********", "│ . │ . │", "--"]
        {
            assert!(matches!(Kind::of(row), Kind::Cells(_)), "{row}");
        }
    }
}
