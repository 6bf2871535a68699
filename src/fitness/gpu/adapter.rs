//! The adapters of this machine, their limits, and the choice of one for a request.
//!
//! The choice is a pure function of the request and the list, so that tests can use lists that no single machine has. wgpu's
//! own `request_adapter` is not used: it falls back to a software adapter without saying so.

use std::fmt;

use serde::Serialize;

use crate::error::Error;

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
    /// Its place in the list of this machine, from 0.
    pub index: usize,
    /// Its name, from the driver.
    pub name: String,
    /// The interface through which it is driven.
    pub api: Api,
    /// The kind.
    pub kind: AdapterKind,
    /// Its PCI address, such as `0000:01:00.0`, if the interface has it.
    pub pci_address: Option<String>,
    /// Its driver and the driver's version.
    pub driver: String,
    /// True if it runs compute shaders, which scoring needs.
    pub computes: bool,
    /// Its limits.
    pub limits: GpuLimits,
}

impl AdapterSummary {
    /// True if it computes on the host's processor.
    pub fn is_software(&self) -> bool {
        self.kind == AdapterKind::Software
    }

    /// True if it has no memory of its own: its buffers are in the host's.
    pub fn shares_host_memory(&self) -> bool {
        matches!(self.kind, AdapterKind::Integrated | AdapterKind::Software)
    }

    /// Name, interface and driver, as in results.
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

/// The adapter that the request takes, with its summary.
///
/// # Errors
/// [`Error::NoAdapter`] if none fits, or more than one.
pub(super) fn find(request: &AdapterRequest) -> Result<(AdapterSummary, wgpu::Adapter), Error> {
    let mut found = enumerate();
    let summaries: Vec<AdapterSummary> = found.iter().map(|(summary, _)| summary.clone()).collect();
    let choice = choose(request, &summaries)?;
    let (summary, adapter) = found.swap_remove(choice.index);
    log::info!("gpu: taking {summary}, driver {}: {}", summary.driver, choice.reason);
    Ok((summary, adapter))
}

/// Every adapter with its summary.
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
    pub(crate) fn adapter(index: usize, name: &str, api: Api, kind: AdapterKind) -> AdapterSummary {
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

/// A request for an adapter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AdapterRequest {
    /// One adapter, software ones included: its index (`0` or `#0`), its PCI address, its name or part of it, or an
    /// interface with or without these (`vulkan:NAME`, `vulkan:`). Without it, the best hardware adapter.
    pub name: Option<String>,
    /// Take a software adapter where there is no hardware one.
    pub allow_software: bool,
}

impl AdapterRequest {
    /// The adapter of this index, of whatever kind it is.
    pub fn by_index(index: usize) -> AdapterRequest {
        AdapterRequest { name: Some(format!("#{index}")), allow_software: true }
    }

    /// The options of the command line and the rule of the choice, for results.
    pub(super) fn reason(&self) -> String {
        match self {
            AdapterRequest { name: Some(name), .. } => format!("--backend gpu --adapter {name}"),
            AdapterRequest { allow_software: true, .. } => {
                "--backend gpu --allow-software: the best adapter of any kind".into()
            }
            _ => "--backend gpu: the best hardware adapter".into(),
        }
    }
}

/// The chosen adapter and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Its index in the list.
    pub index: usize,
    /// The reason, for the log.
    pub reason: String,
}

const INSTALL: &str = "install the driver of your GPU, or, for a software adapter, Mesa's lavapipe (on Debian and Ubuntu \
                       the packages mesa-vulkan-drivers and libvulkan1)";

/// The adapter that a request takes from a list.
///
/// # Errors
/// [`Error::NoAdapter`] if none fits or a name fits several, with the list and the remedy.
pub(super) fn choose(request: &AdapterRequest, adapters: &[AdapterSummary]) -> Result<Choice, Error> {
    match &request.name {
        Some(name) => choose_named(name.trim(), adapters),
        None => choose_best(request.allow_software, adapters),
    }
}

/// The best adapter that may be taken: hardware before software, large before small, the card's own interface before
/// OpenGL, and the first listed of equals.
fn choose_best(allow_software: bool, adapters: &[AdapterSummary]) -> Result<Choice, Error> {
    let takes = |adapter: &&AdapterSummary| adapter.computes && (allow_software || !adapter.is_software());
    let best = adapters.iter().filter(takes).min_by_key(|adapter| (adapter.kind, adapter.api));
    let best = best.ok_or_else(|| Error::NoAdapter(none_found(adapters)))?;
    let reason = match best.kind {
        AdapterKind::Software => "there is no hardware adapter, and software ones are allowed",
        _ => "it is the best hardware adapter",
    };
    Ok(Choice { index: best.index, reason: reason.to_string() })
}

fn choose_named(name: &str, adapters: &[AdapterSummary]) -> Result<Choice, Error> {
    let fitting = matches(name, adapters);
    match fitting[..] {
        [] => Err(Error::NoAdapter(format!("no adapter matches `{name}`; {}", list_all(adapters)))),
        [only] if !only.computes => Err(Error::NoAdapter(format!(
            "{only} matches `{name}`, but it has no compute shaders, which scoring needs"
        ))),
        [only] => Ok(Choice { index: only.index, reason: format!("it is the one that matches `{name}`") }),
        _ => Err(Error::NoAdapter(format!(
            "{} adapters match `{name}`:{}\nchoose one by index (`#{}`), by interface (`{}:{name}`) or by PCI address",
            fitting.len(),
            list(fitting.iter().copied()),
            fitting[0].index,
            fitting[0].api.name()
        ))),
    }
}

/// The adapters that match a name, by the first rule that matches any: index, PCI address, whole name, part of the name. An
/// interface before a colon narrows the list first.
fn matches<'a>(name: &str, adapters: &'a [AdapterSummary]) -> Vec<&'a AdapterSummary> {
    let (api, name) = match name.split_once(':').and_then(|(api, rest)| Some((Api::named(api.trim())?, rest))) {
        Some((api, rest)) => (Some(api), rest.trim()),
        None => (None, name),
    };
    let wanted = name.to_lowercase();
    let index: Option<usize> = wanted.strip_prefix('#').unwrap_or(&wanted).parse().ok();
    let rules: [&dyn Fn(&AdapterSummary) -> bool; 4] = [
        &|adapter| Some(adapter.index) == index,
        &|adapter| adapter.pci_address.as_deref().is_some_and(|address| is_pci_address(&wanted, address)),
        &|adapter| adapter.name.to_lowercase() == wanted,
        &|adapter| adapter.name.to_lowercase().contains(&wanted),
    ];
    let listed = || adapters.iter().filter(|adapter| api.is_none_or(|api| adapter.api == api));
    rules
        .iter()
        .map(|rule| listed().filter(|adapter| rule(adapter)).collect::<Vec<_>>())
        .find(|fitting| !fitting.is_empty())
        .unwrap_or_default()
}

/// True if `wanted` is the address, with or without its domain: `0000:01:00.0` or `01:00.0`.
fn is_pci_address(wanted: &str, address: &str) -> bool {
    let address = address.to_lowercase();
    address == wanted || address.split_once(':').is_some_and(|(_, without_domain)| without_domain == wanted)
}

fn none_found(adapters: &[AdapterSummary]) -> String {
    let software = adapters.iter().any(|adapter| adapter.is_software() && adapter.computes);
    let flag =
        if software { "; to use a software adapter, add --allow-software or name it with --adapter" } else { "" };
    match adapters {
        [] => list_all(adapters),
        _ => format!("no hardware adapter was found{flag}; {}", list_all(adapters)),
    }
}

fn list_all(adapters: &[AdapterSummary]) -> String {
    if adapters.is_empty() {
        return format!("no adapter was found: {INSTALL}");
    }
    format!("found:{}\nif one is missing, {INSTALL}", list(adapters))
}

fn list<'a>(adapters: impl IntoIterator<Item = &'a AdapterSummary>) -> String {
    adapters.into_iter().map(|adapter| format!("\n  {adapter}")).collect()
}

/// The limits of a device that decide how a batch is cut. They can be lowered, to test folding and splitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GpuLimits {
    /// Workgroups in each dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
    /// Bytes of a binding: the part of a buffer that a shader sees at once.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As [`testing::adapter`], but a software adapter has no PCI address.
    fn adapter(index: usize, name: &str, api: Api, kind: AdapterKind) -> AdapterSummary {
        let adapter = testing::adapter(index, name, api, kind);
        let pci_address = adapter.pci_address.filter(|_| kind != AdapterKind::Software);
        AdapterSummary { pci_address, ..adapter }
    }

    /// A workstation: lavapipe first, two cards, one of them through OpenGL too.
    fn workstation() -> Vec<AdapterSummary> {
        vec![
            adapter(0, "llvmpipe (LLVM 15)", Api::Vulkan, AdapterKind::Software),
            adapter(1, "Intel UHD 770", Api::Vulkan, AdapterKind::Integrated),
            adapter(2, "NVIDIA RTX 4090/PCIe", Api::Gl, AdapterKind::Discrete),
            adapter(3, "NVIDIA RTX 4090", Api::Vulkan, AdapterKind::Discrete),
            adapter(4, "NVIDIA RTX 4090", Api::Vulkan, AdapterKind::Discrete),
        ]
    }

    fn chosen(request: &AdapterRequest, adapters: &[AdapterSummary]) -> Result<usize, String> {
        choose(request, adapters).map(|choice| choice.index).map_err(|error| error.to_string())
    }

    fn named(name: &str) -> Result<usize, String> {
        chosen(&AdapterRequest { name: Some(name.into()), allow_software: false }, &workstation())
    }

    #[test]
    fn the_best_hardware_is_taken_through_its_own_interface_and_the_first_of_equals() {
        assert_eq!(chosen(&AdapterRequest::default(), &workstation()), Ok(3));
        assert_eq!(
            chosen(&AdapterRequest::default(), &workstation()[..3]),
            Ok(2),
            "a discrete card even through OpenGL"
        );
        assert_eq!(chosen(&AdapterRequest::default(), &workstation()[..2]), Ok(1));
        let allowed = AdapterRequest { name: None, allow_software: true };
        assert_eq!(chosen(&allowed, &workstation()), Ok(3), "allowing software does not prefer it");
    }

    #[test]
    fn software_is_taken_only_where_it_is_allowed_or_named() {
        let only_software = &workstation()[..1];
        assert_eq!(chosen(&AdapterRequest { name: None, allow_software: true }, only_software), Ok(0));
        assert_eq!(
            chosen(&AdapterRequest { name: Some("LLVMpipe".into()), allow_software: false }, only_software),
            Ok(0)
        );
        let message = chosen(&AdapterRequest::default(), only_software).unwrap_err();
        for part in ["no hardware adapter", "--allow-software", "#0 llvmpipe", "mesa-vulkan-drivers"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }

    #[test]
    fn an_adapter_is_named_by_index_address_whole_name_or_part_of_it() {
        for (name, index) in [
            ("0", 0),
            ("#2", 2),
            ("0000:04:00.0", 4),
            ("04:00.0", 4),
            ("uhd", 1),
            ("nvidia rtx 4090/pcie", 2),
            ("gl:", 2),
            ("GL:4090", 2),
            ("vulkan:intel", 1),
            ("770", 1),
        ] {
            assert_eq!(named(name), Ok(index), "{name}");
        }
    }

    #[test]
    fn a_name_that_matches_several_lists_them_and_says_how_to_choose() {
        let message = named("4090").unwrap_err();
        for part in ["3 adapters match `4090`", "#2 ", "#3 ", "PCI 0000:04:00.0", "`gl:4090`", "by PCI address"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(!message.contains("Intel"), "{message}");
    }

    #[test]
    fn a_name_that_matches_none_lists_all_adapters() {
        for name in ["radeon", "#7", "dx12:4090"] {
            let message = named(name).unwrap_err();
            assert!(
                message.contains(&format!("no adapter matches `{name}`")) && message.contains("Intel"),
                "{message}"
            );
        }
    }

    #[test]
    fn no_adapter_at_all_says_what_to_install() {
        let message = chosen(&AdapterRequest { name: None, allow_software: true }, &[]).unwrap_err();
        assert!(message.contains("no adapter was found:") && message.contains("libvulkan1"), "{message}");
        assert!(!message.contains("--allow-software"), "there is no software adapter to allow: {message}");
    }

    #[test]
    fn an_adapter_without_compute_shaders_is_passed_over_and_refused_by_name() {
        let old = AdapterSummary { computes: false, ..adapter(0, "Old", Api::Gl, AdapterKind::Discrete) };
        let list = [old, adapter(1, "New", Api::Vulkan, AdapterKind::Integrated)];
        assert_eq!(chosen(&AdapterRequest::default(), &list), Ok(1));
        let message = chosen(&AdapterRequest { name: Some("old".into()), allow_software: false }, &list).unwrap_err();
        assert!(message.contains("compute shaders"), "{message}");
    }
}
