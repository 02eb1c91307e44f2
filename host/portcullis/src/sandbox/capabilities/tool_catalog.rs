//! `portcullis:hooks/tool-catalog`: the tools that the model is offered.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::ToolSpec;
use crate::contract::bindings::portcullis::hooks::tool_catalog::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn names(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.views().tools.names().map(str::to_owned).collect())
    }

    fn get(&mut self, name: String) -> wasmtime::Result<Option<ToolSpec>> {
        Ok(self.views().tools.get(&name).cloned())
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::ToolCatalog),
    ..Capability::new(
        &["portcullis:hooks/tool-catalog"],
        "read which tools the model is offered",
        |linker, _| {
            tool_catalog::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
