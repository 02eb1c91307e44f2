//! `portcullis:hooks/tool-catalog`: the tools that the model is offered.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::ToolSpec;
use crate::contract::bindings::portcullis::hooks::tool_catalog::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn names(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.views().tools.names().map(str::to_owned).collect())
    }

    fn get(&mut self, name: String) -> wasmtime::Result<Option<ToolSpec>> {
        Ok(self.views().tools.get(&name).cloned())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    tool_catalog::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
        &mut store.called().current
    })
}
