//! `portcullis:hooks/tool-data`: arguments and output of the current tool call.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::bindings::portcullis::hooks::tool_data::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn input(&mut self) -> wasmtime::Result<String> {
        Ok(self.views().tool_arguments.to_string())
    }

    fn output(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.views().tool_output.as_deref().map(str::to_owned))
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    tool_data::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.called().current)
}
