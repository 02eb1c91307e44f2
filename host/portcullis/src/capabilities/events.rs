//! `portcullis:hooks/events`: events for the agent's subscribers.

use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::portcullis::hooks::events::{self, Host};
use crate::hook::HookId;
use crate::sink::{HookEvent, HookSink};
use crate::store::HookStore;

/// The events of a call, held back until it succeeds.
pub(crate) struct Events {
    hook: HookId,
    session: Arc<str>,
    sink: Arc<dyn HookSink>,
    held: Vec<HookEvent>,
}

impl Events {
    pub(crate) fn new(hook: HookId, session: Arc<str>, sink: Arc<dyn HookSink>) -> Self {
        Self {
            hook,
            session,
            sink,
            held: Vec::new(),
        }
    }

    pub(crate) fn commit(&mut self) {
        for event in self.held.drain(..) {
            self.sink.event(event);
        }
    }

    pub(crate) fn roll_back(&mut self) {
        self.held.clear();
    }
}

impl Host for Events {
    fn emit(&mut self, name: String, data: String) -> wasmtime::Result<()> {
        // What is not JSON is passed on as text, so that nothing is lost.
        let data = serde_json::from_str(&data).unwrap_or(serde_json::Value::String(data));
        self.held.push(HookEvent {
            hook: self.hook.clone(),
            session: self.session.to_string(),
            name,
            data,
        });
        Ok(())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    events::add_to_linker::<_, HasSelf<Events>>(linker, |store| &mut store.events)
}
