//! The machine that this process runs on, and how much of its memory the process may use.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::error::Error;

/// The facts that figures must be read with.
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
        let system = with_memory();
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

fn with_memory() -> System {
    System::new_with_specifics(RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()))
}

/// The processor's name; empty where the system does not tell.
pub fn processor() -> String {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).unwrap_or_default()
}

/// How much memory this process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryLimit {
    /// Bytes.
    pub bytes: u64,
    /// Where the limit comes from, for people.
    pub source: &'static str,
}

impl MemoryLimit {
    /// The limit of this process's control group (Linux, version 1 or 2) or the machine's memory, whichever is less. It
    /// is asked for once.
    pub fn here() -> MemoryLimit {
        static HERE: OnceLock<MemoryLimit> = OnceLock::new();
        *HERE.get_or_init(|| {
            let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
            MemoryLimit::of(with_memory().total_memory(), group_limit(Path::new("/sys/fs/cgroup"), &groups))
        })
    }

    /// The lesser of the machine's memory (0 where it is not known) and a group's limit.
    fn of(machine: u64, group: Option<u64>) -> MemoryLimit {
        let machine = if machine == 0 { u64::MAX } else { machine };
        match group {
            Some(bytes) if bytes < machine => MemoryLimit { bytes, source: "the limit of its control group" },
            _ => MemoryLimit { bytes: machine, source: "this machine's memory" },
        }
    }

    /// Refuses work that needs more than this.
    ///
    /// # Errors
    /// [`Error::Memory`] with both numbers and the remedy.
    pub fn check(self, needed: u64, what: impl FnOnce() -> String, remedy: &'static str) -> Result<(), Error> {
        if needed <= self.bytes {
            return Ok(());
        }
        Err(Error::Memory { what: what(), needed, allowed: self.bytes, limit: self.source, remedy })
    }
}

/// The least memory limit of the control groups that `groups` names, in the form of `/proc/self/cgroup`, and of those
/// above them; `root` is where the groups are mounted. None if none of them has a limit.
fn group_limit(root: &Path, groups: &str) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        match controllers {
            "" => limits_upwards(root, path, "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                limits_upwards(&root.join("memory"), path, "memory.limit_in_bytes")
            }
            _ => Vec::new(),
        }
    });
    limits.min()
}

/// The limits in the files of this name in a group's folder and in those above it, up to the mount. Inside a container
/// the path may name folders that only the host sees; those are passed over.
fn limits_upwards(mount: &Path, path: &str, file: &str) -> Vec<u64> {
    let path = Path::new(path.trim_start_matches('/'));
    let read = |folder: &Path| fs::read_to_string(mount.join(folder).join(file)).ok()?.trim().parse().ok();
    path.ancestors().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn the_least_limit_on_the_way_up_counts_in_both_versions() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "memory.max", "max\n");
        write(root, "jobs/memory.max", "5000\n");
        write(root, "jobs/one/memory.max", "max\n");
        write(root, "memory/box/memory.limit_in_bytes", "3000\n");
        write(root, "memory/memory.limit_in_bytes", "9223372036854771712\n");
        for (groups, expected) in [
            ("0::/jobs/one\n", Some(5_000)),
            ("0::/\n", None),
            ("0::/seen/by/the/host/alone\n", None),
            ("9:name=systemd:/\n4:cpu,memory:/box\n0::/\n", Some(3_000)),
            ("4:memory:/box/deeper\n0::/jobs/one\n", Some(3_000)),
            ("4:memory:/elsewhere\n", Some(9_223_372_036_854_771_712)),
            ("", None),
        ] {
            assert_eq!(group_limit(root, groups), expected, "{groups}");
        }
    }

    #[test]
    fn the_lesser_of_group_and_machine_is_the_limit_and_says_so() {
        let source = |machine, group| MemoryLimit::of(machine, group).source;
        assert_eq!(MemoryLimit::of(4 << 30, Some(1 << 30)).bytes, 1 << 30);
        assert!(source(4 << 30, Some(1 << 30)).contains("control group"));
        assert!(source(4 << 30, Some(u64::MAX >> 1)).contains("machine"));
        assert_eq!(MemoryLimit::of(0, None).bytes, u64::MAX);
    }

    #[test]
    fn more_than_the_limit_is_refused_and_the_limit_itself_is_not() {
        let limit = MemoryLimit::of(1 << 30, None);
        assert!(limit.check(1 << 30, String::new, "").is_ok());
        let refused = limit.check(3 << 30, || "a population of 7".into(), "take a smaller one").unwrap_err();
        let message = refused.to_string();
        assert_eq!(
            message,
            "a population of 7 needs 3072 MiB, but this process may use 1024 MiB (this machine's memory); take a \
             smaller one"
        );
    }
}
