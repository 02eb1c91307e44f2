//! `portcullis:hooks/shared-state`: the state that hooks share, by granted namespace.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::capability::named;
use super::state::{State, bit};
use super::{Access, Capability, Key, Permission};
use crate::contract::bindings::portcullis::hooks::shared_state::{self, Host, StateError};
use crate::model::state::Namespace;

impl State {
    fn shared(&mut self, namespace: &str) -> Result<Namespace, StateError> {
        self.granted(namespace).map(Namespace::Shared)
    }

    /// Returns a namespace, if the hook was granted it.
    pub(super) fn granted(&mut self, namespace: &str) -> Result<Arc<str>, StateError> {
        let mut granted = self.granted.iter().enumerate();
        let (index, granted) = granted
            .find(|(_, granted)| ***granted == *namespace)
            .ok_or_else(|| {
                StateError::Denied(format!(
                    "the namespace `{namespace}` is not in this hook's grants.shared-state"
                ))
            })?;
        self.used |= bit(index);
        Ok(granted.clone())
    }
}

/// The key of grants.
pub(super) const KEY: &str = "shared-state";

impl Host for State {
    fn get(
        &mut self,
        namespace: String,
        key: String,
    ) -> wasmtime::Result<Result<Option<Vec<u8>>, StateError>> {
        Ok(self
            .shared(&namespace)
            .map(|space| self.transaction.get(&space, &key)))
    }

    fn set(
        &mut self,
        namespace: String,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), StateError>> {
        Ok(self
            .shared(&namespace)
            .and_then(|space| Ok(self.transaction.set(&space, key, value)?)))
    }

    fn delete(
        &mut self,
        namespace: String,
        key: String,
    ) -> wasmtime::Result<Result<(), StateError>> {
        Ok(self
            .shared(&namespace)
            .map(|space| self.transaction.delete(&space, key)))
    }

    fn keys(&mut self, namespace: String) -> wasmtime::Result<Result<Vec<String>, StateError>> {
        Ok(self
            .shared(&namespace)
            .map(|space| self.transaction.keys(&space)))
    }

    fn increment(
        &mut self,
        namespace: String,
        key: String,
        delta: i64,
    ) -> wasmtime::Result<Result<i64, StateError>> {
        Ok(self
            .shared(&namespace)
            .and_then(|space| Ok(self.transaction.increment(&space, key, delta)?)))
    }

    fn swap(
        &mut self,
        namespace: String,
        key: String,
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    ) -> wasmtime::Result<Result<bool, StateError>> {
        Ok(self
            .shared(&namespace)
            .and_then(|space| Ok(self.transaction.swap(&space, key, expected, new)?)))
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::list(KEY, "<namespace>", |grants| {
        grants.shared_state.clone()
    })]),
    access: Access::Reach,
    sends: |grants| Some(named(KEY, &grants.shared_state)),
    notes_use: true,
    ..Capability::new(
        &["portcullis:hooks/shared-state"],
        "share memory with other hooks, across sessions",
        |linker, _| {
            shared_state::add_to_linker::<_, HasSelf<State>>(linker, |store| {
                &mut store.called().capabilities.state
            })
        },
    )
};
