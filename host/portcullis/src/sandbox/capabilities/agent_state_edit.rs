//! `portcullis:hooks/agent-state-edit`: changes of the agent's state, by granted key.

use serde_json::Value;
use wasmtime::component::HasSelf;

use super::capability::named;
use super::{Access, Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::HookRole;
use crate::contract::bindings::portcullis::hooks::agent_state_edit::{self, EditError, Host};
use crate::contract::text::sanitize_for_terminal;
use crate::model::points::PointId;
use crate::model::state::Quota;
use crate::model::state_edits::{EditFault, HeldEdits};
use crate::sandbox::store::HookStore;

/// The key of grants.
const KEY: &str = "agent-state-edit";

/// `None` for hooks that were not granted keys.
impl InstanceState for Option<Box<HeldEdits>> {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let (grants, limits) = (&cx.setup.grants, &cx.setup.limits);
        let quota = Quota {
            keys: limits.state_keys,
            bytes: limits.state_bytes,
        };
        let granted = &grants.agent_state_edit;
        (!granted.is_empty()).then(|| Box::new(HeldEdits::new(granted.clone(), quota)))
    }
}

/// Returns the reason why nothing can be changed at a point.
fn denied(point: PointId) -> Option<&'static str> {
    match point {
        PointId::StateChanged => Some("the point would fire again"),
        PointId::TurnSuspended | PointId::SessionEnd => Some("it is saved already"),
        PointId::WorkspaceOpened
        | PointId::WorkspaceClosed
        | PointId::WorkspaceEvicted
        | PointId::WorkspaceEvictionRetried
        | PointId::WorkspaceSnapshotted => Some("a workspace has none"),
        _ => None,
    }
}

impl HookStore {
    fn edit(
        &mut self,
        key: String,
        value: Option<Value>,
    ) -> wasmtime::Result<Result<(), EditError>> {
        let point = self.current.point_now()?;
        if let Some(why) = denied(point) {
            let text = format!("the agent's state cannot be changed at `{point}`: {why}");
            return Ok(Err(EditError::Denied(text)));
        }
        let printable = sanitize_for_terminal(&key);
        let values = &self.current.views().state.values;
        let edited = match &mut self.capabilities.edits {
            Some(edits) => {
                if let Some(entry) = edits.entry(&key) {
                    self.used.mark(KEY, entry);
                }
                edits.edit(values, key, value)
            }
            None => Err(EditFault::NotGranted),
        };
        Ok(edited.map_err(|fault| match fault {
            EditFault::NotGranted => EditError::Denied(format!(
                "the key `{printable}` is not in this hook's grants.agent-state-edit"
            )),
            EditFault::BadKey => {
                EditError::Invalid("the key is empty or has control characters".to_owned())
            }
            EditFault::TooManyKeys(most) => EditError::Full(format!("at most {most} keys")),
            EditFault::TooManyBytes(most) => EditError::Full(format!("at most {most} bytes")),
        }))
    }
}

impl Host for HookStore {
    fn set(&mut self, key: String, value: String) -> wasmtime::Result<Result<(), EditError>> {
        match serde_json::from_str(&value) {
            Ok(Value::Null) => self.edit(key, None),
            Ok(value) => self.edit(key, Some(value)),
            Err(error) => Ok(Err(EditError::Invalid(format!(
                "the value is not JSON: {error}"
            )))),
        }
    }

    fn remove(&mut self, key: String) -> wasmtime::Result<Result<(), EditError>> {
        self.edit(key, None)
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::list(KEY, "<key>", |grants| {
        grants.agent_state_edit.clone()
    })]),
    access: Access::Change,
    role: HookRole::Transform,
    // Any reader of the state can pass it on.
    sends: |grants| Some(named(KEY, &grants.agent_state_edit)),
    notes_use: true,
    ..Capability::new(
        &["portcullis:hooks/agent-state-edit"],
        "change keys of the agent's state",
        |linker, _| {
            agent_state_edit::add_to_linker::<_, HasSelf<HookStore>>(linker, HookStore::called)
        },
    )
};
