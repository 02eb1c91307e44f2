//! Changes of the agent's state by tools and hooks, and the `state-changed` hooks.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::contract::ToolCall;
use portcullis::points::StateChanged;
use portcullis::points::state_changed::StateChange;
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::session::{AgentState, StateEdits};
use portcullis::verdict::HookFailed;
use portcullis::{Decision, HookId};

use crate::events::AgentEvent;
use crate::session::state::{SessionState, StateChanges};

/// The author of a change to the agent's state.
pub(crate) enum ChangedBy<'a> {
    /// The tool of this call.
    Tool(&'a ToolCall),
    /// A hook.
    Hook(&'a HookId),
}

impl SessionState {
    /// Changes the agent's state, and reports the changes.
    ///
    /// # Errors
    ///
    /// A `state-changed` hook that fails closed failed.
    pub(crate) async fn change_state(
        &self,
        by: ChangedBy<'_>,
        changes: StateChanges,
    ) -> Result<(), HookFailed> {
        if changes.is_empty() {
            return Ok(());
        }
        let Some(changed) = self.state.change(changes) else {
            return Ok(());
        };
        let keys: Vec<String> = changed.diff.keys().cloned().collect();
        let (tool, hook) = match by {
            ChangedBy::Tool(call) => (Some(call), None),
            ChangedBy::Hook(hook) => (None, Some(hook)),
        };
        self.emit(|| AgentEvent::StateChanged {
            tool: tool.map(|call| call.name.clone()),
            hook: hook.map(ToString::to_string),
            keys: keys.clone(),
        });
        if !self.hooks.serves::<StateChanged>() {
            return Ok(());
        }
        let change = StateChange {
            tool: tool.map(|call| call.name.clone()).unwrap_or_default(),
            call_id: tool.map(|call| call.id.clone()).unwrap_or_default(),
            keys,
        };
        let changed = Arc::new(AgentState {
            changed_by: hook.cloned(),
            ..changed
        });
        let fired = self
            .ask::<StateChanged>(change, |views| views.state = changed)
            .await;
        match fired.decision {
            Decision::Failed(failed) => Err(failed),
            _ => Ok(()),
        }
    }

    /// Applies the hooks' changes, in order. Boxed, because it runs a point's hooks.
    ///
    /// # Errors
    ///
    /// The first failure of [`Self::change_state`]. All changes are applied.
    pub(super) fn apply_edits(
        &self,
        edits: Vec<(HookId, StateEdits)>,
    ) -> BoxFuture<'_, Result<(), HookFailed>> {
        async move {
            let mut result = Ok(());
            for (hook, edits) in edits {
                let changes = edits.into_iter().collect();
                let changed = self.change_state(ChangedBy::Hook(&hook), changes).await;
                result = result.and(changed);
            }
            result
        }
        .boxed()
    }
}

/// Removes the hooks' changes of the agent's state from their outputs, and returns the changes.
pub(super) fn take_edits(outputs: &mut Vec<Contributed<SideOutput>>) -> Vec<(HookId, StateEdits)> {
    let edits = outputs.extract_if(.., |output| {
        matches!(output.value, SideOutput::StateEdits(_))
    });
    edits
        .filter_map(|output| match output.value {
            SideOutput::StateEdits(edits) => Some((output.by, edits)),
            SideOutput::Note(_) | SideOutput::Job(_) => None,
        })
        .collect()
}
