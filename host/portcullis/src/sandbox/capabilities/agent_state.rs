//! `portcullis:hooks/agent-state`: the state that tools, hooks and the embedder keep.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::bindings::portcullis::hooks::agent_state::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn get(&mut self, key: String) -> wasmtime::Result<Option<String>> {
        Ok(self.views().state.values.get(&key).map(ToString::to_string))
    }

    fn diff(&mut self) -> wasmtime::Result<String> {
        Ok(serde_json::to_string(&self.views().state.diff)?)
    }

    fn changed_by(&mut self) -> wasmtime::Result<Option<String>> {
        let by = self.views().state.changed_by.as_ref();
        Ok(by.map(ToString::to_string))
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::AgentState),
    ..Capability::new(
        &["portcullis:hooks/agent-state"],
        "read what tools and hooks keep in the agent's state",
        |linker, _| {
            agent_state::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
