//! How long the kernel itself took, by the device's own clock, without upload and readback.

use std::time::Duration;

use super::device::Device;

const BYTES: u64 = 2 * size_of::<u64>() as u64;

/// Two timestamps around the compute pass, and their way to the host.
pub(super) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    download: wgpu::Buffer,
    nanoseconds_a_tick: f32,
}

impl Stopwatch {
    /// A stopwatch, if the device has timestamps.
    pub fn new(device: &Device) -> Option<Stopwatch> {
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
            nanoseconds_a_tick: device.queue.get_timestamp_period(),
        })
    }

    /// The places where a compute pass writes its times.
    pub fn writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Records the copy of both timestamps to the host.
    pub fn encode_download(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.download, 0, BYTES);
    }

    /// Asks for the timestamps; they are there after the device's next wait.
    pub fn map_download(&self) {
        self.download.slice(..).map_async(wgpu::MapMode::Read, |_| ());
    }

    /// The time between the two, if the device's clock makes sense.
    pub fn take(&self) -> Option<Duration> {
        let view = self.download.get_mapped_range(..).ok()?;
        let ticks: [u64; 2] = bytemuck::pod_read_unaligned(&view);
        drop(view);
        self.download.unmap();
        elapsed(ticks, self.nanoseconds_a_tick)
    }
}

/// Drivers return zeros or a second timestamp before the first: that is no time at all, rather than a wrong one.
fn elapsed([begin, end]: [u64; 2], nanoseconds_a_tick: f32) -> Option<Duration> {
    let ticks = end.checked_sub(begin).filter(|ticks| begin != 0 && *ticks != 0)?;
    Duration::try_from_secs_f64(ticks as f64 * f64::from(nanoseconds_a_tick) * 1e-9).ok().filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_time() {
        assert_eq!(elapsed([1_000, 3_000], 2.0), Some(Duration::from_micros(4)));
    }

    #[test]
    fn a_clock_that_stands_still_runs_backwards_or_has_no_unit_gives_no_time() {
        for ticks in [[0, 0], [5, 5], [5, 4], [0, 4]] {
            assert_eq!(elapsed(ticks, 1.0), None, "{ticks:?}");
        }
        assert_eq!(elapsed([5, 9], 0.0), None);
        assert_eq!(elapsed([5, 9], f32::NAN), None);
    }
}
