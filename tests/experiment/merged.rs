//! Parts of an experiment, and the whole that they are joined into.

use std::fs;
use std::process::Output;

use crate::shell::{command, err, out};
use crate::study::{Plan, SMALL, Study, assert_refusal};

fn merge(study: &Study, folders: &[&str], into: &str) -> Output {
    let paths: Vec<String> = folders.iter().map(|folder| study.path(folder).display().to_string()).collect();
    let into = study.path(into).display().to_string();
    let arguments: Vec<&str> =
        ["merge"].into_iter().chain(paths.iter().map(String::as_str)).chain(["-o", &into]).collect();
    command(&arguments).output().unwrap()
}

fn merged(study: &Study, folders: &[&str], into: &str) -> String {
    let output = merge(study, folders, into);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    out(&output)
}

const PARTS: [&str; 4] = ["part-1", "part-2", "part-3", "part-4"];

/// The study in four parts, the last two made as tasks of job arrays.
fn in_parts() -> Study {
    let study = Study::new(&SMALL);
    study.run("part-1", &["--shard", "1/4"]);
    study.run("part-2", &["--shard", "2/4"]);
    for (part, variable, value) in [("part-3", "SLURM_ARRAY_TASK_ID", "3"), ("part-4", "JOB_COMPLETION_INDEX", "3")] {
        let output = study.command(part, &["--shard", "auto/4"]).env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    }
    study
}

#[test]
fn parts_joined_in_any_order_and_again_are_the_whole() {
    let study = in_parts();
    study.run("whole", &[]);
    for part in PARTS {
        let lines = study.lines(part, "runs.jsonl").len();
        assert!((0..=12).contains(&lines), "{part} has {lines} runs of 12 cells with 3 each");
    }
    assert!(merged(&study, &PARTS, "joined").contains("36 of 36 runs"));
    study.assert_same_runs("joined", "whole", 36);
    let files = ["runs.jsonl", "traces.jsonl", "manifest.json"];
    let read = |folder: &str| files.map(|file| fs::read(study.path(folder).join(file)).unwrap());
    let first = read("joined");
    assert!(merged(&study, &["part-3", "joined", "part-1"], "joined").contains("copies left out"));
    assert_eq!(read("joined"), first);
    merged(&study, &["part-4", "part-2"], "slowly");
    merged(&study, &["part-1"], "slowly");
    merged(&study, &["part-3"], "slowly");
    assert_eq!(read("slowly"), first);
    assert!(study.run("joined", &["--resume"]).contains("0 made now"));
}

#[test]
fn parts_that_were_begun_before_runs_were_dealt_keep_their_cut() {
    let study = Study::new(&SMALL);
    let mut moved = 0;
    for (part, shard) in PARTS.into_iter().zip(["1/4", "2/4", "3/4", "4/4"]) {
        study.run(part, &["--shard", shard]);
        let dealt = study.lines(part, "runs.jsonl");
        let manifest = study.path(part).join("manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        let old: String =
            text.lines().filter(|line| !line.contains("\"cut\"")).map(|line| format!("{line}\n")).collect();
        let old = old.replace("\"count\": 4,", "\"count\": 4");
        assert_ne!(old, text);
        fs::write(&manifest, old).unwrap();
        for file in ["runs.jsonl", "traces.jsonl"] {
            fs::remove_file(study.path(part).join(file)).unwrap();
        }
        study.run(part, &["--shard", shard, "--resume"]);
        moved += u32::from(study.lines(part, "runs.jsonl") != dealt);
        assert!(!fs::read_to_string(&manifest).unwrap().contains("\"cut\""));
    }
    assert!(moved > 0, "both cuts are alike here: nothing was tested");
    assert!(merged(&study, &PARTS, "joined").contains("36 of 36 runs"));
}

#[test]
fn a_record_that_lacks_only_its_newline_is_joined_and_one_that_is_torn_is_missing() {
    let study = Study::new(&SMALL);
    study.run("whole", &[]);
    let runs = study.path("whole/runs.jsonl");
    let whole = fs::read(&runs).unwrap();
    fs::write(&runs, whole.strip_suffix(b"\n").unwrap()).unwrap();
    assert!(merged(&study, &["whole"], "joined").contains("36 of 36 runs"));
    assert_eq!(study.lines("joined", "runs.jsonl").len(), 36);
    fs::write(&runs, whole.strip_suffix(b"}\n").unwrap()).unwrap();
    assert!(merged(&study, &["whole"], "torn").contains("35 of 36 runs"));
}

#[test]
fn missing_runs_are_listed_and_can_be_made_in_the_joined_folder() {
    let study = in_parts();
    study.run("whole", &[]);
    let said = merged(&study, &["part-1", "part-2", "part-4"], "joined");
    assert!(said.contains("missing: ") && said.contains("run(s) "), "{said}");
    study.run("joined", &["--resume"]);
    study.assert_same_runs("joined", "whole", 36);
}

#[test]
fn a_run_with_conflicting_results_is_told_and_left_out() {
    let study = in_parts();
    study.run("whole", &[]);
    let runs = study.path("part-2/runs.jsonl");
    let text = fs::read_to_string(&runs).unwrap();
    let at = text.find("\"trajectory\":\"").unwrap() + 14;
    let mut changed = text.into_bytes();
    changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
    fs::write(&runs, &changed).unwrap();
    let output = merge(&study, &["whole", "part-2"], "joined");
    assert_refusal(&output, 3, &["part-2/runs.jsonl:1: this line is not as it was written"]);
    // A line of a version that wrote no digest.
    let text = String::from_utf8(changed).unwrap();
    let (first, others) = text.split_once('\n').unwrap();
    fs::write(&runs, format!("{}}}\n{others}", first.split_once(",\"digest\"").unwrap().0)).unwrap();
    let output = merge(&study, &["whole", "part-2"], "joined");
    assert_refusal(&output, 1, &["differs in", "whole/runs.jsonl:", "part-2/runs.jsonl:1;", "left out"]);
    assert!(out(&output).contains("35 of 36 runs") && out(&output).contains("missing: "), "{}", out(&output));
}

#[test]
fn folders_of_other_plans_and_other_cuts_are_refused() {
    let study = in_parts();
    study.refuses("part-1", &["--resume", "--shard", "1/5"], 2, &["part 1/4", "part 1/5"]);
    study.refuses("part-1", &["--resume", "--shard", "2/4"], 2, &["part 1/4", "part 2/4"]);
    study.refuses("part-5", &["--shard", "5/4"], 2, &["shard is 5/4"]);
    study.refuses("part-5", &["--shard", "auto/4"], 2, &["SLURM_ARRAY_TASK_ID"]);
    study.write_plan(&Plan { seed: 9, ..SMALL });
    study.run("other", &[]);
    assert_refusal(&merge(&study, &["part-1", "other"], "joined"), 2, &["is not that of", "one plan"]);
    fs::create_dir(study.path("empty")).unwrap();
    assert_refusal(
        &merge(&study, &["part-1", "empty"], "joined"),
        3,
        &["empty/manifest.json: not found; a folder that"],
    );
    assert!(!study.path("joined/runs.jsonl").exists());
}
