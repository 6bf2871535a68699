//! Which backend computes, and why.

use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use swarmdoku::bench::saved::{self, Advice, Crossovers, advise};
use swarmdoku::fitness::gpu::{self, AdapterRequest, GpuEvaluator};
use swarmdoku::fitness::{Cpu, Evaluator, Scalar};
use swarmdoku::{Error, Shape};

/// Who scores the candidates.
#[derive(Args)]
#[command(next_help_heading = "Backend")]
pub struct BackendArgs {
    /// Who scores: `cpu` SIMD on all cores, `scalar` one thread without SIMD, `gpu` a wgpu adapter, `auto` the GPU where
    /// the population is past the crossover that `swarmdoku bench --save` has measured, else `cpu`. The results are the
    /// same
    #[arg(long, value_name = "BACKEND", default_value = "auto", global = true)]
    pub backend: BackendName,

    /// The adapter of --backend gpu: part of its name, its index or its PCI address (see `swarmdoku devices`)
    #[arg(long, value_name = "NAME", global = true)]
    pub adapter: Option<String>,

    /// Let --backend gpu take a software adapter (Mesa's lavapipe, WARP), which is slower than `cpu`
    #[arg(long, global = true)]
    pub allow_software: bool,
}

/// The values of `--backend`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    Auto,
    Gpu,
    Cpu,
    Scalar,
}

/// An evaluator and the reason it was taken.
pub struct Chosen {
    pub evaluator: Box<dyn Evaluator>,
    pub reason: String,
}

impl BackendArgs {
    /// The adapter asked for.
    pub fn request(&self) -> AdapterRequest {
        AdapterRequest { name: self.adapter.clone(), allow_software: self.allow_software }
    }

    /// True if anything was asked for.
    pub fn is_given(&self) -> bool {
        self.backend != BackendName::Auto || self.adapter.is_some() || self.allow_software
    }

    /// Makes the evaluator for batches of `capacity` candidates.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an adapter that nothing uses, [`Error::NoAdapter`] and [`Error::Device`] from the GPU.
    pub fn choose(&self, shape: Shape, capacity: usize) -> Result<Chosen, Error> {
        self.refuse_unused_adapter()?;
        let chosen = match self.backend {
            BackendName::Auto => auto(shape, capacity)?,
            BackendName::Cpu => Chosen { evaluator: Box::new(Cpu::new(shape)), reason: "--backend cpu".into() },
            BackendName::Scalar => {
                Chosen { evaluator: Box::new(Scalar::new(shape)), reason: "--backend scalar".into() }
            }
            BackendName::Gpu => Chosen {
                evaluator: Box::new(GpuEvaluator::new(shape, capacity, &self.request(), None)?),
                reason: self.gpu_reason(),
            },
        };
        let backend = chosen.evaluator.backend().name();
        log::info!("backend {backend}, {} ({})", chosen.evaluator.describe(), chosen.reason);
        Ok(chosen)
    }

    fn gpu_reason(&self) -> String {
        match &self.adapter {
            Some(name) => format!("--backend gpu --adapter {name}"),
            None if self.allow_software => "--backend gpu --allow-software: the best adapter of any kind".into(),
            None => "--backend gpu: the best hardware adapter".into(),
        }
    }

    /// # Errors
    /// [`Error::Parameter`] for an adapter that only --backend gpu would use.
    pub fn refuse_unused_adapter(&self) -> Result<(), Error> {
        if self.backend == BackendName::Gpu {
            return Ok(());
        }
        let expected = "left out, or used with --backend gpu";
        if let Some(found) = self.adapter.clone() {
            return Err(Error::Parameter { name: "adapter", found, expected });
        }
        if self.allow_software {
            return Err(Error::Parameter { name: "allow-software", found: "given".into(), expected });
        }
        Ok(())
    }
}

/// The GPU where the saved crossovers say that it pays, else the CPU. A file of crossovers that cannot be read is reported,
/// and then counts as none.
fn auto(shape: Shape, population: usize) -> Result<Chosen, Error> {
    match advice(shape, population) {
        Advice::Cpu(reason) => Ok(Chosen { evaluator: Box::new(Cpu::new(shape)), reason: format!("auto: {reason}") }),
        Advice::Gpu(index, reason) => {
            let request = AdapterRequest { name: Some(format!("#{index}")), allow_software: false };
            let evaluator = Box::new(GpuEvaluator::new(shape, population, &request, None)?);
            Ok(Chosen { evaluator, reason: format!("auto: {reason}") })
        }
    }
}

fn advice(shape: Shape, population: usize) -> Advice {
    const NONE: &str = "no crossover to a GPU has been measured on this machine (`swarmdoku bench --save` does)";
    match saved_crossovers() {
        Saved::None => Advice::Cpu(NONE.into()),
        Saved::Unreadable => Advice::Cpu("the saved crossovers could not be read".into()),
        Saved::Crossovers(crossovers) => {
            let threads = rayon::current_num_threads();
            advise(crossovers, shape, population, threads, swarmdoku::bench::processor, gpu::adapters)
        }
    }
}

/// What `bench --save` has left.
enum Saved {
    None,
    Unreadable,
    Crossovers(Crossovers),
}

/// Reads the file once, so that one that is bad is reported once, however many evaluators are chosen.
fn saved_crossovers() -> &'static Saved {
    static SAVED: OnceLock<Saved> = OnceLock::new();
    SAVED.get_or_init(|| match saved::path().map(|path| Crossovers::load(&path)) {
        None | Some(Ok(None)) => Saved::None,
        Some(Ok(Some(crossovers))) => Saved::Crossovers(crossovers),
        Some(Err(error)) => {
            log::warn!("auto: {error}");
            Saved::Unreadable
        }
    })
}
