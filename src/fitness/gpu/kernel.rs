//! The scoring kernel: `shaders/fitness.wgsl`, compiled for one shape by its `override` constants.

use super::device::{Device, Failure};
use crate::sudoku::Shape;

/// Invocations in a workgroup: two of the widest usual subgroups, and allowed on every adapter.
pub(super) const WORKGROUP_SIZE: u32 = 64;

/// A compiled kernel and the layout of its bindings.
pub(super) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// Compiles the kernel for candidates of this shape.
    pub(super) fn compile(device: &Device, shape: Shape) -> Result<Kernel, Failure> {
        let raw = &device.raw;
        let layout = raw.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("swarmdoku bindings"),
            entries: &[
                entry(0, wgpu::BufferBindingType::Storage { read_only: true }),
                entry(1, wgpu::BufferBindingType::Storage { read_only: false }),
            ],
        });
        let pipeline_layout = raw.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("swarmdoku pipeline layout"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = raw.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("shaders/fitness.wgsl"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../../../shaders/fitness.wgsl").into()),
        });
        let constants = [
            ("BLOCK_ROWS", shape.block_rows() as f64),
            ("BLOCK_COLUMNS", shape.block_columns() as f64),
            ("WORKGROUP_SIZE", f64::from(WORKGROUP_SIZE)),
        ];
        let pipeline = raw.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("swarmdoku scoring"),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(if shape == Shape::NINE { "score_nine" } else { "score_any" }),
            compilation_options: wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() },
            cache: None,
        });
        device.check()?;
        Ok(Kernel { pipeline, layout })
    }

    /// Binds a window's candidates and its scores.
    pub(super) fn bind(&self, device: &Device, label: &str, buffers: [wgpu::BufferBinding<'_>; 2]) -> wgpu::BindGroup {
        let [candidates, scores] = buffers.map(wgpu::BindingResource::Buffer);
        device.raw.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: candidates },
                wgpu::BindGroupEntry { binding: 1, resource: scores },
            ],
        })
    }
}

fn entry(binding: u32, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}
