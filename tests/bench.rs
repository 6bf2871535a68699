//! `swarmdoku bench` as a user meets it, and what `--backend auto` makes of its crossovers.

mod shell;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};
use shell::{command, err, fails, out, swarmdoku};

const EASY: &str = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";

/// A benchmark of moments: its figures mean nothing, and all its parts are there.
const QUICK: [&str; 5] = ["bench", "--time", "0", "--threads", "2"];

/// A folder of its own that lives as long as the value.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

fn bench(options: &[&str]) -> Output {
    swarmdoku(&[&QUICK[..], options].concat())
}

fn succeeded(output: Output) -> Output {
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    output
}

/// True if there is an adapter to measure; says so aloud if there is none, which REQUIRE_GPU=1 makes a failure.
fn has_adapter() -> bool {
    let found = !out(&swarmdoku(&["devices"])).is_empty();
    assert!(found || std::env::var("REQUIRE_GPU").as_deref() != Ok("1"), "REQUIRE_GPU=1, but there is no adapter");
    if !found {
        eprintln!("IGNORED: no adapter was found");
    }
    found
}

#[test]
fn the_tables_have_a_line_for_every_contender_and_population() {
    let output = succeeded(bench(&["--populations", "100,64", "--backend", "scalar"]));
    let text = out(&output);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let tasks = ["scoring", "whole epochs, 9x9 individuals: anneal", "whole epochs, 9x9 individuals: swarm"];
    for task in tasks {
        assert!(text.contains(task), "{task}: {text}");
        for (contender, population) in
            [("scalar", "64"), ("scalar", "100"), ("cpu, 1 thread", "64"), ("cpu, 2 threads", "100")]
        {
            let words: Vec<&str> = contender.split(' ').chain([population]).collect();
            let found = lines.iter().filter(|line| line.starts_with(&words)).count();
            assert_eq!(found, tasks.len(), "{contender} {population} in all tables: {text}");
        }
    }
    assert!(text.contains("no crossover: no adapter was measured"), "{text}");
    assert!(text.contains("scores equal the oracle's"), "{text}");
    assert_eq!(err(&output), "", "no bar where there is no terminal");
}

#[test]
fn json_holds_every_sample_and_figures_that_follow_from_them() {
    let scratch = Scratch::new();
    let file = scratch.text("bench.json");
    succeeded(bench(&["--populations", "64,200", "--backend", "cpu", "--shape", "4x4", "--json", &file]));
    let report: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&report["shape"], &report["bytes_per_candidate"]), (&json!("4x4"), &json!(16)));
    assert_eq!((&report["complete"], &report["version"]), (&json!(true), &json!(env!("CARGO_PKG_VERSION"))));
    assert!(report["command"].as_str().unwrap().starts_with("swarmdoku bench --time 0 --threads 2 --populations"));
    for field in ["processor", "threads", "memory", "system"] {
        assert!(!report["machine"][field].is_null(), "{field}");
    }
    let threads: Vec<u64> =
        report["reads"].as_array().unwrap().iter().map(|read| read["threads"].as_u64().unwrap()).collect();
    assert_eq!(threads, [1, 2]);
    assert!(report["reads"].as_array().unwrap().iter().all(|read| read["reader"].as_str().unwrap().contains("loads")));
    let measurements = report["measurements"].as_array().unwrap();
    assert_eq!(measurements.len(), 3 * 2 * 2, "scoring and two algorithms, two populations, two contenders");
    let of = |task: &str, algorithm: Value| {
        measurements.iter().filter(|it| it["task"] == task && it["algorithm"] == algorithm).count()
    };
    assert_eq!([of("scoring", Value::Null), of("epoch", json!("anneal")), of("epoch", json!("swarm"))], [4; 3]);
    for measured in measurements {
        let samples: Vec<f64> =
            measured["samples_s"].as_array().unwrap().iter().map(|sample| sample.as_f64().unwrap()).collect();
        let number = |pointer: &str| measured.pointer(pointer).unwrap().as_f64().unwrap();
        assert!(!samples.is_empty() && samples.iter().all(|sample| *sample > 0.0), "{measured}");
        let [least, most] = [f64::min, f64::max].map(|of| samples.iter().copied().reduce(of).unwrap());
        assert!(least <= number("/seconds/low") && number("/seconds/high") <= most, "{measured}");
        let rate = number("/population") / number("/seconds/median");
        assert!((number("/candidates_per_s/median") / rate - 1.0).abs() < 1e-9, "{measured}");
        assert!((number("/bytes_per_s") / (16.0 * rate) - 1.0).abs() < 1e-9, "{measured}");
    }
}

#[test]
fn json_on_standard_output_is_alone_there() {
    let output = succeeded(bench(&["--populations", "32", "--backend", "cpu", "--json", "-"]));
    let report: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(report["measurements"].as_array().unwrap().len(), 6);
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let scratch = Scratch::new();
    let file = scratch.text("bench.html");
    succeeded(bench(&["--populations", "32,64", "--backend", "cpu", "--html", &file]));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for part in ["prefers-color-scheme: dark", "@media print", "name=\"viewport\"", "cpu, 2 threads", "4,"] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert_eq!(page.matches("<svg width=").count(), 6, "three charts, each for wide and for narrow windows");
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "").replace("<link rel=\"icon\" href=\"data:,\">", "");
    for part in ["http:", "https:", "<link", "<script src", "url(", "@import", "<img"] {
        assert!(!elsewhere.contains(part), "{part} reaches out of the page");
    }
}

#[test]
fn the_parts_of_an_adapters_epochs_add_up_to_them() {
    if !has_adapter() {
        return;
    }
    let scratch = Scratch::new();
    let [json, html] = ["bench.json", "bench.html"].map(|name| scratch.text(name));
    let options = ["--populations", "500", "--backend", "gpu", "--allow-software", "--json", &json, "--html", &html];
    let output = succeeded(bench(&options));
    assert!(out(&output).contains("stages of an epoch of gpu #"), "{}", out(&output));
    assert!(out(&output).contains("crossover of "), "{}", out(&output));
    assert!(fs::read_to_string(&html).unwrap().contains("Where an epoch of swarm on gpu #"));
    let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let of_gpu = |measured: &&Value| measured["contender"].as_str().unwrap().starts_with("gpu");
    let epochs: Vec<&Value> =
        report["measurements"].as_array().unwrap().iter().filter(of_gpu).filter(|it| it["task"] == "epoch").collect();
    assert!(!epochs.is_empty());
    for epoch in epochs {
        let (samples, parts) = (epoch["samples_s"].as_array().unwrap(), epoch["parts_samples"].as_array().unwrap());
        assert_eq!(samples.len(), parts.len());
        for (whole, parts) in samples.iter().zip(parts) {
            let part = |name: &str| parts[name].as_f64().unwrap();
            let names = ["propose_s", "upload_s", "device_s", "readback_s", "accept_s", "conclude_s"];
            let sum: f64 = names.into_iter().map(part).sum();
            assert!(0.0 < sum && sum <= whole.as_f64().unwrap(), "{parts} of {whole}");
            assert!(parts["kernel_s"].is_null() || part("kernel_s") <= part("device_s"), "{parts}");
        }
    }
}

#[test]
fn what_cannot_be_measured_or_written_is_said_before_the_measuring() {
    let scratch = Scratch::new();
    let nowhere = scratch.text("no/such/file");
    for (options, code, part) in [
        (&["--populations", "0"][..], 2, "population is 0"),
        (&["--populations", "many"], 2, "whole number"),
        (&["--populations", "1e15", "--backend", "cpu"], 2, "population"),
        (&["--populations", "2e9", "--shape", "25x25", "--backend", "cpu"], 2, "but this process may use"),
        (&["--shape", "7x7"], 2, "a side of 7"),
        (&["-a", "swarm,tabu"], 2, "algorithm is tabu"),
        (&["--backend", "cpu", "--adapter", "0"], 2, "--backend gpu"),
        (&["--backend", "gpu", "--adapter", "no such card"], 4, "no such card"),
        (&["--backend", "cpu", "--json", &nowhere], 5, "no/such/file"),
        (&["--backend", "cpu", "--html", &nowhere], 5, "no/such/file"),
    ] {
        fails(&[&QUICK[..], options].concat(), code, part);
    }
}

#[test]
fn crossovers_of_software_adapters_are_not_kept() {
    let scratch = Scratch::new();
    let output = command(&[&QUICK[..], &["--save", "--backend", "cpu"]].concat())
        .env("SWARMDOKU_CONFIG_DIR", scratch.path("config"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(err(&output).contains("never takes a software adapter"), "{}", err(&output));
    assert!(!scratch.path("config").exists());
}

/// The record of a small `solve` with this file of crossovers, and what it said on standard error.
fn solve_with_crossovers(text: Option<&str>) -> (Value, String) {
    let scratch = Scratch::new();
    if let Some(text) = text {
        fs::write(scratch.path("crossovers.json"), text).unwrap();
    }
    let output = command(&["solve", EASY, "--seed", "1", "--json", "--quiet", "--threads", "2"])
        .env("SWARMDOKU_CONFIG_DIR", scratch.0.path())
        .output()
        .unwrap();
    let output = succeeded(output);
    (serde_json::from_str(&out(&output)).unwrap(), err(&output))
}

/// A file with annealing's crossover at 9x9 with 2 threads.
fn crossover_file(adapter: &str, processor: &str, population: Option<u64>) -> String {
    let entry = json!({
        "adapter": {"name": adapter, "api": "vulkan", "driver": "none", "pci_address": null},
        "algorithm": "anneal", "engine": "batch", "shape": "9x9", "threads": 2, "processor": processor,
        "population": population, "from": 1, "to": 5000, "measured": "2026-01-01T00:00:00Z",
    });
    json!({"format": 2, "entries": [entry]}).to_string()
}

#[test]
fn auto_reads_the_saved_crossovers_and_says_what_it_made_of_them() {
    let processor = swarmdoku::bench::processor();
    for (file, reason) in [
        (None, "auto: no crossover to a GPU has been measured on this machine"),
        (
            Some(crossover_file("Card", &processor, Some(33))),
            "32 candidates are before the crossover of Card for anneal at 33",
        ),
        (Some(crossover_file("Card", &processor, None)), "none was measured up to 5000"),
        (Some(crossover_file("Card", "another", Some(1))), "the crossovers were measured on `another`"),
    ] {
        let (record, said) = solve_with_crossovers(file.as_deref());
        assert_eq!((&record["backend"], said.as_str()), (&json!("cpu"), ""));
        assert!(record["backend_reason"].as_str().unwrap().contains(reason), "{record}");
    }
    // A file of format 1 holds crossovers of the swarm: none of them counts for annealing.
    let mut old: Value = serde_json::from_str(&crossover_file("Card", &processor, Some(1))).unwrap();
    old["format"] = json!(1);
    let fields = old["entries"][0].as_object_mut().unwrap();
    fields.remove("algorithm");
    fields.remove("engine");
    let (record, said) = solve_with_crossovers(Some(&old.to_string()));
    assert_eq!((&record["backend"], said.as_str()), (&json!("cpu"), ""));
    assert!(record["backend_reason"].as_str().unwrap().contains("for anneal (batch) at 9x9"), "{record}");
    // From here on adapters are listed, of which drivers may have something to say.
    let (record, _) = solve_with_crossovers(Some(&crossover_file("Card", &processor, Some(1))));
    assert_eq!(record["backend"], "cpu");
    assert!(record["backend_reason"].as_str().unwrap().contains("no such hardware adapter"), "{record}");
}

#[test]
fn auto_never_takes_a_software_adapter_whatever_is_saved() {
    let devices = out(&swarmdoku(&["devices", "--json"]));
    let adapters: Vec<Value> = devices.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let Some(software) = adapters.iter().find(|adapter| adapter["kind"] == "software") else {
        return assert!(!has_adapter() || !adapters.is_empty());
    };
    let mut file: Value = serde_json::from_str(&crossover_file("", &swarmdoku::bench::processor(), Some(1))).unwrap();
    for field in ["name", "api", "driver", "pci_address"] {
        file["entries"][0]["adapter"][field] = software[field].clone();
    }
    let (record, _) = solve_with_crossovers(Some(&file.to_string()));
    assert_eq!(record["backend"], "cpu");
    assert!(record["backend_reason"].as_str().unwrap().contains("no such hardware adapter"), "{record}");
}

#[test]
fn auto_reports_a_file_that_is_none_of_crossovers_and_takes_the_cpu() {
    for text in ["", "not json", r#"{"format": 3, "entries": []}"#, r#"{"crossover": 5}"#] {
        let (record, said) = solve_with_crossovers(Some(text));
        for part in ["crossovers.json", "remove it, and measure again with `swarmdoku bench --save`"] {
            assert!(said.contains(part), "{text}: {said}");
        }
        assert_eq!(record["backend"], "cpu");
        assert_eq!(record["backend_reason"], "auto: the saved crossovers could not be read");
    }
}

#[test]
fn a_foreign_file_is_not_overwritten_by_save() {
    let scratch = Scratch::new();
    fs::write(scratch.path("crossovers.json"), "precious").unwrap();
    let output = command(&[&QUICK[..], &["--save", "--backend", "cpu"]].concat())
        .env("SWARMDOKU_CONFIG_DIR", scratch.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(err(&output).contains("no file of crossovers"), "{}", err(&output));
    assert_eq!(fs::read_to_string(scratch.path("crossovers.json")).unwrap(), "precious");
}

#[test]
fn a_bad_file_is_reported_once_however_many_algorithms_run() {
    let scratch = Scratch::new();
    fs::write(scratch.path("crossovers.json"), "no JSON").unwrap();
    let arguments = ["compare", EASY, "-a", "anneal,swarm,genetic", "--runs", "1", "--evaluations", "2000"];
    let output = command(&arguments).env("SWARMDOKU_CONFIG_DIR", scratch.0.path()).output().unwrap();
    let output = succeeded(output);
    assert_eq!(err(&output).matches("crossovers.json").count(), 1, "{}", err(&output));
}
