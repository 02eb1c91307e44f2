//! The effects of one call on the state.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::held::Held;
use super::ledger::Ledger;
use super::memory::Spaces;
use super::number::{LONGEST_NUMBER, add, text};
use super::quota::Size;
use super::undo::Undo;
use super::writer::{Pending, StateWriter, Written};
use super::{
    Edit, MemoryState, Namespace, Quota, SharedKey, StateFault, StateStoreError, WriteState,
};

/// The effects of one call on the state.
#[derive(Debug)]
pub(crate) struct Transaction {
    pub(super) store: Arc<MemoryState>,
    pub(super) quota: Quota,
    when: WriteState,
    /// Plain writes, which no other call sees yet. Each namespace here has at least one write.
    pub(super) held: HashMap<Namespace, Held>,
    /// The undo data of atomic operations, which every call sees.
    pub(super) undo: Vec<Done>,
    /// The size of `undo` in bytes.
    undo_bytes: usize,
}

/// An operation that has already taken effect.
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

    /// Returns whether there are no writes.
    pub(crate) fn is_clean(&self) -> bool {
        self.held.is_empty() && self.undo.is_empty()
    }

    /// Takes the writes so far as a separate transaction; `None` if there are none.
    pub(crate) fn take(&mut self) -> Option<Self> {
        if self.is_clean() {
            return None;
        }
        let empty = Self::new(self.store.clone(), self.quota, self.when);
        Some(std::mem::replace(self, empty))
    }

    /// Returns the writer to the host's store, if the host has one.
    pub(crate) fn writer(&self) -> Option<Arc<StateWriter>> {
        self.store.writer().cloned()
    }

    pub(crate) fn get(&self, space: &Namespace, key: &str) -> Option<Vec<u8>> {
        if let Some(held) = self.held(space, key) {
            return held.clone();
        }
        self.store.lock().get(space, key).cloned()
    }

    /// Returns the call's own write at a key.
    pub(super) fn held(&self, space: &Namespace, key: &str) -> Option<&Option<Vec<u8>>> {
        self.held.get(space)?.writes().get(key)
    }

    pub(crate) fn keys(&self, space: &Namespace) -> Vec<String> {
        let spaces = self.store.lock();
        let keys = spaces.space(space).keys().cloned().collect();
        drop(spaces);
        self.with_held(space, keys)
    }

    /// Returns the keys with those that the call wrote, and without those that it deleted.
    pub(super) fn with_held(&self, space: &Namespace, mut keys: BTreeSet<String>) -> Vec<String> {
        for (key, value) in self.held.get(space).into_iter().flat_map(Held::writes) {
            match value {
                Some(_) => keys.insert(key.clone()),
                None => keys.remove(key),
            };
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
        let spaces = self.store.lock();
        let held = self.held.entry(space.clone()).or_default();
        held.put(spaces.space(space), key, Some(value));
        Ok(())
    }

    pub(crate) fn delete(&mut self, space: &Namespace, key: String) {
        let spaces = self.store.lock();
        let kept = spaces.space(space);
        if kept.contains(&key) {
            let held = self.held.entry(space.clone()).or_default();
            held.put(kept, key, None);
            return;
        }
        // Removing a key that never existed needs no write.
        if let Some(held) = self.held.get_mut(space) {
            held.remove(&key);
            if held.is_empty() {
                self.held.remove(space);
            }
        }
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

    /// Adds to a value that the call itself overwrote. No other call sees the value before the
    /// commit.
    pub(super) fn increment_held(
        &mut self,
        space: &Namespace,
        key: &str,
        delta: i64,
    ) -> Option<Result<i64, StateFault>> {
        let held = self.held.get_mut(space)?;
        let sum = add(held.writes().get(key)?.as_deref(), delta);
        if let Ok(sum) = sum {
            held.change(key, Some(text(sum)));
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
            if same && new.is_none() {
                self.delete(space, key);
            }
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

    /// Swaps a value that the call itself overwrote; see [`Transaction::increment_held`].
    pub(super) fn swap_held(
        &mut self,
        space: &Namespace,
        key: &str,
        expected: &Option<Vec<u8>>,
        new: &Option<Vec<u8>>,
    ) -> Option<bool> {
        let held = self.held.get_mut(space)?;
        let same = held.writes().get(key)? == expected;
        if same {
            held.change(key, new.clone());
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

    /// Counts the bytes needed to undo an atomic operation. A call may use up to four times the
    /// size limit of a namespace.
    pub(super) fn remember(&mut self, bytes: usize) -> Result<(), StateFault> {
        let total = self.undo_bytes.saturating_add(bytes);
        if total > self.quota.bytes.saturating_mul(4) {
            return Err(StateFault::TooManyBytes(self.quota.bytes));
        }
        self.undo_bytes = total;
        Ok(())
    }

    /// Checks that the store accepts writes after the answer. If the store's last attempt failed,
    /// the call fails, since a crash would lose the call's writes.
    pub(crate) fn check(&self) -> Result<(), StateStoreError> {
        match (self.store.writer(), self.when) {
            (Some(writer), WriteState::AfterAnswer) if self.is_private() => {
                writer.check(self.session().as_deref())
            }
            _ => Ok(()),
        }
    }

    /// Returns the session whose private state the call changed, if it is kept in the store.
    fn session(&self) -> Option<Arc<str>> {
        let held = self.held.iter();
        let held = held.flat_map(|(space, held)| held.writes().keys().map(move |key| (space, key)));
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

    /// Returns whether the store must have the writes before the answer counts.
    pub(crate) fn waits(&self) -> bool {
        let before = self.when == WriteState::BeforeAnswer && self.is_private();
        self.store.writer().is_some() && (before || self.writes_shared())
    }

    fn is_private(&self) -> bool {
        let private = |space: &Namespace| matches!(space, Namespace::Private { .. });
        let done = |done: &Done| matches!(done, Done::Memory { space, .. } if private(space));
        self.held.keys().any(private) || self.undo.iter().any(done)
    }

    fn writes_shared(&self) -> bool {
        let mut spaces = self.held.keys();
        spaces.any(|space| matches!(space, Namespace::Shared(_)))
    }

    /// Commits a call that succeeded: its writes stay.
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
        for (space, held) in self.held.drain() {
            for (key, value) in held.into_writes() {
                spaces.put(&space, &key, value);
            }
        }
    }

    /// Commits a call that succeeded: its writes stay once the store has them. A call that is
    /// cancelled from here on counts as one that succeeded.
    ///
    /// # Errors
    ///
    /// The store failed. No effect of the call remains.
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

    /// Applies the plain writes, and queues the changes for the store.
    fn apply(&mut self, awaited: bool) -> Option<Written> {
        let writer = self.store.writer()?;
        let mut pending = Pending {
            awaited,
            ..Pending::default()
        };
        let mut spaces = self.store.lock();
        for (space, held) in self.held.drain() {
            for (key, value) in held.into_writes() {
                if let Namespace::Shared(namespace) = &space {
                    let namespace = namespace.clone();
                    let key = SharedKey { namespace, key };
                    pending.writes.shared.push((key, value));
                    continue;
                }
                let before = spaces.put(&space, &key, value.clone());
                let after = value;
                let undo = Undo::Put { before, after };
                let space = space.clone();
                self.undo.push(Done::Memory { space, key, undo });
            }
        }
        self.queue(&spaces, &mut pending);
        // Queued before others can write to memory, so that the store gets the values in the same
        // order.
        Some(writer.push(pending))
    }

    /// Queues the private keys that the call changed, with their current values.
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

    /// Rolls back a call that failed: no effect remains.
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
        // Another call may have written to the store a value that is undone in memory.
        if let Some(writer) = self.store.writer() {
            let mut pending = Pending::default();
            self.queue(&spaces, &mut pending);
            writer.push(pending);
        }
        self.undo.clear();
    }

    fn room_for(&mut self, space: &Namespace, key: &str, len: usize) -> Result<(), StateFault> {
        let spaces = self.store.lock();
        let kept = spaces.space(space);
        let others = match self.held.get_mut(space) {
            Some(held) => held.beside(kept, key),
            None => kept.size().minus(kept.size_of(key)),
        };
        self.quota.check_size(others.plus(Size::of(key, len)))
    }

    /// Returns the keys that the call wrote, and the lengths of their values.
    pub(super) fn held_sizes<'a>(
        &'a self,
        space: &'a Namespace,
    ) -> impl Iterator<Item = (&'a str, usize)> {
        let held = self.held.get(space).into_iter().flat_map(Held::writes);
        held.filter_map(|(key, value)| Some((key.as_str(), value.as_ref()?.len())))
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
    /// Undoes all that was not committed.
    fn drop(&mut self) {
        self.roll_back();
    }
}
