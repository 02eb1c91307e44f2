//! A project's name is the id of its hook.

use std::process::Command;

use crate::with_tools;

#[test]
fn a_hook_with_another_id_than_the_projects_name_is_refused() {
    let empty = tempfile::tempdir().expect("a directory");
    let cache = tempfile::tempdir().expect("a directory");
    with_tools(cache.path());
    let project = empty.path().join("my-hook");
    let portcullis = |line: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(line);
        command.current_dir(match project.exists() {
            true => project.as_path(),
            false => empty.path(),
        });
        let done = command.env("XDG_CACHE_HOME", cache.path()).output();
        let done = done.expect("the command");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        (done.status.success(), said)
    };
    let new = ["new", "my-hook", "--lang", "c", "--points", "pre-turn"];
    let (is_well, said) = portcullis(&new);
    assert!(is_well, "{said}");
    let source = project.join("src/hook.c");
    let text = std::fs::read_to_string(&source).expect("the source");
    let other = text.replace(".id = \"my-hook\"", ".id = \"other\"");
    assert_ne!(text, other, "the template has changed");
    std::fs::write(&source, other).expect("the source");
    // `hooks.toml` has a table for the project's name, but the error is about the id.
    for line in [&["build"][..], &["test"]] {
        let (is_well, said) = portcullis(line);
        assert!(!is_well, "{line:?}\n{said}");
        let told = "the hook's id is `other`, and portcullis.toml says `name = \"my-hook\"`";
        assert!(said.contains(told), "{line:?}\n{said}");
    }
}
