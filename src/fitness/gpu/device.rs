//! An opened device and its clock. Every problem becomes a [`Failure`], not the panic of wgpu's default handler.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::adapter::{self, AdapterRequest, AdapterSummary, GpuLimits};
use crate::error::Error;

/// A failure of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The device is lost; it can be opened again.
    Lost(String),
    /// The memory is too small for a buffer.
    OutOfMemory(String),
    /// The device or wgpu refused something.
    Refused(String),
}

impl Failure {
    /// The error to report, with the remedy.
    pub(super) fn on(self, adapter: &str) -> Error {
        let message = match self {
            Failure::Lost(reason) => format!(
                "the device was lost ({reason}); check the driver's log, and use a smaller population if a watchdog \
                 stopped the device"
            ),
            Failure::OutOfMemory(what) => {
                format!("out of memory ({what}); use a smaller population, or --backend cpu")
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

/// The first failure that wgpu reported by callback since the last check.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Option<Failure>>>);

impl Reports {
    /// Keeps the first failure: the later ones are its consequences. A loss replaces it, because only a loss can be repaired.
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
    pub(super) fn open(request: &AdapterRequest, limits: Option<GpuLimits>) -> Result<Device, Error> {
        let (summary, adapter) = adapter::find(request)?;
        Device::on(&adapter, summary, limits)
    }

    /// Opens an adapter.
    ///
    /// # Errors
    /// [`Error::Device`] if it cannot be opened.
    pub(super) fn on(
        adapter: &wgpu::Adapter,
        summary: AdapterSummary,
        limits: Option<GpuLimits>,
    ) -> Result<Device, Error> {
        let limits = limits.map_or(summary.limits, |limits| limits.min(summary.limits));
        Device::open_adapter(adapter, summary.clone(), limits).map_err(|failure| failure.on(&summary.describe()))
    }

    /// Requests the adapter's real limits, since wgpu's defaults are far below them, and timestamps if it has them.
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

    /// The number of buffers, bind groups, compute pipelines and shader modules that wgpu keeps, those of a running submission
    /// included.
    pub(super) fn living_objects(&self) -> [isize; 4] {
        let counters = self.raw.get_internal_counters().hal;
        [&counters.buffers, &counters.bind_groups, &counters.compute_pipelines, &counters.shader_modules]
            .map(|counter| counter.read())
    }

    /// Returns the failure since the last check, if there was one.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.reports.take().map_or(Ok(()), Err)
    }

    /// Waits until a submission is done and its buffers are mapped again. A failure that wgpu reported comes first, as the
    /// cause of the others.
    pub(super) fn wait_for(&self, submission: Result<wgpu::SubmissionIndex, Failure>) -> Result<(), Failure> {
        let waited = submission
            .and_then(|index| self.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: None }));
        // A lost device first refuses requests. It reports the loss when all earlier work is done.
        let reported = if waited.is_err() { self.poll(wgpu::PollType::wait_indefinitely()) } else { Ok(()) };
        self.check()?;
        reported.and(waited)
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), Failure> {
        // wgpu reports a device that is lost during a wait only by a panic.
        match catch_unwind(AssertUnwindSafe(|| self.raw.poll(how))) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(Failure::Refused(error.to_string())),
            Err(_) => Err(Failure::Lost("during a wait".to_string())),
        }
    }
}

const BYTES: u64 = 2 * size_of::<u64>() as u64;

/// Measures the kernel alone, with two timestamps of the device around the compute pass.
pub(super) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    download: wgpu::Buffer,
    nanoseconds_per_tick: f32,
}

impl Stopwatch {
    /// A stopwatch, if the device has timestamps.
    pub(super) fn new(device: &Device) -> Option<Stopwatch> {
        use wgpu::BufferUsages as Usage;
        if !device.raw.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let make = |label, usage| {
            device.raw.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Stopwatch {
            queries: device.raw.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("swarmdoku timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: make("swarmdoku timestamps resolved", Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            download: make("swarmdoku timestamps download", Usage::MAP_READ | Usage::COPY_DST),
            nanoseconds_per_tick: device.queue.get_timestamp_period(),
        })
    }

    /// The timestamps of a compute pass.
    pub(super) fn writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Records the copy of both timestamps to the host.
    pub(super) fn encode_download(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.download, 0, BYTES);
    }

    /// Requests the timestamps; they are ready after the device's next wait.
    pub(super) fn map_download(&self) {
        self.download.slice(..).map_async(wgpu::MapMode::Read, |_| ());
    }

    /// The time between the two, if the device's clock is valid.
    pub(super) fn take(&self) -> Option<Duration> {
        let view = self.download.get_mapped_range(..).ok()?;
        let ticks: [u64; 2] = bytemuck::pod_read_unaligned(&view);
        drop(view);
        self.download.unmap();
        elapsed(ticks, self.nanoseconds_per_tick)
    }
}

/// None for the invalid timestamps that some drivers return: zeros, or a second one before the first.
fn elapsed([begin, end]: [u64; 2], nanoseconds_per_tick: f32) -> Option<Duration> {
    let ticks = end.checked_sub(begin).filter(|ticks| begin != 0 && *ticks != 0)?;
    Duration::try_from_secs_f64(ticks as f64 * f64::from(nanoseconds_per_tick) * 1e-9)
        .ok()
        .filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_time() {
        assert_eq!(elapsed([1_000, 3_000], 2.0), Some(Duration::from_micros(4)));
    }

    #[test]
    fn a_clock_that_stops_runs_backwards_or_has_no_unit_gives_no_time() {
        for ticks in [[0, 0], [5, 5], [5, 4], [0, 4]] {
            assert_eq!(elapsed(ticks, 1.0), None, "{ticks:?}");
        }
        assert_eq!(elapsed([5, 9], 0.0), None);
        assert_eq!(elapsed([5, 9], f32::NAN), None);
    }
}
