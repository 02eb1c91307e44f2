//! `portcullis:hooks/events`: events for the agent's subscribers.

use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::portcullis::hooks::events::{self, Host};
use crate::hook::HookId;
use crate::secrets::Secrets;
use crate::sink::{HookEvent, HookSink};
use crate::store::HookStore;

/// The most bytes of events in one call. What is more is left out, and the log says so.
const MOST_BYTES: usize = 64 << 10;

/// What an event weighs beside its own bytes.
const OVERHEAD: usize = 64;

/// The events of a call, held back until its answer is taken.
pub(crate) struct Events {
    hook: HookId,
    session: Arc<str>,
    sink: Arc<dyn HookSink>,
    held: Vec<HookEvent>,
    left: usize,
    secrets: Arc<Secrets>,
}

impl Events {
    pub(crate) fn new(
        hook: HookId,
        session: Arc<str>,
        sink: Arc<dyn HookSink>,
        secrets: Arc<Secrets>,
    ) -> Self {
        Self {
            secrets,
            hook,
            session,
            sink,
            held: Vec::new(),
            left: MOST_BYTES,
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.left == MOST_BYTES
    }

    /// The events of the call.
    pub(crate) fn take(&mut self) -> Vec<HookEvent> {
        self.left = MOST_BYTES;
        std::mem::take(&mut self.held)
    }

    pub(crate) fn sink(&self) -> Arc<dyn HookSink> {
        self.sink.clone()
    }
}

impl Host for Events {
    fn emit(&mut self, name: String, data: String) -> wasmtime::Result<()> {
        let size = name.len() + data.len() + OVERHEAD;
        if size > self.left {
            if self.left > 0 {
                tracing::warn!(hook = %self.hook, "more than {MOST_BYTES} bytes of events in one call");
            }
            self.left = 0;
            return Ok(());
        }
        self.left -= size;
        // What is not JSON is passed on as text, so that nothing is lost.
        let data = serde_json::from_str(&data).unwrap_or(serde_json::Value::String(data));
        self.held.push(HookEvent {
            hook: self.hook.clone(),
            session: self.session.to_string(),
            turn: 0,
            step: 0,
            name: self.secrets.redact(&name).into_owned(),
            data: self.secrets.redact_json(data),
        });
        Ok(())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    events::add_to_linker::<_, HasSelf<Events>>(linker, |store| &mut store.events)
}
