//! `portcullis:hooks/call`: the session, the turn and the step of the current call.

use wasmtime::component::HasSelf;

use super::Capability;
use crate::contract::Context;
use crate::contract::bindings::portcullis::hooks::call::{self, Host};
use crate::model::current::CurrentCall;

impl Host for CurrentCall {
    fn session_id(&mut self) -> wasmtime::Result<String> {
        Ok(self.context_now()?.session_id.clone())
    }

    fn agent(&mut self) -> wasmtime::Result<String> {
        Ok(self.context_now()?.agent.clone())
    }

    fn turn(&mut self) -> wasmtime::Result<u32> {
        Ok(self.context_now()?.turn)
    }

    fn step(&mut self) -> wasmtime::Result<u32> {
        Ok(self.context_now()?.step)
    }

    fn context(&mut self) -> wasmtime::Result<Context> {
        Ok(self.context_now()?.clone())
    }
}

pub(super) const CAPABILITY: Capability = Capability::new(
    &["portcullis:hooks/call"],
    "read the session's id, the agent's name, the turn and the step",
    |linker, _| {
        call::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.called().current)
    },
);
