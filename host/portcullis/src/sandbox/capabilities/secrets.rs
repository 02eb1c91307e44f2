//! `portcullis:hooks/secrets`: the secrets that a hook was granted, by name.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::capability::{OpenError, errors, named};
use super::{Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::bindings::portcullis::hooks::secrets::{self, Host};
use crate::model::secrets::Secrets;

impl Host for Arc<Secrets> {
    fn get(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        Ok(self.as_ref().get(&name).map(str::to_owned))
    }
}

impl InstanceState for Arc<Secrets> {
    fn new(cx: &InstanceContext<'_>) -> Self {
        cx.setup.secrets.clone()
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::list("secrets", "<NAME>", |grants| {
        grants.secrets.clone()
    })]),
    reads: |grants| Some(named("secrets", &grants.secrets)),
    open: |setup, sources| {
        let read = Secrets::read(&setup.grants.secrets, sources.secrets);
        setup.secrets = Arc::new(read.map_err(|e| errors(e, OpenError::Secret))?);
        Ok(())
    },
    ..Capability::new(
        &["portcullis:hooks/secrets"],
        "read the secrets that it was granted by name",
        |linker, _| {
            secrets::add_to_linker::<_, HasSelf<Arc<Secrets>>>(linker, |store| {
                &mut store.called().capabilities.secrets
            })
        },
    )
};
