//! The text around a report's figures: the experiment, the machines, what is missing, how to cite and to reproduce it.

use serde_json::{Map, Value};

use super::read::{Provenance, State, Study};
use super::table::grouped;
use crate::experiment::study::{Manifest, PlannedVariant, ResolvedPlan, Shard};
use crate::search;

/// The most machines and programs that are listed.
const LISTED: usize = 12;

/// The experiment in a sentence.
pub(super) fn summary(study: &Study) -> String {
    let plan = &study.manifest.plan;
    let solved = study.cells.iter().flat_map(|cell| &cell.runs).filter(|run| run.solved).count();
    format!(
        "{} on {}, {} each: {} of {} runs are in the folder, {} solved.",
        counted(plan.variants.len() as u64, "variant"),
        counted(plan.puzzles.len() as u64, "puzzle"),
        counted(plan.runs.into(), "run"),
        grouped(study.runs() as f64),
        grouped(study.planned() as f64),
        grouped(solved as f64),
    )
}

/// Notes on missing and unusual data; empty if there is none.
pub(super) fn remarks(study: &Study) -> Vec<String> {
    let State { torn, repeated, untraced, stray_traces, earlier_plan, timeouts } = &study.state;
    let mut remarks = Vec::new();
    remarks.extend(missing(study));
    for file in torn {
        remarks.push(format!("The last line of {file} is incomplete, as after a kill; it was left out."));
    }
    let mut tell = |number: u64, what: &str, sentence: &str| {
        if number > 0 {
            remarks.push(format!("{} {sentence}", counted(number, what)));
        }
    };
    tell(
        *untraced,
        "run",
        "without a trace: not in convergence curves or in tables of budgets and of targets above 0.",
    );
    tell(*stray_traces, "trace", "of runs that are not in runs.jsonl: left out.");
    tell(*repeated, "line", "in runs.jsonl repeating an earlier one: counted once.");
    tell(*earlier_plan, "run", "made under an earlier form of the plan, before it was extended.");
    tell(*timeouts, "run", "ended by the time limit: on another machine they would end at another point.");
    remarks
}

fn missing(study: &Study) -> Option<String> {
    let (runs, planned) = (study.runs(), study.planned());
    let missing = planned.saturating_sub(runs);
    let share = 100.0 * missing as f64 / planned.max(1) as f64;
    match study.manifest.shard {
        _ if missing == 0 => None,
        Some(Shard { index, count, .. }) => Some(format!(
            "This folder is part {index} of {count}: {} of the plan's {} runs are in other parts or unfinished. Join the parts \
             with `swarmdoku merge`.",
            grouped(missing as f64),
            grouped(planned as f64)
        )),
        None => Some(format!(
            "Unfinished: {} of {} runs ({share:.1} %) are missing; `swarmdoku run --resume` runs them. Until then the figures \
             may be biased, since short runs finish first.",
            grouped(missing as f64),
            grouped(planned as f64)
        )),
    }
}

/// The program, the budget, the machine and the plan.
pub(super) fn facts(study: &Study) -> Vec<(&'static str, String)> {
    let manifest = &study.manifest;
    let plan = &manifest.plan;
    let revision = manifest.git_revision.as_ref().map(|revision| format!(", revision {revision}")).unwrap_or_default();
    let mut facts = vec![
        ("Program", format!("swarmdoku {}{revision}", manifest.version)),
        ("Budget of a run", budget(&plan.budget)),
        ("Master seed", plan.seed.to_string()),
        ("Backend", format!("{}: {}", manifest.backend, manifest.adapter)),
        ("Machine", format!("{}: {}, {}", manifest.host, manifest.processor, counted(manifest.threads as u64, "core"))),
        ("Started", manifest.started.clone()),
        ("Seconds", seconds(manifest.timing).into()),
        ("Plan", format!("SHA-256 {}", manifest.plan_hash)),
    ];
    if let Some(by_backend) = &manifest.wall_s_by_backend {
        let each = by_backend.iter().map(|(backend, seconds)| format!("{backend} {seconds:.1} s"));
        facts.push(("Seconds of all runs", each.collect::<Vec<_>>().join(", ")));
    }
    if study.provenance.len() > 1 {
        facts.push(("Runs came from", provenance(&study.provenance)));
    }
    facts
}

/// The limits of the budget.
fn budget(budget: &Value) -> String {
    let limit = |(name, limit): (&String, &Value)| match limit {
        Value::Null => None,
        Value::Number(number) if number.is_u64() => Some(format!("{} {name}", grouped(number.as_f64()?))),
        other => Some(format!("{name} {other}")),
    };
    budget
        .as_object()
        .map_or_else(|| budget.to_string(), |limits| limits.iter().filter_map(limit).collect::<Vec<_>>().join(", "))
}

fn seconds(timing: bool) -> &'static str {
    match timing {
        true => "measured, with one run at a time",
        false => "not measured, because runs shared the machine; cost is in evaluations",
    }
}

fn provenance(all: &[(Provenance, u64)]) -> String {
    let shown = |(provenance, runs): &(Provenance, u64)| {
        let Provenance { host, backend, adapter, version, git_revision } = provenance;
        let host = host.as_deref().unwrap_or("an unknown machine");
        let backend = backend.as_deref().map(|backend| format!(", {backend}: ")).unwrap_or_default();
        let adapter = adapter.as_deref().unwrap_or_default();
        let revision = git_revision.as_deref().map(|revision| format!(" {revision}")).unwrap_or_default();
        format!("{host}{backend}{adapter}, {version}{revision} ({})", counted(*runs, "run"))
    };
    let mut listed: Vec<String> = all.iter().take(LISTED).map(shown).collect();
    if all.len() > LISTED {
        listed.push(format!("and {} more", all.len() - LISTED));
    }
    listed.join("; ")
}

fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number as f64), if number == 1 { "" } else { "s" })
}

/// The citation.
pub struct Citation {
    /// A sentence.
    pub text: String,
    /// The same for BibTeX.
    pub bibtex: String,
}

/// The steps that make the report again.
pub struct Reproduction {
    /// Step by step, in words.
    pub steps: Vec<String>,
    /// A plan's file that means the same plan.
    pub plan: String,
    /// The manifest, as JSON.
    pub manifest: String,
}

impl Citation {
    /// The citation of the program that made these runs. The project's CITATION.cff has the same authors and title.
    pub fn new(manifest: &Manifest) -> Citation {
        let Manifest { version, started, .. } = manifest;
        let year = started.split('-').next().unwrap_or_default();
        let revision =
            manifest.git_revision.as_deref().map(|revision| format!(", revision {revision}")).unwrap_or_default();
        Citation {
            text: format!(
                "The swarmdoku authors: swarmdoku, large-population metaheuristics on Sudoku, version {version}{revision}. \
                 Software, {year}."
            ),
            bibtex: format!(
                "@software{{swarmdoku,\n  author  = {{{{The swarmdoku authors}}}},\n  title   = {{swarmdoku: large-population \
                 metaheuristics on Sudoku}},\n  version = {{{version}{revision}}},\n  year    = {{{year}}}\n}}"
            ),
        }
    }
}

impl Reproduction {
    /// The steps that reproduce the runs of this folder.
    ///
    /// # Errors
    /// [`crate::Error::Internal`] if the manifest cannot be written as JSON, which no input should bring about.
    pub fn new(study: &Study) -> Result<Reproduction, crate::Error> {
        let manifest = serde_json::to_string_pretty(&study.manifest)
            .map_err(|error| crate::Error::Internal(format!("a manifest as JSON: {error}")))?;
        let Manifest { version, git_revision, plan_hash, plan, .. } = &study.manifest;
        let ResolvedPlan { seed, .. } = plan;
        let revision = git_revision.as_deref().map(|revision| format!(" (revision {revision})")).unwrap_or_default();
        Ok(Reproduction {
            steps: vec![
                format!("Install swarmdoku {version}{revision}."),
                format!(
                    "Save plan.toml, which names every puzzle, every parameter, the budget and the master seed {seed}, and run \
                     it: swarmdoku run plan.toml -o again. again/manifest.json then has the plan hash {plan_hash}."
                ),
                "Make the report: swarmdoku report again. Every run is decided by its seed, on every backend and number of \
                 threads, so runs.jsonl differs in its order and in times alone; runs that the wall time ended are the \
                 exception."
                    .into(),
                "For a single run give puzzle, algorithm, parameters and seed from its line in runs.jsonl to swarmdoku solve, \
                 and compare the trajectory."
                    .into(),
            ],
            plan: to_plan_file(plan),
            manifest,
        })
    }
}

/// A plan's file that means the resolved plan: every puzzle written out, every parameter named, nothing swept. Whoever runs
/// it gets the plan hash of the folder, and so the same runs.
fn to_plan_file(plan: &ResolvedPlan) -> String {
    let mut lines = vec![
        assignment("name", &plan.name.as_str().into()),
        format!("seed = {}", plan.seed),
        format!("runs = {}", plan.runs),
    ];
    table(&mut lines, "[budget]", given(&plan.budget));
    for puzzle in &plan.puzzles {
        let fields = [("name", &puzzle.name), ("puzzle", &puzzle.puzzle), ("shape", &puzzle.shape)];
        let fields = fields.map(|(key, words)| (key.to_string(), Value::from(words.as_str())));
        table(&mut lines, "[[puzzles]]", fields.into_iter().collect());
    }
    for variant in &plan.variants {
        table(&mut lines, "[[algorithm]]", algorithm(variant));
    }
    lines.join("\n") + "\n"
}

fn table(lines: &mut Vec<String>, head: &str, fields: Vec<(String, Value)>) {
    lines.extend([String::new(), head.into()]);
    lines.extend(fields.iter().map(|(key, value)| assignment(key, value)));
}

/// JSON's strings, whole numbers, decimals and truth values are TOML's, but that TOML wants the sign 127 escaped.
fn assignment(key: &str, value: &Value) -> String {
    format!("{key} = {}", value.to_string().replace('\u{7F}', "\\u007f"))
}

/// The fields of an object that are not null.
fn given(object: &Value) -> Vec<(String, Value)> {
    let fields = object.as_object().cloned().unwrap_or_else(Map::new);
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// The table of a variant: its rule, each parameter, and what it has of its own.
fn algorithm(variant: &PlannedVariant) -> Vec<(String, Value)> {
    let PlannedVariant { name, algorithm, parameters, budget, backend, .. } = variant;
    let mut fields = vec![("algorithm".into(), algorithm.as_str().into()), ("label".into(), name.as_str().into())];
    match search::Variant::from_record(algorithm, parameters) {
        Ok(known) => {
            if known.rule() != known.algorithm().rules[0].name {
                fields.push(("rule".into(), known.rule().into()));
            }
            fields.extend(known.settings().iter().map(|(name, value)| (name.to_owned(), value.clone())));
        }
        Err(_) => fields.extend(given(parameters).into_iter().map(|(key, value)| (key.replace('_', "-"), value))),
    }
    fields.extend(budget.iter().flat_map(given));
    fields.extend(backend.iter().map(|backend| ("backend".into(), backend.as_str().into())));
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    use std::path::Path;

    use crate::experiment::plan::Plan;
    use crate::experiment::study::PlannedPuzzle;

    /// The variant with these settings, as a manifest holds it.
    fn variant(name: &str, algorithm: &str, rule: &str, settings: &[(&str, Value)]) -> PlannedVariant {
        let mut variant = search::Algorithm::named(algorithm).unwrap().variant();
        variant.set_rule(rule).unwrap();
        settings.iter().for_each(|(name, value)| variant.set_value(name, value).unwrap());
        PlannedVariant {
            name: name.into(),
            algorithm: algorithm.into(),
            parameters: variant.resolve(&search::sample_puzzle()).unwrap(),
            by_puzzle: None,
            budget: None,
            backend: None,
        }
    }

    fn plan() -> ResolvedPlan {
        ResolvedPlan {
            name: "größe \"q\" \\ \u{7F}".into(),
            seed: 7,
            runs: 3,
            budget: json!({ "evaluations": 1000, "seconds": null }),
            puzzles: vec![PlannedPuzzle {
                name: "four".into(),
                shape: "4x4".into(),
                puzzle: "12....12..4..3..".into(),
            }],
            variants: vec![
                variant("v x=1", "hybrid", "tuned", &[("mutation-rate", json!(1e-7)), ("refine", json!(0))]),
                variant("a", "swarm", "seed", &[("adaptive", json!(true))]),
                variant("g", "genetic", "tuned", &[("local-search", json!(false))]),
            ],
        }
    }

    #[test]
    fn the_plan_that_is_written_means_what_the_manifest_holds() {
        let text = to_plan_file(&plan());
        let read = Plan::parse("plan.toml", &text, Path::new("")).unwrap();
        let (read, expected) = (read.resolved(), plan());
        assert_eq!((&read.name, read.seed, read.runs), (&expected.name, expected.seed, expected.runs));
        assert_eq!((&read.puzzles, &read.variants), (&expected.puzzles, &expected.variants), "{text}");
        assert_eq!(given(&read.budget), given(&expected.budget));
        assert!(text.contains("mutation-rate = 1e-7") && text.contains("rule = \"seed\""), "{text}");
    }

    #[test]
    fn it_is_toml_with_the_same_names() {
        let read: toml::Table = to_plan_file(&plan()).parse().unwrap();
        assert_eq!(read["name"].as_str(), Some(plan().name.as_str()));
        assert_eq!(read["algorithm"].as_array().unwrap().len(), 3);
    }
}
