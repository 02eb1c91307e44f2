//! Hooks' state in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::quota::Size;
use super::stored::Opened;
use super::writer::{Pending, StateWriter};
use super::{Namespace, PrivateKey, StateStore, StateStoreError, StoredState};

/// The state of all hooks of a host, in memory: the private state of open sessions, and shared
/// state. With a [`StateStore`], shared state is in the store alone.
#[derive(Debug, Default)]
pub struct MemoryState {
    spaces: Mutex<Spaces>,
    writer: Option<Arc<StateWriter>>,
}

#[derive(Debug, Default)]
pub(super) struct Spaces {
    values: HashMap<Namespace, Space>,
    /// The contents of a namespace without writes.
    empty: Space,
    /// The last version given to a namespace.
    version: u64,
    /// The openings of sessions that are kept in the store.
    kept: HashMap<u64, StoredOpening>,
}

/// The keys and values of a namespace.
#[derive(Debug, Default)]
pub(super) struct Space {
    values: BTreeMap<String, Vec<u8>>,
    size: Size,
    /// A version that changes with the keys and the lengths of their values, and never repeats.
    version: u64,
}

/// The store's session that an opening belongs to.
#[derive(Debug)]
struct StoredOpening {
    opened: Arc<Opened>,
    agent: u32,
}

/// A session's private state: keys and values, by hook.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PrivateState(BTreeMap<String, BTreeMap<String, Vec<u8>>>);

impl MemoryState {
    /// Creates state that is kept in a store.
    pub(crate) fn stored(store: Arc<dyn StateStore>) -> Self {
        Self {
            spaces: Mutex::default(),
            writer: Some(Arc::new(StateWriter::new(store))),
        }
    }

    /// Returns the writer to the store, if the host has a store.
    pub(crate) fn writer(&self) -> Option<&Arc<StateWriter>> {
        self.writer.as_ref()
    }

    /// Returns the value at a key of a shared namespace, for the embedder.
    pub fn shared(&self, namespace: &str, key: &str) -> Option<Vec<u8>> {
        let namespace = Namespace::Shared(namespace.into());
        self.lock().get(&namespace, key).cloned()
    }

    /// Returns all keys and values of a shared namespace, for the embedder.
    pub fn shared_all(&self, namespace: &str) -> BTreeMap<String, Vec<u8>> {
        let namespace = Namespace::Shared(namespace.into());
        let spaces = self.lock();
        spaces.space(&namespace).values.clone()
    }

    /// Puts a value at a key of a shared namespace, for the embedder.
    pub fn set_shared(&self, namespace: &str, key: &str, value: Vec<u8>) {
        let namespace = Namespace::Shared(namespace.into());
        self.lock().put(&namespace, key, Some(value));
    }

    /// Removes a key of a shared namespace, for the embedder.
    pub fn remove_shared(&self, namespace: &str, key: &str) {
        let namespace = Namespace::Shared(namespace.into());
        self.lock().put(&namespace, key, None);
    }

    /// Removes all private state of a session, named by its opening. Its state in the store stays.
    pub(crate) fn forget(&self, session: u64) {
        self.close(session);
        let mut spaces = self.lock();
        spaces.values.retain(|space, _| match space {
            Namespace::Private { opening, .. } => *opening != session,
            Namespace::Shared(_) => true,
        });
    }

    /// Stops writing an opening's private state to the store.
    pub(crate) fn close(&self, opening: u64) {
        let kept = self.lock().kept.remove(&opening);
        // Drop it without the lock, since the drop may take the writer's lock.
        drop(kept);
    }

    /// Loads a session's stored private state into an opening, and keeps it in the store from then
    /// on.
    pub(crate) fn open(&self, opening: u64, agent: u32, stored: &StoredState) {
        if self.writer.is_none() {
            return;
        }
        let mut spaces = self.lock();
        for entry in stored.entries.iter().filter(|entry| entry.agent == agent) {
            let hook = entry.hook.as_str().into();
            let space = Namespace::Private { opening, hook };
            spaces.put(&space, &entry.key, Some(entry.value.clone()));
        }
        let opened = stored.opened.clone();
        spaces.kept.insert(opening, StoredOpening { opened, agent });
    }

    /// Checks that the store still accepts an opening's private state.
    pub(crate) fn check_lost(&self, opening: u64) -> Result<(), StateStoreError> {
        let session = {
            let spaces = self.lock();
            spaces
                .kept
                .get(&opening)
                .map(|of| of.opened.session.clone())
        };
        match (&self.writer, session) {
            (Some(writer), Some(session)) => writer.check_lost(&session),
            _ => Ok(()),
        }
    }

    /// Returns an opening's private state, which is empty if the store keeps it.
    pub(crate) fn export(&self, session: u64) -> PrivateState {
        let spaces = self.lock();
        if spaces.kept.contains_key(&session) {
            return PrivateState::default();
        }
        let of_session = spaces
            .values
            .iter()
            .filter_map(|(space, kept)| match space {
                Namespace::Private { opening, hook } if *opening == session => {
                    Some((hook.to_string(), kept.values.clone()))
                }
                _ => None,
            });
        PrivateState(of_session.collect())
    }

    /// Restores an opening's private state.
    pub(crate) fn import(&self, session: u64, state: PrivateState) {
        let mut spaces = self.lock();
        let mut pending = Pending::default();
        for (hook, values) in state.0 {
            let space = Namespace::Private {
                opening: session,
                hook: hook.into(),
            };
            spaces.values.insert(space.clone(), Space::default());
            for (key, value) in values {
                pending.private(spaces.key(&space, &key), Some(value.clone()));
                spaces.put(&space, &key, Some(value));
            }
        }
        if let Some(writer) = &self.writer {
            writer.push(pending);
        }
    }

    // A panic elsewhere leaves the maps consistent: nothing panics between a change and its count.
    pub(super) fn lock(&self) -> MutexGuard<'_, Spaces> {
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spaces {
    /// Returns the store's key for a key of private state; `None` if the session is not kept.
    pub(super) fn key(&self, space: &Namespace, key: &str) -> Option<PrivateKey> {
        let Namespace::Private { opening, hook } = space else {
            return None;
        };
        let kept = self.kept.get(opening)?;
        Some(PrivateKey {
            session: kept.opened.session.clone(),
            agent: kept.agent,
            hook: hook.clone(),
            key: key.to_owned(),
        })
    }

    pub(super) fn get(&self, space: &Namespace, key: &str) -> Option<&Vec<u8>> {
        self.values.get(space)?.values.get(key)
    }

    pub(super) fn space(&self, space: &Namespace) -> &Space {
        self.values.get(space).unwrap_or(&self.empty)
    }

    /// Puts a value at a key, or removes the key. Returns the previous value.
    pub(super) fn put(
        &mut self,
        space: &Namespace,
        key: &str,
        value: Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let space = self.values.entry(space.clone()).or_default();
        let after = value.as_ref().map(Vec::len);
        let before = match value {
            Some(value) => space.values.insert(key.to_owned(), value),
            None => space.values.remove(key),
        };
        let len = before.as_ref().map(Vec::len);
        if len != after {
            let of = |len: Option<usize>| len.map_or(Size::default(), |len| Size::of(key, len));
            space.size = space.size.plus(of(after)).minus(of(len));
            self.version += 1;
            space.version = self.version;
        }
        before
    }
}

impl Space {
    pub(super) fn keys(&self) -> impl Iterator<Item = &String> {
        self.values.keys()
    }

    pub(super) fn contains(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Returns the size of a key with its value; zero if there is none.
    pub(super) fn size_of(&self, key: &str) -> Size {
        let value = self.values.get(key);
        value.map_or(Size::default(), |value| Size::of(key, value.len()))
    }
}
