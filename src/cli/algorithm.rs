//! The options of algorithms, made from the library's table, and what they mean together.
//!
//! All algorithms share one set of options, so that the same word means the same thing everywhere. One that an algorithm
//! does not use is an error, never ignored.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use swarmdoku::Error;
use swarmdoku::search::parameter::{Kind, Parameter, Settings};
use swarmdoku::search::{ALGORITHMS, Algorithm, Budget, Variant, sample_puzzle, stops};

/// Options that `solve --help` shows; `swarmdoku algorithms NAME` shows the others.
const SHOWN: &[&str] = &["population"];

/// Rule, preset, parameters and stops, as they were given.
#[derive(Clone, Default, Debug)]
pub struct ParameterArgs {
    rule: Option<String>,
    preset: Option<String>,
    parameters: Vec<(&'static str, String)>,
    stops: Vec<(&'static str, String)>,
}

/// An algorithm with its settings and its stops, checked.
#[derive(Debug)]
pub struct BudgetedVariant {
    pub variant: Variant,
    pub budget: Budget,
}

/// The names of algorithms and their aliases, for an option.
pub fn names() -> PossibleValuesParser {
    let value = |algorithm: &&Algorithm| {
        clap::builder::PossibleValue::new(algorithm.name).aliases(algorithm.aliases).help(algorithm.help)
    };
    PossibleValuesParser::new(ALGORITHMS.iter().map(value))
}

impl BudgetedVariant {
    /// The algorithm of this name or, without one, the one that the options mean: anneal, or the swarm where one of them
    /// is the swarm's and not anneal's.
    ///
    /// # Errors
    /// [`Error::Setting`] and [`Error::Parameter`] for a value out of range, and for an option that the algorithm does not use.
    pub fn new(name: Option<&str>, args: &ParameterArgs) -> Result<BudgetedVariant, Error> {
        let algorithm = Algorithm::named(name.unwrap_or(if args.mean_the_swarm()? { "swarm" } else { "anneal" }))?;
        let mut variant = algorithm.variant();
        if let Some(rule) = &args.rule {
            variant.set_rule(rule)?;
        }
        if let Some(preset) = &args.preset {
            variant.set_preset(preset)?;
        }
        args.parameters.iter().try_for_each(|(name, text)| variant.set_text(name, text))?;
        let budget = stops::budget(&args.stops_of(algorithm)?, variant.default_budget());
        BudgetedVariant { variant, budget }.checked()
    }

    fn checked(self) -> Result<BudgetedVariant, Error> {
        self.variant.validate()?;
        self.variant.check_budget(&sample_puzzle(), &self.budget)?;
        Ok(self)
    }
}

impl ParameterArgs {
    fn mean_the_swarm(&self) -> Result<bool, Error> {
        let (anneal, swarm) = (Algorithm::named("anneal")?, Algorithm::named("swarm")?);
        let swarms = |name: &str| swarm.parameter(name).is_ok() && anneal.parameter(name).is_err();
        Ok(self.rule.is_some() || self.preset.is_some() || self.parameters.iter().any(|(name, _)| swarms(name)))
    }

    /// The stops that were given, all of which the algorithm must have.
    fn stops_of(&self, algorithm: &Algorithm) -> Result<Settings, Error> {
        let mut set = Settings::default();
        for (name, text) in &self.stops {
            let stop = algorithm.stop(name)?;
            set.set(stop, stop.read_text(text)?);
        }
        Ok(set)
    }

    /// `--evaluations`.
    ///
    /// # Errors
    /// [`Error::Setting`] for a text that is no count.
    pub fn evaluations(&self) -> Result<Option<u64>, Error> {
        self.stop("evaluations")
    }

    /// `--restarts`.
    ///
    /// # Errors
    /// [`Error::Setting`] for a text that is no count.
    pub fn restarts(&self) -> Result<Option<u32>, Error> {
        Ok(self.stop("restarts")?.and_then(|restarts| u32::try_from(restarts).ok()))
    }

    fn stop(&self, name: &str) -> Result<Option<u64>, Error> {
        let given = self.stops.iter().find(|(stop, _)| *stop == name);
        let stop = stops::ALL.iter().find(|stop| stop.name == name);
        let value = given.zip(stop).map(|((_, text), stop)| stop.read_text(text)).transpose()?;
        Ok(value.and_then(|value| value.as_u64()))
    }

    /// Options for several algorithms at once: each takes those that it has.
    ///
    /// # Errors
    /// [`Error::Setting`] for an option that none of them uses, and what [`BudgetedVariant::new`] reports.
    pub fn shared(&self, algorithms: &[&'static Algorithm]) -> Result<Vec<BudgetedVariant>, Error> {
        self.refuse_unused_by_all(algorithms)?;
        algorithms.iter().map(|algorithm| self.of(algorithm)).collect()
    }

    /// One algorithm of several, with the options that it has.
    fn of(&self, algorithm: &'static Algorithm) -> Result<BudgetedVariant, Error> {
        let own = ParameterArgs {
            rule: self.rule.clone().filter(|rule| algorithm.rule(rule).is_ok()),
            preset: self.preset.clone().filter(|preset| algorithm.preset(preset).is_ok()),
            parameters: self.parameters.iter().filter(|(name, _)| algorithm.parameter(name).is_ok()).cloned().collect(),
            stops: self.stops.iter().filter(|(name, _)| algorithm.stop(name).is_ok()).cloned().collect(),
        };
        BudgetedVariant::new(Some(algorithm.name), &own)
    }

    fn refuse_unused_by_all(&self, algorithms: &[&'static Algorithm]) -> Result<(), Error> {
        let Some(first) = algorithms.first() else { return Ok(()) };
        for (name, _) in &self.parameters {
            if algorithms.iter().all(|algorithm| algorithm.parameter(name).is_err()) {
                return Err(first.unused(name));
            }
        }
        for (name, _) in &self.stops {
            if algorithms.iter().all(|algorithm| algorithm.stop(name).is_err()) {
                return Err(first.unused(name));
            }
        }
        let none = |has: &dyn Fn(&Algorithm) -> bool| !algorithms.iter().any(|algorithm| has(algorithm));
        match (&self.rule, &self.preset) {
            (Some(rule), _) if none(&|algorithm| algorithm.rule(rule).is_ok()) => first.rule(rule).map(drop),
            (_, Some(preset)) if none(&|algorithm| algorithm.preset(preset).is_ok()) => first.preset(preset).map(drop),
            _ => Ok(()),
        }
    }

    /// The options that only some of these algorithms use, each with those: `--max-age: swarm, hybrid`.
    pub fn partly_used(&self, algorithms: &[&'static Algorithm]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut add = |name: &str, has: &dyn Fn(&Algorithm) -> bool| {
            let users: Vec<&str> =
                algorithms.iter().filter(|algorithm| has(algorithm)).map(|algorithm| algorithm.name).collect();
            if users.len() < algorithms.len() {
                lines.push(format!("--{name}: {}", users.join(", ")));
            }
        };
        if let Some(rule) = &self.rule {
            add("rule", &|algorithm| algorithm.rule(rule).is_ok());
        }
        if let Some(preset) = &self.preset {
            add("preset", &|algorithm| algorithm.preset(preset).is_ok());
        }
        self.parameters.iter().for_each(|(name, _)| add(name, &|algorithm| algorithm.parameter(name).is_ok()));
        self.stops.iter().for_each(|(name, _)| add(name, &|algorithm| algorithm.stop(name).is_ok()));
        lines
    }
}

/// Every parameter of any algorithm, once, with the algorithms that have it.
fn all_parameters() -> Vec<(&'static Parameter, Vec<&'static str>)> {
    let mut all: Vec<(&'static Parameter, Vec<&'static str>)> = Vec::new();
    for algorithm in ALGORITHMS {
        for parameter in algorithm.parameters {
            match all.iter_mut().find(|(known, _)| known.name == parameter.name) {
                Some((_, users)) => users.push(algorithm.name),
                None => all.push((parameter, vec![algorithm.name])),
            }
        }
    }
    all
}

/// The option of a parameter.
fn option(parameter: &'static Parameter, help: String) -> Arg {
    let arg = Arg::new(parameter.name).long(parameter.name).help(help).value_name(parameter.value_name);
    match parameter.kind {
        Kind::Flag => Arg::new(parameter.name).long(parameter.name).help(parameter.help).action(ArgAction::SetTrue),
        Kind::Choice(words) => arg.value_parser(PossibleValuesParser::new(words)),
        _ => arg.allow_negative_numbers(true),
    }
}

/// Help of a parameter: the algorithms that have it, and its defaults.
fn help(parameter: &Parameter, users: &[&str]) -> String {
    let puzzle = sample_puzzle();
    let mut defaults: Vec<String> = Vec::new();
    for algorithm in ALGORITHMS.iter().filter(|algorithm| users.contains(&algorithm.name)) {
        for rule in algorithm.rules {
            let value = algorithm.default_of(parameter, rule, &puzzle);
            defaults.push(format!("{} {} {value}", algorithm.name, rule.name).replace('"', ""));
        }
    }
    format!("{} [{}]", parameter.help, defaults.join("; "))
}

fn names_of(items: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    let mut names: Vec<&str> = Vec::new();
    items.for_each(|name| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    PossibleValuesParser::new(names)
}

impl Args for ParameterArgs {
    fn augment_args(command: Command) -> Command {
        let rules = ALGORITHMS.iter().flat_map(|algorithm| algorithm.rules).map(|rule| rule.name);
        let presets = ALGORITHMS.iter().flat_map(|algorithm| algorithm.presets).map(|preset| preset.name);
        let mut command = command
            .next_help_heading("Algorithm")
            .arg(Arg::new("rule").long("rule").value_name("RULE").value_parser(names_of(rules)).help(
            "Source of defaults: `tuned` solves most, `seed` is the published rule [default: tuned where there is one]",
        ));
        command = command.arg(
            Arg::new("preset")
                .long("preset")
                .value_name("PRESET")
                .value_parser(names_of(presets))
                .help("Sizes with a name: population, epochs and restarts"),
        );
        for (parameter, users) in all_parameters() {
            let shown = SHOWN.contains(&parameter.name);
            let text = if shown { parameter.help.to_owned() } else { help(parameter, &users) };
            command = command.arg(option(parameter, text).hide(!shown));
        }
        command = command.next_help_heading("Budget (whichever is met first)");
        for stop in stops::ALL {
            let arg = option(stop, stop.help.to_owned());
            command = command.arg(if stop.name == "threshold" { arg.requires("patience") } else { arg });
        }
        command.next_help_heading(None)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ParameterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ParameterArgs, clap::Error> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let given = |parameter: &'static Parameter| match parameter.kind {
            Kind::Flag => matches.get_flag(parameter.name).then(|| (parameter.name, "true".to_owned())),
            _ => text(parameter.name).map(|text| (parameter.name, text)),
        };
        Ok(ParameterArgs {
            rule: text("rule"),
            preset: text("preset"),
            parameters: all_parameters().into_iter().filter_map(|(parameter, _)| given(parameter)).collect(),
            stops: stops::ALL.iter().filter_map(given).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ParameterArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::{Value, json};
    use swarmdoku::experiment::plan::Plan;
    use swarmdoku::search::algorithm::NamedRule;
    use swarmdoku::search::parameter::Needs;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[arg(short, long, value_parser = names())]
        algorithm: Option<String>,
        #[command(flatten)]
        parameters: ParameterArgs,
    }

    fn setup(options: &[&str]) -> Result<BudgetedVariant, Error> {
        let options = Options::parse_from(["solve"].iter().chain(options));
        BudgetedVariant::new(options.algorithm.as_deref(), &options.parameters)
    }

    fn record(options: &[&str]) -> Value {
        let setup = setup(options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        setup.variant.record(&sample_puzzle(), &setup.budget).unwrap()
    }

    #[test]
    fn the_default_is_annealing_and_options_of_the_swarm_alone_mean_the_swarm() {
        let name = |options: &[&str]| setup(options).unwrap().variant.name();
        assert_eq!(
            (name(&[]), name(&["--temperature", "0.7"]), name(&["--population", "64"])),
            ("anneal", "anneal", "anneal")
        );
        assert_eq!(
            (name(&["--rule", "seed"]), name(&["--preset", "standard"]), name(&["--max-age", "9"])),
            ("swarm", "swarm", "swarm")
        );
        assert_eq!(name(&["-a", "hybrid", "--rule", "seed"]), "hybrid");
        let refused = setup(&["-a", "anneal", "--rule", "seed"]).unwrap_err().to_string();
        assert!(
            refused.starts_with("rule is seed, but must be tuned with anneal; seed of swarm, hybrid,"),
            "{refused}"
        );
    }

    #[test]
    fn aliases_mean_the_algorithms_whose_names_records_hold() {
        for (alias, name) in [("sa", "anneal"), ("ga", "genetic"), ("pso", "random-key")] {
            assert_eq!(setup(&["-a", alias]).unwrap().variant.name(), name);
        }
    }

    #[test]
    fn parameters_and_budget_are_one_object_by_the_names_of_the_options() {
        let expected = json!({
            "population": 200, "worker_ratio": 0.9, "max_age": 1000, "mutation_rate": 0.001, "acceptance": "strict",
            "epochs": 5000, "restarts": 20, "evaluations": null, "timeout": 1.5,
        });
        assert_eq!(record(&["--rule", "seed", "--timeout", "1.5"]), expected);
        let hybrid = record(&["-a", "hybrid", "--patience", "70", "--refine", "9"]);
        for (name, value) in
            [("patience", 70), ("threshold", 0), ("refine", 9), ("stagnation_limit", 500), ("stagnation_boost", 0)]
        {
            assert_eq!(hybrid[name].as_f64(), Some(f64::from(value)), "{name}");
        }
        assert_eq!(hybrid["local_search"], true);
        assert_eq!(record(&["-a", "exact", "--nodes", "5e3"]), json!({ "nodes": 5000, "timeout": null }));
    }

    #[test]
    fn values_that_no_run_can_have_are_refused_by_name() {
        for (options, part) in [
            (&["--temperature", "0"][..], "temperature is 0, but must be a positive number"),
            (&["--temperature", "NaN"], "temperature is NaN"),
            (&["--temperature", "0.2", "--end-temperature", "0.3"], "end-temperature is 0.3, but must be at most"),
            (&["--population", "0"], "population is 0, but must be a whole number, 1 to 2,147,483,648"),
            (&["--population", "1e18"], "population is 1000000000000000000"),
            (&["--evaluations", "10"], "evaluations is 10"),
            (&["--patience", "0"], "patience is 0"),
            (
                &["--acceptance", "plateau", "--temperature", "1"],
                "temperature is 1, but must be left out, or used with",
            ),
            (&["--adaptive", "--worker-ratio", "0.8"], "worker-ratio is 0.8, but must be left out: adaptive sets it"),
            (
                &["-a", "swarm", "--stagnation-limit", "9"],
                "stagnation-limit is 9, but must be left out, or used with refine",
            ),
            (
                &["-a", "genetic", "--elites", "0", "--local-search"],
                "elites is 0, but must be at least 1 with local-search",
            ),
            (&["-a", "genetic", "--tournament", "3"], "tournament is 3, but must be left out, or used with selection"),
            (&["-a", "ga-naive", "--survivors", "501"], "survivors is 501, but must be at most the population, 500"),
            (
                &["-a", "random-key", "--preset", "standard"],
                "preset is standard, but must be mealpy with random-key; standard of swarm",
            ),
            (
                &["-a", "swarm", "--preset", "mealpy"],
                "preset is mealpy, but must be conservative or standard or aggressive",
            ),
            (&["--nodes", "5"], "nodes is set, but anneal does not use it; backtracking and exact do"),
            (&["-a", "exact", "--population", "5"], "population is set, but exact does not use it; anneal, swarm"),
        ] {
            let message = setup(options).expect_err(part).to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    /// A value of a parameter that is not its default, where there is one, and what else must be given with it.
    fn other_value(
        algorithm: &Algorithm,
        rule: &NamedRule,
        parameter: &Parameter,
    ) -> (Value, Vec<(&'static str, Value)>) {
        let default = algorithm.default_of(parameter, rule, &sample_puzzle());
        let value = match parameter.kind {
            Kind::Count { most, .. } => json!((default.as_u64().unwrap() + 2).min(most)),
            Kind::Ratio | Kind::Number { .. } if default == json!(0.25) => json!(0.75),
            Kind::Ratio | Kind::Number { .. } => json!(0.25),
            Kind::Temperature | Kind::Seconds => json!(0.5),
            Kind::Choice(words) => json!(words.iter().find(|word| default != **word).unwrap()),
            Kind::Flag => json!(true),
        };
        let value = if parameter.name == "end-temperature" { json!(0.125) } else { value };
        let besides = match parameter.needs {
            Needs::Value(other, word) => vec![(other, json!(word))],
            Needs::AnyOf(others) if !others.contains(&parameter.name) => vec![(others[0], json!(9))],
            _ => Vec::new(),
        };
        (value, besides)
    }

    /// The plan of this algorithm with these stops and these keys, on the sample puzzle.
    fn plan(algorithm: &str, stops: &str, keys: &[(&str, Value)]) -> Result<Plan, Error> {
        let keys: String = keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        let text = format!(
            "name = \"walk\"\nseed = 1\nruns = 1\n[budget]\n{stops}\n[[puzzles]]\npuzzle = \"{}\"\nshape = \"9x9\"\n\
             [[algorithm]]\nalgorithm = \"{algorithm}\"\n{keys}",
            ".".repeat(81)
        );
        Plan::parse("walk.toml", &text, std::path::Path::new(""))
    }

    /// The parameters that a plan with these keys resolves to.
    fn planned(algorithm: &str, keys: &[(&str, Value)]) -> Result<Value, Error> {
        let plan = plan(algorithm, "evaluations = 1e9\nnodes = 1e6", keys)?;
        Ok(plan.resolved().variants[0].parameters.clone())
    }

    fn on_command_line(algorithm: &str, keys: &[(&str, Value)]) -> Vec<String> {
        let option = |(key, value): &(&str, Value)| match value {
            Value::Bool(_) => vec![format!("--{key}")],
            Value::String(word) => vec![format!("--{key}"), word.clone()],
            number => vec![format!("--{key}"), number.to_string()],
        };
        ["-a".to_owned(), algorithm.to_owned()].into_iter().chain(keys.iter().flat_map(option)).collect()
    }

    fn resolved(options: &[String]) -> Result<Value, Error> {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        setup(&options)?.variant.resolve(&sample_puzzle())
    }

    /// The keys of a plan that make the variant of a record again.
    fn rewritten(variant: &Variant) -> Vec<(&'static str, Value)> {
        let set = variant.settings().iter().map(|(name, value)| (name, value.clone()));
        set.chain([("rule", json!(variant.rule()))]).collect()
    }

    /// Command line, plan, record and the plan of that record give the same parameters, with these keys and without.
    fn walk(algorithm: &'static Algorithm, rule: &NamedRule, parameter: &Parameter) {
        let rules = [("rule", json!(rule.name))];
        let defaults = resolved(&on_command_line(algorithm.name, &rules)).unwrap();
        let (value, mut keys) = other_value(algorithm, rule, parameter);
        let place = format!("{} {} {} {value}", algorithm.name, rule.name, parameter.name);
        let default = algorithm.default_of(parameter, rule, &sample_puzzle());
        let absent = matches!(parameter.needs, Needs::Value(..) | Needs::AnyOf(_)) || parameter.kind == Kind::Flag;
        assert!(defaults.get(parameter.key()).is_none_or(|found| *found == default), "{place}: {defaults}");
        assert!(defaults.get(parameter.key()).is_some() || absent, "{place}: {defaults}");
        keys.extend([(parameter.name, value.clone()), rules[0].clone()]);
        let given =
            resolved(&on_command_line(algorithm.name, &keys)).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(given[parameter.key()], value, "{place}");
        assert_ne!(given, defaults, "{place}");
        assert_eq!(planned(algorithm.name, &keys).unwrap(), given, "{place}");
        let again = Variant::from_record(algorithm.name, &given).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(again.resolve(&sample_puzzle()).unwrap(), given, "{place}");
        assert_eq!(planned(algorithm.name, &rewritten(&again)).unwrap(), given, "{place}");
    }

    #[test]
    fn each_parameter_means_the_same_on_the_command_line_in_a_plan_and_in_a_record() {
        let mut walked = 0;
        for algorithm in ALGORITHMS {
            let unnamed = resolved(&on_command_line(algorithm.name, &[])).unwrap();
            assert_eq!(planned(algorithm.name, &[]).unwrap(), unnamed, "{}", algorithm.name);
            for (number, rule) in algorithm.rules.iter().enumerate() {
                let keys = [("rule", json!(rule.name))];
                let defaults = resolved(&on_command_line(algorithm.name, &keys)).unwrap();
                assert_eq!(planned(algorithm.name, &keys).unwrap(), defaults, "{} {}", algorithm.name, rule.name);
                assert!(number > 0 || defaults == unnamed, "{}: the first rule is the default", algorithm.name);
                algorithm.parameters.iter().for_each(|parameter| walk(algorithm, rule, parameter));
                walked += algorithm.parameters.len();
            }
            for preset in algorithm.presets {
                let keys = [("preset", json!(preset.name))];
                let given = resolved(&on_command_line(algorithm.name, &keys)).unwrap();
                assert_eq!(given["population"], preset.population, "{}", preset.name);
                assert_eq!(planned(algorithm.name, &keys).unwrap(), given, "{} {}", algorithm.name, preset.name);
            }
        }
        assert!(walked >= 79, "{walked} parameters were walked");
    }

    #[test]
    fn each_stop_means_the_same_on_the_command_line_in_a_budget_and_in_an_algorithms_table() {
        let key = |stop: &Parameter| if stop.name == "timeout" { "seconds" } else { stop.name };
        let mut walked = 0;
        for algorithm in ALGORITHMS {
            for stop in algorithm.stops {
                let value = if stop.name == "timeout" { json!(2.5) } else { json!(70_000) };
                let patience = (stop.name == "threshold").then(|| ("patience", json!(9)));
                let keys: Vec<_> = patience.into_iter().chain([(key(stop), value.clone())]).collect();
                let options: Vec<_> =
                    keys[..keys.len() - 1].iter().cloned().chain([(stop.name, value.clone())]).collect();
                let options = on_command_line(algorithm.name, &options);
                let given = setup(&options.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
                let lines: Vec<String> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                let bound = |name: &str| if key(stop) == name { String::new() } else { format!("{name} = 1e6\n") };
                let bounds = bound("evaluations") + &bound("nodes");
                let of_budget = plan(algorithm.name, &(bounds.clone() + &lines.join("\n")), &[]).unwrap();
                let of_table = plan(algorithm.name, &bounds, &keys).unwrap();
                for budget in [given.budget, *of_budget.budget(of_budget.run(0)), *of_table.budget(of_table.run(0))] {
                    assert_eq!(stops::value(&budget, stop.name), value, "{} {}", algorithm.name, stop.name);
                }
                let record = given.variant.record(&sample_puzzle(), &given.budget).unwrap();
                assert_eq!(record[stop.key()], value, "{} {}", algorithm.name, stop.name);
                walked += 1;
            }
            for stop in stops::ALL.iter().filter(|stop| algorithm.stop(stop.name).is_err()) {
                let expected = format!("{} is set, but {} does not use it; ", stop.name, algorithm.name);
                let options = on_command_line(
                    algorithm.name,
                    &[(stop.name, json!(9)), ("patience", json!(9))][..1 + usize::from(stop.name == "threshold")],
                );
                let refused = setup(&options.iter().map(String::as_str).collect::<Vec<_>>()).expect_err(&expected);
                let message = refused.to_string();
                let in_table = plan(algorithm.name, "evaluations = 1e9\nnodes = 1e6", &[(key(stop), json!(9))]);
                let in_table = in_table.map(drop).expect_err(&expected).to_string();
                assert!(in_table.contains(&expected), "{in_table}");
                assert!(message.contains(" does not use it; "), "{message}");
            }
        }
        assert!(walked >= 40, "{walked} stops were walked");
    }

    #[test]
    fn each_parameter_is_refused_where_it_does_not_apply_with_both_algorithms_named() {
        let mut refused = 0;
        for (parameter, users) in all_parameters() {
            let owner = Algorithm::named(users[0]).unwrap();
            let (value, _) = other_value(owner, &owner.rules[0], owner.parameter(parameter.name).unwrap());
            for other in ALGORITHMS.iter().filter(|other| !users.contains(&other.name)) {
                let expected = format!("{} is set, but {} does not use it; ", parameter.name, other.name);
                let keys = [(parameter.name, value.clone())];
                for error in [resolved(&on_command_line(other.name, &keys)), planned(other.name, &keys)] {
                    let message = error.expect_err(&expected).to_string();
                    let named = users.iter().all(|user| message.contains(user));
                    assert!(message.contains(&expected) && named, "{message}");
                }
                refused += 1;
            }
        }
        assert!(refused >= 100, "{refused} were refused");
    }

    #[test]
    fn several_algorithms_take_the_options_that_they_have_and_one_for_none_of_them_is_refused() {
        let options = |options: &[&str]| Options::parse_from(["compare"].iter().chain(options)).parameters;
        let both = [Algorithm::named("anneal").unwrap(), Algorithm::named("swarm").unwrap()];
        let args = options(&["--max-age", "9", "--population", "40"]);
        let setups = args.shared(&both).unwrap();
        let parameters = |setup: &BudgetedVariant| setup.variant.resolve(&sample_puzzle()).unwrap();
        assert_eq!(
            (parameters(&setups[0])["population"].clone(), parameters(&setups[1])["max_age"].clone()),
            (40.into(), 9.into())
        );
        assert_eq!(args.partly_used(&both), ["--max-age: swarm"]);
        let message = options(&["--inertia", "0.5"]).shared(&both).unwrap_err().to_string();
        assert!(message.contains("inertia is set, but anneal does not use it; random-key does"), "{message}");
    }
}
