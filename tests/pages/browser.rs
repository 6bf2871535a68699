//! A browser without a window.

use std::path::Path;
use std::process::{Command, Stdio};

/// The names under which a browser is looked for.
pub const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A page as a browser shows it.
pub struct Loaded {
    /// The document's title.
    pub title: String,
    /// Its main part, after the scripts have run.
    pub main: String,
    /// The lines that were written to the console, errors included.
    pub console: Vec<String>,
}

/// The browser of this machine, if there is one.
pub fn find() -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// Opens a page in a window of this width.
pub fn load(browser: &str, page: &Path, fragment: &str, width: u32) -> Result<Loaded, String> {
    let profile = tempfile::tempdir().map_err(|error| error.to_string())?;
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--enable-logging=stderr", "--v=0", "--dump-dom", "--virtual-time-budget=5000"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .map_err(|error| format!("{browser}: {error}"))?;
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let part = |name: &str| {
        let after = dom.split_once(&format!("<{name}>")).map(|(_, after)| after);
        let inner = after.and_then(|after| after.split_once(&format!("</{name}>")));
        inner
            .map(|(inner, _)| inner.to_string())
            .ok_or_else(|| format!("no <{name}> in the document; {browser} says: {log}"))
    };
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(String::from).collect();
    Ok(Loaded { title: part("title")?, main: part("main")?, console })
}
