//! The device limits that decide how a batch is cut up, injectable so that folding and splitting are tested with small
//! ones.

use serde::Serialize;

/// How much one dispatch, one binding and one buffer may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GpuLimits {
    /// Workgroups in each dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
    /// Bytes that a shader sees of a buffer at once.
    pub max_binding_bytes: u64,
    /// Bytes of a buffer.
    pub max_buffer_bytes: u64,
}

impl GpuLimits {
    /// The limits of a device.
    pub(super) fn of(limits: &wgpu::Limits) -> GpuLimits {
        GpuLimits {
            max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            max_binding_bytes: limits.max_storage_buffer_binding_size,
            max_buffer_bytes: limits.max_buffer_size,
        }
    }

    /// The smaller of the two in every respect.
    pub fn min(self, other: GpuLimits) -> GpuLimits {
        GpuLimits {
            max_workgroups_per_dimension: self.max_workgroups_per_dimension.min(other.max_workgroups_per_dimension),
            max_binding_bytes: self.max_binding_bytes.min(other.max_binding_bytes),
            max_buffer_bytes: self.max_buffer_bytes.min(other.max_buffer_bytes),
        }
    }
}
