//! From a table of a plan to an algorithm: every key is an option of the command line and means the same.
//!
//! What is not named has the value that `solve` gives it. Sizes of a run (epochs, restarts) are the plan's budget, so a
//! table has none, nor a preset of them.

use super::table::Table;
use crate::error::Error;
use crate::search::{
    Acceptance, Algorithm, AnnealParameters, Crossover, Decoding, Encoding, GaColumnsParameters, GaNaiveParameters,
    GeneticParameters, Movement, Neighbours, OnStagnation, RandomKeyParameters, Reheat, Selection, SwarmParameters,
};

/// Reads the parameters of one algorithm.
type Read = fn(&mut Table<'_>) -> Result<Algorithm, Error>;

const ALGORITHMS: [(&str, Read); 7] = [
    ("swarm", |table| swarm(table, false)),
    ("hybrid", |table| swarm(table, true)),
    ("anneal", anneal),
    ("random-key", random_key),
    ("ga-naive", ga_naive),
    ("ga-columns", ga_columns),
    ("genetic", genetic),
];

/// The algorithm that a table describes, checked.
///
/// # Errors
/// [`Error::Plan`] for an unknown algorithm, a key that it does not use, and a value that it cannot have.
pub fn read(mut table: Table<'_>) -> Result<Algorithm, Error> {
    let name: String = table.need("algorithm")?;
    if matches!(name.as_str(), "backtracking" | "exact") {
        return Err(table.refuse("algorithm", "one that scores a population; this one does not"));
    }
    let named: Read = table.choice("algorithm", &ALGORITHMS, anneal)?;
    table.get::<String>("label")?;
    if table.has("preset") {
        return Err(table.refuse("preset", "left out: name the population here, and epochs and restarts in [budget]"));
    }
    let algorithm = named(&mut table)?;
    algorithm.validate().map_err(|error| table.place_of(error))?;
    table.finish()?;
    Ok(algorithm)
}

fn anneal(table: &mut Table<'_>) -> Result<Algorithm, Error> {
    let tuned = AnnealParameters::TUNED;
    let reheats = [("keep", Reheat::Keep), ("fresh", Reheat::Fresh)];
    let neighbours = [("any", Neighbours::Any), ("conflicts", Neighbours::Conflicts)];
    Ok(Algorithm::Anneal(AnnealParameters {
        population: table.or("population", tuned.population)?,
        temperature: table.or("temperature", tuned.temperature)?,
        end_temperature: table.or("end-temperature", tuned.end_temperature)?,
        cooling_epochs: table.or("cooling-epochs", tuned.cooling_epochs)?,
        reheat: table.choice("reheat", &reheats, tuned.reheat)?,
        neighbours: table.choice("neighbours", &neighbours, tuned.neighbours)?,
    }))
}

fn swarm(table: &mut Table<'_>, hybrid: bool) -> Result<Algorithm, Error> {
    let rules = [("tuned", SwarmParameters::TUNED), ("seed", SwarmParameters::SEED)];
    let rule = table.choice("rule", &rules, SwarmParameters::TUNED)?;
    let adaptive = table.or("adaptive", false)?;
    if adaptive && table.has("worker-ratio") {
        return Err(table.refuse("worker-ratio", "left out: adaptive = true sets it"));
    }
    Ok(Algorithm::Swarm(SwarmParameters {
        population: table.or("population", rule.population)?,
        worker_ratio: table.or("worker-ratio", rule.worker_ratio)?,
        max_age: table.or("max-age", rule.max_age)?,
        mutation_rate: table.or("mutation-rate", rule.mutation_rate)?,
        acceptance: acceptance(table, rule.acceptance)?,
        adaptive,
        on_stagnation: on_stagnation(table, hybrid)?,
    }))
}

fn acceptance(table: &mut Table<'_>, default: Acceptance) -> Result<Acceptance, Error> {
    let tuned = Acceptance::Metropolis { temperature: SwarmParameters::TUNED_TEMPERATURE };
    let choices = [("strict", Acceptance::Strict), ("plateau", Acceptance::Plateau), ("metropolis", tuned)];
    let chosen = table.choice("acceptance", &choices, default)?;
    match (chosen, table.get("temperature")?) {
        (_, None) => Ok(chosen),
        (Acceptance::Metropolis { .. }, Some(temperature)) => Ok(Acceptance::Metropolis { temperature }),
        _ => Err(table.refuse("temperature", "left out, or used with acceptance = \"metropolis\"")),
    }
}

fn on_stagnation(table: &mut Table<'_>, hybrid: bool) -> Result<Option<OnStagnation>, Error> {
    let nothing = OnStagnation::NOTHING;
    let acts = hybrid || table.has("stagnation-boost") || table.has("refine");
    if table.has("stagnation-limit") && !acts {
        return Err(table.refuse("stagnation-limit", "left out, or used with hybrid, refine or stagnation-boost"));
    }
    let on = OnStagnation {
        stagnation_limit: table.or("stagnation-limit", nothing.stagnation_limit)?,
        stagnation_boost: table.or("stagnation-boost", nothing.stagnation_boost)?,
        local_search: hybrid,
        refine: table.or("refine", nothing.refine)?,
    };
    Ok(acts.then_some(on))
}

fn random_key(table: &mut Table<'_>) -> Result<Algorithm, Error> {
    let rules = [("tuned", RandomKeyParameters::CANONICAL), ("seed", RandomKeyParameters::MEALPY)];
    let rule = table.choice("rule", &rules, RandomKeyParameters::CANONICAL)?;
    let movements = [("always", Movement::Always), ("better", Movement::Better)];
    let decodings = [("rows", Decoding::Rows), ("blocks", Decoding::Blocks)];
    Ok(Algorithm::RandomKey(RandomKeyParameters {
        population: table.or("population", rule.population)?,
        inertia: table.or("inertia", rule.inertia)?,
        cognitive: table.or("cognitive", rule.cognitive)?,
        social: table.or("social", rule.social)?,
        movement: table.choice("movement", &movements, rule.movement)?,
        decoding: table.choice("decoding", &decodings, rule.decoding)?,
    }))
}

fn ga_naive(table: &mut Table<'_>) -> Result<Algorithm, Error> {
    let seed = GaNaiveParameters::SEED;
    Ok(Algorithm::GaNaive(GaNaiveParameters {
        population: table.or("population", seed.population)?,
        survivors: table.or("survivors", seed.survivors)?,
        keep_percent: table.or("keep-percent", seed.keep_percent)?,
        restart_after: table.or("restart-after", seed.restart_after)?,
    }))
}

fn ga_columns(table: &mut Table<'_>) -> Result<Algorithm, Error> {
    let seed = GaColumnsParameters::SEED;
    Ok(Algorithm::GaColumns(GaColumnsParameters {
        population: table.or("population", seed.population)?,
        survivors: table.or("survivors", seed.survivors)?,
        shuffled_columns: table.or("shuffled-columns", seed.shuffled_columns)?,
        shuffled_cells: table.or("shuffled-cells", seed.shuffled_cells)?,
        restart_after: table.or("restart-after", seed.restart_after)?,
    }))
}

fn genetic(table: &mut Table<'_>) -> Result<Algorithm, Error> {
    let tuned = GeneticParameters::TUNED;
    let encodings = [("blocks", Encoding::Blocks), ("rows", Encoding::Rows), ("columns", Encoding::Columns)];
    let crossovers = [("uniform", Crossover::Uniform), ("one-point", Crossover::OnePoint)];
    Ok(Algorithm::Genetic(GeneticParameters {
        population: table.or("population", tuned.population)?,
        encoding: table.choice("encoding", &encodings, tuned.encoding)?,
        selection: selection(table, tuned.selection)?,
        crossover: table.choice("crossover", &crossovers, tuned.crossover)?,
        crossover_rate: table.or("crossover-rate", tuned.crossover_rate)?,
        mutation_rate: table.or("mutation-rate", tuned.mutation_rate)?,
        swaps: table.or("swaps", tuned.swaps)?,
        elites: table.or("elites", tuned.elites)?,
        restart_after: table.or("restart-after", tuned.restart_after)?,
        local_search: table.or("local-search", tuned.local_search)?,
    }))
}

fn selection(table: &mut Table<'_>, default: Selection) -> Result<Selection, Error> {
    let tournament = Selection::Tournament { tournament: GeneticParameters::TOURNAMENT };
    let truncation = Selection::Truncation { survivors: GeneticParameters::SURVIVORS };
    let chosen = table.choice("selection", &[("tournament", tournament), ("truncation", truncation)], default)?;
    let (size, survivors) = (table.get("tournament")?, table.get("survivors")?);
    match chosen {
        Selection::Tournament { .. } if survivors.is_some() => {
            Err(table.refuse("survivors", "left out, or used with selection = \"truncation\""))
        }
        Selection::Truncation { .. } if size.is_some() => {
            Err(table.refuse("tournament", "left out, or used with selection = \"tournament\""))
        }
        Selection::Tournament { tournament } => Ok(Selection::Tournament { tournament: size.unwrap_or(tournament) }),
        Selection::Truncation { survivors: few } => Ok(Selection::Truncation { survivors: survivors.unwrap_or(few) }),
    }
}
