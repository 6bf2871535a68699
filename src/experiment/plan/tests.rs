use std::path::Path;
use std::time::Duration;

use super::*;

const HEAD: &str = "name = \"try\"\nseed = 1\nruns = 3\n\n[budget]\nevaluations = 1e5\n\n";
const PUZZLE: &str =
    "[[puzzles]]\npuzzle = \"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\"\n\n";
const SWARM: &str = "[[algorithm]]\nalgorithm = \"swarm\"\n";

fn plan(text: &str) -> Result<Plan, Error> {
    Plan::parse("try.toml", text, Path::new(""))
}

fn good(parts: &[&str]) -> Plan {
    plan(&parts.concat()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn arrays_are_swept_and_form_a_grid() {
    let text = "population = [64, 1_28]\nacceptance = \"metropolis\"\ntemperature = [0.3, 1]\n";
    let plan = good(&[HEAD, PUZZLE, SWARM, text]);
    let names: Vec<&str> = plan.resolved().variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "swarm population=64 temperature=0.3",
            "swarm population=64 temperature=1",
            "swarm population=128 temperature=0.3",
            "swarm population=128 temperature=1"
        ]
    );
    assert_eq!(plan.resolved().variants[3].parameters["population"], 128);
    assert_eq!(plan.resolved().variants[3].parameters["temperature"], 1.0);
    assert_eq!((plan.cells(), plan.runs()), (4, 12));
    assert_eq!(plan.budget(plan.run(0)).evaluations, Some(100_000));
}

#[test]
fn every_option_of_every_algorithm_is_read() {
    let text = "
[[algorithm]]
algorithm = \"hybrid\"
rule = \"seed\"
max-age = 9
mutation-rate = 0.5
worker-ratio = 0.8
stagnation-limit = 7
stagnation-boost = 0.1
refine = 5
[[algorithm]]
algorithm = \"anneal\"
end-temperature = 0.1
cooling-epochs = 50
reheat = \"fresh\"
neighbours = \"any\"
[[algorithm]]
algorithm = \"random-key\"
inertia = 0.5
cognitive = 1
social = 2
movement = \"better\"
decoding = \"blocks\"
[[algorithm]]
algorithm = \"ga-naive\"
survivors = 5
keep-percent = 90
restart-after = 20
[[algorithm]]
algorithm = \"ga-columns\"
shuffled-columns = 2
shuffled-cells = 3
[[algorithm]]
algorithm = \"genetic\"
encoding = \"rows\"
selection = \"tournament\"
tournament = 4
crossover = \"one-point\"
crossover-rate = 0.25
swaps = 2
elites = 3
local-search = true
";
    let plan = good(&[HEAD, PUZZLE, text]);
    let parameters: Vec<_> = plan.resolved().variants.iter().map(|variant| &variant.parameters).collect();
    for (variant, key, value) in [
        (0, "refine", serde_json::json!(5)),
        (0, "local_search", true.into()),
        (0, "acceptance", "strict".into()),
        (0, "max_age", 9.into()),
        (1, "reheat", "fresh".into()),
        (1, "cooling_epochs", 50.into()),
        (2, "decoding", "blocks".into()),
        (2, "social", 2.0.into()),
        (3, "keep_percent", 90.into()),
        (4, "shuffled_columns", 2.into()),
        (5, "tournament", 4.into()),
        (5, "elites", 3.into()),
    ] {
        assert_eq!(parameters[variant][key], value, "{variant} {key}");
    }
}

#[test]
fn what_cannot_be_planned_is_refused_at_its_place() {
    let swarm = |line: &str| [HEAD, PUZZLE, SWARM, line].concat();
    for (text, parts) in [
        (swarm("populaton = 9"), &["try.toml:13:1", "no key `populaton`", "did you mean `population`?"][..]),
        (swarm("worker_ratio = 0.5"), &["did you mean `worker-ratio`?"]),
        (swarm("population = 0"), &["try.toml:13:14", "population is 0", "1 to 2,147,483,648"]),
        (swarm("population = []"), &["try.toml:13:14", "swept over no value"]),
        (swarm("population = -3"), &["population is -3", "a whole number"]),
        (swarm("population = \"9\""), &["population is 9, but must be a whole number"]),
        (swarm("acceptance = \"platau\""), &["strict, plateau, metropolis", "did you mean `plateau`?"]),
        (swarm("acceptance = \"strict\"\ntemperature = 1"), &["try.toml:14:15", "temperature is 1", "left out"]),
        (swarm("preset = \"mealpy\""), &["try.toml:13:10", "preset is mealpy", "conservative", "mealpy of random-key"]),
        (swarm("population = 200_000"), &["evaluations is 100000", "at least the population"]),
        (swarm("inertia = 1"), &["try.toml:13:11", "inertia is set, but swarm does not use it; random-key does"]),
        (swarm("nodes = 5"), &["nodes is set, but swarm does not use it; backtracking and exact do"]),
        (swarm("threshold = 5"), &["threshold is 5, but must be left out, or used with patience"]),
        ([HEAD, PUZZLE, SWARM, SWARM].concat(), &["a second variant is called `swarm`", "label"]),
        ([HEAD, PUZZLE, SWARM, SWARM, "label = \"b\""].concat(), &["`b` is the same algorithm"]),
        (
            [HEAD, PUZZLE, "[[algorithm]]\nalgorithm = \"exact\""].concat(),
            &["budget is unlimited for exact", "its stops are nodes, seconds"],
        ),
        ([HEAD, PUZZLE, "[[algorithm]]\nalgorithm = \"aneal\""].concat(), &["did you mean `anneal`?"]),
        ([HEAD, PUZZLE, PUZZLE, SWARM].concat(), &["`puzzle-2` is the same puzzle as `puzzle-1`"]),
        ([HEAD, "[[puzzles]]\npuzzle = \"11\"\n", SWARM].concat(), &["try.toml:8:1"]),
        ([HEAD, "[[puzzles]]\nfile = \"a\"\npuzzle = \"b\"\n", SWARM].concat(), &["exactly one of `file`"]),
        ([HEAD, "[[puzzles]]\nfil = \"a\"\n", SWARM].concat(), &["no key `fil`", "did you mean `file`?"]),
        ([HEAD, SWARM].concat(), &["the plan lacks [[puzzles]]"]),
        ([PUZZLE, SWARM].concat(), &["the plan lacks name"]),
        (
            swarm("population = 9").replace("evaluations = 1e5", "epochs = 3"),
            &["budget is unlimited for swarm", "bounded by", "its stops are evaluations, epochs"],
        ),
        (swarm("population = 9").replace("evaluations = 1e5", "evaluation = 3"), &["did you mean `evaluations`?"]),
        (swarm("population = 9").replace("seed = 1", "seed = 9007199254740992"), &["below 2^53"]),
        (swarm("population = 9").replace("runs = 3", "runs = 0"), &["try.toml:3:8", "runs is 0"]),
        (swarm("population = "), &["try.toml:13:"]),
    ] {
        let message = plan(&text).err().unwrap_or_else(|| panic!("{text}")).to_string();
        for part in parts {
            assert!(message.contains(part), "`{part}` is not in: {message}");
        }
    }
}

#[test]
fn other_puzzles_algorithms_names_and_budgets_leave_the_seed_of_a_run_as_it_is() {
    let first = good(&[HEAD, PUZZLE, SWARM]);
    let more = good(&[
        &HEAD.replace("try", "other").replace("1e5", "5000").replace("runs = 3", "runs = 9"),
        "[[puzzles]]\ngenerate = { seed = 5, count = 2, givens = 40 }\n",
        PUZZLE,
        "[[algorithm]]\nalgorithm = \"anneal\"\n",
        SWARM,
        "label = \"renamed\"\n",
    ]);
    for run in 0..3 {
        let (one, other) = (RunId { variant: 0, puzzle: 0, run }, RunId { variant: 1, puzzle: 2, run });
        assert_eq!(first.seed(one), more.seed(other));
        assert_eq!(first.part(one, 7), more.part(other, 7));
    }
    let mut seeds: Vec<u64> = (0..more.runs()).map(|index| more.seed(more.run(index))).collect();
    assert!(seeds.iter().all(|seed| *seed < 1 << 53));
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len() as u64, more.runs());
}

#[test]
fn value_stability_of_seeds_and_hash() {
    let plan = good(&[HEAD, PUZZLE, SWARM]);
    let seeds = [0, 1, 2].map(|run| plan.seed(RunId { variant: 0, puzzle: 0, run }));
    assert_eq!((seeds, plan.hash().len()), ([3_725_058_580_849_756, 3_934_478_663_470_789, 2_988_472_497_217_277], 64));
}

#[test]
fn runs_are_counted_without_a_gap_and_fall_in_one_part_each() {
    let plan = good(&[&HEAD.replace("runs = 3", "runs = 500"), PUZZLE, SWARM, "population = [64, 65]\n"]);
    let mut parts = [0; 4];
    for index in 0..plan.runs() {
        let id = plan.run(index);
        assert_eq!(plan.index(id), index);
        parts[plan.part(id, 4) as usize - 1] += 1;
    }
    assert_eq!(parts, [250; 4], "500 runs of each cell, dealt in turn");
}

const EXACT: &str = "[[algorithm]]\nalgorithm = [\"exact\", \"backtracking\"]\n";

#[test]
fn each_algorithm_takes_the_stops_of_the_budget_that_it_has() {
    let head = HEAD.replace("1e5\n", "1e5\npatience = 70\nnodes = 5e4\nseconds = 2\n");
    let plan = good(&[&head, PUZZLE, SWARM, EXACT]);
    let budget = |variant| *plan.budget(RunId { variant, puzzle: 0, run: 0 });
    let (swarm, exact) = (budget(0), budget(1));
    assert_eq!(
        (swarm.evaluations, swarm.nodes, exact.evaluations, exact.nodes),
        (Some(100_000), None, None, Some(50_000))
    );
    assert_eq!((swarm.convergence.map(|stop| stop.patience), exact.convergence), (Some(70), None));
    assert_eq!((swarm.time, exact.time), (Some(Duration::from_secs(2)), Some(Duration::from_secs(2))));
    let resolved = &plan.resolved().budget;
    assert_eq!(
        (&resolved["patience"], &resolved["nodes"], resolved.get("threshold")),
        (&70.into(), &50_000.into(), None)
    );
}

#[test]
fn the_three_sizes_of_the_notebook_stand_in_one_plan() {
    let sizes = "rule = \"seed\"\npreset = [\"conservative\", \"standard\", \"aggressive\"]\n";
    let plan = good(&[&HEAD.replace("1e5", "1e9"), PUZZLE, SWARM, sizes, SWARM, "label = \"few\"\nepochs = 9\n"]);
    let size = |variant| {
        let id = RunId { variant, puzzle: 0, run: 0 };
        let budget = plan.budget(id);
        (plan.population(id), budget.epochs, budget.restarts, budget.evaluations)
    };
    assert_eq!(size(0), (100, Some(2000), Some(5), Some(1_000_000_000)));
    assert_eq!(size(1), (200, Some(3000), Some(10), Some(1_000_000_000)));
    assert_eq!(size(2), (300, Some(5000), Some(20), Some(1_000_000_000)));
    assert_eq!((size(3).1, size(3).2), (Some(9), None));
    let own = |variant: usize| plan.resolved().variants[variant].budget.clone();
    assert_eq!(own(0), Some(json!({ "epochs": 2000, "restarts": 5 })));
    assert_eq!(own(3), Some(json!({ "epochs": 9 })));
    let usual = good(&[HEAD, PUZZLE, SWARM]);
    assert_eq!(usual.resolved().variants[0].budget, None);
    let first = |plan: &Plan, variant| plan.seed(RunId { variant, puzzle: 0, run: 0 });
    assert_eq!(first(&usual, 0), first(&plan, 3), "stops are no part of a seed");
}

#[test]
fn a_deterministic_algorithm_makes_one_run_per_puzzle() {
    let plan = good(&[&HEAD.replace("1e5\n", "1e5\nnodes = 1e4\n"), PUZZLE, SWARM, EXACT]);
    let made = (0..plan.runs()).map(|index| plan.run(index)).filter(|id| plan.is_in(*id, None));
    let by_variant = made.fold([0; 3], |mut runs, id| {
        runs[id.variant] += 1;
        runs
    });
    assert_eq!(by_variant, [3, 1, 1]);
    assert_eq!(plan.estimate(None).runs, 5);
    assert_eq!(plan.estimate(None).evaluations, Some(300_000), "an exact method scores nothing");
}

#[test]
fn a_manifest_has_the_parameters_on_which_all_puzzles_agree() {
    let variant = crate::search::tests_of_variants::SHAPED.variant();
    let planned =
        Planned { name: "shaped".into(), variant, own: Settings::default(), budget: Budget::default(), backend: None };
    let of = |side| {
        let empty = crate::sudoku::Grid::empty(crate::sudoku::Shape::of_side(side).unwrap());
        planned.variant.resolve(&Puzzle::new(empty).unwrap()).unwrap()
    };
    let shown = manifest_variant((&planned, &[of(4), of(9)])).parameters;
    assert_eq!((shown.get("population"), &shown["temperature"]), (None, &json!(0.6)));
    assert_eq!(manifest_variant((&planned, &[of(9)])).parameters, of(9));
}

#[test]
fn backends_may_be_named_beside_variants_and_have_no_part_in_a_seed() {
    let plan = good(&[HEAD, PUZZLE, SWARM, "backend = [\"cpu\", \"gpu\"]\nengine = \"batch\"\n"]);
    let names: Vec<&str> = plan.resolved().variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["swarm backend=cpu", "swarm backend=gpu"]);
    let [cpu, gpu] = [0, 1].map(|variant| RunId { variant, puzzle: 0, run: 2 });
    assert_eq!((plan.backend(cpu), plan.backend(gpu)), (Some(Backend::CPU), Some(Backend::GPU)));
    let usual = good(&[HEAD, PUZZLE, SWARM]);
    assert_eq!((plan.seed(cpu), plan.seed(gpu)), (usual.seed(cpu), usual.seed(cpu)));
    assert_ne!(plan.hash(), usual.hash());
    let nodes = HEAD.replace("1e5\n", "1e5\nnodes = 1e4\n");
    for (parts, part) in [
        ([HEAD, PUZZLE, SWARM, "backend = \"cuda\"\n"], "backend is cuda, but must be one of gpu, cpu, scalar"),
        ([HEAD, PUZZLE, SWARM, "engine = \"resident\"\n"], "engine is resident, but must be one of batch"),
        ([&nodes, PUZZLE, EXACT, "backend = \"cpu\"\n"], "backend is cpu, but must be left out: exact scores nothing"),
    ] {
        let message = tests::plan(&parts.concat()).err().unwrap().to_string();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_file_gives_as_many_puzzles_as_are_taken_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let three = "12....12..4..3..\n1...2...3...4...\n1...............\n";
    let rows = "1,2,.,.\n.,.,1,2\n.,.,4,.\n.,3,.,.\n";
    std::fs::write(folder.path().join("three.txt"), three).unwrap();
    std::fs::write(folder.path().join("framed.csv"), format!("0,1,2,3\n{rows}")).unwrap();
    let planned = |keys: &str| {
        let text = [HEAD, "[[puzzles]]\n", keys, SWARM].concat();
        Plan::parse("try.toml", &text, folder.path())
            .map(|plan| plan.puzzles().len())
            .map_err(|error| error.to_string())
    };
    let three = |keys: &str| planned(&format!("file = \"three.txt\"\n{keys}\n"));
    assert_eq!((three(""), three("take = 3"), three("take = 2\nskip = 1")), (Ok(3), Ok(3), Ok(2)));
    for (keys, part) in [
        ("take = 500", "three.txt has 3 puzzles, but 500 are to be taken"),
        ("take = 3\nskip = 1", "three.txt has 2 puzzles past the first 1, but 3 are to be taken"),
        ("take = 0", "take is 0, but must be at least 1"),
        ("skip = 3", "no puzzle past the first 3"),
    ] {
        let message = three(keys).unwrap_err();
        assert!(message.contains(part), "{message}");
    }
    for keys in ["", "take = 1"] {
        let message = planned(&format!("file = \"framed.csv\"\n{keys}\n")).unwrap_err();
        assert!(message.contains("remove line 1 if it is no row of the grid"), "{message}");
    }
    let message = planned("generate = { seed = 1, count = 0 }\n").unwrap_err();
    assert!(message.contains("count is 0, but must be at least 1"), "{message}");
    let message = planned("file = \"-\"\n").unwrap_err();
    assert!(message.contains("file is"), "{message}");
}
