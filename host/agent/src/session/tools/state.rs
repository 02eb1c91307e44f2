//! What a tool changed in the agent's state: taken over, and told of.

use std::sync::Arc;

use portcullis::AgentState;
use portcullis::contract::ToolCall;
use portcullis::points::StateChanged;
use portcullis::points::state_changed::StateChange;
use serde_json::{Map, Value, json};

use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::session::running::Running;

impl Running {
    /// Takes a tool's changes over, and tells of those that change something.
    pub(super) async fn change_state(
        &mut self,
        call: &ToolCall,
        changes: Vec<(String, Option<Value>)>,
    ) -> Result<(), TurnError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut values = self.views.state.values.clone();
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
        let changed = AgentState { values, diff };
        self.views.state = Arc::new(AgentState {
            values: changed.values.clone(),
            diff: Map::new(),
        });
        self.emit(|| AgentEvent::StateChanged {
            tool: call.name.clone(),
            keys: keys.clone(),
        });
        if !self.hooks.serves::<StateChanged>() {
            return Ok(());
        }
        let change = StateChange {
            tool: call.name.clone(),
            call_id: call.id.clone(),
            keys,
        };
        let conversation = self.conversation.clone();
        self.hear::<StateChanged>(change, |views| {
            views.state = Arc::new(changed);
            views.conversation = conversation;
        })
        .await
    }
}
