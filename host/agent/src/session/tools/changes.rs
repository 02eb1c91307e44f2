//! A tool's changes of the agent's state, and the `state-changed` hooks.

use std::sync::Arc;

use portcullis::contract::ToolCall;
use portcullis::points::StateChanged;
use portcullis::points::state_changed::StateChange;
use portcullis::session::AgentState;
use serde_json::{Map, Value, json};

use crate::events::AgentEvent;
use crate::exchange::TurnError;
use crate::session::state::SessionState;

/// Applies a tool's changes, and reports those that change something.
pub(super) async fn apply(
    session: &mut SessionState,
    call: &ToolCall,
    changes: Vec<(String, Option<Value>)>,
) -> Result<(), TurnError> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut values = session.views.state.values.clone();
    let mut diff = Map::new();
    for (key, value) in changes {
        let before = values.get(&key).cloned();
        if before == value {
            continue;
        }
        diff.insert(key.clone(), json!([before, value]));
        match value {
            Some(value) => values.insert(key, value),
            None => values.remove(&key),
        };
    }
    if diff.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = diff.keys().cloned().collect();
    session.views.state = Arc::new(AgentState {
        values: values.clone(),
        ..AgentState::default()
    });
    session.emit(|| AgentEvent::StateChanged {
        tool: call.name.clone(),
        keys: keys.clone(),
    });
    if !session.hooks.serves::<StateChanged>() {
        return Ok(());
    }
    let change = StateChange {
        tool: call.name.clone(),
        call_id: call.id.clone(),
        keys,
    };
    let changed = Arc::new(AgentState { values, diff });
    session
        .notify::<StateChanged>(change, |views| views.state = changed)
        .await
}
