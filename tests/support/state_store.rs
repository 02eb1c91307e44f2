//! A store of hook state that can be made to wait and to fail.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::state::{
    Current, Edit, EditKey, PrivateEntry, PrivateKey, StateStore, StateStoreError, Writes,
};
use tokio::sync::watch;

/// The behaviour for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// The store runs it.
    Works,
    /// The store runs it once the behaviour changes.
    Waits,
    /// The store fails it.
    Fails,
}

/// A store of hook state that can be made to wait and to fail.
#[derive(Debug)]
pub struct TestStore {
    does: watch::Sender<Does>,
    /// The number of waiting operations.
    waiting: watch::Sender<usize>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    private: BTreeMap<PrivateKey, Vec<u8>>,
    shared: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
}

impl Default for TestStore {
    fn default() -> Self {
        Self {
            does: watch::Sender::new(Does::Works),
            waiting: watch::Sender::new(0),
            kept: Mutex::default(),
        }
    }
}

type Done<'a, T> = BoxFuture<'a, Result<T, StateStoreError>>;

impl TestStore {
    /// Sets the behaviour from now on.
    pub fn set(&self, does: Does) {
        self.does.send_replace(does);
    }

    /// Waits until an operation waits.
    pub async fn is_waiting(&self) {
        let mut waiting = self.waiting.subscribe();
        waiting
            .wait_for(|waiting| *waiting > 0)
            .await
            .expect("a store");
    }

    /// Waits until no operation waits.
    pub async fn is_idle(&self) {
        let mut waiting = self.waiting.subscribe();
        let _ = waiting.wait_for(|waiting| *waiting == 0).await;
    }

    /// Returns the value at a key of shared state, as text.
    pub fn shared(&self, namespace: &str, key: &str) -> Option<String> {
        let kept = self.kept();
        let value = kept.shared.get(namespace)?.get(key)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    /// Returns all private state, as texts: session, hook, key, value.
    pub fn private(&self) -> Vec<[String; 4]> {
        let kept = self.kept();
        let texts = kept.private.iter().map(|(key, value)| {
            let value = String::from_utf8_lossy(value).into_owned();
            [
                key.session.to_string(),
                key.hook.to_string(),
                key.key.clone(),
                value,
            ]
        });
        texts.collect()
    }

    async fn operation<T>(&self, run: impl FnOnce(&mut Kept) -> T) -> Result<T, StateStoreError> {
        let mut does = self.does.subscribe();
        if *does.borrow() == Does::Waits {
            self.waiting.send_modify(|waiting| *waiting += 1);
            let _ = does.wait_for(|does| *does != Does::Waits).await;
            self.waiting.send_modify(|waiting| *waiting -= 1);
        }
        match *does.borrow() {
            Does::Fails => Err(StateStoreError::new("told to")),
            _ => Ok(run(&mut self.kept())),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn put<K: Ord>(map: &mut BTreeMap<K, Vec<u8>>, key: K, value: Option<Vec<u8>>) {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}

impl StateStore for TestStore {
    fn private<'a>(&'a self, session: &'a str) -> Done<'a, Vec<PrivateEntry>> {
        let read = self.operation(move |kept| {
            let of_session = kept
                .private
                .iter()
                .filter(|(key, _)| *key.session == *session);
            let entries = of_session.map(|(key, value)| PrivateEntry {
                agent: key.agent,
                hook: key.hook.to_string(),
                key: key.key.clone(),
                value: value.clone(),
            });
            entries.collect()
        });
        read.boxed()
    }

    fn get<'a>(&'a self, namespace: &'a str, key: &'a str) -> Done<'a, Option<Vec<u8>>> {
        self.operation(move |kept| kept.shared.get(namespace)?.get(key).cloned())
            .boxed()
    }

    fn sizes<'a>(&'a self, namespace: &'a str) -> Done<'a, BTreeMap<String, usize>> {
        self.operation(move |kept| sizes(kept, namespace)).boxed()
    }

    fn update<'a>(&'a self, namespace: &'a str, key: &'a str, edit: EditKey) -> Done<'a, Current> {
        let update = self.operation(move |kept| {
            let sizes = sizes(kept, namespace);
            let values = kept.shared.entry(namespace.to_owned()).or_default();
            let value = values.get(key).cloned();
            let current = Current { value, sizes };
            match edit(&current) {
                Edit::Keep => {}
                Edit::Put(value) => put(values, key.to_owned(), Some(value)),
                Edit::Delete => put(values, key.to_owned(), None),
            }
            current
        });
        update.boxed()
    }

    fn write<'a>(&'a self, writes: &'a Writes) -> Done<'a, ()> {
        let write = self.operation(move |kept| {
            for (key, value) in &writes.private {
                put(&mut kept.private, key.clone(), value.clone());
            }
            for (key, value) in &writes.shared {
                let values = kept.shared.entry(key.namespace.to_string()).or_default();
                put(values, key.key.clone(), value.clone());
            }
        });
        write.boxed()
    }
}

fn sizes(kept: &Kept, namespace: &str) -> BTreeMap<String, usize> {
    let values = kept.shared.get(namespace).into_iter().flatten();
    values
        .map(|(key, value)| (key.clone(), value.len()))
        .collect()
}
