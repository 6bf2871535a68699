//! Which adapter is taken: a pure function of the request and the list, so that it is tested with lists that no single
//! machine has.
//!
//! wgpu's own `request_adapter` is not used: it falls back to a software adapter without saying so.

use super::adapter::{AdapterKind, AdapterSummary, Api};
use crate::error::Error;

/// Which adapter is asked for.
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

    /// The request as the command line has it, and by which rule it is served.
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

/// The adapter taken, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Its index in the list.
    pub index: usize,
    /// Why it was taken, for the log.
    pub reason: String,
}

const INSTALL: &str = "install the driver of your GPU, or, to compute in software, Mesa's lavapipe (on Debian and Ubuntu \
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
        [] => Err(Error::NoAdapter(format!("no adapter fits `{name}`; {}", what_there_is(adapters)))),
        [only] if !only.computes => {
            Err(Error::NoAdapter(format!("{only} fits `{name}`, but scoring needs compute shaders")))
        }
        [only] => Ok(Choice { index: only.index, reason: format!("it is the one that fits `{name}`") }),
        _ => Err(Error::NoAdapter(format!(
            "{} adapters fit `{name}`:{}\ntell them apart by index (`#{}`), by interface (`{}:{name}`) or by PCI address",
            fitting.len(),
            list(fitting.iter().copied()),
            fitting[0].index,
            fitting[0].api.name()
        ))),
    }
}

/// The adapters that a name fits, by the first rule under which it fits any: index, PCI address, the whole name, a part
/// of it. An interface before a colon narrows the list first.
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
    let flag = if software { "; to compute in software, say --allow-software or name one with --adapter" } else { "" };
    match adapters {
        [] => what_there_is(adapters),
        _ => format!("no hardware adapter was found{flag}; {}", what_there_is(adapters)),
    }
}

fn what_there_is(adapters: &[AdapterSummary]) -> String {
    if adapters.is_empty() {
        return format!("no adapter was found at all: {INSTALL}");
    }
    format!("there are:{}\nif one is missing, {INSTALL}", list(adapters))
}

fn list<'a>(adapters: impl IntoIterator<Item = &'a AdapterSummary>) -> String {
    adapters.into_iter().map(|adapter| format!("\n  {adapter}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::gpu::GpuLimits;

    fn adapter(index: usize, name: &str, api: Api, kind: AdapterKind) -> AdapterSummary {
        let limits =
            GpuLimits { max_workgroups_per_dimension: 65_535, max_binding_bytes: 1 << 27, max_buffer_bytes: 1 << 28 };
        let pci_address = (api == Api::Vulkan && kind != AdapterKind::Software).then(|| format!("0000:0{index}:00.0"));
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
    fn a_name_that_fits_several_lists_them_and_says_how_to_tell_them_apart() {
        let message = named("4090").unwrap_err();
        for part in ["3 adapters fit `4090`", "#2 ", "#3 ", "PCI 0000:04:00.0", "`gl:4090`", "by PCI address"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(!message.contains("Intel"), "{message}");
    }

    #[test]
    fn a_name_that_fits_none_lists_what_there_is() {
        for name in ["radeon", "#7", "dx12:4090"] {
            let message = named(name).unwrap_err();
            assert!(message.contains(&format!("no adapter fits `{name}`")) && message.contains("Intel"), "{message}");
        }
    }

    #[test]
    fn no_adapter_at_all_says_what_to_install() {
        let message = chosen(&AdapterRequest { name: None, allow_software: true }, &[]).unwrap_err();
        assert!(message.contains("no adapter was found at all") && message.contains("libvulkan1"), "{message}");
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
