//! The machine that a benchmark ran on.

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// What figures must be read with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Machine {
    /// The processor's name, as it gives it.
    pub processor: String,
    /// Physical cores; none where the system does not tell.
    pub cores: Option<usize>,
    /// Threads that this program may run at once.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of it that were free, or would be made so, when the program asked.
    pub memory_available: u64,
    /// The operating system and its version.
    pub system: String,
}

impl Machine {
    /// This machine, and the threads that the current rayon pool has.
    pub fn here() -> Machine {
        let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(what);
        Machine {
            processor: processor(),
            cores: System::physical_core_count(),
            threads: rayon::current_num_threads(),
            memory: system.total_memory(),
            memory_available: system.available_memory(),
            system: System::long_os_version().unwrap_or_else(|| std::env::consts::OS.to_owned()),
        }
    }
}

/// The processor's name; empty where the system does not tell.
pub fn processor() -> String {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).unwrap_or_default()
}
