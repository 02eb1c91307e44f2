//! The state of a turn in a checkpoint.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ContentPart, Message, Usage};
use portcullis::state::PrivateState;
use portcullis::tools::ToolCatalog;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::WaitingStep;
use crate::basics::units::now_ms;
use crate::checkpoint::{
    self, CheckpointId, HookQuestion, PendingCall, Question, Resolution, Wanted,
};
use crate::events::TurnTrace;
use crate::exchange::{NewSession, ResumeError};
use crate::provider::Signature;
use crate::saved::SavedSessionError;
use crate::session::state::{HookSet, OpenTurn, SessionState, TurnPrompt};
use crate::session::tools::{StepTools, WaitingCall, WaitingFor};

/// The version of the checkpoints that this code writes.
const VERSION: u32 = 1;

/// The data needed to resume a suspended turn.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    version: u32,
    user: Option<String>,
    working_dir: Option<String>,
    parent: Option<String>,
    workspace: Option<String>,
    metadata: Vec<(String, String)>,
    state: Map<String, Value>,
    session: String,
    turn: u32,
    step: u32,
    conversation: Vec<Message>,
    /// The signatures of the messages' reasoning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Option<Signature>>,
    said: Vec<ContentPart>,
    usage: Usage,
    turn_usage: Usage,
    open_turn: OpenTurn,
    prompt: TurnPrompt,
    waiting: WaitingStep,
    hooks: Vec<PrivateState>,
    /// The digests of the hooks.
    #[serde(default)]
    hook_set: Option<HookSet>,
    /// The turn's span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace: Option<TurnTrace>,
    /// The user messages that the turn has not read.
    pub(super) steering: VecDeque<String>,
    /// The number of agents above.
    pub(super) depth: usize,
    saved_ms: u64,
}

/// The part of a snapshot that is not in the session's state.
pub(crate) struct Restored {
    /// The user's input.
    pub(crate) said: Arc<Vec<ContentPart>>,
    pub(crate) waiting: WaitingStep,
    /// The time that the turn was suspended.
    pub(crate) waited: Duration,
    /// The turn's span.
    pub(crate) trace: Option<TurnTrace>,
}

impl Snapshot {
    /// Takes a snapshot of a session. User messages that the turn has not read move to the
    /// snapshot.
    pub(super) fn take(
        session: &SessionState,
        waiting: WaitingStep,
        said: &Arc<Vec<ContentPart>>,
    ) -> Self {
        let info = &session.views.session;
        Self {
            version: VERSION,
            user: info.user.clone(),
            working_dir: info.working_dir.clone(),
            parent: info.parent.clone(),
            workspace: session.workspace_name.clone(),
            metadata: info.metadata.clone(),
            state: session.state.values(),
            session: session.id().to_owned(),
            turn: session.position.turn,
            step: session.position.step,
            conversation: session.conversation.messages().to_vec(),
            signatures: session.conversation.kept_signatures(),
            said: said.to_vec(),
            usage: session.usage.session(),
            turn_usage: session.usage.turn(),
            open_turn: session.conversation.suspend_turn(),
            prompt: session.prompt.clone(),
            waiting,
            hooks: session.hooks.private_state(),
            hook_set: Some(HookSet::of(&session.shared.context.hooks)),
            trace: session.trace.turn(),
            steering: session.steering.take(),
            depth: session.ancestry.parents.len(),
            saved_ms: now_ms(),
        }
    }

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

    /// Returns the options to open the session again. `new` sets the values that the checkpoint
    /// does not contain.
    pub(crate) fn new_session(&self, new: NewSession) -> NewSession {
        NewSession {
            id: self.session.clone(),
            user: self.user.clone(),
            working_dir: self.working_dir.as_ref().map(Into::into),
            parent: self.parent.clone(),
            workspace: self.workspace.clone(),
            metadata: self.metadata.clone(),
            ..new
        }
    }

    /// Checks that a session is resumed as its own user, if a user is given.
    pub(super) fn check_user(&self, here: Option<&str>) -> Result<(), ResumeError> {
        if here.is_none() || here == self.user.as_deref() {
            return Ok(());
        }
        Err(ResumeError::Session(SavedSessionError::OtherUser {
            id: self.session.clone(),
            user: self.user.clone(),
            here: here.map(str::to_owned),
        }))
    }

    /// Checks that the saved session has had no turn since this one was suspended, because
    /// restoring would remove it.
    pub(crate) fn check_turns(
        &self,
        checkpoint: &CheckpointId,
        session: &SessionState,
    ) -> Result<(), ResumeError> {
        let turns = session.position.turn;
        if turns < self.turn {
            return Ok(());
        }
        Err(ResumeError::SessionContinued {
            checkpoint: checkpoint.clone(),
            session: self.session.clone(),
            turn: self.turn,
            turns,
        })
    }

    /// Restores a session to the suspension of its turn.
    pub(crate) fn restore(self, session: &mut SessionState) -> Restored {
        session.position.turn = self.turn;
        session.position.step = self.step;
        session
            .conversation
            .restore(self.conversation, self.open_turn);
        session.conversation.restore_signatures(self.signatures);
        session.usage.restore(self.usage, self.turn_usage);
        session.state.set(self.state);
        let mut prompt = self.prompt;
        prompt.link_targets(&session.shared.catalog);
        session.set_prompt(prompt);
        session.hooks.restore(self.hooks);
        session.began_under = self.hook_set;
        session.steering.put_back(self.steering);
        let mut waiting = self.waiting;
        waiting.tools.restore_catalog(&session.views.tools);
        session.restore_children(waiting.tools.children());
        Restored {
            said: Arc::new(self.said),
            waiting,
            trace: self.trace,
            waited: Duration::from_millis(now_ms().saturating_sub(self.saved_ms)),
        }
    }

    /// Returns the checkpoints of the sub-agents it waits for.
    pub(super) fn children(&self) -> Vec<CheckpointId> {
        self.waiting.tools.children()
    }

    /// Checks that the resolutions fit the calls that wait.
    pub(super) fn check(&self, resolutions: &BTreeMap<String, Resolution>) -> Result<(), String> {
        checkpoint::check(&pending_calls(&self.waiting.tools), resolutions)
    }

    /// Checks that the agent still has the tools of approved calls that no hook answers.
    pub(super) fn check_tools(
        &self,
        checkpoint: &CheckpointId,
        own: &ToolCatalog,
        resolutions: &BTreeMap<String, Resolution>,
    ) -> Result<(), ResumeError> {
        for WaitingCall { call, wants, .. } in self.waiting.tools.waiting() {
            let asks = matches!(wants, WaitingFor::Decision(_));
            let resolution = resolutions.get(&call.id);
            let runs = asks && resolution.is_some_and(Resolution::approves);
            let tool = self.prompt.target(&call.name);
            if runs && self.prompt.answerer(&call.name).is_none() && own.get(tool).is_none() {
                return Err(ResumeError::NoTool {
                    checkpoint: checkpoint.clone(),
                    call: call.id.clone(),
                    tool: tool.to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// Returns the waiting calls, as the embedder sees them.
pub(super) fn pending_calls(tools: &StepTools) -> Vec<PendingCall> {
    tools.waiting().flat_map(pending_of).collect()
}

fn pending_of(waiting: &WaitingCall) -> Vec<PendingCall> {
    let one = |wants| PendingCall {
        call_id: waiting.call.id.clone(),
        tool: waiting.call.name.clone(),
        arguments: waiting.arguments.clone(),
        wants,
    };
    match &waiting.wants {
        WaitingFor::Result => vec![one(Wanted::Result)],
        WaitingFor::Decision(questions) => {
            let mut questions = questions.iter().map(|question| HookQuestion {
                hook: question.hook.clone(),
                request: Question::from(&question.request),
            });
            let first = questions.next();
            let first = first.map(|HookQuestion { hook, request }| {
                let then = questions.collect();
                one(Wanted::Decision {
                    hook,
                    request,
                    then,
                })
            });
            first.into_iter().collect()
        }
        WaitingFor::Child { pending, .. } => pending
            .iter()
            .map(|call| PendingCall {
                call_id: format!("{}/{}", waiting.call.id, call.call_id),
                ..call.clone()
            })
            .collect(),
    }
}
