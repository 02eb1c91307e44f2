//! Every lifecycle point is passed by the command alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use portcullis::points::PointId;
use serde_json::Value;

use crate::support::{Ran, bare, built, portcullis, run};

/// Returns the agent in the repository, in a directory of its own with its hook.
fn agent() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let source = xtask::root().join("tests/agents/all-points");
    for made in ["hooks", "work/workspaces/old", "work/workspaces/large"] {
        fs::create_dir_all(dir.path().join(made)).unwrap();
    }
    for file in ["agent.toml", "second.json", "hooks/hooks.toml"] {
        fs::copy(source.join(file), dir.path().join(file)).unwrap();
    }
    let probe = built().parent().unwrap().join("test-hooks/probe.wasm");
    fs::copy(probe, dir.path().join("hooks/probe.wasm")).unwrap();
    // One workspace is evicted, and another is too large for its snapshot.
    fs::write(dir.path().join("work/workspaces/old/a"), "a").unwrap();
    fs::write(dir.path().join("work/workspaces/large/a"), [0; 2_000]).unwrap();
    dir
}

fn ran(command: &mut Command, dir: &Path) -> Ran {
    run(command.current_dir(dir))
}

/// Returns the points in the journal.
fn journal(dir: &Path) -> BTreeSet<String> {
    let file = ["--store", "sqlite:work/store.sqlite"];
    let all = [&["runs"], &file[..], &["--limit", "1000", "--json"]].concat();
    let runs = ran(&mut bare(&all), dir).json();
    let runs = runs.as_array().expect("a list").iter();
    let point = |run: &Value| run["point"].as_str().expect("a point").to_owned();
    runs.map(point).collect()
}

#[test]
fn the_command_alone_passes_every_point() {
    let agent = agent();
    let dir = agent.path();
    let begin = ["run", "--agent", "agent.toml", "--json", "Begin."];
    let first = ran(&mut portcullis(&begin), dir);
    assert_eq!(first.code, Some(3), "it waits for the client: {first:?}");
    let lines = first.lines();
    let suspended = lines.iter().find(|line| line["event"] == "turn-suspended");
    let id = &suspended.expect("a suspended turn")["checkpoint"];
    let resume = [
        &[
            "resume",
            "--agent",
            "agent.toml",
            "--provider",
            "scripted:second.json",
        ],
        &[
            id.as_str().expect("an id"),
            "--result",
            "pick=blue",
            "Fail.",
        ][..],
    ];
    let second = ran(&mut portcullis(&resume.concat()), dir);
    assert_eq!(second.code, Some(1), "its last turn fails: {second:?}");
    assert_eq!(second.out, "Blue it is.\n");

    let all: BTreeSet<String> = PointId::ALL
        .iter()
        .map(|point| point.name().to_owned())
        .collect();
    assert_eq!(journal(dir), all);

    let workspaces = dir.join("work/workspaces");
    assert!(!workspaces.join("old").exists(), "it was evicted");
    assert!(workspaces.join("large").exists(), "its eviction failed");
    assert!(
        dir.join("work/snapshots/old").exists(),
        "its snapshot is kept"
    );
}
