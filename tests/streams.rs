//! Streams that nobody reads, full disks, and names that are no text: no command is surprised by them.

#![cfg(target_os = "linux")]

mod shell;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use shell::{command, err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";

/// A folder whose name, like those of all files in it, is no UTF-8.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::create_dir(folder.path("")).unwrap();
        fs::write(folder.path("puzzles"), EASY).unwrap();
        fs::write(folder.path("plan"), PLAN).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        let folder = self.0.path().join(OsStr::from_bytes(b"r\xe9sultats"));
        if name.is_empty() { folder } else { folder.join(OsStr::from_bytes(&[b"\xff", name.as_bytes()].concat())) }
    }
}

const PLAN: &str = "name = \"small\"\nseed = 1\nruns = 2\n[budget]\nevaluations = 1e4\n[[puzzles]]\n\
    puzzle = \"12....12..4..3..\"\n[[algorithm]]\nalgorithm = \"anneal\"\n";

/// An argument: a text, or a file of the folder.
enum Part {
    Text(&'static str),
    File(&'static str),
}

use Part::{File as Named, Text};

/// A call of every command, each with the files that it reads and writes, in an order in which they can be made.
fn calls() -> Vec<(Vec<Part>, &'static [&'static str])> {
    let text = |text: &'static str| text.split(' ').map(Text).collect::<Vec<_>>();
    let with = |words: &'static str, file: &'static str| {
        let mut parts = text(words);
        parts.push(Named(file));
        parts
    };
    let and = |mut parts: Vec<Part>, words: &'static str, file: &'static str| {
        parts.extend(with(words, file));
        parts
    };
    let solve = || with("solve --seed 1 -f", "puzzles");
    let one = || and(and(solve(), "--index 1 --trace", "trace.csv"), "--plot", "plot.svg");
    let compare = || with("compare -a anneal --runs 1 --seed 1 -f", "puzzles");
    vec![
        (solve(), &[]),
        (one(), &["trace.csv", "plot.svg"]),
        (with("solve -a exact -f", "puzzles"), &[]),
        (and(compare(), "--plot", "curves.svg"), &["curves.svg"]),
        (with("check -f", "puzzles"), &[]),
        (with("score", "puzzles"), &[]),
        (text("generate --seed 1 --count 2"), &[]),
        (text("verify --count 10 --backend cpu --shape 4x4"), &[]),
        (with("run --dry-run", "plan"), &[]),
        (and(with("run", "plan"), "-o", "runs"), &["runs"]),
        (and(with("run --resume", "plan"), "-o", "runs"), &["runs"]),
        (and(with("merge", "runs"), "-o", "joined"), &["joined"]),
        (with("report", "joined"), &[]),
        (
            and(and(and(with("report", "joined"), "-o", "page.html"), "--markdown", "page.md"), "--csv", "tables"),
            &["page.html", "page.md", "tables"],
        ),
        (
            and(
                with("bench --time 0 --backend cpu --populations 64 -a anneal --json", "bench.json"),
                "--html",
                "bench.html",
            ),
            &["bench.json", "bench.html"],
        ),
        (text("algorithms"), &[]),
        (text("algorithms anneal --json"), &[]),
        (text("devices"), &[]),
        (text("completions bash"), &[]),
        (text("--help"), &[]),
    ]
}

fn call(folder: &Folder, parts: &[Part]) -> std::process::Command {
    let mut command = command(&[]);
    command.args(parts.iter().map(|part| match part {
        Text(text) => OsString::from(text),
        Named(name) => folder.path(name).into_os_string(),
    }));
    command
}

fn shown(command: &std::process::Command, output: &Output) -> String {
    format!("{command:?}: {:?} {} {}", output.status, out(output), err(output))
}

#[test]
fn files_may_have_any_name() {
    let folder = Folder::new();
    for (parts, written) in calls() {
        let mut command = call(&folder, &parts);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", shown(&command, &output));
        for name in written {
            assert!(folder.path(name).exists(), "{name}: {}", shown(&command, &output));
        }
    }
}

/// A pipe whose reader has gone.
fn broken() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_lost_standard_error_costs_nothing_and_a_lost_standard_output_is_an_error_of_writing() {
    let folder = Folder::new();
    for (parts, _) in calls() {
        fs::remove_dir_all(folder.path("runs")).ok();
        fs::remove_dir_all(folder.path("joined")).ok();
        let prepare = [
            vec![Text("run"), Named("plan"), Text("-o"), Named("runs")],
            vec![Text("merge"), Named("runs"), Text("-o"), Named("joined")],
        ];
        for parts in &prepare {
            assert!(call(&folder, parts).arg("-q").output().unwrap().status.success());
        }
        let makes_runs = matches!(&parts[..], [Text("run"), Named(_), Text("-o"), ..]);
        for stream in [broken, full] {
            if makes_runs {
                fs::remove_dir_all(folder.path("runs")).unwrap();
            }
            let mut command = call(&folder, &parts);
            let output = command.stderr(stream()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", shown(&command, &output));
            if makes_runs {
                fs::remove_dir_all(folder.path("runs")).unwrap();
            }
            let mut command = call(&folder, &parts);
            let output = command.stdout(stream()).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 5)), "{}", shown(&command, &output));
        }
    }
}

#[test]
fn closed_streams_are_no_bug() {
    let folder = Folder::new();
    for streams in ["2>&-", ">&-", ">&- 2>&-"] {
        for (parts, _) in calls() {
            if matches!(parts[0], Text("merge" | "report" | "run" | "bench")) {
                continue;
            }
            let direct = call(&folder, &parts);
            let mut shell = std::process::Command::new("sh");
            shell
                .arg("-c")
                .arg(format!("exec \"$0\" \"$@\" {streams}"))
                .arg(direct.get_program())
                .args(direct.get_args());
            let output = shell.stdin(Stdio::null()).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 5)), "{streams} {}", shown(&shell, &output));
        }
    }
}

#[test]
fn a_full_disk_is_named_and_standard_output_is_a_file_like_others() {
    fails(&["report", "no/such/folder"], 3, "no/such/folder");
    for option in ["--trace", "--plot"] {
        fails(&["solve", EASY, "--seed", "1", option, "/no/such/folder/x.svg"], 5, "/no/such/folder/x.svg");
    }
    assert_eq!(swarmdoku(&["solve", EASY, "--seed", "1", "--trace", "/dev/stdout", "-q"]).status.code(), Some(0));
}
