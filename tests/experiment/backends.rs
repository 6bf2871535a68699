//! Plans that name backends: the same seeds on each, in one folder, and no results that differ.

use std::fs;
use std::process::Output;

use crate::shell::{command, err, out};
use crate::study::{assert_refusal, json, objects};

const PLAN: &str = r#"
name = "named"
seed = 3
runs = 2

[budget]
evaluations = 5_000
nodes = 50

[[puzzles]]
name = "easy"
puzzle = "902005403100063025508407060026309001057010290090670530240530600705200304080041950"

[[puzzles]]
name = "six"
puzzle = "1.........2...3........4......5.6..."
shape = "6x6"

[[algorithm]]
algorithm = "anneal"
population = [20, 40]
backend = ["cpu", "scalar"]

[[algorithm]]
algorithm = "swarm"
epochs = 9
restarts = 2
population = 32

[[algorithm]]
algorithm = ["exact", "backtracking"]
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(plan: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plan.toml"), plan).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, into: &str, options: &[&str]) -> Output {
        let (plan, into) = (self.path("plan.toml"), self.path(into));
        command(&[&["run", &plan, "-o", &into, "--quiet"], options].concat()).output().unwrap()
    }

    fn made(&self, into: &str, options: &[&str]) -> String {
        let output = self.run(into, options);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        out(&output)
    }

    /// Runs a command on folders.
    fn on(&self, arguments: &[&str]) -> Output {
        command(arguments).output().unwrap()
    }
}

/// A run's variant, puzzle, number and seed, and its result.
fn rows(path: &str) -> Vec<(String, String, String)> {
    let row = |run: serde_json::Value| {
        let fields = |keys: &[&str]| keys.iter().map(|key| run[*key].to_string()).collect::<Vec<_>>().join(" ");
        let variant = run["variant"].as_str().unwrap().replace(" backend=cpu", "").replace(" backend=scalar", "");
        let result = fields(&["trajectory", "evaluations", "epochs", "stop", "best", "solution"]);
        (variant, fields(&["name", "run", "seed"]), result)
    };
    let mut rows: Vec<_> = objects(path.as_ref()).into_iter().map(row).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn named_backends_make_the_same_runs_in_one_folder() {
    let folder = Folder::new(PLAN);
    let said = folder.made("all", &[]);
    assert!(said.contains("24 of 24 runs") && folder.made("all", &["--resume"]).contains("0 made now"), "{said}");
    let runs = objects(folder.path("all/runs.jsonl").as_ref());
    for backend in ["cpu", "scalar"] {
        let of_backend = |run: &&serde_json::Value| run["variant"].to_string().contains(&format!("backend={backend}"));
        let made: Vec<_> = runs.iter().filter(of_backend).collect();
        assert_eq!(made.len(), 8);
        assert!(made.iter().all(|run| run["backend"] == backend && run["backend_reason"] == "named by the plan"));
    }
    let rows = rows(&folder.path("all/runs.jsonl"));
    let (named, others) = rows.split_at(16);
    assert!(named.chunks(2).all(|pair| pair[0] == pair[1]), "{named:?}");
    assert!(others.iter().all(|(variant, ..)| !variant.starts_with("anneal")));
    let manifest = json(folder.path("all/manifest.json").as_ref());
    assert_eq!(manifest["backend"], "cpu, scalar");
    let seconds = manifest["wall_s_by_backend"].as_object().unwrap();
    assert!(seconds["cpu"].as_f64() > Some(0.0) && seconds["scalar"].as_f64() > Some(0.0), "{seconds:?}");
    let report = folder.on(&["report", &folder.path("all"), "--markdown", "-"]);
    assert_eq!(report.status.code(), Some(0), "{}", err(&report));
    assert!(out(&report).contains("anneal population=20 backend=scalar") && out(&report).contains("scalar "));
}

#[test]
fn the_seeds_are_those_of_a_plan_that_names_no_backend() {
    let folder = Folder::new(PLAN);
    folder.made("named", &[]);
    fs::write(folder.path("plan.toml"), PLAN.replace("backend = [\"cpu\", \"scalar\"]\n", "")).unwrap();
    folder.made("usual", &["--backend", "cpu"]);
    let (mut named, usual) = (rows(&folder.path("named/runs.jsonl")), rows(&folder.path("usual/runs.jsonl")));
    assert_eq!((named.len(), usual.len()), (24, 16));
    named.dedup();
    assert_eq!(named, usual);
    assert!(json(folder.path("usual/manifest.json").as_ref()).get("wall_s_by_backend").is_none());
}

#[test]
fn another_backend_on_the_command_line_is_refused() {
    let folder = Folder::new(PLAN);
    let parts = ["backend is cpu, but this plan names scalar; leave --backend out"];
    assert_refusal(&folder.run("none", &["--backend", "cpu"]), 2, &parts);
    assert_refusal(&folder.run("none", &["--backend", "cpu", "--dry-run"]), 2, &parts);
    fs::write(folder.path("plan.toml"), PLAN.replace("\"cpu\", \"scalar\"", "\"scalar\"")).unwrap();
    folder.made("equal", &["--backend", "scalar"]);
    let only_named = PLAN.split("[[algorithm]]\nalgorithm = \"swarm\"").next().unwrap();
    fs::write(folder.path("plan.toml"), only_named).unwrap();
    assert_refusal(&folder.run("none", &["--adapter", "any"]), 2, &["adapter is any", "left out"]);
    assert!(!fs::exists(folder.path("none")).unwrap());
}

/// The row as a version without digests wrote it, with this change.
fn changed(line: &str, change: impl Fn(&str) -> String) -> String {
    change(&(line.split_once(",\"digest\"").unwrap().0.to_owned() + "}"))
}

#[test]
fn results_that_differ_between_backends_are_bad_input_and_a_conflict() {
    let folder = Folder::new(PLAN);
    folder.made("all", &[]);
    let (all, joined, file) = (folder.path("all"), folder.path("joined"), folder.path("all/runs.jsonl"));
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let line = |variant: &str| {
        let is_it = |line: &&str| [variant, "\"name\":\"six\",\"run\":1,"].iter().all(|part| line.contains(part));
        lines.iter().position(is_it).unwrap()
    };
    let (cpu, scalar) = (line("anneal population=40 backend=cpu"), line("anneal population=40 backend=scalar"));
    let write = |place: usize, line: String| {
        let mut lines: Vec<&str> = lines.clone();
        lines[place] = &line;
        fs::write(&file, lines.join("\n") + "\n").unwrap();
    };
    let trajectory = "\"trajectory\":\"";
    write(
        scalar,
        changed(lines[scalar], |line| {
            line.replace(trajectory, &format!("{trajectory}0")).replace("0\",\"sol", "\",\"sol")
        }),
    );
    let (first, second) = (cpu.min(scalar) + 1, scalar + 1);
    let found = format!(
        "runs.jsonl:{second}: run 1 of `anneal population=40 backend=scalar` on `six` has another result as \
         `anneal population=40 backend=cpu` in line {first}"
    );
    assert_refusal(&folder.on(&["report", &all]), 3, &[&found]);
    let parts = [
        "run 1 of anneal population=40 backend=cpu and anneal population=40 backend=scalar on six differs in",
        &format!("all/runs.jsonl:{first} and"),
        &format!("all/runs.jsonl:{second}; it is left out"),
    ];
    let merged = folder.on(&["merge", &all, "-o", &joined]);
    assert_refusal(&merged, 1, &parts);
    assert!(out(&merged).contains("22 of 24 runs"), "{}", out(&merged));
    assert!(folder.made("joined", &["--resume"]).contains("2 made now"));
    assert_eq!(rows(&folder.path("joined/runs.jsonl")).len(), 24);
    write(scalar, changed(lines[scalar], |line| line.replace("\"backend\":\"scalar\"", "\"backend\":\"cpu\"")));
    let other = format!("runs.jsonl:{second}: backend is `cpu`, but the plan in manifest.json has `scalar`");
    assert_refusal(&folder.on(&["report", &all]), 3, &[&other]);
    assert_refusal(&folder.on(&["merge", &all, "-o", &joined]), 3, &[&other]);
    assert_refusal(&folder.run("all", &["--resume"]), 3, &[&other]);
}

#[test]
fn runs_of_exact_methods_and_of_own_budgets_are_held_against_the_plan() {
    let folder = Folder::new(PLAN);
    folder.made("all", &[]);
    let (all, file) = (folder.path("all"), folder.path("all/runs.jsonl"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"stop\":\"nodes\"") && text.contains("\"stop\":\"restarts\""));
    let refused = |variant: &str, from: &str, to: &str, part: &str| {
        let mut changes = 0;
        let change = |line: &str| match changes == 0 && line.contains(variant) && line.contains(from) {
            true => {
                changes += 1;
                changed(line, |line| line.replace(from, to))
            }
            false => line.to_owned(),
        };
        fs::write(&file, text.lines().map(change).collect::<Vec<_>>().join("\n") + "\n").unwrap();
        assert_eq!(changes, 1, "{variant}: {from}");
        assert_refusal(&folder.on(&["report", &all]), 3, &["runs.jsonl:", part]);
        assert_refusal(&folder.on(&["merge", &all, "-o", &folder.path("joined")]), 3, &["runs.jsonl:", part]);
    };
    let exact = "\"variant\":\"backtracking\"";
    refused(
        exact,
        "\"restarts\":0,\"nodes\":50",
        "\"restarts\":0,\"nodes\":51",
        "nodes is 51, but the budget of a run is 50",
    );
    refused(
        exact,
        "\"restarts\":0,\"nodes\":50",
        "\"restarts\":0,\"nodes\":null",
        "nodes is None, but runs of `backtracking` have nodes",
    );
    refused(exact, "\"seed\":null", "\"seed\":7", "this run's seed should be null");
    refused(exact, "\"run\":0", "\"run\":1", "is not in the plan, which has 1 of them");
    refused(
        exact,
        "\"stop\":\"nodes\"",
        "\"stop\":\"evaluations\"",
        "stop is `evaluations`, but the budget has no evaluations",
    );
    let swarm = "\"variant\":\"swarm\"";
    refused(
        swarm,
        "\"restarts\":2,\"nodes\"",
        "\"restarts\":3,\"nodes\"",
        "restarts is 3, but the budget of a run is 2",
    );
    refused(swarm, "\"stop\":\"restarts\"", "\"stop\":\"timeout\"", "the budget has no seconds");
    refused(swarm, "\"stop\":\"restarts\"", "\"stop\":\"converged\"", "the budget has no patience");
    fs::write(&file, &text).unwrap();
    assert_eq!(folder.on(&["report", &all]).status.code(), Some(0));
}
