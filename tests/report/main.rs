//! `swarmdoku report` as a user meets it: figures that can be counted by hand, pages that can be read, files that cannot.

mod changes;
mod folder;
#[path = "../shell/mod.rs"]
mod shell;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use folder::Folder;
use shell::{err, fails, out, swarmdoku};
use swarmdoku::experiment::study::{Cut, PlannedPuzzle, Shard};
use swarmdoku::search::Stop;

const NEVER: Option<u64> = None;

/// A report with these options, which must succeed: what it said beside its documents.
fn report(folder: &Folder, options: &[&str]) -> String {
    let output = swarmdoku(&[&["report", folder.path().to_str().unwrap()], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    err(&output)
}

/// The page of a folder.
fn page(folder: &Folder) -> String {
    report(folder, &[]);
    fs::read_to_string(folder.file("report.html")).unwrap()
}

/// The rows of one of a folder's tables, each by its column's name.
fn table(folder: &Folder, name: &str) -> Vec<HashMap<String, String>> {
    report(folder, &["--csv", folder.file("csv").to_str().unwrap()]);
    let path = folder.file("csv").join(format!("{name}.csv"));
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(row: &HashMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// Two variants on one puzzle: the samples of SciPy's values below.
fn six_each() -> Folder {
    let mut folder = Folder::new(&[("small", 20), ("large", 80)], &["first"], 6);
    folder.runs_to_solve("small", "first", &[Some(100), Some(250), Some(300), Some(420), NEVER, NEVER]);
    folder.runs_to_solve("large", "first", &[Some(500), Some(600), NEVER, NEVER, NEVER, NEVER]);
    folder
}

#[test]
fn rates_and_running_times_are_those_counted_by_hand() {
    let folder = six_each();
    let rows = table(folder.write(), "results");
    let values = |column: &str| rows.iter().map(|row| number(row, column)).collect::<Vec<f64>>();
    assert_eq!((rows[0]["variant"].as_str(), rows[1]["variant"].as_str()), ("small", "large"));
    assert_eq!((values("runs"), values("solved")), (vec![6.0, 6.0], vec![4.0, 2.0]));
    assert_eq!(values("ert"), [(100.0 + 250.0 + 300.0 + 420.0 + 2000.0) / 4.0, (500.0 + 600.0 + 4000.0) / 2.0]);
    assert_eq!(values("evaluations_median"), [360.0, f64::INFINITY]);
    assert_eq!((values("total_median"), values("total_best")), (vec![0.0, 2.0], vec![0.0, 0.0]));
    assert!(values("ert_95_low")[0] < values("ert")[0] && values("ert")[0] < values("ert_95_high")[0]);
    // SciPy 1.17: scipy.stats.binomtest(4, 6).proportion_ci(method="wilson").
    assert!((values("success_rate_95_low")[0] - 0.299_993_315_138).abs() < 1e-9);
    assert!((values("success_rate_95_high")[0] - 0.903_228_588_894).abs() < 1e-9);
    assert!(!rows[0].contains_key("ert_s"), "seconds were not measured");
}

#[test]
fn tests_of_pairs_are_those_of_scipy() {
    let rows = table(six_each().write(), "pairs");
    assert_eq!(rows.len(), 1);
    // SciPy 1.17: mannwhitneyu([100, 250, 300, 420, inf, inf], [500, 600, inf, inf, inf, inf]), and 1 - its statistic / 36.
    assert!((number(&rows[0], "p") - 0.104_414_572_374).abs() < 1e-9);
    assert!((number(&rows[0], "a12") - 0.777_777_777_778).abs() < 1e-9);
    assert_eq!((rows[0]["effect"].as_str(), rows[0]["better"].as_str()), ("large", "undecided"));
}

#[test]
fn a_clear_difference_is_named_and_holm_counts_all_pairs() {
    let mut folder = Folder::new(&[("a", 20), ("b", 20), ("c", 20)], &["first", "second"], 10);
    let costs = |from: u64| (0..10).map(|k| Some(from + k)).collect::<Vec<_>>();
    for puzzle in ["first", "second"] {
        folder.runs_to_solve("a", puzzle, &costs(500));
        folder.runs_to_solve("b", puzzle, &costs(100));
        folder.runs_to_solve("c", puzzle, &costs(500));
    }
    let rows = table(folder.write(), "pairs_by_puzzle");
    let of = |first: &str, second: &str| {
        rows.iter().find(|row| row["first"] == first && row["second"] == second && row["puzzles"] == "first").unwrap()
    };
    assert_eq!((of("a", "b")["better"].as_str(), of("b", "c")["better"].as_str()), ("b", "b"));
    assert_eq!((of("a", "c")["better"].as_str(), number(of("a", "c"), "p")), ("undecided", 1.0));
    // Exact: 2 / (20 choose 10) = 1.0825e-5; of six pairs four are as clear, so Holm takes it six times.
    assert!((number(of("a", "b"), "p") - 2.0 / 184_756.0).abs() < 1e-15);
    assert!((number(of("b", "c"), "p_holm") - 12.0 / 184_756.0).abs() < 1e-15);
    let overall = table(&folder, "pairs");
    assert_eq!((overall.len(), number(&overall[0], "a12")), (3, 0.0));
    assert!(number(&overall[0], "p") < number(of("a", "b"), "p"));
}

#[test]
fn budgets_and_targets_tell_what_the_runs_had_reached() {
    let mut folder = Folder::new(&[("v", 20)], &["first"], 2);
    folder.run("v", "first", &[(10, 30), (900, 5), (20_000, 0)], 20_000);
    folder.run("v", "first", &[(10, 40), (1000, 3)], 50_000);
    let budgets = table(folder.write(), "fixed_budgets");
    let column = |name: &str| budgets.iter().map(|row| number(row, name)).collect::<Vec<f64>>();
    assert_eq!(column("evaluations"), [1000.0, 10_000.0, 50_000.0]);
    assert_eq!(column("solved"), [0.0, 0.0, 1.0]);
    assert_eq!(column("total_median"), [4.0, 4.0, 1.5]);
    let targets = table(&folder, "fixed_targets");
    let row = |target: f64| targets.iter().find(|row| number(row, "target") == target).unwrap();
    assert_eq!((number(row(0.0), "met"), number(row(0.0), "ert")), (1.0, 70_000.0));
    assert_eq!((number(row(4.0), "met"), number(row(4.0), "ert")), (2.0, (20_000.0 + 1000.0) / 2.0));
    assert_eq!((number(row(8.0), "met"), number(row(8.0), "ert")), (2.0, (900.0 + 1000.0) / 2.0));
}

#[test]
fn curves_have_medians_and_run_lengths_have_shares() {
    let folder = six_each();
    let curve = table(folder.write(), "convergence");
    let last = curve.iter().rfind(|row| row["variant"] == "large").unwrap();
    assert_eq!((number(last, "evaluations"), number(last, "total_median")), (1000.0, 2.0));
    assert_eq!(number(&curve[0], "evaluations"), 10.0, "before that no run has a score");
    let lengths = table(&folder, "run_lengths");
    let share = |evaluations: f64| {
        let place =
            |row: &&HashMap<String, String>| row["variant"] == "small" && number(row, "evaluations") == evaluations;
        number(lengths.iter().find(place).unwrap(), "share")
    };
    assert_eq!([10.0, 100.0, 1000.0].map(share), [0.0, 1.0 / 6.0, 4.0 / 6.0]);
    let populations = table(&folder, "success_by_population");
    let places: Vec<_> = populations.iter().map(|row| (row["series"].as_str(), number(row, "population"))).collect();
    assert_eq!(places, [("swarm", 20.0), ("swarm", 80.0)]);
}

#[test]
fn searches_without_a_population_have_a_table_of_their_own_and_one_run_per_puzzle() {
    let mut folder = Folder::new(&[("v", 20), ("dlx", 0)], &["first", "second"], 3);
    folder.manifest.plan.variants[1].algorithm = "exact".into();
    for puzzle in ["first", "second"] {
        folder.runs_to_solve("v", puzzle, &[Some(100), NEVER, Some(300)]);
        folder.exact("dlx", puzzle, puzzle == "first", 40);
    }
    let rows = table(folder.write(), "nodes");
    assert_eq!((rows.len(), rows[0]["variant"].as_str()), (1, "dlx"));
    assert_eq!(
        ["runs", "solved", "nodes", "nodes_median"].map(|column| number(&rows[0], column)),
        [2.0, 1.0, 80.0, f64::INFINITY]
    );
    let results = table(&folder, "results");
    assert_eq!((results.len(), results[0]["variant"].as_str()), (1, "v"), "no ERT of nodes");
    assert_eq!(table(&folder, "nodes_by_puzzle").len(), 2);
    let page = page(&folder);
    let map = page.split_once("Success by variant and puzzle").unwrap().1.split_once("</svg>").unwrap().0;
    assert!(map.contains("<rect") && !map.contains("dlx"), "no column that is always empty: {map}");
    let said = report(&folder, &[]);
    assert!(said.contains("8 of 8 runs are in the folder") && !said.contains("note:"), "{said}");
}

#[test]
fn runs_of_one_seed_on_several_backends_must_have_gone_the_same_way() {
    let mut folder = six_each();
    let mut on_gpu = folder.runs[3].clone();
    on_gpu.backend = Some("gpu".into());
    folder.runs.push(on_gpu);
    let said = report(folder.write(), &[]);
    assert!(
        said.contains("12 of 12 runs are in the folder") && said.contains("1 line in runs.jsonl repeating"),
        "{said}"
    );
    folder.runs[12].trajectory = Some("92900433f6c03943".into());
    fails(
        &["report", folder.write().path().to_str().unwrap()],
        3,
        "runs.jsonl:13: run 3 of `small` on `first` has another result in line 4; the same seed gives the same run on every",
    );
}

#[test]
fn series_over_populations_are_named_by_what_tells_them_apart() {
    let mut folder = Folder::new(&[("a", 20), ("b", 80), ("c", 20), ("d", 20)], &["first"], 1);
    let variants = &mut folder.manifest.plan.variants;
    variants[2].parameters["worker_ratio"] = 0.5.into();
    variants[3].algorithm = "anneal".into();
    ["a", "b", "c", "d"].into_iter().for_each(|variant| folder.runs_to_solve(variant, "first", &[Some(100)]));
    let rows = table(folder.write(), "success_by_population");
    let found: Vec<_> = rows.iter().map(|row| (row["variant"].as_str(), row["series"].as_str())).collect();
    let (many, few) = ("swarm: worker_ratio=0.9", "swarm: worker_ratio=0.5");
    assert_eq!(found, [("a", many), ("b", many), ("c", few), ("d", "anneal")]);
}

#[test]
fn seconds_are_told_where_every_run_has_them() {
    let mut folder = six_each();
    folder.manifest.timing = true;
    folder.runs.iter_mut().for_each(|run| run.wall_s = Some(run.evaluations as f64 / 1000.0));
    let rows = table(folder.write(), "results");
    assert_eq!(number(&rows[0], "ert_s"), 3.07 / 4.0);
    assert!(page(&folder).contains("ERT, seconds"));
    folder.runs[0].wall_s = None;
    fails(&["report", folder.write().path().to_str().unwrap()], 3, "runs.jsonl:1: wall_s is None");
}

#[test]
fn a_page_needs_nothing_else_and_shows_every_name_as_it_is() {
    let evil = "</script><script>alert(1)</script>";
    let mut folder = Folder::new(&[(evil, 20), ("größe <b> & \"x\" 'y'", 80)], &["<i>&amp;", "zweites Rätsel"], 1);
    folder.manifest.plan.name = "Title <u> & \"q\" ü".into();
    folder.manifest.host = "<host>".into();
    let names: Vec<String> = folder.manifest.plan.variants.iter().map(|variant| variant.name.clone()).collect();
    for (name, puzzle) in names.iter().flat_map(|name| ["<i>&amp;", "zweites Rätsel"].map(|puzzle| (name, puzzle))) {
        folder.runs_to_solve(name, puzzle, &[Some(100)]);
    }
    let page = page(folder.write());
    for raw in ["<script>alert", "<b>", "<i>", "<u>", "<host>"] {
        assert!(!page.contains(raw), "{raw}");
    }
    for shown in ["größe", "zweites Rätsel", "Title &#60;u&#62; &#38; &#34;q&#34; ü", "&#60;i&#62;&#38;amp;"] {
        assert!(page.contains(shown), "{shown}");
    }
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http:") && !addresses.contains("https:") && !addresses.contains("src="));
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(page.matches("<svg ").count() >= 5);
    let rows = table(&folder, "variants");
    assert_eq!((rows[0]["variant"].as_str(), rows[1]["variant"].as_str()), (evil, "größe <b> & \"x\" 'y'"));
}

#[test]
fn markdown_has_the_tables_and_goes_to_standard_output() {
    let mut folder = six_each();
    folder.manifest.plan.name = "A | B".into();
    let output = swarmdoku(&["report", folder.write().path().to_str().unwrap(), "--markdown", "-"]);
    let text = out(&output);
    assert!(text.starts_with("# A \\| B\n"), "{text}");
    assert!(text.contains("| small | 6 | 4 | 66.7 % | 30 to 90.3 % | 768 |"), "{text}");
    for part in
        ["## Tests of each pair", "## How to cite", "## How to reproduce", &folder.manifest.plan.hash().unwrap()]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!folder.file("report.html").exists(), "no page was asked for");
}

#[test]
fn a_page_goes_to_standard_output_alone() {
    let folder = six_each();
    let output = swarmdoku(&["report", folder.write().path().to_str().unwrap(), "-o", "-", "--quiet"]);
    assert!(out(&output).starts_with("<!doctype html>") && out(&output).trim_end().ends_with("</html>"));
    assert_eq!(err(&output), "");
}

#[test]
fn an_unfinished_experiment_says_at_the_top_what_is_missing() {
    let mut folder = Folder::new(&[("v", 20)], &["first", "second"], 5);
    folder.runs_to_solve("v", "first", &[Some(100), NEVER, Some(200)]);
    let said = report(folder.write(), &[]);
    assert!(said.contains("note: Unfinished: 7 of 10 runs (70.0 %) are missing"), "{said}");
    let page = fs::read_to_string(folder.file("report.html")).unwrap();
    let (remark, results) = (page.find("7 of 10 runs").unwrap(), page.find("results-section\">").unwrap());
    assert!(remark < results && page.contains("--resume"));
    folder.manifest.shard = Some(Shard { index: 1, count: 1, cut: Cut::Dealt });
    assert!(report(folder.write(), &[]).contains("part 1 of 1: 7 of the plan's 10 runs are in other parts"));
    folder.runs_to_solve("v", "first", &[Some(11), Some(11)]);
    folder.runs_to_solve("v", "second", &[Some(11); 5]);
    assert!(!report(folder.write(), &[]).contains("note:"));
}

#[test]
fn a_folder_without_any_run_has_a_report_that_says_so() {
    let mut folder = Folder::new(&[("v", 20)], &["first"], 5);
    assert!(report(folder.write(), &[]).contains("0 of 5 runs are in the folder"));
    folder.manifest.plan.variants.clear();
    folder.manifest.plan.puzzles.clear();
    fs::remove_file(folder.write().file("runs.jsonl")).unwrap();
    assert!(report(&folder, &["--markdown", folder.file("none.md").to_str().unwrap()]).contains("0 of 0 runs"));
}

#[test]
fn torn_last_lines_are_left_out_aloud() {
    let folder = six_each();
    folder.write();
    folder.append("runs.jsonl", b"{\"plan\":\"c0ffee\",\"variant\":\"sm");
    folder.append("traces.jsonl", b"{\"variant\":\"gr\xC3");
    let said = report(&folder, &[]);
    for file in ["runs.jsonl", "traces.jsonl"] {
        assert!(said.contains(&format!("The last line of {file} is incomplete")), "{said}");
    }
    assert!(said.contains("12 of 12 runs are in the folder"), "{said}");
}

#[test]
fn last_lines_that_lack_only_their_newlines_count() {
    let folder = six_each();
    folder.write();
    for file in ["runs.jsonl", "traces.jsonl"] {
        let text = fs::read_to_string(folder.file(file)).unwrap();
        fs::write(folder.file(file), text.strip_suffix('\n').unwrap()).unwrap();
    }
    let said = report(&folder, &[]);
    assert!(said.contains("12 of 12 runs are in the folder") && !said.contains("note:"), "{said}");
}

#[test]
fn what_is_odd_about_a_folder_is_told() {
    let mut folder = six_each();
    folder.traces.remove(0);
    let mut stray = folder.traces[0].clone();
    stray.run = 77;
    folder.traces.push(stray);
    folder.runs.push(folder.runs[3].clone());
    folder.runs[1].plan = Some("earlier".into());
    folder.runs[4].stop = Stop::Timeout;
    folder.manifest.plan.budget["seconds"] = 60.into();
    let said = report(folder.write(), &[]);
    for part in [
        "1 run without a trace",
        "1 trace of runs that are not in runs.jsonl",
        "1 line in runs.jsonl repeating",
        "1 run made under an earlier form of the plan",
        "1 run ended by the time limit",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(number(&table(&folder, "results")[0], "runs"), 6.0, "a repeated line counts once");
    fs::remove_file(folder.file("traces.jsonl")).unwrap();
    assert!(report(&folder, &[]).contains("12 runs without a trace"));
}

#[test]
fn runs_of_several_machines_are_listed() {
    let mut folder = six_each();
    folder.runs[0].host = Some("bench-2".into());
    assert!(page(folder.write()).contains("bench-2, cpu: AVX2, 0.1.0 1cb84a3 (1 run)"));
}

#[test]
fn shapes_are_kept_apart() {
    let mut folder = Folder::new(&[("v", 20)], &["nine", "other nine", "four"], 1);
    folder.manifest.plan.puzzles[2] =
        PlannedPuzzle { name: "four".into(), shape: "4x4".into(), puzzle: "1...............".into() };
    for puzzle in ["nine", "other nine", "four"] {
        folder.runs_to_solve("v", puzzle, &[Some(100)]);
    }
    let rows = table(folder.write(), "results");
    let found: Vec<_> = rows.iter().map(|row| (row["puzzles"].as_str(), number(row, "runs"))).collect();
    assert_eq!(found, [("all 2 9x9 puzzles", 2.0), ("four", 1.0)]);
    assert_eq!(table(&folder, "results_by_puzzle").len(), 3);
}

#[test]
fn more_variants_than_colours_and_more_puzzles_than_charts_are_told() {
    let variants: Vec<String> = (0..9).map(|k| format!("v{k}")).collect();
    let puzzles: Vec<String> = (0..13).map(|k| format!("p{k}")).collect();
    let named: Vec<(&str, u64)> = variants.iter().map(|name| (name.as_str(), 20)).collect();
    let puzzle_names: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    let mut folder = Folder::new(&named, &puzzle_names, 1);
    for (place, variant) in variants.iter().enumerate() {
        for puzzle in &puzzles {
            folder.runs_to_solve(variant, puzzle, &[if place < 2 { NEVER } else { Some(100) }]);
        }
    }
    let page = page(folder.write());
    assert!(page.contains("The chart shows the 7 variants that solved most; the data has 2 more."));
    assert!(page.contains("The charts show the first 12 of 13 puzzles"));
    let legend = page.split_once("class=\"legend\"").unwrap().1.split_once("</ul>").unwrap().0;
    assert!(!legend.contains("v1<") && legend.contains("v2<") && legend.contains("v8<"), "{legend}");
    assert_eq!(table(&folder, "convergence_by_puzzle").iter().filter(|row| row["puzzles"] == "p12").count() % 9, 0);
}

#[test]
fn iohanalyzer_gets_every_run_with_all_it_spent() {
    let mut folder = six_each();
    folder.traces.swap(0, 1);
    folder.traces.remove(2);
    let target = folder.file("ioh");
    report(folder.write(), &["--iohanalyzer", target.to_str().unwrap()]);
    let about: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(target.join("1-small/IOHprofiler_f1.json")).unwrap()).unwrap();
    assert_eq!((&about["version"], &about["function_name"]), (&"0.4.2".into(), &"first".into()));
    assert_eq!((&about["maximization"], &about["algorithm"]["name"]), (&false.into(), &"small".into()));
    let scenario = &about["scenarios"][0];
    assert_eq!((&scenario["dimension"], scenario["runs"].as_array().unwrap().len()), (&81.into(), 6));
    assert_eq!(scenario["runs"][0]["evals"], 250, "runs stand in the order of their traces");
    let data = fs::read_to_string(target.join("1-small").join(scenario["path"].as_str().unwrap())).unwrap();
    let blocks: Vec<&str> = data.split("evaluations raw_y\n").skip(1).collect();
    assert_eq!(blocks.len(), 6);
    assert_eq!((blocks[0], blocks[1]), ("1 216\n10 20\n250 0\n", "1 216\n10 20\n100 0\n"));
    assert_eq!(blocks[5], "1 216\n300 0\n", "a run without a trace has its end");
    assert_eq!(blocks[3], "1 216\n10 20\n500 2\n1000 2\n", "a censored run counts with its budget");
    report(&folder, &["--iohanalyzer", target.to_str().unwrap()]);
    let again = fs::read_to_string(target.join("1-small/data_f1/IOHprofiler_f1_DIM81.dat")).unwrap();
    assert_eq!(again, data, "an export takes the place of an earlier one");
}

#[test]
fn folders_that_hold_no_experiment_end_with_3_and_say_what_is_wrong() {
    let empty = tempfile::tempdir().unwrap();
    fails(&["report", empty.path().to_str().unwrap()], 3, "manifest.json: not found; a folder that `swarmdoku run");
    fails(&["report", "no/such/folder"], 3, "manifest.json: not found");
    let refused = |change: &dyn Fn(&mut Folder), file: Option<(&str, &[u8])>, part: &str| {
        let mut folder = six_each();
        change(&mut folder);
        folder.write();
        file.into_iter().for_each(|(name, content)| fs::write(folder.file(name), content).unwrap());
        fails(&["report", folder.path().to_str().unwrap()], 3, part);
        assert!(!folder.file("report.html").exists(), "{part}");
    };
    refused(&|folder| folder.manifest.format = 7, None, "the folder's format is 7, but this program reads format 1");
    refused(&|_| {}, Some(("manifest.json", b"{\"format\": 1}")), "missing field");
    refused(&|_| {}, Some(("manifest.json", b"not JSON")), "a manifest as `swarmdoku run` writes it was expected");
    refused(&|folder| folder.manifest.plan.variants[1].name = "small".into(), None, "`small` stands twice");
    refused(
        &|folder| folder.runs[2].variant = Some("other".into()),
        None,
        "runs.jsonl:3: the plan in manifest.json has no variant `other`",
    );
    refused(
        &|folder| folder.traces[1].name = "other".into(),
        None,
        "traces.jsonl:2: the plan in manifest.json has no puzzle `other`",
    );
    refused(
        &|folder| folder.runs[5].run = Some(6),
        None,
        "run 6 of `small` on `first` is not in the plan, which has 6 of them",
    );
    refused(
        &|folder| folder.runs[5].run = Some(0),
        None,
        "runs.jsonl:6: run 0 of `small` on `first` has another result in line 1",
    );
    refused(&|_| {}, Some(("runs.jsonl", b"{}\n{}\n")), "runs.jsonl:1:2: missing field `puzzle`; each line must");
}

#[test]
fn wrong_usage_ends_with_2_and_files_that_cannot_be_written_with_5() {
    let folder = six_each();
    let path = folder.write().path().to_str().unwrap();
    fails(&["report"], 2, "DIR");
    fails(&["report", path, "-o", "-", "--markdown", "-"], 2, "standard output takes one of them");
    for (option, file, part) in
        [("-o", "x.pdf", "ends in .html"), ("-o", "x.md", "ends in .html"), ("--markdown", "x.html", "ends in .md")]
    {
        fails(&["report", path, option, folder.file(file).to_str().unwrap()], 2, part);
        assert!(!folder.file(file).exists());
    }
    let blocked = folder.file("runs.jsonl").join("x");
    for option in ["-o", "--markdown", "--csv", "--iohanalyzer"] {
        fails(&["report", path, option, blocked.to_str().unwrap()], 5, "runs.jsonl");
    }
}

#[test]
fn the_citation_file_and_the_reports_name_the_same_work() {
    let citation = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CITATION.cff")).unwrap();
    let page = page(six_each().write());
    let title = citation.lines().find_map(|line| line.strip_prefix("title: ")).unwrap().trim_matches('"');
    let authors = citation.lines().find_map(|line| line.strip_prefix("  - name: ")).unwrap();
    assert!(page.contains(&format!("title   = {{{title}}}")) && page.contains(&format!("author  = {{{{{authors}}}}}")));
    assert!(citation.contains(&format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"))));
    assert!(page.contains("How to cite and how to reproduce") && page.contains("download=\"manifest.json\""));
}
