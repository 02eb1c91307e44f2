//! `portcullis:hooks/events`: events for the agent's subscribers.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::{Access, Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::bindings::portcullis::hooks::events::{self, Host};
use crate::model::hook::HookId;
use crate::model::secrets::Secrets;
use crate::model::sink::{HookEvent, HookObserver};
use crate::sandbox::store::CallOwner;

/// The size of an event in addition to its own bytes.
const OVERHEAD: usize = 64;

/// The events of a call, held until its answer is accepted.
pub(crate) struct Events {
    hook: HookId,
    session: Arc<str>,
    sink: Arc<dyn HookObserver>,
    held: Vec<HookEvent>,
    /// The most bytes in one call. Events beyond this limit are dropped, with a log line.
    most: usize,
    left: usize,
    secrets: Arc<Secrets>,
}

impl InstanceState for Events {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let most = cx.setup.limits.event_bytes;
        Self {
            hook: cx.setup.id.clone(),
            session: cx.owner.session.clone(),
            sink: cx.owner.sink.clone(),
            held: Vec::new(),
            most,
            left: most,
            secrets: cx.setup.secrets.clone(),
        }
    }

    fn bind(&mut self, owner: &CallOwner) {
        self.session = owner.session.clone();
        self.sink = owner.sink.clone();
    }
}

impl Events {
    /// Returns whether there are no events.
    pub(crate) fn is_empty(&self) -> bool {
        self.left == self.most
    }

    /// Takes the events of the call.
    pub(crate) fn take(&mut self) -> Vec<HookEvent> {
        self.left = self.most;
        std::mem::take(&mut self.held)
    }

    pub(crate) fn sink(&self) -> Arc<dyn HookObserver> {
        self.sink.clone()
    }
}

impl Host for Events {
    fn emit(&mut self, name: String, data: String) -> wasmtime::Result<()> {
        let size = name.len() + data.len() + OVERHEAD;
        if size > self.left {
            if self.left > 0 {
                tracing::warn!(
                    hook = %self.hook,
                    "more than {} bytes of events in one call; the rest is left out",
                    self.most
                );
            }
            self.left = 0;
            return Ok(());
        }
        self.left -= size;
        // Data that is not JSON is passed on as text, so that nothing is lost.
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

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::switch("events", |grants| grants.events)]),
    access: Access::Reach,
    sends: |_| Some("events".to_owned()),
    ..Capability::new(
        &["portcullis:hooks/events"],
        "send events to the agent's subscribers",
        |linker, _| {
            events::add_to_linker::<_, HasSelf<Events>>(linker, |store| {
                &mut store.called().capabilities.events
            })
        },
    )
};
