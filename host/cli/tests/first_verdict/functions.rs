//! A project compiles only the functions that no earlier project has compiled.

use std::path::Path;
use std::process::Command;

use crate::with_tools;

/// Returns the size of the functions in a user's cache, in bytes; `None` if the file is missing.
fn kept(cache: &Path) -> Option<u64> {
    let file = cache.join("portcullis/compiled/functions");
    Some(file.metadata().ok()?.len())
}

#[test]
fn another_project_adds_few_functions_and_a_component_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let [cache, other] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let (cache, other) = (cache.path(), other.path());
    with_tools(cache);
    let portcullis = |dir: &Path, arguments: &[&str], cache: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(arguments).current_dir(dir);
        let done = command.env("XDG_CACHE_HOME", cache).output();
        let done = done.expect("the command");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "portcullis {arguments:?}: {said}");
    };
    let new = ["new", "my-hook", "--lang", "javascript"];
    portcullis(
        dir.path(),
        &[&new[..], &["--points", "pre-turn"]].concat(),
        cache,
    );
    let project = dir.path().join("my-hook");
    portcullis(&project, &["build"], cache);
    let first = kept(cache).expect("functions");
    // Another point has other functions, and the same interpreter.
    let other_hook = ["new", "other-hook", "--lang", "javascript"];
    portcullis(
        dir.path(),
        &[&other_hook[..], &["--points", "pre-tool-call"]].concat(),
        cache,
    );
    portcullis(&dir.path().join("other-hook"), &["build"], cache);
    let second = kept(cache).expect("functions");
    assert!(
        first < second && second < first + first / 2,
        "{first} bytes, then {second}"
    );

    portcullis(&project, &["hooks", "inspect", "dist/my-hook.wasm"], other);
    assert_eq!(kept(other), None);
}
