//! A browser without a window, where there is one.

use std::path::Path;
use std::process::Command;

/// What a page came to in a browser.
pub struct Loaded {
    /// The document's title.
    pub title: String,
    /// Its main part, after the scripts have run.
    pub main: String,
    /// What was written to the console, errors included.
    pub console: Vec<String>,
}

/// Opens a page of this width; none, with a message, where there is no Chromium.
pub fn load(page: &Path, fragment: &str, width: u32) -> Option<Loaded> {
    let profile = tempfile::tempdir().unwrap();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let output = names.iter().find_map(|name| {
        Command::new(name)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0", "--dump-dom"])
            .args(["--virtual-time-budget=5000", &format!("--window-size={width},900")])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("file://{}{fragment}", page.display()))
            .output()
            .ok()
    });
    let Some(output) = output else {
        eprintln!("skipped: none of {names:?} is installed");
        return None;
    };
    let (dom, log) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(dom.contains("</html>"), "the browser gave no document: {log}");
    let part = |name: &str| {
        let after = dom.split_once(&format!("<{name}>")).expect(name).1;
        after.split_once(&format!("</{name}>")).expect(name).0.to_string()
    };
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(String::from).collect();
    Some(Loaded { title: part("title"), main: part("main"), console })
}
