//! Hook state that is kept in a store.

mod claimed;
mod failing;
mod shared;
mod undone;
mod written;

use std::sync::Arc;

use portcullis::hooks::StateStorage;
use portcullis::points::PreTurn;
use portcullis::{Call, Hooks, LoadOptions, Session, SessionOptions, Verdict};
use portcullis_tests::{HooksDir, TestStore, cache, text, turn};

/// Creates the spender's hooks directory, with more of its settings.
fn spender(settings: &str) -> HooksDir {
    HooksDir::new().with("spender").settings(&format!(
        "[hooks.spender]\n{settings}\n[hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n"
    ))
}

/// Loads a host of its own, as another process would.
fn host(dir: &HooksDir, store: &Arc<TestStore>) -> Hooks {
    let options = LoadOptions {
        cache: cache(),
        state: StateStorage::Store(store.clone()),
        ..LoadOptions::default()
    };
    Hooks::load(dir.path(), &options).expect("hooks")
}

/// Opens a session that is kept in the store.
async fn session(hooks: &Hooks, id: &str) -> Session {
    hooks.session(SessionOptions {
        state: hooks.stored_state(id).await.expect("a store"),
        ..SessionOptions::new(id)
    })
}

/// Runs a turn with this text for the spender. Returns the call and the result.
async fn tell(session: &Session, what: &str) -> (Call<PreTurn>, Verdict<PreTurn>) {
    let mut call = turn(what);
    let verdict = session.run(&mut call).await;
    (call, verdict)
}

/// Returns the spender's answer.
async fn ask(session: &Session, what: &str) -> String {
    let (call, verdict) = tell(session, what).await;
    assert!(verdict.decision.passed(), "{what}: {:?}", verdict.decision);
    text(&call)
}
