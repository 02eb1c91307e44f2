//! The unused permissions of hooks, according to a journal.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_agent::{
    EventRow, JournalEvent, RunEnd, RunRecorder as _, RunRow, RunState, next_run_id,
};
use portcullis_store::{Journal, Store, StoreOptions, StoreUrl};
use serde_json::json;

use super::{Ran, add, command, directory, hook};
use crate::support::{run, text};

const DAY_MS: u64 = 86_400_000;

/// The advice on a grant without which the hook does not load.
const KEEP: &str = "keep the grant, since the hook imports it and does not load without it";

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(now.as_millis()).unwrap()
}

fn open(file: &Path) -> Journal {
    let store = Store::open_blocking(StoreUrl::sqlite(file.to_owned()), StoreOptions::default());
    store.unwrap().journal().unwrap()
}

/// Records that a hook ran at a point, `days` days ago.
fn record(journal: &Journal, hook: &str, days: u64, point: &str, end: RunEnd) {
    let id = next_run_id();
    journal.begin(RunRow {
        id,
        hook: hook.into(),
        point: point.into(),
        started_ms: now_ms() - days * DAY_MS,
        ..RunRow::default()
    });
    journal.end(id, end);
}

fn answered(outcome: &str) -> RunEnd {
    RunEnd {
        outcome: Some(outcome.to_owned().into()),
        ..RunEnd::of(RunState::Completed)
    }
}

/// Writes a journal in which a hook ran at points, each some days ago, and answered.
fn journal(file: &Path, hook: &str, runs: &[(u64, &str, &str)]) {
    let journal = open(file);
    for (days, point, outcome) in runs {
        record(&journal, hook, *days, point, answered(outcome));
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
        // The table has the same words.
        let shown = audit(dir.path(), &store, &[]).out;
        assert!(found.iter().all(|kind| shown.contains(kind)), "{shown}");
    }
    let store = scratch.path().join("long ago.db");
    let ran = audit(dir.path(), &store, &["--json", "--days", "50"]);
    assert_eq!(kinds(&ran), ["unused"], "{ran:?}");
    let shown = audit(dir.path(), &store, &["--days", "1"]).out;
    assert!(shown.contains("in 1 day"), "{shown}");
    assert!(!shown.contains("1 days"), "{shown}");
}

/// Returns an audit's findings about unused grants and answers, and its notes.
fn unused(dir: &Path, store: &Path) -> (Vec<String>, String) {
    let ran = audit(dir, store, &["--json"]);
    let found = ran.json();
    let found = found.as_array().unwrap().iter();
    let unused = found.filter(|one| one["kind"] == "unused");
    let unused = unused.map(|one| one["message"].as_str().unwrap().to_owned());
    (unused.collect(), ran.err)
}

#[test]
fn kinds_of_contributions_that_no_run_had_are_found() {
    let dir = directory("");
    let ran = add(dir.path(), text(&hook("memory-prompt")), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let scratch = tempfile::tempdir().unwrap();
    let end = |used: Option<&[&str]>, contributions: &[&str]| RunEnd {
        used: used.map(|used| used.iter().map(|grant| (*grant).to_owned()).collect()),
        contributions: contributions.iter().map(|it| (*it).to_owned()).collect(),
        ..answered("contribute")
    };
    let section = "contribute = \"section\"";
    for (name, end, is_found) in [
        ("nothing contributed", end(Some(&[]), &[]), true),
        ("a section", end(Some(&[section]), &["d"]), false),
        // Earlier versions did not record contributions, or used grants.
        ("an earlier version", end(Some(&[]), &["d"]), false),
        ("a version before that", end(None, &["d"]), false),
    ] {
        let store = scratch.path().join(format!("{name}.db"));
        let journal = open(&store);
        record(&journal, "memory-prompt", 1, "prompt-compile", end);
        journal.flush().unwrap();
        drop(journal);
        let (found, notes) = unused(dir.path(), &store);
        let found = found.iter().find(|message| message.contains(section));
        assert_eq!(found.is_some(), is_found, "{name}");
        assert!(
            found.is_none_or(|message| message.contains(KEEP)),
            "{found:?}"
        );
        assert!(notes.contains("`views`: memory-prompt"), "{name}: {notes}");
    }
}

#[test]
fn repairs_of_model_calls_that_no_agent_made_are_found() {
    const HOOK: &str = "provider-fallback";
    let dir = directory("");
    let ran = add(dir.path(), text(&hook(HOOK)), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let scratch = tempfile::tempdir().unwrap();
    for (name, outcome, action, by, found) in [
        (
            "no repair",
            "continue",
            "retry",
            "another",
            Some("retry, switch-provider, give-up;"),
        ),
        (
            "a retry",
            "replace",
            "retry",
            HOOK,
            Some("switch-provider, give-up;"),
        ),
        // The hook may have asked for a repair that the agent could not do.
        ("giving up", "replace", "give-up", HOOK, None),
        // In audit mode, an answer has no effect.
        ("no effect", "replace", "retry", "another", None),
    ] {
        let store = scratch.path().join(format!("{name}.db"));
        let journal = open(&store);
        record(&journal, HOOK, 1, "llm-error", answered(outcome));
        journal.event(EventRow {
            id: next_run_id(),
            session: String::new(),
            turn: 1,
            step: 1,
            at_ms: now_ms(),
            event: JournalEvent::Retry {
                action: json!({ "do": action }),
                by: Some(by.to_owned()),
            },
        });
        journal.flush().unwrap();
        drop(journal);
        let (unused, notes) = unused(dir.path(), &store);
        let said = unused.iter().find(|message| message.contains("may answer"));
        assert_eq!(said.is_some(), found.is_some(), "{name}: {unused:?}");
        if let (Some(said), Some(found)) = (said, found) {
            assert!(
                said.contains(&format!(": {found} {KEEP}")),
                "{name}: {said}"
            );
        }
        assert!(notes.contains("`state`: provider-fallback"), "{notes}");
    }
}
