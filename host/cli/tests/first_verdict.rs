//! The tutorials, from `portcullis new` to a first verdict, in each language. They begin in an empty directory, with
//! the command alone. Tools are installed as for a new user, into a directory that all test runs share.

#[path = "first_verdict/examples.rs"]
mod examples;
#[path = "first_verdict/functions.rs"]
mod functions;
#[path = "first_verdict/names.rs"]
mod names;
#[path = "first_verdict/tutorials.rs"]
mod tutorials;

use std::path::Path;
use std::time::SystemTime;

/// Makes an empty cache, except for the tools, which all tests share.
fn with_tools(cache: &Path) {
    let tools = xtask::root().join("target/toolchains");
    let place = cache.join("portcullis");
    std::fs::create_dir_all(&tools).expect("a directory for tools");
    std::fs::create_dir_all(&place).expect("a cache");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&tools, place.join("tools")).expect("a link");
}

/// Returns the compiled components in a cache. Compiling again creates another file of the same
/// name.
fn compiled(cache: &Path) -> Vec<(String, SystemTime)> {
    let Ok(entries) = std::fs::read_dir(cache.join("portcullis/compiled")) else {
        return Vec::new();
    };
    let entries = entries.map(|entry| entry.expect("an entry"));
    let mut entries: Vec<_> = entries
        .filter(|entry| entry.path().extension().is_some_and(|it| it == "cwasm"))
        .map(|entry| {
            let written = entry.metadata().and_then(|meta| meta.modified());
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, written.expect("a time"))
        })
        .collect();
    entries.sort();
    entries
}
