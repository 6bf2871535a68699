//! Tables of a benchmark on the terminal.

use swarmdoku::Error;

use crate::cli::print_line;

/// Prints rows under their headings, the columns as wide as they need: `left` of them to the left, the others, which hold
/// numbers, to the right.
pub fn print(headings: &[&str], left: usize, rows: &[Vec<String>]) -> Result<(), Error> {
    let headings: Vec<String> = headings.iter().map(|heading| heading.to_string()).collect();
    let all = || std::iter::once(&headings).chain(rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    all().try_for_each(|row| print_line(&aligned(row, left, &widths)))
}

fn aligned(row: &[String], left: usize, widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate().map(|(column, (text, width))| {
        if column < left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_to_the_left_and_numbers_to_the_right() {
        let row = ["cpu", "5 µs", "1.0"].map(String::from);
        assert_eq!(aligned(&row, 1, &[5, 6, 3]), "cpu      5 µs  1.0");
    }
}
