//! What one call does to the state.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::ledger::Ledger;
use super::memory::Spaces;
use super::number::{LONGEST_NUMBER, add, text};
use super::undo::Undo;
use super::writer::{Pending, StateWriter, Written};
use super::{
    Edit, MemoryState, Namespace, Quota, SharedKey, StateFault, StateStoreError, WriteState,
};

/// What one call does to the state.
#[derive(Debug)]
pub(crate) struct Transaction {
    pub(super) store: Arc<MemoryState>,
    pub(super) quota: Quota,
    when: WriteState,
    /// Plain writes, which no other call sees yet.
    pub(super) held: HashMap<(Namespace, String), Option<Vec<u8>>>,
    /// How to undo the atomic operations, which every call sees.
    pub(super) undo: Vec<Done>,
    /// The bytes that `undo` holds.
    undo_bytes: usize,
}

/// What took effect already.
#[derive(Debug)]
pub(super) enum Done {
    Memory {
        space: Namespace,
        key: String,
        undo: Undo,
    },
    Store(Arc<Ledger>),
}

impl Transaction {
    pub(crate) fn new(store: Arc<MemoryState>, quota: Quota, when: WriteState) -> Self {
        Self {
            store,
            quota,
            when,
            held: HashMap::new(),
            undo: Vec::new(),
            undo_bytes: 0,
        }
    }

    /// Whether nothing was written.
    pub(crate) fn is_clean(&self) -> bool {
        self.held.is_empty() && self.undo.is_empty()
    }

    /// What was written so far, as a transaction of its own; nothing if nothing was.
    pub(crate) fn take(&mut self) -> Option<Self> {
        if self.is_clean() {
            return None;
        }
        let empty = Self::new(self.store.clone(), self.quota, self.when);
        Some(std::mem::replace(self, empty))
    }

    /// What writes to the host's store, if it has one.
    pub(crate) fn writer(&self) -> Option<Arc<StateWriter>> {
        self.store.writer().cloned()
    }

    pub(crate) fn get(&self, space: &Namespace, key: &str) -> Option<Vec<u8>> {
        if let Some(held) = self.held(space, key) {
            return held.clone();
        }
        self.store.lock().get(space, key).cloned()
    }

    /// What the call itself wrote at a key.
    pub(super) fn held(&self, space: &Namespace, key: &str) -> Option<&Option<Vec<u8>>> {
        match self.held.is_empty() {
            true => None,
            false => self.held.get(&(space.clone(), key.to_owned())),
        }
    }

    pub(crate) fn keys(&self, space: &Namespace) -> Vec<String> {
        let spaces = self.store.lock();
        let keys = spaces.values.get(space).into_iter().flatten();
        let keys = keys.map(|(key, _)| key.clone()).collect();
        self.with_held(space, keys)
    }

    /// The keys with those that the call wrote, and without those that it deleted.
    pub(super) fn with_held(&self, space: &Namespace, mut keys: BTreeSet<String>) -> Vec<String> {
        for ((held_space, key), value) in &self.held {
            if held_space == space {
                match value {
                    Some(_) => keys.insert(key.clone()),
                    None => keys.remove(key),
                };
            }
        }
        keys.into_iter().collect()
    }

    pub(crate) fn set(
        &mut self,
        space: &Namespace,
        key: String,
        value: Vec<u8>,
    ) -> Result<(), StateFault> {
        self.room_for(space, &key, value.len())?;
        self.held.insert((space.clone(), key), Some(value));
        Ok(())
    }

    pub(crate) fn delete(&mut self, space: &Namespace, key: String) {
        // To forget what was never there needs no remembering.
        let there = self.store.lock().get(space, &key).is_some();
        match there {
            true => self.held.insert((space.clone(), key), None),
            false => self.held.remove(&(space.clone(), key)),
        };
    }

    pub(crate) fn increment(
        &mut self,
        space: &Namespace,
        key: String,
        delta: i64,
    ) -> Result<i64, StateFault> {
        self.room_for(space, &key, LONGEST_NUMBER)?;
        if let Some(sum) = self.increment_held(space, &key, delta) {
            return sum;
        }
        self.remember(key.len() + LONGEST_NUMBER)?;
        let mut spaces = self.store.lock();
        let sum = add(spaces.get(space, &key).map(Vec::as_slice), delta)?;
        let created = spaces.put(space, &key, Some(text(sum))).is_none();
        drop(spaces);
        self.did(space, key, Undo::Add { delta, created });
        Ok(sum)
    }

    /// What the call itself overwrote is its own until it commits.
    pub(super) fn increment_held(
        &mut self,
        space: &Namespace,
        key: &str,
        delta: i64,
    ) -> Option<Result<i64, StateFault>> {
        let held = self.held.get_mut(&(space.clone(), key.to_owned()))?;
        let sum = add(held.as_deref(), delta);
        if let Ok(sum) = sum {
            *held = Some(text(sum));
        }
        Some(sum)
    }

    pub(crate) fn swap(
        &mut self,
        space: &Namespace,
        key: String,
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    ) -> Result<bool, StateFault> {
        let size = new.as_ref().map_or(0, Vec::len);
        self.room_for(space, &key, size)?;
        if let Some(same) = self.swap_held(space, &key, &expected, &new) {
            return Ok(same);
        }
        self.remember(key.len() + size + expected.as_ref().map_or(0, Vec::len))?;
        let mut spaces = self.store.lock();
        if spaces.get(space, &key) != expected.as_ref() {
            return Ok(false);
        }
        spaces.put(space, &key, new.clone());
        drop(spaces);
        let undo = Undo::Put {
            before: expected,
            after: new,
        };
        self.did(space, key, undo);
        Ok(true)
    }

    /// As [`Transaction::increment_held`].
    pub(super) fn swap_held(
        &mut self,
        space: &Namespace,
        key: &str,
        expected: &Option<Vec<u8>>,
        new: &Option<Vec<u8>>,
    ) -> Option<bool> {
        let held = self.held.get_mut(&(space.clone(), key.to_owned()))?;
        let same = held == expected;
        if same {
            held.clone_from(new);
        }
        Some(same)
    }

    fn did(&mut self, space: &Namespace, key: String, undo: Undo) {
        self.undo.push(Done::Memory {
            space: space.clone(),
            key,
            undo,
        });
    }

    /// Counts what must be remembered to undo an atomic operation. A call may have it remember
    /// four times what a namespace may hold.
    pub(super) fn remember(&mut self, bytes: usize) -> Result<(), StateFault> {
        let total = self.undo_bytes.saturating_add(bytes);
        if total > self.quota.bytes.saturating_mul(4) {
            return Err(StateFault::TooManyBytes(self.quota.bytes));
        }
        self.undo_bytes = total;
        Ok(())
    }

    /// Whether the store takes what is written after the answer. If its last attempt failed, the call
    /// fails, since a crash would lose its writes.
    pub(crate) fn check(&self) -> Result<(), StateStoreError> {
        match (self.store.writer(), self.when) {
            (Some(writer), WriteState::AfterAnswer) if self.is_private() => {
                writer.check(self.session().as_deref())
            }
            _ => Ok(()),
        }
    }

    /// The session whose private state the call changed, if it is kept in the store.
    fn session(&self) -> Option<Arc<str>> {
        let held = self.held.keys().map(|(space, key)| (space, key));
        let done = self.undo.iter().filter_map(|done| match done {
            Done::Memory { space, key, .. } => Some((space, key)),
            Done::Store(_) => None,
        });
        let spaces = self.store.lock();
        let key = held
            .chain(done)
            .find_map(|(space, key)| spaces.key(space, key));
        Some(key?.session)
    }

    /// Whether the store must have the writes before the answer counts.
    pub(crate) fn waits(&self) -> bool {
        let before = self.when == WriteState::BeforeAnswer && self.is_private();
        self.store.writer().is_some() && (before || self.writes_shared())
    }

    fn is_private(&self) -> bool {
        let private = |space: &Namespace| matches!(space, Namespace::Private { .. });
        let done = |done: &Done| matches!(done, Done::Memory { space, .. } if private(space));
        self.held.keys().any(|(space, _)| private(space)) || self.undo.iter().any(done)
    }

    fn writes_shared(&self) -> bool {
        let mut spaces = self.held.keys().map(|(space, _)| space);
        spaces.any(|space| matches!(space, Namespace::Shared(_)))
    }

    /// The call succeeded: its writes stay.
    pub(crate) fn commit(&mut self) {
        if self.store.writer().is_some() {
            self.apply(false);
            self.keep();
            return;
        }
        self.undo.clear();
        self.undo_bytes = 0;
        if self.held.is_empty() {
            return;
        }
        let mut spaces = self.store.lock();
        for ((space, key), value) in self.held.drain() {
            spaces.put(&space, &key, value);
        }
    }

    /// The call succeeded: its writes stay once the store has them. A call that is cancelled from
    /// here on counts as one that succeeded.
    ///
    /// # Errors
    ///
    /// The store failed. Nothing of the call stays.
    pub(crate) async fn commit_to_store(mut self) -> Result<(), StateStoreError> {
        let written = self.apply(true);
        let (undo, undo_bytes) = (std::mem::take(&mut self.undo), self.undo_bytes);
        if let (Some(written), Some(writer)) = (written, self.store.writer())
            && let Err(error) = writer.written(written).await
        {
            self.undo = undo;
            self.undo_bytes = undo_bytes;
            return Err(error);
        }
        undo.iter().for_each(Done::keep);
        Ok(())
    }

    /// Puts the plain writes in place, and queues for the store what changed.
    fn apply(&mut self, awaited: bool) -> Option<Written> {
        let writer = self.store.writer()?;
        let mut pending = Pending {
            awaited,
            ..Pending::default()
        };
        let mut spaces = self.store.lock();
        for ((space, key), value) in self.held.drain() {
            if let Namespace::Shared(namespace) = space {
                let key = SharedKey { namespace, key };
                pending.writes.shared.push((key, value));
                continue;
            }
            let before = spaces.put(&space, &key, value.clone());
            let after = value;
            let undo = Undo::Put { before, after };
            self.undo.push(Done::Memory { space, key, undo });
        }
        self.queue(&spaces, &mut pending);
        // Before others can write to memory: the store gets the values in the same order.
        Some(writer.push(pending))
    }

    /// The private keys that the call changed, with their values now.
    fn queue(&self, spaces: &Spaces, pending: &mut Pending) {
        if self.when == WriteState::Never {
            return;
        }
        for done in &self.undo {
            if let Done::Memory { space, key, .. } = done {
                let value = spaces.get(space, key).cloned();
                pending.private(spaces.key(space, key), value);
            }
        }
    }

    fn keep(&mut self) {
        self.undo.iter().for_each(Done::keep);
        self.undo.clear();
        self.undo_bytes = 0;
    }

    /// The call failed: nothing of it stays.
    fn roll_back(&mut self) {
        self.held.clear();
        self.undo_bytes = 0;
        if self.undo.is_empty() {
            return;
        }
        let mut spaces = self.store.lock();
        for done in self.undo.iter().rev() {
            match done {
                Done::Memory { space, key, undo } => {
                    let now = spaces.get(space, key).map(Vec::as_slice);
                    match undo.revert(now) {
                        Edit::Keep => None,
                        Edit::Put(value) => spaces.put(space, key, Some(value)),
                        Edit::Delete => spaces.put(space, key, None),
                    };
                }
                Done::Store(ledger) => ledger.roll_back(),
            }
        }
        // Another call may have had the store write what is undone here.
        if let Some(writer) = self.store.writer() {
            let mut pending = Pending::default();
            self.queue(&spaces, &mut pending);
            writer.push(pending);
        }
        self.undo.clear();
    }

    fn room_for(&self, space: &Namespace, key: &str, len: usize) -> Result<(), StateFault> {
        let spaces = self.store.lock();
        let kept = spaces.values.get(space).into_iter().flatten();
        let kept = kept.filter(|(key, _)| self.held(space, key).is_none());
        let kept = kept.map(|(key, value)| (key.as_str(), value.len()));
        self.quota
            .check(key, len, kept.chain(self.held_sizes(space)))
    }

    /// The keys that the call wrote, and the lengths of their values.
    pub(super) fn held_sizes<'a>(
        &'a self,
        space: &'a Namespace,
    ) -> impl Iterator<Item = (&'a str, usize)> {
        let held = self.held.iter();
        let held = held.filter(move |((held_space, _), _)| held_space == space);
        held.filter_map(|((_, key), value)| Some((key.as_str(), value.as_ref()?.len())))
    }
}

impl Done {
    fn keep(&self) {
        if let Self::Store(ledger) = self {
            ledger.keep();
        }
    }
}

impl Drop for Transaction {
    /// What was not committed is undone.
    fn drop(&mut self) {
        self.roll_back();
    }
}
