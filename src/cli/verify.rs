//! `swarmdoku verify`: every backend compared with the oracle.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanCount;
use swarmdoku::fitness::backends::{BACKENDS, Unit, Workload};
use swarmdoku::fitness::verify::{Mismatch, ScoredCandidates};
use swarmdoku::fitness::{Evaluator, gpu};
use swarmdoku::{Error, Shape};

use super::progress::{catch_interrupts, interrupted};
use super::{CommonArgs, Verdict, count, print_line};

/// Bytes of candidates generated and scored at a time: past the 128 MiB that many devices bind at once, within any
/// machine's memory.
const BATCH_BYTES: usize = 160 << 20;

/// Compare every backend with the plain definition of the score.
///
/// Compares every backend of this machine, software adapters included, or the one that --backend names. The candidates are
/// random, block-valid, solved, partial, constant and nearly solved grids in turn.
#[derive(Args)]
pub struct VerifyArgs {
    /// Number of candidates of each shape
    #[arg(long, value_name = "N", default_value = "100000", value_parser = candidates)]
    count: u32,

    /// Shape of the candidates; can be given several times
    #[arg(long = "shape", value_name = "SHAPE", default_values = ["4x4", "6x6", "9x9", "12x12", "16x16", "25x25"])]
    shapes: Vec<Shape>,

    /// Seed of the candidates
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// At least one candidate, and at most as many as one seed's sequence has.
fn candidates(text: &str) -> Result<u32, String> {
    match count(text)? {
        0 => Err("at least 1 candidate is needed: comparing none proves nothing".into()),
        count => u32::try_from(count)
            .map_err(|_| format!("{count} was found, but a seed gives at most {} candidates", u32::MAX)),
    }
}

/// A backend with the number of candidates that it has scored so far.
struct CheckedBackend {
    evaluator: Box<dyn Evaluator>,
    compared: u64,
    time: Duration,
}

pub fn run(args: &VerifyArgs, common: &CommonArgs) -> Result<Verdict, Error> {
    catch_interrupts();
    let mut compared = 0;
    for shape in &args.shapes {
        let mut contenders = contenders(*shape, common)?;
        let verdict = compare(*shape, args, &mut contenders)?;
        for contender in &contenders {
            print_line(&contender.line(*shape))?;
            compared += contender.compared;
        }
        if verdict != Verdict::Yes {
            return Ok(verdict);
        }
    }
    let adapters = if common.backend.backend.is_auto() && gpu::adapters().is_empty() {
        "; gpu was not compared, because no adapter was found (the package mesa-vulkan-drivers of Debian has a software one)"
    } else {
        ""
    };
    print_line(&format!("{} scores compared with the oracle, all equal{adapters}", HumanCount(compared)))?;
    Ok(Verdict::Yes)
}

/// Compares batch by batch up to the first difference.
fn compare(shape: Shape, args: &VerifyArgs, contenders: &mut [CheckedBackend]) -> Result<Verdict, Error> {
    let batch_len = (BATCH_BYTES / shape.cells()) as u32;
    let mut first = 0;
    while first < args.count {
        let batch = ScoredCandidates::new(shape, args.seed, first, batch_len.min(args.count - first) as usize);
        for contender in &mut *contenders {
            if let Some(mismatch) = contender.check(&batch)? {
                print_line(&format!("{} differs from the oracle at {mismatch}", contender.name()))?;
                return Ok(Verdict::No);
            }
            if interrupted() {
                return Ok(Verdict::Interrupted);
            }
        }
        first += batch.len() as u32;
    }
    Ok(Verdict::Yes)
}

impl CheckedBackend {
    fn new(evaluator: Box<dyn Evaluator>) -> CheckedBackend {
        CheckedBackend { evaluator, compared: 0, time: Duration::ZERO }
    }

    fn name(&self) -> String {
        format!("{:<6}  {}", self.evaluator.backend().name(), self.evaluator.describe())
    }

    fn check(&mut self, batch: &ScoredCandidates) -> Result<Option<Mismatch>, Error> {
        let started = Instant::now();
        let mismatch = batch.check(&mut *self.evaluator)?;
        self.time += started.elapsed();
        self.compared += batch.len() as u64;
        Ok(mismatch)
    }

    fn line(&self, shape: Shape) -> String {
        format!(
            "{shape:<9}  {:>11} equal  {:>8.3} s  {}",
            HumanCount(self.compared),
            self.time.as_secs_f64(),
            self.name()
        )
    }
}

/// The units of the backend that was named, or of all; on adapters, --backend takes one.
fn contenders(shape: Shape, common: &CommonArgs) -> Result<Vec<CheckedBackend>, Error> {
    let (wanted, request) = (common.backend.backend, common.backend.request());
    let units: Vec<Unit> = if wanted.is_auto() {
        BACKENDS.iter().rev().flat_map(|row| (row.units)()).collect()
    } else if wanted.on_adapters {
        vec![(wanted.pick)(&Workload::scoring(shape, 0), &request)?.0]
    } else {
        (wanted.units)()
    };
    units.iter().map(|unit| Ok(CheckedBackend::new(unit.open(shape, 0)?))).collect()
}
