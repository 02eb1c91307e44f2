//! The journal events of callers. Callers do not report their actions: the events are derived from
//! the points that they call.

use portcullis::Hooks;
use portcullis::points::PointId;
use portcullis::time::now_ms;
use portcullis::verdict::PersonAnswer;
use portcullis_agent::{
    EventRow, HookAuthority, JournalEvent, NotRun, RunRecorder as _, next_run_id,
};
use portcullis_store::Journal;
use serde_json::{Value, json};

use crate::reply::Decision;
use crate::request::{CallContext, CallRequest};

/// The facts about the agent in a request, read before the call takes the request.
pub(crate) struct Noted {
    journal: Journal,
    point: PointId,
    context: CallContext,
    call_id: String,
    name: String,
    is_error: bool,
    elapsed_ms: u64,
    message: String,
    usage: [u64; 2],
}

impl Noted {
    pub(crate) fn new(journal: Journal, point: PointId, request: &CallRequest) -> Self {
        let input = &request.input;
        let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        Self {
            journal,
            point,
            context: request.context.clone(),
            call_id: text("call-id"),
            name: text("name"),
            is_error: input["is-error"].as_bool().unwrap_or_default(),
            elapsed_ms: number(&input["elapsed-us"]) / 1_000,
            message: text("message"),
            usage: ["input-tokens", "output-tokens"].map(|key| number(&input["usage"][key])),
        }
    }

    /// Records the start of a turn, before the hooks run.
    pub(crate) fn before(&self) {
        if self.point == PointId::PreTurn {
            self.write(JournalEvent::TurnBegan { input: None });
        }
    }

    /// Records how a person answered a hook's question.
    pub(crate) fn answered(&self, answer: PersonAnswer) {
        let call_id = Some(self.call_id.as_str()).filter(|id| !id.is_empty());
        let keeps_values = self.journal.keeps_values();
        self.write(JournalEvent::decided(
            answer,
            self.point,
            call_id,
            keeps_values,
        ));
    }

    /// Records that the caller received a hook's question about a tool call. The caller may ask a
    /// person, and does not report that.
    pub(crate) fn asked(&self) {
        if self.point == PointId::PreToolCall {
            self.write(JournalEvent::ToolAsked {
                call_id: self.call_id.clone(),
                name: self.name.clone(),
            });
        }
    }

    /// Records the result of the hooks' decision. The call must not be pending.
    pub(crate) fn after(self, decision: &Decision) {
        let event = match self.point {
            PointId::PreTurn => match decision {
                Decision::Answer { by, .. } => {
                    Some(self.ended(json!({ "from": "answered", "by": by })))
                }
                other => refusal(other).map(|error| self.failed(error)),
            },
            PointId::PreToolCall => match decision {
                Decision::Reject { .. } | Decision::Stop { .. } => {
                    Some(self.finished(Some(NotRun::HookRefused), true))
                }
                Decision::Failed { .. } => Some(self.finished(Some(NotRun::HookFailed), true)),
                Decision::Answer { .. } => Some(self.finished(Some(NotRun::HookAnswered), false)),
                _ => Some(JournalEvent::ToolStarted {
                    call_id: self.call_id.clone(),
                    name: self.name.clone(),
                    arguments: None,
                }),
            },
            PointId::PostToolCall => Some(self.finished(None, self.is_error)),
            PointId::PostTurn => Some(match refusal(decision) {
                Some(error) => self.failed(error),
                None => self.ended(json!({ "from": "model" })),
            }),
            PointId::TurnError => Some(match decision {
                Decision::Answer { by, .. } => self.ended(json!({
                    "from": "recovered", "by": by, "error": self.message,
                })),
                _ => self.failed(self.message.clone()),
            }),
            PointId::SessionEnd => Some(JournalEvent::SessionEnded {
                reason: "closed".to_owned(),
            }),
            _ => None,
        };
        if let Some(event) = event {
            self.write(event);
        }
    }

    fn ended(&self, origin: Value) -> JournalEvent {
        let [input_tokens, output_tokens] = self.usage;
        JournalEvent::TurnEnded {
            origin,
            input_tokens,
            output_tokens,
            elapsed_ms: self.elapsed_ms,
            output: None,
        }
    }

    fn failed(&self, error: String) -> JournalEvent {
        JournalEvent::TurnFailed {
            error,
            cancelled: false,
            elapsed_ms: self.elapsed_ms,
        }
    }

    fn finished(&self, not_run: Option<NotRun>, is_error: bool) -> JournalEvent {
        JournalEvent::ToolFinished {
            call_id: self.call_id.clone(),
            name: self.name.clone(),
            is_error,
            ran: not_run.is_none(),
            not_run,
            elapsed_ms: self.elapsed_ms,
            result: None,
        }
    }

    fn write(&self, event: JournalEvent) {
        write(&self.journal, &self.context, event);
    }
}

/// Records that a session begins, with its hooks.
pub(crate) fn opened(journal: &Journal, session: &str, agent: &str, hooks: &Hooks) {
    let context = CallContext::new(session, agent);
    let event = JournalEvent::SessionOpened {
        agent: agent.to_owned(),
        parent: None,
        hooks: HookAuthority::in_session(hooks, session),
    };
    write(journal, &context, event);
}

fn write(journal: &Journal, context: &CallContext, event: JournalEvent) {
    journal.event(EventRow {
        id: next_run_id(),
        session: context.session_id.clone(),
        turn: context.turn,
        step: context.step,
        at_ms: now_ms(),
        event,
    });
}

/// Returns the reason for a refusal, as text.
fn refusal(decision: &Decision) -> Option<String> {
    match decision {
        Decision::Reject { by, rejection } => Some(format!("{by}: {}", rejection.reason)),
        Decision::Stop { by, .. } => Some(format!("{by} stops it")),
        Decision::Failed { by, message, .. } => Some(format!("{by} failed: {message}")),
        _ => None,
    }
}
