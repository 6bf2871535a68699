//! Processes that are killed, interrupted, locked out, and that run out of room: what they leave is gone on with.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::shell::{err, out};
use crate::study::{Plan, SMALL, Study, assert_refusal, objects};

/// Long enough to be killed often: a run takes many checkpoints.
const LONG: Plan = Plan { name: "long", runs: 2, evaluations: 1_000_000, ..SMALL };

/// Never done while a test lasts.
const ENDLESS: Plan = Plan { name: "endless", runs: 1, evaluations: 1_000_000_000_000, more: HUGE, ..SMALL };

/// Epochs of a tenth of a second and more.
const HUGE: &str = "
[[algorithm]]
algorithm = \"swarm\"
population = 2_000_000
";

fn begin(study: &Study, into: &str, options: &[&str]) -> Child {
    study.command(into, options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until something is so.
fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "waited in vain until {what}");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_experiment_killed_at_random_times_ends_as_an_uninterrupted_one() {
    let study = Study::new(&LONG);
    study.run("whole", &[]);
    let (mut kills, mut checkpoints) = (0, 0);
    // Pauses that are not in step with anything; any others would do.
    for pause in (0..20u64).map(|k| 40 + k * 7919 % 160) {
        let mut child = begin(&study, "killed", &["--resume", "--checkpoint", "0.02"]);
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        kills += u32::from(child.wait().unwrap().code().is_none());
        checkpoints += u32::from(study.path("killed/checkpoint").exists());
    }
    assert!(kills >= 5 && checkpoints >= 3, "{kills} kills, {checkpoints} checkpoints: the plan is too small");
    study.run("killed", &["--resume"]);
    study.assert_same_runs("killed", "whole", 24);
    assert!(!study.path("killed/checkpoint").exists());
}

#[test]
fn a_signal_saves_after_the_epoch_and_ends_with_130() {
    let study = Study::new(&LONG);
    study.run("whole", &[]);
    for (into, name) in [("interrupted", "INT"), ("terminated", "TERM")] {
        let child = begin(&study, into, &[]);
        wait_until("a run has ended", || {
            fs::metadata(study.path(into).join("runs.jsonl")).is_ok_and(|file| file.len() > 0)
        });
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{name}: {}", err(&output));
        assert!(out(&output).contains("continue with --resume"), "{}", out(&output));
        assert!(study.path(into).join("checkpoint").exists(), "{name}");
        let before = objects(&study.path(into).join("runs.jsonl")).len();
        assert!((1..24).contains(&before), "{before} runs");
        study.run(into, &["--resume"]);
        study.assert_same_runs(into, "whole", 24);
    }
}

/// It would never end if it began anew each time.
#[test]
fn a_run_longer_than_any_of_its_processes_ends() {
    let study = Study::new(&Plan { runs: 1, evaluations: 40_000_000, ..SMALL });
    let text = fs::read_to_string(study.plan()).unwrap();
    let (hybrid, key) =
        (text.find("[[algorithm]]\nalgorithm = \"hybrid\"").unwrap(), text.find("\n[[algorithm]]").unwrap());
    let behind = text[hybrid + 1..].find("[[algorithm]]").unwrap() + hybrid + 1;
    fs::write(study.plan(), [&text[..key + 1], &text[hybrid..behind]].concat()).unwrap();
    let mut processes = 0;
    loop {
        let mut child = begin(&study, "long", &["--resume", "--threads", "1"]);
        sleep(Duration::from_millis(250));
        let ended = child.try_wait().unwrap().is_some();
        if !ended {
            signal(&child, "INT");
        }
        let output = child.wait_with_output().unwrap();
        processes += 1;
        match output.status.code() {
            Some(0) => break,
            Some(130) => assert!(processes < 300, "the run does not come to its end"),
            code => panic!("{code:?}: {}", err(&output)),
        }
    }
    assert!(processes >= 3, "{processes} processes: the run is too short");
    study.run("whole", &[]);
    study.assert_same_runs("long", "whole", 3);
}

#[test]
fn a_second_signal_ends_at_once() {
    let study = Study::new(&ENDLESS);
    let text = fs::read_to_string(study.plan()).unwrap();
    let (head, huge) = (text.find("\n[[algorithm]]").unwrap(), text.find(HUGE).unwrap());
    fs::write(study.plan(), [&text[..head], &text[huge..]].concat()).unwrap();
    let child = begin(&study, "endless", &[]);
    wait_until("it runs", || study.path("endless/runs.jsonl").exists());
    sleep(Duration::from_millis(300));
    signal(&child, "INT");
    sleep(Duration::from_millis(20));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert!(!study.path("endless/checkpoint").exists(), "it should not have waited for the epoch");
}

/// A search without epochs has no state to be saved: it ends at once, and is made anew another time.
#[test]
fn a_signal_ends_a_run_of_an_exact_method_at_once() {
    let study = Study::new(&SMALL);
    let plan = format!(
        "name = \"exact\"\nseed = 1\nruns = 1\n[budget]\nnodes = 1e15\n[[puzzles]]\npuzzle = \"{}\"\nshape = \"25x25\"\n\
         [[algorithm]]\nalgorithm = \"backtracking\"\n",
        [".".repeat(24), "1".into(), ".".repeat(600)].concat(),
    );
    fs::write(study.plan(), plan).unwrap();
    for options in [&[][..], &["--resume"]] {
        let child = begin(&study, "exact", options);
        wait_until("it runs", || study.path("exact/runs.jsonl").exists());
        sleep(Duration::from_millis(300));
        let begun = Instant::now();
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", err(&output));
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert!(out(&output).contains("0 of 1 runs"), "{}", out(&output));
        assert_eq!(fs::metadata(study.path("exact/runs.jsonl")).unwrap().len(), 0);
    }
}

#[test]
fn a_second_process_on_a_folder_is_refused() {
    let study = Study::new(&ENDLESS);
    let mut first = begin(&study, "one", &[]);
    wait_until("it runs", || study.path("one/runs.jsonl").exists());
    let mut second = begin(&study, "one", &["--resume"]);
    wait_until("the second ends", || second.try_wait().unwrap().is_some());
    assert_refusal(&second.wait_with_output().unwrap(), 5, &["another process is working in this folder"]);
    first.kill().unwrap();
    first.wait().unwrap();
    let mut next = begin(&study, "one", &["--resume"]);
    sleep(Duration::from_millis(200));
    assert!(next.try_wait().unwrap().is_none(), "a killed process holds no lock");
    next.kill().unwrap();
    next.wait().unwrap();
}

/// A limit on the size of files stands for a full disk: writes come short and then fail, in the same way.
#[test]
fn what_was_complete_when_the_disk_was_full_is_kept() {
    let study = Study::new(&SMALL);
    study.run("whole", &[]);
    let program = env!("CARGO_BIN_EXE_swarmdoku");
    let script = format!("trap '' XFSZ; ulimit -f 20; exec {program} \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .args(study.arguments("full", &[]))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_refusal(&output, 5, &["runs.jsonl: "]);
    let kept = study.lines("full", "runs.jsonl");
    assert!((1..36).contains(&kept.len()), "{} runs", kept.len());
    assert_eq!(study.lines("full", "traces.jsonl").len(), kept.len());
    study.run("full", &["--resume"]);
    study.assert_same_runs("full", "whole", 36);
    assert!(kept.iter().all(|line| study.lines("full", "runs.jsonl").contains(line)));
}
