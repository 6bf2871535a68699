//! Folders of experiments whose every figure is known, because every run is written by hand.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;
use swarmdoku::experiment::study::{FORMAT, Manifest, PlannedPuzzle, PlannedVariant, ResolvedPlan};
use swarmdoku::experiment::{Record, ScoreRecord, TraceEntry, TraceLine};
use swarmdoku::search::Stop;

/// The solution of [`GIVENS`].
const SOLUTION: &str = "962185473174963825538427169826359741357814296491672538249538617715296384683741952";

const GIVENS: &str = "9.2..54.31...63.255.84.7.6..263.9..1.57.1.29..9.67.53.24.53.6..7.52..3.4.8..4195.";

/// A folder in the making; it goes when this does.
pub struct Folder {
    folder: tempfile::TempDir,
    pub manifest: Manifest,
    pub runs: Vec<Record>,
    pub traces: Vec<TraceLine>,
}

impl Folder {
    /// A plan of these variants, each with its population, and these 9x9 puzzles.
    pub fn new(variants: &[(&str, u64)], puzzles: &[&str], runs: u32) -> Folder {
        let variant = |(name, population): &(&str, u64)| PlannedVariant {
            name: name.to_string(),
            algorithm: "swarm".into(),
            by_puzzle: None,
            parameters: json!({ "population": population, "worker_ratio": 0.9, "timeout": null }),
            budget: None,
            backend: None,
        };
        let puzzle = |name: &&str| PlannedPuzzle { name: name.to_string(), shape: "9x9".into(), puzzle: GIVENS.into() };
        let plan = ResolvedPlan {
            name: "An experiment".into(),
            seed: 2026,
            runs,
            budget: json!({ "evaluations": 50_000, "epochs": null }),
            puzzles: puzzles.iter().map(puzzle).collect(),
            variants: variants.iter().map(variant).collect(),
        };
        let manifest = Manifest {
            format: FORMAT,
            plan,
            plan_hash: "c0ffee".into(),
            shard: None,
            timing: false,
            version: "0.1.0".into(),
            git_revision: Some("1cb84a3".into()),
            host: "bench-1".into(),
            processor: "A processor".into(),
            threads: 2,
            backend: "cpu".into(),
            adapter: "AVX2".into(),
            started: "2026-11-30T08:00:00Z".into(),
            wall_s: None,
            wall_s_by_backend: None,
        };
        Folder { folder: tempfile::tempdir().unwrap(), manifest, runs: Vec::new(), traces: Vec::new() }
    }

    /// Adds the next run of a cell: its improvements as (evaluations, total), and the evaluations that it spent. It solved if
    /// the last total is 0.
    pub fn run(&mut self, variant: &str, puzzle: &str, improvements: &[(u64, u32)], spent: u64) -> &mut Record {
        let of_cell = |run: &&Record| run.variant.as_deref() == Some(variant) && run.name.as_deref() == Some(puzzle);
        let run = self.runs.iter().filter(of_cell).count() as u32;
        let total = improvements.last().expect("a run has a score").1;
        let trace = improvements.iter().map(|(at, total)| TraceEntry(0, 0, *at, *total)).collect();
        self.traces.push(TraceLine { variant: variant.into(), name: puzzle.into(), run, seed: None, trace });
        self.runs.push(Record {
            plan: Some(self.manifest.plan_hash.clone()),
            variant: Some(variant.into()),
            name: Some(puzzle.into()),
            run: Some(run),
            puzzle: GIVENS.into(),
            shape: "9x9".into(),
            algorithm: "swarm".into(),
            parameters: json!({}),
            backend: Some("cpu".into()),
            adapter: Some("AVX2".into()),
            backend_reason: Some("asked for".into()),
            engine: Some("batch".into()),
            seed: None,
            solved: total == 0,
            score: Some(ScoreRecord { rows: total, columns: 0, blocks: 0, total }),
            evaluations: spent,
            epochs: 1,
            restarts: 1,
            nodes: None,
            resets: None,
            propagated: None,
            stop: if total == 0 { Stop::Solved } else { Stop::Evaluations },
            wall_s: None,
            evaluations_per_s: None,
            trajectory: Some("92900433f6c03942".into()),
            solution: None,
            best: None,
            version: "0.1.0".into(),
            git_revision: Some("1cb84a3".into()),
            host: Some("bench-1".into()),
            trace: Vec::new(),
        });
        self.runs.last_mut().expect("pushed above")
    }

    /// Adds the run of a search without a population, which scored nothing and took so many nodes.
    pub fn exact(&mut self, variant: &str, puzzle: &str, solved: bool, nodes: u64) {
        self.manifest.plan.budget["nodes"] = 1_000_000.into();
        let run = self.run(variant, puzzle, &[(0, u32::from(!solved))], 0);
        (run.algorithm, run.nodes) = ("exact".into(), Some(nodes));
        (run.backend, run.adapter, run.backend_reason, run.engine) = (None, None, None, None);
        (run.seed, run.score, run.trajectory) = (None, None, None);
        (run.epochs, run.restarts) = (0, 0);
        run.stop = if solved { Stop::Solved } else { Stop::Nodes };
        self.traces.last_mut().expect("added with the run").trace.clear();
    }

    /// Adds runs that solved at these evaluations, or spent 1,000 with 2 left.
    pub fn runs_to_solve(&mut self, variant: &str, puzzle: &str, costs: &[Option<u64>]) {
        for cost in costs {
            match cost {
                Some(cost) => self.run(variant, puzzle, &[(10, 20), (*cost, 0)], *cost),
                None => self.run(variant, puzzle, &[(10, 20), (500, 2)], 1000),
            };
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file in it, or beside those of the experiment.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A run as the plan, as it is now, has it: with its puzzle, its seed, its solution and its rate.
    fn settled(&self, run: &Record, manifest: &Manifest) -> Record {
        let plan = &manifest.plan;
        let (name, variant) = (run.name.as_deref().unwrap(), run.variant.as_deref().unwrap());
        let place = plan.variants.iter().position(|other| other.name == variant);
        let (Some(place), Some(puzzle)) = (place, plan.puzzles.iter().position(|other| other.name == name)) else {
            return run.clone();
        };
        let solution = if plan.puzzles[puzzle].shape == "9x9" { SOLUTION } else { "1234341221434321" };
        let own_plan = run.plan.clone().filter(|plan| *plan != self.manifest.plan_hash);
        let rate = |seconds: f64| run.evaluations as f64 / seconds;
        Record {
            plan: own_plan.or(Some(manifest.plan_hash.clone())),
            puzzle: plan.puzzles[puzzle].puzzle.clone(),
            shape: plan.puzzles[puzzle].shape.clone(),
            algorithm: plan.variants[place].algorithm.clone(),
            seed: run.nodes.is_none().then(|| plan.seed(place, puzzle, run.run.unwrap())),
            evaluations_per_s: run.wall_s.map(rate),
            solution: run.solved.then(|| solution.into()),
            ..run.clone()
        }
    }

    /// Writes the experiment's files, with the hash of the plan as it is now.
    pub fn write(&self) -> &Folder {
        let manifest = Manifest { plan_hash: self.manifest.plan.hash().unwrap(), ..self.manifest.clone() };
        fs::write(self.file("manifest.json"), serde_json::to_string(&manifest).unwrap()).unwrap();
        let runs: Vec<Record> = self.runs.iter().map(|run| self.settled(run, &manifest)).collect();
        fs::write(self.file("runs.jsonl"), lines(&runs)).unwrap();
        fs::write(self.file("traces.jsonl"), lines(&self.traces)).unwrap();
        self
    }

    /// Adds bytes to the end of a file.
    pub fn append(&self, name: &str, bytes: &[u8]) {
        let content = [&fs::read(self.file(name)).unwrap()[..], bytes].concat();
        fs::write(self.file(name), content).unwrap();
    }
}

fn lines(records: &[impl Serialize]) -> String {
    records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect()
}
