//! The command line as a user meets it: what it prints, where, and the exit code.

mod shell;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use shell::{command, err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
const EASY_SOLUTION: &str = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";
const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn json_lines(output: &Output) -> Vec<serde_json::Value> {
    out(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file in a folder of its own that lives as long as the value.
struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.folder.path().join(name);
        fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_string()
    }
}

/// A `.npy` file with this header dictionary.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut header = header.to_string();
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

#[test]
fn solve_prints_the_solution_and_what_it_took() {
    let output = swarmdoku(&["solve", EASY]);
    assert_eq!(output.status.code(), Some(0));
    let text = out(&output);
    assert!(text.lines().any(|line| line == EASY_SOLUTION), "{text}");
    assert!(text.contains("solved: ") && text.contains("evaluations") && text.contains("trajectory"), "{text}");
    assert!(err(&output).contains("annealing of 32 chains"), "says what it picked: {}", err(&output));
}

#[test]
fn a_printed_seed_repeats_the_run_on_any_host_backend_and_number_of_threads() {
    let first = swarmdoku(&["solve", EASY, "--rule", "seed", "--json"]);
    let [first] = &json_lines(&first)[..] else { panic!("one object") };
    let seed = first["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53);
    for options in [&["--backend", "scalar"][..], &["--threads", "1"], &["--backend", "cpu", "--threads", "2"]] {
        let seed = seed.to_string();
        let fixed = ["solve", EASY, "--rule", "seed", "--json", "--seed", &seed];
        let again = swarmdoku(&[&fixed[..], options].concat());
        assert_eq!(json_lines(&again)[0]["trajectory"], first["trajectory"], "{options:?}");
    }
}

#[test]
fn each_genetic_algorithm_solves_by_its_name_and_repeats_on_another_backend() {
    for name in ["ga-naive", "ga-columns", "genetic"] {
        let fixed = ["solve", EASY, "-a", name, "--json", "--seed", "2"];
        let [first] = &json_lines(&swarmdoku(&fixed))[..] else { panic!("one object") };
        assert_eq!((&first["algorithm"], &first["solution"]), (&name.into(), &EASY_SOLUTION.into()));
        let again = swarmdoku(&[&fixed[..], &["--backend", "scalar"]].concat());
        assert_eq!(json_lines(&again)[0]["trajectory"], first["trajectory"], "{name}");
    }
}

#[test]
fn json_has_the_promised_fields() {
    let output = swarmdoku(&["solve", EASY, "--rule", "seed", "--seed", "1", "--json", "--quiet"]);
    let [record] = &json_lines(&output)[..] else { panic!("one object") };
    assert_eq!(record["puzzle"], EASY.replace('0', "."));
    assert_eq!(record["trajectory"], "f3406f8290d4dfb3");
    for (field, value) in [
        ("shape", serde_json::json!("9x9")),
        ("algorithm", "swarm".into()),
        ("backend", "cpu".into()),
        ("seed", 1.into()),
        ("solved", true.into()),
        ("evaluations", 17_600.into()),
        ("epochs", 87.into()),
        ("restarts", 1.into()),
        ("stop", "solved".into()),
        ("solution", EASY_SOLUTION.into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("score", serde_json::json!({"rows": 0, "columns": 0, "blocks": 0, "total": 0})),
    ] {
        assert_eq!(record[field], value, "{field}");
    }
    assert_eq!(record["parameters"]["population"], 200);
    assert!(record["adapter"].is_string() && record["backend_reason"].is_string());
    assert!(record["wall_s"].as_f64().unwrap() > 0.0 && record["evaluations_per_s"].as_f64().unwrap() > 0.0);
    assert_eq!(err(&output), "");
}

#[test]
fn an_unsolved_puzzle_ends_with_1_and_its_best_grid() {
    let output = swarmdoku(&["solve", HARD, "--evaluations", "50_000", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("not solved (evaluations), best "), "{}", out(&output));
}

#[test]
fn a_run_that_converges_stops_and_says_so_with_its_errors_by_type() {
    let output = swarmdoku(&["solve", HARD, "--rule", "seed", "--patience", "40", "--threshold", "1", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let text = out(&output);
    assert!(text.contains("not solved (converged), best ") && text.contains(", blocks 0)"), "{text}");
}

#[test]
fn every_algorithm_solves_an_easy_puzzle() {
    for algorithm in ["swarm", "hybrid", "anneal"] {
        let output = swarmdoku(&["solve", EASY, "-a", algorithm, "--seed", "1", "--json", "--quiet"]);
        let record = &json_lines(&output)[0];
        assert_eq!((&record["algorithm"], &record["solution"]), (&algorithm.into(), &EASY_SOLUTION.into()));
    }
}

#[test]
fn a_trace_has_a_row_an_improvement_and_ends_at_the_best() {
    let scratch = Scratch::new();
    let file = scratch.file("trace.csv", "old");
    let solve = ["solve", EASY, "--rule", "seed", "--seed", "1", "--trace"];
    assert_eq!(swarmdoku(&[&solve[..], &[&file]].concat()).status.code(), Some(0));
    let trace = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    assert_eq!(lines[0], "restart,epoch,evaluations,rows,columns,blocks,total");
    assert_eq!((lines.len() > 3, *lines.last().unwrap()), (true, "0,87,17600,0,0,0,0"));
}

#[test]
fn a_trace_that_cannot_be_written_ends_with_5_before_the_search() {
    fails(&["solve", HARD, "--trace", "no/such/folder/trace.csv"], 5, "no/such/folder/trace.csv: No such file");
    let scratch = Scratch::new();
    let puzzles = scratch.file("puzzles.txt", format!("{EASY}\n{EASY}\n"));
    fails(&["solve", "-f", &puzzles, "--trace", "trace.csv"], 2, "--file with --index");
    if cfg!(target_os = "linux") {
        fails(&["solve", EASY, "--trace", "/dev/full"], 5, "/dev/full: No space left");
    }
}

#[test]
fn a_full_valid_grid_is_solved_with_0_evaluations() {
    let output = swarmdoku(&["solve", EASY_SOLUTION, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let record = &json_lines(&output)[0];
    assert_eq!((&record["evaluations"], &record["solved"]), (&0.into(), &true.into()));
    assert_eq!(record["evaluations_per_s"], serde_json::Value::Null);
}

#[test]
fn a_file_is_solved_puzzle_by_puzzle_with_a_summary_and_bad_ones_do_not_stop_it() {
    let scratch = Scratch::new();
    let good = scratch.file("good.txt", format!("{EASY}\n{EASY}\n"));
    let output = swarmdoku(&["solve", "-f", &good]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(out(&output).matches(EASY_SOLUTION).count(), 2);
    assert!(out(&output).lines().last().unwrap().starts_with("2 of 2 solved; "), "{}", out(&output));

    let mixed = scratch.file("mixed.txt", format!("{EASY}\n11{}\n{}\n{EASY}\n", ".".repeat(79), ".".repeat(80)));
    let output = swarmdoku(&["solve", "-f", &mixed]);
    assert_eq!(output.status.code(), Some(3));
    assert!(out(&output).lines().last().unwrap().starts_with("2 of 2 solved, 2 refused; "), "{}", out(&output));
    assert!(err(&output).contains("mixed.txt:2: conflicting givens: 1 stands twice in row 1"), "{}", err(&output));
    assert!(err(&output).contains("mixed.txt:3:"), "{}", err(&output));

    let third = swarmdoku(&["solve", "-f", &mixed, "--index", "4", "--json", "--quiet"]);
    assert_eq!((third.status.code(), json_lines(&third).len()), (Some(0), 1));
    fails(&["solve", "-f", &good, "--index", "9"], 2, "index is 9");
}

#[test]
fn bad_puzzles_each_have_their_own_message() {
    let with = |cells: &[(usize, char)]| {
        let mut text = vec!['.'; 81];
        cells.iter().for_each(|(cell, digit)| text[*cell] = *digit);
        text.into_iter().collect::<String>()
    };
    let no_digit_left = format!("12345678.{}........9{}", ".".repeat(9), ".".repeat(54));
    for (puzzle, part) in [
        (".".repeat(80), "80"),
        (".".repeat(82), "82"),
        (with(&[(5, 'Q')]), "`Q`"),
        (with(&[(0, '7'), (8, '7')]), "7 stands twice in row 1, at row 1, column 1 and at row 1, column 9"),
        (with(&[(4, '3'), (76, '3')]), "3 stands twice in column 5"),
        (with(&[(60, '2'), (80, '2')]), "2 stands twice in block 9"),
        (no_digit_left, "row 1, column 9 has no digit left"),
        (String::new(), "the input is empty"),
    ] {
        fails(&["solve", &puzzle], 3, part);
    }
}

#[test]
fn unsolvable_puzzles_are_recorded_as_such() {
    let unsolvable = format!("12345678.{}........9{}", ".".repeat(9), ".".repeat(54));
    let output = swarmdoku(&["solve", &unsolvable, "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let record = &json_lines(&output)[0];
    assert_eq!(
        (&record["stop"], &record["solved"], &record["evaluations"]),
        (&"unsolvable".into(), &false.into(), &0.into())
    );
}

#[test]
fn bad_files_each_have_their_own_message() {
    let scratch = Scratch::new();
    let folder = scratch.folder.path().to_str().unwrap().to_string();
    let spaces = scratch.file("spaces.txt", vec![b' '; 4 << 20]);
    for (file, part) in [
        (scratch.file("empty.txt", ""), "empty"),
        (folder, "directory"),
        (scratch.file("binary.txt", [0, 159, 146, 150, 0, 1]), "binary"),
        ("no/such/file.txt".into(), "No such file"),
        (spaces, "spaces.txt:1:"),
    ] {
        fails(&["solve", "-f", &file], 3, part);
        fails(&["score", &file], 3, part);
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    let empty_25x25 = ".".repeat(625);
    for (arguments, part) in [
        (&["solve"][..], "PUZZLE"),
        (&["solve", EASY, "--population", "0"], "population is 0"),
        (&["solve", &empty_25x25, "--population", "2e9", "--evaluations", "1e12"], "this machine's memory"),
        (&["verify", "--count", "0"], "at least 1 candidate"),
        (&["verify", "--count", "1e12"], "at most 4294967295 candidates"),
        (&["solve", EASY, "--temperature", "1", "--acceptance", "strict"], "temperature is 1"),
        (&["solve", EASY, "--shape", "3x3"], "write 9x9"),
        (&["solve", EASY, "--adapter", "x"], "--backend gpu"),
        (&["solve", EASY, "--backend", "cpu", "--allow-software"], "--backend gpu"),
        (&["solve", EASY, "--threads", "0"], "--threads"),
        (&["solve", EASY, "--index", "1"], "--index"),
        (
            &["solve", EASY, "-a", "anneal", "--worker-ratio", "0.9"],
            "worker-ratio is set, but anneal does not use it; swarm and hybrid do",
        ),
        (&["solve", EASY, "--threshold", "1"], "--patience"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        fails(arguments, 2, part);
    }
}

#[test]
fn an_adapter_that_does_not_exist_ends_with_4() {
    fails(&["solve", EASY, "--backend", "gpu", "--adapter", "no such adapter"], 4, "no such adapter");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_ends_with_5() {
    for arguments in [&["solve", EASY][..], &["verify", "--count", "10", "--backend", "cpu"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains("standard output: No space left"), "{}", err(&output));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_lets_the_epoch_end_and_keeps_what_was_found() {
    let budget = ["--evaluations", "1e12", "--acceptance", "strict", "--seed", "1", "--json"];
    let mut solve = command(&[&["solve", HARD][..], &budget].concat());
    let child = solve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let record = &json_lines(&output)[0];
    assert_eq!((&record["stop"], &record["solved"]), (&"interrupted".into(), &false.into()));
    assert!(record["evaluations"].as_u64().unwrap() > 0);
}

#[test]
fn score_reads_text_and_npy_and_writes_the_same_scores() {
    let scratch = Scratch::new();
    let digits = |text: &str| text.bytes().map(|byte| byte - b'0').collect::<Vec<u8>>();
    let candidates = [EASY_SOLUTION.to_string(), EASY.to_string(), "5".repeat(81)];
    let text = scratch.file("candidates.txt", candidates.join("\n"));
    let data = candidates.iter().flat_map(|text| digits(text)).collect::<Vec<u8>>();
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 81), }";
    let array = scratch.file("candidates.npy", npy(header, &data));
    let expected = "rows,columns,blocks,total\n0,0,0,0\n36,36,36,108\n72,72,72,216\n";
    for file in [&text, &array] {
        let output = swarmdoku(&["score", file]);
        assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), expected));
    }
    let output = swarmdoku(&["score", &array, "--puzzle", EASY, "--format", "json"]);
    let solved: Vec<bool> = json_lines(&output).iter().map(|row| row["solved"].as_bool().unwrap()).collect();
    assert_eq!(solved, [true, false, false]);
    let written = swarmdoku(&["score", &array, "--format", "npy"]).stdout;
    let array = npyz::NpyFile::new(&written[..]).unwrap();
    assert_eq!(array.shape(), [3, 4]);
    assert_eq!(array.into_vec::<u32>().unwrap(), [0, 0, 0, 0, 36, 36, 36, 108, 72, 72, 72, 216]);
}

#[test]
fn bad_npy_files_each_have_their_own_message() {
    let scratch = Scratch::new();
    let header = |descr: &str, fortran: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}")
    };
    let mut past_nine = vec![1; 81];
    past_nine[10] = 10;
    for (name, header, data, part) in [
        ("int64", header("<i8", "False", "(1, 81)"), vec![9; 648], "651061555542690057 at array[0, 0]"),
        ("float", header("<f4", "False", "(1, 81)"), vec![0; 324], "f4"),
        ("width", header("|u1", "False", "(1, 80)"), vec![0; 80], "80"),
        ("fortran", header("|u1", "True", "(2, 81)"), vec![0; 81], "81 values"),
        ("digits", header("|u1", "False", "(1, 81)"), past_nine, "10"),
        ("short", header("|u1", "False", "(2, 81)"), vec![1; 100], "cut short"),
        ("long", header("|u1", "False", "(1, 81)"), vec![1; 100], "after"),
    ] {
        let file = scratch.file(&format!("{name}.npy"), npy(&header, &data));
        fails(&["score", &file], 3, part);
    }
    let cut = scratch.file("cut.npy", b"\x93NUMPY\x01\x00\x76");
    fails(&["score", &cut], 3, "npy");
}

#[test]
fn verify_compares_and_says_how_many() {
    let output = swarmdoku(&["verify", "--count", "600", "--shape", "9x9", "--shape", "6x6", "--backend", "cpu"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("2,400 scores compared with the oracle, all equal"), "{}", out(&output));
}

#[test]
fn completions_complete_commands_and_options_and_other_shells_are_named() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = out(&swarmdoku(&["completions", shell]));
        assert!(["generate", "population", "swarmdoku"].iter().all(|word| script.contains(word)), "{shell}: {script}");
    }
    fails(&["completions", "sh"], 2, "powershell");
}

#[test]
fn help_names_every_command_and_exit_code() {
    let output = swarmdoku(&["--help"]);
    let text = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["Exit codes: 0 done", "130 interrupted"] {
        assert!(text.contains(part), "{part}");
    }
    let commands = [
        "solve",
        "compare",
        "run",
        "merge",
        "report",
        "check",
        "generate",
        "score",
        "verify",
        "bench",
        "algorithms",
        "devices",
        "completions",
    ];
    for command in commands {
        assert!(text.contains(&format!(" {command} ")), "{command}");
        assert_eq!(swarmdoku(&[command, "--help"]).status.code(), Some(0));
    }
    assert!(Path::new(env!("CARGO_BIN_EXE_swarmdoku")).exists());
}
