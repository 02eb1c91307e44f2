//! The private and shared state of hooks.

use std::sync::Arc;

use portcullis::state::{
    Current, Edit, EditKey, PrivateEntry, PrivateKey, SharedKey, StateStore, StateStoreError,
    Writes,
};
use portcullis_agent::{SavedSession, SessionStore as _};
use portcullis_store::{HookState, Sessions, Store};

use crate::support::{Empty, cases};

cases![
    what_a_session_remembers_survives_reopening,
    a_batch_is_written_in_the_order_of_its_keys_and_deletes,
    keys_and_values_may_hold_any_byte,
    an_update_sees_the_key_and_the_sizes_of_all,
    only_the_process_that_has_a_session_open_writes_its_state,
    scopes_are_kept_apart,
    of_many_updates_of_a_new_key_none_is_lost,
    two_stores_never_spend_more_than_one_budget,
];

async fn claim(sessions: &Sessions, id: &str) -> anyhow::Result<()> {
    let id = id.to_owned();
    let session = SavedSession {
        id,
        ..SavedSession::default()
    };
    sessions.open(session).await?;
    Ok(())
}

/// Returns the state of a store that has these sessions open.
async fn with_open(store: Store, ids: &[&str]) -> anyhow::Result<HookState> {
    for id in ids {
        claim(&store.sessions(), id).await?;
    }
    Ok(store.hook_state("here"))
}

fn private(session: &str, hook: &str, key: &str) -> PrivateKey {
    PrivateKey {
        session: session.into(),
        agent: 0,
        hook: hook.into(),
        key: key.into(),
    }
}

fn shared(namespace: &str, key: &str) -> SharedKey {
    SharedKey {
        namespace: namespace.into(),
        key: key.into(),
    }
}

fn value(text: &str) -> Option<Vec<u8>> {
    Some(text.into())
}

fn number(current: &Current) -> i64 {
    let value = current.value.as_deref().unwrap_or(b"0");
    String::from_utf8_lossy(value).parse().unwrap_or_default()
}

/// Adds one, up to a limit.
fn spend(limit: i64) -> EditKey {
    Arc::new(move |current| match number(current) {
        spent if spent < limit => Edit::Put((spent + 1).to_string().into()),
        _ => Edit::Keep,
    })
}

async fn what_a_session_remembers_survives_reopening(empty: Empty) -> anyhow::Result<()> {
    let state = with_open(empty.open().await?, &["one", "two"]).await?;
    let writes = Writes {
        private: vec![
            (private("one", "a", "k"), value("1")),
            (private("one", "b", "k"), value("2")),
            (private("two", "a", "k"), value("3")),
        ],
        shared: Vec::new(),
    };
    state.write(&writes).await?;
    drop(state);
    let state = empty.open().await?.hook_state("elsewhere");
    let mut entries = state.private("one").await?;
    entries.sort_by(|a, b| a.hook.cmp(&b.hook));
    let entry = |hook: &str, value: &str| PrivateEntry {
        agent: 0,
        hook: hook.into(),
        key: "k".into(),
        value: value.into(),
    };
    assert_eq!(entries, [entry("a", "1"), entry("b", "2")]);
    assert_eq!(state.private("three").await?, []);
    Ok(())
}

async fn a_batch_is_written_in_the_order_of_its_keys_and_deletes(
    empty: Empty,
) -> anyhow::Result<()> {
    let state = with_open(empty.open().await?, &["s"]).await?;
    for text in ["old", "new"] {
        let writes = Writes {
            private: vec![(private("s", "a", "k"), value(text))],
            shared: vec![
                (shared("n", "k"), value(text)),
                (shared("n", "l"), value(text)),
            ],
        };
        state.write(&writes).await?;
    }
    assert_eq!(state.private("s").await?[0].value, b"new");
    assert_eq!(state.get("n", "k").await?, value("new"));
    let writes = Writes {
        private: vec![(private("s", "a", "k"), None)],
        shared: vec![(shared("n", "k"), None)],
    };
    state.write(&writes).await?;
    assert_eq!(state.private("s").await?, []);
    assert_eq!(state.get("n", "k").await?, None);
    assert_eq!(state.sizes("n").await?, [("l".to_owned(), 3)].into());
    Ok(())
}

async fn keys_and_values_may_hold_any_byte(empty: Empty) -> anyhow::Result<()> {
    let state = with_open(empty.open().await?, &["s"]).await?;
    let (key, bytes) = ("a\0b'\u{1F600}", Some(vec![0, 255, 39]));
    let writes = Writes {
        private: vec![(private("s", "a", key), bytes.clone())],
        shared: vec![(shared("n", key), bytes.clone())],
    };
    state.write(&writes).await?;
    let entries = state.private("s").await?;
    assert_eq!(
        (entries[0].key.as_str(), Some(&entries[0].value)),
        (key, bytes.as_ref())
    );
    assert_eq!(state.get("n", key).await?, bytes);
    assert_eq!(state.sizes("n").await?, [(key.to_owned(), 3)].into());
    Ok(())
}

async fn an_update_sees_the_key_and_the_sizes_of_all(empty: Empty) -> anyhow::Result<()> {
    let state = empty.open().await?.hook_state("here");
    let writes = Writes {
        private: Vec::new(),
        shared: vec![
            (shared("n", "k"), value("abc")),
            (shared("n", "l"), value("de")),
        ],
    };
    state.write(&writes).await?;
    let sizes = [("k".to_owned(), 3), ("l".to_owned(), 2)].into();
    let before = Current {
        value: value("abc"),
        sizes,
    };
    let keep = state.update("n", "k", Arc::new(|_| Edit::Keep)).await?;
    assert_eq!(keep, before);
    let delete = state.update("n", "k", Arc::new(|_| Edit::Delete)).await?;
    assert_eq!(delete, before);
    assert_eq!(state.get("n", "k").await?, None);
    Ok(())
}

async fn only_the_process_that_has_a_session_open_writes_its_state(
    empty: Empty,
) -> anyhow::Result<()> {
    let (one, two) = (empty.open().await?, empty.open().await?);
    let of = |text| Writes {
        private: vec![(private("s", "a", "k"), value(text))],
        shared: vec![(shared("n", "k"), value(text))],
    };
    claim(&one.sessions(), "s").await?;
    let (first, second) = (one.hook_state("here"), two.hook_state("here"));
    first.write(&of("one")).await?;
    let told = |error: StateStoreError| {
        assert_eq!(error.session(), Some("s"));
        assert!(error.to_string().contains("session `s`"), "{error}");
    };
    told(second.write(&of("two")).await.unwrap_err());
    two.sessions().release("s").await?;
    told(first.write(&of("released")).await.unwrap_err());
    claim(&two.sessions(), "s").await?;
    second.write(&of("two")).await?;
    told(first.write(&of("taken")).await.unwrap_err());
    assert_eq!(second.private("s").await?[0].value, b"two");
    assert_eq!(second.get("n", "k").await?, value("two"));
    one.sessions().delete("s", true).await?;
    told(second.write(&of("deleted")).await.unwrap_err());
    assert_eq!(second.private("s").await?, []);
    Ok(())
}

async fn scopes_are_kept_apart(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (here, there) = (store.hook_state("here"), store.hook_state("there"));
    here.update("n", "k", spend(9)).await?;
    assert_eq!(here.get("n", "k").await?, value("1"));
    assert_eq!(there.get("n", "k").await?, None);
    Ok(())
}

/// Runs updates at once in two stores, as in two processes. Returns the number of updates that
/// spent.
async fn spend_in_two(empty: &Empty, tries: usize, limit: i64) -> anyhow::Result<usize> {
    let mut tasks = Vec::new();
    for _ in 0..2 {
        let state: HookState = empty.open().await?.hook_state("here");
        tasks.push(tokio::spawn(async move {
            let mut spent = 0;
            for _ in 0..tries {
                let seen = state.update("costs", "sum", spend(limit)).await?;
                spent += usize::from(number(&seen) < limit);
            }
            anyhow::Ok(spent)
        }));
    }
    let mut spent = 0;
    for task in tasks {
        spent += task.await??;
    }
    Ok(spent)
}

async fn of_many_updates_of_a_new_key_none_is_lost(empty: Empty) -> anyhow::Result<()> {
    assert_eq!(spend_in_two(&empty, 100, i64::MAX).await?, 200);
    let state = empty.open().await?.hook_state("here");
    assert_eq!(state.get("costs", "sum").await?, value("200"));
    Ok(())
}

async fn two_stores_never_spend_more_than_one_budget(empty: Empty) -> anyhow::Result<()> {
    assert_eq!(spend_in_two(&empty, 500, 300).await?, 300);
    let state = empty.open().await?.hook_state("here");
    assert_eq!(state.get("costs", "sum").await?, value("300"));
    Ok(())
}
