//! Values of a folder that are changed behind the program's back: each change is refused, or no figure knows of it.

use std::fs;
use std::path::Path;

use swarmdoku::report::Report;

use crate::folder::Folder;
use crate::shell::{err, fails, swarmdoku};

const PLAN: &str = r#"
name = "changes"
seed = SEED
runs = 3

[budget]
evaluations = 3000

[[puzzles]]
name = "easy"
puzzle = "902005403100063025508407060026309001057010290090670530240530600705200304080041950"

[[puzzles]]
name = "hard"
puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

[[algorithm]]
algorithm = "anneal"

[[algorithm]]
algorithm = "genetic"
population = 64
"#;

const FILES: [&str; 3] = ["runs.jsonl", "traces.jsonl", "manifest.json"];

/// The files of a folder, in the order of [`FILES`].
type Files = [String; 3];

/// The files of an experiment with this master seed.
fn experiment(folder: &Path, seed: &str) -> Files {
    let (plan, into) = (folder.join("plan.toml"), folder.join(seed));
    fs::write(&plan, PLAN.replace("SEED", seed)).unwrap();
    let [plan, output] = [&plan, &into].map(|path| path.to_str().unwrap());
    let output = swarmdoku(&["run", plan, "-o", output, "--backend", "cpu", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    FILES.map(|file| fs::read_to_string(into.join(file)).unwrap())
}

/// The figures of a folder with these files, as text, or the refusal.
fn figures(folder: &Path, files: &Files) -> Result<String, String> {
    FILES.iter().zip(files).for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
    let report = Report::read(folder).map_err(|error| error.to_string())?;
    let table = |table: &swarmdoku::report::table::Table| format!("{} {:?}\n", table.id, table.rows);
    Ok(report.tables().into_iter().map(table).collect())
}

/// Numbers that are not in step with anything; any others would do.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((mixed ^ (mixed >> 29)) % most as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The places of the values in JSON: strings without their quotes, numbers, `true`, `false` and `null`, but no keys.
fn values(json: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = json.as_bytes();
    let (mut values, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at = start + 1 + json[start + 1..].find('"').unwrap();
                if bytes.get(at + 1) != Some(&b':') && at > start + 1 {
                    values.push(start + 1..at);
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(byte)) {
                    at += 1;
                }
                values.push(start..at);
            }
            _ => at += 1,
        }
    }
    values
}

/// Another value of the same kind, or null.
fn changed(value: &str, draws: &mut Draws) -> String {
    match value {
        "true" => "false".into(),
        "false" => "true".into(),
        "null" => draws.of(&["0", "1", "17"]).to_string(),
        _ if value.parse::<f64>().is_ok() && draws.below(4) == 0 => "null".into(),
        _ => {
            let place = draws.below(value.len());
            let sign = *draws.of(b"0123456789");
            let mut bytes = value.as_bytes().to_vec();
            bytes[place] = if bytes[place] == sign { b'0' + (sign - b'0' + 1) % 10 } else { sign };
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

/// The same files with one change.
fn with_change(files: &Files, others: &Files, draws: &mut Draws) -> Files {
    let mut files = files.clone();
    let file = *draws.of(&[0, 0, 0, 1, 1, 2]);
    let mut lines: Vec<String> = files[file].lines().map(String::from).collect();
    let (one, two) = (draws.below(lines.len()), draws.below(lines.len()));
    match draws.below(10) {
        0 if file < 2 => lines.swap(one, two),
        1 if file < 2 => lines[one] = others[file].lines().nth(two).unwrap().to_owned(),
        2 if file < 2 => lines.push(others[file].lines().nth(two).unwrap().to_owned()),
        3 if file < 2 => {
            // A value of one row in another one.
            let (from, to) = (values(&lines[two]), values(&lines[one]));
            let field = draws.below(from.len().min(to.len()));
            let value = lines[two][from[field].clone()].to_owned();
            lines[one].replace_range(to[field].clone(), &value);
        }
        _ => {
            let text = lines.join("\n");
            let place = draws.of(&values(&text)).clone();
            let value = changed(&text[place.clone()], draws);
            files[file] = text[..place.start].to_owned() + &value + &text[place.end..] + "\n";
            return files;
        }
    }
    files[file] = lines.join("\n") + "\n";
    files
}

/// `CHANGES=10000` makes as many.
#[test]
fn a_change_of_a_value_is_refused_or_no_figure_knows_of_it() {
    let changes = std::env::var("CHANGES").map_or(150, |number| number.parse().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    let (files, others) = (experiment(scratch.path(), "1"), experiment(scratch.path(), "2"));
    let folder = scratch.path().join("changed");
    fs::create_dir(&folder).unwrap();
    let before = figures(&folder, &files).unwrap();
    let (mut refused, mut without_effect, mut draws) = (0, 0, Draws(10));
    for _ in 0..changes {
        let changed = with_change(&files, &others, &mut draws);
        match figures(&folder, &changed) {
            Err(_) => refused += 1,
            Ok(after) if after == before => without_effect += 1,
            Ok(after) => {
                let differs = |(one, other): (&String, &String)| (one != other).then(|| other.clone());
                let changed: Vec<String> = files.iter().zip(&changed).filter_map(differs).collect();
                panic!("a figure changed:\n{before}\n{after}\n{}", changed.join("\n"));
            }
        }
    }
    println!("{changes} changes: {refused} refused, {without_effect} without effect on any figure");
    assert!(refused > changes / 2 && without_effect > 0, "{refused} refused, {without_effect} without effect");
}

#[test]
fn a_row_that_claims_what_it_cannot_have_done_is_refused_with_its_line() {
    let mut folder = Folder::new(&[("v", 20)], &["first"], 2);
    folder.run("v", "first", &[(10, 30), (900, 5)], 1000);
    folder.run("v", "first", &[(10, 40), (1000, 0)], 1000);
    let text = fs::read_to_string(folder.write().file("runs.jsonl")).unwrap();
    let trace = fs::read_to_string(folder.file("traces.jsonl")).unwrap();
    let path = folder.path().to_str().unwrap();
    fails(&["report", path, "-o", "-"], 0, "2 of 2 runs are in the folder");
    for (from, to, part) in [
        ("\"solution\":\"96", "\"solution\":\"69", "runs.jsonl:2: solution does not solve the puzzle"),
        ("\"solved\":false", "\"solved\":true", "runs.jsonl:1: solved is true"),
        ("\"stop\":\"solved\"", "\"stop\":\"evaluations\"", "runs.jsonl:2: solved is true"),
        (
            "\"stop\":\"evaluations\"",
            "\"stop\":\"epochs\"",
            "runs.jsonl:1: stop is `epochs`, but the budget has no epochs",
        ),
        ("\"total\":5", "\"total\":4", "runs.jsonl:1: score.total is not the sum"),
        (
            "\"rows\":5,\"columns\":0,\"blocks\":0,\"total\":5",
            "\"rows\":0,\"columns\":0,\"blocks\":0,\"total\":0",
            "solved is false",
        ),
        (
            "\"rows\":5,\"columns\":0,\"blocks\":0,\"total\":5",
            "\"rows\":4,\"columns\":0,\"blocks\":0,\"total\":4",
            "ends with the total 5",
        ),
        ("\"evaluations\":1000", "\"evaluations\":60000", "runs.jsonl:1: evaluations is 60000, but the budget"),
        ("\"puzzle\":\"9", "\"puzzle\":\".", "runs.jsonl:1: puzzle is"),
        (
            "\"best\":null",
            "\"best\":\"962185473174963825538427169826359741357814296491672538249538617715296384683741952\"",
            "runs.jsonl:1: score is not that of the grid",
        ),
        ("\"nodes\":null", "\"nodes\":5", "runs.jsonl:1: nodes is"),
        ("\"wall_s\":null", "\"wall_s\":5.0", "runs.jsonl:1: wall_s is"),
        ("\"seed\":", "\"seed\":1", "runs.jsonl:1: this run's seed should be"),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        fs::write(folder.file("runs.jsonl"), text.replacen(from, to, 1)).unwrap();
        fails(&["report", path], 3, part);
        fails(&["merge", path, "-o", folder.file("joined").to_str().unwrap()], 3, part);
    }
    fs::write(folder.file("runs.jsonl"), &text).unwrap();
    fs::write(folder.file("traces.jsonl"), trace.replace("1000,0]", "999,0]")).unwrap();
    fails(&["report", path], 3, "traces.jsonl:2: this trace ends at 999 evaluations");
    let manifest = fs::read_to_string(folder.file("manifest.json")).unwrap();
    fs::write(folder.file("manifest.json"), manifest.replace("50000", "60000")).unwrap();
    fails(&["report", path], 3, "manifest.json: the plan is not the one whose hash is in plan_hash");
}
