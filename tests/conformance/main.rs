//! One suite for every evaluator: the same cases run on each, and every score is compared with the oracle by `==`.
//!
//! An evaluator joins by its row in [`BACKENDS`]. One that this machine cannot run reports all its cases as *ignored*,
//! with the reason; `REQUIRE_GPU=1` turns that into failures. What was compared, and on what, is printed at the end.

mod candidates;
mod cases;
mod compare;
mod experiment_cases;
mod gate;
mod gpu_batches;
mod gpu_cases;
mod own_tests;
mod search_cases;
mod subject;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use cases::Case;
use subject::{Subject, Tally};
use swarmdoku::fitness::backends::BACKENDS;

/// Every evaluator that must give the oracle's integers.
fn subjects() -> Vec<Subject> {
    let (on_adapters, on_host): (Vec<_>, Vec<_>) = BACKENDS.iter().copied().partition(|row| row.on_adapters);
    let hosts = on_host.into_iter().rev().flat_map(|row| (row.units)()).map(Subject::host);
    hosts.chain(on_adapters.into_iter().map(Subject::adapter)).collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let subjects: Vec<Arc<Subject>> = subjects().into_iter().map(Arc::new).collect();
    let tally = Arc::new(Tally::default());
    let mut trials = own_tests::trials();
    for subject in &subjects {
        let own =
            if subject.is_adapter() { [gpu_cases::ALL, gpu_batches::ALL].concat() } else { cases::OF_HOSTS.to_vec() };
        let searches = search_cases::ALL.iter().chain(experiment_cases::ALL);
        trials.extend(cases::ALL.iter().chain(&own).chain(searches).map(|case| trial(subject, *case, &tally)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        subjects.iter().for_each(|subject| tally.print(subject));
    }
    conclusion.exit_code()
}

/// A case on a subject. The number of scores that it compared must be the number it meant to compare.
fn trial(subject: &Arc<Subject>, case: Case, tally: &Arc<Tally>) -> Trial {
    let (subject, tally) = (Arc::clone(subject), Arc::clone(tally));
    let kind = subject.name.clone();
    Trial::ignorable_test(case.name, move || {
        if let Some(reason) = &subject.unavailable {
            let required = subject.is_required();
            return if required { Err(reason.into()) } else { Ok(Completion::ignored_with("no adapter, see below")) };
        }
        let compared = (case.run)(&subject)?;
        tally.add(&subject.name, compared);
        if compared == 0 && case.compares {
            return Err(Failed::from("no score was compared"));
        }
        Ok(Completion::Completed)
    })
    .with_kind(kind)
}
