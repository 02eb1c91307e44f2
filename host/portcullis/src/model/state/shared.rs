//! Shared state in the store. Every operation is an operation of the store.

use std::collections::HashMap;
use std::sync::Arc;

use super::held::Held;
use super::ledger::Ledger;
use super::memory::Space;
use super::number::{LONGEST_NUMBER, add, number, text};
use super::quota::Size;
use super::transaction::{Done, Transaction};
use super::undo::Undo;
use super::writer::StateWriter;
use super::{Current, Edit, Namespace, Quota, SharedKey, StateFault, StateStoreError};

/// The result of an operation, if the store did not fail.
pub(crate) type Stored<T> = Result<Result<T, StateFault>, StateStoreError>;

/// An atomic operation on a key of the store.
struct Operation {
    key: SharedKey,
    change: Change,
    quota: Quota,
    /// The keys that the call wrote, and the lengths of their values; `None` for deleted keys.
    held: HashMap<String, Option<usize>>,
}

enum Change {
    Add(i64),
    Swap {
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    },
}

impl Transaction {
    pub(crate) async fn get_stored(
        &self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: &str,
    ) -> Result<Option<Vec<u8>>, StateStoreError> {
        if let Some(held) = self.held(&Namespace::Shared(namespace.clone()), key) {
            return Ok(held.clone());
        }
        writer.settle().await?;
        writer.store.get(namespace, key).await
    }

    pub(crate) async fn keys_stored(
        &self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
    ) -> Result<Vec<String>, StateStoreError> {
        writer.settle().await?;
        let sizes = writer.store.sizes(namespace).await?;
        let space = Namespace::Shared(namespace.clone());
        Ok(self.with_held(&space, sizes.into_keys().collect()))
    }

    pub(crate) async fn set_stored(
        &mut self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: String,
        value: Vec<u8>,
    ) -> Stored<()> {
        let room = self.room_stored(writer, namespace, &key, value.len());
        if let Err(fault) = room.await? {
            return Ok(Err(fault));
        }
        self.hold_stored(namespace, key, Some(value));
        Ok(Ok(()))
    }

    pub(crate) fn delete_stored(
        &mut self,
        namespace: &Arc<str>,
        key: String,
    ) -> Result<(), StateFault> {
        let space = Namespace::Shared(namespace.clone());
        self.room_to_delete(&space, &key)?;
        self.hold_stored(namespace, key, None);
        Ok(())
    }

    fn hold_stored(&mut self, namespace: &Arc<str>, key: String, value: Option<Vec<u8>>) {
        let space = Namespace::Shared(namespace.clone());
        let held = self.held.entry(space).or_default();
        // Memory contains nothing of the namespace.
        held.put(&Space::default(), key, value);
    }

    /// Checks that one more key may be deleted. A key that the store does not have is also held
    /// until the call ends, so a call may delete as much as a namespace may hold.
    fn room_to_delete(&self, space: &Namespace, key: &str) -> Result<(), StateFault> {
        let held = self.held.get(space);
        let deleted = held.map_or(Size::default(), |held| held.deleted_beside(key));
        self.quota.check_size(deleted.plus(Size::of(key, 0)))
    }

    pub(crate) async fn increment_stored(
        &mut self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: String,
        delta: i64,
    ) -> Stored<i64> {
        let space = Namespace::Shared(namespace.clone());
        if self.held(&space, &key).is_some() {
            let room = self.room_stored(writer, namespace, &key, LONGEST_NUMBER);
            if let Err(fault) = room.await? {
                return Ok(Err(fault));
            }
        }
        if let Some(sum) = self.increment_held(&space, &key, delta) {
            return Ok(sum);
        }
        if let Err(fault) = self.remember(key.len() + LONGEST_NUMBER) {
            return Ok(Err(fault));
        }
        let done = self.operate(writer, namespace, key, Change::Add(delta));
        Ok(done.await?.and_then(|edit| match edit {
            Edit::Put(value) => number(Some(&value)),
            Edit::Keep | Edit::Delete => Err(StateFault::NotANumber),
        }))
    }

    pub(crate) async fn swap_stored(
        &mut self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: String,
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    ) -> Stored<bool> {
        let space = Namespace::Shared(namespace.clone());
        let size = new.as_ref().map_or(0, Vec::len);
        if self.held(&space, &key).is_some() {
            let room = self.room_stored(writer, namespace, &key, size);
            if let Err(fault) = room.await? {
                return Ok(Err(fault));
            }
            if new.is_none()
                && let Err(fault) = self.room_to_delete(&space, &key)
            {
                return Ok(Err(fault));
            }
        }
        if let Some(same) = self.swap_held(&space, &key, &expected, &new) {
            return Ok(Ok(same));
        }
        let bytes = key.len() + size + expected.as_ref().map_or(0, Vec::len);
        if let Err(fault) = self.remember(bytes) {
            return Ok(Err(fault));
        }
        let swap = Change::Swap { expected, new };
        let done = self.operate(writer, namespace, key, swap).await?;
        Ok(done.map(|edit| edit != Edit::Keep))
    }

    async fn room_stored(
        &self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: &str,
        len: usize,
    ) -> Stored<()> {
        let sizes = writer.store.sizes(namespace).await?;
        let space = Namespace::Shared(namespace.clone());
        let kept = sizes.iter().map(|(key, len)| (key.as_str(), *len));
        let kept = kept.filter(|(key, _)| self.held(&space, key).is_none());
        let others = kept.chain(self.held_sizes(&space));
        Ok(self.quota.check(key, len, others))
    }

    /// Runs an operation in its own task, so that it ends even if the call is dropped.
    async fn operate(
        &mut self,
        writer: &Arc<StateWriter>,
        namespace: &Arc<str>,
        key: String,
        change: Change,
    ) -> Stored<Edit> {
        let space = Namespace::Shared(namespace.clone());
        let held = self.held.get(&space).into_iter().flat_map(Held::writes);
        let held = held.map(|(key, value)| (key.clone(), value.as_ref().map(Vec::len)));
        let operation = Operation {
            key: SharedKey {
                namespace: namespace.clone(),
                key,
            },
            change,
            quota: self.quota,
            held: held.collect(),
        };
        let (writer, ledger) = (writer.clone(), self.ledger(writer));
        let task = tokio::spawn(async move { operation.run(&writer, &ledger).await });
        let panicked = |_| Err(StateStoreError::new("the store's code panicked"));
        task.await.unwrap_or_else(panicked)
    }

    /// Returns the ledger of the call's operations.
    fn ledger(&mut self, writer: &Arc<StateWriter>) -> Arc<Ledger> {
        for done in &self.undo {
            if let Done::Store(ledger) = done {
                return ledger.clone();
            }
        }
        let ledger = Arc::new(Ledger::new(writer.clone()));
        self.undo.push(Done::Store(ledger.clone()));
        ledger
    }
}

impl Operation {
    async fn run(self, writer: &Arc<StateWriter>, ledger: &Ledger) -> Stored<Edit> {
        writer.settle().await?;
        let operation = Arc::new(self);
        let edit = {
            let operation = operation.clone();
            move |current: &Current| match operation.on(current) {
                Ok(Some((edit, _))) => edit,
                Ok(None) | Err(_) => Edit::Keep,
            }
        };
        let SharedKey { namespace, key } = &operation.key;
        let current = writer.store.update(namespace, key, Arc::new(edit)).await?;
        Ok(operation.on(&current).map(|done| match done {
            Some((edit, undo)) => {
                ledger.record(operation.key.clone(), undo);
                edit
            }
            None => Edit::Keep,
        }))
    }

    /// Returns the edit of a key, and its undo; `None` if the key stays as it is.
    fn on(&self, current: &Current) -> Result<Option<(Edit, Undo)>, StateFault> {
        let value = current.value.as_deref();
        match &self.change {
            Change::Add(delta) => {
                self.room(current, LONGEST_NUMBER)?;
                let sum = add(value, *delta)?;
                let undo = Undo::Add {
                    delta: *delta,
                    created: value.is_none(),
                };
                Ok(Some((Edit::Put(text(sum)), undo)))
            }
            Change::Swap { expected, new } => {
                self.room(current, new.as_ref().map_or(0, Vec::len))?;
                if value != expected.as_deref() {
                    return Ok(None);
                }
                let undo = Undo::Put {
                    before: expected.clone(),
                    after: new.clone(),
                };
                Ok(Some((new.clone().into(), undo)))
            }
        }
    }

    fn room(&self, current: &Current, len: usize) -> Result<(), StateFault> {
        let kept = current.sizes.iter().map(|(key, len)| (key.as_str(), *len));
        let kept = kept.filter(|(key, _)| !self.held.contains_key(*key));
        let own = self.held.iter();
        let own = own.filter_map(|(key, len)| Some((key.as_str(), (*len)?)));
        self.quota.check(&self.key.key, len, kept.chain(own))
    }
}
