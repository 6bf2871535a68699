//! What a folder holds, when it is entered, and when it is refused.

use std::fs;
use std::path::Path;

use crate::shell::{err, fails, out, swarmdoku};
use crate::study::{Plan, SMALL, Study, json, objects};

#[test]
fn a_folder_holds_the_plan_and_a_line_and_a_trace_for_each_run() {
    let study = Study::new(&SMALL);
    let said = study.run("all", &[]);
    assert!(said.contains("small: 36 of 36 runs are in") && said.contains("36 made now"), "{said}");
    let manifest = json(&study.path("all/manifest.json"));
    let (runs, traces) = (objects(&study.path("all/runs.jsonl")), objects(&study.path("all/traces.jsonl")));
    assert_eq!((runs.len(), traces.len()), (36, 36));
    assert_eq!((&manifest["plan"]["seed"], &manifest["backend"]), (&1.into(), &"cpu".into()));
    assert_eq!(manifest["plan"]["variants"][1]["parameters"]["stagnation_limit"], 20);
    assert!(manifest["wall_s"].as_f64().unwrap() > 0.0, "the seconds of all runs together");
    for run in &runs {
        assert_eq!(run["plan"], manifest["plan_hash"]);
        assert_eq!((&run["engine"], &run["nodes"]), (&"batch".into(), &serde_json::Value::Null));
        assert_eq!((&run["wall_s"], &run["evaluations_per_s"]), (&serde_json::Value::Null, &serde_json::Value::Null));
        assert_eq!(run["solved"] == true, run["stop"] == "solved");
        let of_run = |trace: &&serde_json::Value| ["variant", "name", "run"].iter().all(|key| trace[*key] == run[*key]);
        let trace = traces.iter().find(of_run).unwrap()["trace"].as_array().unwrap();
        assert_eq!(trace.last().unwrap()[3], run["score"]["total"]);
    }
    assert!(runs.iter().any(|run| run["solved"] == true) && runs.iter().any(|run| run["solved"] == false));
    assert!(!study.path("all/checkpoint").exists());
}

#[test]
fn a_run_of_an_experiment_is_the_run_that_solve_makes_with_its_seed() {
    let study = Study::new(&SMALL);
    study.run("all", &[]);
    let mut compared = 0;
    for run in objects(&study.path("all/runs.jsonl")).iter().filter(|run| run["algorithm"] == "anneal") {
        let (seed, puzzle) = (run["seed"].to_string(), run["puzzle"].as_str().unwrap());
        let shape = run["shape"].as_str().unwrap();
        let options = ["--evaluations", "20000", "-a", "anneal", "--json", "--seed", &seed, "--shape", shape];
        let solved: serde_json::Value =
            serde_json::from_str(&out(&swarmdoku(&[&["solve", puzzle][..], &options].concat()))).unwrap();
        for key in
            ["trajectory", "evaluations", "epochs", "restarts", "stop", "score", "solution", "best", "parameters"]
        {
            assert_eq!(solved[key], run[key], "{key} of {run}");
        }
        compared += 1;
    }
    assert_eq!(compared, 9);
}

#[test]
fn timed_runs_have_seconds() {
    let study = Study::new(&Plan { runs: 1, ..SMALL });
    study.run("timed", &["--timing"]);
    study.run("untimed", &[]);
    let (timed, untimed) = (objects(&study.path("timed/runs.jsonl")), objects(&study.path("untimed/runs.jsonl")));
    assert!(timed.iter().all(|run| run["wall_s"].as_f64().unwrap() > 0.0 && run["evaluations_per_s"].is_f64()));
    let trajectories = |runs: &[serde_json::Value]| {
        let mut all: Vec<String> = runs.iter().map(|run| run["trajectory"].to_string()).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(trajectories(&timed), trajectories(&untimed));
    study.refuses("timed", &["--resume"], 2, &["begun with --timing"]);
}

#[test]
fn a_dry_run_tells_what_would_run_and_starts_nothing() {
    let study = Study::new(&SMALL);
    let output = study.command("none", &["--dry-run", "--shard", "1/1"]).output().unwrap();
    let said = out(&output);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    for part in ["cells        12, of 3 runs each", "runs         36", "at most 720,000", "memory", "time", "hybrid"] {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
    assert!(!study.path("none").exists());
}

#[test]
fn every_example_can_be_planned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/plans");
    let mut plans = 0;
    for plan in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let plan = swarmdoku::experiment::plan::Plan::read(&plan).unwrap_or_else(|error| panic!("{error}"));
        assert!(plan.cells() > 1 && plan.estimate(None).evaluations.is_some(), "{}", plan.resolved().name);
        plans += 1;
    }
    assert_eq!(plans, 6);
}

#[test]
fn a_folder_that_holds_an_experiment_is_entered_by_its_own_plan_alone() {
    let study = Study::new(&SMALL);
    study.run("all", &[]);
    study.refuses("all", &[], 2, &["holds the experiment `small`", "--resume"]);
    assert!(study.run("all", &["--resume"]).contains("0 made now"));
    study.refuses("all", &["--resume", "--shard", "1/2"], 2, &["started for all runs, not for part 1/2"]);
    study.write_plan(&Plan { seed: 2, evaluations: 30_000, ..SMALL });
    study.refuses("all", &["--resume"], 2, &["seed is 2, was 1", "budget.evaluations is 30000, was 20000"]);
    study.refuses("all", &["--extend"], 2, &["seed is 2, was 1", "--extend adds"]);
    study.write_plan(&Plan { runs: 4, ..SMALL });
    study.refuses("all", &["--resume"], 2, &["runs is 4, was 3", "add --extend"]);
    study.write_plan(&Plan { runs: 2, ..SMALL });
    study.refuses("all", &["--extend"], 2, &["runs is 2, was 3"]);
}

#[test]
fn a_bad_plan_is_refused_at_its_place_and_nothing_is_written() {
    let study = Study::new(&SMALL);
    let text = fs::read_to_string(study.plan()).unwrap();
    fs::write(study.plan(), text.replace("stagnation-limit", "stagnation-limits")).unwrap();
    study.refuses("none", &[], 3, &["plan.toml:", "no key `stagnation-limits` (did you mean `stagnation-limit`?)"]);
    assert!(!study.path("none").exists());
    fails(&["run", "/nowhere/plan.toml", "-o", study.path("none").to_str().unwrap()], 3, "/nowhere/plan.toml");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_runs() {
    let study = Study::new(&SMALL);
    fs::write(study.path("file"), "in the way").unwrap();
    study.refuses("file", &[], 5, &["file"]);
    study.refuses("file/below", &[], 5, &["below"]);
}

#[test]
fn an_extended_plan_makes_what_is_new_and_no_run_again() {
    const MORE: &str = "
[[puzzles]]
generate = { seed = 3, count = 2, givens = 35 }
[[algorithm]]
algorithm = \"swarm\"
population = [40, 70]
";
    let study = Study::new(&SMALL);
    study.run("grown", &[]);
    let before = fs::read(study.path("grown/runs.jsonl")).unwrap();
    study.write_plan(&Plan { runs: 4, more: MORE, ..SMALL });
    let all = 6 * 5 * 4;
    let said = study.run("grown", &["--extend"]);
    assert!(said.contains(&format!("{all} of {all} runs")) && said.contains("84 made now"), "{said}");
    assert!(fs::read(study.path("grown/runs.jsonl")).unwrap().starts_with(&before));
    study.run("whole", &[]);
    let without_plan = |folder: &str| {
        let mut runs = objects(&study.path(folder));
        for run in &mut runs {
            for field in ["plan", "digest"] {
                run.as_object_mut().unwrap().remove(field).unwrap();
            }
        }
        let mut runs: Vec<String> = runs.iter().map(|run| run.to_string()).collect();
        runs.sort_unstable();
        runs
    };
    assert_eq!(without_plan("grown/runs.jsonl"), without_plan("whole/runs.jsonl"));
    assert_eq!(study.lines("grown", "traces.jsonl"), study.lines("whole", "traces.jsonl"));
    assert_eq!(
        json(&study.path("grown/manifest.json"))["plan_hash"],
        json(&study.path("whole/manifest.json"))["plan_hash"]
    );
}

#[test]
fn what_was_torn_is_dropped_and_made_anew() {
    let study = Study::new(&SMALL);
    study.run("whole", &[]);
    study.run("torn", &[]);
    let files = ["runs.jsonl", "traces.jsonl"];
    let tear = |file: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = study.path("torn").join(file);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
    };
    for file in files {
        for change in [
            &(|bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 2)) as &dyn Fn(&mut Vec<u8>),
            &|bytes| bytes.truncate(bytes.len() - 200),
            &|bytes| bytes.truncate(bytes.len() / 2),
            &|bytes| bytes.extend([0; 100]),
            &|bytes| bytes.extend(b"{\"variant\":\n"),
            &|bytes| bytes.clear(),
        ] {
            tear(file, change);
            study.run("torn", &["--resume"]);
            study.assert_same_runs("torn", "whole", 36);
        }
    }
}

/// Takes the newline from the end of a file.
fn open_the_last_line(file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, text.strip_suffix('\n').unwrap()).unwrap();
}

#[test]
fn a_record_that_lacks_only_its_newline_is_kept_and_nothing_is_written_behind_it_on_its_line() {
    let study = Study::new(&SMALL);
    study.run("grown", &[]);
    for file in ["grown/runs.jsonl", "grown/traces.jsonl"] {
        open_the_last_line(&study.path(file));
    }
    study.write_plan(&Plan { runs: 4, ..SMALL });
    let said = study.run("grown", &["--extend"]);
    assert!(said.contains("48 of 48 runs") && said.contains("12 made now"), "{said}");
    assert_eq!((study.lines("grown", "runs.jsonl").len(), study.lines("grown", "traces.jsonl").len()), (48, 48));
    study.run("whole", &[]);
    assert_eq!(study.lines("grown", "traces.jsonl"), study.lines("whole", "traces.jsonl"));
}

#[test]
fn a_damaged_folder_is_refused_with_its_line_and_the_remedy() {
    let study = Study::new(&SMALL);
    study.run("all", &[]);
    let runs = study.path("all/runs.jsonl");
    let good = fs::read_to_string(&runs).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let seed = objects(&runs)[1]["seed"].to_string();
    // As older versions wrote it: without a digest, which would show any change.
    let second = lines[1].split_once(",\"digest\"").unwrap().0.to_owned() + "}";
    for (second, part) in [
        ("oops".to_owned(), "runs.jsonl:2:1: expected value; each line must be one whole record"),
        (lines[0].to_owned(), "runs.jsonl:2: this run stands here a second time"),
        (second.replace("\"run\":", "\"run\":7"), "is not in the plan, which has 3 of them"),
        (second.replace("\"name\":\"", "\"name\":\"un"), "the plan in manifest.json has no puzzle `un"),
        (second.replace(&seed, "1"), "seed should be"),
        (lines[1].replace(&seed, "1"), "this line is not as it was written: its digest does not fit it"),
    ] {
        fs::write(&runs, [lines[0], &second, &lines[2..].join("\n"), ""].join("\n")).unwrap();
        study.refuses("all", &["--resume"], 3, &["runs.jsonl:2:", part, "remove this line"]);
    }
    fs::write(&runs, good).unwrap();
    fs::write(study.path("all/checkpoint"), "nonsense, and a good deal of it, so that it is long enough").unwrap();
    study.refuses("all", &["--resume"], 3, &["checkpoint: ", "no checkpoint of this program", "remove the file"]);
    fs::write(study.path("all/manifest.json"), "{}").unwrap();
    study.refuses(
        "all",
        &["--resume"],
        3,
        &["manifest.json:1:2: missing field `format`; a manifest as `swarmdoku run`"],
    );
}

#[cfg(unix)]
#[test]
fn names_of_folders_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let study = Study::new(&Plan { runs: 1, ..SMALL });
    let folder = |name: &[u8]| study.path("x").with_file_name(OsStr::from_bytes(name));
    let (results, joined) = (folder(b"r\xFFsults"), folder(b"j\xFEined"));
    let ends_well = |arguments: &[&OsStr]| {
        let output = crate::shell::command(&[]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", err(&output));
    };
    let plan = study.plan();
    let word = OsStr::new;
    ends_well(&[word("run"), plan.as_os_str(), word("-o"), results.as_os_str(), word("--backend"), word("cpu")]);
    ends_well(&[word("merge"), results.as_os_str(), word("-o"), joined.as_os_str()]);
    ends_well(&[word("report"), joined.as_os_str()]);
    assert!(joined.join("report.html").exists() && joined.join("manifest.json").exists());
    let names: Vec<_> = fs::read_dir(study.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "the plan and two folders: {names:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_takes_nothing_changes_no_exit_code() {
    let study = Study::new(&Plan { runs: 1, ..SMALL });
    study.run("all", &[]);
    let all = study.path("all");
    for (arguments, code) in [
        (&["report", all.to_str().unwrap()][..], 0),
        (&["report", "no/such/folder"], 3),
        (&["solve", "12", "--seed", "1"], 3),
        (&["solve", "1234341221434321", "--seed", "1"], 0),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status =
            crate::shell::command(arguments).stderr(full).stdout(std::process::Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}
