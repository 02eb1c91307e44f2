//! `portcullis:hooks/verdict`: what the chain decided.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::ChainVerdict;
use crate::contract::bindings::portcullis::hooks::verdict::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn current(&mut self) -> wasmtime::Result<Option<ChainVerdict>> {
        Ok(self.views().verdict.as_deref().cloned())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    verdict::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.called().current)
}
