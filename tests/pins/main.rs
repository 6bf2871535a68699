//! What earlier versions wrote still means the same: seeds and hashes of plans, and a folder of format 1.
//!
//! `plans/NAME.txt` holds the hash of `examples/plans/NAME.toml` and the seed of each of its runs, and `format-1/` the
//! folder of a plan with every population search, interrupted and whole, as revision bf3402b made them (host, processor
//! and revision are left out).

#[path = "../shell/mod.rs"]
mod shell;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use swarmdoku::experiment::plan::Plan;

use crate::shell::{command, err, out};

const EXAMPLES: [(&str, u64); 4] =
    [("acceptance", 360), ("encodings", 400), ("gpu-against-cpu", 9), ("population", 300)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The plan's hash, and a line for each run: variant, puzzle, run and seed.
fn pins_of(plan: &Plan) -> String {
    let mut pins = format!("{}\n", plan.hash());
    for id in (0..plan.runs()).map(|index| plan.run(index)) {
        let (variant, puzzle) = plan.names(id);
        writeln!(pins, "{variant}\t{puzzle}\t{}\t{}", id.run, plan.seed(id)).unwrap();
    }
    pins
}

#[test]
fn the_example_plans_keep_their_hashes_and_the_seeds_of_all_their_runs() {
    for (name, runs) in EXAMPLES {
        let plan = Plan::read(&root().join(format!("examples/plans/{name}.toml"))).unwrap();
        let pinned = fs::read_to_string(root().join(format!("tests/pins/plans/{name}.txt"))).unwrap();
        assert_eq!(plan.runs(), runs, "{name}");
        assert_eq!(pinned.lines().count() as u64, 1 + runs, "{name}");
        assert_eq!(pins_of(&plan), pinned, "{name}");
    }
}

/// A copy of the pinned folder in the state of this name, beside its plan.
struct Folder(tempfile::TempDir);

impl Folder {
    fn copy(state: &str) -> Folder {
        let copy = Folder(tempfile::tempdir().unwrap());
        let pinned = root().join("tests/pins/format-1");
        fs::copy(pinned.join("plan.toml"), copy.plan()).unwrap();
        fs::create_dir(copy.path()).unwrap();
        for file in fs::read_dir(pinned.join(state)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        copy
    }

    fn plan(&self) -> PathBuf {
        self.0.path().join("plan.toml")
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("folder")
    }

    /// Runs the plan in the folder, and asserts that it ends well.
    fn run(&self, how: &str) -> String {
        let (plan, folder) = (self.plan(), self.path());
        let output = command(&["run", plan.to_str().unwrap(), "-o", folder.to_str().unwrap(), how]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        out(&output) + &err(&output)
    }

    fn lines(&self, file: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path().join(file)).unwrap();
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.sort_by_key(|line| (text_of(line, "variant"), text_of(line, "name"), line["run"].as_u64()));
        lines
    }
}

fn text_of(line: &Value, key: &str) -> String {
    line[key].as_str().unwrap().to_owned()
}

/// Asserts that both hold the same runs with the same results, whoever computed them.
fn assert_same_runs(found: &[Value], pinned: &[Value]) {
    /// What depends on the machine and the version, not on the run.
    const ELSEWHERE: [&str; 5] = ["backend", "adapter", "backend_reason", "host", "git_revision"];
    assert_eq!(found.len(), pinned.len());
    for (found, pinned) in found.iter().zip(pinned) {
        for (key, value) in pinned.as_object().unwrap().iter().filter(|(key, _)| !ELSEWHERE.contains(&key.as_str())) {
            assert_eq!(&found[key], value, "{key} of {pinned}");
        }
    }
}

#[test]
fn an_interrupted_folder_of_format_1_is_resumed_to_the_runs_that_it_would_have_had() {
    let (resumed, whole) = (Folder::copy("interrupted"), Folder::copy("whole"));
    assert_eq!((resumed.lines("runs.jsonl").len(), whole.lines("runs.jsonl").len()), (3, 40));
    assert!(resumed.path().join("checkpoint").exists(), "twenty runs have begun");
    let said = resumed.run("--resume");
    assert!(said.contains("40 of 40") && said.contains("37 made now"), "{said}");
    assert_same_runs(&resumed.lines("runs.jsonl"), &whole.lines("runs.jsonl"));
    assert_same_runs(&resumed.lines("traces.jsonl"), &whole.lines("traces.jsonl"));
}

/// A state that is not read would give the same runs, made anew: so one that is damaged must be noticed.
#[test]
fn the_states_of_a_checkpoint_of_format_1_are_read() {
    let damaged = Folder::copy("interrupted");
    let checkpoint = damaged.path().join("checkpoint");
    let mut bytes = fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&checkpoint, bytes).unwrap();
    let (plan, folder) = (damaged.plan(), damaged.path());
    let output =
        command(&["run", plan.to_str().unwrap(), "-o", folder.to_str().unwrap(), "--resume"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
}

#[test]
fn a_whole_folder_of_format_1_is_extended_and_keeps_its_runs() {
    let (extended, whole) = (Folder::copy("whole"), Folder::copy("whole"));
    let plan = fs::read_to_string(extended.plan()).unwrap();
    fs::write(extended.plan(), plan.replace("runs = 2", "runs = 3")).unwrap();
    let said = extended.run("--extend");
    assert!(said.contains("60 of 60") && said.contains("20 made now"), "{said}");
    let of_before = |line: &Value| line["run"].as_u64() < Some(2);
    let kept: Vec<Value> = extended.lines("runs.jsonl").into_iter().filter(of_before).collect();
    assert_same_runs(&kept, &whole.lines("runs.jsonl"));
}

#[test]
fn a_whole_folder_of_format_1_is_reported() {
    let whole = Folder::copy("whole");
    let (folder, page) = (whole.path(), whole.0.path().join("page.html"));
    let output = command(&["report", folder.to_str().unwrap(), "-o", page.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("seed swarm") && page.contains("tournament"), "the variants are named");
}
