//! From `portcullis new` to a first verdict: by the command alone, from an empty directory, language by
//! language. Tools are installed as a new user's are, into a cache that all runs of the tests share.

#[path = "first_verdict/tutorials.rs"]
mod tutorials;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde_json::Value;

/// Where tools and what is compiled are kept: where the other tests have their tools.
fn cache() -> PathBuf {
    let target = xtask::root().join("target");
    let (cache, tools) = (target.join("user-cache"), target.join("toolchains"));
    let place = cache.join("portcullis");
    std::fs::create_dir_all(&tools).expect("a directory for tools");
    std::fs::create_dir_all(&place).expect("a cache");
    #[cfg(unix)]
    if let Err(error) = std::os::unix::fs::symlink(&tools, place.join("tools")) {
        assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{error}");
    }
    cache
}

/// Runs the command in a directory; gives what it said, if it went well.
fn portcullis(dir: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(arguments)
        .current_dir(dir)
        .env("XDG_CACHE_HOME", cache())
        .output()
        .expect("the command");
    assert!(done.status.success(), "portcullis {arguments:?}: {done:?}");
    String::from_utf8(done.stdout).expect("text")
}

/// The files of a cache. What is compiled anew is another file of the same name.
fn entries(cache: &Path) -> Vec<(String, SystemTime)> {
    let mut entries: Vec<_> = std::fs::read_dir(cache)
        .expect("a cache")
        .map(|entry| {
            let entry = entry.expect("an entry");
            let written = entry.metadata().and_then(|meta| meta.modified());
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, written.expect("a time"))
        })
        .collect();
    entries.sort();
    entries
}

fn from_nothing_to_a_verdict(language: &str) {
    let empty = tempfile::tempdir().expect("a directory");
    let new = ["new", "my-hook", "--lang", language, "--points"];
    portcullis(
        empty.path(),
        &[&new[..], &["pre-turn,post-llm-call"]].concat(),
    );
    let project = empty.path().join("my-hook");
    let cache = empty.path().join("compiled");
    let kept = ["--cache-dir", cache.to_str().expect("a path that is text")];
    let run = |command: &[&str]| portcullis(&project, &[command, &kept].concat());
    let built: Value = serde_json::from_str(&run(&["build", "--json"])).expect("JSON");
    assert_eq!(
        (&built["name"], &built["language"]),
        (&"my-hook".into(), &language.into())
    );
    let component = built["component"].as_str().expect("a file");
    assert!(Path::new(component).is_file() || project.join(component).is_file());
    let compiled = entries(&cache);
    assert_eq!(compiled.len(), 1, "the build compiles the component");
    let tested = run(&["test", "--json"]);
    assert_eq!(entries(&cache), compiled, "it is not compiled again");
    let tested: Value = serde_json::from_str(&tested).expect("JSON");
    let cases = tested["cases"].as_array().expect("cases");
    assert!(!cases.is_empty(), "a project comes with a case");
    for case in cases {
        assert_eq!(case["status"], "passed", "{case}");
    }
}

#[test]
fn in_c() {
    from_nothing_to_a_verdict("c");
}

#[test]
fn in_cpp() {
    from_nothing_to_a_verdict("cpp");
}

#[test]
fn in_zig() {
    from_nothing_to_a_verdict("zig");
}

#[test]
fn in_rust() {
    from_nothing_to_a_verdict("rust");
}

#[test]
fn in_go() {
    from_nothing_to_a_verdict("go");
}

#[test]
fn in_javascript() {
    from_nothing_to_a_verdict("javascript");
}

#[test]
fn in_typescript() {
    from_nothing_to_a_verdict("typescript");
}

#[test]
fn in_python() {
    from_nothing_to_a_verdict("python");
}
