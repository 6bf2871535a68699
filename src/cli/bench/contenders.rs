//! Who takes part, by the options that every command has.

use swarmdoku::Error;
use swarmdoku::bench::{Contender, Plan, adapters_to_measure};
use swarmdoku::fitness::gpu::{self, AdapterRequest};

use crate::cli::backend::{BackendArgs, BackendName};

/// The backend that --backend names, or all there are, and always the CPU on one thread and on all.
///
/// # Errors
/// [`Error::Parameter`] for an adapter that nothing uses, [`Error::NoAdapter`] and [`Error::Device`] from the GPU.
pub fn choose(plan: &Plan, backend: &BackendArgs) -> Result<Vec<Contender>, Error> {
    let wanted = backend.backend;
    let with_gpu = matches!(wanted, BackendName::Auto | BackendName::Gpu);
    if !with_gpu {
        backend.refuse_unused_adapter()?;
    }
    let mut contenders = Vec::new();
    if matches!(wanted, BackendName::Auto | BackendName::Scalar) {
        contenders.push(Contender::scalar(plan.shape)?);
    }
    contenders.extend(Contender::cpus(plan.shape)?);
    let requests = if with_gpu { requests(backend) } else { Vec::new() };
    for request in requests {
        contenders.push(Contender::gpu(plan.shape, plan.largest(), &request)?);
    }
    Ok(contenders)
}

/// The adapter that was named, or all that may take part. With --backend gpu one is wanted, so that the lack of one is an
/// error that says what to install.
fn requests(backend: &BackendArgs) -> Vec<AdapterRequest> {
    if backend.adapter.is_some() {
        return vec![backend.request()];
    }
    let adapters = gpu::adapters();
    let by_index = |index: usize| AdapterRequest { name: Some(format!("#{index}")), allow_software: true };
    let found = adapters_to_measure(&adapters, backend.allow_software);
    let requests: Vec<AdapterRequest> = found.iter().map(|adapter| by_index(adapter.index)).collect();
    if requests.is_empty() {
        if backend.backend == BackendName::Gpu {
            return vec![backend.request()];
        }
        log::info!("no hardware adapter was found, so there is no crossover; --allow-software measures software ones");
    }
    requests
}
