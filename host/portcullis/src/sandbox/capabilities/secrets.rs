//! `portcullis:hooks/secrets`: the secrets that a hook was granted, by name.

use std::sync::Arc;

use wasmtime::component::HasData;

use super::capability::{OpenError, errors, named};
use super::{Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::bindings::portcullis::hooks::secrets::{self, Host};
use crate::model::reached::Used;
use crate::model::secrets::Secrets;

/// The secrets of an instance, and the record of their reads.
struct Reading<'a> {
    secrets: &'a Secrets,
    used: &'a mut Used,
}

struct Readings;

impl HasData for Readings {
    type Data<'a> = Reading<'a>;
}

impl Host for Reading<'_> {
    fn get(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        let secret = self.secrets.get(&name).map(str::to_owned);
        if secret.is_some() {
            self.used.mark(KEY, &name);
        }
        Ok(secret)
    }
}

const KEY: &str = "secrets";

impl InstanceState for Arc<Secrets> {
    fn new(cx: &InstanceContext<'_>) -> Self {
        cx.setup.secrets.clone()
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::list(KEY, "<NAME>", |grants| grants.secrets.clone())]),
    reads: |grants| Some(named(KEY, &grants.secrets)),
    open: |setup, sources| {
        let read = Secrets::read(&setup.grants.secrets, sources.secrets);
        setup.secrets = Arc::new(read.map_err(|e| errors(e, OpenError::Secret))?);
        Ok(())
    },
    notes_use: true,
    ..Capability::new(
        &["portcullis:hooks/secrets"],
        "read the secrets that it was granted by name",
        |linker, _| {
            secrets::add_to_linker::<_, Readings>(linker, |store| {
                let store = store.called();
                Reading {
                    secrets: &store.capabilities.secrets,
                    used: &mut store.used,
                }
            })
        },
    )
};
