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

/// What took effect; nothing must have been refused as a whole.
fn done(reload: Reload) -> Reloaded {
    match reload {
        Reload::Done(done) => done,
        other => panic!("{other:?}"),
    }
}

/// What is wrong, in words; nothing must have taken effect.
fn refused(reload: Reload) -> String {
    match reload {
        Reload::Refused(errors) => errors.to_string(),
        other => panic!("{other:?}"),
    }
}

/// The result of each hook.
fn told(changes: &[HookChange]) -> Vec<(&str, ChangeKind)> {
    let told = changes.iter().map(|c| (c.hook.as_str(), c.change));
    told.collect()
}

/// The digest of a file.
fn of_file(dir: &HooksDir, name: &str) -> Digest {
    Digest::of(&std::fs::read(dir.path().join(name)).expect("a file"))
}

/// A turn: the result, and the text as the hooks left it.
async fn say(session: &Session) -> (Verdict<PreTurn>, String) {
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    (verdict, text(&call))
}
