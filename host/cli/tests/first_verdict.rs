//! From `portcullis new` to a first verdict: by the command alone, from an empty directory, language by
//! language, as the tutorials say it. Tools are installed as a new user's are, into a place that all runs of the tests share.

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

/// Makes an empty cache, but for the tools, which are where the other tests have theirs.
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
