//! A plan for tests, the folder it runs in, and what the folder holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::shell::{command, err, out};

/// A plan of 4 algorithms on 3 puzzles of 2 shapes.
pub struct Plan {
    pub name: &'static str,
    pub seed: u64,
    pub runs: u32,
    pub evaluations: u64,
    /// What stands behind the tables that all have.
    pub more: &'static str,
}

/// Small enough to be made in no time.
pub const SMALL: Plan = Plan { name: "small", seed: 1, runs: 3, evaluations: 20_000, more: "" };

const PUZZLES: &str = r#"
[[puzzles]]
name = "easy"
puzzle = "902005403100063025508407060026309001057010290090670530240530600705200304080041950"

[[puzzles]]
name = "hard"
puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

[[puzzles]]
name = "six"
puzzle = "1.........2...3........4......5.6..."
shape = "6x6"
"#;

const ALGORITHMS: &str = r#"
[[algorithm]]
algorithm = "anneal"

[[algorithm]]
algorithm = "hybrid"
rule = "seed"
stagnation-limit = 20

[[algorithm]]
algorithm = "random-key"

[[algorithm]]
algorithm = "genetic"
encoding = "rows"
local-search = true
"#;

/// A folder that goes away with the test.
pub struct Study {
    folder: tempfile::TempDir,
}

impl Study {
    /// A study of this plan, which stands in its file.
    pub fn new(plan: &Plan) -> Study {
        let study = Study { folder: tempfile::tempdir().unwrap() };
        study.write_plan(plan);
        study
    }

    pub fn write_plan(&self, plan: &Plan) {
        let Plan { name, seed, runs, evaluations, more } = plan;
        let head = format!("name = \"{name}\"\nseed = {seed}\nruns = {runs}\n[budget]\nevaluations = {evaluations}\n");
        fs::write(self.plan(), [&head, PUZZLES, ALGORITHMS, more].concat()).unwrap();
    }

    pub fn plan(&self) -> PathBuf {
        self.path("plan.toml")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The arguments of a run into a folder of the study.
    pub fn arguments(&self, into: &str, options: &[&str]) -> Vec<String> {
        let (plan, into) = (self.plan(), self.path(into));
        let own = ["run", plan.to_str().unwrap(), "-o", into.to_str().unwrap(), "--backend", "cpu"];
        own.iter().chain(options).map(|argument| (*argument).to_owned()).collect()
    }

    pub fn command(&self, into: &str, options: &[&str]) -> std::process::Command {
        let arguments = self.arguments(into, options);
        command(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Runs the plan; the exit code must be 0.
    pub fn run(&self, into: &str, options: &[&str]) -> String {
        let output = self.command(into, options).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", err(&output));
        out(&output)
    }

    /// Runs the plan; it must end with this code and a message with these parts.
    pub fn refuses(&self, into: &str, options: &[&str], code: i32, parts: &[&str]) {
        assert_refusal(&self.command(into, options).output().unwrap(), code, parts);
    }

    /// The lines of a file of a folder, sorted.
    pub fn lines(&self, folder: &str, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(folder).join(file)).unwrap();
        assert!(text.ends_with('\n'), "{file} is torn");
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort_unstable();
        lines
    }

    /// Asserts that two folders hold the same runs: sorted, both files are equal to the last byte.
    pub fn assert_same_runs(&self, one: &str, other: &str, runs: usize) {
        for file in ["runs.jsonl", "traces.jsonl"] {
            let (ones, others) = (self.lines(one, file), self.lines(other, file));
            assert_eq!(ones.len(), runs, "{one}/{file}");
            assert_eq!(ones, others, "{one} and {other}: {file}");
        }
    }
}

pub fn assert_refusal(output: &Output, code: i32, parts: &[&str]) {
    let message = err(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The lines as objects, in the order of the file.
pub fn objects(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
