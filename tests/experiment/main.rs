//! `swarmdoku run` and `merge` as a user, a scheduler and a power cut meet them.

#[path = "../shell/mod.rs"]
mod shell;

mod backends;
mod folders;
#[cfg(unix)]
mod interrupted;
mod merged;
mod study;
