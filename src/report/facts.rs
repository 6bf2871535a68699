//! What was run, on what, and what is missing.

use serde_json::Value;

use super::read::{Provenance, State, Study};
use super::table::grouped;
use crate::experiment::study::Shard;

/// The machines and programs that are listed; beyond, their number is told.
const LISTED: usize = 12;

/// The experiment in a sentence.
pub fn summary(study: &Study) -> String {
    let plan = &study.manifest.plan;
    let solved = study.cells.iter().flat_map(|cell| &cell.runs).filter(|run| run.solved).count();
    format!(
        "{} on {}, {} each: {} of {} runs are here, {} solved.",
        counted(plan.variants.len() as u64, "variant"),
        counted(plan.puzzles.len() as u64, "puzzle"),
        counted(plan.runs.into(), "run"),
        grouped(study.runs() as f64),
        grouped(study.planned() as f64),
        grouped(solved as f64),
    )
}

/// What readers must know before they believe a figure; empty where nothing is missing and nothing is odd.
pub fn remarks(study: &Study) -> Vec<String> {
    let State { torn, repeated, untraced, stray_traces, earlier_plan, timeouts } = &study.state;
    let mut remarks = Vec::new();
    remarks.extend(missing(study));
    for file in torn {
        remarks
            .push(format!("The last line of {file} breaks off, as after a kill; it was left out, the rest was read."));
    }
    let mut tell = |number: u64, what: &str, sentence: &str| {
        if number > 0 {
            remarks.push(format!("{} {sentence}", counted(number, what)));
        }
    };
    tell(*untraced, "run", "without a trace: not in convergence curves, nor in tables of budgets and targets above 0.");
    tell(*stray_traces, "trace", "of runs that are not in runs.jsonl: left out.");
    tell(*repeated, "line", "of runs.jsonl repeating an earlier one: counted once.");
    tell(*earlier_plan, "run", "made under an earlier form of the plan, before it was extended.");
    tell(*timeouts, "run", "ended by the wall time: another machine would end them elsewhere.");
    remarks
}

fn missing(study: &Study) -> Option<String> {
    let (runs, planned) = (study.runs(), study.planned());
    let missing = planned.saturating_sub(runs);
    let share = 100.0 * missing as f64 / planned.max(1) as f64;
    match study.manifest.shard {
        _ if missing == 0 => None,
        Some(Shard { index, count, .. }) => Some(format!(
            "This folder is part {index} of {count}: {} of the plan's {} runs are elsewhere or yet to be made. Join the parts \
             with `swarmdoku merge` for the whole.",
            grouped(missing as f64),
            grouped(planned as f64)
        )),
        None => Some(format!(
            "Unfinished: {} of {} runs ({share:.1} %) are missing; `swarmdoku run --resume` makes them. All figures are of \
             the runs that are here, so they may be of the quicker ones.",
            grouped(missing as f64),
            grouped(planned as f64)
        )),
    }
}

/// What it ran on.
pub fn facts(study: &Study) -> Vec<(&'static str, String)> {
    let manifest = &study.manifest;
    let plan = &manifest.plan;
    let revision = manifest.git_revision.as_ref().map(|revision| format!(", revision {revision}")).unwrap_or_default();
    let mut facts = vec![
        ("Program", format!("swarmdoku {}{revision}", manifest.version)),
        ("Budget of a run", budget(&plan.budget)),
        ("Master seed", plan.seed.to_string()),
        ("Backend", format!("{}: {}", manifest.backend, manifest.adapter)),
        ("Machine", format!("{}: {}, {}", manifest.host, manifest.processor, counted(manifest.threads as u64, "core"))),
        ("Begun", manifest.started.clone()),
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

/// The limits that there are, with their numbers grouped.
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
        true => "measured: runs were timed one at a time",
        false => "not measured: runs shared the machine, so cost is told in evaluations",
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
