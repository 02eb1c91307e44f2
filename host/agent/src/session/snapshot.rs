//! What a checkpoint holds of a turn.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use portcullis::PrivateState;
use portcullis::contract::{ContentPart, Message, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::running::{OpenTurn, Running};
use super::suspend::Waiting;
use super::tools::{WaitingCall, Wants};
use super::turn_prompt::TurnPrompt;
use crate::checkpoint::CheckpointId;
use crate::suspension::{PendingCall, Question, Resolution, Wanted};

/// The version of the checkpoints that this code writes.
const VERSION: u32 = 1;

/// All that a suspended turn needs to go on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Snapshot {
    version: u32,
    pub(super) user: Option<String>,
    pub(super) working_dir: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) workspace: Option<String>,
    pub(super) metadata: Vec<(String, String)>,
    pub(super) state: Map<String, Value>,
    pub(super) session: String,
    pub(super) turn: u32,
    pub(super) step: u32,
    pub(super) conversation: Vec<Message>,
    pub(super) said: Vec<ContentPart>,
    pub(super) usage: Usage,
    pub(super) turn_usage: Usage,
    pub(super) open_turn: OpenTurn,
    pub(super) prompt: TurnPrompt,
    pub(super) waiting: Waiting,
    pub(super) hooks: Vec<PrivateState>,
    /// What the user said that was not taken up.
    pub(super) steering: VecDeque<String>,
    /// How many agents are above.
    pub(super) depth: usize,
    pub(super) saved_ms: u64,
}

impl Running {
    /// What is kept of the turn. What the user said and was not taken up is moved there.
    pub(super) fn snapshot(&self, waiting: Waiting, said: &Arc<Vec<ContentPart>>) -> Snapshot {
        let session = &self.views.session;
        let open_turn = self.open_turn.clone();
        let mut open_turn =
            open_turn.unwrap_or_else(|| OpenTurn::new(&self.conversation, Map::new()));
        open_turn.before = open_turn.elapsed();
        Snapshot {
            version: VERSION,
            user: session.user.clone(),
            working_dir: session.working_dir.clone(),
            parent: session.parent.clone(),
            workspace: self.wants_workspace.clone(),
            metadata: session.metadata.clone(),
            state: self.views.state.values.clone(),
            session: self.id().to_owned(),
            turn: self.place.turn,
            step: self.place.step,
            conversation: self.conversation.to_vec(),
            said: said.to_vec(),
            usage: self.usage,
            turn_usage: self.turn_usage,
            open_turn,
            prompt: self.prompt.clone(),
            waiting,
            hooks: self.hooks.private_state(),
            steering: self.steering.take(),
            depth: self.family.parents.len(),
            saved_ms: crate::clock::now_ms(),
        }
    }
}

impl Snapshot {
    /// Reads a checkpoint's data.
    pub(super) fn read(data: Value) -> Result<Self, String> {
        let version = data.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            return Err(format!(
                "it is of version {}, and this host reads version {VERSION}",
                version.map_or_else(|| "none".to_owned(), |v| v.to_string())
            ));
        }
        serde_json::from_value(data).map_err(|e| e.to_string())
    }

    /// How many agents are above.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The checkpoints of the sub-agents it waits for.
    pub(super) fn children(&self) -> Vec<CheckpointId> {
        self.waiting.tools.children()
    }

    /// Says what is wrong with these resolutions.
    pub(super) fn check(&self, resolutions: &BTreeMap<String, Resolution>) -> Result<(), String> {
        let pending: Vec<PendingCall> = self
            .waiting
            .tools
            .waiting()
            .flat_map(pending_calls)
            .collect();
        for (id, resolution) in resolutions {
            let Some(call) = pending.iter().find(|call| call.call_id == *id) else {
                let waiting: Vec<&str> = pending.iter().map(|c| c.call_id.as_str()).collect();
                return Err(format!(
                    "no call `{id}` waits; those that do are: {}",
                    waiting.join(", ")
                ));
            };
            match (&call.wants, resolution) {
                (Wanted::Decision { .. }, Resolution::Decision(_))
                | (Wanted::Result, Resolution::Result(_)) => {}
                (Wanted::Decision { .. }, _) => {
                    return Err(format!(
                        "call `{id}` waits for a decision, not for a result"
                    ));
                }
                (Wanted::Result, _) => {
                    return Err(format!(
                        "call `{id}` waits for a result, not for a decision"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// What a waiting call waits for, as the embedder is told.
pub(super) fn pending_calls(waiting: &WaitingCall) -> Vec<PendingCall> {
    let one = |wants| PendingCall {
        call_id: waiting.call.id.clone(),
        tool: waiting.call.name.clone(),
        arguments: waiting.arguments.clone(),
        wants,
    };
    match &waiting.wants {
        Wants::Result => vec![one(Wanted::Result)],
        Wants::Decision(questions) => questions
            .first()
            .map(|question| {
                one(Wanted::Decision {
                    hook: question.hook.clone(),
                    request: Question::from(&question.request),
                })
            })
            .into_iter()
            .collect(),
        Wants::Child { pending, .. } => pending
            .iter()
            .map(|call| PendingCall {
                call_id: format!("{}/{}", waiting.call.id, call.call_id),
                ..call.clone()
            })
            .collect(),
    }
}
