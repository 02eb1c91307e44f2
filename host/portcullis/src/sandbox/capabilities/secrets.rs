//! `portcullis:hooks/secrets`: the secrets that a hook was granted, by name.

use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker};

use crate::contract::bindings::portcullis::hooks::secrets::{self, Host};
use crate::model::secrets::Secrets;
use crate::sandbox::store::HookStore;

impl Host for Arc<Secrets> {
    fn get(&mut self, name: String) -> wasmtime::Result<Option<String>> {
        Ok(self.as_ref().get(&name).map(str::to_owned))
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    secrets::add_to_linker::<_, HasSelf<Arc<Secrets>>>(linker, |store| &mut store.called().secrets)
}
