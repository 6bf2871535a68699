//! What the saved crossovers say about a population: a pure function, so that it is tested with adapters that no single
//! machine has.

use super::{AdapterIdentity, Crossovers, Entry};
use crate::fitness::gpu::AdapterSummary;
use crate::sudoku::Shape;

/// Which backend `--backend auto` should take, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The CPU.
    Cpu(String),
    /// The adapter of this index.
    Gpu(usize, String),
}

/// What to take for epochs of a population. Neither the processor's name nor the adapters are asked for unless the answer
/// depends on them: to list adapters means to load the GPU's libraries.
pub fn advise(
    crossovers: &Crossovers,
    shape: Shape,
    population: usize,
    threads: usize,
    processor: impl FnOnce() -> String,
    adapters: impl FnOnce() -> Vec<AdapterSummary>,
) -> Advice {
    let fitting = |entry: &&Entry| entry.shape == shape.to_string() && entry.threads == threads;
    let measured: Vec<&Entry> = crossovers.entries.iter().filter(fitting).collect();
    if measured.is_empty() {
        return Advice::Cpu(format!("no crossover to a GPU has been measured at {shape} with {threads} threads"));
    }
    let reached: Vec<&Entry> = measured.iter().copied().filter(|entry| is_reached(entry, population)).collect();
    if reached.is_empty() {
        return Advice::Cpu(format!("{population} candidates are before {}", each(&measured, crossover_of)));
    }
    let processor = processor();
    let here: Vec<&Entry> = reached.iter().copied().filter(|entry| entry.processor == processor).collect();
    if here.is_empty() {
        let other = each(&reached, |entry| format!("`{}`", entry.processor));
        return Advice::Cpu(format!("the crossovers were measured on {other}, but the processor is `{processor}`"));
    }
    let adapters = adapters();
    match here.iter().filter_map(|entry| Some((*entry, find(entry, &adapters)?))).min_by_key(|(entry, _)| least(entry))
    {
        Some((entry, adapter)) => {
            Advice::Gpu(adapter.index, format!("{population} candidates are past {}", crossover_of(entry)))
        }
        None => Advice::Cpu(format!(
            "{population} candidates are past {}, but no such hardware adapter with that driver is here",
            each(&here, crossover_of)
        )),
    }
}

fn is_reached(entry: &Entry, population: usize) -> bool {
    least(entry).is_some_and(|least| population as u64 >= least)
}

fn least(entry: &Entry) -> Option<u64> {
    entry.crossover.population
}

/// The very adapter that an entry belongs to; never a software one, whatever the file says.
fn find<'a>(entry: &Entry, adapters: &'a [AdapterSummary]) -> Option<&'a AdapterSummary> {
    let may = |adapter: &&AdapterSummary| adapter.computes && !adapter.is_software();
    adapters.iter().filter(may).find(|adapter| AdapterIdentity::from(*adapter) == entry.adapter)
}

/// `the crossover of RTX 4090 at 5000`
fn crossover_of(entry: &Entry) -> String {
    let name = &entry.adapter.name;
    match least(entry) {
        Some(population) => format!("the crossover of {name} at {population}"),
        None => format!("any crossover of {name} (none was measured up to {})", entry.crossover.to),
    }
}

fn each(entries: &[&Entry], text: impl Fn(&Entry) -> String) -> String {
    entries.iter().map(|entry| text(entry)).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::testing::{adapter, entry};
    use crate::fitness::gpu::{AdapterKind, Api};

    fn crossovers(entries: &[Entry]) -> Crossovers {
        let mut crossovers = Crossovers::default();
        entries.iter().for_each(|entry| crossovers.put(entry.clone()));
        crossovers
    }

    /// A workstation whose second adapter is the one that `entry("RTX 4090", _)` belongs to.
    fn workstation() -> Vec<AdapterSummary> {
        vec![
            adapter(0, "llvmpipe", Api::Vulkan, AdapterKind::Software),
            adapter(1, "RTX 4090", Api::Vulkan, AdapterKind::Discrete),
            adapter(1, "UHD 770", Api::Vulkan, AdapterKind::Integrated),
        ]
    }

    fn on_workstation(entries: &[Entry], population: usize) -> Advice {
        advise(&crossovers(entries), Shape::NINE, population, 8, || "a processor".into(), workstation)
    }

    fn cpu_reason(advice: Advice) -> String {
        match advice {
            Advice::Cpu(reason) => reason,
            Advice::Gpu(..) => panic!("{advice:?}"),
        }
    }

    #[test]
    fn a_gpu_is_taken_from_its_crossover_on() {
        let entries = [entry("RTX 4090", Some(5_000))];
        let reason = "5000 candidates are past the crossover of RTX 4090 at 5000".to_string();
        assert_eq!(on_workstation(&entries, 5_000), Advice::Gpu(1, reason));
        assert!(cpu_reason(on_workstation(&entries, 4_999)).contains("4999 candidates are before"));
    }

    #[test]
    fn of_two_gpus_the_one_that_pays_first_is_taken() {
        let mut laptop = workstation();
        laptop[2].index = 2;
        let entries = crossovers(&[entry("RTX 4090", Some(5_000)), entry("UHD 770", Some(3_000))]);
        let taken = advise(&entries, Shape::NINE, 9_000, 8, || "a processor".into(), || laptop);
        assert!(matches!(taken, Advice::Gpu(2, _)), "{taken:?}");
    }

    #[test]
    fn nothing_is_asked_of_the_machine_before_a_crossover() {
        let processor = || -> String { panic!("the processor was asked for") };
        let adapters = || -> Vec<AdapterSummary> { panic!("the GPU's libraries were loaded") };
        let entries = [entry("RTX 4090", Some(5_000)), entry("UHD 770", None)];
        let ask = |shape, population, threads| {
            cpu_reason(advise(&crossovers(&entries), shape, population, threads, processor, adapters))
        };
        assert!(ask(Shape::NINE, 4_999, 8).contains("none was measured up to 1000000"));
        assert!(ask(Shape::NINE, 1_000_000, 4).contains("measured at 9x9 with 4 threads"));
        assert!(ask(Shape::of_side(16).unwrap(), 1_000_000, 8).contains("measured at 16x16"));
    }

    #[test]
    fn another_processor_is_another_machine() {
        let entries = crossovers(&[entry("RTX 4090", Some(5_000))]);
        let advice = advise(&entries, Shape::NINE, 9_000, 8, || "another".into(), || panic!("not asked for"));
        assert!(cpu_reason(advice).contains("measured on `a processor`, but the processor is `another`"));
    }

    #[test]
    fn neither_another_driver_nor_a_software_adapter_is_taken_whatever_the_file_says() {
        let mut old_driver = entry("RTX 4090", Some(5_000));
        old_driver.adapter.driver = "1.1".into();
        let mut software = entry("llvmpipe", Some(1));
        software.adapter.pci_address = Some("0000:00:00.0".into());
        let mut elsewhere = entry("RTX 4090", Some(5_000));
        elsewhere.adapter.pci_address = None;
        for entry in [old_driver, software, elsewhere] {
            let reason = cpu_reason(on_workstation(std::slice::from_ref(&entry), 9_000));
            assert!(reason.contains("no such hardware adapter"), "{entry:?}: {reason}");
        }
    }
}
