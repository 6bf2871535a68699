//! The adapters of this machine: the facts by which one is chosen, as plain values.

use std::fmt;

use serde::Serialize;

use super::limits::GpuLimits;

/// The interface through which an adapter is driven. The same card often has several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// Vulkan.
    Vulkan,
    /// Metal.
    Metal,
    /// Direct3D 12.
    Dx12,
    /// OpenGL or OpenGL ES: taken only where nothing else drives the card.
    Gl,
}

impl Api {
    /// The name used on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Api::Vulkan => "vulkan",
            Api::Metal => "metal",
            Api::Dx12 => "dx12",
            Api::Gl => "gl",
        }
    }

    /// The interface of this name, in any case.
    pub fn named(name: &str) -> Option<Api> {
        [Api::Vulkan, Api::Metal, Api::Dx12, Api::Gl].into_iter().find(|api| api.name().eq_ignore_ascii_case(name))
    }

    fn of(backend: wgpu::Backend) -> Option<Api> {
        match backend {
            wgpu::Backend::Vulkan => Some(Api::Vulkan),
            wgpu::Backend::Metal => Some(Api::Metal),
            wgpu::Backend::Dx12 => Some(Api::Dx12),
            wgpu::Backend::Gl => Some(Api::Gl),
            wgpu::Backend::Noop | wgpu::Backend::BrowserWebGpu => None,
        }
    }
}

/// The kind of adapter, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AdapterKind {
    /// A card with memory of its own.
    Discrete,
    /// A GPU that shares the host's memory.
    Integrated,
    /// A share of a GPU, handed to a virtual machine.
    Virtual,
    /// Hardware that does not say what it is.
    Other,
    /// The host's processor, through a driver such as lavapipe or WARP.
    Software,
}

impl AdapterKind {
    fn of(device_type: wgpu::DeviceType) -> AdapterKind {
        match device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Other => AdapterKind::Other,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
        }
    }

    fn words(self) -> &'static str {
        match self {
            AdapterKind::Discrete => "discrete GPU",
            AdapterKind::Integrated => "integrated GPU",
            AdapterKind::Virtual => "virtual GPU",
            AdapterKind::Other => "unknown kind",
            AdapterKind::Software => "software",
        }
    }
}

/// One adapter, as `devices` lists it and as a request is matched against it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AdapterSummary {
    /// Its place in the list, from 0, on this machine as it is now.
    pub index: usize,
    /// Its name, as its driver gives it.
    pub name: String,
    /// The interface through which it is driven.
    pub api: Api,
    /// The kind.
    pub kind: AdapterKind,
    /// Its PCI address, such as `0000:01:00.0`, where the interface tells.
    pub pci_address: Option<String>,
    /// Its driver and the driver's version.
    pub driver: String,
    /// True if it runs compute shaders and so can score at all.
    pub computes: bool,
    /// How much it takes at once.
    pub limits: GpuLimits,
}

impl AdapterSummary {
    /// True if the host's processor does the computing.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// True if it has no memory of its own: its buffers are in the host's.
    pub fn shares_host_memory(&self) -> bool {
        matches!(self.kind, AdapterKind::Integrated | AdapterKind::Software)
    }

    /// Name, interface and driver: what results say about where they were computed.
    pub fn describe(&self) -> String {
        let driver = if self.driver.is_empty() { "unknown driver" } else { &self.driver };
        format!("{} ({}, {driver})", self.name, self.api.name())
    }

    fn new(index: usize, adapter: &wgpu::Adapter) -> Option<AdapterSummary> {
        let info = adapter.get_info();
        let flags = adapter.get_downlevel_capabilities().flags;
        Some(AdapterSummary {
            index,
            api: Api::of(info.backend)?,
            kind: AdapterKind::of(info.device_type),
            pci_address: Some(info.device_pci_bus_id).filter(|address| !address.is_empty()),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
            computes: flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS),
            limits: GpuLimits::of(&adapter.limits()),
            name: info.name,
        })
    }
}

/// `#0 llvmpipe (LLVM 15.0.6, 256 bits): vulkan, software`
impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}: {}, {}", self.index, self.name, self.api.name(), self.kind.words())?;
        if let Some(address) = &self.pci_address {
            write!(f, ", PCI {address}")?;
        }
        if !self.computes {
            f.write_str(", no compute shaders")?;
        }
        Ok(())
    }
}

/// Every adapter that wgpu finds on this machine, software ones included.
pub fn adapters() -> Vec<AdapterSummary> {
    enumerate().into_iter().map(|(summary, _)| summary).collect()
}

/// Every adapter with what is to be known about it.
pub(super) fn enumerate() -> Vec<(AdapterSummary, wgpu::Adapter)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let mut listed = Vec::with_capacity(found.len());
    for adapter in found {
        listed.extend(AdapterSummary::new(listed.len(), &adapter).map(|summary| (summary, adapter)));
    }
    listed
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// An adapter of this kind; through Vulkan it has a PCI address.
    pub fn adapter(index: usize, name: &str, api: Api, kind: AdapterKind) -> AdapterSummary {
        let limits =
            GpuLimits { max_workgroups_per_dimension: 65_535, max_binding_bytes: 1 << 27, max_buffer_bytes: 1 << 28 };
        let pci_address = (api == Api::Vulkan).then(|| format!("0000:0{index}:00.0"));
        AdapterSummary {
            index,
            name: name.into(),
            api,
            kind,
            pci_address,
            driver: "1.2".into(),
            computes: true,
            limits,
        }
    }
}
