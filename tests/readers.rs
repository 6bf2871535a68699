//! Puzzles as the commands read them: from texts, drawings, tables and arrays, by all cores, in order.

mod shell;

use std::fs;

use shell::{err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const EASY_SOLUTION: &str = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";

/// A file that lives as long as the folder.
fn file(name: &str, contents: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, contents).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

/// An array of puzzles as 64-bit integers.
fn array(puzzles: &[&str]) -> Vec<u8> {
    let shape = format!("({}, 81)", puzzles.len());
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}");
    let data = puzzles.iter().flat_map(|puzzle| puzzle.bytes()).flat_map(|sign| i64::from(sign - b'0').to_le_bytes());
    let length = (header.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes()].concat().into_iter().chain(data).collect()
}

#[test]
fn arrays_are_read_by_check_and_solve() {
    let (_folder, path) = file("puzzles.npy", array(&[EASY, EASY_SOLUTION]));
    let output = swarmdoku(&["check", "-f", &path, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(out(&output).lines().filter(|line| line.contains(EASY_SOLUTION)).count(), 2);
    let output = swarmdoku(&["solve", "-f", &path, "--index", "1", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains(EASY_SOLUTION), "{}", out(&output));
}

#[test]
fn arrays_are_read_by_compare_and_by_plans() {
    let (folder, path) = file("puzzles.npy", array(&[EASY, EASY_SOLUTION]));
    let output = swarmdoku(&["compare", "-f", &path, "-a", "exact", "--seed", "1", "--json"]);
    assert_eq!((output.status.code(), out(&output).lines().count()), (Some(0), 2), "{}", err(&output));
    let plan = "name = \"array\"\nseed = 1\nruns = 1\n[budget]\nevaluations = 1e4\n[[puzzles]]\nfile = \"puzzles.npy\"\n\
                [[algorithm]]\nalgorithm = \"anneal\"\n";
    let plan_path = folder.path().join("plan.toml");
    fs::write(&plan_path, plan).unwrap();
    let output = swarmdoku(&["run", "--dry-run", plan_path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("puzzles-1") && out(&output).contains("puzzles-2"), "{}", out(&output));
}

#[test]
fn solve_goes_through_a_file_in_order_with_the_same_runs_on_any_number_of_threads() {
    let mut text = String::new();
    for puzzle in 0..40 {
        text += &match puzzle % 4 {
            0 => format!("{EASY_SOLUTION}\n"),
            1 => "11".to_string() + &".".repeat(79) + "\n",
            2 => format!("12345678.{}........9{}\n", ".".repeat(9), ".".repeat(54)),
            _ => format!("{EASY}\n"),
        };
    }
    let (_folder, path) = file("mixed.txt", text);
    for options in [&["-a", "anneal"][..], &["-a", "exact"], &["-a", "swarm", "--population", "70000"]] {
        let solve = |threads: &str| {
            let output = swarmdoku(
                &[&["solve", "-f", &path, "--seed", "1", "--json", "--quiet", "--threads", threads], options].concat(),
            );
            assert_eq!(output.status.code(), Some(3), "{}", err(&output));
            let record = |line: &str| {
                let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
                for key in ["wall_s", "evaluations_per_s"] {
                    record.as_object_mut().unwrap().remove(key);
                }
                record
            };
            (out(&output).lines().map(record).collect::<Vec<_>>(), err(&output))
        };
        let (one, three) = (solve("1"), solve("3"));
        assert_eq!((one.0.len(), one.1.lines().count()), (30, 20), "{options:?} {}", one.1);
        assert!(one == three, "{options:?}");
    }
}

#[test]
fn check_goes_through_a_file_in_order_whatever_each_puzzle_takes() {
    let mut text = String::new();
    for puzzle in 0..200 {
        // An empty grid takes longest, a bad one nothing.
        text += &match puzzle % 4 {
            0 => ".".repeat(81) + "\n",
            1 => "11".to_string() + &".".repeat(79) + "\n",
            _ => format!("{EASY}\n"),
        };
    }
    let (_folder, path) = file("mixed.txt", text);
    let one = swarmdoku(&["check", "-f", &path, "--json", "--threads", "1"]);
    let three = swarmdoku(&["check", "-f", &path, "--json", "--threads", "3"]);
    assert_eq!((one.status.code(), three.status.code()), (Some(3), Some(3)));
    assert_eq!((out(&one).lines().count(), err(&one).lines().count()), (150, 50));
    assert!(out(&one) == out(&three) && err(&one) == err(&three));
}

#[test]
fn a_drawing_decides_in_every_command_and_contradicts_the_shape_aloud() {
    let drawing = "12|34|56\n34|56|12\n56|12|34\n--+--+--\n21|43|65\n43|65|21\n65|21|4.\n";
    let (_folder, path) = file("tall.txt", drawing);
    assert!(out(&swarmdoku(&["check", "-f", &path])).contains("one solution"));
    assert!(out(&swarmdoku(&["solve", "-f", &path, "--json", "--seed", "1"])).contains("\"shape\":\"6x6:3x2\""));
    assert!(out(&swarmdoku(&["solve", drawing, "--json", "--seed", "1"])).contains("\"shape\":\"6x6:3x2\""));
    assert!(out(&swarmdoku(&["compare", drawing, "-a", "anneal", "--runs", "1", "--seed", "1"])).contains("anneal"));
    let output = swarmdoku(&["score", &path]);
    assert_eq!((out(&output).lines().last(), output.status.code()), (Some("1,1,1,3"), Some(0)));
    let both = "found a drawing of blocks of 3 rows x 2 columns (6x6:3x2), expected blocks of 2 rows x 3 columns (6x6)";
    for arguments in [
        &["check", "-f", &path, "--shape", "6x6"][..],
        &["solve", "-f", &path, "--shape", "6x6"],
        &["solve", drawing, "--shape", "6x6"],
        &["compare", drawing, "--shape", "6x6"],
        &["score", &path, "--shape", "6x6"],
    ] {
        fails(arguments, 3, both);
    }
}

#[test]
fn a_first_row_that_may_be_a_header_is_an_error_with_an_index_too() {
    let rows: String = EASY
        .as_bytes()
        .chunks(9)
        .map(|row| row.iter().map(|sign| char::from(*sign).to_string()).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    let (_folder, path) = file("table.csv", format!("0,1,2,3,4,5,6,7,8\n{rows}"));
    for index in [&[][..], &["--index", "1"]] {
        fails(&[&["solve", "-f", &path][..], index].concat(), 3, "remove line 1 if it is no row of the grid");
    }
    let (_folder, path) = file("names.csv", format!("c1,c2,c3,c4,c5,c6,c7,c8,c9\n{rows}"));
    assert!(out(&swarmdoku(&["check", "-f", &path])).contains("one solution"));
}

#[test]
fn other_rules_are_refused_by_every_command() {
    let jigsaw = "#DJigsaw\n".to_string() + "123......\n" + &".........\n".repeat(8);
    let (_folder, path) = file("jigsaw.sdk", &jigsaw);
    for command in ["check", "solve", "compare"] {
        fails(&[command, "-f", &path], 3, "a grid announced as `#DJigsaw` in line 1");
    }
}

#[test]
fn a_grade_does_not_contradict_itself() {
    let experts = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/9x9-expert.txt");
    let experts = fs::read_to_string(experts).unwrap();
    let hard = experts.lines().find(|line| line.len() == 81).unwrap();
    let text = out(&swarmdoku(&["check", hard]));
    assert!(
        text.contains("; expert (no technique from naked singles to jellyfish is enough; the hardest that helped: "),
        "{text}"
    );
    for (puzzle, suffices) in [(hard, "false"), (EASY, "true")] {
        let json = out(&swarmdoku(&["check", puzzle, "--json"]));
        assert!(json.contains(&format!("\"techniques_suffice\":{suffices}")), "{json}");
    }
}

#[test]
fn no_puzzles_at_all_are_not_generated() {
    fails(&["generate", "--count", "0"], 2, "count is 0, but must be at least 1");
}
