//! The README's transcripts are what the program prints, except for times.

use std::process::Command;

use swarmdoku::search::ALGORITHMS;

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// Commands of the README's `console` blocks, each with the lines that follow it.
fn transcripts() -> Vec<(String, Vec<String>)> {
    let readme = readme();
    let mut transcripts: Vec<(String, Vec<String>)> = Vec::new();
    let blocks = readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ swarmdoku ") {
            Some(command) => transcripts.push((command.to_string(), Vec::new())),
            None => transcripts.last_mut().expect("a block starts with a command").1.push(line.to_string()),
        }
    }
    transcripts
}

/// Standard output of a command, of which `| tail -1` keeps the last line.
fn output_of(command: &str) -> Vec<String> {
    let (command, tail) = match command.strip_suffix(" | tail -1") {
        Some(command) => (command, true),
        None => (command, false),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_swarmdoku")).args(command.split(' ')).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect();
    if tail { lines[lines.len() - 1..].to_vec() } else { lines }
}

/// A line without the parts that depend on the machine: the time and the rest of the line.
fn lasting(line: &str) -> &str {
    line.split(" in 0.").next().unwrap()
}

#[test]
fn the_table_of_algorithms_has_a_row_for_each() {
    let readme = readme();
    let table = readme.split_once("## The algorithms").unwrap().1.split("\n## ").next().unwrap();
    let mut shown: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    shown.retain(|name| !name.starts_with('-'));
    let mut names: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    shown.sort_unstable();
    names.sort_unstable();
    assert_eq!(shown, names);
}

#[test]
fn solve_transcripts_are_what_the_program_prints() {
    let solves = transcripts().into_iter().filter(|(command, _)| command.starts_with("solve"));
    let with_gpu = std::env::var("REQUIRE_GPU").is_ok_and(|value| value == "1");
    let mut compared = 0;
    for (command, shown) in solves.filter(|(command, _)| with_gpu || !command.contains("gpu")) {
        let printed = output_of(&command);
        // The lines of standard error come first.
        let shown = &shown[shown.len() - printed.len()..];
        for (shown, printed) in shown.iter().zip(&printed) {
            assert_eq!(lasting(shown), lasting(printed), "{command}");
            compared += 1;
        }
    }
    assert!(compared >= 16 + 2, "only {compared} lines were compared");
}
