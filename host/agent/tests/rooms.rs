//! The crate's modules import one way.

use std::fs;
use std::path::Path;

use portcullis_rooms::{documented, violations};

/// The crate's rooms, lowest first, as its documentation lists them.
const CRATE: &[&[&str]] = &[
    &["basics"],
    &[
        "checkpoint",
        "effects",
        "guards",
        "journal",
        "memory",
        "policy",
        "prompt",
        "provider",
        "saved",
        "workspace",
    ],
    &["config", "tool"],
    &["events"],
    &["approval", "jobs", "exchange"],
    &["sink", "hook_model"],
    &["shared"],
    &["session"],
    &["agent"],
];

/// The rooms of a session.
const SESSION: &[&[&str]] = &[
    &["state"],
    &["fire"],
    &["model", "tools"],
    &["compaction", "recording", "saving", "suspension"],
    &["resources"],
    &["step"],
    &["turn"],
    &["lifecycle"],
    &["reopening"],
];

fn src() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn rooms_use_only_lower_rooms() {
    for (holder, rows) in [("", CRATE), ("session", SESSION)] {
        let violations = violations(&src(), holder, rows).unwrap();
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    }
}

/// The documentation lists the same rooms in the same order.
#[test]
fn rooms_are_documented() {
    for (file, rows) in [("lib.rs", CRATE), ("session/mod.rs", SESSION)] {
        assert_eq!(documented(&src().join(file)).unwrap(), rows, "{file}");
    }
}

/// Methods are called without an import, so the rooms above use functions for the state.
#[test]
fn only_the_lowest_rooms_have_methods_on_the_state() {
    let mut dirs = vec![src().join("session")];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lowest = ["state", "fire"].map(|room| src().join("session").join(room));
            let allowed = lowest.iter().any(|room| path.starts_with(room));
            let found = text.contains("impl SessionState");
            assert!(allowed || !found, "{}", path.display());
        }
    }
}
