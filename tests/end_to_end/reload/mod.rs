//! Hooks that change while they are in use.

mod agent;
mod changes;
mod flight;
mod kept;
mod lock;
mod refused;
mod revoked;
mod watch;

use portcullis::points::PreTurn;
use portcullis::reload::{ChangeKind, HookChange, Reload, Reloaded};
use portcullis::verdict::Digest;
use portcullis::{Session, Verdict};
use portcullis_tests::{HooksDir, text, turn};

/// Returns the applied changes; the reload must not have been refused as a whole.
fn done(reload: Reload) -> Reloaded {
    match reload {
        Reload::Done(done) => done,
        other => panic!("{other:?}"),
    }
}

/// Returns the faults, in words; no change must have been applied.
fn refused(reload: Reload) -> String {
    match reload {
        Reload::Refused(errors) => errors.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Returns the result of each hook.
fn told(changes: &[HookChange]) -> Vec<(&str, ChangeKind)> {
    let told = changes.iter().map(|c| (c.hook.as_str(), c.change));
    told.collect()
}

/// Returns the digest of a file.
fn of_file(dir: &HooksDir, name: &str) -> Digest {
    Digest::of(&std::fs::read(dir.path().join(name)).expect("a file"))
}

/// Runs a turn. Returns the result, and the text after the hooks.
async fn say(session: &Session) -> (Verdict<PreTurn>, String) {
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    (verdict, text(&call))
}
