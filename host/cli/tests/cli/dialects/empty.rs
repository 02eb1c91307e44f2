//! A hooks directory without hooks.

use super::{Place, tool_call};
use crate::support::{run, text};

#[test]
fn a_directory_without_hooks_is_named_in_a_warning() {
    let place = Place::new("");
    std::fs::remove_file(place.hooks.path().join("probe.wasm")).expect("the probe");
    std::fs::write(place.hooks.path().join("hooks.toml"), "").expect("the settings");
    let hooks = text(place.hooks.path());
    let project = tempfile::tempdir().expect("a directory");
    let serve = ["serve", "--hooks", hooks, "--no-store", "--idle", "1"];
    let install = ["install", "claude", "--hooks", hooks, "--yes"];
    for ran in [
        place.hook("claude", &tool_call("ls")),
        run(&mut place.command(&serve)),
        run(place.command(&install).current_dir(project.path())),
    ] {
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let warning = ran.err.lines().find(|line| line.contains("has no hooks"));
        assert!(warning.is_some_and(|line| line.contains(hooks)), "{ran:?}");
    }
}
