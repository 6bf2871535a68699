//! Options of the algorithms without a population: limits, and nothing else.

use swarmdoku::Error;
use swarmdoku::exact::{Limits, Method};

use super::{AlgorithmArgs, AlgorithmName, BudgetArgs};

/// What the exact side will do, checked.
#[derive(Debug)]
pub struct ExactPlan {
    pub method: Method,
    pub limits: Limits,
}

impl ExactPlan {
    /// The plan, if the algorithm is one without a population.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an option that such an algorithm does not use.
    pub fn new(args: &AlgorithmArgs, budget: &BudgetArgs) -> Result<Option<ExactPlan>, Error> {
        // Some seconds at 9x9, since a node of plain backtracking is that much cheaper.
        let (method, nodes) = match args.name() {
            AlgorithmName::Backtracking => (Method::Backtracking, 1_000_000_000),
            AlgorithmName::Exact => (Method::Exact, 10_000_000),
            _ => return Ok(None),
        };
        args.refuse_unused(&[])?;
        for (name, given) in [
            ("epochs", budget.epochs.is_some()),
            ("restarts", budget.restarts.is_some()),
            ("evaluations", budget.evaluations.is_some()),
            ("patience", budget.patience.is_some()),
            ("threshold", budget.threshold.is_some()),
        ] {
            refuse(name, given)?;
        }
        let limits = Limits { solutions: 1, nodes: budget.nodes.unwrap_or(nodes), time: budget.timeout };
        Ok(Some(ExactPlan { method, limits }))
    }
}

/// Refuses an option that was given although nothing uses it.
///
/// # Errors
/// [`Error::Parameter`] if it was given.
pub fn refuse(name: &'static str, given: bool) -> Result<(), Error> {
    match given {
        false => Ok(()),
        true => {
            Err(Error::Parameter { name, found: "given".into(), expected: "left out: this algorithm does not use it" })
        }
    }
}

/// The error of asking for a population of an algorithm that has none.
pub(super) fn no_population() -> Error {
    let expected = "a population search: backtracking and exact have no population";
    Error::Parameter { name: "algorithm", found: "backtracking or exact".into(), expected }
}

/// Population searches count evaluations, not nodes.
pub(super) fn refuse_nodes(budget: &BudgetArgs) -> Result<(), Error> {
    refuse("nodes", budget.nodes.is_some())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::tests::plan;
    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        algorithm: AlgorithmArgs,
        #[command(flatten)]
        budget: BudgetArgs,
    }

    fn exact_plan(options: &[&str]) -> Result<Option<ExactPlan>, Error> {
        let options = Options::parse_from(["solve"].iter().chain(options));
        ExactPlan::new(&options.algorithm, &options.budget)
    }

    #[test]
    fn algorithms_without_a_population_take_limits_alone() {
        let plan = exact_plan(&["-a", "exact", "--nodes", "5e3", "--timeout", "2"]).unwrap().unwrap();
        assert_eq!((plan.method, plan.limits.nodes, plan.limits.solutions), (Method::Exact, 5000, 1));
        assert!(exact_plan(&["--population", "10"]).unwrap().is_none(), "the swarm has a plan of its own");
        for option in ["--population", "--epochs", "--restarts", "--evaluations", "--max-age"] {
            let message = exact_plan(&["-a", "backtracking", option, "5"]).unwrap_err().to_string();
            assert!(message.contains("does not use it"), "{option}: {message}");
        }
    }

    #[test]
    fn population_searches_take_no_nodes() {
        assert!(plan(&["--nodes", "5"]).unwrap_err().to_string().contains("nodes is given"));
        assert!(plan(&["-a", "exact"]).unwrap_err().to_string().contains("no population"));
    }
}
