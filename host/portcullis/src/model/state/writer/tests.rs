//! Tests of the error reports of failed writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;

use super::*;
use crate::model::state::{EditKey, PrivateEntry, PrivateKey, Writes};

type Done<'a, T> = BoxFuture<'a, Result<T, StateStoreError>>;

/// A store that fails once, and rejects the state of the session `lost`.
#[derive(Debug, Default)]
pub(in crate::model::state) struct FailsOnce {
    attempts: AtomicUsize,
    kept: Mutex<Vec<String>>,
}

impl FailsOnce {
    /// Fails after this many attempts.
    pub(in crate::model::state) fn new(attempts: usize) -> Arc<Self> {
        Arc::new(Self {
            attempts: attempts.into(),
            ..Self::default()
        })
    }

    fn kept(&self) -> Vec<String> {
        self.kept.lock().expect("no panic").clone()
    }
}

impl StateStore for FailsOnce {
    fn private<'a>(&'a self, _: &'a str) -> Done<'a, Vec<PrivateEntry>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn get<'a>(&'a self, _: &'a str, _: &'a str) -> Done<'a, Option<Vec<u8>>> {
        async { Ok(None) }.boxed()
    }

    fn sizes<'a>(&'a self, _: &'a str) -> Done<'a, BTreeMap<String, usize>> {
        async { Ok(BTreeMap::new()) }.boxed()
    }

    fn update<'a>(&'a self, _: &'a str, _: &'a str, _: EditKey) -> Done<'a, Current> {
        async { Ok(Current::default()) }.boxed()
    }

    fn write<'a>(&'a self, writes: &'a Writes) -> Done<'a, ()> {
        let attempt = self.attempts.fetch_add(1, Ordering::SeqCst);
        let mut sessions = writes.private.iter().map(|(key, _)| &*key.session);
        let result = match sessions.any(|session| session == "lost") {
            _ if attempt == 0 => Err(StateStoreError::new("the first attempt")),
            true => Err(StateStoreError::lost("lost", "another process has it")),
            false => {
                let keys = writes.private.iter().map(|(key, _)| key.key.clone());
                self.kept.lock().expect("no panic").extend(keys);
                Ok(())
            }
        };
        async { result }.boxed()
    }
}

fn pending(session: &str, key: &str, awaited: bool) -> Pending {
    let key = PrivateKey {
        session: session.into(),
        agent: 0,
        hook: "hook".into(),
        key: key.into(),
    };
    let mut pending = Pending {
        awaited,
        ..Pending::default()
    };
    pending.private(Some(key), Some(Vec::new()));
    pending
}

#[tokio::test]
async fn a_call_whose_write_failed_is_told_so_also_after_a_later_one_succeeded() {
    let store = FailsOnce::new(0);
    let writer = Arc::new(StateWriter::new(store.clone()));
    let first = writer.push(pending("s", "first", true));
    while store.attempts.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    let second = writer.push(pending("s", "second", true));
    assert_eq!(writer.written(second).await, Ok(()));
    let error = writer.written(first).await.expect_err("it was dropped");
    assert!(error.to_string().contains("the first attempt"), "{error}");
    assert_eq!(store.kept(), ["second"]);
}

#[tokio::test]
async fn a_session_that_is_lost_fails_alone_until_it_is_opened_again() {
    let store = FailsOnce::new(1);
    let writer = Arc::new(StateWriter::new(store.clone()));
    for (session, key) in [("lost", "a"), ("kept", "b")] {
        writer.push(pending(session, key, false));
    }
    assert_eq!(writer.flush().await, Ok(()));
    assert_eq!(store.kept(), ["b"]);
    let error = writer.check(Some("lost")).expect_err("it is lost");
    assert_eq!(error.session(), Some("lost"));
    let again = writer.push(pending("lost", "c", true));
    assert_eq!(writer.written(again).await, Err(error));
    assert_eq!(writer.check(Some("kept")), Ok(()));
    let opened = writer.open("lost").await.expect("it is not open");
    assert!(opened.entries.is_empty());
    assert_eq!(writer.check(Some("lost")), Ok(()));
}

#[tokio::test]
async fn a_session_is_open_once_at_a_time() {
    let writer = Arc::new(StateWriter::new(FailsOnce::new(1)));
    let opened = writer.open("s").await.expect("it is not open");
    let clone = opened.clone();
    drop(opened);
    let error = writer.open("s").await.expect_err("the clone has it open");
    assert!(error.is_already_open(), "{error}");
    drop(writer.open("t").await.expect("another session"));
    drop(clone);
    writer.open("s").await.expect("it was closed");
}
