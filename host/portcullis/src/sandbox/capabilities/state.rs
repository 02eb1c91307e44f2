//! `portcullis:hooks/state`: what a hook remembers for the session.

use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker};

use crate::contract::bindings::portcullis::hooks::state::{self, Host, StateError};
use crate::model::state::{Namespace, StateFault, Transaction};
use crate::sandbox::store::HookStore;

/// A hook's state: its own, and the shared namespaces that it was granted.
pub(crate) struct State {
    pub(super) transaction: Transaction,
    own: Namespace,
    pub(super) granted: Arc<[Arc<str>]>,
}

impl State {
    pub(crate) fn new(transaction: Transaction, own: Namespace, granted: Arc<[Arc<str>]>) -> Self {
        Self {
            transaction,
            own,
            granted,
        }
    }

    /// Its own state is that one from now on.
    pub(crate) fn remember_for(&mut self, own: Namespace) {
        self.own = own;
    }

    /// Whether the call wrote nothing.
    pub(crate) fn is_clean(&self) -> bool {
        self.transaction.is_clean()
    }

    /// What the call wrote; nothing if it wrote nothing. A transaction that is dropped undoes
    /// itself, so neither a failed call nor one whose future was dropped leaves anything.
    pub(crate) fn take(&mut self) -> Option<Transaction> {
        self.transaction.take()
    }
}

impl From<StateFault> for StateError {
    fn from(fault: StateFault) -> Self {
        match fault {
            StateFault::TooManyKeys(most) => Self::Full(format!("at most {most} keys")),
            StateFault::TooManyBytes(most) => Self::Full(format!("at most {most} bytes")),
            StateFault::NotANumber => Self::NotANumber,
        }
    }
}

impl Host for State {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<Vec<u8>>> {
        Ok(self.transaction.get(&self.own, &key))
    }

    fn set(&mut self, key: String, value: Vec<u8>) -> wasmtime::Result<Result<(), StateError>> {
        Ok(self
            .transaction
            .set(&self.own, key, value)
            .map_err(Into::into))
    }

    fn delete(&mut self, key: String) -> wasmtime::Result<()> {
        self.transaction.delete(&self.own, key);
        Ok(())
    }

    fn keys(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.transaction.keys(&self.own))
    }

    fn increment(&mut self, key: String, delta: i64) -> wasmtime::Result<Result<i64, StateError>> {
        Ok(self
            .transaction
            .increment(&self.own, key, delta)
            .map_err(Into::into))
    }

    fn swap(
        &mut self,
        key: String,
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    ) -> wasmtime::Result<Result<bool, StateError>> {
        Ok(self
            .transaction
            .swap(&self.own, key, expected, new)
            .map_err(Into::into))
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    state::add_to_linker::<_, HasSelf<State>>(linker, |store| &mut store.called().state)
}
