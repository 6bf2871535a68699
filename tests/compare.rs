//! `swarmdoku compare` and the plots as a user meets them.

mod shell;

use std::fs;
use std::process::{Command, Output, Stdio};

use shell::{command, err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

/// The words of the table's row that starts with this one, after a heading that contains `title`.
fn row(text: &str, title: &str, algorithm: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| !line.contains(title));
    let row = lines.find(|line| line.starts_with(algorithm)).unwrap_or_else(|| panic!("{title}, {algorithm}: {text}"));
    row.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The objects, without what differs from run to run: times.
fn json_without_times(output: &Output) -> Vec<serde_json::Value> {
    let mut objects: Vec<serde_json::Value> =
        out(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for object in &mut objects {
        object.as_object_mut().unwrap().remove("wall_s_median").unwrap();
        for run in object["each"].as_array_mut().unwrap() {
            assert!(run.as_object_mut().unwrap().remove("wall_s").unwrap().as_f64().unwrap() > 0.0);
        }
    }
    objects
}

const FIXED: &[&str] = &["compare", EASY, HARD, "-a", "swarm,random-key", "--runs", "3", "--evaluations", "20_000"];

#[test]
fn the_table_says_how_often_how_soon_and_how_well_within_which_budget() {
    let output = swarmdoku(&[FIXED, &["--seed", "1"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    let first = text.lines().next().unwrap();
    for part in [env!("CARGO_PKG_VERSION"), "3 runs", "at most 20,000 evaluations", "seed 1"] {
        assert!(first.contains(part), "{first} lacks {part}");
    }
    assert!(text.contains("on cpu: "), "{text}");
    let easy = row(&text, "puzzle 1: 9.2", "swarm");
    assert_eq!(easy[..4], ["swarm", "3 of 3", "43.9 to 100.0 %", "6,272"], "{text}");
    assert_eq!(easy[5..], ["0", "0"], "{text}");
    assert!(easy[4].parse::<f64>().unwrap() < 10.0, "seconds: {text}");
    assert_eq!(
        row(&text, "puzzle 1: 9.2", "random-key").join(" | "),
        "random-key | 0 of 3 | 0.0 to 56.1 % | > budget | > budget | 3 | 2"
    );
    assert_eq!(
        row(&text, "puzzle 2: 4..", "random-key").join(" | "),
        "random-key | 0 of 3 | 0.0 to 56.1 % | > budget | > budget | 32 | 27"
    );
    assert_eq!(row(&text, "all 2 puzzles", "swarm")[1], "3 of 6");
}

#[test]
fn json_has_every_run_and_depends_on_neither_backend_nor_threads() {
    let fixed = [FIXED, &["--seed", "1", "--json"]].concat();
    let first = json_without_times(&swarmdoku(&[&fixed[..], &["--threads", "1"]].concat()));
    let places: Vec<_> = first.iter().map(|object| (object["puzzle"].as_str(), object["algorithm"].as_str())).collect();
    let easy = EASY.replace('0', ".");
    let names = [Some("swarm"), Some("random-key")];
    assert_eq!(places, [Some(&easy[..]), Some(HARD)].map(|puzzle| names.map(|name| (puzzle, name))).as_flattened());
    for object in &first {
        assert_eq!((&object["seed"], &object["runs"]), (&1.into(), &3.into()));
        assert_eq!(object["parameters"]["evaluations"], 20_000);
        assert_eq!(object["parameters"]["restarts"], serde_json::Value::Null);
        assert_eq!(object["each"].as_array().unwrap().len(), 3);
        assert!(object["solved_95"]["low"].as_f64().unwrap() < object["solved_95"]["high"].as_f64().unwrap());
        assert!(object["each"][0]["evaluations"].as_u64().unwrap() <= 20_000);
    }
    assert_eq!(first[0]["runs_solved"], 3);
    assert_eq!(first[3]["evaluations_median"], serde_json::Value::Null);
    assert_eq!(json_without_times(&swarmdoku(&[&fixed[..], &["--threads", "2"]].concat())), first);
    let scalar = json_without_times(&swarmdoku(&[&fixed[..], &["--backend", "scalar"]].concat()));
    let runs_of =
        |objects: &[serde_json::Value]| objects.iter().map(|object| object["each"].clone()).collect::<Vec<_>>();
    assert_eq!(runs_of(&scalar), runs_of(&first));
}

#[test]
fn solve_repeats_a_run_by_its_seed() {
    let compared = json_without_times(&swarmdoku(&[FIXED, &["--seed", "1", "--json"]].concat()));
    let run = &compared[1]["each"][2];
    let seed = run["seed"].to_string();
    let options = ["-a", "random-key", "--restarts", "1000", "--evaluations", "20000", "--seed", &seed, "--json", "-q"];
    let output = swarmdoku(&[&["solve", EASY], &options[..]].concat());
    let solved: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((&solved["trajectory"], &solved["evaluations"]), (&run["trajectory"], &run["evaluations"]));
}

#[test]
fn all_algorithms_run_by_default_and_each_once() {
    let options = ["--runs", "1", "--evaluations", "1000", "--seed", "1", "--json"];
    let names = |extra: &[&str]| -> Vec<String> {
        let output = swarmdoku(&[&["compare", EASY], &options[..], extra].concat());
        json_without_times(&output).iter().map(|object| object["algorithm"].as_str().unwrap().to_string()).collect()
    };
    let all = names(&[]);
    assert!(all.iter().any(|name| name == "swarm") && all.iter().any(|name| name == "random-key"), "{all:?}");
    assert_eq!(names(&["-a", "random-key,swarm,random-key"]), ["random-key", "swarm"]);
}

#[test]
fn exact_methods_make_one_run_per_puzzle_and_options_go_to_those_that_have_them() {
    let options = ["-a", "exact,swarm,backtracking", "--runs", "3", "--evaluations", "20_000", "--seed", "1"];
    let compare = [&["compare", EASY], &options[..], &["--max-age", "900", "--nodes", "1e6"]].concat();
    let text = out(&swarmdoku(&compare));
    for line in ["used by some only: --max-age: swarm", "used by some only: --nodes: exact, backtracking"] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(row(&text, "puzzle 1", "exact")[..4], ["exact", "1 of 1", "20.7 to 100.0 %", "1 nodes"], "{text}");
    let output = swarmdoku(&[&compare[..], &["--json"]].concat());
    let exact: serde_json::Value = serde_json::from_str(out(&output).lines().next().unwrap()).unwrap();
    assert_eq!((&exact["runs"], &exact["parameters"]["nodes"]), (&1.into(), &1_000_000.into()));
    for key in ["backend", "adapter", "backend_reason", "seed"] {
        assert_eq!(exact[key], serde_json::Value::Null, "{key}");
    }
    let run = &exact["each"][0];
    assert_eq!((&run["nodes"], &run["seed"], &run["trajectory"]), (&1.into(), &().into(), &().into()));
    let unsolved = ["compare", HARD, "-a", "backtracking", "--nodes", "10", "--seed", "1"];
    assert_eq!(row(&out(&swarmdoku(&unsolved)), "puzzle 1", "backtracking")[1], "0 of 1");
    fails(
        &["compare", EASY, "-a", "exact", "--max-age", "9"],
        2,
        "max-age is set, but exact does not use it; swarm and",
    );
}

#[test]
fn a_plan_runs_exact_methods_once_per_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, output) = (folder.path().join("plan.toml"), folder.path().join("runs"));
    let text = format!(
        "name = \"exact\"\nseed = 1\nruns = 3\n[budget]\nnodes = 1e6\nevaluations = 2000\n[[puzzles]]\npuzzle = \"{EASY}\"\n\
         [[algorithm]]\nalgorithm = [\"exact\", \"backtracking\", \"swarm\"]\n"
    );
    fs::write(&plan, text).unwrap();
    let ran = swarmdoku(&["run", plan.to_str().unwrap(), "-o", output.to_str().unwrap()]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    assert!(out(&ran).contains("5 of 5 runs are in"), "{}", out(&ran));
    let lines = fs::read_to_string(output.join("runs.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().filter(|line| line["algorithm"] == name).collect::<Vec<_>>();
    assert_eq!((of("exact").len(), of("backtracking").len(), of("swarm").len()), (1, 1, 3));
    assert_eq!((&of("exact")[0]["nodes"], &of("exact")[0]["solved"]), (&1.into(), &true.into()));
    assert_eq!(of("exact")[0]["trajectory"], serde_json::Value::Null);
    assert_eq!(of("swarm")[0]["nodes"], serde_json::Value::Null);
}

#[test]
fn a_bad_puzzle_is_reported_and_the_others_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mixed.txt");
    let conflict = format!("11{}", ".".repeat(79));
    fs::write(&file, format!("{EASY}\n{conflict}\n{}\n{EASY}\n", ".".repeat(80))).unwrap();
    let options = ["-a", "swarm", "--runs", "2", "--seed", "1", "--json"];
    let output = swarmdoku(&[&["compare", "-f", file.to_str().unwrap()], &options[..]].concat());
    assert_eq!((output.status.code(), json_without_times(&output).len()), (Some(3), 2));
    assert!(err(&output).contains("mixed.txt:2: conflicting givens"), "{}", err(&output));
    assert!(err(&output).contains("mixed.txt:3:"), "{}", err(&output));
    let no_digit_left = format!("12345678.{}........9{}", ".".repeat(9), ".".repeat(54));
    fails(&[&["compare", &no_digit_left, EASY], &options[..]].concat(), 3, "PUZZLE 1:1: the puzzle has no solution");
}

#[test]
fn wrong_usage_ends_with_2_and_bad_files_with_3() {
    for (arguments, part) in [
        (&["compare"][..], "PUZZLE"),
        (&["compare", EASY, "-a", "newton"], "newton"),
        (&["compare", EASY, "--runs", "0"], "0"),
        (&["compare", EASY, "--evaluations", "10"], "evaluations is 10"),
        (&["solve", "-f", "x.txt", "--plot", "x.svg"], "--index"),
    ] {
        fails(arguments, 2, part);
    }
    fails(&["compare", "-f", "no/such/file.txt"], 3, "No such file");
}

#[test]
fn plots_are_well_formed_and_show_every_curve() {
    let folder = tempfile::tempdir().unwrap();
    let (compared, solved) = (folder.path().join("compared.svg"), folder.path().join("solved.svg"));
    let output = swarmdoku(&[FIXED, &["--seed", "1", "--plot", compared.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let texts = texts_of(&fs::read_to_string(compared).unwrap());
    for part in ["swarm (6 runs)", "random-key (6 runs)", "evaluations (candidates scored by a run)", "best total"] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part}: {texts:?}");
    }
    let output = swarmdoku(&["solve", EASY, "--seed", "1", "--plot", solved.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let texts = texts_of(&fs::read_to_string(solved).unwrap());
    assert!(texts.contains(&"anneal, seed 1: best 0 (solved)".to_string()), "{texts:?}");
}

#[test]
fn a_plot_that_cannot_be_written_is_noticed_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no").join("plot.svg");
    for command in [&["compare", EASY][..], &["solve", EASY]] {
        let arguments = [command, &["--plot", path.to_str().unwrap()]].concat();
        fails(&arguments, 5, "plot.svg");
        assert_eq!(out(&swarmdoku(&arguments)), "");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_complete_and_ends_with_130() {
    let endless = ".".repeat(625);
    let arguments = ["compare", EASY, &endless, "-a", "swarm", "--runs", "2", "--evaluations", "1e12", "--seed", "1"];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert_eq!(row(&out(&output), "puzzle 1", "swarm")[1], "2 of 2");
    assert!(!out(&output).contains("of 4"), "{}", out(&output));
}

/// The texts of an SVG, whose tags must nest. No general XML parser: plots hold elements, attributes and texts alone.
fn texts_of(svg: &str) -> Vec<String> {
    let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), svg.trim());
    assert!(rest.starts_with("<svg "));
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        texts.extend((!text.trim().is_empty()).then(|| text.trim().to_string()));
        let (tag, after) = after.split_once('>').expect("a tag ends");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_matches('/').split_whitespace().next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = after;
    }
    assert!(open.is_empty() && rest.is_empty(), "{open:?} {rest}");
    texts
}
