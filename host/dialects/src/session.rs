//! Answering an event with the progress of its session.

use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::trace::CallTrace;
use portcullis_bridge::{Bridge, BridgeError, CallReply, CallRequest, Decision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Answer;
use crate::event::Event;
use crate::flow::{Caller, UNDECIDED, refuse_start};
use crate::handle::answer;
use crate::progress::Progress;

/// An answer, and the calls that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AnsweredEvent {
    /// The command hook's output.
    pub answer: Answer,
    /// The calls, in their order.
    pub calls: Vec<PointCall>,
}

/// One call of the hooks of a point, to explain an answer to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PointCall {
    /// The point.
    pub point: String,
    /// The decision.
    pub decision: Decision,
    /// The hooks of the chain, in the order they ran.
    pub hooks: Vec<String>,
    /// The effects that hooks requested and that no agent here performs, one line each: background
    /// jobs, and changes of the agent's state.
    pub not_done: Vec<String>,
}

/// The reason why an event was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnansweredEvent {
    /// The session cannot be opened or saved.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// The session's stored progress was written by something else.
    #[error("what is remembered of the session is damaged: {0}")]
    Progress(serde_json::Error),
}

/// Answers an event with the hooks of a bridge, in the event's session. The session's progress is its memo, which this
/// changes but does not save. Events of one session must be answered one after another. If answering a start does not
/// finish, such as when the process is killed, the session or the sub-agent is refused.
///
/// Each event has the budget of a whole turn, since agents do not report the end of a turn.
///
/// # Errors
///
/// The session cannot be used. [`failure`](crate::failure) then answers the event.
pub async fn answer_in_session(
    event: &Event,
    bridge: &Bridge,
) -> Result<AnsweredEvent, UnansweredEvent> {
    answer_in_trace(event, bridge, &|| None).await
}

/// Like [`answer_in_session`], as a part of a trace: each call of the hooks of a point takes its
/// span from `trace`.
///
/// # Errors
///
/// As [`answer_in_session`].
pub async fn answer_in_trace(
    event: &Event,
    bridge: &Bridge,
    trace: &(dyn Fn() -> Option<Arc<CallTrace>> + Sync),
) -> Result<AnsweredEvent, UnansweredEvent> {
    let (session, agent) = (event.session(), event.dialect().agent_id());
    let memo = bridge.memo(session, agent).await?;
    let mut kept = Progress::read(memo).map_err(UnansweredEvent::Progress)?;
    let mut progress = kept.clone();
    if refuse_start(event, &mut kept, UNDECIDED) {
        bridge.set_memo(session, agent, kept.to_json()).await?;
        bridge.flush_session(session).await?;
    }
    bridge.renew_turn_budget(session, agent).await?;
    let caller = Recorder {
        bridge,
        trace,
        calls: Mutex::default(),
    };
    let answer = answer(event, &mut progress, &caller).await;
    if progress != kept {
        bridge.set_memo(session, agent, progress.to_json()).await?;
    }
    Ok(AnsweredEvent {
        answer,
        calls: caller.calls.into_inner(),
    })
}

/// Returns a session's memo that refuses the session or the sub-agent that an event starts. A
/// caller that loads the hooks only afterwards stores this memo first, since loading may fail. A
/// later decision replaces the refusal.
pub fn refused_until_decided(event: &Event, memo: Value) -> Value {
    let Ok(mut progress) = Progress::read(memo.clone()) else {
        // With such a memo, no event of the session is answered.
        return memo;
    };
    match refuse_start(event, &mut progress, UNDECIDED) {
        true => progress.to_json(),
        false => memo,
    }
}

struct Recorder<'a> {
    bridge: &'a Bridge,
    trace: &'a (dyn Fn() -> Option<Arc<CallTrace>> + Sync),
    calls: Mutex<Vec<PointCall>>,
}

impl Caller for Recorder<'_> {
    type Error = BridgeError;

    async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        let point = request.point.clone();
        let reply = self.bridge.call_within(request, (self.trace)()).await?;
        let side_outputs = reply.contributions.side_outputs.iter();
        self.calls.lock().push(PointCall {
            point,
            decision: reply.decision.clone(),
            hooks: reply.runs.iter().map(|run| run.hook.clone()).collect(),
            not_done: side_outputs.filter_map(not_done).collect(),
        });
        Ok(reply)
    }
}

/// Returns a line about a side output that is not carried out; `None` if the output is for the
/// journal alone.
fn not_done(output: &Value) -> Option<String> {
    let by = output.get("by")?.as_str()?;
    let value = output.get("value")?;
    if let Some(job) = value.get("job") {
        let name = job.get("name").and_then(Value::as_str).unwrap_or_default();
        return Some(format!(
            "hook `{by}` queued the job `{name}`, which no agent here runs"
        ));
    }
    let keys = value.get("state-edits")?.as_object()?.keys();
    let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
    Some(format!(
        "hook `{by}` changed {} of the agent's state, which is not kept here",
        keys.join(", ")
    ))
}
