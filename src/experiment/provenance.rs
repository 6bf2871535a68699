//! The provenance of a record: this program, and the machine that it runs on.

use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// This program's version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The machine's name; empty if the system gives none.
pub(super) fn host() -> String {
    System::host_name().unwrap_or_default()
}

/// The processor's name, as the system gives it; empty if it gives none.
pub(super) fn processor() -> String {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    system.cpus().first().map_or_else(String::new, |cpu| cpu.brand().trim().to_owned())
}

/// The time, as RFC 3339 in UTC and whole seconds.
pub(super) fn now() -> String {
    jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_else(|_| jiff::Timestamp::now()).to_string()
}
