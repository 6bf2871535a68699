//! The program as a shell runs it.

use std::process::{Command, Output, Stdio};

/// The program with these arguments, without standard input, and without the caller's log settings and crossovers.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmdoku"));
    command.args(arguments).stdin(Stdio::null()).env_remove("RUST_LOG");
    command.env("SWARMDOKU_CONFIG_DIR", "/nonexistent");
    command
}

/// Runs the program with these arguments.
pub fn swarmdoku(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts the exit code and a part of standard error.
pub fn fails(arguments: &[&str], code: i32, part: &str) {
    let output = swarmdoku(arguments);
    let message = err(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.contains(part), "{arguments:?} should say `{part}`, but says: {message}");
    assert!(!message.contains("panicked"), "{message}");
}
