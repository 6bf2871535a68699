//! `swarmdoku algorithms`: the table of algorithms and their parameters, for people and programs.

use clap::Args;
use serde_json::{Map, Value, json};
use swarmdoku::search::parameter::{Kind, Parameter};
use swarmdoku::search::{ALGORITHMS, Algorithm, Budget, stops};
use swarmdoku::{Error, Grid, Puzzle, Shape};

use super::{Verdict, print_line};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// List the algorithms, or the parameters of one.
///
/// Options of `solve` and `compare` and keys of plans have these names. A parameter that is not given has its default,
/// which depends on the rule.
#[derive(Args)]
pub struct AlgorithmsArgs {
    /// The algorithm whose parameters are listed
    #[arg(value_name = "NAME", value_parser = super::algorithm::names())]
    name: Option<String>,

    /// One JSON object per algorithm and line instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &AlgorithmsArgs) -> Result<Verdict, Error> {
    let named = args.name.as_deref().map(Algorithm::named).transpose()?;
    let chosen: Vec<&Algorithm> = named.map_or_else(|| ALGORITHMS.to_vec(), |algorithm| vec![algorithm]);
    let lines = match (args.json, named) {
        (true, _) => chosen.iter().map(|algorithm| to_json(algorithm).to_string()).collect(),
        (false, Some(algorithm)) => details(algorithm),
        (false, None) => list(),
    };
    lines.iter().try_for_each(|line| print_line(line))?;
    Ok(Verdict::Yes)
}

/// Name, aliases and help of each.
fn list() -> Vec<String> {
    let mut lines = Vec::new();
    for algorithm in ALGORITHMS {
        let aliases = algorithm.aliases.join(", ");
        let help = [algorithm.help, algorithm.note].join(". ");
        let help = help.trim_end_matches(". ").trim_end_matches('.');
        lines.extend(wrapped(&format!("{:<14}{aliases:<5}", algorithm.name), help, 19));
    }
    lines.extend([String::new(), "`swarmdoku algorithms NAME` lists the parameters of one.".into()]);
    lines
}

/// Everything about one.
fn details(algorithm: &Algorithm) -> Vec<String> {
    let aliases = match algorithm.aliases {
        [] => String::new(),
        aliases => format!(" (also: {})", aliases.join(", ")),
    };
    let mut lines = vec![format!("{}{aliases}", algorithm.name)];
    lines.extend(wrapped("  ", algorithm.help, 2));
    if !algorithm.note.is_empty() {
        lines.extend(wrapped("  ", algorithm.note, 2));
    }
    if !algorithm.parameters.is_empty() {
        lines.extend([String::new(), "Parameters".into()]);
    }
    lines.extend(algorithm.parameters.iter().flat_map(|parameter| row(algorithm, parameter)));
    lines.extend([String::new(), "Default budget, by --rule and --preset".into()]);
    for rule in algorithm.rules {
        lines.push(format!("  {:<24}{}", rule.name, words_of(&rule.budget)));
    }
    for preset in algorithm.presets {
        lines.push(format!("  {:<24}population {}, {}", preset.name, preset.population, words_of(&preset.budget)));
    }
    lines.extend([String::new(), "Stops".into()]);
    for stop in algorithm.stops {
        lines.extend(wrapped(&format!("  {:<24}", option(stop)), stop.help, 26));
    }
    let engines = if algorithm.engines().is_empty() { "none" } else { &algorithm.engines().join(", ") };
    lines.extend([String::new(), format!("Engines: {engines}")]);
    lines
}

/// `--max-age EPOCHS`
fn option(parameter: &Parameter) -> String {
    format!("--{} {}", parameter.name, parameter.value_name).trim_end().to_owned()
}

/// A parameter: option, default, range and help.
fn row(algorithm: &Algorithm, parameter: &Parameter) -> Vec<String> {
    let kind = match parameter.kind {
        Kind::Flag => "off unless given".to_owned(),
        Kind::Choice(_) => format!("{}; default {}", parameter.range(), default_words(algorithm, parameter)),
        kind => format!("{}, {}; default {}", kind.name(), parameter.range(), default_words(algorithm, parameter)),
    };
    let dependence = parameter.dependence();
    let facts = if dependence.is_empty() { kind } else { format!("{kind}; {dependence}") };
    let mut lines = wrapped(&format!("  {:<30}", option(parameter)), &facts, 32);
    lines.extend(wrapped("      ", parameter.help, 6));
    lines
}

/// `64, with rule seed 200`
fn default_words(algorithm: &Algorithm, parameter: &Parameter) -> String {
    let value = |rule, shape| algorithm.default_of(parameter, rule, &empty(shape)).to_string().replace('"', "");
    let of_rule = |rule| {
        let (nine, larger) = (value(rule, 9), value(rule, 16));
        if nine == larger { nine } else { format!("{nine} ({larger} at 16x16)") }
    };
    let mut words = of_rule(&algorithm.rules[0]);
    for rule in &algorithm.rules[1..] {
        if of_rule(rule) != of_rule(&algorithm.rules[0]) {
            words += &format!(", with rule {} {}", rule.name, of_rule(rule));
        }
    }
    words
}

fn empty(side: usize) -> Puzzle {
    let shape = Shape::of_side(side).expect("a side that has a shape");
    Puzzle::new(Grid::empty(shape)).expect("no given conflicts with another")
}

/// `epochs 5000, restarts 20`
fn words_of(budget: &Budget) -> String {
    let set = |stop: &&Parameter| !stops::value(budget, stop.name).is_null();
    let words = |stop: &Parameter| format!("{} {}", stop.name, stops::value(budget, stop.name));
    stops::ALL.iter().filter(set).map(words).collect::<Vec<_>>().join(", ")
}

/// A text behind a head, in lines of no more than [`WIDTH`] columns; the second and later ones are indented.
fn wrapped(head: &str, text: &str, indent: usize) -> Vec<String> {
    let mut lines = vec![head.to_owned()];
    let mut starts = true;
    if head.chars().count() > indent {
        lines.push(" ".repeat(indent));
    }
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !starts && lines[last].chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(" ".repeat(indent) + word);
            continue;
        }
        if !starts {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
        starts = false;
    }
    lines
}

/// Everything about one, for programs.
fn to_json(algorithm: &Algorithm) -> Value {
    let stops = |budget: &Budget| -> Map<String, Value> {
        let value = |stop: &Parameter| (stop.key(), stops::value(budget, stop.name));
        stops::ALL.iter().map(value).filter(|(_, value)| !value.is_null()).collect()
    };
    let rules: Vec<Value> =
        algorithm.rules.iter().map(|rule| json!({ "name": rule.name, "budget": stops(&rule.budget) })).collect();
    let preset = |preset: &swarmdoku::search::algorithm::Preset| json!({ "name": preset.name, "population": preset.population, "budget": stops(&preset.budget) });
    json!({
        "name": algorithm.name,
        "aliases": algorithm.aliases,
        "help": algorithm.help,
        "note": algorithm.note,
        "deterministic": algorithm.is_deterministic(),
        "parameters": algorithm.parameters.iter().map(|parameter| parameter_json(algorithm, parameter)).collect::<Vec<_>>(),
        "rules": rules,
        "presets": algorithm.presets.iter().map(preset).collect::<Vec<_>>(),
        "stops": algorithm.stops.iter().map(|stop| stop.name).collect::<Vec<_>>(),
        "engines": algorithm.engines(),
    })
}

fn parameter_json(algorithm: &Algorithm, parameter: &Parameter) -> Value {
    let default = |rule: &swarmdoku::search::algorithm::NamedRule| {
        (rule.name.to_owned(), algorithm.default_of(parameter, rule, &empty(9)))
    };
    let choices = match parameter.kind {
        Kind::Choice(words) => Some(words),
        _ => None,
    };
    json!({
        "name": parameter.name,
        "kind": parameter.kind.name(),
        "range": parameter.range(),
        "choices": choices,
        "default": algorithm.rules.iter().map(default).collect::<Map<String, Value>>(),
        "depends": Some(parameter.dependence()).filter(|text| !text.is_empty()),
        "help": parameter.help,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_fits_a_terminal_of_80_columns() {
        for lines in ALGORITHMS.iter().map(|algorithm| details(algorithm)).chain([list()]) {
            assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:#?}");
        }
    }

    #[test]
    fn a_parameter_is_listed_with_its_range_its_defaults_and_what_it_depends_on() {
        let text = details(Algorithm::named("swarm").expect("a swarm")).join("\n");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "--population N count, 1 to 2,147,483,648; default 64, with rule seed 200",
            "--acceptance RULE strict, plateau, metropolis; default metropolis, with rule seed strict",
            "temperature, more than 0; default 0.29; only with acceptance metropolis",
            "conservative population 100, epochs 2000, restarts 5",
            "Engines: batch",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
