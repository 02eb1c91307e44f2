//! `portcullis:hooks/tool-data`: arguments and output of the current tool call.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::bindings::portcullis::hooks::tool_data::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn input(&mut self) -> wasmtime::Result<String> {
        Ok(self.views().tool_arguments.to_string())
    }

    fn output(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.views().tool_output.as_deref().map(str::to_owned))
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::ToolData),
    reads: |_| Some(View::ToolData.name().to_owned()),
    ..Capability::new(
        &["portcullis:hooks/tool-data"],
        "read a tool call's arguments and output",
        |linker, _| {
            tool_data::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
