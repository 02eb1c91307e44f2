//! `portcullis:hooks/agent-state`: what tools and the embedder keep.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::bindings::portcullis::hooks::agent_state::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<String>> {
        Ok(self.views().state.values.get(&key).map(ToString::to_string))
    }

    fn diff(&mut self) -> wasmtime::Result<String> {
        Ok(serde_json::to_string(&self.views().state.diff)?)
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    agent_state::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
        &mut store.called().current
    })
}
