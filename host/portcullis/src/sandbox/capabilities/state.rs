//! `portcullis:hooks/state`: the state that a hook keeps for the session.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::{Access, Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::bindings::portcullis::hooks::state::{self, Host, StateError};
use crate::model::reached::Used;
use crate::model::state::{Namespace, Quota, StateFault, StateWriter, Transaction};
use crate::sandbox::component::Setup;
use crate::sandbox::store::CallOwner;

/// A hook's state: its own, and the shared namespaces that it was granted.
pub(crate) struct State {
    pub(super) transaction: Transaction,
    own: Namespace,
    pub(super) granted: Vec<Arc<str>>,
    /// The shared namespaces that the call has used, as bits. All namespaces after the 63rd share
    /// the last bit.
    pub(super) used: u64,
}

impl InstanceState for State {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let Setup { limits, grants, .. } = cx.setup;
        let quota = Quota {
            keys: limits.state_keys,
            bytes: limits.state_bytes,
        };
        let granted = grants.shared_state.iter();
        Self {
            transaction: Transaction::new(cx.states.clone(), quota, cx.setup.write_state),
            own: cx.owner.own.clone(),
            granted: granted.map(|name| Arc::from(name.as_str())).collect(),
            used: 0,
        }
    }

    fn bind(&mut self, owner: &CallOwner) {
        self.own = owner.own.clone();
    }
}

impl State {
    /// Notes the shared namespaces that the call has used.
    pub(crate) fn mark(&mut self, used: &mut Used) {
        for (index, namespace) in self.granted.iter().enumerate() {
            if self.used & bit(index) != 0 {
                used.mark(super::shared_state::KEY, namespace);
            }
        }
        self.used = 0;
    }

    /// Returns whether the call wrote nothing.
    pub(crate) fn is_clean(&self) -> bool {
        self.transaction.is_clean()
    }

    /// Returns the writer of the host's store, if the host has a store.
    pub(super) fn writer(&self) -> Option<Arc<StateWriter>> {
        self.transaction.writer()
    }

    /// Takes the call's writes; `None` if there are none. A dropped transaction undoes itself, so
    /// neither a failed call nor one whose future was dropped leaves anything.
    pub(crate) fn take(&mut self) -> Option<Transaction> {
        self.transaction.take()
    }
}

/// Returns the bit of a namespace.
pub(super) fn bit(index: usize) -> u64 {
    1 << index.min(63)
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

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::switch("state", |grants| grants.state)]),
    access: Access::Change,
    ..Capability::new(
        &["portcullis:hooks/state"],
        "remember things for the session",
        |linker, _| {
            state::add_to_linker::<_, HasSelf<State>>(linker, |store| {
                &mut store.called().capabilities.state
            })
        },
    )
};
