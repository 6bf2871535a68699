//! An opened device: what was taken and why is logged, and whatever goes wrong comes back as a [`Failure`], never as
//! the panic that wgpu's default handler makes of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::adapter::{self, AdapterSummary};
use super::choose::{AdapterRequest, choose};
use super::limits::GpuLimits;
use crate::error::Error;

/// Why a device did not do its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The device is gone; another one may be opened.
    Lost(String),
    /// There was no room for a buffer.
    OutOfMemory(String),
    /// The device or wgpu refused something.
    Refused(String),
}

impl Failure {
    /// The error to report, with the remedy.
    pub fn on(self, adapter: &str) -> Error {
        let message = match self {
            Failure::Lost(reason) => format!(
                "the device was lost ({reason}); check the driver's log, and score smaller batches if a watchdog \
                 stopped it"
            ),
            Failure::OutOfMemory(what) => {
                format!("out of memory ({what}); score smaller batches, or use --backend cpu")
            }
            Failure::Refused(what) => format!("{what}; use --backend cpu, and please report this"),
        };
        Error::Device { adapter: adapter.to_string(), message }
    }
}

impl From<wgpu::Error> for Failure {
    fn from(error: wgpu::Error) -> Failure {
        match error {
            wgpu::Error::OutOfMemory { source } => Failure::OutOfMemory(source.to_string()),
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                Failure::Refused(description.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// The first failure that wgpu reported by callback and nobody has asked for yet.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Option<Failure>>>);

impl Reports {
    /// Keeps the failure unless there is one already: the first is the cause, what follows are its consequences. A loss
    /// overrides, since it alone has a cure.
    fn keep(&self, failure: Failure) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() || matches!(failure, Failure::Lost(_)) {
            *kept = Some(failure);
        }
    }

    fn take(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A device with its queue.
pub(super) struct Device {
    pub raw: wgpu::Device,
    pub queue: wgpu::Queue,
    pub adapter: AdapterSummary,
    /// The adapter's limits, and the injected ones where those are smaller.
    pub limits: GpuLimits,
    reports: Reports,
}

impl Device {
    /// Opens the adapter that the request takes.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] if none fits, [`Error::Device`] if it cannot be opened.
    pub fn open(request: &AdapterRequest, limits: Option<GpuLimits>) -> Result<Device, Error> {
        let mut found = adapter::enumerate();
        let summaries: Vec<AdapterSummary> = found.iter().map(|(summary, _)| summary.clone()).collect();
        let choice = choose(request, &summaries)?;
        let (summary, adapter) = found.swap_remove(choice.index);
        log::info!("gpu: taking {summary}, driver {}: {}", summary.driver, choice.reason);
        let limits = limits.map_or(summary.limits, |limits| limits.min(summary.limits));
        Device::open_adapter(&adapter, summary.clone(), limits).map_err(|failure| failure.on(&summary.describe()))
    }

    /// Asks for the adapter's real limits, since wgpu's defaults are far below them, and for timestamps where it has them.
    fn open_adapter(adapter: &wgpu::Adapter, summary: AdapterSummary, limits: GpuLimits) -> Result<Device, Failure> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("swarmdoku"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (raw, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| Failure::Refused(format!("the device could not be opened: {error}")))?;
        let reports = Reports::default();
        let kept = reports.clone();
        raw.on_uncaptured_error(Arc::new(move |error| kept.keep(error.into())));
        let kept = reports.clone();
        raw.set_device_lost_callback(move |reason, message| kept.keep(Failure::Lost(format!("{reason:?}: {message}"))));
        Ok(Device { raw, queue, adapter: summary, limits, reports })
    }

    /// Buffers, bind groups, compute pipelines and shader modules that wgpu keeps at the moment, those included that a
    /// submission under way still needs.
    pub fn living_objects(&self) -> [isize; 4] {
        let counters = self.raw.get_internal_counters().hal;
        [&counters.buffers, &counters.bind_groups, &counters.compute_pipelines, &counters.shader_modules]
            .map(|counter| counter.read())
    }

    /// The failure since the last check, if there was one.
    pub fn check(&self) -> Result<(), Failure> {
        self.reports.take().map_or(Ok(()), Err)
    }

    /// Waits until a submission is done and its buffers are mapped again, if it was made at all. Of what went wrong, what
    /// wgpu reports is the cause.
    pub fn wait_for(&self, submission: Result<wgpu::SubmissionIndex, Failure>) -> Result<(), Failure> {
        let waited = submission
            .and_then(|index| self.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: None }));
        // A device that is gone refuses what it is asked for, and tells that it is gone when all before that is done.
        let told = if waited.is_err() { self.poll(wgpu::PollType::wait_indefinitely()) } else { Ok(()) };
        self.check()?;
        told.and(waited)
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), Failure> {
        // wgpu reports a device that is lost during a wait by a panic, and in no other way.
        match catch_unwind(AssertUnwindSafe(|| self.raw.poll(how))) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(Failure::Refused(error.to_string())),
            Err(_) => Err(Failure::Lost("while it was waited for".to_string())),
        }
    }
}
