//! `check`, `generate` and the algorithms without a population, as a user meets them.

mod shell;

use std::time::{Duration, Instant};

use shell::{err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const EASY_SOLUTION: &str = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";
const TUTORIAL: &str = "530070000600150000000000000000000000000010000000000000000000000000000000000000000";
const INKALA_2012: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const ANTI_BRUTE_FORCE: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
const NO_DIGIT_LEFT: &str = "12345678...................9......................................................";

/// Asserts the exit code and gives standard output.
fn ends(arguments: &[&str], code: i32) -> String {
    let output = swarmdoku(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", out(&output), err(&output));
    out(&output)
}

fn json(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn file(name: &str, contents: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

#[test]
fn check_finds_one_solution_and_how_hard_it_is() {
    let text = ends(&["check", EASY], 0);
    for part in
        ["exactly one solution, proved in 1 node", "45 givens of 81 cells", "not minimal", "easy", EASY_SOLUTION]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let hard = &json(&ends(&["check", INKALA_2012, "--json"], 0))[0];
    assert_eq!((&hard["solutions"], &hard["givens"], &hard["minimal"]), (&"one".into(), &21.into(), &true.into()));
    assert_eq!((&hard["difficulty"], &hard["limit"]), (&"expert".into(), &serde_json::Value::Null));
    assert!(ends(&["check", EASY_SOLUTION], 0).contains("no free cell"));
}

#[test]
fn check_says_of_the_tutorial_grid_that_it_has_several_solutions() {
    let text = ends(&["check", TUTORIAL], 1);
    assert!(text.contains("several solutions, at least 1,000: the limit --solutions 1000 was reached"), "{text}");
    let few = &json(&ends(&["check", TUTORIAL, "--solutions", "2", "--json"], 1))[0];
    assert_eq!((&few["found"], &few["limit"], &few["difficulty"]), (&2.into(), &"solutions".into(), &().into()));
}

#[test]
fn check_shows_two_solutions_and_marks_where_they_differ() {
    let text = ends(&["check", "1234341221434321".replacen("2143", "2.4.", 1).replacen("4321", "4.2.", 1).as_str()], 1);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("2 solutions"), "{text}");
    assert_eq!(lines[2..5], ["  1234341221434321", "  1234341223414123", "           ^ ^ ^ ^"]);
    assert!(text.contains("│ 2  1* │ 4  3* │") && text.contains("they differ in 4 marked cells"), "{text}");
    let record = &json(&ends(&["check", "12343412........", "--json"], 1))[0];
    assert_eq!(record["shown"].as_array().unwrap().len(), 2);
    let cells = serde_json::json!([[3, 2], [3, 4], [4, 2], [4, 4]]);
    let two = &json(&ends(&["check", "123434122.4.4.2.", "--json"], 1))[0];
    assert_eq!((&two["differing"], &two["found"], &two["limit"]), (&cells, &2.into(), &().into()));
}

#[test]
fn check_says_why_there_is_no_solution() {
    let puzzle = format!("12345678.{}........9{}", ".".repeat(9), ".".repeat(54));
    assert_eq!(&puzzle[..9], &NO_DIGIT_LEFT[..9]);
    let text = ends(&["check", &puzzle], 1);
    assert!(text.contains("no solution: row 1, column 9 has no digit left"), "{text}");
    let record = &json(&ends(&["check", &INKALA_2012.replacen("8.", "82", 1), "--json"], 1))[0];
    assert_eq!((&record["solutions"], &record["found"]), (&"none".into(), &0.into()));
}

#[test]
fn check_refuses_conflicting_givens_with_their_unit() {
    fails(&["check", &format!("11{}", ".".repeat(79))], 3, "conflicting givens: 1 stands twice in row 1");
    let row = ".99..5.1.85.4....2432......1...69.83.9.....6.62.71...9......1945....4.37.4.3..6..";
    fails(&["check", row], 3, "9 stands twice in row 1, at row 1, column 2 and at row 1, column 3");
    fails(&["check", "1...1..........."], 3, "1 stands twice in column 1");
    fails(&["check", "1....1.........."], 3, "1 stands twice in block 1");
    fails(&["check", "12"], 3, "expected");
    fails(&["check"], 2, "PUZZLE");
    fails(&["check", EASY, "--solutions", "1"], 2, "at least 2");
}

#[test]
fn check_ends_at_a_limit_and_names_it() {
    let empty = ".".repeat(625);
    for (options, part) in [
        (&["--nodes", "100"][..], "then the limit --nodes 100 was reached"),
        (&["--timeout", "0"], "the limit --timeout 0 s was reached"),
        (&[], "the limit --"),
    ] {
        let started = Instant::now();
        let text = ends(&[&["check", &empty][..], options].concat(), 1);
        assert!(text.contains(part), "{options:?}: {text}");
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn check_goes_through_a_file_and_the_worst_counts() {
    let (_folder, mixed) = file("mixed.txt", &format!("{EASY}\n11{}\n{TUTORIAL}\n", ".".repeat(79)));
    let output = swarmdoku(&["check", "-f", &mixed]);
    assert_eq!(output.status.code(), Some(3));
    assert!(out(&output).contains("puzzle 1, ") && out(&output).contains("puzzle 3, "), "{}", out(&output));
    assert!(err(&output).contains("mixed.txt:2: conflicting givens"), "{}", err(&output));
    let (_folder, good) = file("good.txt", &format!("{EASY}\n{INKALA_2012}\n"));
    assert_eq!(json(&ends(&["check", "-f", &good, "--json"], 0)).len(), 2);
    fails(&["check", "-f", "no/such/file"], 3, "No such file");
}

#[test]
fn solve_without_a_population_reports_its_nodes() {
    for (algorithm, nodes) in [("backtracking", 49_559), ("exact", 79)] {
        let record = &json(&ends(&["solve", INKALA_2012, "-a", algorithm, "--json"], 0))[0];
        assert_eq!((&record["algorithm"], &record["nodes"]), (&algorithm.into(), &nodes.into()));
        assert_eq!(
            (&record["stop"], &record["solved"], &record["evaluations"]),
            (&"solved".into(), &true.into(), &0.into())
        );
        assert_eq!((&record["score"], &record["seed"], &record["trajectory"]), (&().into(), &().into(), &().into()));
        let text = ends(&["solve", EASY, "-a", algorithm], 0);
        assert!(text.contains(EASY_SOLUTION) && text.contains("nodes in"), "{text}");
    }
}

#[test]
fn its_record_has_the_fields_of_every_record_and_nodes() {
    let keys = |options: &[&str]| {
        let record = &json(&ends(&[&["solve", EASY, "--json", "--quiet"], options].concat(), 0))[0];
        record.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<String>>()
    };
    let mut expected = keys(&["-a", "swarm", "--seed", "1"]);
    expected.insert("nodes".into());
    assert_eq!(keys(&["-a", "exact"]), expected);
}

#[test]
fn solve_without_a_population_ends_at_its_limits() {
    for (options, stop) in [(["--nodes", "1000"], "nodes"), (["--timeout", "0"], "timeout")] {
        let arguments = [&["solve", ANTI_BRUTE_FORCE, "-a", "backtracking", "--json"][..], &options].concat();
        assert_eq!(json(&ends(&arguments, 1))[0]["stop"], stop);
    }
    let spoilt = INKALA_2012.replacen("8.", "82", 1);
    for algorithm in ["backtracking", "exact"] {
        let output = swarmdoku(&["solve", &spoilt, "-a", algorithm, "--json"]);
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(json(&out(&output))[0]["stop"], "unsolvable");
        assert!(err(&output).contains("PUZZLE: the puzzle has no solution"), "{}", err(&output));
    }
}

#[test]
fn solve_without_a_population_refuses_what_it_does_not_use() {
    for option in
        [&["--population", "10"][..], &["--epochs", "5"], &["--rule", "seed"], &["--backend", "cpu"], &["--trace", "x"]]
    {
        for algorithm in ["backtracking", "exact"] {
            let name = format!("{} is s", &option[0][2..]);
            fails(&[&["solve", EASY, "-a", algorithm][..], option].concat(), 2, &name);
        }
    }
    fails(&["solve", EASY, "--nodes", "5"], 2, "nodes is set, but anneal does not use it; backtracking and exact do");
}

#[test]
fn a_seed_is_accepted_by_every_algorithm() {
    for algorithm in ["anneal", "swarm", "genetic", "backtracking", "exact"] {
        ends(&["solve", EASY, "-a", algorithm, "--seed", "1"], 0);
    }
}

#[test]
fn solve_without_a_population_goes_through_a_file() {
    let (_folder, mixed) = file("mixed.txt", &format!("{EASY}\n11{}\n{INKALA_2012}\n", ".".repeat(79)));
    let output = swarmdoku(&["solve", "-a", "exact", "-f", &mixed]);
    assert_eq!(output.status.code(), Some(3));
    assert!(out(&output).lines().last().unwrap().starts_with("2 of 2 solved, 1 refused; "), "{}", out(&output));
    assert_eq!(ends(&["solve", "-a", "exact", "-f", &mixed, "--index", "3", "--json"], 0).lines().count(), 1);
    fails(&["solve", "-a", "exact", "-f", &mixed, "--index", "9"], 2, "index is 9");
}

#[test]
fn generate_gives_the_same_for_any_number_of_threads() {
    let one = ends(&["generate", "--seed", "7", "--count", "150", "--threads", "1"], 0);
    let two = ends(&["generate", "--seed", "7", "--count", "150", "--threads", "3"], 0);
    assert_eq!(one.lines().count(), 150);
    assert_eq!(one, two);
    let ten = ends(&["generate", "--seed", "7", "--count", "10"], 0);
    assert!(one.starts_with(&ten), "a puzzle does not depend on how many are made");
}

#[test]
fn generated_lines_are_read_back_and_checked() {
    for options in
        [&["--difficulty", "hard"][..], &["--shape", "16x16"], &["--shape", "6x6:3x2"], &["--symmetry", "rotational"]]
    {
        let lines = ends(&[&["generate", "--count", "3", "--seed", "1"][..], options].concat(), 0);
        let (_folder, path) = file("generated.txt", &lines);
        let shape = if options[0] == "--shape" { options } else { &[] };
        let checked = json(&ends(&[&["check", "--json", "-f", &path][..], shape].concat(), 0));
        assert_eq!(checked.len(), 3);
        if options[0] == "--difficulty" {
            assert!(checked.iter().all(|record| record["difficulty"] == "hard"));
        }
    }
}

#[test]
fn generate_tells_all_as_json() {
    let made = &json(&ends(&["generate", "--seed", "3", "--json", "--minimal"], 0))[0];
    assert_eq!(
        (&made["seed"], &made["index"], &made["symmetry"], &made["shape"]),
        (&3.into(), &0.into(), &"none".into(), &"9x9".into())
    );
    let checked = &json(&ends(&["check", made["puzzle"].as_str().unwrap(), "--json"], 0))[0];
    assert_eq!((&checked["minimal"], &checked["givens"]), (&true.into(), &made["givens"]));
    assert_eq!((&checked["shown"][0], &checked["nodes"]), (&made["solution"], &made["nodes"]));
    assert_eq!(checked["difficulty"], made["difficulty"]);
    let full = ends(&["generate", "--full", "--count", "2", "--shape", "12x12"], 0);
    assert!(full.lines().count() == 2 && !full.contains('.'), "{full}");
}

#[test]
fn a_request_that_cannot_be_met_ends_in_time_with_the_nearest() {
    let started = Instant::now();
    let output = swarmdoku(&["generate", "--givens", "16", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&output), "");
    let message = err(&output);
    for part in [
        "no puzzle with 16 givens was found in 1000 attempts",
        "at least 17 givens: use a larger --givens",
        "the nearest has ",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
    fails(&["generate", "--givens", "16", "--seed", "1", "--timeout", "0"], 1, "in 0 attempts");
}

#[test]
fn generate_refuses_what_cannot_be() {
    fails(&["generate", "--givens", "82"], 2, "givens is 82");
    fails(&["generate", "--givens", "101", "--shape", "16x16", "--symmetry", "mirror"], 2, "even");
    fails(&["generate", "--difficulty", "evil"], 2, "easy");
    fails(&["generate", "--full", "--givens", "30"], 2, "--givens");
    fails(&["generate", "--shape", "3x3"], 2, "write 9x9");
}
