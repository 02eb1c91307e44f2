//! What hooks may do and did not, as a journal has it.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_agent::{RunEnd, RunRecorder as _, RunRow, RunState, next_run_id};
use portcullis_store::{Store, StoreOptions, StoreUrl};

use super::{Ran, add, command, directory, hook};
use crate::support::{run, text};

const DAY_MS: u64 = 86_400_000;

/// A store in whose journal a hook ran at points, so many days ago, and answered.
fn journal(file: &Path, hook: &str, runs: &[(u64, &str, &str)]) {
    let store = Store::open_blocking(StoreUrl::sqlite(file.to_owned()), StoreOptions::default());
    let journal = store.unwrap().journal().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = u64::try_from(now.as_millis()).unwrap();
    for (days, point, outcome) in runs {
        let id = next_run_id();
        journal.begin(RunRow {
            id,
            hook: hook.into(),
            point: (*point).into(),
            started_ms: now - days * DAY_MS,
            ..RunRow::default()
        });
        journal.end(
            id,
            RunEnd {
                outcome: Some((*outcome).to_owned().into()),
                ..RunEnd::of(RunState::Completed)
            },
        );
    }
    journal.flush().unwrap();
}

fn audit(dir: &Path, store: &Path, options: &[&str]) -> Ran {
    let store = format!("sqlite:{}", store.display());
    let arguments = [
        "audit",
        "--offline",
        "--hooks",
        text(dir),
        "--store",
        &store,
    ];
    run(command(&arguments).args(options))
}

#[test]
fn what_a_hook_may_do_and_did_not_is_found() {
    let dir = directory("");
    let ran = add(dir.path(), text(&hook("path-jail")), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let scratch = tempfile::tempdir().unwrap();
    let kinds = |ran: &Ran| -> Vec<String> {
        let found = ran.json();
        let found = found.as_array().unwrap().iter();
        let kinds = found.map(|one| one["kind"].as_str().unwrap().to_owned());
        kinds.filter(|kind| kind != "unsigned").collect()
    };
    for (name, runs, found) in [
        ("nothing", &[][..], &["not-reached"][..]),
        (
            "long ago",
            &[(40, "pre-tool-call", "reject")],
            &["not-reached"],
        ),
        (
            "no answer",
            &[(1, "pre-tool-call", "continue")],
            &["unused"],
        ),
        (
            "an answer, and later none",
            &[
                (20, "pre-tool-call", "reject"),
                (10, "pre-tool-call", "transform"),
                (1, "pre-tool-call", "continue"),
            ],
            &[],
        ),
    ] {
        let store = scratch.path().join(format!("{name}.db"));
        journal(&store, "path-jail", runs);
        let ran = audit(dir.path(), &store, &["--json"]);
        assert_eq!(kinds(&ran), found, "{name}: {ran:?}");
        // People read the same words.
        let shown = audit(dir.path(), &store, &[]).out;
        assert!(found.iter().all(|kind| shown.contains(kind)), "{shown}");
    }
    let store = scratch.path().join("long ago.db");
    let ran = audit(dir.path(), &store, &["--json", "--days", "50"]);
    assert_eq!(kinds(&ran), ["unused"], "{ran:?}");
}
